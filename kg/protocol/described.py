"""A description in RDF as a response, in the format that is wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import pyoxigraph as ox

from kg import namespaces
from kg.formats import GRAPHS_BY_MEDIA_TYPE, content_type
from kg.protocol.request import Request
from kg.protocol.response import Response, entity_tag
from kg.protocol.service import Service
from kg.protocol.wanted import Wanted

SD: Final = "http://www.w3.org/ns/sparql-service-description#"
_PREFIXES: Final = ("cc", "dct", "kg", "rdfs", "schema", "void", "xsd")


def described(
    request: Request, service: Service, name: str, triples: Callable[[], Iterable[ox.Triple]]
) -> Response:
    """Return the response that *triples* are, the description called *name* of *service*.

    Raises :class:`ProblemError` where no RDF format is acceptable.
    """
    media_type = Wanted.of(request, request.parameters).description()
    engine = GRAPHS_BY_MEDIA_TYPE[media_type].engine

    def write() -> bytes:
        prefixes = None
        if engine in (ox.RdfFormat.TURTLE, ox.RdfFormat.TRIG):
            known = namespaces.prefixes()
            prefixes = {"sd": SD, **{prefix: known[prefix] for prefix in _PREFIXES}}
        return ox.serialize(triples(), format=engine, prefixes=prefixes) or b""

    content = service.once((name, service.root(request), media_type), write)
    headers = {
        "Vary": "Accept",
        "Cache-Control": "no-cache",
        "ETag": entity_tag(content),
    }
    return Response.of(content, content_type(media_type), headers=headers)
