"""Sources: whatever the bytes are, each record and each problem comes out once, in its place."""

import bz2
import gzip
import hashlib
import io
import json
import lzma
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.errors import RecordError, SourceError
from kg.sources import Found, RawRecord, Sources, compression, files


def read(*inputs: str | Path) -> list[Found]:
    with Sources(inputs) as found:
        return list(found)


def of(tmp_path: Path, content: str | bytes, name: str = "x.json") -> list[object]:
    """Return what a file of *content* holds: values, and the text of errors after the file name."""
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return [
        (item.position, item.value)
        if isinstance(item, RawRecord)
        else str(item).removeprefix(str(path))
        for item in read(path)
    ]


A, B = {"a": "x"}, {"b": "y"}


@pytest.mark.parametrize("name", ["x.json", "x.jsonl", "x", "x.txt"])
def test_the_content_tells_the_form_not_the_name(tmp_path: Path, name: str) -> None:
    in_lines = [("line 1", A), ("line 2", B)]
    in_document = [("record 0", A), ("record 1", B)]
    assert of(tmp_path, '{"a":"x"}\n{"b":"y"}\n', name) == in_lines
    assert of(tmp_path, '{"a":"x"}\r\n{"b":"y"}\r\n', name) == in_lines
    assert of(tmp_path, '\n \n{"a":"x"}\n\n{"b":"y"}', name) == [("line 3", A), ("line 5", B)]
    assert of(tmp_path, '[{"a":"x"},{"b":"y"}]', name) == in_document
    assert of(tmp_path, '\n [\n{"a":"x"},\n{"b":"y"}\n]\n', name) == in_document
    assert of(tmp_path, '{"a":"x"}', name) == [("line 1", A)]


def test_a_document_of_several_lines_is_no_json_lines(tmp_path: Path) -> None:
    assert of(tmp_path, json.dumps(A, indent=1)) == [("record 0", A)]
    two = json.dumps(A, indent=1) + "\n" + json.dumps(B, indent=1)
    assert of(tmp_path, two) == [("record 0", A), ("record 1", B)]
    assert of(tmp_path, '{"a":"x"}{"b":"y"}') == [("record 0", A), ("record 1", B)]


def test_a_line_cut_off_is_refused_and_the_others_are_read(tmp_path: Path) -> None:
    content = '{"slug": "a"}\n{"slug": "b",\n{"slug": "c"}\n'
    first, error, third = read_file(tmp_path, content, "x.jsonl")
    assert isinstance(first, RawRecord)
    assert isinstance(third, RawRecord)
    assert (first.value, third.value) == ({"slug": "a"}, {"slug": "c"})
    assert third.position == "line 3"
    assert isinstance(error, RecordError)
    assert error.file == str(tmp_path / "x.jsonl")
    assert error.position == "line 2"
    assert error.reason == "column 14: expecting property name enclosed in double quotes"


def read_file(tmp_path: Path, content: str | bytes, name: str) -> list[Found]:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read(path)


@pytest.mark.parametrize("name", ["x.jsonl", "x.json", "x.txt", "x"])
@pytest.mark.parametrize(
    "bad", ['{"slug": "b",', '{"slug": ', '{"s": "t', '{"a":1}}', '{"a":1},', "what?", '{"a": [']
)
def test_a_first_line_that_is_broken_costs_one_record(tmp_path: Path, bad: str, name: str) -> None:
    for rest in ('{"a":"x"}', '{"a":"x"}\n{"b":"y"}', '{"a":\n{"b":"y"}'):
        content = f"{bad}\n{rest}\n"
        first, *others = read_file(tmp_path, content, name)
        assert isinstance(first, RecordError)
        assert first.position == "line 1"
        assert [type(item) for item in others] == [
            RawRecord if line.endswith("}") else RecordError for line in rest.split("\n")
        ]


def test_the_name_decides_where_no_line_is_whole(tmp_path: Path) -> None:
    content = '{"slug": "b",\n{"slug": \n'
    lines = read_file(tmp_path, content, "x.JSONL")
    assert [type(item) for item in lines] == [RecordError, RecordError]
    document = read_file(tmp_path, content, "x.json")
    assert [type(item) for item in document] == [SourceError]


def test_values_one_after_another_are_a_document_whatever_the_name_and_the_first_line(
    tmp_path: Path,
) -> None:
    content = '{"a":"x"}\n{\n "b":\n "y"\n}\n'
    for name in ("x.jsonl", "x.json"):
        assert of(tmp_path, content, name) == [("record 0", A), ("record 1", B)]
    long = json.dumps({"a": "x" * 300_000}, indent=1) + "\n"
    found = of(tmp_path, long * 20 + '{"a":"x"}', "x.jsonl")
    assert [type(item) for item in found] == [tuple] * 21
    assert found[-1] == ("record 20", A)


def test_lines_are_told_by_the_first_ones_however_long(tmp_path: Path) -> None:
    long = '{"a": "' + "x" * 1_500_000 + '"}\n'
    first, *others = read_file(tmp_path, '{"a": "x\n' + long * 6, "x")
    assert isinstance(first, RecordError)
    assert [item.position for item in others if isinstance(item, RawRecord)] == [
        f"line {n}" for n in range(2, 8)
    ]


def test_a_broken_element_of_an_array_is_refused_and_the_file_is_no_json(tmp_path: Path) -> None:
    content = '[\n  {"a": "x"},\n  {"a" "x"},\n  {"b": "y"}\n]\n'
    reason = "line 3, column 8: expecting ':' delimiter"
    assert of(tmp_path, content) == [
        ("record 0", A),
        f", record 1: {reason}",
        ("record 2", B),
        f": {reason}; what stands behind it was read; whole records: 2",
    ]
    with Sources([tmp_path / "x.json"]) as found:
        list(found)
        assert found.files[0].records == 3


def test_a_document_cut_off_gives_the_records_before(tmp_path: Path) -> None:
    found = of(tmp_path, '[{"a":"x"},\n{"b":"y"},\n{"c":')
    assert found[:2] == [("record 0", A), ("record 1", B)]
    assert found[2:] == [
        ": truncated: line 3, column 6: the text ends inside a value;"
        " whole records read before it: 2"
    ]


@pytest.mark.parametrize("content", ["", " ", "\n\n", "\ufeff", "[]", " [ ] \n", "[][]"])
@pytest.mark.parametrize("name", ["x.json", "x.jsonl"])
def test_an_empty_file_is_no_error(tmp_path: Path, content: str, name: str) -> None:
    assert of(tmp_path, content, name) == []


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    assert of(tmp_path, '\ufeff{"a":"x"}\n{"b":"y"}') == [("line 1", A), ("line 2", B)]
    assert of(tmp_path, '\ufeff[{"a":"x"}]') == [("record 0", A)]


def test_invalid_utf_8_is_named_by_its_byte_in_the_file(tmp_path: Path) -> None:
    content = b'\xef\xbb\xbf{"a":"x"}\n{"b":"\xff"}\n{"b":"y"}'
    assert content[19:20] == b"\xff"
    found = of(tmp_path, content)
    assert found == [
        ("line 1", A),
        ", line 2: column 7: invalid UTF-8 at byte 19",
        ("line 3", B),
    ]
    content = b'\xef\xbb\xbf[{"a":"x"},{"b":"\xff"},{"b":"y"}]'
    assert content.index(b"\xff") == 20
    assert of(tmp_path, content) == [
        ("record 0", A),
        ", record 1: line 1, column 18: invalid UTF-8 at byte 20",
        ("record 2", B),
    ]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be"])
def test_other_encodings_are_refused_in_a_sentence(tmp_path: Path, encoding: str) -> None:
    (reason,) = of(tmp_path, '{"a":"x"}'.encode(encoding))
    assert "UTF-16" in str(reason)
    assert "not UTF-8" in str(reason)


LINES = b'{"a":"x"}\n{"b":"y"}\n'
ARRAY = b'[{"a":"x"},\n{"b":"y"}]'


@pytest.mark.parametrize("name", ["x.json.gz", "x.jsonl.zst", "x.json", "x"])
@pytest.mark.parametrize("compress", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_a_compression_is_told_by_the_first_bytes_not_by_the_name(
    tmp_path: Path, compress: Callable[[bytes], bytes], name: str
) -> None:
    assert of(tmp_path, compress(LINES), name) == [("line 1", A), ("line 2", B)]
    assert of(tmp_path, compress(ARRAY), name) == [("record 0", A), ("record 1", B)]
    assert of(tmp_path, compress(b"\xef\xbb\xbf" + LINES), name)[0] == ("line 1", A)
    assert of(tmp_path, compress(LINES[:10]) + compress(LINES[10:]), name) == [
        ("line 1", A),
        ("line 2", B),
    ]
    assert of(tmp_path, compress(b""), name) == []


def test_the_ending_before_that_of_the_compression_tells_json_lines(tmp_path: Path) -> None:
    content = gzip.compress(b'{"slug": "b",\n{"slug": \n')
    lines = read_file(tmp_path, content, "x.jsonl.gz")
    assert [type(item) for item in lines] == [RecordError, RecordError]
    document = read_file(tmp_path, content, "x.json.gz")
    assert [type(item) for item in document] == [SourceError]


@pytest.mark.parametrize(
    ("content", "first"), [(LINES, ("line 1", A)), (ARRAY, ("record 0", A))], ids=["lines", "array"]
)
@given(cut=st.integers(8, 60), size=st.integers(8, 40))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_compressed_file_cut_short_gives_its_whole_records_and_how_many(
    tmp_path: Path, content: bytes, first: tuple[str, object], cut: int, size: int
) -> None:
    data = gzip.compress(content, compresslevel=0)[:-1]  # stored, so that much is read of it
    path = tmp_path / "x.gz"
    path.write_bytes(data[:cut])
    with pytest.MonkeyPatch.context() as patch, Sources([path]) as found:
        patch.setattr(files, "BLOCK", size)
        *records, error = found
        assert [type(record) for record in records] == [RawRecord] * len(records)
        text = data[15:cut].decode(
            "latin-1"
        )  # behind the header of the file and of the stored block
        whole = sum(text.count(one) for one in ('{"a":"x"}', '{"b":"y"}'))
        assert len(records) == whole
        if whole:
            assert isinstance(records[0], RawRecord)
            assert (records[0].position, records[0].value) == first
        assert isinstance(error, SourceError)
        assert error.reason == (
            "truncated: the file ends in the middle of its gzip data;"
            f" whole records read before it: {whole}"
        )
        (file,) = found.files
        assert file.sha256 == hashlib.sha256(data[:cut]).hexdigest()
        assert file.size == min(cut, len(data))
        list(found)  # the same again is no change


def test_damage_is_an_error_of_the_file_after_the_records_before_it(tmp_path: Path) -> None:
    found = of(tmp_path, gzip.compress(LINES) + b"what?")
    assert found[:2] == [("line 1", A), ("line 2", B)]
    assert str(found[2]).startswith(": damaged: the gzip data cannot be decompressed: ")
    assert str(found[2]).endswith("; whole records read before it: 2")


def test_what_is_compressed_twice_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (reason,) = of(tmp_path, gzip.compress(bz2.compress(LINES)))
    assert reason == ": it is compressed twice; decompress it once"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le"])
def test_other_encodings_are_refused_inside_a_compression_too(
    tmp_path: Path, encoding: str
) -> None:
    (reason,) = of(tmp_path, gzip.compress('{"a":"x"}'.encode(encoding)))
    assert "not UTF-8" in str(reason)


def test_the_digest_is_that_of_the_compressed_bytes(tmp_path: Path) -> None:
    data = gzip.compress(b'[{"a": 1}, oh no' + os.urandom(600_000))
    (tmp_path / "a.json.gz").write_bytes(data)
    with Sources([tmp_path / "a.json.gz"]) as found:
        assert len(list(found)) == 2
        assert found.files[0].sha256 == hashlib.sha256(data).hexdigest()
        assert found.files[0].size == len(data)


def test_a_missing_library_is_an_error_of_that_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr(compression, "import_module", missing)
    (tmp_path / "a.json.zst").write_bytes(b"\x28\xb5\x2f\xfd\x20")
    (tmp_path / "b.json").write_bytes(LINES)
    error, *records = read(tmp_path)
    assert isinstance(error, SourceError)
    assert "paperkg[zstd]" in error.reason
    assert len(records) == 2


@pytest.mark.parametrize(
    "cut", ['[{"a":"x"},{"b":"y', '[{"a":"x"},', '{"a":"x"}{"b": ', "[{", "[tru"]
)
def test_a_plain_document_cut_short_is_truncated(tmp_path: Path, cut: str) -> None:
    *records, error = of(tmp_path, cut)
    assert str(error).startswith(": truncated: line 1, column ")
    assert str(error).endswith(f"; whole records read before it: {len(records)}")


@pytest.mark.parametrize("bad", ['[{"a":"x"} {}]', '[{"a":"x"},]', '[{"a":"x\n"}]', "[trux"])
def test_a_document_that_is_wrong_is_not_called_truncated(tmp_path: Path, bad: str) -> None:
    assert "truncated" not in str(of(tmp_path, bad)[-1])


def test_values_that_json_does_not_have_are_read(tmp_path: Path) -> None:
    content = '{"FID": NaN, "PPL": Infinity, "L": -Infinity, "Acc": 91.20}\n{"half": "\\ud835"}\n'
    assert of(tmp_path, content) == [
        ("line 1", {"FID": "NaN", "PPL": "Infinity", "L": "-Infinity", "Acc": "91.20"}),
        ("line 2", {"half": "\ud835"}),
    ]


def test_a_value_of_any_type_is_left_to_its_reader(tmp_path: Path) -> None:
    assert of(tmp_path, '1\n"a"\nnull\n[2]\n') == [
        ("line 1", "1"),
        ("line 2", "a"),
        ("line 3", None),
        ("line 4", ["2"]),
    ]
    assert of(tmp_path, "[1,[2]]\n") == [("record 0", "1"), ("record 1", ["2"])]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.lists(
        st.binary(max_size=12)
        | st.sampled_from(
            [
                b"\n",
                b"[",
                b"]",
                b",",
                b'{"a":1}',
                b'{"a"',
                b'"',
                b"\xef\xbb\xbf",
                b"NaN",
                b"1",
                b"\xff\xfe",
                b"\r",
                b"\\",
                b"null",
                b" ",
            ]
        ),
        max_size=12,
    ).map(b"".join),
    st.sampled_from(["x.json", "x.jsonl"]),
    st.integers(8, 20),
)
def test_any_bytes_are_accounted_for(tmp_path: Path, content: bytes, name: str, block: int) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.MonkeyPatch.context() as patch, Sources([path]) as found:
        once = [described(item) for item in found]
        patch.setattr(files, "BLOCK", block)
        again = [described(item) for item in found]  # raises if it is not the same file
    assert once == again
    (file,) = found.files
    assert file.records == sum(kind is not SourceError for kind, *_ in once)
    assert file.sha256 == hashlib.sha256(content).hexdigest()
    assert file.size == len(content)
    # Nothing is passed over in silence: where no value came, there was none.
    if not once:
        assert not content.removeprefix(b"\xef\xbb\xbf").translate(None, b" \t\r\n[]")


def described(item: Found) -> tuple[object, ...]:
    if isinstance(item, RawRecord):
        return (RawRecord, item.position, item.value)
    return (type(item), str(item))


def test_problems_do_not_stop_the_rest(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text('{"a": ', "utf-8")
    (tmp_path / "good.json").write_text('{"b": "y"}', "utf-8")
    found = read(tmp_path / "missing.json", tmp_path)
    assert [type(item) for item in found] == [SourceError, SourceError, RawRecord]
    assert str(tmp_path / "missing.json") in str(found[0])


def test_what_is_no_file_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"a": "x"}', "utf-8")
    os.mkfifo(tmp_path / "b.json")
    (tmp_path / "c.json").symlink_to("c.json")
    for name in ("current", "snapshots/x/report.jsonl"):
        path = tmp_path / "graph" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('{"b": "y"}', "utf-8")
    with Sources([tmp_path, tmp_path, "http://127.0.0.1:1/x.json"]) as found:
        assert [type(item) for item in found] == [
            RawRecord, SourceError, SourceError, SourceError
        ]  # fmt: skip
        (left_out,) = found.left_out
    assert left_out.place == str(tmp_path / "graph")


def test_a_file_named_twice_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.json").write_text('{"a": "x"}', "utf-8")
    (tmp_path / "link.json").symlink_to("a.json")
    monkeypatch.chdir(tmp_path)
    assert len(read("a.json", str(tmp_path), "./a.json", "*.json", tmp_path / "a.json")) == 1


def test_the_digest_is_that_of_the_whole_file_behind_a_fault_too(tmp_path: Path) -> None:
    content = b'[{"a": 1}, oh no ' + b"x" * 600_000
    (tmp_path / "a.json").write_bytes(content)
    with Sources([tmp_path / "a.json"]) as found:
        assert found.files[0].sha256 is None
        assert len(list(found)) == 2
        assert found.files[0].sha256 == hashlib.sha256(content).hexdigest()
        assert found.files[0].size == len(content)


@pytest.mark.parametrize("change", [b'{"a": 2}', b'{"a": 1}\n', b"", None])
def test_a_file_that_changes_between_two_readings_is_raised(
    tmp_path: Path, change: bytes | None
) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b'{"a": 1}')
    with Sources([path]) as found:
        list(found)
        list(found)
        if change is None:
            path.unlink()
        else:
            path.write_bytes(change)
        with pytest.raises(SourceError, match="changed while"):
            list(found)


def test_standard_input_can_be_read_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO('{"a": "ü"}'.encode()), "ascii"))
    with Sources(["-", "-"]) as found:
        (once,) = found
        assert once == RawRecord("standard input", "line 1", {"a": "ü"})
        assert list(found) == [once]
        assert list(zip(found, found, strict=True)) == [(once, once)]
        assert found.files[0].path is None
    with pytest.raises(ValueError, match="closed"):
        list(found)


def test_without_standard_input_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("{}"))
    (error,) = read("-")
    assert str(error) == "standard input: there is none here; name a file"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_can_be_read_twice(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b'{"a": "x"}',))
    writer.start()
    with Sources([pipe]) as found:
        writer.join()
        assert list(found) == list(found) == [RawRecord(str(pipe), "line 1", A)]


@pytest.mark.skipif(os.name == "nt", reason="permissions are those of POSIX")
def test_a_closed_file_is_named(unprivileged: Path) -> None:
    path = unprivileged / "a.json"
    path.write_bytes(b"{}")
    path.chmod(0)
    with Sources([path]) as found:
        (error,) = found
        assert isinstance(error, SourceError)
        assert error.file == str(path)
        assert len(list(found)) == 1


def test_an_array_is_streamed(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    with path.open("wb") as file:
        file.write(b'[{"a":"x"}')
        file.writelines(b',\n{"a":"' + b"x" * 1000 + b'"}' for _ in range(3000))
        file.write(b"]")
    with Sources([path]) as found, pytest.MonkeyPatch.context() as patch:
        records = iter(found)
        next(records)
        # The first record is there before the rest of 3 MB has been read.
        reads = 0
        original = files.Reading.__iter__

        def counted(self: files.Reading) -> object:
            nonlocal reads
            for block in original(self):
                reads += 1
                yield block

        patch.setattr(files.Reading, "__iter__", counted)
        again = iter(found)
        next(again)
        assert reads <= 2
        assert sum(1 for _ in again) == 3000
        assert reads > 10


def test_a_file_that_breaks_off_in_reading_is_named_after_its_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"a":"x"}\n' * 1000)

    class Broken(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            if self.tell():
                raise OSError(5, "Input/output error")
            return super().read(size)

    monkeypatch.setattr(files, "BLOCK", 1000)
    with Sources([path]) as found:
        monkeypatch.setattr(Path, "open", lambda _self, _mode: Broken(b'{"a":"x"}\n' * 1000))
        *records, error = found
        assert len(records) == 100
        assert isinstance(error, SourceError)
        assert error.reason == "it cannot be read: Input/output error"
        assert found.files[0].sha256 is None
        assert len(list(found)) == 101  # the same again is no change
        monkeypatch.undo()
        with pytest.raises(SourceError, match="changed while"):
            list(found)
