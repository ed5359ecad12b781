"""The report: one JSON object a line, with the place, the field and the reason."""

import io
import json

from kg.errors import RecordError, SourceError
from kg.findings import Finding, FindingKind
from kg.report import FIRST, Entry, Place, Report, Severity


def test_an_entry_says_where_what_and_why() -> None:
    error = RecordError("no flag", field="a.b", record="/paper/x", file="f", position="line 3")
    assert json.loads(Entry.refused(error).as_line()) == {
        "severity": "error",
        "kind": "refused record",
        "file": "f",
        "line": 3,
        "record": "/paper/x",
        "field": "a.b",
        "reason": "no flag",
    }
    assert str(Entry.refused(error)) == "f, line 3, /paper/x: a.b: no flag"
    assert json.loads(Entry.unreadable(SourceError("f", "gone")).as_line()) == {
        "severity": "error",
        "kind": "unreadable file",
        "file": "f",
        "reason": "gone",
    }
    finding = Finding(FindingKind.UNKNOWN_KEY, "x", "unknown")
    assert json.loads(Entry.of(finding, Place("f", "record 0", "/paper/x")).as_line()) == {
        "severity": "warning",
        "kind": "unknown key",
        "file": "f",
        "index": 0,
        "record": "/paper/x",
        "field": "x",
        "reason": "unknown",
    }


def test_half_a_surrogate_pair_or_a_line_end_breaks_no_line() -> None:
    entry = Entry(Severity.ERROR, "refused record", Place("f"), "half \ud835\nnext\u2028é")
    line = entry.as_line()
    assert line.count(b"\n") == 1
    assert json.loads(line.decode("utf-8"))["reason"] == "half ?\nnext\u2028é"


def test_entries_are_counted_and_the_first_are_kept() -> None:
    file = io.BytesIO()
    report = Report(file)
    for number in range(FIRST + 3):
        report.add(Entry(Severity.WARNING, "odd value", Place("f"), str(number)))
    report.add(Entry(Severity.ERROR, "refused record", Place("f"), "last"))
    assert report.kinds == {"odd value": FIRST + 3, "refused record": 1}
    assert [entry.reason for entry in report.first["odd value"]] == list("01234")
    assert [entry.reason for entry in report.errors] == ["last"]
    assert len(file.getvalue().splitlines()) == FIRST + 4
