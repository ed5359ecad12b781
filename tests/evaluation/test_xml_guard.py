from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.answers.xml_guard import XmlGuard
from kg.errors import AnswerError


def guarded(pieces: list[bytes]) -> bytes:
    guard = XmlGuard("JSON")
    return b"".join(guard(piece) for piece in pieces)


def pieces(content: bytes, cuts: list[int]) -> list[bytes]:
    places = sorted({0, len(content), *(cut % (len(content) + 1) for cut in cuts)})
    return [content[a:b] for a, b in pairwise(places)]


@given(st.text(alphabet="a<\t\n\r\u00e9\uffef\U0001f600"), st.lists(st.integers(0, 200)))
def test_what_xml_can_carry_passes_however_it_is_cut(text: str, cuts: list[int]) -> None:
    content = text.encode()
    assert guarded(pieces(content, cuts)) == content.replace(b"\r", b"&#13;")


@given(
    st.sampled_from(["\0", "\x08", "\x0b", "\x0c", "\x1f", "\ufffe", "\uffff"]),
    st.text(alphabet="a\u00e9\ufffd", max_size=30),
    st.text(alphabet="a\u00e9", max_size=30),
    st.lists(st.integers(0, 100)),
)
def test_what_it_cannot_carry_is_found_however_it_is_cut(
    wrong: str, before: str, after: str, cuts: list[int]
) -> None:
    with pytest.raises(AnswerError, match=f"{ord(wrong):04X}"):
        guarded(pieces(f"{before}{wrong}{after}".encode(), cuts))


def test_a_predicate_is_named_where_it_can_be() -> None:
    content = b'<oxprefix: xmlns:oxprefix="http://e/1">a</oxprefix:>'
    with pytest.raises(AnswerError, match=r"^the predicate <http://e/1> of the answer has no name"):
        guarded([content])
    with pytest.raises(AnswerError, match=r"^a predicate of the answer has no name"):
        guarded([content[:20], content[20:]])


@given(st.lists(st.integers(0, 60)))
def test_a_predicate_without_a_name_is_found_however_it_is_cut(cuts: list[int]) -> None:
    content = b'\t\t<oxprefix: xmlns:oxprefix="http://e/1">a</oxprefix:>'
    with pytest.raises(AnswerError, match="no name that XML can carry; ask for JSON"):
        guarded(pieces(content, cuts))
