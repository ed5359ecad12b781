"""What tells the files of a build apart, wherever on the machine they stand.

A file that is named itself is called by its name, one that a folder holds by its path below that
folder. Where two would be called the same, so much of their full paths is added as tells them
apart.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence


def told_apart(files: Sequence[tuple[str, str]]) -> list[str]:
    """Return a label for each of *files*, which are given as ``(label, full path)``.

    A label is the end of its path; both have ``/`` between their parts. A path that is its label
    cannot be made longer.

    >>> told_apart([("a.ttl", "/x/a.ttl"), ("a.ttl", "/y/z/a.ttl"), ("b.ttl", "/x/b.ttl")])
    ['x/a.ttl', 'z/a.ttl', 'b.ttl']
    """
    labels = [label for label, _ in files]
    while True:
        seen = Counter(unicodedata.normalize("NFC", label) for label in labels)
        alike = [
            n
            for n, label in enumerate(labels)
            if seen[unicodedata.normalize("NFC", label)] > 1 and label != files[n][1]
        ]
        if not alike:
            return labels
        for n in alike:
            labels[n] = _longer(labels[n], files[n][1])


def _longer(label: str, path: str) -> str:
    """Return *label* with one more part of *path*, of which it is the end."""
    before = path[: -len(label)].rstrip("/")
    return f"{before.rpartition('/')[2]}/{label}" if before else path
