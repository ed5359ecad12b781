r"""Small formulas of TeX as text.

Signs come out as such (``\leq``), words without their font (``\text{…}``), and what is set lower or
higher stands there (``x_{i}^2``). What is more than that is left to be shown as it is written.
"""

from __future__ import annotations

import re
from typing import Final

from markupsafe import Markup, escape

_GREEK: Final = (
    *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"),
    *("lambda", "mu", "nu", "xi", "omicron", "pi", "rho", "", "sigma", "tau", "upsilon", "phi"),
    *("chi", "psi", "omega"),
)
_SIGNS: Final = (
    "cdot=· pm=± infty=∞ approx=≈ leq=≤ le=≤ geq=≥ ge=≥ neq=≠ ne=≠ in=∈ rightarrow=→ "
    "to=→ leftarrow=← ldots=… dots=… cdots=⋯ sum=∑ prod=∏ partial=∂ nabla=∇ mid=| "
)
_SYMBOLS: Final = {
    **{name: chr(0x3B1 + n) for n, name in enumerate(_GREEK) if name},
    **{name.capitalize(): chr(0x391 + n) for n, name in enumerate(_GREEK) if name},
    **dict(pair.split("=") for pair in _SIGNS.split()),
    "times": "\N{MULTIPLICATION SIGN}",
    "sim": "\N{TILDE OPERATOR}",
    "ell": "\N{SCRIPT SMALL L}",
    "left": "",
    "right": "",
    **{name: name for name in ("log", "exp", "max", "min")},
}
_ENDS: Final = ("$$", "$", r"\(", r"\)", r"\[", r"\]")
_FONT: Final = re.compile(
    r"\\(?:text(?:rm|bf|it|tt|sf)?|math(?:rm|bf|it|cal|bb|sf|tt)|operatorname|mbox)\{([^{}\\$]*)\}"
)
_NAME: Final = re.compile(r"\\([A-Za-z]+) ?")
_SPACE: Final = re.compile(r"\\[,;:! ]|~|\s+")
_ESCAPED: Final = re.compile(r"\\([%#&$])")
_SHIFTED: Final = re.compile(r"([_^])(?:\{([^{}_^]+)\}|([^\s{}_^]))")


def shown(formula: str) -> Markup | None:
    r"""Return a *formula*, with what marks its ends, as HTML; None where it takes more than this.

    >>> shown(r"$\text{CC-News}$"), shown(r"$\frac{1}{2}$")
    (Markup('CC-News'), None)
    >>> shown(r"$x_{i}^2 \leq 3$")
    Markup('x<sub>i</sub><sup>2</sup> ≤ 3')
    """
    text = formula
    for end in _ENDS:
        text = text.removeprefix(end).removesuffix(end)
    text = _FONT.sub(r"\1", text)
    text = _SPACE.sub(" ", text)
    names = set(_NAME.findall(text))
    if not names <= _SYMBOLS.keys():
        return None
    text = _ESCAPED.sub(r"\1", _NAME.sub(_symbol, text))
    parts, done = Markup(""), 0
    for match in _SHIFTED.finditer(text):
        shift = Markup("<sub>{}</sub>" if match[1] == "_" else "<sup>{}</sup>")  # noqa: S704 - one of two
        parts += escape(text[done : match.start()]) + shift.format(match[2] or match[3])
        done = match.end()
    parts += escape(text[done:])
    is_whole = not any(mark in _SHIFTED.sub("", text) for mark in "\\{}_^")
    return parts.strip() if is_whole else None


def _symbol(match: re.Match[str]) -> str:
    """Return the sign that a name stands for; a word keeps the space that sets it off."""
    sign = _SYMBOLS[match[1]]
    return f"{sign} " if match[0].endswith(" ") else sign
