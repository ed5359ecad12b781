"""The index of names: what it finds, in which order, and that no text upsets it."""

from __future__ import annotations

import itertools
import json
import sqlite3
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.errors import StoreError, UsageError
from kg.search import Builder, Hit, Index, build, hits_as_json, hits_of
from kg.search.asked import Asked
from tests.search.conftest import Make, in_blocks, lines

BASE = "https://w3id.org/paperkg/"
GRAPH = """
paper:bert a kg:Paper ; dct:title "BERT: Pre-training of Deep Transformers" ; kg:slug "bert" ;
  dct:issued "2018-10-11"^^xsd:date ; kg:arxivId "1810.04805" ; kg:venue "NAACL" ;
  kg:venueYear "2019"^^xsd:gYear ;
  kg:authorship <https://w3id.org/paperkg/paper/bert#author-1> ,
                <https://w3id.org/paperkg/paper/bert#author-2> .
<https://w3id.org/paperkg/paper/bert#author-1> a kg:Authorship ; kg:authorName "Jacob Devlin" .
<https://w3id.org/paperkg/paper/bert#author-2> a kg:Authorship ; kg:authorName "Ming-Wei Chang" .
paper:bert-again a kg:Paper ; dct:title "Another BERT of \\"deep\\" \\\\naïve nets" ;
  kg:slug "bert-again" ; dct:issued "2020"^^xsd:gYear ;
  kg:authorship <https://w3id.org/paperkg/paper/bert-again#author-1> .
<https://w3id.org/paperkg/paper/bert-again#author-1> kg:authorName "Ada Usman" .
method:bert a kg:Method ; rdfs:label "BERT" ; kg:slug "bert" ; kg:introducedYear "2018"^^xsd:gYear ;
  kg:fullName "Bidirectional Encoder Representations" .
dataset:squad a kg:Dataset ; rdfs:label "SQuAD" ; kg:slug "squad" ;
  kg:fullName "Stanford Question Answering Dataset" ; kg:variantName "SQuAD1.1", "SQuAD1.1 dev" .
<https://w3id.org/paperkg/dataset/name/squad2> a kg:Dataset ; rdfs:label "SQuAD2" .
task:question-answering a kg:Task ; rdfs:label "Question Answering" ;
  kg:slug "question-answering" ; skos:altLabel "QA" .
<http://example.org/mine> a kg:Paper ; dct:title "Frage und Antwort"@de .
<https://github.com/e/squad> a kg:Repo ; rdfs:label "SQuAD code" .
"""


def names(index: Index, text: str, **asked: object) -> list[str]:
    return [hit.iri.removeprefix(BASE) for hit in index.search(text, **asked)]  # type: ignore[arg-type]  # what each test asks


def test_what_is_called_so_comes_first_then_what_begins_so_then_the_rest(make: Make) -> None:
    index = make(GRAPH)
    assert names(index, "bert") == ["method/bert", "paper/bert", "paper/bert-again"]
    assert names(index, "squad") == ["dataset/squad", "dataset/name/squad2"]
    assert names(index, "question answering") == ["task/question-answering", "dataset/squad"]


def test_the_shorter_name_and_the_one_with_more_of_the_words_are_nearer(make: Make) -> None:
    index = make("""
        task:a a kg:Task ; rdfs:label "Graph and trees" . task:b a kg:Task ; rdfs:label "Graphs" .
        task:c a kg:Task ; rdfs:label "Neural trees of many more words than the others have" .
        task:d a kg:Task ; rdfs:label "Big trees, small trees" .
    """)
    assert names(index, "graph") == ["task/b", "task/a"]
    assert names(index, "trees") == ["task/d", "task/a", "task/c"]
    assert names(index, "trees", limit=1) == ["task/d"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("BERT", "method/bert"),
        ("  bert\t", "method/bert"),
        ("pre-training", "paper/bert"),
        ("transformers deep", "paper/bert"),
        ("transf pre", "paper/bert"),
        ("naive", "paper/bert-again"),
        ("NAÏVE nets", "paper/bert-again"),
        ('"deep" nets', "paper/bert-again"),
        ("1810.04805", "paper/bert"),
        ("arXiv:1810.04805", "paper/bert"),
        ("arxiv 1810.04", "paper/bert"),
        ("bert-again", "paper/bert-again"),
        ("stanford", "dataset/squad"),
        ("squad1.1", "dataset/squad"),
        ("dev", "dataset/squad"),
        ("qa", "task/question-answering"),
        ("antwort", "http://example.org/mine"),
        ("bidirectional", "method/bert"),
    ],
)
def test_a_name_is_found_by_its_words(make: Make, text: str, found: str) -> None:
    assert names(make(GRAPH), text)[0] == found


@pytest.mark.parametrize("text", ["", " ", "zzz", "bert squad", "ert", "code", "Devlin", "2019"])
def test_what_no_name_has_finds_nothing(make: Make, text: str) -> None:
    assert names(make(GRAPH), text) == []


def test_a_hit_says_what_tells_it_from_others_of_its_name(make: Make) -> None:
    index = make(GRAPH)
    assert index.search("bert") == [
        Hit("method", f"{BASE}method/bert", "BERT", "bert",
            "Bidirectional Encoder Representations · 2018"),
        Hit("paper", f"{BASE}paper/bert", "BERT: Pre-training of Deep Transformers", "bert",
            "Jacob Devlin et al. · NAACL 2019"),
        Hit("paper", f"{BASE}paper/bert-again", 'Another BERT of "deep" \\naïve nets', "bert-again",
            "Ada Usman · 2020"),
    ]  # fmt: skip
    (mine,) = index.search("frage")
    assert (mine.slug, mine.detail) == (None, "")


def test_kinds_and_a_limit_narrow_it_down(make: Make) -> None:
    index = make(GRAPH)
    assert names(index, "bert", kinds=["paper"]) == ["paper/bert", "paper/bert-again"]
    assert names(index, "bert", kinds=("task", "method")) == ["method/bert"]
    assert names(index, "deep", kinds=["paper", "task"]) == ["paper/bert-again", "paper/bert"]
    assert names(index, "bert", limit=2) == ["method/bert", "paper/bert"]
    with pytest.raises(UsageError, match="'author' is none of the kinds dataset, method"):
        index.search("bert", kinds=["author"])
    with pytest.raises(UsageError, match="the limit is 0"):
        index.search("bert", limit=0)


def test_what_has_no_name_is_found_by_what_it_has(make: Make) -> None:
    index = make("""
        paper:x-y a kg:Paper ; kg:slug "x-y" .
        <https://w3id.org/paperkg/paper/name/arxiv-1> a kg:Paper ; kg:arxivId "1901.00001" .
        paper:nothing a kg:Paper . paper:blank a kg:Paper ; dct:title "  " .
        [] a kg:Task ; rdfs:label "Nameless" . paper:w dct:title "No class" .
    """)
    assert [(hit.name, hit.slug) for hit in index.search("x y")] == [("x-y", "x-y")]
    assert [hit.name for hit in index.search("1901.00001")] == ["arXiv:1901.00001"]
    for text in ("nothing", "blank", "nameless", "class"):
        assert index.search(text) == []
    assert len(index.listing("paper")) == 2
    assert index.listing("task") == []


def test_several_names_of_one_thing_are_all_found_and_it_once(make: Make) -> None:
    index = make('task:a a kg:Task ; rdfs:label "Alpha", "Alphabet", "Gamma" .')
    for text in ("alpha", "alphabet", "gamma", "gamma alpha"):
        assert [hit.name for hit in index.search(text)] == ["Alpha"]


def test_the_same_triples_give_the_same_file_in_blocks_of_any_size(tmp_path: Path) -> None:
    found = lines(GRAPH)
    files = [tmp_path / f"{size}" for size in (1, 3, 1000)]
    for size, path in zip((1, 3, 1000), files, strict=True):
        build(path, in_blocks(found, size))
    one, *others = [path.read_bytes() for path in files]
    assert all(other == one for other in others)


def test_things_of_all_kinds_in_any_order_keep_their_kinds(make: Make) -> None:
    kinds = ["Task", "Paper", "Dataset", "Method"] * 5
    index = make(
        "".join(
            f'<http://e/{n:02}> a kg:{kind} ; rdfs:label "thing {n}" .\n'
            for n, kind in enumerate(kinds)
        )
    )
    for n, kind in enumerate(kinds):
        (hit,) = index.search(f"thing {n}", limit=1)
        assert (hit.iri, hit.kind) == (f"http://e/{n:02}", kind.lower())
    assert len(index.search("thing", kinds=["task"])) == 5


def test_the_things_of_a_kind_are_listed_in_order(make: Make) -> None:
    index = make(GRAPH)
    papers = [hit.iri for hit in index.listing("paper")]
    assert papers == ["http://example.org/mine", f"{BASE}paper/bert-again", f"{BASE}paper/bert"]
    assert [hit.iri for hit in index.listing("paper", 1, 1)] == papers[1:2]
    assert [hit.kind for hit in index.listing("task")] == ["task"]
    assert index.listing("dataset", 2) == index.listing("dataset", 0, 0) == []
    assert len(index.listing("dataset", 0, 1 << 50)) == 2
    with pytest.raises(UsageError, match="is none of the kinds"):
        index.listing("author")


def test_of_very_many_names_that_begin_so_the_exact_one_is_first(make: Make) -> None:
    things = (f'task:t{n} a kg:Task ; rdfs:label "a{n}" .' for n in range(10_500))
    index = make("\n".join(things) + 'task:z a kg:Task ; rdfs:label "A" .')
    assert [hit.name for hit in index.search("a", limit=2)] == ["A", "a0"]


def test_a_long_name_is_found_by_all_of_it(make: Make) -> None:
    title = " ".join(f"word{n}" for n in range(200))
    index = make(f'paper:long a kg:Paper ; dct:title "{title}" .')
    assert names(index, title) == ["paper/long"]
    assert names(index, title + " and more") == ["paper/long"]  # the end is not compared
    assert names(index, "word100 word199") == ["paper/long"]


@given(st.text() | st.text(alphabet='"*^:(){}+-ANDORNEaß\0\ud800 \u0301'))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_no_text_is_an_error(make: Make, text: str) -> None:
    index = _index(make)
    assert index.search(text, limit=3) == index.search(text, limit=3)


_made: list[Index] = []


def _index(make: Make) -> Index:
    try:
        _made[0].search("a")
    except (IndexError, StoreError):
        _made[:] = [make(GRAPH)]
    return _made[0]


@given(
    st.text(alphabet="abcß éÄ-.中0", min_size=1).filter(lambda text: any(map(str.isalnum, text)))
)
@settings(
    max_examples=30,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    deadline=None,
)
def test_every_name_is_found_by_itself_first(
    tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    path = tmp_path_factory.mktemp("name") / "search.sqlite"
    more = f'task:a a kg:Task ; rdfs:label "a b c" . task:x a kg:Task ; rdfs:label "{name}x" .'
    build(path, in_blocks(lines(f'dataset:n a kg:Dataset ; rdfs:label "{name}" . {more}')))
    with Index.open(path) as index:
        assert index.search(name)[0].name == name


def test_threads_share_an_index_that_outlives_its_file(make: Make, tmp_path: Path) -> None:
    index = make(GRAPH)
    (tmp_path / "0.sqlite").unlink()
    found: list[int] = []

    def work() -> None:
        found.extend(len(index.search("bert")) for _ in range(20))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert found == [3] * 80


def test_a_missing_a_foreign_and_a_damaged_file_are_clear_errors(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="has no index of names; kg build makes one"):
        Index.open(tmp_path / "search.sqlite")
    (tmp_path / "text").write_bytes(b"no database at all, but long enough to be looked at" * 40)
    with pytest.raises(StoreError, match="cannot be read; build it again"):
        Index.open(tmp_path / "text")
    other = sqlite3.connect(tmp_path / "other")
    other.execute("CREATE TABLE t (a)")
    other.close()
    with pytest.raises(StoreError, match="build it again"):
        Index.open(tmp_path / "other")
    with pytest.raises(StoreError, match="the index of names"):
        build(tmp_path / "no" / "folder", [])


def test_a_builder_that_is_given_up_lets_go_of_its_file(tmp_path: Path) -> None:
    builder = Builder(tmp_path / "a")
    builder.scan(line.split(b" ", 2) for line in lines(GRAPH))
    builder.close()
    with pytest.raises(StoreError):
        builder.finish()


def test_an_address_asks_for_a_search(make: Make) -> None:
    index = make(GRAPH)
    asked = Asked.of([("q", "bert"), ("kind", "paper"), ("kind", ""), ("limit", ""), ("x", "y")])
    assert (asked.text, asked.kinds, asked.limit) == ("bert", ("paper",), 20)
    assert [hit.kind for hit in asked.hits(index)] == ["paper", "paper"]
    answer = Asked.of([("q", "1810.04805"), ("limit", "1000")]).answer(index)
    assert answer == {
        "query": "1810.04805",
        "hits": [
            {
                "kind": "paper",
                "iri": f"{BASE}paper/bert",
                "name": "BERT: Pre-training of Deep Transformers",
                "slug": "bert",
                "detail": "Jacob Devlin et al. · NAACL 2019",
            }
        ],
    }
    assert Asked.of([]).answer(index) == {"query": "", "hits": []}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kind", "author"),
        *itertools.product(["limit"], ["0", "1001", "-1", "x", "²", "٣", "9" * 5000]),
    ],
)
def test_an_address_that_asks_for_what_is_not_there_is_refused(name: str, value: str) -> None:
    with pytest.raises(UsageError, match=f"{name}="):
        Asked.of([("q", "x"), (name, value)])


def test_an_answer_is_read_as_it_was_written(make: Make) -> None:
    hits = make(GRAPH).search("bert")
    assert hits_of(json.dumps(hits_as_json("bert", hits)).encode()) == hits
    for broken in (b"", b"[]", b"{}", b'{"hits": [{}]}', b'{"hits": 3}'):
        with pytest.raises(ValueError, match="no answer to a search"):
            hits_of(broken)
