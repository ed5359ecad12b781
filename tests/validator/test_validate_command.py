"""``kg validate``: exit codes, formats, and which words go where."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pyoxigraph as ox
import pytest

from kg import cli
from kg.demo import build
from tests.validator.making import (
    GOOD,
    OFTEN,
    SH,
    TITLED,
    WITHOUT_TITLE,
    E,
    shapes_file,
    store_of,
)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    store_of(tmp_path / "store", WITHOUT_TITLE)
    return tmp_path / "store"


def kg(capfd: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    """Run a command line; return its exit code and what it wrote to either stream."""
    code = cli.run(["validate", *map(str, arguments)])
    out, err = capfd.readouterr()
    return code, out, err


def test_every_outcome_has_its_own_exit_code(
    tmp_path: Path, store: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    titled = shapes_file(tmp_path, TITLED)
    broken = shapes_file(tmp_path, "e:S a ", "broken.ttl")
    store_of(tmp_path / "good", GOOD)
    damaged = store_of(tmp_path / "damaged", GOOD)
    damaged.triples.write_bytes(b"<e:s> <e:p>")
    outcomes = {
        ("--store", tmp_path / "good", "--shapes", titled): 0,
        ("--store", store, "--shapes", titled): 1,
        ("--store", store, "--shapes", titled, "--sharps", "x"): 2,
        ("--store", store, "--format", "xml"): 2,
        ("--shapes", titled): 2,
        ("--store", store, "--shapes", titled, "-o", tmp_path / "no" / "report.ttl"): 2,
        ("--store", store, "--shapes", tmp_path / "missing.ttl"): 3,
        ("--store", store, "--shapes", broken): 3,
        ("--store", tmp_path / "missing", "--shapes", titled): 4,
        ("--store", tmp_path / "damaged", "--shapes", titled): 4,
    }
    for arguments, expected in outcomes.items():
        code, out, err = kg(capfd, *arguments)
        assert code == expected, arguments
        assert bool(out) == (code < 2), "the report, and nothing else, is on standard output"
        assert err
        assert "Traceback" not in err


def test_an_internal_error_has_its_own_exit_code(
    store: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("kg.validator.run", fail)
    code, out, err = kg(capfd, "--store", store)
    assert (code, out) == (70, "")
    assert "a fault in paperkg" in err


@pytest.mark.parametrize("shapes", ["titled", "missing"])
def test_the_module_and_the_script_leave_with_the_same_code(
    tmp_path: Path, store: Path, capfd: pytest.CaptureFixture[str], shapes: str
) -> None:
    shapes_file(tmp_path, TITLED, "titled.ttl")
    arguments = ["validate", "--store", str(store), "--shapes", str(tmp_path / f"{shapes}.ttl")]
    script = "from kg.cli import main; main()"  # what the installed script does
    codes = [
        subprocess.run(
            [sys.executable, *start, *arguments], capture_output=True, check=False
        ).returncode
        for start in (["-m", "kg"], ["-c", script])
    ]
    assert codes == [cli.run(arguments)] * 2
    capfd.readouterr()


def test_the_table_counts_focus_nodes_and_lists_results(
    tmp_path: Path, store: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    shapes = shapes_file(tmp_path, TITLED + OFTEN)
    code, out, err = kg(capfd, "--store", store, "--shapes", shapes)
    assert code == 1
    rows = [line.split("  ") for line in out.splitlines()]
    cells = [[cell.strip() for cell in row if cell.strip()] for row in rows]
    assert ["e:Titled", "kg:Paper", "2"] in cells
    assert ["violation", "e:p", "dct:title", "(no name)", "A paper has a title."] in cells
    assert ["warning", "e:q", "kg:slug", "e:Once-slug", "No slug."] in cells
    assert err == "1 violation, 2 warnings, 0 infos in 5 triples; 2 shapes looked at 4 nodes\n"


def test_a_shape_without_focus_nodes_is_a_warning_and_strictly_a_failure(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    store_of(tmp_path / "store", GOOD)
    idle = "e:Idle a sh:NodeShape ; sh:targetClass kg:Dataset ."
    off = "e:Off a sh:NodeShape ; sh:targetClass kg:Paper ; sh:deactivated true ."
    shapes = shapes_file(tmp_path, f"{TITLED} {idle} {off} e:Nowhere a sh:NodeShape .")
    arguments = ("--store", tmp_path / "store", "--shapes", shapes)
    code, _, err = kg(capfd, *arguments)
    assert code == 0
    assert err.splitlines() == [
        "warning: the shape e:Idle checks nothing: no focus node (kg:Dataset)",
        "warning: the shape e:Nowhere checks nothing: no focus node"
        " (it has no target and no shape uses it)",
        "warning: the shape e:Off checks nothing: it is deactivated",
        "0 violations, 0 warnings, 0 infos in 6 triples; 4 shapes looked at 2 nodes",
    ]
    assert kg(capfd, *arguments, "--strict")[0] == 1
    shapes_file(tmp_path, TITLED)
    assert kg(capfd, *arguments, "--strict")[0] == 0


def test_warnings_alone_fail_when_strict(
    tmp_path: Path, store: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    arguments = ("--store", store, "--shapes", shapes_file(tmp_path, OFTEN))
    assert kg(capfd, *arguments)[0] == 0
    assert kg(capfd, *arguments, "--strict")[0] == 1


def test_quiet_is_the_report_alone(
    tmp_path: Path, store: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    shapes = shapes_file(tmp_path, TITLED + "e:Nowhere a sh:NodeShape .")
    arguments = ["-q", "validate", "--store", str(store), "--shapes", str(shapes)]
    assert cli.run(arguments) == 1
    out, err = capfd.readouterr()
    assert "A paper has a title." in out
    assert err == ""
    assert cli.run([*arguments, "--strict"]) == 1
    assert "e:Nowhere checks nothing" in capfd.readouterr().err


def test_the_report_as_turtle(
    tmp_path: Path, store: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    shapes = shapes_file(tmp_path, TITLED)
    file = tmp_path / "report.ttl"
    code, out, _ = kg(capfd, "--store", store, "--shapes", shapes, "-o", file)
    assert (code, out) == (1, "")
    content = file.read_bytes()
    report = ox.Store()
    report.load(content, format=ox.RdfFormat.TURTLE)
    question = (
        f"ASK {{ ?r a <{SH}ValidationReport> ; <{SH}conforms> false ; <{SH}result>"
        f" [ <{SH}focusNode> <{E}p> ; <{SH}resultMessage> 'A paper has a title.'@en ] }}"
    )
    assert report.query(question)
    assert b"@prefix sh: " in content
    assert b"@prefix skos: " not in content
    assert kg(capfd, "--store", store, "--shapes", shapes, "--format", "ttl")[1].encode() == content


def test_the_report_as_json(tmp_path: Path, store: Path, capfd: pytest.CaptureFixture[str]) -> None:
    typed = (
        "e:Typed a sh:NodeShape ; sh:targetSubjectsOf dct:title ; sh:property e:T ."
        "e:T sh:path dct:title ; sh:datatype xsd:date ; sh:severity sh:Info ; sh:maxCont 1 ."
    )
    shapes = shapes_file(tmp_path, TITLED + typed)
    _, out, _ = kg(capfd, "--store", store, "--shapes", shapes, "--format", "json")
    report = json.loads(out)
    assert report.pop("snapshot")
    assert report.pop("shapesFile") == str(shapes)
    assert report.pop("remarks") == [
        "sh:maxCont is nothing that is checked here; did you mean sh:maxCount?"
    ]
    results = report.pop("results")
    assert [result["severity"] for result in results] == [f"{SH}Violation", f"{SH}Info"]
    assert {key: results[0][key] for key in ("focusNode", "path", "value", "shape")} == {
        "focusNode": {"type": "uri", "value": f"{E}p"},
        "path": "<http://purl.org/dc/terms/title>",
        "value": None,
        "shape": None,
    }
    assert results[1]["value"] == {"type": "literal", "value": "Q"}
    assert results[1]["shape"] == f"{E}T"
    paper = "https://w3id.org/paperkg/ns#Paper"
    assert report == {
        "conforms": False,
        "triples": 5,
        "violations": 1,
        "warnings": 0,
        "infos": 1,
        "shapes": [
            {
                "shape": f"{E}Titled",
                "targets": [{"targetClass": paper}],
                "focusNodes": 2,
                "deactivated": False,
            },
            {
                "shape": f"{E}Typed",
                "targets": [{"targetSubjectsOf": "http://purl.org/dc/terms/title"}],
                "focusNodes": 1,
                "deactivated": False,
            },
        ],
    }


def test_terms_in_json_have_their_language_and_datatype(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    store_of(tmp_path / "store", 'e:p a kg:Paper ; kg:v "é"@fr, 5, e:x, _:b, "t" .')
    shapes = shapes_file(
        tmp_path,
        "e:S a sh:NodeShape ; sh:targetClass kg:Paper ; sh:property [ sh:path kg:v ; sh:in () ] .",
    )
    _, out, _ = kg(capfd, "--store", tmp_path / "store", "--shapes", shapes, "--format", "json")
    values = [result["value"] for result in json.loads(out)["results"]]
    blank = next(value for value in values if value["type"] == "bnode")
    expected = [
        {"type": "literal", "value": "t"},
        {"type": "literal", "value": "5", "datatype": "http://www.w3.org/2001/XMLSchema#integer"},
        {"type": "literal", "value": "é", "xml:lang": "fr"},
        {"type": "uri", "value": f"{E}x"},
        blank,
    ]
    assert sorted(map(str, values)) == sorted(map(str, expected))


def test_the_sample_records_conform_and_leave_one_shape_idle(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    build(tmp_path / "demo")
    code, _, err = kg(capfd, "--store", tmp_path / "demo", "--strict")
    assert code == 1  # pages that links lead to stand in the archive's tables only
    idle, summary = err.splitlines()
    assert "shape:Document checks nothing" in idle
    assert summary.startswith("0 violations, 0 warnings, 0 infos in ")
