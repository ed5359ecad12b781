"""The draft of one record's nodes: what nodes of every kind are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from typing import Final

from kg import licences, repos, suspects
from kg.findings import Finding, FindingKind
from kg.index import Index
from kg.iris import SLUG, Minter, encode_iri, key, outside_iri
from kg.mapper.shared import SharedNodes
from kg.records.parts import NamedSlug
from kg.values import calendar_value, date_time
from kg.vocabularies import Vocabularies, concept_iri, scheme_iri

Node = dict[str, object]
"""A JSON-LD node: ``@id``, ``@type``, values under the record's own words."""

SITE: Final = "https://codewithpapers.app"
NOT_JOINED: Final = "in no record"
_LPWC: Final = "https://linkedpaperswithcode.com/"
_SOFTWARE_HERITAGE: Final = "https://archive.softwareheritage.org/browse/origin/?origin_url="


class Draft:
    """Makes the nodes of one record and notes what is odd about them in *findings*.

    *shared* has those that other records of its kind have too.
    """

    def __init__(
        self, minter: Minter, index: Index, vocabularies: Vocabularies, shared: SharedNodes
    ) -> None:
        self.minter = minter
        self.index = index
        self._vocabularies = vocabularies
        self._shared = shared
        self.findings: list[Finding] = []
        self.joins: Counter[str] = Counter()
        """How papers that the record points to were found, by what they were found by."""

    def note(self, kind: FindingKind, field: str, message: str) -> None:
        """Add a finding about the key path *field*."""
        self.findings.append(Finding(kind, field, message))

    def look_at(self, thing: Node, field: str, *texts: str | None, is_listed: bool = True) -> None:
        """Note where the name or a description of a thing looks like vandalism."""
        why = suspects.reason(*texts, is_listed=is_listed)
        if why is not None:
            self.note(FindingKind.SUSPECT, field, f"<{thing['@id']}> has {why}")

    def shared(self, make: Callable[[], Node], *key: Hashable) -> Node:
        """Return the node that records have in common by *key*; *make* makes it when it is new."""
        return self._shared.node(make, self.findings, *key)

    def thing(self, kind: str, slug: str, **values: object) -> Node:
        """Return the node of a paper, dataset, task or method that has a slug."""
        return node(
            self.minter.thing(kind, slug),
            kind.capitalize(),
            slug=slug,
            see_also=_LPWC + f"{kind}/{slug}" if SLUG.fullmatch(slug) else None,
            **values,
        )

    def called(self, kind: str, slug: str, name: str | None) -> Node:
        """Return the node of a dataset, task or method that a record names by slug and name."""
        return self.shared(lambda: self.thing(kind, slug, name=name), kind, slug, name)

    def by_name(self, kind: str, name: str, own: frozenset[str], field: str) -> Node:
        """Return the node of a task or dataset that a record names without its slug.

        *own* are the slugs that the record itself gives this name; without one the corpus
        decides, where it has one slug for the name. Else the thing keeps a key space of its own.
        """
        slugs = own if len(own) == 1 else self.index.slugs(kind, name)
        if len(slugs) == 1:
            return self.called(kind, next(iter(slugs)), name)
        why = f"has {len(slugs)} slugs ({', '.join(sorted(slugs))})" if slugs else "has no slug"
        self.note(FindingKind.UNRESOLVED_NAME, field, f"the {kind} {name!r} {why} in the records")
        return self.shared(
            lambda: node(self.minter.named(kind, name), kind.capitalize(), name=name), kind, name
        )

    def named(self, kind: str, thing: NamedSlug, field: str, **said: object) -> Node:
        """Return the node of a task, method or dataset by its slug or, without one, by its name."""
        if thing.slug is not None:
            found = self.called(kind, thing.slug, thing.name)
        else:
            found = self.by_name(kind, thing.name or "", frozenset(), field)
        return found | dict(node_values(said)) if said else found

    def concept(self, scheme: str, code: str | None, field: str, **said: object) -> Node | None:
        """Return the concept of a code with what the record *said* of it; None without a code."""
        return None if code is None else self.coded(scheme, code, field, **said)

    def coded(self, scheme: str, code: str, field: str, **said: object) -> Node:
        """Return the concept of a code with what the record *said* of it."""
        if not self._vocabularies.knows(scheme, code):
            self.note(
                FindingKind.UNKNOWN_CODE, field, f"{code!r} is new in the code list {scheme!r}"
            )
        if said:
            return self._concept(scheme, code, said)
        return self.shared(lambda: self._concept(scheme, code, said), scheme, code)

    def _concept(self, scheme: str, code: str, said: Mapping[str, object]) -> Node:
        iri = concept_iri(scheme, code)
        named = {"name": self._vocabularies.labels.get(iri, code)} | dict(said)
        return node(iri, "Concept", scheme=scheme_iri(scheme), code=code, **named)

    def code_of(self, scheme: str, name: str) -> str:
        """Return the code of a *name* in a code list that grows with the data.

        It is the one that the corpus or the shipped list has for the name, else the name's key.
        """
        codes = self.index.slugs(scheme, name) or self._vocabularies.codes(scheme, name)
        return next(iter(codes)) if len(codes) == 1 else key(name)

    def named_concept(self, scheme: str, name: str, field: str, **said: object) -> Node:
        """Return the concept that a record names without its code, with what it *said* of it."""
        return self.coded(scheme, self.code_of(scheme, name), field, **({"name": name} | said))

    def known_paper(self, url: str | None, arxiv_id: str | None = None) -> str | None:
        """Return the slug of the paper that an address or an arXiv identifier means, or None."""
        found = self.index.paper(url, arxiv_id)
        self.joins[found.by if found else NOT_JOINED] += 1
        return found.slug if found else None

    def repo(self, address: repos.RepoAddress) -> Node:
        """Return the node of a repository."""
        return self.shared(lambda: self._repo(address), "repo", address.key, address.page)

    def _repo(self, address: repos.RepoAddress) -> Node:
        return node(
            self.minter.repo(address.key),
            "Repo",
            page=address.page,
            see_also=_SOFTWARE_HERITAGE + encode_iri(address.page).replace("&", "%26"),
        )

    def metric(self, name: str) -> Node:
        """Return the node of a metric."""
        return self.shared(
            lambda: node(self.minter.metric(name), "Metric", name=name), "metric", name
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

    def licence(self, thing: str, name: str | None, url: str | None, field: str) -> Node:
        """Return the licence of *thing* by name and address, as values of the thing.

        A Creative Commons address says which licence it is, and the name is the thing's own word
        for it. Any other name or address stands on a document of the thing's own, since the same
        words may mean another text elsewhere.
        """
        if url is not None and licences.is_cc(url):
            return node_values({"license": licences.url_iri(url), "license_name": name})
        if name is None and url is None:
            return {}
        places = self.places({"url": (url, f"{field}.url")})
        return {"license": node(f"{thing}#license", "Licence", name=name, **places)}

    def places(self, given: Mapping[str, tuple[str | None, str]], site: str = SITE) -> Node:
        """Return addresses as IRIs under their keys, and what is none as texts under ``raw_url``.

        *given* has for each key the address (or a path on the *site*) and its key path.
        """
        found: Node = {}
        raw: list[str] = []
        for name, (text, field) in given.items():
            iri = self.page(text, field, site)
            if iri is not None:
                found[name] = iri
            elif text is not None:
                raw.append(text)
        return found | ({"raw_url": raw} if raw else {})

    def page(self, text: str | None, field: str, site: str = SITE) -> str | None:
        """Return the IRI of an address, or of a path on the *site*; what is none is noted."""
        if text is None:
            return None
        is_path = text.startswith("/") and not text.startswith("//")
        iri = outside_iri(site.rstrip("/") + text if is_path else text)
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

    def typed(self, key: str, text: str | None, field: str) -> Node:
        """Return a day (``snapshot``) or a time (``read_at``) under *key*, or as ``raw_date``."""
        if text is None:
            return {}
        if key == "read_at":
            lexical = date_time(text)
        else:
            read = calendar_value(text)
            lexical = read[1] if read is not None and read[0] == "date" else None
        if lexical is None:
            self.note(FindingKind.ODD_VALUE, field, f"{text!r} does not read; kept as text")
            return {"raw_date": text}
        return {key: lexical}


def node(iri: str, type_: str, **values: object) -> Node:
    """Return a node without its empty values."""
    return {"@id": iri, "@type": type_, **node_values(values)}


def node_values(values: Mapping[str, object]) -> Node:
    """Return values without those that are none; the empty text is a value, None and [] are not."""
    return {name: value for name, value in values.items() if value is not None and value != []}
