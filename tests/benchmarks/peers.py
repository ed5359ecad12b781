"""The part of the mapping that data frames and RML express as well, by each of three mappers.

``PYTHON tests/benchmarks/peers.py paperkg|maplib|morph-kgc ROWS TRIPLES.nt`` maps papers as
:func:`rows` gives them (JSON Lines; one JSON array for morph-kgc, which reads no lines) and prints
what it took, as JSON: ``cpu`` and ``wall`` in seconds, from the opened input to the written
N-Triples, without imports, and the ``peak`` of memory in MiB. The file is run by the Python that
has the mapper, so it imports nothing of the project before it is needed.

The part is a paper with its literals, its date, its pages and its authorships: no name that is
looked up, no identifier that is read, no address that is judged. The rows hold what RML cannot
make: the slug of the paper, and in each author that slug and the position.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

BASE: Final = "https://w3id.org/paperkg/"
# Text → property; under the name of the context's key.
TEXTS: Final = {
    "slug": "kg:slug",
    "title": "dct:title",
    "abstract": "dct:abstract",
    "arxiv_id": "kg:arxivId",
    "proceeding": "kg:proceeding",
}
PAGES: Final = {"paper_url": "foaf:page", "url_abs": "kg:abstractPage", "url_pdf": "kg:pdf"}
PREFIXES: Final = {
    "kg": f"{BASE}ns#",
    "dct": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "ex": "http://example.org/",
}


def rows(papers: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the part of made rows of ``papers-with-abstracts`` that all can express."""
    for paper in papers:
        slug = paper["paper_url"].rpartition("/")[2]
        row = {"slug": slug} | {
            name: paper.get(name) for name in (*TEXTS, *PAGES) if name != "slug"
        }
        # An address with a space or a bracket would have to be mended, "8.0" to be left out.
        row |= {name: None for name in PAGES if not _is_plain(row[name])}
        row["date"] = paper["date"] if paper["date"][:2] == "20" else None
        row["abstract"] = row["abstract"].encode("utf-8", "replace").decode("utf-8")
        row["authors"] = [
            {"paper": slug, "position": position, "name": name}
            for position, name in enumerate(paper["authors"], start=1)
        ]
        yield row


def _is_plain(address: str | None) -> bool:
    return address is not None and address.startswith("http") and not set("[] ") & set(address)


def paperkg(contexts: Any, compiled: Any, source: Path, target: Path) -> None:
    """Map by the shipped context, compiled."""
    kind = "papers-with-abstracts"
    context = compiled.CompiledContext(contexts.Contexts.load().of(kind), kind)
    with source.open("rb") as records, target.open("wb", buffering=2**20) as file:
        for record in records:
            node = json.loads(record)
            node["@id"] = iri = f"{BASE}paper/{node['slug']}"
            node["@type"] = "Paper"
            for author in node["authors"]:
                author["position"] = position = str(author["position"])
                author["@id"] = f"{iri}#author-{position}"
                author["@type"] = "Authorship"
            lines = context.lines([node])
            lines.append(b"")
            file.write(b"\n".join(lines))


def maplib(library: Any, pl: Any, source: Path, target: Path) -> None:
    """Map by stOTTR templates over data frames."""
    prefixes = "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in PREFIXES.items())
    said = [
        *(f"ottr:Triple(?paper, {property_}, ?{name})" for name, property_ in TEXTS.items()),
        *(f"ottr:Triple(?paper, {property_}, ?{name})" for name, property_ in PAGES.items()),
    ]
    arguments = [
        *(f"? xsd:string ?{name}" for name in TEXTS),
        *(f"? ottr:IRI ?{name}" for name in PAGES),
    ]
    templates = f"""{prefixes}
ex:Paper [ottr:IRI ?paper, {", ".join(arguments)}, ? xsd:date ?date] :: {{
    ottr:Triple(?paper, rdf:type, kg:Paper), {", ".join(said)},
    ottr:Triple(?paper, dct:issued, ?date)
}} .
ex:Authorship [ottr:IRI ?paper, ottr:IRI ?authorship, xsd:integer ?position, xsd:string ?name] :: {{
    ottr:Triple(?paper, kg:authorship, ?authorship),
    ottr:Triple(?authorship, rdf:type, kg:Authorship),
    ottr:Triple(?authorship, kg:position, ?position),
    ottr:Triple(?authorship, kg:authorName, ?name)
}} .
"""
    model = library.Model()
    model.add_template(templates)
    iri = pl.lit(f"{BASE}paper/")
    schema = dict.fromkeys((*TEXTS, *PAGES, "date"), pl.String)
    author = pl.Struct({"paper": pl.String, "position": pl.Int64, "name": pl.String})
    frame = pl.read_ndjson(source, schema=schema | {"authors": pl.List(author)})
    papers = frame.drop("authors").with_columns(
        (iri + pl.col("slug")).alias("paper"), pl.col("date").str.to_date()
    )
    model.map("ex:Paper", papers)
    authors = (
        frame.select(pl.col("authors").explode())
        .unnest("authors")
        .with_columns((iri + pl.col("paper")).alias("paper"))
    )
    fragment = pl.col("paper") + "#author-" + pl.col("position").cast(pl.String)
    model.map("ex:Authorship", authors.with_columns(fragment.alias("authorship")))
    model.write(str(target), format="ntriples")


def morph_kgc(library: Any, source: Path, target: Path) -> None:
    """Map by RML over JSON."""

    def term(what: str, predicate: str, more: str = "") -> str:
        return f"rr:predicateObjectMap [ rr:predicate {predicate}; rr:objectMap [ {what}{more} ] ]"

    def source_of(iterator: str) -> str:
        return (
            f'rml:logicalSource [ rml:source "{source}"; rml:referenceFormulation ql:JSONPath;'
            f' rml:iterator "{iterator}" ]'
        )

    prefixes = PREFIXES | {
        "rr": "http://www.w3.org/ns/r2rml#",
        "rml": "http://semweb.mmlab.be/ns/rml#",
        "ql": "http://semweb.mmlab.be/ns/ql#",
    }
    is_iri = "; rr:termType rr:IRI"
    authorship = f"{BASE}paper/{{paper}}#author-{{position}}"
    maps = (
        [
            source_of("$[*]"),
            f'rr:subjectMap [ rr:template "{BASE}paper/{{slug}}"; rr:class kg:Paper ]',
            *(term(f'rml:reference "{name}"', property_) for name, property_ in TEXTS.items()),
            *(term(f'rml:reference "{n}"', property_, is_iri) for n, property_ in PAGES.items()),
            term('rml:reference "date"', "dct:issued", "; rr:datatype xsd:date"),
        ],
        [
            source_of("$[*].authors[*]"),
            f'rr:subjectMap [ rr:template "{authorship}"; rr:class kg:Authorship ]',
            term('rml:reference "position"', "kg:position", "; rr:datatype xsd:integer"),
            term('rml:reference "name"', "kg:authorName"),
        ],
        [
            source_of("$[*].authors[*]"),
            f'rr:subjectMap [ rr:template "{BASE}paper/{{paper}}" ]',
            term(f'rr:template "{authorship}"', "kg:authorship"),
        ],
    )
    text = "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in prefixes.items())
    for n, parts in enumerate(maps):
        text += f"ex:map{n} a rr:TriplesMap; {'; '.join(parts)} .\n"
    with tempfile.TemporaryDirectory() as folder:
        mapping = Path(folder) / "mapping.ttl"
        mapping.write_text(text, "utf-8")
        options = "[CONFIGURATION]\nnumber_of_processes: 1\nlogging_level: ERROR\n"
        triples = library.materialize_set(f"{options}[DataSource]\nmappings: {mapping}\n")
    with target.open("w", encoding="utf-8") as file:
        file.writelines(f"{triple} .\n" for triple in triples)


@dataclass(frozen=True)
class Mapper:
    """A function that maps, and the modules that it takes before source and target."""

    map: Callable[..., None]
    modules: tuple[str, ...]


MAPPERS: Final = {
    "paperkg": Mapper(paperkg, ("kg.contexts", "kg.mapper.compiled")),
    "maplib": Mapper(maplib, ("maplib", "polars")),
    "morph-kgc": Mapper(morph_kgc, ("morph_kgc",)),
}
ENVIRONMENT: Final = {**os.environ, "POLARS_MAX_THREADS": "1", "RAYON_NUM_THREADS": "1"}
"""One thread each, as what is counted is the time of all threads."""


def main() -> None:
    """Map, and print what it took."""
    name, source, target = sys.argv[1:]
    mapper = MAPPERS[name]
    modules = [import_module(module) for module in mapper.modules]
    start, used = time.perf_counter(), _cpu()
    mapper.map(*modules, Path(source), Path(target))
    took = {"cpu": _cpu() - used, "wall": time.perf_counter() - start, "peak": peak()}
    print(json.dumps(took))


def peak() -> float:
    """Return the peak resident memory of this process in MiB, by its own account on Linux.

    (``ru_maxrss`` of a process that was forked is that of its parent, where that was larger.)
    """
    status = Path("/proc/self/status").read_text("ascii")
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def _cpu() -> float:
    """Return the seconds that this process and its children have used."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


if __name__ == "__main__":
    main()
