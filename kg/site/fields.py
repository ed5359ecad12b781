"""The inputs of a form for a canned query: one for each parameter, by its type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kg.catalogue import CannedQuery, Parameter, ParameterType
from kg.namespaces import KG
from kg.search import KINDS as SEARCHED
from kg.site import ontology
from kg.site.view import View
from kg.vocabularies import scheme_iri

_LISTED: Final = 200
"""Things that are suggested at once; of more, a search by name suggests some."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A *value* that an input may take, and what it means."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class Field:
    """One input.

    *kind* is how it is written: ``text``, ``number``, ``date`` or ``choice``, which has *choices*
    and nothing else. *suggestions* are some values of a text; *search* is the kind of things by
    whose names more can be found. *error* is what is wrong with its *value*.
    """

    name: str
    kind: str
    value: str
    description: str
    takes: str
    example: str
    is_required: bool
    default: str
    minimum: str
    maximum: str
    choices: Sequence[Choice] = ()
    suggestions: Sequence[Choice] = ()
    search: str = ""
    error: str = ""


def fields(
    query: CannedQuery,
    given: Mapping[str, str],
    errors: Mapping[str, str],
    view: View,
    counts: Mapping[str, int],
) -> list[Field]:
    """Return the inputs of *query*, filled with what is *given*."""
    return [
        _field(one, given.get(one.name, ""), errors.get(one.name, ""), view, counts)
        for one in query.parameters
    ]


def _field(
    parameter: Parameter, value: str, error: str, view: View, counts: Mapping[str, int]
) -> Field:
    space = parameter.space
    search = space.name.lower() if space and not space.is_scheme else ""
    return Field(
        parameter.name,
        _kind(parameter),
        value,
        parameter.description,
        parameter.expects,
        parameter.example,
        parameter.required,
        parameter.default or "",
        "" if parameter.minimum is None else f"{parameter.minimum:f}",
        "" if parameter.maximum is None else f"{parameter.maximum:f}",
        _choices(parameter),
        _suggestions(parameter, view, counts),
        search if search in SEARCHED else "",
        error,
    )


def _kind(parameter: Parameter) -> str:
    if parameter.choices or parameter.type is ParameterType.BOOLEAN:
        return "choice"
    if parameter.type in (ParameterType.INTEGER, ParameterType.DECIMAL):
        return "number"
    return "date" if parameter.type is ParameterType.DATE else "text"


def _choices(parameter: Parameter) -> list[Choice]:
    if parameter.type is ParameterType.BOOLEAN:
        return [Choice("true", "true"), Choice("false", "false")]
    return [Choice(one, one) for one in parameter.choices]


def _suggestions(parameter: Parameter, view: View, counts: Mapping[str, int]) -> list[Choice]:
    """Return values that the graph has: all of them where they are few."""
    space = parameter.space
    if space is None:
        return []
    if space.is_scheme:
        return _codes(space.name, view)
    if not 0 < counts.get(KG + space.name, 0) <= _LISTED:
        return []
    if space.name == "Metric":
        rows = view.rows(f"SELECT ?name {{ ?s a kg:Metric ; rdfs:label ?name }} LIMIT {_LISTED}")
        return sorted(
            (Choice(row["name"].value, "") for row in rows), key=lambda one: one.value.casefold()
        )
    rows = view.rows(f"SELECT ?s {{ ?s a kg:{space.name} }} LIMIT {_LISTED}")
    iris = [row["s"].value for row in rows]
    view.learn(iris)
    beginning = space.namespace(view.addresses.base)
    found = [Choice(iri.removeprefix(beginning), view.name(iri)) for iri in iris]
    return sorted(found, key=lambda one: one.label.casefold())


def _codes(scheme: str, view: View) -> list[Choice]:
    iri = scheme_iri(scheme)
    shipped = ontology.excerpt(ontology.VOCABULARIES_FILE)
    found = {
        one.text("skos:notation") or "": one.text("skos:prefLabel") or ""
        for one in map(shipped.of, ontology.codes(iri))
    }
    rows = view.rows(
        f"SELECT ?code ?name {{ ?c skos:inScheme <{iri}> ; skos:notation ?code"
        f" OPTIONAL {{ ?c skos:prefLabel ?name }} }} LIMIT {_LISTED}"
    )
    for row in rows:
        found.setdefault(row["code"].value, row["name"].value if "name" in row else "")
    return [Choice(code, name) for code, name in sorted(found.items()) if code]
