"""Addresses of code repositories: one key for all spellings of one repository.

The key is ``host/path``. On hosts whose repositories are ``owner/name`` the rest of the path is a
place inside the repository. Only github.com folds case; elsewhere case is kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote, urlsplit

from kg.iris import outside_iri, segment

_SCP: Final = re.compile(r"(?:ssh://)?git@([^/:\s]+)[:/](?:\d+/)?(.+)")
_OWNER_NAME_HOSTS: Final = frozenset(
    {"github.com", "gitlab.com", "bitbucket.org", "huggingface.co", "codeberg.org", "gitee.com"}
)
_FOLDED_HOSTS: Final = frozenset({"github.com"})
_HUGGING_FACE_KINDS: Final = frozenset({"datasets", "spaces"})
_INSIDE: Final = frozenset({"tree", "blob", "raw", "src", "resolve", "blame", "edit"})


@dataclass(frozen=True, slots=True)
class RepoAddress:
    """A repository's *key* (``host/path``), its *page* (an IRI) and the *path* inside it, if any.

    *path* is kept as the address gives it, branch included (``tree/main/x``).
    """

    key: str
    page: str
    path: str | None = None


def _split(host: str, parts: list[str]) -> int:
    """Return how many leading parts of a path name the repository."""
    if host == "gitlab.com" and "-" in parts:
        return parts.index("-")
    if host == "gitlab.com":
        inside = [n for n, part in enumerate(parts) if part in _INSIDE and n >= 2]
        return inside[0] if inside else len(parts)
    if host == "huggingface.co" and parts and parts[0] in _HUGGING_FACE_KINDS:
        return 3
    return 2 if host in _OWNER_NAME_HOSTS else len(parts)


def parse(address: str) -> RepoAddress | None:
    """Read the address of a repository, or return None where it is none.

    >>> parse("git@github.com:CBLUEbenchmark/CBLUE.git").key
    'github.com/cbluebenchmark/cblue'
    >>> parse("https://www.github.com/A/b/tree/main/x y/").path
    'tree/main/x%20y'
    >>> parse("8.0") is None
    True
    """
    text = address.strip()
    if scp := _SCP.fullmatch(text):
        text = f"https://{scp[1]}/{scp[2]}"
    text = re.sub(r"^(?:git\+)?(?:ssh|git)://(?:[^@/]+@)?|^git\+(?=https?:)", _https, text)
    iri = outside_iri(text)
    if iri is None:
        return None
    try:
        split = urlsplit(iri)
        host, port = split.hostname or "", split.port
    except ValueError:  # a port that is no number, a broken IP literal
        return None
    host = host.removeprefix("www.")
    place = f"{host}:{port}" if port not in (None, 80, 443) else host
    parts = [part for part in split.path.split("/") if part]
    count = _split(host, parts)
    name, rest = parts[:count], parts[count:]
    if len(name) < count or (host == "gitlab.com" and len(name) < 2):
        return None  # an owner alone is no repository
    if name:
        name[-1] = name[-1].removesuffix(".git") or name[-1]
    path = "/".join(name)
    if host in _FOLDED_HOSTS:
        path = path.lower()
    query = f"?{split.query}" if split.query and host not in _OWNER_NAME_HOSTS else ""
    whole = f"{place}/{path}" if path else place
    return RepoAddress(
        key=segment(whole + query),
        page=f"https://{whole}{query}",
        path="/".join(rest) or None,
    )


def _https(match: re.Match[str]) -> str:
    return "" if match[0] == "git+" else "https://"


def of_owner_name(repo: str, file_url: str | None) -> RepoAddress | None:
    """Read a sample's ``owner/name``; its host is that of the sample's *file_url* (or GitHub).

    >>> of_owner_name("example/net", "https://gitlab.com/example/net/-/blob/HEAD/a.py").key
    'gitlab.com/example/net'
    """
    if parsed := parse(repo):
        return parsed
    page = outside_iri(file_url or "")
    host = urlsplit(page).hostname if page else None
    name = segment(unquote(repo.strip()).strip("/"))
    return parse(f"https://{host or 'github.com'}/{name}")
