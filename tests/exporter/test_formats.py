"""Every format, read back by two readers, is the same set of triples."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg import builder, resources
from kg.errors import UsageError
from kg.exporter import DATASET_FORMATS, FORMATS, GRAPH_FORMATS, Export
from kg.snapshot import Snapshot
from tests.exporter.making import (
    BASE,
    RDF_TYPE,
    as_stored,
    default_graph,
    exported,
    iri,
    kg,
    literal,
    oxigraph_reads,
    product,
    rdflib_reads,
    snapshot_of,
)

# rdflib's own readers of JSON-LD, TriG and N-Quads still use what rdflib gives up.
pytestmark = [
    pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:Dataset.default_context is deprecated:DeprecationWarning"),
]

LOCAL_PARTS = [
    "BERT(base)", "model.", "a..", "50%25", "a%20b", "-x", "1abc", "a/b", "x#y", "a,b", "it's",
    "名前", "", "a.b", "_", "a-", "-", ".a", "a:b", "a~1b2c3d4e", "ok-1_2", "0", "1.5", "a'", "é",
]  # fmt: skip
TEXTS = [
    "", " ", "\n", "\r\n", "a\rb", "\t", '"', "\\", "'''", '"""', "a\\u0041", "<b>&amp;]]>",
    "\x7f", "\u0085", "\u2028", "名前 → Größe", "\U0001f600", "{", "@en", "  two  ", "--",
    "1901.00010", "#c", "\ufeff", "\u200b", "^^",
]  # fmt: skip
TYPED = [
    ("85.50", "decimal"), ("85", "decimal"), (".5", "decimal"), ("5.", "decimal"),
    ("-0.0", "decimal"), ("01", "integer"), ("1", "integer"), ("+1", "integer"), ("-1", "integer"),
    ("", "integer"), ("99999999999999999999", "integer"), ("1", "boolean"), ("true", "boolean"),
    ("TRUE", "boolean"), ("8.550E1", "double"), ("1", "int"), ("2021-06-15", "date"),
    ("2021-06", "gYearMonth"), ("2021", "gYear"), ("2021-06-15T00:00:00.000Z", "dateTime"),
    ("x y", "anyURI"),
]  # fmt: skip


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    folder = tmp_path_factory.mktemp("samples")
    return builder.build([resources.samples()], folder / "store").snapshot


@pytest.fixture(scope="module")
def awkward(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    method, dataset = iri("method/m"), iri("dataset/d")
    part = iri("dataset/d#loader-1")
    triples: list[tuple[ox.NamedNode, ox.NamedNode, ox.NamedNode | ox.Literal]] = []
    for local in LOCAL_PARTS:
        triples.append((iri(f"method/{local}"), RDF_TYPE, kg("Method")))
        triples.append((method, kg("broader"), iri(f"method/{local}")))
    triples += [(method, kg("note"), literal(text)) for text in TEXTS]
    triples += [(method, kg("slug"), literal(text)) for text in TEXTS]
    # Properties that the context for output expects to be of one kind, with values of all.
    values = [literal(*pair) for pair in TYPED]
    for name in ("note", "value", "archiveRank", "usesAdditionalData", "paper", "snapshot"):
        triples += [(method, kg(name), value) for value in values]
        triples.append((method, kg(name), ox.Literal("Wort", language="de")))
        triples.append((method, kg(name), iri("http://example.org/x?a=1&b='2'")))
    triples.append((method, RDF_TYPE, iri("http://example.org/Class")))
    triples.append((method, iri("http://example.org/p/1a"), literal("x")))
    triples.append((method, iri("http://example.org/not-ours"), literal("y")))
    # The same once more on a thing and on its part.
    triples += [(dataset, p, o) for s, p, o in triples if s == method]
    triples += [(part, p, o) for s, p, o in triples if s == method]
    triples.append((dataset, kg("dataLoader"), part))
    return snapshot_of(tmp_path_factory.mktemp("awkward"), default_graph(triples))


@pytest.mark.parametrize("format_", FORMATS)
def test_the_sample_graph_comes_back_whole(samples: Snapshot, format_: str) -> None:
    content = exported(samples, format_)
    wanted = product(samples, named=format_ in DATASET_FORMATS)
    assert len(wanted) > 3000
    assert oxigraph_reads(content, format_) == wanted
    assert rdflib_reads(content, format_) == wanted


@pytest.mark.parametrize("format_", FORMATS)
def test_the_real_records_come_back_whole(tmp_path: Path, shared: Path, format_: str) -> None:
    snapshot = builder.build([shared / "records" / "seeds"], tmp_path / "store").snapshot
    content = exported(snapshot, format_)
    wanted = product(snapshot, named=format_ in DATASET_FORMATS)
    assert len(wanted) > 100
    assert oxigraph_reads(content, format_) == wanted
    assert rdflib_reads(content, format_) == wanted


@pytest.mark.parametrize("format_", FORMATS)
def test_awkward_names_and_literals_come_back_to_the_character(
    awkward: Snapshot, format_: str
) -> None:
    content = exported(awkward, format_)
    wanted = product(awkward)
    if format_ == "jsonl":
        # What has parts is looked up in the store, which has its own forms of numbers and dates.
        looked_up = {quad for quad in wanted if quad[0].startswith(f"<{BASE}dataset/")}
        assert as_stored(looked_up) != looked_up
        wanted = wanted - looked_up | as_stored(looked_up)
    assert oxigraph_reads(content, format_) == wanted
    assert rdflib_reads(content, format_) == wanted


def test_a_triple_too_few_or_changed_would_be_seen(awkward: Snapshot) -> None:
    lines = exported(awkward, "nt").splitlines(keepends=True)
    wanted = product(awkward)
    for twin in (lines[:-1], [line.replace(b'"85.50"', b'"85.5"') for line in lines]):
        assert oxigraph_reads(b"".join(twin), "nt") != wanted
        assert rdflib_reads(b"".join(twin), "nt") != wanted


def test_shortening_every_name_would_be_seen(
    awkward: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What the engine's own writer does: it escapes, and the other reader does not follow.
    content = exported(awkward, "ttl").replace(
        b"<https://w3id.org/paperkg/method/model.>", rb"method:model\."
    )
    assert oxigraph_reads(content, "ttl") == product(awkward)
    with pytest.raises(Exception, match="Bad syntax"):
        rdflib_reads(content, "ttl")


_controls = [chr(code) for code in range(32) if chr(code) not in "\t\n\r"]
_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
_lines = st.lists(_text, max_size=4)


@settings(max_examples=15, deadline=None)
@given(_lines)
def test_any_text_comes_back_to_the_character(texts: list[str]) -> None:
    triples = [(iri("paper/p"), kg("note"), literal(text)) for text in texts]
    triples += [(iri(f"paper/p#{n}"), kg("slug"), literal(text)) for n, text in enumerate(texts)]
    with tempfile.TemporaryDirectory() as folder:
        snapshot = snapshot_of(Path(folder), default_graph(triples))
        wanted = product(snapshot)
        for format_ in FORMATS:
            if format_ == "rdfxml" and any(not _is_xml(text) for text in texts):
                with pytest.raises(UsageError, match="RDF/XML cannot carry"):
                    exported(snapshot, format_)
                continue
            content = exported(snapshot, format_)
            assert oxigraph_reads(content, format_) == wanted
            assert rdflib_reads(content, format_) == wanted


def _is_xml(text: str) -> bool:
    return not any(char in _controls or char in "\ufffe\uffff" for char in text)


_pieces = [*"aZ09._-~:/,'()@名é+*", "%20", "%C3"]
_local = st.lists(st.sampled_from(_pieces), max_size=6).map("".join)


@settings(max_examples=30, deadline=None)
@given(st.lists(_local, min_size=1, max_size=5))
def test_any_local_part_comes_back(locals_: list[str]) -> None:
    triples = []
    for local in locals_:
        for namespace in ("paper/", "ns#"):
            name = iri(f"https://w3id.org/paperkg/{namespace}{local}")
            triples.append((name, RDF_TYPE, name))
            if local not in ("", "paper"):
                triples.append((name, iri(f"http://e.org/{local}a"), name))
    with tempfile.TemporaryDirectory() as folder:
        snapshot = snapshot_of(Path(folder), default_graph(triples))
        wanted = product(snapshot)
        for format_ in FORMATS:
            content = exported(snapshot, format_)
            assert oxigraph_reads(content, format_) == wanted
            assert rdflib_reads(content, format_) == wanted


GRAPH = iri("https://example.org/g1")
EXP_03 = [
    ox.Quad(iri("http://e.org/a"), iri("http://e.org/p"), literal("x"), GRAPH),
    ox.Quad(iri("http://e.org/b"), iri("http://e.org/p"), literal("y")),
    ox.Quad(iri("http://e.org/b"), iri("http://e.org/p"), literal("y"), GRAPH),
    ox.Quad(iri("http://e.org/z"), iri("http://e.org/p"), literal("z"), iri("http://e.org/b")),
    ox.Quad(iri("http://e.org/a"), iri("http://e.org/p"), literal("w"), iri("http://e.org/b")),
]


@pytest.fixture(scope="module")
def graphs(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return snapshot_of(tmp_path_factory.mktemp("graphs"), EXP_03)


@pytest.mark.parametrize("format_", DATASET_FORMATS)
def test_formats_of_datasets_carry_all_graphs_with_their_names(
    graphs: Snapshot, format_: str
) -> None:
    content = exported(graphs, format_)
    wanted = product(graphs, named=True)
    assert len(wanted) == 5
    assert oxigraph_reads(content, format_) == wanted
    assert rdflib_reads(content, format_) == wanted
    assert Export(graphs, format_).left_out == []


@pytest.mark.parametrize("format_", GRAPH_FORMATS)
def test_formats_of_graphs_carry_the_default_graph_and_name_what_they_leave_out(
    graphs: Snapshot, format_: str
) -> None:
    assert oxigraph_reads(exported(graphs, format_), format_) == product(graphs)
    assert Export(graphs, format_).left_out == ["http://e.org/b", GRAPH.value]


@pytest.mark.parametrize("format_", FORMATS)
def test_one_graph_can_be_picked(graphs: Snapshot, format_: str) -> None:
    content = exported(graphs, format_, GRAPH.value)
    picked = {quad for quad in product(graphs, named=True) if quad[3] == str(GRAPH)}
    if format_ in GRAPH_FORMATS:
        picked = {(*quad[:3], "DEFAULT") for quad in picked}
    assert len(picked) == 2
    assert oxigraph_reads(content, format_) == picked
    assert rdflib_reads(content, format_) == picked
    assert Export(graphs, format_, GRAPH.value).left_out == []


def test_a_graph_that_is_not_there_is_refused_with_those_that_are(graphs: Snapshot) -> None:
    with pytest.raises(UsageError, match=r"<http://e.org/c> in the store; it has <http://e.org/b>"):
        Export(graphs, "nt", "http://e.org/c")
