"""The pages and documents of the ontology (``/ns``) and of the code lists (``/vocab``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pyoxigraph as ox

from kg.namespaces import KG, SKOS, VOCAB
from kg.site import ontology
from kg.site.addresses import ONTOLOGY, VOCABULARY
from kg.site.facts import Facts
from kg.site.page import Page
from kg.site.things import lists
from kg.site.things.further import statements
from kg.site.view import Link, View

_SHOWN: Final = ("skos:prefLabel", "skos:notation", "skos:definition", "skos:note", "skos:inScheme")
LICENCES: Final = ("https://creativecommons.org/licenses/by/4.0/",)


@dataclass(frozen=True, slots=True)
class Term:
    """A class or property: its local name is its anchor; *things* counts those of a class here."""

    name: str
    label: str
    comment: str
    facts: tuple[tuple[str, tuple[Link, ...]], ...]
    things: int | None = None


@dataclass(frozen=True, slots=True)
class Code:
    """One code of a list."""

    link: Link
    notation: str
    meaning: str


def is_ours(iri: str) -> bool:
    """Say whether *iri* is that of the ontology, of the code lists, or of one of them."""
    return iri in (ONTOLOGY, VOCABULARY) or iri.startswith(VOCAB)


def document(iri: str, view: View) -> list[ox.Triple]:
    """Return what is said of the ontology, a code list or a code; nothing where it is none.

    What the graph says of codes counts with what paperkg ships.
    """
    if iri == ONTOLOGY:
        return list(ontology.triples(ontology.ONTOLOGY_FILE))
    shipped = ontology.triples(ontology.VOCABULARIES_FILE)
    if iri == VOCABULARY:
        return [triple for triple in shipped if str(triple.subject)[1:-1] in ontology.schemes()]
    wanted = [iri]
    if "/" not in iri.removeprefix(VOCAB):
        wanted += [code for code, _, _ in _codes(iri, view)]
    found: dict[str, dict[ox.Triple, None]] = {node: {} for node in wanted}
    for triple in (*shipped, *view.triples(wanted)):
        of_node = found.get(str(triple.subject)[1:-1])
        if of_node is not None:
            of_node[triple] = None
    return [triple for of_node in found.values() for triple in of_node]


def page(iri: str, triples: Sequence[ox.Triple], view: View, counts: dict[str, int]) -> Page:
    """Return the page about the ontology, the code lists, one of them, or one code."""
    if iri == ONTOLOGY:
        return _ontology_page(view, counts)
    if iri == VOCABULARY:
        return _lists_page(view)
    thing = view.excerpt(triples).of(iri)
    if SKOS + "ConceptScheme" in thing.classes:
        return _list_page(thing, view)
    return _code_page(thing, view)


def _ontology_page(view: View, counts: dict[str, int]) -> Page:
    found = ontology.excerpt(ontology.ONTOLOGY_FILE)
    about = found.of(ONTOLOGY)
    classes = [_term(found.of(iri), view, counts.get(iri, 0)) for iri in ontology.terms("class")]
    properties = [_term(found.of(iri), view) for iri in ontology.terms("property")]
    return Page(
        about.text("dct:title") or "The ontology",
        "ontology.html",
        {
            "about": about.text("dct:description"),
            "version": about.text("owl:versionInfo"),
            "namespace": KG,
            "classes": sorted(classes, key=lambda term: term.name),
            "properties": sorted(properties, key=lambda term: term.name.casefold()),
        },
        summary=about.text("dct:description") or "",
        iri=ONTOLOGY,
        licences=tuple(about.iris("dct:license")),
    )


def _term(term: Facts, view: View, things: int | None = None) -> Term:
    def links(*properties: str) -> tuple[Link, ...]:
        found = [iri for one in properties for iri in term.iris(one)]
        return tuple(view.link(iri, ontology.label(iri)) for iri in found)

    facts = (("of", links("rdfs:domain", "schema:domainIncludes")), ("value", links("rdfs:range")))
    return Term(
        term.iri.removeprefix(KG),
        term.text("rdfs:label") or "",
        term.text("rdfs:comment") or "",
        tuple((name, found) for name, found in facts if found),
        things,
    )


def _lists_page(view: View) -> Page:
    found = ontology.excerpt(ontology.VOCABULARIES_FILE)
    schemes = [found.of(iri) for iri in ontology.schemes()]
    return Page(
        "Code lists",
        "vocabularies.html",
        {
            "lists": [
                (
                    view.link(one.iri, one.text("dct:title")),
                    one.iri.removeprefix(VOCAB),
                    one.text("dct:description") or "",
                )
                for one in schemes
            ]
        },
        summary="The code lists of paperkg, as SKOS concept schemes.",
        iri=VOCABULARY,
        licences=LICENCES,
    )


def _list_page(scheme: Facts, view: View) -> Page:
    codes = _codes(scheme.iri, view)
    title = scheme.text("dct:title") or scheme.iri.removeprefix(VOCAB)
    return Page(
        title,
        "vocabulary.html",
        {
            "about": scheme.text("dct:description") or "",
            "codes": [
                Code(view.link(iri, label), notation, _meaning(iri, view))
                for iri, label, notation in codes
            ],
        },
        summary=scheme.text("dct:description") or "",
        iri=scheme.iri,
        licences=LICENCES,
    )


def _code_page(code: Facts, view: View) -> Page:
    used, has_more = lists.some(f"?thing ?property <{code.iri}>", view, 100)
    view.learn(used)
    scheme = code.iri_of("skos:inScheme") or code.iri.rpartition("/")[0]
    name = code.text("skos:prefLabel") or view.name(code.iri)
    return Page(
        name,
        "code.html",
        {
            "notation": code.text("skos:notation"),
            "definitions": code.texts("skos:definition") or code.texts("skos:note"),
            "scheme": view.link(
                scheme, ontology.excerpt(ontology.VOCABULARIES_FILE).of(scheme).text("dct:title")
            ),
            "used": [(link, iri.partition("#")[2]) for iri in used if (link := view.link(iri))],
            "has_more": has_more,
            "further": statements(code, view, _SHOWN),
        },
        summary=" ".join(code.texts("skos:definition")) or f"{name}: a code.",
        iri=code.iri,
        licences=LICENCES,
    )


def _codes(scheme: str, view: View) -> list[tuple[str, str, str]]:
    """Return the codes of a list, shipped ones and those of the graph: IRI, label, notation."""
    found = dict.fromkeys(ontology.codes(scheme), ("", ""))
    for row in view.rows(f"SELECT ?code {{ ?code skos:inScheme <{scheme}> }} LIMIT {lists.READ}"):
        found.setdefault(row["code"].value, ("", ""))
    here = view.said(list(found))
    shipped = ontology.excerpt(ontology.VOCABULARIES_FILE)
    told = []
    for iri in found:
        one = here.of(iri) or shipped.of(iri)
        notation = one.text("skos:notation") or iri.rpartition("/")[2]
        told.append((iri, one.text("skos:prefLabel") or notation, notation))
    return sorted(told, key=lambda code: code[1].casefold())


def _meaning(iri: str, view: View) -> str:
    shipped = ontology.excerpt(ontology.VOCABULARIES_FILE).of(iri)
    here = view.said([iri]).of(iri)
    found = dict.fromkeys((*here.texts("skos:definition"), *shipped.texts("skos:definition")))
    return " / ".join(found) or shipped.text("skos:note") or ""
