"""One canned query, and values bound into it."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

from kg import namespaces
from kg.catalogue.declarations import declared
from kg.catalogue.header import LOOKUP, Header, Section, read_header, wrong
from kg.catalogue.parameters import Parameter, Term, Value
from kg.catalogue.values_block import limits, values_blocks
from kg.errors import ParameterError
from kg.iris import DEFAULT_BASE, Minter
from kg.sparql import QueryForm, check, columns, scan

LIMIT: Final = "limit"
"""The parameter that stands after LIMIT and not in the VALUES block."""


@dataclass(frozen=True, slots=True, eq=False)
class CannedQuery:
    """A query with a name, a header and places for its parameters.

    *text* is the file as it stands: with the example values of its required parameters it is a
    query that runs. *columns* are the variables of a SELECT, in order. *slots* says for each
    parameter where its term stands in *text*. One that *is_lookup* ends soon whatever the store
    holds.
    """

    name: str
    title: str
    description: str
    parameters: tuple[Parameter, ...]
    text: str
    form: QueryForm
    columns: tuple[str, ...]
    slots: Mapping[str, tuple[int, int]]
    is_lookup: bool = False

    @classmethod
    def parse(cls, name: str, text: str) -> CannedQuery:
        """Read a canned query from the *text* of its file, in which our prefixes are known.

        Raises :class:`~kg.errors.QueryError` with the line of what is wrong: no SPARQL, a header
        that breaks its grammar, or header and VALUES block that do not fit together.
        """
        prefixes = namespaces.prefixes()
        form = check(text, prefixes, DEFAULT_BASE)
        header = read_header(text)
        parameters, slots = _places(text, header)
        names = (
            columns(text, list(scan(text)), prefixes, DEFAULT_BASE)
            if form is QueryForm.SELECT
            else ()
        )
        query = cls(
            name,
            header.top.values["title"],
            header.top.values["description"],
            parameters,
            text,
            form,
            names,
            slots,
            header.top.values.get("cost") == LOOKUP,
        )
        query._check_written(header)
        return query

    def terms(
        self, values: Mapping[str, Value], base: str = DEFAULT_BASE
    ) -> dict[str, Term | None]:
        """Return the term of every parameter: as given, by default, or None for none.

        Raises :class:`~kg.errors.ParameterError` for an unknown parameter, a required one that is
        missing, and a value that is not of its parameter's type.
        """
        names = [parameter.name for parameter in self.parameters]
        for name in values:
            if name not in names:
                raise self._unknown(name, names)
        minter, prefixes = Minter(base), namespaces.prefixes(base)
        terms: dict[str, Term | None] = {}
        for parameter in self.parameters:
            value = values.get(parameter.name, parameter.default)
            if value is None and parameter.required:
                raise parameter.missing()
            terms[parameter.name] = (
                None if value is None else parameter.term(value, minter, prefixes)
            )
        return terms

    def bind(self, values: Mapping[str, Value], base: str = DEFAULT_BASE) -> str:
        """Return the query with *values* in the places of its parameters.

        Values become RDF terms by their parameters' types; a bare slug becomes an IRI below
        *base*. Only the terms in the VALUES block and the number after LIMIT change; each is
        written by the engine, so that the result is the query that was checked when it was read,
        with other terms. Raises what :meth:`terms` raises, and :class:`~kg.errors.QueryError` for a
        limit that the engine cannot count to.
        """
        text = self.text
        terms = self.terms(values, base)
        for name in sorted(terms, key=lambda name: self.slots[name], reverse=True):
            start, end = self.slots[name]
            term = terms[name]
            written = "UNDEF" if term is None else term.value if name == LIMIT else str(term)
            text = f"{text[:start]}{written}{text[end:]}"
        if (
            not self.is_lookup
        ):  # which is asked often, and whose limit is known to be none too great
            check(text, namespaces.prefixes(base), base)
        return text

    def fills_limit(
        self, values: Mapping[str, Value], count: int, base: str = DEFAULT_BASE
    ) -> bool:
        """Say whether *count* solutions are all that LIMIT lets pass, so that there may be more."""
        limit = self.terms(values, base).get(LIMIT)
        return self.form is QueryForm.SELECT and limit is not None and limit.value == str(count)

    def _unknown(self, name: str, names: list[str]) -> ParameterError:
        near = difflib.get_close_matches(name, names, 1)
        takes = f"it takes {', '.join(names)}" if names else "it takes none"
        return ParameterError(
            name,
            f"the query {self.name} has no parameter {name}; "
            + (f"did you mean {near[0]}?" if near else takes),
        )

    def _check_written(self, header: Header) -> None:
        """Check that the examples are of their types, and that the text holds what it should."""
        for parameter in self.parameters:
            section = header.parameters.get(parameter.name) or cast("Section", header.limit)
            written = parameter.example if parameter.required else parameter.default
            try:
                parameter.term(parameter.example, Minter(), namespaces.prefixes())
                term = written and parameter.term(written, Minter(), namespaces.prefixes())
            except ParameterError as error:
                raise wrong(section.line, str(error)) from None
            start, end = self.slots[parameter.name]
            in_text = None if self.text[start:end].upper() == "UNDEF" else self.text[start:end]
            if parameter.name != LIMIT and in_text != (term and str(term)):
                raise wrong(
                    section.line,
                    f"the VALUES block has {in_text or 'UNDEF'} for {parameter.name},"
                    f" where the header says {term or 'UNDEF'}",
                )


def _places(text: str, header: Header) -> tuple[tuple[Parameter, ...], dict[str, tuple[int, int]]]:
    """Return the parameters of a header, and where their terms stand in the text."""
    tokens = list(scan(text))
    parameters = [declared(name, section) for name, section in header.parameters.items()]
    slots: dict[str, tuple[int, int]] = {}
    if parameters:
        names = {parameter.name for parameter in parameters}
        blocks = [block for block in values_blocks(tokens) if set(block.variables) == names]
        if len(blocks) != 1 or len(blocks[0].rows) != 1:
            raise wrong(
                next(iter(header.parameters.values())).line,
                "there must be exactly one VALUES block of one row with the variables "
                + " ".join(f"?{name}" for name in header.parameters),
            )
        block = blocks[0]
        slots = {
            name: value.span for name, value in zip(block.variables, block.rows[0], strict=True)
        }
    if header.limit is not None:
        numbers = list(limits(tokens))
        if len(numbers) != 1:
            raise wrong(header.limit.line, "there must be exactly one LIMIT in the query")
        slots[LIMIT] = (numbers[0].start, numbers[0].end)
        values = {
            "type": "integer",
            "required": "no",
            "default": numbers[0].text,
            "example": numbers[0].text,
            "minimum": "1",
            "description": "How many rows at most.",
            **header.limit.values,
        }
        parameters.append(declared(LIMIT, Section(header.limit.line, values)))
    return tuple(parameters), slots
