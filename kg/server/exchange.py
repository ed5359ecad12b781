"""One request and its response, from the head of the one to the end of the other."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Self
from urllib.parse import unquote

from kg.protocol import ProblemError, Request
from kg.server.upload import Upload

_HEADER_LINES: Final = 200

_METHODS: Final = {name.encode(): name for name in ("GET", "HEAD", "POST", "OPTIONS")}
_ABSOLUTE: Final = re.compile(rb"https?://([^/?#@]+)(.*)", re.IGNORECASE | re.DOTALL)


@dataclass(slots=True)
class Exchange:
    """A request to be answered: its body may still come in by *upload*.

    *keeps* says that the client lets the connection go on. *problem* is what is wrong with it where
    it is answered without being looked at any further.
    """

    request: Request
    upload: Upload
    keeps: bool = False
    problem: ProblemError | None = None
    started: float = field(default_factory=time.monotonic)

    @classmethod
    def refused(cls, problem: ProblemError, client: str) -> Self:
        """Return the exchange for what is no request, but for its *problem*."""
        request = Request("-", "-", client=client)
        return cls(request, Upload(lambda _: None), problem=problem)


@dataclass(frozen=True, slots=True)
class Served:
    """What became of a request: *status* and content bytes that were *sent*, in *seconds*.

    The status is None where the client left before there was one; *is_whole* says that the
    response was completed.
    """

    request: Request
    status: int | None
    sent: int
    seconds: float
    is_whole: bool


def exchange(
    method: bytes,
    target: bytes,
    headers: Sequence[tuple[bytes, bytes]],
    upload: Upload,
    *,
    client: str,
    version: str,
    keeps: bool,
) -> Exchange:
    """Return the exchange that the head of a request begins; *headers* have lower-case names."""
    lines = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in headers]
    problem = None
    path, query = "", b""
    hosts = [value for name, value in lines if name == "host"]
    codings = [value for name, value in lines if name == "transfer-encoding"]
    if version not in ("1.0", "1.1"):
        problem = ProblemError(505, "the server speaks HTTP/1.1")
    elif len(lines) > _HEADER_LINES:
        problem = ProblemError(431, f"the request has more than {_HEADER_LINES} header lines")
    elif codings and ",".join(codings).strip().lower() != "chunked":
        problem = ProblemError(501, "a body comes as it is or in chunks, without another coding")
    elif len(hosts) > 1 or (not hosts and version != "1.0"):
        problem = ProblemError(400, f"a request has one Host header, and this one has {len(hosts)}")
    else:
        try:
            path, query, host = _parts(target)
        except ValueError:
            problem = ProblemError(400, "the address of the request is none")
        else:
            if host is not None:
                lines = [line for line in lines if line[0] != "host"] + [("host", host)]
    upload.is_held_back = ("expect", "100-continue") in lines and version != "1.0"
    request = Request(
        _METHODS.get(method) or method.decode("latin-1"),
        path,
        query,
        lines,
        upload,
        client=client,
        version=version,
    )
    return Exchange(request, upload, keeps and problem is None, problem)


def _parts(target: bytes) -> tuple[str, bytes, str | None]:
    """Return path (decoded), query and, of an absolute address, the host that *target* names.

    RFC 9112, section 3.2: origin-form, absolute-form, or ``*`` of OPTIONS. Raises ValueError.
    """
    if target == b"*":
        return "*", b"", None
    host = None
    if absolute := _ABSOLUTE.fullmatch(target):
        host, target = absolute[1].decode("latin-1"), absolute[2]
        if not target.startswith(b"/"):
            target = b"/" + target
    if not target.startswith(b"/"):
        raise ValueError("no request target")
    path, _, query = target.partition(b"#")[0].partition(b"?")
    return unquote(path.decode("latin-1"), errors="replace"), query, host
