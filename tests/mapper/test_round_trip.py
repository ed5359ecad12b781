"""From the graph alone, the values of a record again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

import pyoxigraph as ox
import pytest

from kg import arxiv, licences, records, repos, values
from kg.iris import DEFAULT_BASE
from kg.mapper import Mapper
from kg.namespaces import DCT, KG, RDFS, SKOS
from tests.conftest import sample_values, seed_values

FOAF_PAGE = "http://xmlns.com/foaf/0.1/page"
LANDING = "http://www.w3.org/ns/dcat#landingPage"
ATTRIBUTION = "http://creativecommons.org/ns#attributionURL"
SITE = "https://codewithpapers.app"
CC = "https://creativecommons.org/licenses/"
CC_PAGES = {
    f"{CC}by-sa/4.0/legalcode": f"{CC}by-sa/4.0/",
    f"{CC}by-nc/4.0/legalcode": f"{CC}by-nc/4.0/",
}
SPDX = "http://spdx.org/licenses/"

Json = Any


def ordered(things: Iterable[Json]) -> list[Json]:
    """Sort what may hold None."""
    return sorted(things, key=repr)


class Graph:
    """Reads values out of N-Triples lines, by subject and property."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._objects: dict[tuple[str, str], set[str]] = defaultdict(set)
        self._subjects: dict[tuple[str, str], set[str]] = defaultdict(set)
        for quad in ox.parse(b"\n".join(lines), format=ox.RdfFormat.N_TRIPLES):
            assert isinstance(quad.subject, ox.NamedNode)
            assert not isinstance(quad.object, ox.Triple)
            subject, property_, value = quad.subject.value, quad.predicate.value, quad.object.value
            self._objects[subject, property_].add(value)
            self._subjects[property_, value].add(subject)

    def all(self, subject: str | None, property_: str) -> list[str]:
        return ordered(self._objects[subject, property_]) if subject else []

    def one(self, subject: str | None, property_: str) -> str | None:
        found = self.all(subject, property_)
        assert len(found) < 2, (subject, property_, found)
        return found[0] if found else None

    def of(self, property_: str, value: str) -> list[str]:
        return ordered(self._subjects[property_, value])

    def code(self, subject: str | None, property_: str) -> str | None:
        return self.one(self.one(subject, property_), SKOS + "notation")

    def codes(self, subject: str, property_: str) -> set[str]:
        return {str(self.one(o, SKOS + "notation")) for o in self.all(subject, property_)}

    def path(self, subject: str | None, property_: str = FOAF_PAGE) -> str | None:
        page = self.one(subject, property_)
        return page.removeprefix(SITE) if page else None


def flag(value: Json) -> str | None:
    return None if value is None else "true" if value in (True, "1") else "false"


def text(value: Json) -> str | None:
    return value or None


def venue_told(proceeding: Json) -> list[str]:
    """The venue, year and month in the texts of our records: all end in one or two numbers."""
    words = (proceeding or "").split()
    numbers = [word for word in words if word.isdigit()]
    name = " ".join(words[: len(words) - len(numbers)])
    return [name, *numbers] if name else []


def spdx(value: Json) -> str | None:
    return licences.spdx_iri(value) if value else None


def mapped(mapper: Mapper, record: records.Record) -> Graph:
    return Graph(mapper.map(record).lines)


# ---- papers ------------------------------------------------------------------------------------


def paper_told(raw: Json) -> Json:
    """What a paper record says, in the shape in which it is rebuilt."""
    about, source = raw.get("about") or {}, raw.get("source") or {}
    parsed = arxiv.parse(raw["arxiv_id"]) if raw.get("arxiv_id") else None
    links: dict[str, dict[str, set[Json]]] = defaultdict(lambda: defaultdict(set))
    for link in raw["code_links"]:
        reach = link.get("reach") or {}
        for name, value in {
            "repo_url": link["repo_url"],
            "is_official": flag(link["is_official"]),
            "mentioned_in_paper": flag(link["mentioned_in_paper"]),
            "mentioned_in_github": flag(link["mentioned_in_github"]),
            "framework": text(link["framework"]),
            "status": text(reach.get("status")),
            "spdx": spdx(reach.get("spdx")),
        }.items():
            if value is not None:
                links[_repo(link["repo_url"])][name].add(value)
    syntology = raw.get("syntology")
    for repo in (syntology or {}).get("repos", []):
        reach = repo.get("reach") or {}
        for name, value in {
            "repo_url": repo["url"],
            "provenance": text(repo["provenance"]),
            "status": text(reach.get("status")),
            "spdx": spdx(reach.get("spdx")),
        }.items():
            if value is not None:
                links[_repo(repo["url"])][name].add(value)
    return {
        "url": raw["url"],
        "title": raw["title"],
        "abstract": text(raw.get("abstract")),
        "date": text(raw.get("date")),
        "arxiv_id": parsed.id if parsed else None,
        "proceeding": text(raw.get("proceeding")),
        "venue": venue_told(raw.get("proceeding")),
        "authors": raw["authors"],
        "url_abs": text(raw.get("url_abs")),
        "url_pdf": text(raw.get("url_pdf")),
        "tasks": ordered((task["task_slug"], task["task_name"]) for task in raw["tasks"]),
        "methods": ordered(
            (thing["method_slug"], thing["method_name"]) for thing in raw["methods"]
        ),
        "datasets_introduced": _introduced(raw["datasets_introduced"]),
        "methods_introduced": _introduced(raw["methods_introduced"]),
        "code_links": {key: dict(link) for key, link in links.items()},
        "results": ordered(
            (
                row["leaderboard"],
                row["task"],
                row["dataset"],
                row["model"],
                values.integer(row["rank_in_archive_order"]),
                values.integer(row["of"]),
                ordered(row["metrics"].items()),
                flag(row["uses_additional_data"]),
            )
            for row in raw["results"]
        ),
        "about": {
            "site": text(about.get("site")),
            "non_affiliation": text(about.get("non_affiliation")),
            "licence": text(about.get("licence")),
            "licence_urls": ordered(
                {
                    str(licences.url_iri(url))
                    for url in (about.get("licence_url"), source.get("licence_url"))
                    if url
                }
            ),
            "attribution": text(about.get("attribution")),
            "modified": text(about.get("modified")),
        },
        "source": {name: text(source.get(name)) for name in ("archive", "snapshot", "row_kind")},
        "syntology": _syntology_told(syntology, SITE + raw["url"]) if syntology else None,
    }


def _syntology_told(syntology: Json, page: str) -> Json:
    return {
        # A record without an atlas page has the site's page for its source.
        "atlas_url": text(syntology.get("atlas_url")) or page,
        "developers": text(syntology["developers"]),
        "read_at": values.date_time(syntology["read_at"]),
        "read_at_is": text(syntology["read_at_is"]),
        "claim": text(syntology["claim"]),
        "repo_kind_vocabulary": syntology["repo_kind_vocabulary"],
        "n_pointer_only_for_licence": values.integer(syntology["n_pointer_only_for_licence"]),
        "samples": ordered(
            (
                sample["code_sha256_prefix"],
                sample["entry"],
                _repo(f"https://github.com/{sample['repo']}"),
                str(text(sample["repo_kind"])),
                text(sample["path"]),
                text(sample["file_url"]),
                str(text(sample["link_basis"])),
                text(sample["language"]),
                text(sample["status"]),
                values.integer(sample["verification_level"]),
                text(sample["contract_check"]),
                text(sample["metamorphic_tier"]),
                flag(sample["behaviour_fingerprint"]),
                spdx(sample["licence"]),
                flag(sample["inline_ok"]),
                sample["mcp_get_code"]["code_sha256"],
            )
            for sample in syntology["samples"]
        ),
    }


def _introduced(things: Json) -> Json:
    return ordered((thing["slug"], thing["name"], text(thing["full_name"])) for thing in things)


def _repo(url: str) -> str:
    address = repos.parse(url)
    assert address is not None
    return address.key


def paper_rebuilt(graph: Graph, slug: str) -> Json:
    """The same, from the graph alone."""
    paper = f"{DEFAULT_BASE}paper/{slug}"
    record = f"{DEFAULT_BASE}record/codewithpapers/paper/{slug}"
    other = f"{DEFAULT_BASE}record/syntology/paper/{slug}"
    authors = {
        int(str(graph.one(author, KG + "position"))): graph.one(author, KG + "authorName")
        for author in graph.all(paper, KG + "authorship")
    }
    assert sorted(authors) == list(range(1, len(authors) + 1))
    introduced = graph.all(paper, KG + "introduces")
    return {
        "url": graph.path(paper),
        "title": graph.one(paper, DCT + "title"),
        "abstract": graph.one(paper, DCT + "abstract"),
        "date": graph.one(paper, DCT + "issued"),
        "arxiv_id": graph.one(paper, KG + "arxivId"),
        "proceeding": graph.one(paper, KG + "proceeding"),
        "venue": [
            word
            for property_ in ("venue", "venueYear", "venueMonth")
            if (word := graph.one(paper, KG + property_)) is not None
        ],
        "authors": [authors[n] for n in sorted(authors)],
        "url_abs": graph.one(paper, KG + "abstractPage"),
        "url_pdf": graph.one(paper, KG + "pdf"),
        "tasks": _named(graph, graph.all(paper, KG + "task")),
        "methods": _named(graph, graph.all(paper, KG + "method")),
        "datasets_introduced": _named_in_full(graph, introduced, "Dataset"),
        "methods_introduced": _named_in_full(graph, introduced, "Method"),
        "code_links": {
            _repo(graph.all(link, KG + "url")[0]): _code_link(graph, link)
            for link in graph.all(paper, KG + "codeLink")
        },
        "results": ordered(
            row
            for result in graph.of(KG + "paper", paper)
            for row in [_result(graph, result)] * int(graph.one(result, KG + "rowCount") or 1)
        ),
        "about": {
            "site": graph.one(record, DCT + "publisher"),
            "non_affiliation": graph.one(record, KG + "nonAffiliation"),
            "licence": graph.one(record, DCT + "rights"),
            "licence_urls": graph.all(record, DCT + "license"),
            "attribution": graph.one(record, ATTRIBUTION),
            "modified": graph.one(record, KG + "modificationNote"),
        },
        "source": {
            "archive": graph.one(record, KG + "archive"),
            "snapshot": graph.one(record, KG + "snapshot"),
            "row_kind": graph.one(record, KG + "rowKind"),
        },
        "syntology": _syntology_rebuilt(graph, paper, other)
        if graph.one(other, DCT + "source")
        else None,
    }


def _named(graph: Graph, things: list[str]) -> Json:
    return ordered((graph.one(t, KG + "slug"), graph.one(t, RDFS + "label")) for t in things)


def _named_in_full(graph: Graph, things: list[str], class_: str) -> Json:
    ours = set(graph.of("http://www.w3.org/1999/02/22-rdf-syntax-ns#type", KG + class_))
    return ordered(
        (
            graph.one(thing, KG + "slug"),
            graph.one(thing, RDFS + "label"),
            graph.one(thing, KG + "fullName"),
        )
        for thing in things
        if thing in ours
    )


def _code_link(graph: Graph, link: str) -> Json:
    found = {
        "repo_url": set(graph.all(link, KG + "url")),
        "is_official": set(graph.all(link, KG + "isOfficial")),
        "mentioned_in_paper": set(graph.all(link, KG + "mentionedInPaper")),
        "mentioned_in_github": set(graph.all(link, KG + "mentionedInRepo")),
        "framework": graph.codes(link, KG + "framework"),
        "status": graph.codes(link, KG + "reach"),
        "spdx": set(graph.all(link, DCT + "license")),
        "provenance": set(graph.all(link, KG + "linkProvenance")),
    }
    return {name: value for name, value in found.items() if value}


def _result(graph: Graph, result: str) -> Json:
    board = graph.one(result, KG + "leaderboard")
    return (
        graph.path(board),
        graph.one(graph.one(result, KG + "task"), RDFS + "label"),
        graph.one(graph.one(result, KG + "dataset"), RDFS + "label"),
        graph.one(result, KG + "modelName"),
        graph.one(result, KG + "archiveRank"),
        graph.one(result, KG + "archiveRankOf"),
        ordered(
            (
                graph.one(graph.one(measurement, KG + "metric"), RDFS + "label"),
                graph.one(measurement, KG + "rawValue"),
            )
            for measurement in graph.all(result, KG + "measurement")
        ),
        graph.one(result, KG + "usesAdditionalData"),
    )


def _syntology_rebuilt(graph: Graph, paper: str, record: str) -> Json:
    scheme = graph.of(SKOS + "inScheme", "https://w3id.org/paperkg/vocab/repo-kind")
    return {
        "atlas_url": graph.one(record, DCT + "source"),
        "developers": graph.one(record, RDFS + "seeAlso"),
        "read_at": graph.one(record, KG + "readAt"),
        "read_at_is": graph.one(record, KG + "readAtNote"),
        "claim": graph.one(record, KG + "claim"),
        "repo_kind_vocabulary": {
            graph.one(kind, SKOS + "notation"): graph.one(kind, SKOS + "definition")
            for kind in scheme
            if graph.one(kind, SKOS + "definition")
        },
        "n_pointer_only_for_licence": graph.one(record, KG + "pointerOnlyCount"),
        "samples": ordered(_sample(graph, link) for link in graph.all(paper, KG + "sampleLink")),
    }


def _sample(graph: Graph, link: str) -> Json:
    sample = graph.one(link, KG + "sample")
    prefix = graph.one(graph.one(sample, KG + "code"), KG + "sha256Prefix")
    return (
        prefix,
        graph.one(sample, KG + "entryPoint"),
        str(graph.one(sample, KG + "repo")).removeprefix(f"{DEFAULT_BASE}repo/"),
        str(graph.code(link, KG + "repoKind")),
        graph.one(sample, KG + "filePath"),
        graph.one(sample, KG + "fileUrl"),
        str(graph.code(link, KG + "linkBasis")),
        graph.code(sample, KG + "programmingLanguage"),
        graph.code(sample, KG + "status"),
        graph.one(sample, KG + "verificationLevel"),
        graph.code(sample, KG + "contractCheck"),
        graph.code(sample, KG + "metamorphicTier"),
        graph.one(sample, KG + "behaviourFingerprint"),
        graph.one(sample, DCT + "license"),
        graph.one(sample, KG + "inlineOk"),
        prefix,
    )


# ---- datasets ----------------------------------------------------------------------------------


def dataset_told(raw: Json) -> Json:
    licence, by = raw.get("license") or {}, raw.get("introduced_by") or {}
    totals, source = raw["syntology_totals"] or {}, raw["source"] or {}
    return {
        "url": raw["url"],
        "name": raw["name"],
        "full_name": text(raw.get("full_name")),
        "description_markdown": text(raw.get("description_markdown")),
        "description_withheld": text(raw.get("description_withheld")),
        "homepage": text(raw.get("homepage")),
        "introduced_date": text(raw.get("introduced_date")),
        "introduced_date_note": text(raw.get("introduced_date_note")),
        "introduced_by": {
            name: text(by.get(name)) for name in ("paper", "title", "first_author", "url")
        },
        "license": _licence_told(text(licence.get("name")), text(licence.get("url"))),
        "modalities": ordered((entry["name"], entry["url"]) for entry in raw["modalities"]),
        "languages": ordered((entry["name"], entry["url"]) for entry in raw["languages"]),
        "tasks": ordered((t["name"], t["url"], t["datasets_with_task"]) for t in raw["tasks"]),
        "variants": ordered(set(raw["variants"])),
        "data_loaders": ordered(
            (loader["repo"], loader["url"], ordered(loader["frameworks"]))
            for loader in raw["data_loaders"]
        ),
        "num_papers_in_archive": values.integer(raw["num_papers_in_archive"]),
        "source": {name: text(source.get(name)) for name in ("archive", "snapshot")},
        "papers_note": text(raw.get("papers_note")),
        "syntology_totals": {
            name: values.date_time(total) if name == "read_at" else total
            for name, total in totals.items()
        },
    }


def _licence_told(name: str | None, url: str | None) -> Json:
    # A Creative Commons licence is its deed, whichever page of it was named.
    return {"name": name, "url": CC_PAGES.get(url, url) if url else None}


def _licence_rebuilt(graph: Graph, dataset: str) -> Json:
    licence = graph.one(dataset, DCT + "license")
    if licence and licence.startswith("https://creativecommons.org/"):
        return {"name": graph.one(dataset, DCT + "rights"), "url": licence}
    return {"name": graph.one(licence, RDFS + "label"), "url": graph.one(licence, FOAF_PAGE)}


def dataset_rebuilt(graph: Graph, slug: str) -> Json:
    dataset = f"{DEFAULT_BASE}dataset/{slug}"
    record = f"{DEFAULT_BASE}record/codewithpapers/dataset/{slug}"
    other = f"{DEFAULT_BASE}record/syntology/dataset/{slug}"
    papers = graph.of(KG + "introduces", dataset)
    if papers:
        (paper,) = papers
        pages = graph.all(paper, FOAF_PAGE)
        by = {
            "paper": next(p for p in pages if p.startswith(SITE)).removeprefix(SITE),
            "title": graph.one(paper, DCT + "title"),
            "first_author": graph.one(paper, KG + "firstAuthorName"),
            "url": next((p for p in pages if not p.startswith(SITE)), None),
        }
    else:
        by = {
            "paper": None,
            "title": graph.one(dataset, KG + "introducedByTitle"),
            "first_author": graph.one(dataset, KG + "introducedByFirstAuthor"),
            "url": graph.one(dataset, KG + "introducedByPage"),
        }
    totals = {
        "read_at": "readAt",
        "papers_with_samples": "papersWithSamples",
        "samples_harvested": "samplesHarvested",
        "samples_ran": "samplesRan",
        "samples_unverified": "samplesUnverified",
        "pointer_only_for_licence": "pointerOnlyCount",
        "papers_with_no_sample_that_ran": "papersWithNoSampleThatRan",
        "note": "countNote",
    }
    return {
        "url": graph.path(dataset),
        "name": graph.one(dataset, RDFS + "label"),
        "full_name": graph.one(dataset, KG + "fullName"),
        "description_markdown": graph.one(dataset, DCT + "description"),
        "description_withheld": graph.one(dataset, KG + "descriptionWithheld"),
        "homepage": graph.one(dataset, LANDING),
        "introduced_date": graph.one(dataset, DCT + "issued"),
        "introduced_date_note": graph.one(dataset, KG + "issuedNote"),
        "introduced_by": by,
        "license": _licence_rebuilt(graph, dataset),
        "modalities": _catalogue(graph, dataset, "modality"),
        "languages": _catalogue(graph, dataset, "language"),
        "tasks": ordered(
            (
                str(graph.one(task, RDFS + "label")),
                str(graph.path(task)),
                next(
                    page.removeprefix(SITE)
                    for page in graph.all(task, RDFS + "seeAlso")
                    if page.startswith(SITE)
                ),
            )
            for task in graph.all(dataset, KG + "task")
        ),
        "variants": graph.all(dataset, KG + "variantName"),
        "data_loaders": ordered(
            (
                graph.one(loader, KG + "url"),
                graph.one(loader, FOAF_PAGE),
                ordered(graph.codes(loader, KG + "framework")),
            )
            for loader in graph.all(dataset, KG + "dataLoader")
        ),
        "num_papers_in_archive": graph.one(dataset, KG + "paperCount"),
        "source": {
            "archive": graph.one(record, KG + "archive"),
            "snapshot": graph.one(record, KG + "snapshot"),
        },
        "papers_note": graph.one(record, KG + "papersNote"),
        "syntology_totals": {
            name: graph.one(other, KG + property_)
            for name, property_ in totals.items()
            if graph.one(other, KG + property_) is not None
        },
    }


def _catalogue(graph: Graph, dataset: str, scheme: str) -> Json:
    return ordered(
        (str(graph.one(concept, SKOS + "prefLabel")), str(graph.path(concept)))
        for concept in graph.all(dataset, KG + scheme)
    )


# ---- the tests ---------------------------------------------------------------------------------


def check(raw: Json, make: Callable[..., Mapper]) -> None:
    record = records.read(raw)
    graph = mapped(make([record]), record)
    if record.kind == "paper":
        assert paper_rebuilt(graph, record.slug) == paper_told(raw)
    else:
        assert dataset_rebuilt(graph, record.slug) == dataset_told(raw)


@pytest.mark.parametrize("raw", sample_values(), ids=lambda raw: raw["url"])
def test_a_sample_record_comes_back_from_its_graph(
    raw: Json, mapper_for: Callable[..., Mapper]
) -> None:
    check(raw, mapper_for)


def test_the_real_records_come_back_from_their_graphs(
    shared: object, mapper_for: Callable[..., Mapper]
) -> None:
    found = seed_values()
    assert len(found) == 2
    for raw in found:
        check(raw, mapper_for)
