"""A user's own folder of canned queries beside those that paperkg ships."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kg import cli
from kg.catalogue import Catalogue
from kg.errors import QueryError, SourceError, UsageError

QUERY = """\
#+ title: Everything
#+ description: All that there is.
#+ limit:
SELECT ?s ?p ?o WHERE { ?s ?p ?o } ORDER BY ?s ?p ?o LIMIT 3
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "all-things.rq").write_text(QUERY, "utf-8")
    (folder / "notes.txt").write_text("no query", "utf-8")
    return folder


def test_own_queries_stand_beside_ours_in_order(own: Path) -> None:
    ours = Catalogue.load()
    both = ours.with_own(own)
    assert [query.name for query in both] == sorted([*ours.queries, "all-things"])
    assert both.get("all-things").title == "Everything"
    assert both.notes == ()


def test_an_own_query_takes_the_place_of_one_of_ours_and_that_is_said(own: Path) -> None:
    (own / "leaderboard.rq").write_text(QUERY, "utf-8")
    both = Catalogue.load().with_own(own)
    assert both.get("leaderboard").title == "Everything"
    assert both.notes == (f"{own / 'leaderboard.rq'} takes the place of the query leaderboard",)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (QUERY.replace("SELECT", "SELEC").encode(), "line 4, column 1"),
        (QUERY.replace("#+ title: Everything\n", "").encode(), "line 1: the header has no title"),
        (QUERY.replace("LIMIT 3", "").encode(), "line 3: there must be exactly one LIMIT"),
        (b"#+ title: \xff", "it is no UTF-8 at byte 10"),
    ],
)
def test_a_bad_file_is_named_with_its_line_and_the_rest_works(
    content: bytes, what: str, own: Path
) -> None:
    (own / "bad.rq").write_bytes(content)
    both = Catalogue.load().with_own(own)
    assert both.get("all-things")
    assert both.get("leaderboard")
    (note,) = both.notes
    assert note.startswith(f"{own / 'bad.rq'}: ")
    assert what in note
    assert note.endswith("it is left out")
    assert "\n" not in note
    with pytest.raises(QueryError, match=r"bad\.rq"):
        both.get("bad")


def test_a_bad_file_is_not_answered_by_ours_of_that_name(own: Path) -> None:
    (own / "leaderboard.rq").write_text("SELEC", "utf-8")
    with pytest.raises(QueryError, match=r"leaderboard\.rq"):
        Catalogue.load().with_own(own).get("leaderboard")


def test_a_name_that_is_none_is_a_bad_file(own: Path) -> None:
    (own / "All Things.rq").write_text(QUERY, "utf-8")
    (note,) = Catalogue.load().with_own(own).notes
    assert note.startswith(f"{own / 'All Things.rq'}: the name of a canned query is in kebab-case")


def test_a_folder_that_is_none_or_holds_no_query_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="there is no such folder"):
        Catalogue.load().with_own(tmp_path / "missing")
    assert Catalogue.load().with_own(tmp_path).notes == (
        f"{tmp_path}: there is no query (*.rq) in this folder",
    )
    with pytest.raises(UsageError, match="there is no query 'nothing'"):
        Catalogue.load().with_own(tmp_path).get("nothing")


def test_the_commands_know_own_queries(
    own: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    (own / "bad.rq").write_text("SELEC", "utf-8")
    assert cli.run(["queries", "--queries", str(own), "--format", "json"]) == 0
    written, said = capfdbinary.readouterr()
    assert "all-things" in [query["name"] for query in json.loads(written)]
    assert f"{own / 'bad.rq'}: ".encode() in said

    record = tmp_path / "record.json"
    record.write_text(json.dumps({"url": "/paper/a", "title": "A", "code_links": []}), "utf-8")
    store = str(tmp_path / "store")
    assert cli.run(["-q", "build", str(record), "--store", store]) == 0
    asked = ["query", "--store", store, "--queries", str(own), "--format", "csv"]
    capfdbinary.readouterr()
    assert cli.run([*asked, "all-things", "-p", "limit=2"]) == 0
    written, said = capfdbinary.readouterr()
    assert len(written.splitlines()) == 3
    assert cli.run([*asked, "bad"]) == 2
    assert cli.run(["query", "--store", store, "--queries", str(own), "--text", "ASK {}"]) == 2
    assert cli.run(["queries", "--queries", str(tmp_path / "missing")]) == 3
