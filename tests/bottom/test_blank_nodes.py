"""Names of blank nodes come from what is said of them, and tell all of them apart."""

import random
import time

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.blank_nodes import names, terms

PREFIX = "@prefix : <http://e/> .\n"
PREDICATES = [ox.NamedNode("http://e/p"), ox.NamedNode("http://e/q")]


def quad(subject: int, predicate: int, target: int, graph: int) -> ox.Quad:
    """Return a quad; numbers below 5 are blank nodes, others IRIs."""
    nodes = [
        ox.BlankNode(f"b{n}") if n < 5 else ox.NamedNode(f"http://e/{n}")
        for n in (subject, target, graph)
    ]
    graph_name = nodes[2] if graph < 7 else ox.DefaultGraph()
    return ox.Quad(nodes[0], PREDICATES[predicate], nodes[1], graph_name)


QUADS = st.lists(
    st.builds(quad, st.integers(0, 6), st.integers(0, 1), st.integers(0, 6), st.integers(0, 12)),
    max_size=12,
    unique_by=str,
)


def renamed(quads: list[ox.Quad], new: dict[ox.BlankNode, ox.BlankNode]) -> list[ox.Quad]:
    return [
        ox.Quad(*(new[t] if isinstance(t, ox.BlankNode) else t for t in terms(one)))  # type: ignore[arg-type]  # the same kinds of terms
        for one in quads
    ]


def named(quads: list[ox.Quad]) -> set[str]:
    new = {node: ox.BlankNode(name.replace(".", "x")) for node, name in names(quads).items()}
    return set(map(str, renamed(quads, new)))


@given(QUADS, st.randoms())
def test_the_names_do_not_depend_on_labels_and_order(
    quads: list[ox.Quad], chance: random.Random
) -> None:
    labels = [ox.BlankNode(f"x{n}") for n in range(5)]
    chance.shuffle(labels)
    other = renamed(quads, {ox.BlankNode(f"b{n}"): label for n, label in enumerate(labels)})
    chance.shuffle(other)
    assert named(other) == named(quads)


@given(QUADS)
def test_every_blank_node_has_a_name_of_its_own_and_the_graph_is_the_same(
    quads: list[ox.Quad],
) -> None:
    found = names(quads)
    assert found.keys() == {t for one in quads for t in terms(one) if isinstance(t, ox.BlankNode)}
    assert len(set(found.values())) == len(found)
    # RDFC-1.0 of the engine is the judge: what was said is said, with other labels.
    before = ox.Dataset(quads)
    new = {node: ox.BlankNode(name.replace(".", "x")) for node, name in found.items()}
    after = ox.Dataset(renamed(quads, new))
    for dataset in (before, after):
        dataset.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
    assert before == after


def test_nodes_are_told_apart_by_what_is_far_away() -> None:
    # Four arms that differ at their ends only, and cycles, from which nothing leads to a name.
    arms = "".join(f"_:h :p _:a{n} . _:a{n} :p _:b{n} . _:b{n} :p _:c{n} ." for n in range(4))
    ends = "_:c0 :v 1 . _:c1 :v 1 . _:c2 :v 2 . _:c3 :v 2 ."
    cycles = "".join(f"_:c{n} :o _:x{n} . _:x{n} :o _:y{n} . _:y{n} :o _:x{n} ." for n in range(4))
    text = PREFIX + arms + ends + cycles
    quads = list(ox.parse(text, format=ox.RdfFormat.TURTLE))
    expected = named(quads)
    for seed in range(20):
        other = list(ox.parse(text, format=ox.RdfFormat.TURTLE, rename_blank_nodes=True))
        random.Random(seed).shuffle(other)  # noqa: S311  nothing is to be kept secret
        assert named(other) == expected


@pytest.mark.parametrize(
    "text",
    [
        ":a :b (" + "0 " * 3000 + ") .",
        "".join(f"_:h :p _:a{n} .\n" for n in range(10_000)),
        "".join(f"_:a{n} :p _:a{(n + 1) % 3000} .\n" for n in range(3000)),
        "".join(f"_:a{n} :p _:a{m} .\n" for n in range(25) for m in range(25) if n != m),
    ],
    ids=["a list of zeros", "a star", "a ring", "everyone knows everyone"],
)
def test_nodes_that_look_alike_do_not_take_forever(text: str) -> None:
    quads = list(ox.parse(PREFIX + text, format=ox.RdfFormat.TURTLE))
    begun = time.process_time()
    found = names(quads)
    assert len(set(found.values())) == len(found) >= 25
    assert time.process_time() - begun < 10
