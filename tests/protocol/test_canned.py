"""``/queries`` and ``/queries/NAME``; case QRY-03."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kg.catalogue import Catalogue
from kg.protocol import Evaluation, Question, Whole
from kg.protocol.request import LONGEST_TARGET
from kg.sparql import QueryForm
from tests.protocol.asking import CSV, JSON, TTL, Client, filled

KG, HERE = "https://w3id.org/paperkg/ns#", "https://example.org/kg/"
RESULT = f"""
<{HERE}result/r> <{KG}leaderboard> <{HERE}leaderboard/l> .
<{HERE}result/r> <{KG}modelName> "M" .
"""


def test_the_list_names_every_query_with_its_parameters() -> None:
    answered = Client().send(path="/queries")
    assert answered.media_type == "application/json"
    queries = {query["name"]: query for query in answered.json["queries"]}
    assert queries.keys() == Catalogue.load().queries.keys()
    leaderboard = queries["leaderboard"]
    assert leaderboard["title"]
    assert leaderboard["columns"][0] == "rank"
    names = [parameter["name"] for parameter in leaderboard["parameters"]]
    assert names[:2] == ["leaderboard", "metric"]
    assert leaderboard["example"] == (
        "http://127.0.0.1:7878/queries/leaderboard?leaderboard=named-entity-recognition-on-cmeee"
    )


def test_every_example_of_the_list_is_answered() -> None:
    client = Client()
    for query in client.send(path="/queries").json["queries"]:
        path, _, parameters = query["example"].removeprefix("http://127.0.0.1:7878").partition("?")
        assert client.send(path=path, parameters=parameters).status == 200


def test_a_query_is_answered_below_the_base_of_the_store() -> None:
    client = Client(filled(RESULT))
    answered = client.send(path="/queries/leaderboard", parameters=[("leaderboard", "l")])
    assert answered.media_type == JSON
    assert [row["model"] for row in answered.rows] == ["M"]
    for parameters in (
        [("leaderboard", "l"), ("format", "csv")],
        [("format", "text/csv"), ("leaderboard", "l"), ("limit", "1")],
    ):
        answered = client.send(path="/queries/leaderboard", parameters=parameters, accept=JSON)
        assert answered.media_type == CSV
        assert answered.body.count(b"\r\n") == 2


@pytest.mark.parametrize(
    ("parameters", "parameter", "says"),
    [
        ([], "leaderboard", "is missing"),
        ([("leaderbord", "l")], "leaderbord", "did you mean leaderboard?"),
        ([("leaderboard", "l"), ("leaderboard", "m")], "leaderboard", "given twice"),
        ([("leaderboard", "https://e/a> ?p ?o . <b")], "leaderboard", "takes an IRI"),
        ([("leaderboard", "l"), ("limit", "10; DROP ALL")], "limit", "takes an integer"),
        ([("leaderboard", "l"), ("limit", "0")], "limit", "from 1"),
        ([("leaderboard", "l"), ("format", "ttl")], "format", "take one of json, xml, csv, tsv"),
        ([("leaderboard", "l"), ("format", "nonsense")], "format", "no format nonsense"),
    ],
)
def test_a_wrong_parameter_is_named(
    parameters: list[tuple[str, str]], parameter: str, says: str
) -> None:
    answered = Client().send(path="/queries/leaderboard", parameters=parameters)
    assert answered.status == 400
    assert answered.json["parameter"] == parameter
    assert says in answered.json["detail"]


def test_a_value_is_bound_as_a_term_and_never_pasted() -> None:
    value = 'BLUE" . ?x ?y ?z . #'
    parameters = [("leaderboard", "l"), ("metric", value)]
    answered = Client().send(path="/queries/leaderboard", parameters=parameters)
    assert answered.status == 200
    assert answered.rows == []


def test_an_unknown_name_is_not_found() -> None:
    answered = Client().send(path="/queries/leaderbord")
    assert answered.status == 404
    assert "did you mean leaderboard" in answered.json["detail"]
    assert Client().send(path="/queries/leaderboard/x").status == 404


def test_the_list_is_at_its_address_with_a_slash_too() -> None:
    client = Client()
    assert client.send(path="/queries/").json == client.send(path="/queries").json


def test_an_address_that_is_too_long_is_refused() -> None:
    long = "x" * LONGEST_TARGET
    for path, query in (("class-counts", f"x={long}"), (long, ""), (f"{long[2000:]}", long[:3000])):
        answered = Client().send(path=f"/queries/{path}", parameters=query)
        assert answered.status == 414
        assert f"longer than {LONGEST_TARGET} bytes" in answered.json["detail"]


def test_a_query_of_ones_own_that_cannot_be_read_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "broken.rq").write_text("ASK {", "utf-8")
    client = Client()
    client.service = replace(client.service, catalogue=Catalogue.load().with_own(tmp_path))
    answered = client.send(path="/queries/broken")
    assert answered.status == 404
    assert str(tmp_path) not in answered.body.decode()


def test_the_root_says_what_there_is() -> None:
    contents = Client().send(path="/").json
    assert contents["base"] == HERE
    assert contents["snapshot"] == "s1"
    assert contents["sparql"] == "http://127.0.0.1:7878/sparql"
    assert Client().send(path="/elsewhere").status == 404


def test_an_answer_that_may_be_cut_says_where() -> None:
    client = Client(filled(RESULT))
    for parameters, most in (
        ([("leaderboard", "l")], "1000"),
        ([("leaderboard", "l"), ("limit", "1")], "1"),
    ):
        for method in ("GET", "HEAD"):
            answered = client.send(method, "/queries/leaderboard", parameters)
            assert answered.headers["x-sparql-maxrows"] == most
            assert "X-SPARQL-MaxRows" in answered.headers["access-control-expose-headers"]
    assert "x-sparql-maxrows" not in client.send(path="/queries/class-counts").headers
    assert "x-sparql-maxrows" not in client.get("SELECT * { ?s ?p ?o } LIMIT 1").headers


def test_a_format_is_asked_for_with_or_without_a_name() -> None:
    client = Client(filled(RESULT))
    unnamed = client.send(path="/queries/leaderboard", parameters="leaderboard=l&format=")
    assert unnamed.status == 200
    for accept, status in ((TTL, 406), (f"{TTL}, {CSV};q=0.1", 200)):
        assert client.send(path="/queries/class-counts", accept=accept).status == status


def test_what_is_bound_is_remembered_by_its_values_and_its_base() -> None:
    client = Client(filled(RESULT))

    def models(**values: str) -> list[str]:
        answered = client.send(path="/queries/leaderboard", parameters=list(values.items()))
        return [row["model"] for row in answered.rows]

    for _ in range(2):
        assert models(leaderboard="l") == ["M"]
        assert models(leaderboard="m") == []
        assert models(leaderboard="l", limit="7") == ["M"]
    client.service = replace(client.service, base="https://example.org/other/")
    assert models(leaderboard="l") == []


def test_only_shipped_queries_are_known_to_be_look_ups(tmp_path: Path) -> None:
    shipped = Catalogue.load()
    text = shipped.get("leaderboard").text
    (tmp_path / "leaderboard.rq").write_text(text, "utf-8")
    asked: list[tuple[str, bool]] = []

    async def evaluate(question: Question) -> Evaluation:
        asked.append((question.text[:2], question.is_lookup))
        return Evaluation(QueryForm.SELECT, question.solutions, Whole(b"x"))

    client = Client(evaluate=evaluate)
    client.send(path="/queries/leaderboard", parameters=[("leaderboard", "l")])
    client.send(path="/queries/class-counts")
    client.get(text)
    client.service = replace(client.service, catalogue=shipped.with_own(tmp_path))
    client.send(path="/queries/leaderboard", parameters=[("leaderboard", "l")])
    assert [is_lookup for _, is_lookup in asked] == [True, False, False, False]
