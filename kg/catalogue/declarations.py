"""A section of a header as the parameter that it declares."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from kg.catalogue.header import Section, wrong
from kg.catalogue.iri_values import KINDS, Space
from kg.catalogue.parameters import Parameter, ParameterType


def declared(name: str, section: Section) -> Parameter:
    """Return the parameter *name* that *section* declares.

    Raises :class:`~kg.errors.QueryError` with the line of a section that declares none.
    """
    values, line = section.values, section.line
    for key in ("type", "required", "description", "example"):
        if not values.get(key):
            raise wrong(line, f"parameter {name} has no {key}")
    try:
        kind = ParameterType(values["type"])
    except ValueError:
        raise wrong(
            line, f"parameter {name}: type {values['type']!r} is none of {', '.join(ParameterType)}"
        ) from None
    required = {"yes": True, "no": False}.get(values["required"])
    if required is None or (required and "default" in values):
        raise wrong(line, f"parameter {name}: required is yes or no, and yes has no default")
    return Parameter(
        name,
        kind,
        values["description"],
        values["example"],
        required,
        values.get("default"),
        _space(name, kind, section),
        _bound(name, kind, "minimum", section),
        _bound(name, kind, "maximum", section),
        _choices(name, kind, section),
    )


def _space(name: str, kind: ParameterType, section: Section) -> Space | None:
    given = [key for key in ("class", "scheme") if key in section.values]
    if not given:
        return None
    if kind is not ParameterType.IRI or len(given) == 2:
        raise wrong(section.line, f"parameter {name}: an iri has a class or a scheme, others none")
    space = Space(section.values[given[0]], given[0] == "scheme")
    if not space.is_scheme and space.name not in KINDS:
        raise wrong(
            section.line, f"parameter {name}: class {space.name} is none of {', '.join(KINDS)}"
        )
    return space


def _choices(name: str, kind: ParameterType, section: Section) -> tuple[str, ...]:
    given = section.values.get("values")
    if given is None:
        return ()
    choices = tuple(choice.strip() for choice in given.split(","))
    if kind is not ParameterType.STRING or not all(choices):
        raise wrong(section.line, f"parameter {name}: a string has values, with commas between")
    return choices


def _bound(name: str, kind: ParameterType, key: str, section: Section) -> Decimal | None:
    text = section.values.get(key)
    if text is None:
        return None
    try:
        if kind in (ParameterType.INTEGER, ParameterType.DECIMAL):
            return Decimal(text)
    except InvalidOperation:
        pass
    raise wrong(section.line, f"parameter {name}: {key} {text!r} is no number of a numeric type")
