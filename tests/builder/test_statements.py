"""A user's statements become sorted quads in which every blank node is an IRI."""

from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg import statements
from kg.errors import SourceError
from kg.sorting import SortedLines
from kg.sources import RdfFile, Sources
from kg.statements import Statements, graph_iri

BASE = "https://e.org/kg/"
PREFIX = "@prefix : <http://e/> .\n"


def taken(folder: Path, *paths: Path, **options: object) -> Statements:
    found = Statements(folder, BASE, **options)  # type: ignore[arg-type]  as given
    with Sources(paths) as files:
        for file in files:
            assert isinstance(file, RdfFile)
            found.take(file)
    return found


def of(tmp_path: Path, text: str, name: str = "x.trig") -> list[str]:
    """Return the quads of a file of *text*."""
    path = tmp_path / name
    path.write_text(PREFIX + text if name.endswith(("trig", "ttl")) else text, "utf-8")
    folder = tmp_path / f"work-{len(list(tmp_path.iterdir()))}"
    return [line.decode() for line in taken(folder, path).quads()]


def nodes(lines: list[str]) -> set[str]:
    return {
        term
        for line in lines
        for term in line.split(" ")
        if term.startswith(f"<{BASE}.well-known/genid/")
    }


def test_statements_stand_in_the_graph_of_their_file_or_in_the_one_they_name(
    tmp_path: Path,
) -> None:
    own = f"<{graph_iri('x.trig', BASE)}>"
    assert of(tmp_path, ':a :b "x y"@EN , 1.50 . :g { :a :b <> }') == [
        f'<http://e/a> <http://e/b> "1.50"^^<http://www.w3.org/2001/XMLSchema#decimal> {own} .',
        f'<http://e/a> <http://e/b> "x y"@en {own} .',
        f"<http://e/a> <http://e/b> {own} <http://e/g> .",
    ]


def test_every_statement_is_one_of_the_default_graph_once(tmp_path: Path) -> None:
    text = ':a :b "x", "x"@en, "x"@en-gb, "x y", 1 . :g { :a :b "x" } :h { :a :b "x", "z" }'
    path = tmp_path / "x.trig"
    path.write_text(PREFIX + text, "utf-8")
    found = taken(tmp_path / "w", path, path)
    quads, triples = list(found.quads()), list(found.triples())
    assert len(quads) == 8
    assert triples == sorted({line.rsplit(b" ", 2)[0] + b" ." for line in quads})
    assert len(triples) == 6


@pytest.mark.parametrize(
    "text",
    [
        ":a :b [ :c 1 ; :d [ :e 2 ] ] .",
        ":a :b (1 1 1) , (1 1 1) .",
        ":a :b [ :c 1 ] , [ :c 1 ] , [ :c 1 ] .",
        "_:x :b _:y . _:y :b _:x . _:z :b _:z .",
        "_:g { _:x :b _:g } :h { _:x :b 1 }",
    ],
)
def test_blank_nodes_get_the_same_iris_in_every_build(tmp_path: Path, text: str) -> None:
    first = of(tmp_path, text)
    assert first == of(tmp_path, text) == of(tmp_path, text.replace("_:x", "_:other"))
    assert not any("_:" in line for line in first)
    before = {
        term
        for quad in ox.parse(PREFIX + text, format=ox.RdfFormat.TRIG)
        for term in (quad.subject, quad.object, quad.graph_name)
        if isinstance(term, ox.BlankNode)
    }
    assert len(nodes(first)) == len(before)


def test_the_order_of_the_statements_does_not_matter(tmp_path: Path) -> None:
    parts = [":a :b [ :c 1 ] .", "_:z :y 1 .", ":a :b [ :c 2 ] .", "_:x :y _:z .", ":x :y _:z ."]
    expected = of(tmp_path, "\n".join(parts))
    for n in range(1, len(parts)):
        assert of(tmp_path, "\n".join([*parts[n:], *parts[:n]])) == expected


def test_what_a_file_says_twice_is_said_once(tmp_path: Path) -> None:
    text = "_:x :b 1 . _:x :b _:y . "
    assert of(tmp_path, text * 2) == of(tmp_path, text)


def test_nodes_that_differ_only_in_what_hangs_on_them_are_two(tmp_path: Path) -> None:
    lines = of(tmp_path, ":a :b [ :c 1 ; :d [ :e 2 ] ] , [ :c 1 ; :d [ :e 3 ] ] .")
    assert len(nodes(lines)) == 4
    assert len(lines) == 8


def test_what_is_said_elsewhere_in_the_file_does_not_change_a_nodes_iri(tmp_path: Path) -> None:
    alone = of(tmp_path, ":a :b [ :c 1 ] .")
    beside = of(tmp_path, "_:n :m [ :c 2 ] . :a :b [ :c 1 ] . :d :e 1 .")
    assert set(alone) < set(beside)


def test_blank_nodes_of_two_files_are_two_things(tmp_path: Path) -> None:
    text = ":g { _:a :b 1 }"
    first, second = (of(tmp_path, text, name) for name in ("a.trig", "b.trig"))
    assert nodes(first).isdisjoint(nodes(second))
    assert len(nodes(first) | nodes(second)) == 2


def test_a_file_in_another_folder_with_other_statements_shares_no_blank_node(
    tmp_path: Path,
) -> None:
    (tmp_path / "sub").mkdir()
    first = of(tmp_path, "_:a :b 1 .", "a.ttl")
    second = of(tmp_path, "_:a :b 2 .", "sub/a.ttl")
    assert nodes(first).isdisjoint(nodes(second))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.nt", '<http://e/a> <http://e/b> "_:c" .\n_:x <http://e/b> <http://e/_:y> .\n'),
        ("x.nq", '<http://e/a> <http://e/b> "_:c" .\n_:x <http://e/b> <http://e/_:y> .\n'),
        ("x.jsonld", '[{"@id": "http://e/a", "http://e/b": "_:c"},'
         '{"http://e/b": {"@id": "http://e/_:y"}}]'),
    ],
)  # fmt: skip
def test_what_only_looks_like_a_blank_node_is_left_alone(
    tmp_path: Path, name: str, text: str
) -> None:
    lines = of(tmp_path, text, name)
    assert any('<http://e/a> <http://e/b> "_:c" ' in line for line in lines)
    assert any("<http://e/b> <http://e/_:y> " in line for line in lines)
    assert len(nodes(lines)) == 1


def test_of_a_file_with_a_fault_nothing_is_taken_and_the_next_is(tmp_path: Path) -> None:
    (tmp_path / "a.ttl").write_text(PREFIX + ":a :b 1 . _:x :b 2 .\n:c :d", "utf-8")
    (tmp_path / "b.ttl").write_text(PREFIX + ":e :f 3 .", "utf-8")
    found = Statements(tmp_path / "w", BASE)
    with Sources([tmp_path]) as files:
        bad, good = files
        assert isinstance(bad, RdfFile)
        assert isinstance(good, RdfFile)
        with pytest.raises(SourceError, match="statements read before it: 2"):
            found.take(bad)
        found.take(good)
    (line,) = found.quads()
    assert line.startswith(b"<http://e/e> <http://e/f> ")
    assert [name for name, _ in found.by_file()] == [str(tmp_path / "b.ttl")]


def test_what_is_not_wanted_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "x.trig"
    path.write_text(PREFIX + ":g { :a :b 1, 2 } :a :b 3, 4 .", "utf-8")
    found = Statements(
        tmp_path / "w", BASE, leave_out={"http://e/g"}, keeps=lambda line: b'"4"' not in line
    )
    with Sources([path]) as files:
        (file,) = files
        assert isinstance(file, RdfFile)
        assert found.take(file) == 2
    assert [line.split(b'"')[1] for line in found.triples()] == [b"3"]


def test_it_tells_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statements, "_TELL_EVERY", 2)
    path = tmp_path / "x.ttl"
    path.write_text(PREFIX + ":a :b 1, 2, 3, 4, 5 .", "utf-8")
    told: list[int] = []
    with Sources([path]) as files:
        (file,) = files
        assert isinstance(file, RdfFile)
        Statements(tmp_path / "w", BASE).take(file, told.append)
    assert told == [2, 4]


NODES = st.sampled_from(["_:a", "_:b", "_:c", "<http://e/d>", "<http://e/e>"])
LINES = st.lists(
    st.tuples(NODES, NODES, st.sampled_from(["", "_:a", "<http://e/g>"])).map(
        lambda found: f"{found[0]} <http://e/p> {found[1]} {found[2]} .\n"
    ),
    max_size=10,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(LINES)
def test_the_graph_is_the_same_but_for_the_names_of_its_nodes(
    tmp_path: Path, lines: list[str]
) -> None:
    text = "".join(lines)
    found = of(tmp_path, text, "x.nq")
    own = ox.NamedNode(graph_iri("x.nq", BASE))
    back = "\n".join(found).replace(f"<{BASE}.well-known/genid/", "_:n").replace("> ", ">  ")
    for node in nodes(found):
        label = node.rsplit("/", 1)[1].rstrip(">")
        back = back.replace(f"_:n{label}>", f"_:n{label}")
    after = ox.Dataset(ox.parse(back, format=ox.RdfFormat.N_QUADS))
    before = ox.Dataset(
        ox.Quad(
            quad.subject,
            quad.predicate,
            quad.object,
            own if isinstance(quad.graph_name, ox.DefaultGraph) else quad.graph_name,
        )
        for quad in ox.parse(text, format=ox.RdfFormat.N_QUADS)
    )
    for dataset in (before, after):
        dataset.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
    assert before == after


def test_more_than_is_held_at_once_makes_the_same_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "\n".join(f":s{n} :p [ :v {n % 50} ; :w [ :u {n} ] ] , {n} ." for n in range(200))
    whole = of(tmp_path, text)
    monkeypatch.setattr(statements, "_CHUNK_BYTES", 3000)
    defaults = (SortedLines.__init__.__kwdefaults__ or {}) | {"chunk_bytes": 3000, "fan_in": 3}
    monkeypatch.setattr(SortedLines.__init__, "__kwdefaults__", defaults)
    assert of(tmp_path, text) == whole
    assert len(nodes(whole)) == 400
