"""Parquet: rows as dicts such as the JSON readers make."""

import datetime
import decimal
import gzip
import hashlib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

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
        "paper": {"title": "T", "url": None},
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
