"""The store: loaded in bounded pieces, queried, and every refusal of the system in a sentence."""

import errno
import io
from pathlib import Path

import pyoxigraph as ox
import pytest

from kg import store
from kg.errors import StoreError
from kg.store import BYTES_AT_ONCE, LINES_AT_ONCE, Store

LINES = [b'<http://e/%d> <http://e/p> "%d" .' % (number, number % 3) for number in range(9)]
THREE = 'SELECT ?s { ?s e:p "0" } ORDER BY ?s'


def subjects(store: Store) -> list[str]:
    solutions = store.query(THREE, prefixes={"e": "http://e/"})
    assert isinstance(solutions, ox.QuerySolutions)
    return [str(solution["s"]) for solution in solutions]


def test_lines_and_a_file_of_lines_load_alike(tmp_path: Path) -> None:
    file = tmp_path / "x.nt"
    file.write_bytes(b"".join(line + b"\r\n" for line in LINES))
    of_lines, of_file = Store.in_memory(), Store.in_memory()
    of_lines.load(LINES)
    of_file.load(file)
    assert len(of_lines) == len(of_file) == 9
    assert subjects(of_lines) == subjects(of_file)
    assert subjects(of_lines) == ["<http://e/0>", "<http://e/3>", "<http://e/6>"]


def test_a_querys_own_prefix_wins() -> None:
    store = Store.in_memory()
    store.load(LINES)
    asked = store.query('PREFIX e: <http://e/> ASK { ?s e:p "0" }', prefixes={"e": "http://no/"})
    assert bool(asked)


def test_a_store_that_was_filled_opens_for_reading_only(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "s")
    store.load(LINES)
    store.flush()
    del store
    first, second = Store.open(tmp_path / "s"), Store.open(tmp_path / "s")
    assert len(first) == len(second) == 9
    assert len(subjects(first)) == 3
    with pytest.raises(RuntimeError, match="read-write"):
        first.load(LINES)


class Recorded:
    """An Oxigraph store that notes what it is given."""

    def __init__(self, error: OSError | None = None) -> None:
        self.pieces: list[int] = []
        self._error = error

    def bulk_load(self, content: bytes, format: object) -> None:  # noqa: A002  Oxigraph's word
        assert format == ox.RdfFormat.N_QUADS
        self.pieces.append(content.count(b"\n") + 1)
        if self._error:
            raise self._error


def test_no_call_is_longer_than_an_interrupt_may_wait() -> None:
    recorded = Recorded()
    Store(recorded, "here").load(LINES[0] for _ in range(2 * LINES_AT_ONCE + 1))  # type: ignore[arg-type]  # a stand-in
    assert recorded.pieces == [LINES_AT_ONCE, LINES_AT_ONCE, 1]
    assert LINES_AT_ONCE <= 50_000


def test_an_open_file_is_loaded_in_whole_lines_of_bounded_size(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(store, "BYTES_AT_ONCE", 100)
    content = b"".join(line + b"\n" for line in LINES)
    recorded = Recorded()
    Store(recorded, "here").load(io.BytesIO(content))  # type: ignore[arg-type]  # a stand-in
    assert sum(recorded.pieces) - len(recorded.pieces) == len(LINES)  # each ends its last line
    assert len(recorded.pieces) > 2
    (tmp_path / "x.nt").write_bytes(content)
    loaded = Store.in_memory()
    loaded.load(tmp_path / "x.nt")
    assert len(loaded) == len(LINES)


def test_what_is_removed_is_gone_and_what_is_not_there_is_no_error() -> None:
    loaded = Store.in_memory()
    loaded.load([*LINES, b'<http://e/0> <http://e/p> "0" <http://e/g> .'])
    loaded.remove([*LINES[1:], b'<http://e/no> <http://e/p> "0" .'])
    assert subjects(loaded) == ["<http://e/0>"]
    assert len(loaded) == 2
    loaded.remove(line for line in LINES)
    assert len(loaded) == 1
    assert loaded.query('ASK { GRAPH <http://e/g> { <http://e/0> <http://e/p> "0" } }')


def graphs_of(loaded: Store) -> list[str]:
    solutions = loaded.query("SELECT ?g { GRAPH ?g {} } ORDER BY ?g")
    assert isinstance(solutions, ox.QuerySolutions)
    return [str(solution["g"]) for solution in solutions]


def test_a_graph_that_holds_nothing_is_forgotten() -> None:
    lines = [b"<http://e/s> <http://e/p> <http://e/o> <http://e/%d> ." % n for n in range(3)]
    loaded = Store.in_memory()
    loaded.load(lines)
    loaded.remove(lines[1:])
    assert len(graphs_of(loaded)) == 3  # the engine keeps their names
    loaded.forget_empty_graphs()
    assert graphs_of(loaded) == ["<http://e/0>"]


def test_a_copy_holds_the_same_and_goes_its_own_way(tmp_path: Path) -> None:
    first = Store.create(tmp_path / "1")
    first.load(LINES)
    first.flush()
    del first
    first = Store.open(tmp_path / "1")
    first.back_up(tmp_path / "2")
    second = Store.create(tmp_path / "2")
    second.remove(LINES[:3])
    second.load([b'<http://e/new> <http://e/p> "0" .'])
    assert subjects(second) == ["<http://e/3>", "<http://e/6>", "<http://e/new>"]
    assert subjects(first) == ["<http://e/0>", "<http://e/3>", "<http://e/6>"]


def test_no_call_is_larger_than_memory_may_bear() -> None:
    recorded = Recorded()
    lines = (b"x" * 1_000_000 for _ in range(20))
    Store(recorded, "here").load(lines)  # type: ignore[arg-type]  # a stand-in
    assert sum(recorded.pieces) == 20
    assert max(recorded.pieces) <= BYTES_AT_ONCE // 1_000_000 + 1


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "here: the disk is full"),
        (OSError("IO error: No space left on device: While appending"), "here: the disk is full"),
        (OSError(errno.EACCES, "Permission denied"), "here: Permission denied"),
        (OSError("Corruption: bad block"), "here: Corruption: bad block"),
    ],
)
def test_what_the_system_refuses_is_a_store_error(error: OSError, sentence: str) -> None:
    store = Store(Recorded(error), "here")  # type: ignore[arg-type]  # a stand-in
    with pytest.raises(StoreError) as raised:
        store.load(LINES)
    assert str(raised.value) == sentence


def test_a_store_that_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no store here") as raised:
        Store.open(tmp_path / "missing")
    assert str(tmp_path / "missing") in str(raised.value)
    assert not (tmp_path / "missing").exists()
    (tmp_path / "file").write_text("x", "utf-8")
    for make in (Store.open, Store.create):
        with pytest.raises(StoreError, match="file"):
            make(tmp_path / "file")
    with pytest.raises(StoreError, match=r"missing\.nt"):
        Store.in_memory().load(tmp_path / "missing.nt")


def test_a_line_that_is_no_triple_is_a_syntax_error() -> None:
    with pytest.raises(SyntaxError):
        Store.in_memory().load([b"<http://e/s> nonsense ."])


def test_a_line_with_a_graph_is_in_that_graph_alone() -> None:
    store = Store.in_memory()
    store.load([b"<http://e/s> <http://e/p> <http://e/o> <http://e/g> ."])
    assert not store.query("ASK { ?s ?p ?o }")
    assert store.query("ASK { GRAPH <http://e/g> { ?s ?p ?o } }")
