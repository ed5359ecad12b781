"""Made JSON-LD: contexts and nodes of the part that is compiled, and of all that lies around it."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any, Final

from hypothesis import strategies as st

Json = Any
Strategy = st.SearchStrategy[Json]

PREFIXES: Final = {
    "dct": "http://purl.org/dc/terms/",
    "ex": "http://example.org/ns#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
IRIS: Final = (
    "http://example.org/a",
    "https://example.org/b?x=1&y=http://c.example/#d",
    "https://example.org/a%20b/%C3%A9",
    "https://example.org/ünï/模型",
    "https://[::1]:8080/x",
    "urn:isbn:0123456789",
    "mailto:a@example.org",
    "ex://example.org/no-compact-iri",
    "dct:x",
    "ex:a/b",
    "dct:",
    "other:x",
)
"""IRIs as a node may write them: plain ones, odd ones, compact ones."""
NO_IRIS: Final = (
    "",
    "8.0",
    "a/b",
    "/a",
    "#a",
    "?a",
    ":a",
    "//example.org/a",
    "_:b",
    "_:",
    "@id",
    "@foo",
    "http://host:abc/",
    "http://a/b#c#d",
    "ex:a#b",
    "http://a/%zz",
    "http://a/b c",
    "http://a/\u2028",
    "http://a/\xa0",
    "http://a/<b>",
    "http://a/\x7f",
    "a b://c",
    "1a:b",
    "a,b:c",
    "http://a\n",
)
"""What stands in the place of an IRI and is none, or none that a context gives a meaning to."""
TEXTS: Final = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=6),
    st.sampled_from(
        [
            '"',
            "\\",
            "\\u0041",
            "\x00\x1f\x7f",
            "\x85\u2028\ufeff",
            "\U0001d465",
            "a\r\n\tb",
            "dct:x",
        ]
    ),
)

PREDICATES: Final = st.sampled_from(
    ["dct:title", "ex:p", "http://example.org/ns#p", "urn:p", "http://example.org/p?q"]
)
TYPES: Final = ("T", "U", "V")

# A term is named by what stands under it, so that a node has IRIs where a context wants them.
_TEXT_TERMS: Final = ("text", "name")
_IRI_TERMS: Final = ("iri", "see")
_OF_TEXT: Final[Strategy] = st.one_of(
    st.sampled_from(["xsd:date", "xsd:integer", "xsd:string", "ex:t", "urn:t"]).map(
        lambda datatype: {"@type": datatype}
    ),
    st.sampled_from(["en", "de-CH", None]).map(lambda language: {"@language": language}),
    st.just({}),
)
_OF_SET: Final = st.sampled_from([{}, {"@container": "@set"}, {"@container": ["@set"]}])


_PREFIXES: Final = {prefix: st.just(iri) for prefix, iri in PREFIXES.items()}
_LANGUAGE: Final = {"@language": st.sampled_from(["fr", "EN"])}
_MORE_PREFIXES: Final = {
    "ex": st.just("http://example.org/scoped#"),
    "other": st.just("http://other.example/"),
    "urn": st.just("http://urn.example/"),
}


def _definition(more: Strategy) -> Strategy:
    return st.builds(lambda iri, own, set_: {"@id": iri} | own | set_, PREDICATES, more, _OF_SET)


_MEANT: Final = dict.fromkeys(
    _TEXT_TERMS, st.one_of(PREDICATES, _definition(_OF_TEXT))
) | dict.fromkeys(_IRI_TERMS, _definition(st.just({"@type": "@id"})))
_DROPPED: Final = st.sampled_from([None, {"@id": None}])


def contexts(*, drops: bool = True) -> Strategy:
    """Contexts of the compiled part; unless one *drops* some, all terms have a meaning in it."""
    terms = {term: st.one_of(meant, _DROPPED) if drops else meant for term, meant in _MEANT.items()}
    scoped = st.fixed_dictionaries({}, optional=terms | _LANGUAGE | _MORE_PREFIXES)
    type_ = st.one_of(
        PREDICATES,
        st.builds(
            lambda iri, own: {"@id": iri, "@context": own},
            PREDICATES,
            st.one_of(scoped, st.lists(scoped, max_size=2)),
        ),
    )
    types = dict.fromkeys(TYPES, type_)
    more = _LANGUAGE | {"@version": st.just(1.1)}
    first = (
        st.fixed_dictionaries(_PREFIXES | types, optional=terms | more)
        if drops
        else st.fixed_dictionaries(_PREFIXES | types | terms, optional=more)
    )
    second = st.fixed_dictionaries({}, optional=terms | {"U": type_})
    return st.one_of(st.tuples(first), st.tuples(first, second)).map(list)


def nodes() -> Strategy:
    """Nodes of the compiled part, whatever the context of that part says."""
    own = {"@type": st.sampled_from(TYPES), "unknown": st.one_of(st.integers(), TEXTS)}

    def node(values: dict[str, Strategy]) -> Strategy:
        return st.fixed_dictionaries({"@id": st.sampled_from(IRIS)}, optional=own | values)

    def around(inner: Strategy) -> Strategy:
        def values(leaf: Strategy) -> Strategy:
            one = st.one_of(leaf, st.none(), inner)
            return st.one_of(one, st.lists(st.one_of(one, st.lists(one, max_size=2)), max_size=3))

        return node(
            dict.fromkeys(_TEXT_TERMS, values(TEXTS))
            | dict.fromkeys(_IRI_TERMS, values(st.sampled_from(IRIS)))
        )

    return st.lists(st.recursive(node({}), around, max_leaves=5), min_size=1, max_size=2)


# ---- all that lies around ----------------------------------------------------------------------

ODD_DEFINITIONS: Final[tuple[Json, ...]] = (
    {"@reverse": "ex:r"},
    {"@id": "ex:p", "@container": "@list"},
    {"@id": "ex:p", "@container": "@language"},
    {"@id": "ex:p", "@container": "@index"},
    {"@id": "ex:p", "@container": "@index", "@index": "ex:i"},
    {"@id": "ex:p", "@container": "@id"},
    {"@id": "ex:p", "@container": "@type"},
    {"@id": "ex:p", "@container": "@graph"},
    {"@id": "ex:p", "@container": ["@graph", "@id", "@set"]},
    {"@id": "ex:p", "@type": "@json"},
    {"@id": "ex:p", "@type": "@vocab"},
    {"@id": "ex:p", "@type": "@none"},
    {"@id": "ex:p", "@type": "xsd:double"},
    {"@id": "ex:p", "@type": "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"},
    {"@id": "ex:p", "@language": "no language"},
    {"@id": "ex:p", "@direction": "rtl"},
    {"@id": "ex:p", "@nest": "nested"},
    {"@id": "ex:p", "@prefix": True},
    {"@id": "ex:p", "@protected": True},
    {"@id": "ex:p", "@context": {"name": "ex:scoped", "text": None}},
    {"@id": "ex:p", "@context": {"name": {"@id": "ex:scoped", "@type": "@id"}}, "@type": "@id"},
    {"@id": "ex:p", "@context": None},
    {"@id": "ex:p", "@context": [None, {"name": "http://example.org/reset"}]},
    {"@id": "ex:p", "@context": {"@propagate": True, "name": "ex:stays"}},
    {"@id": "ex:p", "@context": {"@propagate": False, "name": "ex:goes"}},
    {"@id": "ex:p", "@context": {"@vocab": "http://v.example/"}},
    {"@id": "ex:p", "@context": {"@base": "http://b.example/"}},
    {"@id": "ex:p", "@context": {"value": "@value", "name": "ex:n"}},
    {"@id": "ex:p", "@context": {"@protected": True, "name": "ex:kept"}},
    {"@id": "_:b"},
    {"@id": "http://a/%zz"},
    {"@id": "ex:a#b"},
    "@id",
    "@type",
    "@value",
    "@set",
    "@list",
    "@graph",
    "@nest",
    "@included",
    "@reverse",
    "_:",
    7,
)
"""Definitions of a term that mean more than a predicate and a datatype, or nothing."""
ODD_PARTS: Final[tuple[Json, ...]] = (
    {"@vocab": "http://v.example/"},
    {"@vocab": "ex:"},
    {"@vocab": ""},
    {"@base": "http://b.example/x/"},
    {"@base": None},
    {"@propagate": False},
    {"@propagate": True},
    {"@direction": "ltr"},
    {"@protected": True},
    {"@language": None},
    {"@type": {"@container": "@set"}},
    {"_": "http://example.org/"},
    {"id": "@id"},
    {"type": "@type"},
    {"value": "@value"},
    {"@import": "http://example.org/c"},
    {"@foo": "ex:foo"},
    {"@version": 1.0},
)
"""What a context may hold beside terms."""


@st.composite
def any_contexts(draw: st.DrawFn) -> Json:
    """Contexts of the compiled part with something odd put into them, somewhere."""
    context = draw(contexts())
    for _ in range(draw(st.integers(1, 3))):
        places = [(part, True) for part in context]
        for part in context:
            for type_ in TYPES:
                scoped = part[type_].get("@context") if isinstance(part.get(type_), dict) else None
                places += [(scoped, False)] if isinstance(scoped, dict) else []
        place, is_top = draw(st.sampled_from(places))
        if draw(st.booleans()):
            term = draw(st.sampled_from(("text", "iri", "name", *(TYPES if is_top else ()))))
            place[term] = copy.deepcopy(draw(st.sampled_from(ODD_DEFINITIONS)))
        else:
            place |= copy.deepcopy(draw(st.sampled_from(ODD_PARTS)))
    return context


ODD_VALUES: Final[tuple[Json, ...]] = (
    *IRIS,
    *NO_IRIS,
    True,
    7,
    1.5,
    1e30,
    [],
    [[["x"]]],
    {},
    {"@value": "x", "@language": "en"},
    {"@value": 7},
    {"@value": None},
    {"@id": "http://example.org/a"},
    {"@id": "ex:x"},
    {"@id": "urn:x"},
    {"@id": "a"},
    {"@id": None},
    {"value": "x"},
    {"@id": "http://example.org/a", "value": "x"},
    {"@set": ["x"]},
    {"@list": ["x", "y"]},
    {"en": "x", "de": ["y"]},
    {"T": {"@id": "http://example.org/t"}},
)
"""What may stand under a key and is no text, no node and no array of these, or hardly is."""
ODD_KEYS: Final = (
    *("@index", "@reverse", "@graph", "@included", "@nest", "@foo", "@set", "@value", "@context"),
    *("dct:title", "http://example.org/p", "_:p", ":", "", "unknown", "nested"),
    *("id", "type", "value", "T"),
)
"""Keys that no context of the compiled part gives a meaning to."""
ODD_TYPES: Final[tuple[Json, ...]] = (
    *(None, [], ["T"], ["T", "U"], 7, {}, "unknown", "ex:T", "http://example.org/T", "_:t", "@id"),
)


def _inside(part: Json) -> Iterator[dict[str, Json]]:
    """Yield the objects in a part of a document."""
    if isinstance(part, dict):
        yield part
    inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    for one in inner:
        yield from _inside(one)


@st.composite
def any_nodes(draw: st.DrawFn) -> Json:
    """Nodes of the compiled part with something odd put into them, somewhere."""
    made = draw(nodes())
    odd = st.sampled_from(ODD_VALUES).map(copy.deepcopy)
    for _ in range(draw(st.integers(1, 2))):
        place = draw(st.sampled_from(list(_inside(made))))
        match draw(st.integers(0, 5)):
            case 0:
                place["@id"] = draw(st.one_of(st.sampled_from(NO_IRIS), odd))
            case 1:
                place.pop("@id", None)
            case 2:
                place["@type"] = copy.deepcopy(draw(st.sampled_from(ODD_TYPES)))
            case 3:
                place[draw(st.sampled_from(ODD_KEYS))] = draw(odd)
            case 4:
                place[draw(st.sampled_from(_TEXT_TERMS + _IRI_TERMS))] = draw(odd)
            case _:
                made.append(draw(odd))
    return made
