"""What PyLD cannot make triples of is a fault of the context, and said so."""

from __future__ import annotations

import pytest

from kg.errors import ResourceError
from kg.mapper.expanded import lines

NODE = {"@id": "http://e/s", "p": ["a", "b"]}


def test_what_a_context_may_say_is_mapped() -> None:
    assert lines([{"@vocab": "http://e/"}], [NODE]) == [
        b'<http://e/s> <http://e/p> "a" .',
        b'<http://e/s> <http://e/p> "b" .',
    ]


@pytest.mark.parametrize(
    "term",
    [
        {"@id": "http://e/p", "@container": "@list"},  # which is made of blank nodes
        {"@id": "http://e/p", "@container": "@nonsense"},
        {"@id": "http://e/p", "@type": "@id", "@context": "http://elsewhere/"},
    ],
)
def test_what_it_may_not_say_is_told(term: dict[str, object]) -> None:
    with pytest.raises(ResourceError):
        lines([{"p": term}], [NODE])
    assert lines([{"p": "http://e/p"}], [NODE])
