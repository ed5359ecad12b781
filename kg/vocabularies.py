"""The code lists: which codes ``ontology/vocabularies.ttl`` knows, and the IRIs of all others.

The lists are open: a code that is not in them becomes a concept all the same, and a finding.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

import pyoxigraph as ox

from kg import resources
from kg.iris import key
from kg.namespaces import SKOS, VOCAB

# A code that stands in an IRI as it is; one of them is the key of a name without a code.
_PLAIN_CODE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*|[a-z0-9-]*~[0-9a-f]{8}", re.ASCII)


def scheme_iri(scheme: str) -> str:
    """Return the IRI of a concept scheme."""
    return VOCAB + scheme


def concept_iri(scheme: str, code: str) -> str:
    """Return the IRI of the concept of *code* in *scheme*.

    >>> concept_iri("framework", "pytorch")
    'https://w3id.org/paperkg/vocab/framework/pytorch'
    """
    return f"{VOCAB}{scheme}/{code if _PLAIN_CODE.fullmatch(code) else key(code)}"


@dataclass(frozen=True)
class Vocabularies:
    """The known concepts: IRI → preferred label."""

    labels: Mapping[str, str]

    @classmethod
    def load(cls, path: Path | None = None) -> Vocabularies:
        """Read the concepts of a Turtle file (the shipped one if None)."""
        path = path or resources.ontology() / "vocabularies.ttl"
        labels = {
            quad.subject.value: quad.object.value
            for quad in ox.parse(path=path, format=ox.RdfFormat.TURTLE)
            if quad.predicate.value == SKOS + "prefLabel"
            and isinstance(quad.subject, ox.NamedNode)
            and isinstance(quad.object, ox.Literal)
        }
        return cls(labels)

    def knows(self, scheme: str, code: str) -> bool:
        """Say whether the list of *scheme* has *code*."""
        return concept_iri(scheme, code) in self.labels

    def codes(self, scheme: str, name: str) -> frozenset[str]:
        """Return the codes that the list of *scheme* has for a name."""
        return self._codes.get((scheme, name), frozenset())

    @cached_property
    def _codes(self) -> Mapping[tuple[str, str], frozenset[str]]:
        found: dict[tuple[str, str], set[str]] = {}
        for iri, label in self.labels.items():
            scheme, _, code = iri.removeprefix(VOCAB).partition("/")
            found.setdefault((scheme, label), set()).add(code)
        return {name: frozenset(codes) for name, codes in found.items()}
