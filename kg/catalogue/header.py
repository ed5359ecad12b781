"""The header of a canned query: comment lines that begin with ``#+``.

::

    #+ title: Leaderboard in archive order
    #+ description: All results of one leaderboard,
    #+   a long text goes on with more indentation
    #+ parameter leaderboard:
    #+   type: iri
    #+   class: Leaderboard
    #+   required: yes
    #+   description: The leaderboard.
    #+   example: question-answering-on-squad11
    #+ limit:
    #+   minimum: 1
    #+   maximum: 10000

A line is ``#+``, one space, a key, a colon and a value. ``parameter NAME:`` and ``limit:`` begin a
section, whose keys are indented by two more spaces; a line indented by two more than its key goes
on with that key's value. The keys of a parameter are ``type`` (iri, string, integer, decimal, date,
boolean), ``class`` or ``scheme`` (of an iri: where a bare slug or code belongs), ``values`` (of a
string: the only ones it takes, with commas between), ``required`` (yes or no), ``default``,
``minimum``, ``maximum``, ``description`` and ``example``; ``limit`` is the integer after LIMIT,
with ``minimum``, ``maximum`` and ``description``. No parameter is called ``limit`` or ``format``.
``cost: lookup``, beside title and description, says that the query ends soon whatever the store
holds: it follows named properties from one thing that is named.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from kg.errors import QueryError

FORMAT: Final = "format"
"""The parameter of every canned query's address that asks for a format of the answer."""

_LINE: Final = re.compile(r"#\+( *)(.*?)\s*")
_KEY: Final = re.compile(r"(parameter [A-Za-z_][A-Za-z0-9_]*|[a-z]+):(?: +(.*))?")

LOOKUP: Final = "lookup"
"""The cost of a query that ends soon whatever the store holds; there is no other."""

_NEEDED: Final = ("description", "title")
_TOP: Final = frozenset({*_NEEDED, "cost"})
_LIMIT: Final = frozenset({"minimum", "maximum", "description"})
_PARAMETER: Final = frozenset(
    {*_LIMIT, "type", "class", "scheme", "values", "required", "default", "example"}
)


@dataclass(slots=True)
class Section:
    """The keys of one section, and the line of the file on which it begins."""

    line: int
    values: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Header:
    """A header as it is written: its top keys, its parameters in order, its limit."""

    top: Section = field(default_factory=lambda: Section(1))
    parameters: dict[str, Section] = field(default_factory=dict)
    limit: Section | None = None


def read_header(text: str) -> Header:
    """Read the header of a canned query.

    Raises :class:`~kg.errors.QueryError` with the line of a wrong, unknown or repeated key.
    """
    header = Header()
    section, allowed = header.top, _TOP
    last: tuple[Section, str, int] | None = None  # the key that a deeper line goes on with
    for number, raw in enumerate(text.splitlines(), 1):
        line = _LINE.fullmatch(raw)
        if line is None or not line[2]:
            continue
        indent = len(line[1])
        if last is not None and indent > last[2]:
            owner, key, _ = last
            owner.values[key] = f"{owner.values[key]} {line[2]}".strip()
            continue
        match = _KEY.fullmatch(line[2])
        if match is None or indent not in (1, 3):
            raise wrong(number, f"{line[2]!r} is no 'key: value' after '#+' and one space")
        key = match[1]
        if indent == 1 and (key == "limit" or key.startswith("parameter ")):
            section, allowed = _begin(header, key, number)
            last = None
            continue
        if indent == 1:
            section, allowed = header.top, _TOP
        if key not in allowed:
            raise wrong(number, f"{key!r} is none of {', '.join(sorted(allowed))}")
        if key in section.values:
            raise wrong(number, f"{key!r} stands there twice")
        section.values[key] = match[2] or ""
        last = (section, key, indent)
    for key in _NEEDED:
        if not header.top.values.get(key):
            raise wrong(1, f"the header has no {key}")
    if header.top.values.get("cost", LOOKUP) != LOOKUP:
        raise wrong(1, f"cost is {LOOKUP}, or it is not said")
    return header


def _begin(header: Header, key: str, line: int) -> tuple[Section, frozenset[str]]:
    """Begin a section; return it and the keys that it may have."""
    section, name = Section(line), key.removeprefix("parameter ")
    if name in header.parameters or (name == "limit" and (key != name or header.limit)):
        raise wrong(line, f"there is a second {name}")
    if name == FORMAT:
        raise wrong(line, f"no parameter is called {FORMAT}: in an address it asks for a format")
    if key == "limit":
        header.limit = section
        return section, _LIMIT
    header.parameters[name] = section
    return section, _PARAMETER


def has_header(text: str) -> bool:
    """Say whether a query has a header at all."""
    return any(line.startswith("#+") for line in text.splitlines())


def wrong(line: int, what: str) -> QueryError:
    """Return the error that says *what* is wrong with a line of the file."""
    return QueryError(f"line {line}: {what}", line=line)
