"""RDF terms as Python's own values, by their datatypes and by nothing else.

=====================================  =======================================================
xsd:integer and what derives from it   int
xsd:decimal                            float; Decimal where every digit is asked for
xsd:double, xsd:float                  float
xsd:boolean                            bool
xsd:date, xsd:dateTime                 datetime.date, datetime.datetime
any other literal                      its text: strings with or without a language, xsd:gYear
                                       and xsd:gYearMonth (a date less precise than a day)
an IRI, a blank node                   its text: the whole IRI, ``_:`` and the label
=====================================  =======================================================

A literal whose text is none of its datatype (``"abc"^^xsd:integer``), or one that Python has no
value for (a year beyond 9999), is its text too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal
from enum import Enum, auto
from typing import Final, TypeAlias

import pyoxigraph as ox

from kg.namespaces import XSD
from kg.tables import Term

Value: TypeAlias = str | int | float | Decimal | bool | date | datetime | None


class Kind(Enum):
    """The kinds of values that a column can be of."""

    TEXT = auto()
    INTEGER = auto()
    DECIMAL = auto()
    DOUBLE = auto()
    BOOLEAN = auto()
    DATE = auto()
    LOCAL_TIME = auto()
    """A date and time without a time zone, which cannot be compared with one that has it."""
    INSTANT = auto()
    """A date and time with a time zone."""


NUMBERS: Final = frozenset({Kind.INTEGER, Kind.DECIMAL, Kind.DOUBLE})

_DERIVED: Final = (
    "long int short byte nonNegativeInteger positiveInteger nonPositiveInteger negativeInteger"
    " unsignedLong unsignedInt unsignedShort unsignedByte"
)
_KINDS: Final[Mapping[str, Kind]] = {
    XSD + "integer": Kind.INTEGER,
    **{XSD + name: Kind.INTEGER for name in _DERIVED.split()},
    XSD + "decimal": Kind.DECIMAL,
    XSD + "double": Kind.DOUBLE,
    XSD + "float": Kind.DOUBLE,
    XSD + "boolean": Kind.BOOLEAN,
    XSD + "date": Kind.DATE,
    XSD + "dateTime": Kind.LOCAL_TIME,
}

# The lexical forms of XSD 1.1, part 2, section 3.3, as far as Python has a value for them.
_FORMS: Final = {
    Kind.INTEGER: re.compile(r"[+-]?[0-9]+"),
    Kind.DECIMAL: re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)"),
    Kind.DOUBLE: re.compile(
        r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?INF|NaN"
    ),
    Kind.BOOLEAN: re.compile(r"true|false|0|1"),
    Kind.DATE: re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}"),
    Kind.LOCAL_TIME: re.compile(
        r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?"
        r"(?:Z|[+-][0-9]{2}:[0-9]{2})?"
    ),
}
_READERS: Final[Mapping[Kind, Callable[[str], Value]]] = {
    Kind.INTEGER: int,
    Kind.DECIMAL: Decimal,
    Kind.DOUBLE: float,
    Kind.BOOLEAN: lambda text: text in ("true", "1"),
    Kind.DATE: date.fromisoformat,
    Kind.LOCAL_TIME: datetime.fromisoformat,
}
_SPACE: Final = " \t\r\n"
"""What XSD collapses around a value."""


def value_of(term: Term, *, exact: bool = False) -> Value:
    """Return *term* as a Python value, None for what is unbound; *exact* keeps decimals Decimal.

    >>> value_of(ox.Literal("1.10")), value_of(ox.Literal(7)), value_of(ox.Literal(""))
    ('1.10', 7, '')
    """
    value = None if term is None else read(term)[1]
    return float(value) if isinstance(value, Decimal) and not exact else value


def read(term: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple) -> tuple[Kind, Value]:
    """Return the kind of *term* and its value, of which every digit is kept.

    >>> read(ox.Literal("abc", datatype=ox.NamedNode(XSD + "integer")))
    (<Kind.TEXT: 1>, 'abc')
    """
    kind = declared(term)
    lexical = text_of(term)
    if kind is not Kind.TEXT and _FORMS[kind].fullmatch(lexical.strip(_SPACE)):
        try:
            value = _READERS[kind](lexical.strip(_SPACE))
        except ValueError:  # the 30th of February, or more digits than Python reads
            return Kind.TEXT, lexical
        if isinstance(value, datetime) and value.tzinfo is not None:
            kind = Kind.INSTANT
        return kind, value
    return Kind.TEXT, lexical


def declared(term: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple) -> Kind:
    """Return the kind that the datatype of *term* promises."""
    if not isinstance(term, ox.Literal):
        return Kind.TEXT
    return _KINDS.get(term.datatype.value, Kind.TEXT)


def text_of(term: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple) -> str:
    """Return the text of *term*: a literal's without its datatype, an IRI in full."""
    return term.value if isinstance(term, ox.NamedNode | ox.Literal) else str(term)
