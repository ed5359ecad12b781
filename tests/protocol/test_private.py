"""A private server: who has no token gets nothing but the news that it is private (RFC 6750)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kg.errors import UsageError
from kg.protocol import Tokens
from tests.protocol.asking import Answered, Client

TOKEN = "a-token.of_some-length~+/=="  # noqa: S105 - nobody's
OTHER = "another-token-0123456789"
PATHS = ["/", "/sparql", "/queries", "/queries/class-counts", "/.well-known/void", "/metrics"]


@pytest.fixture
def client() -> Client:
    client = Client()
    client.service = replace(client.service, tokens=Tokens([TOKEN, OTHER]))
    return client


def with_token(client: Client, value: str, path: str = "/sparql") -> Answered:
    return client.send(path=path, headers=[("authorization", value)])


@pytest.mark.parametrize("path", PATHS)
def test_who_has_no_token_gets_nothing(client: Client, path: str) -> None:
    refused = client.send(path=path)
    assert refused.status == 401
    assert refused.headers["www-authenticate"] == 'Bearer realm="paperkg"'
    assert refused.headers["access-control-allow-origin"] == "*"
    assert "private" in refused.json["detail"]
    head = client.send("HEAD", path=path)
    assert (head.status, head.headers, head.body) == (401, refused.headers, b"")


@pytest.mark.parametrize("path", PATHS)
def test_each_token_opens_everything(client: Client, path: str) -> None:
    for token in (TOKEN, OTHER):
        answered = with_token(client, f"Bearer {token}", path)
        assert answered.status == 200
        assert "private" in answered.headers.get("cache-control", "private, no-store")


@pytest.mark.parametrize(
    "value",
    [
        f"Bearer {TOKEN}x",
        f"Bearer {TOKEN[:-1]}",
        "Bearer ",
        f"Basic {TOKEN}",
        TOKEN,
        f"Bearer {TOKEN} {OTHER}",
        "Bearer \u00e9\ud800",
    ],
)
def test_what_is_no_token_opens_nothing(client: Client, value: str) -> None:
    refused = with_token(client, value)
    assert refused.status == 401
    assert refused.headers["www-authenticate"].endswith('error="invalid_token"')
    assert TOKEN not in refused.body.decode()


def test_the_scheme_is_one_in_any_case(client: Client) -> None:
    assert with_token(client, f"bearer  {TOKEN}").status == 200


def test_a_query_is_not_even_read_without_a_token(client: Client) -> None:
    assert client.get("ASK {").status == 401
    assert client.post(b"ASK {}", "application/sparql-query").status == 401


def test_what_a_browser_asks_first_and_the_health_are_open(client: Client) -> None:
    preflight = client.send("OPTIONS")
    assert preflight.status == 204
    assert "Authorization" in preflight.headers["access-control-allow-headers"]
    assert client.send(path="/health").status == 200
    assert client.send(path="/nowhere").status == 401


def test_a_file_of_tokens_is_read(tmp_path: Path) -> None:
    path = tmp_path / "tokens"
    path.write_text(f"# ours\n\n{TOKEN}  # for the notebook\r\n  {OTHER}\n", "utf-8")
    tokens = Tokens.read(path)
    assert tokens.allow(f"Bearer {TOKEN}")
    assert tokens.allow(f"Bearer {OTHER}")
    assert not tokens.allow("Bearer ours")
    assert not tokens.allow(None)
    assert TOKEN not in repr(vars(tokens))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "there is no token in it"),
        (b"# none\n", "there is no token in it"),
        (b"short\n", "line 1: a token has 16 characters at least"),
        (b"0123456789abcdef\na secret with spaces\n", "line 2: a token has letters"),
        (b"\xff", "it is no UTF-8"),
        (None, "No such file"),
    ],
)
def test_a_file_that_holds_no_tokens_is_refused(
    tmp_path: Path, content: bytes | None, says: str
) -> None:
    path = tmp_path / "tokens"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError, match=says) as caught:
        Tokens.read(path)
    assert str(path) in str(caught.value)
    assert "secret" not in str(caught.value)
