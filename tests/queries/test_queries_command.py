from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from kg import cli, namespaces
from kg.catalogue import Catalogue
from kg.catalogue.markdown import listed_in_markdown

CATALOGUE = Catalogue.load()


def shown(capfdbinary: pytest.CaptureFixture[bytes], *arguments: str) -> str:
    assert cli.run(["queries", *arguments]) == 0
    written, said = capfdbinary.readouterr()
    assert said == b""
    return written.decode("utf-8")


def test_the_list_has_every_query_with_its_parameters(
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    lines = shown(capfdbinary).splitlines()
    assert lines[0].split() == ["name", "title", "parameters"]
    assert [line.split()[0] for line in lines[2:]] == [query.name for query in CATALOGUE]
    (line,) = (line for line in lines if line.startswith("leaderboard "))
    assert line.endswith("leaderboard [metric] [limit]")


@pytest.mark.parametrize("name", [query.name for query in CATALOGUE])
def test_one_query_is_shown_in_full(
    name: str, capfdbinary: pytest.CaptureFixture[bytes], store_dir: Path
) -> None:
    canned = CATALOGUE.get(name)
    text = shown(capfdbinary, canned.name)
    assert canned.description in text
    assert text.endswith(canned.text)
    for parameter in canned.parameters:
        assert f"-p {parameter.name}=…  ({parameter.expects}; " in text
        assert parameter.description in text
    # The command that it shows is one that works.
    command = next(line for line in text.splitlines() if line.startswith("kg query "))
    asked = [str(store_dir) if word == "DIR" else word for word in shlex.split(command)[1:]]
    assert cli.run(asked) == 0


def test_json_tells_the_same(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    listed = json.loads(shown(capfdbinary, "--format", "json"))
    assert [query["name"] for query in listed] == [query.name for query in CATALOGUE]
    alone = json.loads(shown(capfdbinary, "leaderboard", "--format", "json"))
    assert alone in listed
    assert alone["parameters"][1] == {
        "name": "metric",
        "type": "iri",
        "takes": "an IRI, a CURIE or the exact name of a metric",
        "required": False,
        "default": None,
        "example": "Micro F1",
        "description": "Only the scores by this metric; without it, by every metric.",
    }


def test_the_prefixes_are_listed(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    lines = shown(capfdbinary, "--prefixes").splitlines()[2:]
    assert [line.split() for line in lines] == [
        [f"{prefix}:", iri] for prefix, iri in namespaces.prefixes().items()
    ]
    assert {"kg:", "rdf:", "rdfs:", "owl:", "xsd:", "schema:"} <= {x.split()[0] for x in lines}
    assert json.loads(shown(capfdbinary, "--prefixes", "--format", "json")) == namespaces.prefixes()


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("leaderbord",), "there is no query 'leaderbord'; did you mean leaderboard"),
        (
            ("leaderboard", "--prefixes"),
            "--prefixes goes with neither the NAME of a query nor markdown",
        ),
        (("--prefixes", "--format", "markdown"), "--prefixes goes with neither the NAME"),
    ],
)
def test_wrong_usage_is_a_sentence_and_exit_2(
    arguments: tuple[str, ...], what: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert cli.run(["queries", *arguments]) == 2
    written, said = capfdbinary.readouterr()
    assert written == b""
    assert said.decode().startswith(f"Error: {what}")


def test_markdown_is_the_list_of_the_folder(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert shown(capfdbinary, "--format", "markdown") == listed_in_markdown(CATALOGUE)
    alone = shown(capfdbinary, "leaderboard", "--format", "markdown")
    assert alone.startswith("## leaderboard\n")
    assert f"```sparql\n{CATALOGUE.get('leaderboard').text.rstrip()}\n```" in alone
    assert alone.splitlines()[2] in listed_in_markdown(CATALOGUE).splitlines()
