"""Parameters of canned queries: their types, and values as RDF terms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Final, TypeAlias

import pyoxigraph as ox

from kg import values
from kg.catalogue.iri_values import Space, read_iri
from kg.errors import ParameterError
from kg.iris import Minter
from kg.namespaces import XSD

Value: TypeAlias = str | bool | int | Decimal | date
"""What a parameter takes: its text, or the value itself from Python."""

Term: TypeAlias = ox.NamedNode | ox.Literal


class ParameterType(StrEnum):
    """The types of parameters."""

    IRI = "iri"
    STRING = "string"
    INTEGER = "integer"
    DECIMAL = "decimal"
    DATE = "date"
    BOOLEAN = "boolean"


_WORDS: Final = {
    ParameterType.IRI: "an IRI or a CURIE",
    ParameterType.STRING: "a text",
    ParameterType.INTEGER: "an integer",
    ParameterType.DECIMAL: "a decimal number",
    ParameterType.DATE: "a date (YYYY-MM-DD)",
    ParameterType.BOOLEAN: "true or false",
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a canned query.

    *default* and *example* are texts, read as a given value would be; *space* says where the bare
    values of an IRI parameter belong; *choices* are the only values of a text, where there are any.
    """

    name: str
    type: ParameterType
    description: str
    example: str
    required: bool = False
    default: str | None = None
    space: Space | None = None
    minimum: Decimal | None = None
    maximum: Decimal | None = None
    choices: tuple[str, ...] = ()

    @property
    def expects(self) -> str:
        """What the parameter takes, in words."""
        words = _WORDS[self.type]
        if self.choices:
            words = f"{', '.join(self.choices[:-1])} or {self.choices[-1]}"
        if self.space is not None:
            words = f"an IRI, a CURIE or {self.space.bare}"
        if self.minimum is not None and self.maximum is not None:
            return f"{words} from {self.minimum} to {self.maximum}"
        if self.minimum is not None:
            return f"{words} from {self.minimum} up"
        if self.maximum is not None:
            return f"{words} up to {self.maximum}"
        return words

    def missing(self) -> ParameterError:
        """Return the error for a required parameter that is not given."""
        return ParameterError(
            self.name,
            f"the parameter {self.name} is missing; it takes {self.expects},"
            f" for example {self.name}={self.example}",
        )

    def term(self, value: Value, minter: Minter, prefixes: Mapping[str, str]) -> Term:
        """Return *value* as an RDF term of the parameter's type.

        Raises :class:`~kg.errors.ParameterError` if it is none.
        """
        text = _text(value, self.type)
        term = None if text is None else self._read(text, minter, prefixes)
        if term is None or not self._in_range(term):
            raise ParameterError(
                self.name,
                f"the parameter {self.name} takes {self.expects}, not {_shown(value)};"
                f" for example {self.name}={self.example}",
            )
        return term

    def _read(self, text: str, minter: Minter, prefixes: Mapping[str, str]) -> Term | None:
        if values.scalar_text(text)[1]:
            return None
        if self.type is ParameterType.STRING:
            return ox.Literal(text) if not self.choices or text in self.choices else None
        if self.type is ParameterType.IRI:
            try:
                return ox.NamedNode(read_iri(text, self.space, minter, prefixes))
            except ValueError:
                return None
        lexical = _LEXICAL[self.type](text)
        if lexical is None:
            return None
        return ox.Literal(lexical, datatype=ox.NamedNode(XSD + self.type))

    def _in_range(self, term: Term) -> bool:
        if self.minimum is None and self.maximum is None:
            return True
        number = Decimal(term.value)
        return (self.minimum is None or number >= self.minimum) and (
            self.maximum is None or number <= self.maximum
        )


def _date(text: str) -> str | None:
    datatype, lexical = values.calendar_value(text) or ("", None)
    return lexical if datatype == "date" else None


# The name of each type is that of its XSD datatype.
_LEXICAL: Final[Mapping[ParameterType, Callable[[str], str | None]]] = {
    ParameterType.INTEGER: values.integer,
    ParameterType.DECIMAL: values.decimal,
    ParameterType.DATE: _date,
    ParameterType.BOOLEAN: values.boolean,
}


def _text(value: Value, wanted: ParameterType) -> str | None:
    """Return the text of a Python value; None where its type is not the one *wanted*."""
    # bool is an int and datetime a date to Python, and neither is meant by the other.
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower() if wanted is ParameterType.BOOLEAN else None
    if isinstance(value, int):
        return str(value) if wanted in (ParameterType.INTEGER, ParameterType.DECIMAL) else None
    if isinstance(value, Decimal):
        return f"{value:f}" if wanted is ParameterType.DECIMAL else None
    if isinstance(value, date) and not isinstance(value, datetime):
        return value.isoformat() if wanted is ParameterType.DATE else None
    return None


def _shown(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 80 else f"{shown[:79]}…"
