"""The draft of one record's nodes: what nodes of every kind are made of."""

from __future__ import annotations

from typing import Final

from kg import licences, repos
from kg.findings import Finding, FindingKind
from kg.index import Index
from kg.iris import SLUG, Minter, encode_iri, outside_iri
from kg.values import calendar_value
from kg.vocabularies import Vocabularies, concept_iri, scheme_iri

Node = dict[str, object]
"""A JSON-LD node: ``@id``, ``@type``, values under the record's own words."""

SITE: Final = "https://codewithpapers.app"
_LPWC: Final = "https://linkedpaperswithcode.com/"
_SOFTWARE_HERITAGE: Final = "https://archive.softwareheritage.org/browse/origin/?origin_url="


class Draft:
    """Makes the nodes of one record and notes what is odd about them in *findings*."""

    def __init__(self, minter: Minter, index: Index, vocabularies: Vocabularies) -> None:
        self.minter = minter
        self.index = index
        self._vocabularies = vocabularies
        self.findings: list[Finding] = []

    def note(self, kind: FindingKind, field: str, message: str) -> None:
        """Add a finding about the key path *field*."""
        self.findings.append(Finding(kind, field, message))

    def thing(self, kind: str, slug: str, **values: object) -> Node:
        """Return the node of a paper, dataset, task or method that has a slug."""
        return node(
            self.minter.thing(kind, slug),
            kind.capitalize(),
            slug=slug,
            see_also=_LPWC + f"{kind}/{slug}" if SLUG.fullmatch(slug) else None,
            **values,
        )

    def by_name(self, kind: str, name: str, own: frozenset[str], field: str) -> Node:
        """Return the node of a task or dataset that a record names without its slug.

        *own* are the slugs that the record itself gives this name; without one the corpus
        decides, where it has one slug for the name. Else the thing keeps a key space of its own.
        """
        slugs = own if len(own) == 1 else self.index.slugs(kind, name)
        if len(slugs) == 1:
            return self.thing(kind, next(iter(slugs)), name=name)
        why = f"has {len(slugs)} slugs ({', '.join(sorted(slugs))})" if slugs else "has no slug"
        self.note(FindingKind.UNRESOLVED_NAME, field, f"the {kind} {name!r} {why} in the records")
        return node(self.minter.named(kind, name), kind.capitalize(), name=name)

    def concept(
        self,
        scheme: str,
        code: str | None,
        field: str,
        **said: object,
    ) -> Node | None:
        """Return the concept of a code with what the record *said* of it; None without a code."""
        if code is None:
            return None
        iri = concept_iri(scheme, code)
        if not self._vocabularies.knows(scheme, code):
            self.note(
                FindingKind.UNKNOWN_CODE, field, f"{code!r} is new in the code list {scheme!r}"
            )
        return node(
            iri,
            "Concept",
            scheme=scheme_iri(scheme),
            code=code,
            **{"name": self._vocabularies.labels.get(iri, code)} | said,
        )

    def repo(self, address: repos.RepoAddress) -> Node:
        """Return the node of a repository."""
        return node(
            self.minter.repo(address.key),
            "Repo",
            page=address.page,
            see_also=_SOFTWARE_HERITAGE + encode_iri(address.page).replace("&", "%26"),
        )

    def spdx(self, identifier: str | None, own: str, field: str) -> str | Node | None:
        """Return the IRI of an SPDX identifier, or a document *own* by the text that is none."""
        if identifier is None:
            return None
        iri = licences.spdx_iri(identifier)
        if iri is None:
            self.note(FindingKind.ODD_VALUE, field, f"{identifier!r} is no SPDX identifier")
            return node(own, "Licence", name=identifier)
        return iri

    def licence(self, thing: str, name: str | None, url: str | None, field: str) -> Node | None:
        """Return the licence of *thing* by name and address, or None where there is neither.

        A Creative Commons address says which licence it is; any other name or address stands on
        a document of the thing's own, since the same words may mean another text elsewhere.
        """
        if name is None and url is None:
            return None
        iri = licences.url_iri(url) if url is not None and licences.is_cc(url) else None
        return node(
            iri or f"{thing}#license",
            "Licence",
            name=name,
            **self.placed("url", url, f"{field}.url"),
        )

    def placed(self, name: str, text: str | None, field: str, site: str = SITE) -> Node:
        """Return a page under *name*, or under ``raw_url`` the text that is no address."""
        iri = self.page(text, field, site)
        if iri is not None:
            return {name: iri}
        return {} if text is None else {"raw_url": text}

    def page(self, text: str | None, field: str, site: str = SITE) -> str | None:
        """Return the IRI of a page: an address as it is, a path on the *site*."""
        if text is not None and text.startswith("/") and not text.startswith("//"):
            return encode_iri(site.rstrip("/") + text)
        return self.address(text, field)

    def address(self, text: str | None, field: str) -> str | None:
        """Return an outside address as an IRI; a text that is none is noted as odd."""
        if text is None:
            return None
        iri = outside_iri(text)
        if iri is None:
            self.note(FindingKind.ODD_VALUE, field, f"{text[:80]!r} is no web address")
        return iri

    def dated(self, text: str | None, field: str, keys: tuple[str, str, str]) -> Node:
        """Return a date under the key for a day, a month or a year, or as ``raw_date``."""
        if text is None:
            return {}
        read = calendar_value(text)
        if read is None:
            self.note(FindingKind.ODD_VALUE, field, f"{text!r} is no date; kept as text")
            return {"raw_date": text}
        datatype, lexical = read
        return {dict(zip(("date", "gYearMonth", "gYear"), keys, strict=True))[datatype]: lexical}


def node(iri: str, type_: str, **values: object) -> Node:
    """Return a node without its empty values; the empty text is a value, None and [] are none."""
    return {
        "@id": iri,
        "@type": type_,
        **{name: value for name, value in values.items() if value is not None and value != []},
    }
