"""The page of a sample of code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from kg.site import ontology
from kg.site.facts import Facts
from kg.site.page import Page
from kg.site.things import lists
from kg.site.things.further import statements
from kg.site.things.origin import origins
from kg.site.things.samples import SampleRow, in_order, row
from kg.site.view import Link, View

SHOWN: Final = (
    *("kg:code", "kg:repo", "kg:filePath", "kg:fileUrl", "kg:entryPoint", "kg:inlineOk"),
    *("kg:programmingLanguage", "kg:status", "kg:contractCheck", "kg:verificationLevel"),
    *("kg:metamorphicTier", "kg:behaviourFingerprint", "dct:license"),
)
_AXES: Final = (
    ("status", "kg:status"),
    ("verification level", "kg:verificationLevel"),
    ("contract check", "kg:contractCheck"),
    ("metamorphic tier", "kg:metamorphicTier"),
    ("behaviour fingerprint", "kg:behaviourFingerprint"),
)


@dataclass(frozen=True, slots=True)
class Axis:
    """One observation about a sample, in words: what was seen, and what that means."""

    name: str
    value: Link
    meaning: str
    about: str


@dataclass(frozen=True, slots=True)
class SamplePaper:
    """A paper that the sample is tied to: of which kind its repository is, and on what ground."""

    paper: Link
    kind: Link
    meaning: str
    basis: Link


def page(thing: Facts, view: View, address: str, given: Mapping[str, str]) -> Page:
    """Return the page of a sample: where it is, what was seen, what that does not say."""
    records = origins(thing, view)
    entry = thing.text("kg:entryPoint") or view.name(thing.iri)
    repo = thing.iri_of("kg:repo")
    title = f"{entry} in {view.name(repo)}" if repo else entry
    codes = view.said([iri for name in ("kg:status",) for iri in thing.iris(name)])
    status = codes.of(thing.iri_of("kg:status") or "")
    return Page(
        title,
        "sample.html",
        {
            "entry": entry,
            "status": view.link(status.iri or None),
            "status_code": status.text("skos:notation") or "",
            "axes": _axes(thing, view),
            "file": view.link(thing.iri_of("kg:fileUrl"), thing.text("kg:filePath"))
            if thing.iri_of("kg:fileUrl")
            else Link(thing.text("kg:filePath") or "", None),
            "repo": view.link(repo),
            "language": view.links(thing.iris("kg:programmingLanguage")),
            "licences": view.links(thing.iris("dct:license")),
            "may_be_shown": thing.flag("kg:inlineOk"),
            "code": view.link(thing.iri_of("kg:code")),
            "same": _same_code(thing, view),
            "papers": _papers(thing.iri, view),
            "claims": list(dict.fromkeys(one.claim for one in records if one.claim)),
            "about_status": ontology.comment("status"),
            "records": records,
            "further": statements(thing, view, SHOWN),
        },
        summary=f"{title}: {view.name(status.iri) if status.iri else 'no status'}.",
        iri=thing.iri,
    )


def _axes(thing: Facts, view: View) -> list[Axis]:
    excerpt = view.said([iri for _, property_ in _AXES for iri in thing.iris(property_)])
    axes = []
    for name, property_ in _AXES:
        iri, text = thing.iri_of(property_), thing.text(property_)
        flag = {"true": "yes", "false": "no"}.get(text or "", text or "")
        axes.append(
            Axis(
                name,
                view.link(iri) if iri else Link(flag or "not said", None),
                _meaning(iri, excerpt.of(iri or "")) if iri else "",
                ontology.comment(property_.partition(":")[2]),
            )
        )
    return axes


def _meaning(iri: str, code: Facts) -> str:
    """Return what a code means: as the data says, or else as the shipped list does."""
    shipped = ontology.excerpt(ontology.VOCABULARIES_FILE).of(iri)
    found = (*code.texts("skos:definition"), *shipped.texts("skos:definition"))
    return " / ".join(dict.fromkeys(found)) or (shipped.text("skos:note") or "")


def _same_code(thing: Facts, view: View) -> list[SampleRow]:
    """Return the samples at other places that have the same code."""
    code = thing.iri_of("kg:code")
    if code is None:
        return []
    found, _ = lists.some(f"?thing kg:code <{code}>", view)
    excerpt = view.said(found)
    return in_order(row(excerpt.of(iri), view) for iri in found if iri != thing.iri)


def _papers(iri: str, view: View) -> list[SamplePaper]:
    rows = view.rows(
        f"""SELECT ?link ?paper {{
          {{ SELECT ?link {{ ?link kg:sample <{iri}> }} LIMIT {lists.SHOWN} }}
          ?paper kg:sampleLink ?link
        }}"""
    )
    excerpt = view.said([row_["link"].value for row_ in rows])
    kinds = view.said(
        [one for row_ in rows for one in excerpt.of(row_["link"].value).iris("kg:repoKind")]
    )
    found = []
    for row_ in rows:
        link = excerpt.of(row_["link"].value)
        kind = link.iri_of("kg:repoKind")
        found.append(
            SamplePaper(
                view.link(row_["paper"].value),
                view.link(kind),
                " / ".join(kinds.of(kind).texts("skos:definition")) if kind else "",
                view.link(link.iri_of("kg:linkBasis")),
            )
        )
    return sorted(found, key=lambda one: one.paper.text.casefold())
