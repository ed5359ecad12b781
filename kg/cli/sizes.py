"""Numbers of bytes on the command line."""

from __future__ import annotations

import re
from typing import Final

import click

_UNITS: Final = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_SIZE: Final = re.compile(r"([0-9]+)([KMG]?)(?:i?B)?", re.IGNORECASE | re.ASCII)


class Size(click.ParamType[int]):
    """A number of bytes: ``1048576``, ``1M`` or ``1MiB``."""

    name = "size"

    def convert(
        self, value: str | int, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Return the number of bytes that *value* says."""
        if isinstance(value, int):
            return value
        match = _SIZE.fullmatch(value)
        if match is None:
            self.fail(f"{value!r} is no number of bytes, such as 1048576, 512K, 64M or 2G")
        return int(match[1]) * _UNITS[match[2].upper()]


def shown(size: int) -> str:
    """Return a number of bytes as the options take it.

    >>> shown(1 << 30), shown(1500)
    ('1G', '1500')
    """
    for unit, factor in reversed(_UNITS.items()):
        if size and size % factor == 0:
            return f"{size // factor}{unit}"
    return str(size)
