"""Parquet: rows as dicts such as the JSON readers make."""

import datetime
import decimal
import gzip
import hashlib
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from kg import records
from kg.errors import RecordError, SourceError
from kg.sources import RawRecord, Sources, parquet
from kg.values import Number

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def written(path: Path, table: Any, **options: Any) -> Path:
    pq.write_table(table, path, **options)
    return path


def read(path: Path) -> list[Any]:
    with Sources([path]) as found:
        items = list(found)
        assert list(map(str, found)) == list(map(str, items))  # a second reading is no change
        (file,) = found.files
        assert file.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
        assert file.size == path.stat().st_size
        assert file.records == sum(not isinstance(item, SourceError) for item in items)
    return items


def values(path: Path) -> list[Any]:
    return [item.value if isinstance(item, RawRecord) else item for item in read(path)]


ROW = {
    "model_name": "BERT",
    "uses_additional_data": "False",
    "metrics": [("Accuracy", "85.50"), ("F1", None), ("Accuracy", "86")],
    "metrics_text": '{"Accuracy": "85.50"}',
    "authors": ["A", None],
    "introduced_year": 2000,
    "paper": {"title": "T", "url": None},
    "wide": 0.1,
    "narrow": 0.1,
    "exact": decimal.Decimal("1.50"),
    "on": datetime.date(2020, 2, 1),
    "date": datetime.datetime(2020, 2, 1),
    "at": datetime.datetime(2020, 2, 1, 3, 4, 5),
    "official": True,
    "bytes": "ü".encode(),
    "kind": "x",
}
SCHEMA = pa.schema(
    {
        "model_name": pa.string(),
        "uses_additional_data": pa.string(),
        "metrics": pa.map_(pa.string(), pa.string()),
        "metrics_text": pa.large_string(),
        "authors": pa.list_(pa.string()),
        "introduced_year": pa.int64(),
        "paper": pa.struct({"title": pa.string(), "url": pa.string()}),
        "wide": pa.float64(),
        "narrow": pa.float32(),
        "exact": pa.decimal128(10, 2),
        "on": pa.date32(),
        "date": pa.timestamp("us"),
        "at": pa.timestamp("ms"),
        "official": pa.bool_(),
        "bytes": pa.binary(),
        "kind": pa.dictionary(pa.int32(), pa.string()),
    }.items()
)


def test_a_row_is_what_a_json_record_would_be(tmp_path: Path) -> None:
    first, second = values(written(tmp_path / "x", pa.Table.from_pylist([ROW, {}], SCHEMA)))
    assert first == {
        "model_name": "BERT",
        "uses_additional_data": "False",
        "metrics": [["Accuracy", "85.50"], ["F1", None], ["Accuracy", "86"]],
        "metrics_text": '{"Accuracy": "85.50"}',
        "authors": ["A", None],
        "introduced_year": "2000",
        "paper": {"title": "T"},
        "wide": "0.1",
        "narrow": "0.1",
        "exact": "1.50",
        "on": "2020-02-01",
        "date": "2020-02-01",
        "at": "2020-02-01T03:04:05",
        "official": True,
        "bytes": "ü",
        "kind": "x",
    }
    assert {name for name, value in first.items() if isinstance(value, Number)} == {
        "introduced_year",
        "wide",
        "narrow",
        "exact",
    }
    assert second == dict.fromkeys(ROW)


def test_numbers_that_json_does_not_have_are_spelt_as_the_json_reader_does(tmp_path: Path) -> None:
    numbers = [0.1, float("nan"), float("inf"), float("-inf"), 1e30, 16777217.0]
    table = pa.table({"wide": numbers, "narrow": pa.array(numbers, pa.float32())})
    found = values(written(tmp_path / "x", table))
    said = ["0.1", "NaN", "Infinity", "-Infinity", "1e+30", "16777217.0"]
    assert [row["wide"] for row in found] == said
    assert [row["narrow"] for row in found] == [*said[:-1], "16777216.0"]


def test_rows_are_numbered_through_all_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "ROWS", 3)
    path = written(tmp_path / "x.json", pa.table({"n": range(10)}), row_group_size=4)
    assert [(item.position, item.value) for item in read(path)] == [
        (f"record {n}", {"n": str(n)}) for n in range(10)
    ]


def test_text_that_is_no_utf_8_is_refused_and_the_other_rows_are_read(tmp_path: Path) -> None:
    table = pa.table({"bytes": [b"a", b"\xff", b"c"]})
    first, error, third = read(written(tmp_path / "x", table))
    assert (first.value, third.value) == ({"bytes": "a"}, {"bytes": "c"})
    assert isinstance(error, RecordError)
    assert error.position == "record 1"
    column = pa.array([b"a", b"\xff", b"c"]).view(pa.string())  # text by its type alone
    first, error, third = read(written(tmp_path / "y", pa.table({"text": column})))
    assert (first.value, third.value) == ({"text": "a"}, {"text": "c"})
    assert isinstance(error, RecordError)


def test_a_file_cut_short_is_truncated(tmp_path: Path) -> None:
    path = written(tmp_path / "x", pa.table({"n": range(1000)}))
    path.write_bytes(path.read_bytes()[:-10])
    (error,) = read(path)
    assert isinstance(error, SourceError)
    assert error.reason == (
        "truncated: the end of the Parquet file is missing; whole records read before it: 0"
    )


def test_a_damaged_file_gives_the_rows_before_the_damage(tmp_path: Path) -> None:
    path = written(
        tmp_path / "x",
        pa.table({"text": [f"{n * n}" for n in range(3000)]}),
        row_group_size=1000,
        use_dictionary=False,
        compression="zstd",
    )
    where = pq.ParquetFile(path).metadata.row_group(1).column(0)
    data = bytearray(path.read_bytes())
    middle = where.data_page_offset + where.total_compressed_size // 2
    data[middle : middle + 200] = bytes(200)
    path.write_bytes(data)
    *rows, error = read(path)
    assert [row.value["text"] for row in rows] == [f"{n * n}" for n in range(len(rows))]
    assert len(rows) >= 768
    assert isinstance(error, SourceError)
    assert error.reason.startswith("damaged: ")
    assert error.reason.endswith(f"whole records read before it: {len(rows)}")


def test_a_column_whose_name_is_no_text_is_damage(tmp_path: Path) -> None:
    path = written(tmp_path / "x", pa.table({"a name": [1]}), store_schema=False)
    data = path.read_bytes()
    assert b"a name" in data
    path.write_bytes(data.replace(b"a name", b"a\xff\xfeame"))
    (error,) = read(path)
    assert isinstance(error, SourceError)
    assert error.reason.startswith("damaged: ")


def test_without_its_library_a_sentence_says_which_extra_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> ModuleType:
        raise ImportError(name)

    path = written(tmp_path / "x.parquet", pa.table({"n": [1]}))
    monkeypatch.setattr(parquet, "import_module", missing)
    (error,) = read(path)
    assert isinstance(error, SourceError)
    assert "paperkg[parquet]" in error.reason


def test_parquet_inside_another_compression_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "x", pa.table({"n": [1]}))
    path.write_bytes(gzip.compress(path.read_bytes()))
    (error,) = read(path)
    assert error.reason == "it is Parquet inside gzip; decompress it"


def test_what_a_struct_does_not_have_is_missing_and_what_a_column_does_not_have_is_null(
    tmp_path: Path,
) -> None:
    inner = pa.struct({"x": pa.string(), "y": pa.list_(pa.int8()), "z": pa.null()}.items())
    table = pa.table(
        {
            "one": pa.array([{"x": "a"}, None, {}, {"y": [1, None]}], inner),
            "many": pa.array([[{"x": "a"}, {"y": []}, None], None, [], [{}]], pa.list_(inner)),
            "named": pa.array(
                [[("k", {"x": "a"})], None, [("k", None)], []], pa.map_(pa.string(), inner)
            ),
        }
    )
    assert values(written(tmp_path / "x", table)) == [
        {"one": {"x": "a"}, "many": [{"x": "a"}, {"y": []}, None], "named": [["k", {"x": "a"}]]},
        {"one": None, "many": None, "named": None},
        {"one": {}, "many": [], "named": [["k", None]]},
        {"one": {"y": ["1", None]}, "many": [{}], "named": []},
    ]


@pytest.mark.parametrize("offset", [0, 1, 5])
def test_a_part_of_a_table_is_that_part(offset: int) -> None:
    """Arrow keeps the offsets of a slice apart from its data."""
    rows = [
        {"l": [n] * (n % 3), "m": [(f"k{n}", n)] * (n % 2), "s": {"a": n if n % 2 else None}}
        if n % 4
        else {}
        for n in range(9)
    ]
    schema = pa.schema(
        {
            "l": pa.list_(pa.int64()),
            "m": pa.map_(pa.string(), pa.int64()),
            "s": pa.struct({"a": pa.int64()}.items()),
        }.items()
    )
    (batch,) = pa.Table.from_pylist(rows, schema).to_batches()
    reader = parquet._Reader(pa, pytest.importorskip("pyarrow.compute"))
    whole = list(reader.rows(batch))
    assert whole[2] == {"l": ["2", "2"], "m": [], "s": {}}
    assert list(reader.rows(batch.slice(offset, 3))) == whole[offset : offset + 3]


def test_other_kinds_of_list_and_of_text_are_lists_and_text(tmp_path: Path) -> None:
    coded = pa.list_(pa.dictionary(pa.int8(), pa.string()))
    table = pa.table(
        {
            "large": pa.array([["a"], None], pa.large_list(pa.large_string())),
            "fixed": pa.array([["a", "b"], None], pa.list_(pa.string(), 2)),
            "view": pa.array(["a", None], pa.string_view()),
            "coded": pa.array([["a", None, "a"], None], coded),
        }
    )
    first, second = values(written(tmp_path / "x", table))
    assert first == {"large": ["a"], "fixed": ["a", "b"], "view": "a", "coded": ["a", None, "a"]}
    assert second == dict.fromkeys(first)


def test_what_python_has_no_value_for_is_refused_and_the_other_rows_are_read(
    tmp_path: Path,
) -> None:
    table = pa.table({"on": pa.array([0, 2**30, 1], pa.int32()).view(pa.date32())})
    first, error, third = read(written(tmp_path / "x", table))
    assert (first.value, third.value) == ({"on": "1970-01-01"}, {"on": "1970-01-02"})
    assert isinstance(error, RecordError)
    assert error.reason.startswith("it holds a value that cannot be read: ")


def test_a_time_is_read_to_the_microsecond(tmp_path: Path) -> None:
    at = pa.array([1_500_000_001_234_567_891], pa.timestamp("ns", "UTC"))
    (row,) = values(written(tmp_path / "x", pa.table({"at": at})))
    assert row == {"at": "2017-07-14T02:40:01.234567+00:00"}


@pytest.mark.parametrize("nested", [False, True])
def test_two_columns_of_one_name_are_refused(tmp_path: Path, nested: bool) -> None:
    arrays, names = [pa.array([1]), pa.array([2])], ["n", "n"]
    if nested:
        arrays, names = [pa.StructArray.from_arrays(arrays, names)], ["s"]
    (error,) = read(written(tmp_path / "x", pa.Table.from_arrays(arrays, names)))
    assert isinstance(error, SourceError)
    assert "called 'n'" in error.reason


def tables(metrics: dict[str, object]) -> list[dict[str, object]]:
    """Return tasks with many rows, each with two of many metrics, as *metrics* has them."""
    return [
        {
            "task": f"T{task}",
            "description": None,
            "subtasks": [],
            "datasets": [
                {
                    "dataset": "D",
                    "sota": {
                        "metrics": ["m0"],
                        "rows": [
                            {
                                "model_name": f"M{row}",
                                "uses_additional_data": "False",
                                "metrics": metrics[f"{task} {row}"],
                            }
                            for row in range(20)
                        ],
                    },
                }
            ],
        }
        for task in range(30)
    ]


def test_the_metrics_of_a_table_are_the_same_in_every_layout(tmp_path: Path) -> None:
    """Seen in copies of the archive: a struct with all names, pairs, a text that is JSON."""
    given = {
        f"{task} {row}": {f"m{task * 20 + row}": "85.50", f"m{(task * 7 + row) % 900}": "1 ± 0.1"}
        for task in range(30)
        for row in range(20)
    }
    layouts = {
        "struct": given,
        "pairs": {key: list(row.items()) for key, row in given.items()},
        "entries": {
            key: [{"key": name, "value": text} for name, text in row.items()]
            for key, row in given.items()
        },
        "text": {key: json.dumps(row) for key, row in given.items()},
    }
    row = {"model_name": pa.string(), "uses_additional_data": pa.string()}
    pairs = pa.map_(pa.string(), pa.string())
    read_as = {}
    for name, layout in layouts.items():
        rows = tables(layout)
        schema = pa.Table.from_pylist(rows).schema
        if name == "pairs":
            fields = pa.struct([*row.items(), ("metrics", pairs)])
            sota = pa.struct([("metrics", pa.list_(pa.string())), ("rows", pa.list_(fields))])
            dataset = pa.struct([("dataset", pa.string()), ("sota", sota)])
            schema = schema.set(3, pa.field("datasets", pa.list_(dataset)))
        path = written(tmp_path / name, pa.Table.from_pylist(rows, schema))
        found = [records.read(value) for value in values(path)]
        assert [record.findings for record in found] == [[]] * 30
        read_as[name] = [
            [sorted(row.metrics) for row in record.task.datasets[0].sota.rows] for record in found
        ]
    expected = [[sorted(given[f"{task} {row}"].items()) for row in range(20)] for task in range(30)]
    for name, metrics in read_as.items():
        assert metrics == expected, name
