"""Whatever is done to the bytes of a file, all of it is read, refused or said to be missing."""

import bz2
import gzip
import json
import lzma
from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg import records
from kg.errors import RecordError, SourceError
from kg.sources import RawRecord, RdfFile, Sources, files
from tests.records.archive_records import EVERY_KIND
from tests.sources.test_rdf import SAME

ENDINGS = {
    ox.RdfFormat.TURTLE: "ttl",
    ox.RdfFormat.TRIG: "trig",
    ox.RdfFormat.N_TRIPLES: "nt",
    ox.RdfFormat.N_QUADS: "nq",
    ox.RdfFormat.JSON_LD: "jsonld",
    ox.RdfFormat.RDF_XML: "rdf",
}
LAYOUTS: dict[str, Callable[[list[object]], str]] = {
    "an array": json.dumps,
    "an indented array": lambda values: json.dumps(values, indent=2),
    "lines": lambda values: "".join(f"{json.dumps(value)}\n" for value in values),
    "values": lambda values: "".join(json.dumps(value) for value in values),
    "indented values": lambda values: "\n".join(json.dumps(value, indent=1) for value in values),
}
JSON = st.tuples(
    st.sampled_from(["x.json", "x.jsonl", "x", "x.json.gz"]),
    st.tuples(
        st.sampled_from(sorted(LAYOUTS)),
        st.lists(st.sampled_from(EVERY_KIND), min_size=1, max_size=3),
    ).map(lambda drawn: LAYOUTS[drawn[0]](drawn[1]).encode()),
)
RDF = st.sampled_from([(f"x.{ENDINGS[name]}", text.encode()) for name, text in SAME.items()])

PIECES = st.binary(min_size=1, max_size=3) | st.sampled_from(
    [
        b"{",
        b"}",
        b"[",
        b"]",
        b'"',
        b",",
        b"\n",
        b"\r\n",
        b"\x00",
        b"\\",
        b"<",
        b">",
        b"\xef\xbb\xbf",
    ]
)
COMPRESS = st.sampled_from([gzip.compress, bz2.compress, lzma.compress])


@st.composite
def dirty(draw: st.DrawFn, content: bytes) -> bytes:
    """Bytes altered in a few places, cut, in another encoding, compressed, and altered again."""
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(content)))
        change = draw(st.sampled_from(["insert", "replace", "cut", "delete"]))
        rest = b"" if change == "cut" else content[at + (change != "insert") :]
        piece = draw(PIECES) if change in ("insert", "replace") else b""
        content = content[:at] + piece + rest
    encoding = draw(st.sampled_from(["", "", "", "mark", "crlf", "utf-16", "utf-16-le", "twice"]))
    if encoding == "mark":
        content = b"\xef\xbb\xbf" + content
    elif encoding == "crlf":
        content = content.replace(b"\n", b"\r\n")
    elif encoding == "twice":
        content += content
    elif encoding:
        content = content.decode("utf-8", "replace").encode(encoding)
    if draw(st.booleans()):
        compress, at = draw(COMPRESS), draw(st.integers(0, len(content)))
        content = compress(content[:at]) + compress(content[at:])
        if draw(st.booleans()):
            content = content[: draw(st.integers(0, len(content)))]
    return content


def read(path: Path) -> tuple[list[str], int]:
    """Return what a file holds, in words, and how many of it are records; nothing may be raised."""
    said = []
    count = 0
    with Sources([path]) as found:
        for item in found:
            if isinstance(item, RawRecord):
                count += 1
                try:
                    said.append(f"{item.position}: {records.read(item.value).kind}")
                except RecordError as error:
                    said.append(f"{item.position}: {error.reason}")
            elif isinstance(item, RdfFile):
                try:
                    said.append(f"{len(list(item.quads('https://example.org/')))} quads")
                except SourceError as error:
                    said.append(str(error))
            else:
                count += isinstance(item, RecordError)
                said.append(str(item))
        (file,) = found.files
        assert file.records == count
        assert file.size == path.stat().st_size
    return said, count


@settings(suppress_health_check=list(HealthCheck), deadline=None)
@given(st.data(), JSON | RDF, st.integers(8, 400))
def test_dirt_is_read_refused_or_said(
    tmp_path: Path, data: st.DataObject, given_: tuple[str, bytes], block: int
) -> None:
    name, content = given_
    path = tmp_path / name
    path.write_bytes(data.draw(dirty(content)))
    once, _ = read(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "BLOCK", block)
        assert read(path)[0] == once, "how the file is cut into blocks makes no difference"


CLEAN: dict[str, Callable[[bytes], bytes]] = {
    "a byte order mark": lambda content: b"\xef\xbb\xbf" + content,
    "carriage returns": lambda content: content.replace(b"\n", b"\r\n"),
    "blank lines before": lambda content: b"\n \n" + content,
    "gzip": gzip.compress,
    "bzip2 in two parts": lambda content: bz2.compress(content[:9]) + bz2.compress(content[9:]),
    "gzip in many parts": lambda content: b"".join(
        gzip.compress(content[at : at + 50]) for at in range(0, len(content), 50)
    ),
    "a mark inside xz": lambda content: lzma.compress(b"\xef\xbb\xbf" + content),
}


@pytest.mark.parametrize("change", CLEAN)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_is_no_fault_changes_no_record(tmp_path: Path, layout: str, change: str) -> None:
    values: list[object] = list(EVERY_KIND)
    path = tmp_path / "x.json"
    path.write_bytes(CLEAN[change](LAYOUTS[layout](values).encode()))
    with Sources([path]) as found:
        read_ = [item.value for item in found if isinstance(item, RawRecord)]
    assert [records.read(value).kind for value in read_] == [
        "papers-with-abstracts",
        "links-between-papers-and-code",
        "methods",
        "datasets",
        "evaluation-tables",
    ]
    path.write_bytes(json.dumps(values).encode())
    with Sources([path]) as found:
        assert [item.value for item in found if isinstance(item, RawRecord)] == read_


@pytest.mark.parametrize("change", CLEAN)
@pytest.mark.parametrize("format_", SAME, ids=str)
def test_what_is_no_fault_changes_no_statement(
    tmp_path: Path, format_: ox.RdfFormat, change: str
) -> None:
    path = tmp_path / f"x.{ENDINGS[format_]}"
    path.write_bytes(CLEAN[change](SAME[format_].encode()))
    with Sources([path]) as found:
        (file,) = found
        assert isinstance(file, RdfFile)
        said = {(quad.subject, quad.predicate, str(quad.object)[:4]) for quad in file.quads("e:b")}
    assert len(said) == 2


def said_of(path: Path, content: str) -> str:
    path.write_text(content, "utf-8")
    with Sources([path]) as found:
        (item,) = found
    assert isinstance(item, SourceError)
    return item.reason


def test_an_array_is_truncated_wherever_it_is_cut(tmp_path: Path) -> None:
    content = json.dumps([{"x": [True, False, None, -1.5, "\u00e9\n\U0001f600"]}])
    for cut in range(1, len(content) - 1):
        assert said_of(tmp_path / "x.json", content[:cut]).startswith("truncated: ")


@pytest.mark.parametrize("end", ["abc", "tr ", "trx", "-x", '"\\u12x', '"\\x', "u12"])
def test_what_is_wrong_at_the_end_is_not_taken_for_a_cut(tmp_path: Path, end: str) -> None:
    assert "truncated" not in said_of(tmp_path / "x.json", f'[{{"x": {end}')


@settings(suppress_health_check=list(HealthCheck), deadline=None)
@given(st.sampled_from(sorted(LAYOUTS)), st.data())
def test_a_file_that_is_cut_keeps_what_stands_before_the_cut(
    tmp_path: Path, layout: str, data: st.DataObject
) -> None:
    values: list[object] = [*EVERY_KIND[1:3], *EVERY_KIND[1:3]]
    content = LAYOUTS[layout](values).encode()
    cut = data.draw(st.integers(1, len(content) - 3))
    path = tmp_path / "x.json"
    path.write_bytes(content[:cut])
    with Sources([path]) as found:
        items = list(found)
    whole = [item for item in items if isinstance(item, RawRecord)]
    ends = [len(LAYOUTS[layout](values[:n]).encode().rstrip(b"\n]")) for n in range(1, 5)]
    assert len(whole) == sum(end <= cut for end in ends)
    if layout == "an array":
        assert isinstance(items[-1], SourceError)
        assert items[-1].reason.startswith("truncated: ")
