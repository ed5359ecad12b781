"""Stores of triples that no build would make, to be validated."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyoxigraph as ox

from kg.iris import DEFAULT_BASE
from kg.snapshot import Snapshot, SnapshotFolder

PREFIXES = """
@prefix e: <https://example.org/> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix kg: <https://w3id.org/paperkg/ns#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
E = "https://example.org/"
SH = "http://www.w3.org/ns/shacl#"

GOOD = """
e:p a kg:Paper ; kg:slug "p" ; dct:title "P" .
e:q a kg:Paper ; kg:slug "q" ; dct:title "Q" .
"""
WITHOUT_TITLE = 'e:p a kg:Paper ; kg:slug "p" . e:q a kg:Paper ; kg:slug "q" ; dct:title "Q" .'
TITLED = """
e:Titled a sh:NodeShape ; sh:targetClass kg:Paper ;
    sh:property [ sh:path dct:title ; sh:minCount 1 ; sh:message "A paper has a title."@en ] .
"""
OFTEN = """
e:Once a sh:NodeShape ; sh:targetClass kg:Paper ;
    sh:property e:Once-slug .
e:Once-slug sh:path kg:slug ; sh:maxCount 0 ; sh:severity sh:Warning ; sh:message "No slug." .
"""


def store_of(folder: Path, turtle: str) -> Snapshot:
    """Make a snapshot whose default graph is a Turtle text."""
    triples = {quad.triple for quad in ox.parse(PREFIXES + turtle, format=ox.RdfFormat.TURTLE)}
    lines = sorted(f"{t} .".encode() for t in triples)
    with SnapshotFolder(folder).new() as draft:
        made = draft.snapshot
        made.triples.write_bytes(gzip.compress(b"".join(line + b"\n" for line in lines), mtime=0))
        manifest = {"base": DEFAULT_BASE, "inputs": [], "graphs": {}, "classes": {}}
        made.manifest_file.write_text(json.dumps(manifest | {"triples": len(lines)}))
        return draft.commit()


def shapes_file(folder: Path, turtle: str, name: str = "shapes.ttl") -> Path:
    """Write a file of shapes in Turtle."""
    path = folder / name
    path.write_text(PREFIXES + turtle, "utf-8")
    return path
