"""What a dump is besides its triples: its bytes, its head, its memory, its refusals."""

from __future__ import annotations

import gzip
import io
import json
import re
import time
import tracemalloc
from collections.abc import Iterator
from functools import partial
from itertools import product as product_of
from pathlib import Path
from typing import Any, cast
from xml.etree import ElementTree

import pyoxigraph as ox
import pytest

from kg import builder, resources
from kg.describing import Describer
from kg.errors import StoreError, UsageError
from kg.exporter import FORMATS, Export, output_context
from kg.exporter.frames import Framer
from kg.exporter.product import Product
from kg.snapshot import Snapshot
from kg.sorting import SortedLines
from tests.conftest import sample_values
from tests.exporter.making import (
    BASE,
    RDF_TYPE,
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

pytestmark = pytest.mark.filterwarnings(
    "ignore:ConjunctiveGraph is deprecated:DeprecationWarning",  # of rdflib's own reader
    "ignore:Dataset.default_context is deprecated:DeprecationWarning",
)

LICENCE = "https://creativecommons.org/licenses/by-sa/4.0/"
ATTRIBUTION = "https://codewithpapers.app/attribution"
Triples = list[tuple[ox.NamedNode, ox.NamedNode, ox.NamedNode | ox.Literal]]


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    folder = tmp_path_factory.mktemp("samples")
    return builder.build([resources.samples()], folder / "store").snapshot


@pytest.fixture(scope="module")
def again(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    """The snapshot of another build of the same records, in another order."""
    folder = tmp_path_factory.mktemp("again")
    lines = "".join(f"{json.dumps(value)}\n" for value in reversed(sample_values()))
    (folder / "all.jsonl").write_text(lines, "utf-8")
    return builder.build([folder / "all.jsonl"], folder / "store").snapshot


@pytest.mark.parametrize("format_", FORMATS)
def test_the_bytes_are_the_same_from_run_to_run_and_from_build_to_build(
    samples: Snapshot, again: Snapshot, format_: str
) -> None:
    assert samples.id != again.id
    assert exported(samples, format_) == exported(samples, format_) == exported(again, format_)


def test_compressed_bytes_are_the_same_too_and_hold_the_dump(
    samples: Snapshot, again: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    dumps = []
    for snapshot, now in ((samples, 1e9), (again, 2e9)):
        monkeypatch.setattr(time, "time", lambda now=now: now)
        stream = io.BytesIO()
        Export(snapshot, "ttl").write(stream, compress=True)
        dumps.append(stream.getvalue())
    assert dumps[0] == dumps[1]
    assert gzip.decompress(dumps[0]) == exported(samples, "ttl")


@pytest.mark.parametrize("format_", ["nt", "nq", "ttl", "trig", "rdfxml"])
def test_licence_and_attribution_stand_at_the_head(samples: Snapshot, format_: str) -> None:
    text = exported(samples, format_).decode("utf-8")
    head = text.partition("-->" if format_ == "rdfxml" else "\n<" if "n" in format_ else "@prefix")[
        0
    ]
    assert f"Licence: {LICENCE}\n" in head
    assert "Licence as named: CC BY-SA 4.0\n" in head
    assert f"Attribution: {ATTRIBUTION}\n" in head
    assert "Note: paperkg has no tie to Papers with Code" in head
    assert "Changes: sample record written for paperkg from facts" in head


@pytest.mark.parametrize("format_", FORMATS)
def test_licence_and_attribution_stand_in_the_data(samples: Snapshot, format_: str) -> None:
    quads = oxigraph_reads(exported(samples, format_), format_)
    records = {s for s, p, o, _ in quads if p == str(RDF_TYPE) and o == str(kg("Record"))}
    assert records
    for end, value in (("terms/license>", LICENCE), ("attributionURL>", ATTRIBUTION)):
        assert (
            records
            == {s for s, p, o, _ in quads if p.endswith(end) and o == f"<{value}>"} & records
        )


def test_the_head_of_one_graph_tells_what_is_said_of_that_graph(tmp_path: Path) -> None:
    graph, other = iri("http://e.org/g"), iri("http://e.org/h")
    licence = iri("http://purl.org/dc/terms/license")
    snapshot = snapshot_of(
        tmp_path,
        [
            ox.Quad(graph, licence, iri("http://e.org/licence"), graph),
            ox.Quad(other, licence, iri("http://e.org/another"), other),
            ox.Quad(other, licence, iri("http://e.org/misplaced")),
        ],
    )
    assert b"# Licence of <http://e.org/g>: http://e.org/licence\n" in exported(
        snapshot, "ttl", graph.value
    )
    assert b"another" not in exported(snapshot, "ttl", graph.value)
    both = exported(snapshot, "trig").partition(b"@prefix")[0]
    assert b"/g>: http://e.org/licence\n" in both
    assert b"/h>: http://e.org/another\n" in both
    assert b"misplaced" not in both
    assert b"Licence" not in exported(snapshot, "ttl").partition(b"@prefix")[0]


def test_a_value_in_the_head_breaks_no_line_and_no_comment(tmp_path: Path) -> None:
    record, note = iri("record/r"), literal("one\ntwo\r<a> <b> <c> . --> <x/> -- \x01 --")
    triples: Triples = [(record, RDF_TYPE, kg("Record")), (record, kg("nonAffiliation"), note)]
    triples += [(record, kg("modificationNote"), literal(f"n{n:02}")) for n in range(30)]
    snapshot = snapshot_of(tmp_path, default_graph(triples))
    for format_ in ("nt", "ttl"):
        content = exported(snapshot, format_)
        assert oxigraph_reads(content, format_) == product(snapshot)
        assert rb"# Note: one\ntwo\r<a>" in content
        assert b"# Changes: n19\n# Changes: 10 more, which stand below\n" in content
    harmless: Triples = [(s, p, literal("a --> <x/> --")) for s, p, _ in triples[1:2]]
    snapshot = snapshot_of(tmp_path, default_graph(triples[:1] + harmless))
    assert oxigraph_reads(exported(snapshot, "rdfxml"), "rdfxml") == product(snapshot)
    ElementTree.fromstring(exported(snapshot, "rdfxml"))  # noqa: S314 - our own bytes


@pytest.mark.parametrize("character", ["\x00", "\x08", "\x1f", "\ufffe", "\uffff"])
def test_rdf_xml_names_the_subject_that_it_cannot_carry_and_writes_nothing(
    tmp_path: Path, character: str
) -> None:
    triples: Triples = [(iri("paper/a"), kg("slug"), literal("a"))]
    triples += [(iri("paper/b"), kg("note"), literal(f"x{character}y"))]
    snapshot = snapshot_of(tmp_path, default_graph(triples))
    stream = io.BytesIO()
    said = (
        f"cannot carry <{BASE}paper/b>: its .*ns#note> holds the character U.{ord(character):04X}"
    )
    for compress in (False, True):
        with pytest.raises(UsageError, match=said):
            Export(snapshot, "rdfxml").write(stream, compress=compress)
    assert stream.getvalue() == b""


@pytest.mark.parametrize(
    "predicate",
    [
        "http://e.org/123",
        "http://e.org/",
        "http://e.org/名前",
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#li",
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#about",
        "http://www.w3.org/2000/xmlns/a",
    ],
)
def test_rdf_xml_names_the_subject_whose_property_makes_no_element(
    tmp_path: Path, predicate: str
) -> None:
    snapshot = snapshot_of(
        tmp_path, default_graph([(iri("paper/b"), iri(predicate), literal("x"))])
    )
    with pytest.raises(UsageError, match=f"cannot carry <{BASE}paper/b>: its property"):
        exported(snapshot, "rdfxml")
    assert oxigraph_reads(exported(snapshot, "ttl"), "ttl") == product(snapshot)


def test_rdf_xml_writes_a_carriage_return_so_that_it_stays_one(tmp_path: Path) -> None:
    text = literal("a\r\nb\rc")
    snapshot = snapshot_of(tmp_path, default_graph([(iri("paper/b"), kg("note"), text)]))
    content = exported(snapshot, "rdfxml")
    assert b"a&#13;\nb&#13;c" in content
    twin = content.replace(b"&#13;", b"\r")
    assert rdflib_reads(content, "rdfxml") == product(snapshot)
    assert rdflib_reads(twin, "rdfxml") != product(snapshot)


def test_turtle_is_grouped_and_has_the_projects_prefixes_only(samples: Snapshot) -> None:
    text = exported(samples, "ttl").decode("utf-8")
    subjects = re.findall(r"^(?:<[^>]*>|[\w]+:[\w.-]+)$", text, re.MULTILINE)
    assert len(subjects) == len(set(subjects))
    assert len(subjects) == len({quad[0] for quad in product(samples)})
    declared = dict(re.findall(r"^@prefix (\w+): <(.*)> \.$", text, re.MULTILINE))
    shipped = (resources.ontology() / "prefixes.ttl").read_text("utf-8")
    assert all(f'"{prefix}" ; sh:namespace "{iri}"' in shipped for prefix, iri in declared.items())
    assert "\npaper:attention-is-all-you-need\n    a kg:Paper ;\n" in text, (
        "a thing with a plain key is written by its prefix"
    )
    assert "<https://w3id.org/paperkg/paper/attention-is-all-you-need#author-1>\n" in text


def test_the_prefixes_of_the_data_move_with_the_base(tmp_path: Path) -> None:
    thing = iri("https://e.org/kg/paper/p")
    snapshot = snapshot_of(
        tmp_path, default_graph([(thing, RDF_TYPE, kg("Paper"))]), "https://e.org/kg/"
    )
    text = exported(snapshot, "ttl")
    assert b"@prefix paper: <https://e.org/kg/paper/> ." in text
    assert b"\npaper:p\n    a kg:Paper .\n" in text


def test_jsonld_has_the_shipped_context_inline(samples: Snapshot) -> None:
    document = json.loads(exported(samples, "jsonld"))
    shipped = json.loads((resources.ontology() / "context" / "paperkg.jsonld").read_text("utf-8"))
    assert list(document) == ["@context", "@graph"]
    assert document["@context"] == shipped["@context"]
    default = [node for node in document["@graph"] if "@graph" not in node]
    nodes = {node["id"]: node for node in default}
    assert len(nodes) == len(default)
    paper = nodes[f"{BASE}paper/attention-is-all-you-need"]
    assert paper["type"] == "Paper"
    assert paper["arxivId"] == "1706.03762"
    assert paper["arxivVersion"] == 7
    assert paper["authorship"][0] == f"{BASE}paper/attention-is-all-you-need#author-1"
    assert {key for node in nodes.values() for key in node} <= set(shipped["@context"])


ODD = ox.NamedNode("prov:x")
ODD_QUADS = [
    ox.Quad(ODD, kg("task"), iri("http://e.org/t")),
    ox.Quad(iri("http://e.org/s"), ODD, iri("http://e.org/t")),
    ox.Quad(iri("http://e.org/s"), RDF_TYPE, ODD),
    ox.Quad(iri("http://e.org/s"), kg("task"), ODD),
    ox.Quad(iri("http://e.org/s"), kg("note"), ox.Literal("1", datatype=ODD)),
]


@pytest.mark.parametrize("graph", [None, iri("http://e.org/g"), ODD])
@pytest.mark.parametrize("odd", ODD_QUADS)
def test_json_ld_names_the_subject_that_it_cannot_carry_and_writes_nothing(
    tmp_path: Path, odd: ox.Quad, graph: ox.NamedNode | None
) -> None:
    if graph is not None:
        odd = ox.Quad(odd.subject, odd.predicate, odd.object, graph)
    others = [ox.Quad(iri(f"paper/p{n}"), kg("note"), literal("x" * 400)) for n in range(500)]
    snapshot = snapshot_of(tmp_path, [*others, odd])
    said = f"cannot carry {odd.subject}: <prov:x> .* prov: is a"
    for format_, compress in product_of(("jsonld", "jsonl"), (False, True)):
        picked = None if graph is None or format_ == "jsonld" else graph.value
        stream = io.BytesIO()
        with pytest.raises(UsageError, match=said):
            Export(snapshot, format_, picked).write(stream, compress=compress)
        assert stream.getvalue() == b""
    for other in ("nq", "trig"):
        assert oxigraph_reads(exported(snapshot, other), other) == product(snapshot, named=True)


def test_a_graph_is_refused_for_its_name_alone(tmp_path: Path) -> None:
    plain = iri("http://e.org/s"), kg("task"), iri("http://e.org/t")
    snapshot = snapshot_of(tmp_path, [ox.Quad(*plain, ODD)])
    with pytest.raises(UsageError, match=r"cannot carry <http://e.org/s>: <prov:x> stands with it"):
        exported(snapshot, "jsonld")
    picked = exported(snapshot, "jsonl", ODD.value)
    assert {quad[:3] for quad in oxigraph_reads(picked, "jsonl")} == {tuple(map(str, plain))}


@pytest.mark.parametrize("format_", ["jsonld", "jsonl"])
def test_json_ld_carries_what_only_looks_like_a_prefixed_name(tmp_path: Path, format_: str) -> None:
    """The scheme is a term that is no prefix, or authority follows, or it stands in a text."""
    thing = iri("http://e.org/a")
    names = ("code:x", "id:x", "type:x", "results:x", "url:x", "prov://e/x", "provx:y", "urn:x:y")
    triples: Triples = [(thing, kg("task"), ox.NamedNode(name)) for name in names]
    triples += [(thing, RDF_TYPE, ox.NamedNode("code:y"))]
    triples += [(ox.NamedNode("code:z"), ox.NamedNode("code:p"), literal("<prov:x>"))]
    triples += [(thing, kg("note"), literal("<prov:x>"))]
    snapshot = snapshot_of(tmp_path, default_graph(triples))
    content = exported(snapshot, format_)
    assert oxigraph_reads(content, format_) == product(snapshot)
    assert rdflib_reads(content, format_) == product(snapshot)


def test_a_description_in_json_ld_names_what_it_cannot_carry() -> None:
    thing = iri("http://e.org/s")
    with pytest.raises(UsageError, match=f"cannot carry {thing}: <prov:x>"):
        Framer(output_context()).frame([ox.Triple(thing, kg("task"), ODD)])


def test_the_named_graphs_are_read_once_for_trig(
    samples: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = []
    quads = Product.quads

    def counted(self: Product) -> Iterator[bytes]:
        read.append(self)
        return quads(self)

    monkeypatch.setattr(Product, "quads", counted)
    export = Export(samples, "trig")
    assert export.left_out == []
    export.write(io.BytesIO())
    assert len(read) == 1
    assert Export(samples, "ttl").left_out == list(cast("Any", samples.manifest["graphs"]))
    assert len(read) == 1


def test_nothing_is_looked_up_for_what_can_have_no_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    triples: Triples = [(iri(f"task/t{n}"), RDF_TYPE, kg("Task")) for n in range(5)]
    triples += [(iri("task/t1"), kg("note"), literal("85.50", "decimal"))]
    triples += [(iri("dataset/d"), kg("dataLoader"), iri("dataset/d#l"))]
    triples += [(iri("dataset/d#l"), RDF_TYPE, kg("DataLoader"))]
    described = []
    description = Describer.description

    def noted(self: Describer, thing: ox.NamedNode) -> list[ox.Triple]:
        described.append(thing)
        return description(self, thing)

    monkeypatch.setattr(Describer, "description", noted)
    snapshot = snapshot_of(tmp_path, default_graph(triples))
    assert oxigraph_reads(exported(snapshot, "jsonl"), "jsonl") == product(snapshot)
    assert described == [iri("dataset/d")]


def lines_of(snapshot: Snapshot) -> list[dict[str, Any]]:
    return [json.loads(line) for line in exported(snapshot, "jsonl").splitlines()]


def test_a_line_of_a_paper_holds_its_parts_and_points_to_everything_else(
    samples: Snapshot,
) -> None:
    lines = {line["id"]: line for line in lines_of(samples)}
    paper = lines[f"{BASE}paper/attention-is-all-you-need"]
    names = [author["authorName"] for author in paper["authorship"]]
    assert names[:2] == ["Ashish Vaswani", "Noam Shazeer"]
    assert [author["position"] for author in paper["authorship"]] == list(range(1, 9))
    assert {link["type"] for link in paper["codeLink"]} == {"CodeLink"}
    assert paper["sampleLink"][0]["sample"]["type"] == "Sample"
    assert isinstance(paper["sampleLink"][0]["sample"]["repo"], str)
    result = paper["results"][0]
    assert result["type"] == "Result"
    assert "paper" not in result
    assert {type(m["rawValue"]) for m in result["measurement"]} == {str}
    assert isinstance(result["leaderboard"], str)
    assert all(isinstance(task, str) for task in paper["task"])
    assert all(isinstance(record, str) for record in paper["wasDerivedFrom"])
    parts = {"Authorship", "CodeLink", "SampleLink", "Result", "Measurement", "DataLoader"}
    assert parts.isdisjoint({line["type"] for line in lines.values()})
    assert {"Paper", "Dataset", "Record", "Repo", "Concept"} <= {
        line["type"] for line in lines.values()
    }


def test_a_line_has_the_part_of_the_context_that_it_needs(samples: Snapshot) -> None:
    shipped = json.loads((resources.ontology() / "context" / "paperkg.jsonld").read_text("utf-8"))
    context = shipped["@context"] | {
        "results": {"@reverse": "kg:paper", "@type": "@id", "@container": "@set"}
    }
    for line in lines_of(samples):
        assert line["@context"].items() <= context.items()
        twin = {**line, "@context": context}
        assert oxigraph_reads(json.dumps(line).encode(), "jsonld") == oxigraph_reads(
            json.dumps(twin).encode(), "jsonld"
        )


def test_all_lines_together_say_everything_once(samples: Snapshot) -> None:
    said: list[tuple[str, ...]] = []
    for line in exported(samples, "jsonl").splitlines():
        said += [quad[:3] for quad in oxigraph_reads(line, "jsonld")]
    assert sorted(said) == sorted(quad[:3] for quad in product(samples))


def test_what_nobody_owns_has_a_line_of_its_own(tmp_path: Path) -> None:
    paper, stub = iri("paper/p"), iri("paper/q")
    triples: Triples = [
        (paper, RDF_TYPE, kg("Paper")),
        (iri("paper/p#lost"), kg("note"), literal("nothing points here")),
        (iri("paper/p#a"), kg("x"), iri("paper/p#b")),
        (iri("paper/p#b"), kg("x"), iri("paper/p#a")),
        (iri("result/r"), RDF_TYPE, kg("Result")),
        (iri("result/r"), kg("paper"), stub),
        (iri("result/s"), RDF_TYPE, kg("Result")),
        (iri("result/s"), kg("paper"), paper),
        (iri("result/s"), kg("measurement"), iri("result/s#f1")),
        (iri("result/s#f1"), kg("rawValue"), literal("1")),
        (iri("sample/s"), RDF_TYPE, kg("Sample")),
        (iri("sample/t"), RDF_TYPE, kg("Sample")),
        (iri("x/elsewhere"), kg("sample"), iri("sample/t")),
        (paper, kg("sampleLink"), iri("x/elsewhere")),
    ]
    snapshot = snapshot_of(tmp_path, default_graph(triples))
    assert oxigraph_reads(exported(snapshot, "jsonl"), "jsonl") == product(snapshot)
    assert [line["id"].removeprefix(BASE) for line in lines_of(snapshot)] == [
        "paper/p#a", "paper/p#b", "paper/p#lost", "paper/p", "result/r",
        "sample/s", "sample/t", "x/elsewhere",
    ]  # fmt: skip


def test_a_sample_of_two_papers_has_a_line_of_its_own_and_of_one_paper_has_not(
    tmp_path: Path,
) -> None:
    triples: Triples = []
    for paper, sample in (("a", "shared"), ("b", "shared"), ("b", "own"), ("c", "twice")):
        link = iri(f"paper/{paper}#sample-{sample}")
        triples += [
            (iri(f"paper/{paper}"), RDF_TYPE, kg("Paper")),
            (iri(f"paper/{paper}"), kg("sampleLink"), link),
            (link, kg("sample"), iri(f"sample/{sample}")),
            (iri(f"sample/{sample}"), RDF_TYPE, kg("Sample")),
        ]
    again = iri("paper/c#sample-again")
    triples += [
        (iri("paper/c"), kg("sampleLink"), again),
        (again, kg("sample"), iri("sample/twice")),
    ]
    snapshot = snapshot_of(tmp_path, default_graph(triples))
    assert oxigraph_reads(exported(snapshot, "jsonl"), "jsonl") == product(snapshot)
    lines = {line["id"].removeprefix(BASE): line for line in lines_of(snapshot)}
    assert list(lines) == ["paper/a", "paper/b", "paper/c", "sample/shared"]
    assert [link["sample"] for link in lines["paper/b"]["sampleLink"]] == [
        {"id": f"{BASE}sample/own", "type": "Sample"},
        f"{BASE}sample/shared",
    ]
    first, second = lines["paper/c"]["sampleLink"]
    assert first["sample"] == {"id": f"{BASE}sample/twice", "type": "Sample"}
    assert second["sample"] == f"{BASE}sample/twice"


def crossed(papers: int) -> Triples:
    """Papers that point to one dataset, which points back to all of them (EXP-07)."""
    dataset = iri("dataset/d")
    triples: Triples = [(dataset, RDF_TYPE, kg("Dataset"))]
    for n in range(papers):
        paper = iri(f"paper/p{n}")
        triples += [
            (paper, RDF_TYPE, kg("Paper")),
            (paper, kg("introduces"), dataset),
            (dataset, kg("paper"), paper),
            (paper, kg("authorship"), iri(f"paper/p{n}#author-1")),
            (iri(f"paper/p{n}#author-1"), kg("authorName"), literal(f"Name {n}")),
        ]
    return triples


def test_cross_links_make_neither_a_large_file_nor_a_long_wait(tmp_path: Path) -> None:
    sizes = []
    for papers in (300, 1200):
        snapshot = snapshot_of(tmp_path / str(papers), default_graph(crossed(papers)))
        before = time.monotonic()
        content = exported(snapshot, "jsonl")
        assert time.monotonic() - before < 30
        assert oxigraph_reads(content, "jsonl") == product(snapshot)
        sizes.append(len(content))
    assert sizes[1] < 4.2 * sizes[0]
    assert sizes[0] < 1_000_000


@pytest.mark.parametrize("format_", FORMATS)
def test_memory_does_not_grow_with_the_graph(
    tmp_path: Path, format_: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Less than either dump, as a dump of real size is more than the bound that is set.
    bounded = partial(SortedLines, chunk_bytes=500_000)
    monkeypatch.setattr("kg.exporter.product.SortedLines", bounded)
    monkeypatch.setattr("kg.compressed._BLOCK_BYTES", 100_000)

    def triples(papers: int) -> Iterator[ox.Quad]:
        for n in range(papers):
            paper = iri(f"paper/p{n}")
            yield ox.Quad(paper, RDF_TYPE, kg("Paper"))
            yield ox.Quad(paper, kg("note"), literal("x" * 400))
            for graph in ("http://e.org/g", "http://e.org/h"):
                yield ox.Quad(paper, kg("note"), literal("y" * 400), iri(graph))

    peaks = []
    for papers in (1_000, 3_000):
        snapshot = snapshot_of(tmp_path / str(papers), triples(papers))
        tracemalloc.start()
        with (tmp_path / "out").open("wb") as stream:
            Export(snapshot, format_).write(stream)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0], peaks


def first_line(content: bytes, line: bytes) -> bytes:
    """Return a packed file with another first line."""
    _, rest = gzip.decompress(content).split(b"\n", 1)
    return gzip.compress(line + rest)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda content: content[: len(content) // 2], "damaged"),
        (lambda content: b"no gzip" + content, "damaged"),
        (lambda content: first_line(content, b"<a> <b> .\n"), "no N-Triples"),
        (lambda content: first_line(content, b"_:a <http://e/p> <http://e/o> .\n"), "has no IRI"),
        (lambda content: first_line(content, b"<http://e/s> <http://e/p> _:a .\n"), "has no IRI"),
        (lambda content: b"", "0 lines where the build wrote"),
        (lambda content: first_line(content, b""), "lines where the build wrote"),
        (lambda content: content + gzip.compress(b"<e:s> <e:p> <e:o> .\n"), "lines where"),
    ],
)
def test_a_damaged_product_is_said_to_be_one(tmp_path: Path, damage: Any, said: str) -> None:
    snapshot = snapshot_of(tmp_path, default_graph(crossed(3)))
    snapshot.triples.write_bytes(damage(snapshot.triples.read_bytes()))
    with pytest.raises(StoreError, match=said):
        exported(snapshot, "ttl")


def test_a_missing_product_is_named(tmp_path: Path) -> None:
    snapshot = snapshot_of(tmp_path, default_graph(crossed(3)))
    snapshot.triples.unlink()
    with pytest.raises(StoreError, match=r"triples\.nt\.gz: No such file"):
        exported(snapshot, "nt")
