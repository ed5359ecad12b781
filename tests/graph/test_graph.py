"""The graph as a Python object: the same, opened here or connected to over HTTP."""

from __future__ import annotations

import asyncio
import gc
import gzip
import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from decimal import Decimal
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib

import kg
from kg import namespaces, resources
from kg.errors import (
    EndpointError,
    ParameterError,
    QueryError,
    RecordError,
    SourceError,
    StoreError,
    UsageError,
)
from kg.protocol import Evaluation, Question, Service
from kg.rdflib_terms import to_rdflib
from kg.server import Application
from kg.snapshot import SnapshotFolder
from kg.sparql import QueryForm
from tests.graph.conftest import Make
from tests.server.serving import served
from tests.server.test_endpoint import answering

SQUAD = "question-answering-on-squad11-dev"
ATTENTION = "paper:attention-is-all-you-need"
BASE = "https://w3id.org/paperkg/"


def lines(triples: kg.Triples) -> set[str]:
    return {str(triple) for triple in triples.triples()}


# Asking


def test_a_canned_query_gives_its_rows_in_its_order(graph: kg.Graph) -> None:
    results = graph.ask("leaderboard", leaderboard=SQUAD, metric="EM")
    assert results.columns[:3] == ("rank", "model", "metricName")
    assert [(row["rank"], row["model"], row["value"]) for row in results] == [
        (1, "XLNet (single model)", 89.7),
        (2, "ELECTRA-1.75M", 89.7),
        (3, "ALBERT (1.5M)", 89.3),
        (4, "RoBERTa", 88.9),
        (5, "T5-3B", 88.53),
        (6, "BERT-LARGE (Single)", 84.1),
    ]


def test_every_canned_query_gives_the_same_here_and_over_http(
    local: kg.Graph, remote: kg.Graph
) -> None:
    examples = {
        query.name: {p.name: p.example for p in query.parameters if p.required}
        for query in local._catalogue
    }
    assert len(examples) >= 5
    some = False
    for name, parameters in examples.items():
        here, there = local.ask(name, **parameters), remote.ask(name, **parameters)
        assert (here.columns, list(here.terms)) == (there.columns, list(there.terms)), name
        assert str(here) == str(there)
        some = some or bool(here)
    assert some


def test_a_parameter_takes_python_values(graph: kg.Graph) -> None:
    assert len(graph.ask("leaderboard", leaderboard=SQUAD, limit=4)) == 4
    code = list(graph.ask("paper-code", paper=ATTENTION))
    official = list(graph.ask("paper-code", paper=ATTENTION, official=True))
    assert official == [row for row in code if row["isOfficial"]]
    assert 0 < len(official) < len(code)


@pytest.mark.parametrize(
    ("name", "parameters", "error", "said"),
    [
        ("leaderbord", {}, UsageError, "did you mean leaderboard?"),
        ("leaderboard", {}, ParameterError, "leaderboard is missing"),
        ("leaderboard", {"leaderboard": SQUAD, "limit": 0}, ParameterError, "limit takes"),
        ("leaderboard", {"leaderboard": 7}, ParameterError, "leaderboard takes"),
        ("leaderboard", {"leaderbaord": SQUAD}, ParameterError, "did you mean leaderboard?"),
    ],
)
def test_a_wrong_question_is_the_same_sentence_here_and_over_http(
    graph: kg.Graph, name: str, parameters: dict[str, str], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        graph.ask(name, **parameters)


def test_sparql_knows_the_prefixes_and_the_base(graph: kg.Graph) -> None:
    (row,) = graph.sparql(f"SELECT ?title {{ {ATTENTION} dct:title ?title }}")
    assert row == {"title": "Attention Is All You Need"}
    assert graph.sparql("SELECT ?t { <paper/attention-is-all-you-need> dct:title ?t }")
    (row,) = graph.sparql("PREFIX dct: <http://e/> SELECT (dct:x AS ?iri) {}")
    assert row == {"iri": "http://e/x"}


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("SELECT * {\n ?s foo:bar ?o }", 2, 5),
        ("SELECT * { ?s ?p ?o", 1, 10),
        ("", 1, 1),
        ("DELETE WHERE { ?s ?p ?o }", 1, 1),
        ("ASK { SERVICE <http://e/> { ?s ?p ?o } }", 1, 7),
    ],
)
def test_what_is_no_query_is_refused_at_its_place(
    graph: kg.Graph, text: str, line: int, column: int
) -> None:
    with pytest.raises(QueryError) as caught:
        graph.sparql(text)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_ask_is_true_or_false(graph: kg.Graph) -> None:
    yes, no = graph.sparql("ASK { ?s a kg:Paper }"), graph.sparql("ASK { ?s a kg:Papre }")
    assert (bool(yes), bool(no)) == (True, False)
    assert (yes[0], no[0]) == ({"answer": True}, {"answer": False})
    assert isinstance(no, kg.Truth)


def test_construct_is_a_set_of_triples(graph: kg.Graph) -> None:
    text = "CONSTRUCT { ?t a kg:Task . ?p kg:task ?t } { ?p kg:task ?t }"
    found = graph.sparql(text)
    assert isinstance(found, kg.Triples)
    assert found.columns == ("subject", "predicate", "object")
    pairs = {(row["p"], row["t"]) for row in graph.sparql("SELECT ?p ?t { ?p kg:task ?t }")}
    assert len(found) == len(lines(found)) == len(pairs) + len({task for _, task in pairs})
    assert [str(t) for t in found.triples()] == sorted(lines(found))
    assert f"{ATTENTION}\n    kg:task " in found.turtle()


def test_triples_with_blank_nodes_are_turtle_too(graph: kg.Graph) -> None:
    found = graph.sparql("CONSTRUCT { [] kg:task ?t } { ?p kg:task ?t }")
    assert isinstance(found, kg.Triples)
    assert len(found) > 3
    assert len(found.to_rdflib()) == len(list(ox.parse(found.turtle(), format=ox.RdfFormat.TURTLE)))


# Describing


def test_a_description_has_the_thing_first_and_its_parts(graph: kg.Graph) -> None:
    found = graph.describe(ATTENTION)
    subjects = [row["subject"] for row in found]
    iri = f"{BASE}paper/attention-is-all-you-need"
    assert subjects[0] == iri
    assert f"{iri}#author-8" in subjects
    read = {str(quad.triple) for quad in ox.parse(found.turtle(), format=ox.RdfFormat.TURTLE)}
    assert read == lines(found)
    assert graph.describe(iri).terms == found.terms


def test_a_description_is_the_same_here_and_over_http(local: kg.Graph, remote: kg.Graph) -> None:
    things = [row["s"] for row in local.sparql("SELECT ?s { ?s a kg:Paper } ORDER BY ?s")]
    assert len(things) > 10
    for thing in things:
        assert local.describe(str(thing)).turtle() == remote.describe(str(thing)).turtle()


@pytest.mark.parametrize("thing", ["paper:no-such-paper", "attention", "a b"])
def test_what_is_not_there_is_said(graph: kg.Graph, thing: str) -> None:
    with pytest.raises(UsageError, match=r"is not in this graph|is neither"):
        graph.describe(thing)


# As rdflib


def test_rdflib_gets_the_same_triples_letter_by_letter(
    graph: kg.Graph, store_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rdflib, "NORMALIZE_LITERALS", False)
    snapshot = SnapshotFolder(store_dir).current()
    assert snapshot is not None
    product = gzip.decompress(snapshot.triples.read_bytes())
    copy = graph.to_rdflib()
    assert set(copy) == {
        tuple(map(to_rdflib, quad.triple))
        for quad in ox.parse(product, format=ox.RdfFormat.N_TRIPLES)
    }
    assert len(copy) == len(graph) == snapshot.manifest["triples"]
    (row,) = copy.query(f"SELECT ?t {{ {ATTENTION} dct:title ?t }}")
    assert isinstance(row, rdflib.query.ResultRow)
    assert str(row[0]) == "Attention Is All You Need"


# What there is to ask


def test_the_queries_are_listed_with_their_parameters(graph: kg.Graph) -> None:
    listed = {row["name"]: row for row in graph.queries()}
    assert listed["leaderboard"]["parameters"] == "leaderboard, [metric], [limit]"
    assert {path.stem for path in resources.queries().glob("*.rq")} == listed.keys()


OWN = """#+ title: Titles
#+ description: Titles of papers.
#+ limit:
#+   description: How many.
PREFIX dct: <http://purl.org/dc/terms/>
SELECT ?t { ?p dct:title ?t } ORDER BY ?t LIMIT 3
"""


def test_ones_own_queries_are_asked_beside_ours(
    store_dir: Path, address: str, tmp_path: Path
) -> None:
    (tmp_path / "titles.rq").write_text(OWN, "utf-8")
    here, there = kg.open(store_dir, queries=tmp_path), kg.connect(address, queries=tmp_path)
    assert here.ask("titles", limit=2).terms == there.ask("titles", limit=2).terms
    assert here.ask("class-counts")
    (tmp_path / "bad.rq").write_text("SELECT", "utf-8")
    with pytest.warns(kg.GraphWarning, match=r"bad\.rq"):
        assert kg.open(store_dir, queries=tmp_path).ask("titles", limit=1)
    with pytest.raises(SourceError, match="there is no such folder"):
        kg.open(store_dir, queries=tmp_path / "none")


# Answers that are not all there is (NB-05)


def test_an_answer_as_long_as_the_querys_own_limit_warns(
    store_dir: Path, address: str, tmp_path: Path
) -> None:
    (tmp_path / "titles.rq").write_text(OWN, "utf-8")
    for graph in (kg.open(store_dir, queries=tmp_path), kg.connect(address, queries=tmp_path)):
        with pytest.warns(kg.GraphWarning, match="3 rows at most, and there may be more") as told:
            assert len(graph.ask("titles")) == 3
        assert told[0].filename == __file__
        assert len(graph.ask("titles", limit=3)) == 3  # who gives a limit knows it
        assert len(graph.ask("leaderboard", leaderboard=SQUAD)) == 12


def test_an_answer_comes_whole_however_long_it_is(make: Make) -> None:
    many = "".join(f"<http://e/{n}> a <http://e/Paper> .\n" for n in range(25_001))
    graph = make(many)
    results = graph.sparql("SELECT ?s { ?s a <http://e/Paper> }")
    assert len(results) == len({row[0] for row in results.terms}) == len(graph) == 25_001
    assert len(results.to_dataframe()) == 25_001


def test_an_answer_that_breaks_off_is_no_answer() -> None:
    class Broken:
        def __init__(self) -> None:
            self.pieces = [
                b'{"head":{"vars":["base"]},"results":{"bindings":[',
                b'{"base":{"type":"literal","value":"https://w3id.org/paperkg/"}}',
                b"]}}",
            ]

        def __aiter__(self) -> Broken:
            return self

        async def __anext__(self) -> bytes:
            await asyncio.sleep(0)
            if len(self.pieces) == keep:
                raise OSError("the disk has gone")
            if not self.pieces:
                raise StopAsyncIteration
            return self.pieces.pop(0)

        async def aclose(self) -> None:
            self.pieces.clear()

    async def evaluate(question: Question) -> Evaluation:
        return Evaluation(QueryForm.SELECT, question.solutions, Broken())

    with served(Application(evaluate, Service("0", BASE, 0))) as address:
        keep = -1
        graph = kg.connect(address)
        assert len(graph.sparql("SELECT * {}")) == 1
        keep = 1
        with pytest.raises(EndpointError, match="broke off"):
            graph.sparql("SELECT * {}")


def test_a_graph_is_asked_from_several_threads(graph: kg.Graph) -> None:
    def count(_: int) -> int:
        return len(graph.ask("leaderboard", leaderboard=SQUAD))

    with ThreadPoolExecutor(4) as threads:
        assert set(threads.map(count, range(12))) == {12}


NOTEBOOK = """
import sys, kg
graph = kg.open(sys.argv[1])
print("ready", flush=True)
numbers = " ".join(map(str, range(2000)))
values = " ".join("VALUES ?%s { %s }" % (name, numbers) for name in "abc")
try:
    graph.sparql("SELECT (COUNT(*) AS ?n) { %s FILTER(?a + ?b + ?c = 17) }" % values)
except KeyboardInterrupt:
    print(len(graph.sparql("SELECT * { VALUES ?x { 1 2 } }")), "rows after it", flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="no signal to a process alone")
def test_an_interrupt_gives_the_prompt_back_while_the_engine_works(store_dir: Path) -> None:
    """Case QRY-05, in a notebook."""
    words = [sys.executable, "-c", NOTEBOOK, str(store_dir)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        try:
            assert running.stdout is not None
            assert running.stdout.readline() == b"ready\n"
            time.sleep(1)
            assert running.poll() is None
            running.send_signal(signal.SIGINT)
            out, err = running.communicate(timeout=30)  # the query takes hours
        finally:
            running.kill()
    assert (running.returncode, out, err) == (0, b"2 rows after it\n", b"")


# Opening, connecting, building


def test_a_store_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no store here"):
        kg.open(tmp_path)


@pytest.mark.parametrize(
    ("url", "error"),
    [("http://127.0.0.1:1", EndpointError), ("mystore", UsageError), ("ftp://e/", UsageError)],
)
def test_an_address_where_nothing_answers_is_said(url: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        kg.connect(url)


def test_the_address_of_the_endpoint_itself_will_do(address: str, local: kg.Graph) -> None:
    assert len(kg.connect(f"{address}/sparql")) == len(kg.connect(f"{address}/")) == len(local)


def test_what_is_no_endpoint_is_said() -> None:
    with (
        answering(200, "application/json", b'{"head":{},"boolean":true}') as address,
        pytest.raises(EndpointError, match="is no SPARQL endpoint"),
    ):
        kg.connect(address)


def test_the_base_of_a_graph_is_known_here_and_over_http(tmp_path: Path) -> None:
    base = "https://example.org/our/"
    here = kg.build(resources.samples(), store_dir=tmp_path / "s", base=base)
    with served(Application.of(tmp_path / "s")) as address:
        there = kg.connect(address)
        for graph in (here, there):
            assert graph.base == base
            assert graph.prefixes["paper"] == f"{base}paper/"
            assert graph.ask("leaderboard", leaderboard=SQUAD)
            assert str(graph.describe(ATTENTION)[0]["subject"]).startswith(base)
        assert there.prefixes == namespaces.prefixes(base)


def test_a_graph_that_is_built_without_a_place_leaves_nothing_behind() -> None:
    graph = kg.build(resources.samples())
    assert graph.report is not None
    folder = graph.report.snapshot.path.parents[1]
    assert folder.is_dir()
    assert graph.ask("class-counts")
    assert len(graph) == graph.report.triples
    del graph
    gc.collect()
    assert not folder.exists()


def test_what_a_build_refuses_is_warned_of(tmp_path: Path) -> None:
    record = json.loads((resources.samples() / "papers.jsonl").read_text("utf-8").splitlines()[0])
    bad = tmp_path / "bad.jsonl"
    bad.write_text(json.dumps(record) + "\nno JSON\n", "utf-8")
    said = r"refused record: 1 .*bad\.jsonl, line 2"
    with pytest.warns(kg.GraphWarning, match=said) as told:
        graph = kg.build(bad, store_dir=tmp_path / "s")
    assert told[0].filename == __file__
    assert graph.report is not None
    assert graph.report.exit_code == 1
    assert len(graph.sparql("SELECT ?p { ?p a kg:Paper ; dct:title ?t }")) == 1
    before = list(Path(tmp_path.parent).iterdir())
    with pytest.raises(RecordError):
        kg.build(bad, strict=True)
    assert list(Path(tmp_path.parent).iterdir()) == before
    with pytest.raises(UsageError, match="nothing to build from"):
        kg.build()


def test_an_open_graph_outlives_the_builds_after_it(tmp_path: Path) -> None:
    graph = kg.build(resources.samples(), store_dir=tmp_path)
    count = len(graph)
    for _ in range(3):
        kg.build(resources.samples() / "datasets.json", store_dir=tmp_path)
    assert len(graph) == count
    assert 0 < len(kg.open(tmp_path)) < count


def test_a_graph_says_what_it_is(
    local: kg.Graph, remote: kg.Graph, store_dir: Path, address: str
) -> None:
    snapshot = SnapshotFolder(store_dir).current()
    assert snapshot is not None
    assert repr(local) == f"<kg.Graph of {store_dir}, snapshot {snapshot.id}>"
    assert repr(remote) == f"<kg.Graph of {address}>"


# The package


def test_the_package_is_light_until_a_graph_is_asked_for() -> None:
    heavy = "pyoxigraph rdflib pandas numpy kg.graph kg.catalogue uvicorn"
    script = (
        "import sys, kg\n"
        f"print([name for name in '{heavy}'.split() if name in sys.modules])\n"
        "print(kg.open.__name__, kg.Graph.__name__)\n"
        f"print([name for name in '{heavy}'.split() if name in sys.modules])\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    before, names, after = run.stdout.splitlines()
    assert before == "[]"
    assert names == "open Graph"
    # Without a frame no pandas, without a server none.
    assert after == "['pyoxigraph', 'rdflib', 'kg.graph', 'kg.catalogue']"


def test_the_package_names_what_it_has() -> None:
    assert {"open", "connect", "build", "Graph", "Results"} <= set(dir(kg))
    with pytest.raises(AttributeError, match="has no attribute 'opne'"):
        kg.opne  # type: ignore[attr-defined]  # noqa: B018 - that it is not there is the test


def test_the_real_records_answer(shared: Path) -> None:
    graph = kg.build(shared / "records" / "seeds")
    frame = graph.ask("leaderboard", leaderboard="named-entity-recognition-on-cmeee").to_dataframe()
    assert len(frame) > 0
    assert str(frame["rank"].dtype) == "Int64"
    assert graph.describe("paper:cblue-a-chinese-biomedical-language").to_rdflib()
    assert len(graph.to_rdflib()) == len(graph)


def test_values_of_every_type_of_parameter_are_taken(make: Make, tmp_path: Path) -> None:
    (tmp_path / "typed.rq").write_text(
        """#+ title: Values
#+ description: The values that were given.
#+ parameter d:
#+   type: date
#+   required: yes
#+   description: A date.
#+   example: 2020-01-02
#+ parameter n:
#+   type: decimal
#+   required: yes
#+   description: A number.
#+   example: 1.5
SELECT ?d ?n { VALUES (?d ?n) { ("2020-01-02"^^<http://www.w3.org/2001/XMLSchema#date>
 "1.5"^^<http://www.w3.org/2001/XMLSchema#decimal>) } }
""",
        "utf-8",
    )
    graph = make("")
    graph._catalogue = graph._catalogue.with_own(tmp_path)
    (row,) = graph.ask("typed", d=date(2021, 6, 15), n=Decimal("2.25"))
    assert row == {"d": date(2021, 6, 15), "n": 2.25}
