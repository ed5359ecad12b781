"""Records of every kind: the compiled context of their kind writes what PyLD gives, and all of it.

What a user edits in a context is in the graph, whichever of the two maps by it.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from kg import records
from kg.contexts import Contexts
from kg.errors import RecordError
from kg.findings import Finding, FindingKind
from kg.index import Index
from kg.iris import Minter
from kg.mapper import Mapper, expanded
from kg.mapper.compiled import CompiledContext
from kg.mapper.shared import SharedNodes
from kg.namespaces import KG
from kg.records import Record
from tests.benchmarks.making import KINDS, made
from tests.conftest import decode, sample_values, seed_values
from tests.mapper.made_json_ld import TEXTS
from tests.records.archive_records import DATASET, EVERY_KIND, LINK, PAPER, TABLE

Json = Any
Make = Callable[..., Mapper]
PAPERS = "papers-with-abstracts"
SHIPPED = Contexts.load()


def read(value: Json) -> Record:
    return records.read(decode(json.dumps(value)))


def mapper_of(corpus: Sequence[Record], contexts: Contexts, *, repeat: bool = True) -> Mapper:
    index = Index()
    for record in corpus:
        index.learn(record)
    return Mapper(minter=Minter(), index=index, contexts=contexts, repeat=repeat)


def check(corpus: Sequence[Record], contexts: Contexts = SHIPPED) -> None:
    """Check that the lines of each record of a corpus are those that PyLD gives."""
    mapper = mapper_of(corpus, contexts)
    for record in corpus:
        mapped = mapper.map(record)
        nodes, _ = mapper.nodes(record)
        assert mapped.is_compiled
        assert set(mapped.lines) == set(expanded.lines(contexts.of(record.kind), nodes))


# ---- every record that there is ----------------------------------------------------------------


def made_values() -> list[Json]:
    """Some made records of every kind, dirty ones among them."""
    counts = {PAPERS: 60, "links-between-papers-and-code": 60, "evaluation-tables": 2}
    return [value for kind in KINDS for value in made(kind, counts.get(kind, 20))]


def archive_values(folder: Path) -> list[Json]:
    """The real rows of the archive and of evaluation tables."""
    values: list[Json] = []
    for path in sorted([*folder.glob("archive/*.json"), *folder.glob("evaluation-tables/*.json")]):
        if path.name != "example_json_format.json":  # which is no JSON
            found = json.loads(path.read_text("utf-8"))
            values += found if isinstance(found, list) else [found]
    return values


def test_a_record_of_the_samples_and_one_of_every_dump_is_what_pyld_makes_of_it() -> None:
    check([*map(records.read, sample_values()), *map(read, EVERY_KIND)])


def test_a_made_record_is_what_pyld_makes_of_it() -> None:
    corpus = [read(value) for value in made_values()]
    assert {record.kind for record in corpus} == set(KINDS)
    check(corpus)


def test_a_real_record_is_what_pyld_makes_of_it(shared: Path) -> None:
    values = archive_values(shared / "records")
    assert len(values) > 1_000
    check([*map(records.read, seed_values()), *map(read, values)])


DIRT = st.one_of(
    TEXTS,
    TEXTS.map(lambda text: f"https://example.org/{text}"),
    st.sampled_from(
        [
            None,
            True,
            7,
            -0.5,
            "",
            "8.0",
            "\ud835",
            "dct:x",
            "kg:x",
            "@id",
            "_:b",
            "http://host:abc/",
            "http://a/b#c#d",
            "https://e.org/[a](b) c%zz",
            "https://e.org/\u2028\xa0",
            "https://[::1]/x",
            "git@github.com:a/b.git",
            "https://paperswithcode.com/paper/Ünï cödé",
            "2222-13-40",
            "1e5",
        ]
    ),
    st.lists(TEXTS, max_size=2),
)


def _places(part: Json) -> Iterable[tuple[Json, Json]]:
    """Yield the places of all values but arrays and objects: what each is in, and its key."""
    inner = part.items() if isinstance(part, dict) else enumerate(part)
    for key, value in inner:
        if isinstance(value, dict | list):
            yield from _places(value)
        else:
            yield part, key


@settings(
    max_examples=120,
    deadline=None,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
@given(st.data())
def test_a_dirty_record_is_what_pyld_makes_of_it(data: st.DataObject) -> None:
    kinds = [*EVERY_KIND, KINDS["paper"].make(1), KINDS["dataset"].make(1)]
    value = copy.deepcopy(data.draw(st.sampled_from(kinds)))
    places = list(_places(value))
    for _ in range(data.draw(st.integers(1, 4))):
        part, key = data.draw(st.sampled_from(places))
        part[key] = data.draw(DIRT)
    try:
        record = read(value)
    except RecordError:
        assume(False)
    check([record])


# ---- how many go through PyLD --------------------------------------------------------------------


def through_pyld(corpus: Sequence[Record], contexts: Contexts) -> int:
    mapper = mapper_of(corpus, contexts)
    return sum(not mapper.map(record).is_compiled for record in corpus)


def edited(kind: str, **terms: Json) -> Contexts:
    """Return the shipped contexts, that of *kind* with more (or other) *terms* at its end."""
    return Contexts({**SHIPPED.by_kind, kind: [*SHIPPED.of(kind), terms]})


def test_no_record_goes_through_pyld_by_our_contexts() -> None:
    corpus = [*map(records.read, sample_values()), *map(read, [*EVERY_KIND, *made_values()])]
    assert len(corpus) > 200
    assert through_pyld(corpus, SHIPPED) == 0
    # The count counts: with a vocabulary, what a word means is no longer said by the terms alone.
    papers = sum(record.kind == PAPERS for record in corpus)
    other = edited(PAPERS, **{"@vocab": "http://example.org/ns#"})
    assert through_pyld(corpus, other) == papers > 50


# ---- what users edit -----------------------------------------------------------------------------


def lines_by(contexts: Contexts, value: Json) -> set[str]:
    record = read(value)
    mapped = mapper_of([record], contexts).map(record)
    assert mapped.is_compiled
    check([record], contexts)
    return {line.decode() for line in mapped.lines}


def with_terms(kind: str, type_: str, **terms: Json) -> Contexts:
    """Return the shipped contexts, with *terms* in the context of a type of a *kind*."""
    context = copy.deepcopy(SHIPPED.of(kind))
    own: Json = context[-1][type_]
    own["@context"] |= terms
    return Contexts({**SHIPPED.by_kind, kind: context})


ATTENTION = "<https://w3id.org/paperkg/paper/attention-is-all-you-need>"
TITLE = f'{ATTENTION} <http://purl.org/dc/terms/title> "Attention Is All You Need" .'


@pytest.mark.parametrize(
    ("definition", "written"),
    [
        ("schema:headline", ['<http://schema.org/headline> "Attention Is All You Need"']),
        (
            {"@id": "dct:title", "@language": "en"},
            ['<http://purl.org/dc/terms/title> "Attention Is All You Need"@en'],
        ),
        (
            {"@id": "urn:t", "@type": "urn:d"},
            ['<urn:t> "Attention Is All You Need"^^<urn:d>'],
        ),
        (None, []),
    ],
    ids=json.dumps,
)
def test_another_definition_of_a_term_is_another_graph(definition: Json, written: Json) -> None:
    before = lines_by(SHIPPED, PAPER)
    after = lines_by(with_terms(PAPERS, "Paper", title=definition), PAPER)
    assert before - after == {TITLE}
    assert after - before == {f"{ATTENTION} {rest} ." for rest in written}


def test_a_removed_term_is_no_triple() -> None:
    context = copy.deepcopy(SHIPPED.of(PAPERS))
    own: Json = context[-1]["Paper"]
    del own["@context"]["title"]
    after = lines_by(Contexts({**SHIPPED.by_kind, PAPERS: context}), PAPER)
    assert lines_by(SHIPPED, PAPER) - after == {TITLE}


def test_another_class_is_another_graph() -> None:
    context = copy.deepcopy(SHIPPED.of(PAPERS))
    own: Json = context[-1]["Authorship"]
    own["@id"] = "schema:Role"
    lines = lines_by(Contexts({**SHIPPED.by_kind, PAPERS: context}), PAPER)
    kinds = [line for line in lines if "#author-1> <http://www.w3.org/1999" in line]
    assert [line.split()[2] for line in kinds] == ["<http://schema.org/Role>"]


def test_a_term_that_goes_further_is_mapped_by_pyld_and_counted() -> None:
    contexts = with_terms(PAPERS, "Paper", authors={"@reverse": "kg:authorOf"})
    record, other = read(PAPER), read(LINK)
    mapper = mapper_of([record, other], contexts)
    mapped = mapper.map(record)
    assert not mapped.is_compiled
    assert f"<{KG}authorOf> {ATTENTION} ." in {
        line.decode().split(" ", 1)[1] for line in mapped.lines
    }
    assert mapper.map(other).is_compiled


def test_a_key_that_only_the_last_record_has_is_written() -> None:
    plain = {"paper_url": PAPER["paper_url"], "title": "T", "abstract": "A"}
    many = [{**plain, "paper_url": f"{PAPER['paper_url']}-{n}"} for n in range(300)]
    corpus = [read(value) for value in [*many, PAPER]]
    mapper = mapper_of(corpus, SHIPPED)
    *_, last = [mapper.map(record) for record in corpus]
    assert set(last.lines) == set(mapper_of(corpus, SHIPPED).map(corpus[-1]).lines)
    assert any(b"openreviewId" in line for line in last.lines)


# ---- what records have in common ----------------------------------------------------------------


def whole(corpus: Sequence[Record], contexts: Contexts, *, repeat: bool) -> tuple[int, set[bytes]]:
    mapper = mapper_of(corpus, contexts, repeat=repeat)
    lines = [line for record in corpus for line in mapper.map(record).lines]
    return len(lines), set(lines)


@pytest.mark.parametrize(
    "contexts",
    [
        SHIPPED,
        # With the first of these a row that has methods goes through PyLD, with the other all do.
        with_terms(PAPERS, "Paper", methods={"@reverse": "kg:methodOf"}),
        edited(PAPERS, **{"@vocab": "http://example.org/ns#"}),
    ],
    ids=["shipped", "partly", "through PyLD"],
)
def test_what_records_share_is_in_the_graph_though_written_once(contexts: Contexts) -> None:
    corpus = [read(value) for value in [*made_values(), PAPER, TABLE, DATASET]]
    count, lines = whole(corpus, contexts, repeat=True)
    fewer, same = whole(corpus, contexts, repeat=False)
    assert same == lines
    assert fewer < count


def test_a_record_is_known_by_all_of_its_lines_whoever_has_written_them() -> None:
    odd = {**PAPER["methods"][0], "introduced_year": 20170, "description": "Call +1 (888) 555-0123"}
    rows = [{**PAPER, "paper_url": f"{PAPER['paper_url']}-{n}", "methods": [odd]} for n in (1, 2)]
    corpus = [read(value) for value in [*made_values(), *rows, *EVERY_KIND]]
    each, once = (mapper_of(corpus, SHIPPED, repeat=repeat) for repeat in (True, False))
    for record in corpus:
        full, part = each.map(record), once.map(record)
        assert {*map(hash, part.lines), *part.left_out} == {*map(hash, full.lines)}
        assert part.findings == full.findings
    kinds = {finding.kind for finding in once.map(read(rows[1])).findings}
    assert kinds >= {FindingKind.SUSPECT, FindingKind.ODD_VALUE}


def test_a_shared_node_has_the_lines_of_those_in_it() -> None:
    shared, findings = SharedNodes(), list[Finding]()
    task = {"@id": "http://e/t", "@type": "Task", "name": "T"}
    paper = {"@id": "http://e/p", "@type": "Paper", "tasks": [task]}
    inner = shared.node(lambda: task, findings, "t")
    outer = shared.node(lambda: paper | {"tasks": [inner]}, findings, "p")
    context = CompiledContext(SHIPPED.of(PAPERS), PAPERS, repeat=False)
    context.lines([inner])
    context.lines([outer])
    assert context.lines([outer]) == []
    assert sorted(context.left_out) == sorted(map(hash, context.lines([paper])))
