"""Coverage: what becomes of every key path of the input. Found out, not declared.

For each key path the value at that path is changed in a record that holds one, and the record is
mapped again. What the change does is the path's fate:

* *mapped*: the triples change (the properties are named);
* *vocabulary*: what changes is what a code list says of a code;
* *derived*: the triples stay, but the record no longer agrees with itself: the value can be
  recomputed from others, and is checked against them;
* *left out*: it says again what stands elsewhere in the record (the reason is the kind's
  ``REPEATED``, and it too is found to be checked);
* *no value*: null or empty in every record seen;
* *unmapped*: nothing changes: the value is not in the graph.

A key path is written ``results[].metrics.*``: ``[]`` for each element of a list, ``.*`` for each
key of an object whose keys are data.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from kg import records
from kg.contexts import Contexts
from kg.errors import CollisionError, RecordError
from kg.findings import Finding
from kg.index import Index
from kg.iris import Minter
from kg.mapper import Mapper
from kg.namespaces import RDF_TYPE, VOCAB
from kg.records.fields import is_nothing
from kg.values import Number

EXAMPLES: Final = 5
"""How many records of the input are tried for one key path before it is called unmapped."""

Step = str | int
Triple = tuple[str, str, str]


class Fate(StrEnum):
    """What becomes of the values at a key path."""

    MAPPED = "mapped"
    VOCABULARY = "vocabulary"
    DERIVED = "derived"
    LEFT_OUT = "left out"
    NO_VALUE = "no value"
    UNMAPPED = "unmapped"


@dataclass(frozen=True, slots=True)
class PathFate:
    """The fate of one key path of one kind of record.

    *properties* are the IRIs of the properties that hold its values, *reason* a sentence where
    the fate needs one, *values* how many values were seen.
    """

    kind: str
    path: str
    fate: Fate
    properties: tuple[str, ...]
    reason: str
    values: int


@dataclass(slots=True)
class _Seen:
    values: int = 0
    examples: list[tuple[object, tuple[Step, ...]]] = field(default_factory=list)


class Coverage:
    """Gathers key paths from records, and finds out their fates.

    Keeps up to :data:`EXAMPLES` records a path and nothing else of the input.
    """

    def __init__(self, contexts: Contexts | None = None) -> None:
        self._contexts = contexts or Contexts.load()
        self._seen: dict[tuple[str, str], _Seen] = {}
        self._mapped: dict[int, tuple[frozenset[Triple], list[Finding]]] = {}

    def add(self, value: object) -> None:
        """Take in the key paths of one decoded record.

        Raises :class:`~kg.errors.RecordError` if it cannot be read as a record.
        """
        kind = records.read(value).kind
        open_maps = records.KINDS[kind].record.OPEN_MAPS
        for path, steps, leaf in _leaves(value, "", (), open_maps):
            seen = self._seen.setdefault((kind, path), _Seen())
            if is_nothing(leaf):
                continue
            seen.values += 1
            if len(seen.examples) < EXAMPLES:
                seen.examples.append((value, steps))

    def fates(self) -> Iterator[PathFate]:
        """Yield the fate of every key path seen, in the order of kind and path."""
        for (kind, path), seen in sorted(self._seen.items()):
            if not seen.examples:
                if any(k == kind and p.startswith((f"{path}.", f"{path}[")) for k, p in self._seen):
                    continue  # empty here, but not in every record: its parts are listed
                reason = "null or empty in every record seen"
                yield PathFate(kind, path, Fate.NO_VALUE, (), reason, 0)
            else:
                yield self._fate(kind, path, seen)

    def _fate(self, kind: str, path: str, seen: _Seen) -> PathFate:
        repeated = records.KINDS[kind].record.REPEATED.get(path)
        checked = False
        for value, steps in seen.examples:
            # The examples live as long as this object, so their identity is a key.
            if id(value) not in self._mapped:
                self._mapped[id(value)] = self._map(value)
            before, findings = self._mapped[id(value)]
            for other in _others(value, steps):
                try:
                    after, found = self._map(other)
                except (RecordError, CollisionError):
                    continue
                if after != before:
                    fate = Fate.VOCABULARY if _in_code_list(before ^ after) else Fate.MAPPED
                    properties = _properties(before, after, _value_at(other, steps))
                    return PathFate(kind, path, fate, properties, "", seen.values)
                checked = checked or found != findings
        if repeated and checked:
            return PathFate(kind, path, Fate.LEFT_OUT, (), repeated, seen.values)
        if checked:
            reason = "recomputable, and checked against what it is computed from"
            return PathFate(kind, path, Fate.DERIVED, (), reason, seen.values)
        reason = "no property is known for this key"
        return PathFate(kind, path, Fate.UNMAPPED, (), reason, seen.values)

    def _map(self, value: object) -> tuple[frozenset[Triple], list[Finding]]:
        record = records.read(value)
        index = Index()
        index.learn(record)
        mapper = Mapper(minter=Minter(), index=index, contexts=self._contexts)
        lines = mapper.map(record).lines
        return frozenset(_split(line) for line in lines), record.findings


def _split(line: bytes) -> Triple:
    subject, predicate, rest = line.decode().split(" ", 2)
    return subject[1:-1], predicate[1:-1], rest[:-2]


def _leaves(
    value: object, path: str, steps: tuple[Step, ...], open_maps: frozenset[str]
) -> Iterator[tuple[str, tuple[Step, ...], object]]:
    """Yield ``(key path, steps, value)`` of everything in *value* that holds nothing else."""
    inner: Iterable[tuple[str, Step, object]]
    if isinstance(value, dict) and value:
        every = ".*" if path in open_maps else None
        inner = (
            (path + (every or (f".{name}" if path else str(name))), name, part)
            for name, part in value.items()
        )
    elif isinstance(value, list) and value:
        inner = ((f"{path}[]", n, part) for n, part in enumerate(value))
    else:
        yield path, steps, value
        return
    for inner_path, step, part in inner:
        yield from _leaves(part, inner_path, (*steps, step), open_maps)


def _value_at(value: object, steps: tuple[Step, ...]) -> object:
    for step in steps:
        value = value[step]  # type: ignore[index]  # the steps were taken from this structure
    return value


def _others(value: object, steps: tuple[Step, ...]) -> Iterator[object]:
    """Yield copies of a record in which the value at *steps* is another one."""
    for change in _CHANGES:
        other = copy.deepcopy(value)
        holder = _value_at(other, steps[:-1])
        changed = change(holder[steps[-1]])  # type: ignore[index]  # as above
        if changed is not None and changed != holder[steps[-1]]:  # type: ignore[index]
            holder[steps[-1]] = changed  # type: ignore[index]
            yield other


def _flip(value: object) -> object:
    """Change what can be one of two: a truth value, in any spelling."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, str) and value in ("0", "1"):
        return type(value)("1" if value == "0" else "0")
    return None


def _count_on(value: object) -> object:
    """Change the last digit of a number, a date, an identifier."""
    if not isinstance(value, str) or not (digit := re.search(r"\d(?=\D*$)", value)):
        return None
    new = str((int(digit[0]) + 1) % 10)
    return type(value)(value[: digit.start()] + new + value[digit.end() :])


def _count_first(value: object) -> object:
    """Change the second digit: the year of a date whose day cannot be another one."""
    if not isinstance(value, str) or not re.match(r"\d\d", value):
        return None
    return type(value)(value[0] + str((int(value[1]) + 1) % 10) + value[2:])


def _append(value: object) -> object:
    """Change a text by a letter at its end."""
    return f"{value}x" if isinstance(value, str) and not isinstance(value, Number) else None


_CHANGES: Final[tuple[Callable[[object], object], ...]] = (_flip, _count_on, _append, _count_first)


def _in_code_list(changed: frozenset[Triple]) -> bool:
    return all(subject.startswith(VOCAB) for subject, _, _ in changed)


def _properties(
    before: frozenset[Triple], after: frozenset[Triple], value: object
) -> tuple[str, ...]:
    """Return the properties through which a change shows.

    They are those of things that stay what they are (the paper that now has another task), and
    those of new things whose value is the new one, or its address. Where the value is part of the
    thing's own IRI, so that nothing stays, they are those that hold it somewhere.
    """
    added = {triple for triple in after - before if triple[1] != RDF_TYPE}
    token = str(value).lower() if isinstance(value, bool) else str(value)
    subjects = {subject for subject, _, _ in before}
    direct = {p for s, p, _ in added if s in subjects}
    direct |= {p for _, p, o in added if o.startswith(f'"{token}"')}
    if token.startswith("/"):  # a path on a site is the end of an address
        direct |= {p for _, p, o in added if o.endswith(f"{token}>")}
    holding = {p for _, p, o in added if len(token) > 3 and token in o}
    return tuple(sorted(direct or holding or {p for _, p, _ in added}))
