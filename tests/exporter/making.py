"""Snapshots with given triples, and what two readers make of an export."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterable
from pathlib import Path

import pyoxigraph as ox
import rdflib

from kg.exporter import Export
from kg.snapshot import Snapshot, SnapshotFolder

KG = "https://w3id.org/paperkg/ns#"
BASE = "https://w3id.org/paperkg/"
XSD = "http://www.w3.org/2001/XMLSchema#"
RDF_TYPE = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")

OXIGRAPH = {
    "nt": ox.RdfFormat.N_TRIPLES,
    "nq": ox.RdfFormat.N_QUADS,
    "ttl": ox.RdfFormat.TURTLE,
    "trig": ox.RdfFormat.TRIG,
    "jsonld": ox.RdfFormat.JSON_LD,
    "rdfxml": ox.RdfFormat.RDF_XML,
}
RDFLIB = {
    "nt": "nt",
    "nq": "nquads",
    "ttl": "turtle",
    "trig": "trig",
    "jsonld": "json-ld",
    "rdfxml": "xml",
}
Quads = set[tuple[str, str, str, str]]


def iri(text: str) -> ox.NamedNode:
    return ox.NamedNode(text if "://" in text else BASE + text)


def kg(name: str) -> ox.NamedNode:
    return ox.NamedNode(KG + name)


def literal(text: str, datatype: str = "string") -> ox.Literal:
    return ox.Literal(text, datatype=ox.NamedNode(XSD + datatype))


def snapshot_of(folder: Path, quads: Iterable[ox.Quad], base: str = BASE) -> Snapshot:
    """Make the snapshot that a build of these quads would have made."""
    default: list[str] = []
    named: list[str] = []
    graphs: set[str] = set()
    with SnapshotFolder(folder).new() as draft:
        made = draft.snapshot
        store = ox.Store(str(made.store))
        for quad in quads:
            store.add(quad)
            in_default = isinstance(quad.graph_name, ox.DefaultGraph)
            (default if in_default else named).append(f"{quad} .")
            if isinstance(quad.graph_name, ox.NamedNode):
                graphs.add(quad.graph_name.value)
        store.flush()
        del store
        for path, lines in ((made.triples, default), (made.quads, named)):
            content = "".join(f"{line}\n" for line in sorted(set(lines), key=str.encode))
            path.write_bytes(gzip.compress(content.encode("utf-8"), mtime=0))
        counts = {iri: sum(f"<{iri}> ." in line for line in set(named)) for iri in graphs}
        told = {"triples": len(set(default)), "graphs": counts}
        manifest = {"base": base, "inputs": [], "classes": {}, **told}
        made.manifest_file.write_text(json.dumps(manifest), "utf-8")
        return draft.commit()


def default_graph(
    triples: Iterable[tuple[ox.NamedNode, ox.NamedNode, ox.NamedNode | ox.Literal]],
) -> list[ox.Quad]:
    return [ox.Quad(*triple) for triple in triples]


def exported(snapshot: Snapshot, format_: str, graph: str | None = None) -> bytes:
    stream = io.BytesIO()
    Export(snapshot, format_, graph).write(stream)
    return stream.getvalue()


def product(snapshot: Snapshot, *, named: bool = False) -> Quads:
    """What a snapshot's product says, read by the engine's own parser."""
    found = oxigraph_reads(gzip.decompress(snapshot.triples.read_bytes()), "nt")
    if named:
        found |= oxigraph_reads(gzip.decompress((snapshot.quads).read_bytes()), "nq")
    return found


def as_stored(quads: Quads) -> Quads:
    """The same quads in the lexical forms that a store has for their values."""
    store = ox.Store()
    lines = "".join(
        f"{s} {p} {o}{'' if graph == 'DEFAULT' else f' {graph}'} .\n" for s, p, o, graph in quads
    )
    store.load(lines.encode("utf-8"), format=ox.RdfFormat.N_QUADS)
    return {
        (str(quad.subject), str(quad.predicate), str(quad.object), str(quad.graph_name))
        for quad in store
    }


def oxigraph_reads(content: bytes, format_: str) -> Quads:
    if format_ == "jsonl":
        return {quad for line in content.splitlines() for quad in oxigraph_reads(line, "jsonld")}
    return {
        (str(quad.subject), str(quad.predicate), str(quad.object), str(quad.graph_name))
        for quad in ox.parse(content, format=OXIGRAPH[format_])
    }


def rdflib_reads(content: bytes, format_: str) -> Quads:
    if format_ == "jsonl":
        return {quad for line in content.splitlines() for quad in rdflib_reads(line, "jsonld")}
    normalised, rdflib.NORMALIZE_LITERALS = rdflib.NORMALIZE_LITERALS, False
    try:
        dataset = rdflib.Dataset()
        whole = format_ in ("nq", "trig", "jsonld")
        into = dataset if whole else dataset.default_graph
        into.parse(data=content, format=RDFLIB[format_])
        found = set()
        for subject, predicate, target, graph in dataset.quads():
            place = (
                "DEFAULT"
                if graph in (None, rdflib.URIRef("urn:x-rdflib:default"))
                else f"<{graph}>"
            )
            found.add((str(_term(subject)), str(_term(predicate)), str(_term(target)), place))
    finally:
        rdflib.NORMALIZE_LITERALS = normalised
    return found


def _term(term: object) -> ox.NamedNode | ox.Literal:
    if isinstance(term, rdflib.URIRef):
        return ox.NamedNode(str(term))
    assert isinstance(term, rdflib.Literal), term
    if term.language is not None:
        return ox.Literal(str(term), language=term.language)
    return ox.Literal(str(term), datatype=ox.NamedNode(str(term.datatype or XSD + "string")))
