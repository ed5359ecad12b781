"""What records have in common, written once: over a corpus, all of it is written."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from itertools import chain
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg import records
from kg.contexts import Contexts
from kg.index import Index
from kg.iris import DEFAULT_BASE, Minter
from kg.mapper import Mapped, Mapper, Node, shared
from kg.mapper.draft import Draft
from kg.namespaces import RDFS
from kg.records import Record
from kg.vocabularies import Vocabularies
from tests.benchmarks.making import KINDS, made
from tests.conftest import decode, sample_values
from tests.records.archive_records import EVERY_KIND

ODD: Node = {"@id": "https://example.org/odd", "@type": ["Paper", "Dataset"]}
"""A node that is not compiled: with it a record goes through PyLD."""


class OddMapper(Mapper):
    """Maps some records by PyLD: those that are *odd*, by how they are given."""

    def __init__(self, index: Index, *, repeat: bool) -> None:
        super().__init__(
            minter=Minter(),
            index=index,
            contexts=contexts(),
            vocabularies=vocabularies(),
            repeat=repeat,
        )
        self.is_odd = False

    def nodes(self, record: Record) -> tuple[list[Node], Draft]:
        nodes, draft = super().nodes(record)
        return ([*nodes, ODD] if self.is_odd else nodes), draft

    def mapped(self, record: Record, *, odd: bool = False) -> Mapped:
        self.is_odd = odd
        found = self.map(record)
        assert found.is_compiled is not odd
        return found


@cache
def contexts() -> Contexts:
    return Contexts.load()


@cache
def vocabularies() -> Vocabularies:
    return Vocabularies.load()


def indexed(corpus: Iterable[Record]) -> Index:
    index = Index()
    for record in corpus:
        index.learn(record)
    return index


def read_all(values: Iterable[Any]) -> list[Record]:
    """Read records as they come from a file."""
    return [records.read(decode(json.dumps(value))) for value in values]


@cache
def corpus() -> list[Record]:
    """Return the samples, and one record of each kind of the archive."""
    return [*map(records.read, sample_values()), *read_all(EVERY_KIND)]


@cache
def index() -> Index:
    return indexed(corpus())


@cache
def whole(number: int, odd: bool) -> frozenset[bytes]:
    """Return all lines of a record of the corpus."""
    return frozenset(OddMapper(index(), repeat=True).mapped(corpus()[number], odd=odd).lines)


@settings(max_examples=40, deadline=None)
@given(st.data(), st.sampled_from([1, 2, 7, shared.HELD]))
def test_what_is_written_of_records_in_any_order_is_all_that_they_say(
    data: st.DataObject, held: int
) -> None:
    numbers = data.draw(st.lists(st.sampled_from(range(len(corpus()))), max_size=8))
    given_records = [(number, data.draw(st.integers(0, 3)) == 0) for number in numbers]
    mapper = OddMapper(index(), repeat=False)
    said: set[bytes] = set()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shared, "HELD", held)
        for number, odd in given_records:
            lines = set(mapper.mapped(corpus()[number], odd=odd).lines)
            assert lines <= whole(number, odd)
            said |= lines
    assert said == set(chain.from_iterable(whole(*given) for given in given_records))


@pytest.mark.parametrize("held", [5, shared.HELD])
def test_a_corpus_of_all_kinds_is_written_whole_and_in_fewer_lines(
    monkeypatch: pytest.MonkeyPatch, held: int
) -> None:
    monkeypatch.setattr(shared, "HELD", held)
    corpus = read_all(chain.from_iterable(made(kind, 40) for kind in KINDS))
    known = indexed(corpus)
    once, again = (OddMapper(known, repeat=repeat) for repeat in (False, True))
    written = [line for record in corpus for line in once.mapped(record).lines]
    repeated = [line for record in corpus for line in again.mapped(record).lines]
    assert set(written) == set(repeated)
    assert len(written) < len(repeated)


def test_what_is_shared_is_written_with_the_first_record_that_names_it() -> None:
    site = {"title": "T", "code_links": [], "tasks": [{"task_slug": "t", "task_name": "Task"}]}
    one, two, three = read_all([{"url": f"/paper/{slug}", **site} for slug in "abc"])
    mapper = OddMapper(indexed([one, two, three]), repeat=False)
    label = f'<{DEFAULT_BASE}task/t> <{RDFS}label> "Task" .'.encode()
    assert [label in mapper.mapped(record).lines for record in (one, two, one)] == [
        True,
        False,
        False,
    ]
    assert label in mapper.mapped(three, odd=True).lines  # PyLD writes all
    assert label in OddMapper(indexed([one]), repeat=True).mapped(one).lines


def test_a_record_that_goes_through_pyld_first_keeps_nothing_from_the_next() -> None:
    site = {"title": "T", "code_links": [], "tasks": [{"task_slug": "t", "task_name": "Task"}]}
    one, two = read_all([{"url": f"/paper/{slug}", **site} for slug in "ab"])
    mapper = OddMapper(indexed([one, two]), repeat=False)
    everything = [*mapper.mapped(one, odd=True).lines, *mapper.mapped(two).lines]
    assert any(b'label> "Task" .' in line for line in everything)


def test_kinds_of_records_share_nothing_for_their_contexts_may_differ() -> None:
    site = {"title": "T", "code_links": [], "tasks": [{"task_slug": "t", "task_name": "Task"}]}
    one, other = read_all([{"url": "/paper/a", **site}, EVERY_KIND[0] | {"tasks": ["Task"]}])
    assert one.kind != other.kind
    known = indexed([one, other])
    alone = OddMapper(known, repeat=False).mapped(other).lines
    assert any(b"/task/t> " in line and b'label> "Task" .' in line for line in alone)
    mapper = OddMapper(known, repeat=False)
    mapper.mapped(one)
    assert mapper.mapped(other).lines == alone
