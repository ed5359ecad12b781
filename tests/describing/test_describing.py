"""A thing's parts, found level by level."""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from kg.describing import Describer, in_store, origins, thing_iri
from kg.errors import UsageError
from kg.namespaces import prefixes
from kg.store import Store

BASE = "https://w3id.org/paperkg/"
NS = "https://w3id.org/paperkg/ns#"
GRAPH = """
<paper/p> a <ns#Paper> ; <ns#title> "P" ; <ns#authorship> <paper/p#author-1> , <paper/p#author-2> ;
  <ns#codeLink> <paper/p#code-x> ; <ns#sampleLink> <paper/p#sample-s> ; <ns#task> <task/t> ;
  <ns#introduces> <paper/p-2> .
<paper/p#author-1> <ns#name> "One" . <paper/p#author-2> <ns#name> "Two" .
<paper/p#code-x> <ns#license> <paper/p#code-x-license> ; <ns#repo> <repo/x> .
<paper/p#code-x-license> <ns#label> "L" .
<paper/p#sample-s> a <ns#SampleLink> ; <ns#sample> <sample/s> , <sample/shared> .
<sample/s> a <ns#Sample> ; <ns#license> <sample/s#license> ; <ns#repo> <repo/x> .
<sample/s#license> <ns#label> "L" .
<sample/shared> a <ns#Sample> .
<paper/p#lost> <ns#label> "nobody points to it" .
<result/r> a <ns#Result> ; <ns#paper> <paper/p> ; <ns#measurement> <result/r#f1> .
<result/r#f1> <ns#value> 1 .
<paper/p-2> a <ns#Paper> ; <ns#introduces> <paper/p> ; <ns#sampleLink> <paper/p-2#s> .
<paper/p-2#s> <ns#sample> <sample/shared> .
<dataset/d> <ns#paper> <paper/p> .
<task/t> <ns#label> "T" . <repo/x> <ns#label> "X" .
"""


def node(name: str) -> ox.NamedNode:
    return ox.NamedNode(BASE + name)


@pytest.fixture(scope="module")
def store() -> Store:
    quads = ox.parse(GRAPH, format=ox.RdfFormat.TURTLE, base_iri=BASE)
    store = Store.in_memory()
    store.load([f"{quad.triple} .".encode() for quad in quads])
    return store


def subjects(store: Store, name: str) -> list[str]:
    triples = Describer(in_store(store)).description(node(name))
    assert len(triples) == len(set(triples))
    found = dict.fromkeys(str(triple.subject)[1:-1].removeprefix(BASE) for triple in triples)
    return list(found)


def test_a_papers_parts_are_its_fragments_its_results_and_the_samples_that_are_its_alone(
    store: Store,
) -> None:
    assert subjects(store, "paper/p") == [
        "paper/p", "paper/p#author-1", "paper/p#author-2", "paper/p#code-x-license",
        "paper/p#code-x", "paper/p#sample-s", "result/r#f1", "result/r", "sample/s#license",
        "sample/s",
    ]  # fmt: skip


def test_whatever_is_said_of_a_part_is_in_the_description(store: Store) -> None:
    described = set(Describer(in_store(store)).description(node("paper/p")))
    for name in subjects(store, "paper/p"):
        said = in_store(store)(f"CONSTRUCT {{ {node(name)} ?p ?o }} {{ {node(name)} ?p ?o }}")
        assert described.issuperset(said)


def test_other_things_have_their_own_fragments_as_parts(store: Store) -> None:
    assert subjects(store, "result/r") == ["result/r", "result/r#f1"]
    assert subjects(store, "paper/p#code-x") == ["paper/p#code-x", "paper/p#code-x-license"]
    assert subjects(store, "dataset/d") == ["dataset/d"]
    assert subjects(store, "task/unknown") == []


def test_what_is_a_part_is_in_the_description_of_another_thing_and_nothing_else_is(
    store: Store,
) -> None:
    describer = Describer(in_store(store))
    everything = list(in_store(store)("CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }"))
    names = {triple.subject for triple in everything if isinstance(triple.subject, ox.NamedNode)}
    inside = {
        part
        for name in names
        for triple in describer.description(name)
        if isinstance(part := triple.subject, ox.NamedNode) and part != name
    }
    classes = {
        name: {
            t.object.value for t in everything if t.subject == name and "#type" in str(t.predicate)
        }
        for name in names
    }
    assert {name for name in names if describer.is_part(name, classes[name])} == inside


def test_a_named_graph_is_looked_at_alone() -> None:
    store = ox.Store()
    graph = node("g")
    store.add(ox.Quad(node("a"), ox.NamedNode(NS + "x"), node("a#f"), graph))
    store.add(ox.Quad(node("a#f"), ox.NamedNode(NS + "x"), node("b"), graph))
    store.add(ox.Quad(node("a"), ox.NamedNode(NS + "x"), node("c")))

    def construct(text: str) -> list[ox.Triple]:
        answer = store.query(text)
        assert isinstance(answer, ox.QueryTriples)
        return list(answer)

    assert len(Describer(construct, graph=graph).description(node("a"))) == 2
    assert len(Describer(construct).description(node("a"))) == 1


def test_many_parts_are_looked_up_in_several_queries() -> None:
    store = Store.in_memory()
    lines = []
    for n in range(1200):
        lines.append(f"<{BASE}paper/p> <{NS}authorship> <{BASE}paper/p#author-{n}> .")
        lines.append(f'<{BASE}paper/p#author-{n}> <{NS}position> "{n}" .')
    store.load([line.encode() for line in lines])
    asked: list[str] = []

    def construct(text: str) -> list[ox.Triple]:
        asked.append(text)
        return list(in_store(store)(text))

    triples = Describer(construct).description(node("paper/p"))
    assert len(triples) == 2400
    assert len(asked) == 4
    authors = [str(triple.object) for triple in triples[:1200]]
    assert authors == [f"<{BASE}paper/p#author-{n}>" for n in range(1200)]


@pytest.mark.parametrize(
    "text", ["paper:p", f"<{BASE}paper/p>", f"{BASE}paper/p", f" {BASE}paper/p "]
)
def test_a_thing_is_named_by_its_iri_or_a_curie(text: str) -> None:
    assert thing_iri(text, BASE, prefixes(BASE)) == node("paper/p")


def test_curies_follow_the_base() -> None:
    base = "https://e.org/kg/"
    assert thing_iri("paper:p", base, prefixes(base)).value == "https://e.org/kg/paper/p"


@pytest.mark.parametrize(
    "text", ["", "p", "nosuch:p", "paper:a b", "http://e.org/a b", "<x>", "<>"]
)
def test_what_names_nothing_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="neither an IRI nor a CURIE"):
        thing_iri(text, BASE, prefixes(BASE))


def test_of_what_is_stated_in_named_graphs_too_it_is_known_in_which() -> None:
    store = Store.in_memory()
    said = [f'<e:s{n}> <e:p> "{n}"' for n in range(1200)]
    lines = [f"{one} ." for one in said]
    lines += [
        f"{said[3]} <e:g> .",
        f"{said[2]} <e:g> .",
        f"{said[1100]} <e:h> .",
        f"{said[1]} <e:i> .",
    ]
    lines += ["<e:s3> <e:p> <e:other> <e:g> .", "<e:t> <e:p> <e:q> <e:k> ."]
    store.load([line.encode() for line in lines])
    triples = [
        quad.triple for quad in ox.parse("\n".join(lines[:1200]), format=ox.RdfFormat.N_TRIPLES)
    ]
    assert origins(store, triples, {"e:i"}) == {
        ox.NamedNode("e:g"): [triples[2], triples[3]],
        ox.NamedNode("e:h"): [triples[1100]],
    }
    assert ox.NamedNode("e:i") in origins(store, triples)
    assert origins(store, []) == {}
