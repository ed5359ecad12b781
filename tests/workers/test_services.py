"""SERVICE: one host is open, and nothing that its name may lead to."""

from __future__ import annotations

import asyncio
import functools
import http.server
import json
import shutil
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from kg.errors import DeadlineError, QueryError, ServiceError, UsageError
from kg.limits import Limits
from kg.services import NO_SERVICES, Services, Target, is_public
from kg.sparql import check
from kg.workers import Pool
from kg.workers.fetching import Fetch
from kg.workers.forwarder import Forwarder
from tests.workers.asking import BASE, asked, question, run, until

HOST = "sparql.example.org"
FOUND = {
    "head": {"vars": ["o"]},
    "results": {"bindings": [{"o": {"type": "literal", "value": "x"}}]},
}


@dataclass
class Remote:
    """A server, on this machine, that answers as it is told and remembers what it was asked."""

    port: int = 0
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    content: bytes = json.dumps(FOUND).encode()
    content_type: str = "application/sparql-results+json"
    may_answer: threading.Event = field(default_factory=threading.Event)
    asked: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    secure: Callable[[ssl.SSLContext], None] = lambda _: None


@pytest.fixture
def remote() -> Iterator[Remote]:
    told = Remote()
    told.may_answer.set()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["Content-Length"]))
            told.asked.append((self.path, dict(self.headers), content))
            told.may_answer.wait(30)
            self.send_response(told.status)
            for name, value in told.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Type", told.content_type)
            self.send_header("Content-Length", str(len(told.content)))
            self.end_headers()
            self.wfile.write(told.content)

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        told.port = server.server_port

        def secure(context: ssl.SSLContext) -> None:
            server.socket = context.wrap_socket(server.socket, server_side=True)

        told.secure = secure
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield told
        server.shutdown()
        thread.join()


def here(_: str, __: int) -> list[str]:
    """A name server for which every name is this machine."""
    return ["127.0.0.1"]


async def opened(
    store: Path, remote: Remote, look: Callable[..., Any] = here, **limits: Any
) -> Pool:
    """A pool from which HOST may be asked, and leads where *look* says; here is public."""
    services = Services.of([f"{HOST}:{remote.port}"])
    pool = Pool(store, BASE, Limits(workers=2, **limits), services=services)
    fetch = functools.partial(Fetch, look_up=look, may_ask=lambda address: address == "127.0.0.1")
    pool._forwarder = Forwarder(services, Limits(workers=2, **limits), fetch)
    await pool.start()
    return pool


def asking(remote: Remote, silent: str = "", path: str = "/sparql?a=b") -> str:
    service = f"SERVICE {silent} <http://{HOST}:{remote.port}{path}>"
    return f"SELECT ?o {{ <7> <p> ?n . {service} {{ ?s <p> ?o FILTER(?s < 1) }} }}"


def test_a_host_that_is_named_is_asked(store: Path, remote: Remote) -> None:
    async def work() -> None:
        pool = await opened(store, remote)
        try:
            assert await asked(pool, asking(remote)) == b"o\r\nx\r\n"
            ((path, headers, content),) = remote.asked
            assert path == "/sparql?a=b"
            assert headers["Host"] == f"{HOST}:{remote.port}"
            assert headers["User-Agent"].startswith("paperkg/")
            assert check(content.decode(), {}) == "SELECT"
            assert b"<http://e/p>" in content
            assert b"127.0.0.1" not in content
        finally:
            await pool.close(0)

    run(work())


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        (
            {"status": 302, "headers": {"Location": "http://127.0.0.1:1/"}},
            "sends the query elsewhere",
        ),
        ({"status": 500}, f"{HOST} answers 500"),
        ({"content": b"<html>", "content_type": "text/html"}, "no answer that can be read"),
        ({"content": b"{", "content_type": "application/sparql-results+json"}, "that can be read"),
        ({"headers": {"Content-Encoding": "gzip"}}, "compressed"),
        ({"content": b" " * (17 << 20)}, "more than 16,777,216 bytes"),
    ],
)
def test_what_is_no_answer_is_an_error(
    store: Path, remote: Remote, told: dict[str, Any], sentence: str
) -> None:
    for name, value in told.items():
        setattr(remote, name, value)

    async def work() -> None:
        pool = await opened(store, remote)
        try:
            with pytest.raises(ServiceError, match=sentence) as caught:
                await pool(question(asking(remote)))
            assert "127.0.0.1" not in str(caught.value)
            assert await asked(pool, asking(remote, "SILENT")) == b"o\r\n\r\n"
            assert len(remote.asked) == 2
        finally:
            await pool.close(0)

    run(work())


@pytest.mark.parametrize(
    "addresses",
    [["10.0.0.1"], ["169.254.169.254"], ["127.0.0.1", "192.168.1.1"], ["::1"], []],
)
def test_a_name_that_leads_to_what_is_not_public_leads_nowhere(
    store: Path, remote: Remote, addresses: list[str]
) -> None:
    async def work() -> None:
        pool = await opened(store, remote, lambda *_: addresses)
        try:
            with pytest.raises(ServiceError, match="no server of the public internet"):
                await pool(question(asking(remote)))
        finally:
            await pool.close(0)

    run(work())
    assert not remote.asked


def test_a_name_is_looked_up_once_and_what_it_led_to_is_asked(remote: Remote) -> None:
    answers = iter([["127.0.0.1"], ["127.0.0.2"]])
    fetch = Fetch(
        Target(HOST, remote.port, False, "/"),
        b"ASK {}",
        5,
        look_up=lambda *_: next(answers),
        may_ask=lambda address: address == "127.0.0.1",
    )
    assert json.loads(fetch.run().content) == FOUND
    assert next(answers) == ["127.0.0.2"]


def test_this_machine_is_never_asked_by_itself(remote: Remote) -> None:
    fetch = Fetch(Target("localhost", remote.port, False, "/"), b"ASK {}", 5)
    with pytest.raises(ServiceError, match="localhost is no server of the public internet"):
        fetch.run()
    assert not remote.asked


def test_a_server_without_tls_is_not_asked_by_https(remote: Remote) -> None:
    target = Target(HOST, remote.port, True, "/")
    fetch = Fetch(target, b"ASK {}", 5, look_up=here, may_ask=lambda _: True)
    with pytest.raises(ServiceError, match=f"{HOST} cannot be trusted"):
        fetch.run()
    assert not remote.asked


@pytest.mark.parametrize(("named", "is_trusted"), [(HOST, True), ("other.example.org", False)])
def test_a_server_shows_who_it_is(
    tmp_path: Path, remote: Remote, named: str, is_trusted: bool
) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = f"openssl req -x509 -newkey rsa:2048 -nodes -days 2 -keyout {key} -out {certificate}"
    if not shutil.which("openssl"):
        pytest.skip("needs openssl to make a certificate")
    more = ["-subj", f"/CN={named}", "-addext", f"subjectAltName=DNS:{named}"]
    subprocess.run([*command.split(), *more], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    remote.secure(context)

    def trust() -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(certificate))

    target = Target(HOST, remote.port, True, "/")
    fetch = Fetch(target, b"ASK {}", 5, look_up=here, may_ask=lambda _: True, trust=trust)
    if is_trusted:
        assert json.loads(fetch.run().content) == FOUND
    else:
        with pytest.raises(ServiceError, match=f"{HOST} cannot be trusted"):
            fetch.run()
        assert not remote.asked


REFUSED = [
    "SERVICE <http://other.example.org/> { }",
    "SERVICE ?x { }",
    "SERVICE SILENT e:x { }",
    "SERVICE <x> { }",
    "SERVICE <http://sparql.example.org@127.0.0.1/> { }",
    "SERVICE <http://me:secret@sparql.example.org/> { }",
    "SERVICE <http://sparql.example.org.127.0.0.1.nip.io/> { }",
    "SERVICE <http://\\u0073parql.example.org/> { }",
    "service <file:///etc/passwd> { }",
    "SERVICE <http://sparql.example.org/> { SERVICE <http://sparql.example.org/> { } }",
    "SERVICE <http://sparql.example.org/> { { SERVICE SILENT ?x { } } }",
    "SERVICE <http://sparql.example.org/> { } SERVICE <http://other.example.org/> { }",
]


@pytest.mark.parametrize("service", REFUSED)
def test_what_is_not_named_is_refused(service: str) -> None:
    services = Services.of([HOST])
    allowed = f"SERVICE <http://{HOST}/> {{ }} OPTIONAL {{ SERVICE <https://{HOST}/a> {{ }} }}"
    assert check(f"ASK {{ {allowed} }}", {}, None, None, services) == "ASK"
    with pytest.raises(QueryError, match="SERVICE is refused"):
        check(f"ASK {{ {service} }}", {"e": BASE}, BASE, None, services)


def test_without_a_host_nothing_is_asked(store: Path, remote: Remote) -> None:
    with pytest.raises(QueryError, match="from this store alone"):
        check(asking(remote), {}, BASE, None, NO_SERVICES)


def test_what_a_query_asks_ends_with_it(store: Path, remote: Remote) -> None:
    remote.may_answer.clear()

    async def work() -> None:
        pool = await opened(store, remote)
        try:
            asking_it = asyncio.create_task(pool(question(asking(remote))))
            await until(lambda: bool(remote.asked))
            asking_it.cancel()
            assert await asked(pool, "SELECT (1 AS ?x) {}") == b"x\r\n1\r\n"
        finally:
            begun = time.monotonic()
            await pool.close(0)
        assert time.monotonic() - begun < 10
        remote.may_answer.set()
        await asyncio.sleep(0.2)  # so long the remote has its connection

    run(work())


def test_a_server_that_is_silent_takes_no_longer_than_the_query_may(
    store: Path, remote: Remote
) -> None:
    remote.may_answer.clear()

    async def work() -> None:
        pool = await opened(store, remote, seconds=0.5)
        try:
            with pytest.raises((DeadlineError, ServiceError)):
                await pool(question(asking(remote)))
        finally:
            remote.may_answer.set()
            await pool.close(0)
        await asyncio.sleep(0.2)

    run(work())


def test_nobody_but_a_query_is_forwarded(store: Path, remote: Remote) -> None:
    async def send(port: int, head: str) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(head.encode())
        answer = await reader.read()
        writer.close()
        return answer

    async def work() -> None:
        services = Services.of([f"{HOST}:{remote.port}"])
        forwarder = Forwarder(services, Limits(), functools.partial(Fetch, look_up=here))
        await forwarder.start()
        address = forwarder.open()
        port, secret = int(address.split(":")[2].split("/")[0]), address.split("/")[3]
        quoted = f"http%3A%2F%2F{HOST}%3A{remote.port}%2F"
        assert await send(port, f"POST /wrong/{quoted} HTTP/1.1\r\n\r\n") == b""
        assert await send(port, "nonsense\r\n\r\n") == b""
        other = await send(port, f"POST /{secret}/http%3A%2F%2F127.0.0.1%2F HTTP/1.1\r\n\r\n")
        assert b"not one that may be asked" in other
        local = await send(port, f"POST /{secret}/{quoted} HTTP/1.1\r\n\r\n")
        assert b"no server of the public internet" in local
        forwarder.close(address)
        assert await send(port, f"POST /{secret}/{quoted} HTTP/1.1\r\n\r\n") == b""
        await forwarder.stop()

    run(work())
    assert not remote.asked


@pytest.mark.parametrize(
    "option",
    [
        "localhost",
        "127.0.0.1",
        "[::1]",
        "1.2.3.4",
        "http://a.b",
        "a.b:0",
        "a.b:70000",
        "a..b",
        "é.fr",
    ],
)
def test_a_host_is_a_name_of_the_internet(option: str) -> None:
    with pytest.raises(UsageError, match="--allow-service"):
        Services.of([option])


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.1.2.3", "169.254.169.254", "100.64.0.1", "0.0.0.1", "224.0.0.1", "::1",
     "fe80::1%eth0", "fc00::1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "x"],
)  # fmt: skip
def test_what_is_nearer_than_the_internet_is_not_public(address: str) -> None:
    assert not is_public(address)
    assert is_public("93.184.215.14")
    assert is_public("2606:4700:4700::1111")
