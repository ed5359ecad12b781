"""IRIs: how the keys of our things are made, and how outside IRIs are kept legal.

The rules are those of ``ontology/README.md``: ``{base}{type}/{key}``, parts that live and die
with a document are fragments of its IRI, no blank nodes, and no title, score, date or array
position (authorship excepted) in a key.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass
from typing import Final

import pyoxigraph as ox

from kg.errors import UsageError

DEFAULT_BASE: Final = "https://w3id.org/paperkg/"

SLUG: Final = re.compile(r"[a-z0-9][a-z0-9._-]*")
"""A slug that is its own key; any other goes through :func:`key`."""

_NOT_KEY = re.compile(r"[^a-z0-9]+")
# What may stand in an IRI beyond ASCII: `ucschar` of RFC 3987, section 2.2. (Its `iprivate`, which
# is legal in a query only, is encoded everywhere; so is all white space, which RFC 3987 allows in
# part and readers of N-Triples do not.)
_UCSCHAR = (
    "\xa0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef"
    + "".join(f"{chr(plane << 16)}-{chr((plane << 16) + 0xFFFD)}" for plane in range(1, 14))
    + "\U000e1000-\U000efffd"
)
_NOT_IRI = re.compile(rf"[^!#-;=?-Z_a-z~{_UCSCHAR}]|\s")
_BARE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_WEB = re.compile(r"https?://[^/?#\s]+", re.IGNORECASE)
_PATH = r"[a-zA-Z0-9._~!$&'()*+,;=:@/?-]*"
is_plain = re.compile(rf"https?://[a-zA-Z0-9.-]+(?:/{_PATH}(?:#{_PATH})?)?").fullmatch
"""Says that a text is a web address in which nothing is to be mended or looked at; most are."""

# An IP literal is the one place of an IRI where brackets are legal.
_IP_LITERAL = re.compile(r"(?i)^(https?://(?:[^/?#@\s]*@)?)(\[[0-9a-f:.]+\])(?=[:/?#]|$)")


def short_hash(text: str) -> str:
    """Return the first 8 hex digits of the SHA-256 of *text* in UTF-8."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def key(name: str) -> str:
    """Return the key of a *name*: readable, and different for different names.

    NFC, lower case, runs of other characters than ``[a-z0-9]`` become ``-``, ends trimmed; where
    that is not the name itself, ``~`` and :func:`short_hash` of the NFC name follow.

    >>> key("bert-base"), key("BERT-base"), key("")
    ('bert-base', 'bert-base~122cd763', '~e3b0c442')
    """
    name = unicodedata.normalize("NFC", name)
    plain = _NOT_KEY.sub("-", name.lower()).strip("-")
    return plain if plain == name and plain else f"{plain}~{short_hash(name)}"


def slug_key(slug: str) -> str:
    """Return *slug* where it is a legal one, else its :func:`key`."""
    return slug if SLUG.fullmatch(slug) else key(slug)


def path_slug(path: str, kind: str) -> str | None:
    """Return the slug in ``/{kind}/{slug}`` or in that path on a site, else None.

    >>> path_slug("/paper/cblue", "paper"), path_slug("https://e.org/task/a?b", "task")
    ('cblue', 'a')
    """
    match = re.fullmatch(
        rf"(?:https?://[^/?#\s]+)?/{re.escape(kind)}/([^/?#]+)/?(?:[?#].*)?", path.strip()
    )
    return match[1] if match else None


def _escape(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "replace"))


def encode_iri(text: str) -> str:
    """Percent-encode what an IRI may not hold (RFC 3987); an escape already there stays.

    >>> encode_iri("https://e.org/a b[1]?x=100%&y=%20")
    'https://e.org/a%20b%5B1%5D?x=100%25&y=%20'
    """
    literal = _IP_LITERAL.match(text)
    head = literal[0] if literal else ""
    return head + _NOT_IRI.sub(_escape, _BARE_PERCENT.sub("%25", text[len(head) :]))


def outside_iri(text: str) -> str | None:
    """Return a web address as a legal IRI, or None where it is none at all.

    Only ``http`` and ``https`` addresses with a host are taken: a record's other schemes
    (``javascript:``, ``data:``) are no place to send a reader to.

    >>> outside_iri(" https://e.org/a b "), outside_iri("8.0"), outside_iri("javascript:x")
    ('https://e.org/a%20b', None, None)
    """
    text = text.strip()
    if is_plain(text):
        return text
    if not _WEB.match(text):
        return None
    address, mark, fragment = text.partition("#")
    iri = encode_iri(address) + mark + encode_iri(fragment).replace("#", "%23")
    try:
        ox.NamedNode(iri)  # the judge of what encoding cannot mend: ports, IP literals
    except ValueError:
        return None
    return iri


def segment(text: str) -> str:
    """Percent-encode *text* for use as one segment or path inside a key; ``/`` stays."""
    return encode_iri(text).replace("?", "%3F").replace("#", "%23")


@dataclass(frozen=True, slots=True)
class Minter:
    """Mints the IRIs of our things below one base IRI.

    *base* is a web address without fragment that ends in ``/`` (parts of a thing are fragments of
    its IRI); another raises :class:`~kg.errors.UsageError`.
    Arguments called ``*_key`` are ready keys.
    """

    base: str = DEFAULT_BASE

    def __post_init__(self) -> None:
        if outside_iri(self.base) != self.base or "#" in self.base or not self.base.endswith("/"):
            raise UsageError(
                f"the base {self.base!r} is no web address that ends in '/'"
                f" (the default is {DEFAULT_BASE})"
            )

    def thing(self, kind: str, slug: str) -> str:
        """Return the IRI of a paper, dataset, task, method or leaderboard by its slug."""
        return f"{self.base}{kind}/{slug_key(slug)}"

    def named(self, kind: str, name: str) -> str:
        """Return the IRI of a dataset, task or method that is known by *name* only."""
        return f"{self.base}{kind}/name/{key(name)}"

    def key_of(self, kind: str, iri: str) -> str:
        """Return the key in an IRI that :meth:`thing` or :meth:`named` made."""
        return iri[len(self.base) + len(kind) + 1 :]

    def nameless_leaderboard(self, task: str | None, dataset: str | None) -> str:
        """Return the IRI of a leaderboard without an address of its own, by task and dataset.

        They are given as their IRIs; ``-``, which is no key, stands for one that is not named.
        """
        task_key = self.key_of("task", task) if task else "-"
        dataset_key = self.key_of("dataset", dataset) if dataset else "-"
        return f"{self.base}leaderboard/name/{task_key}/{dataset_key}"

    def unknown_paper(self, paper_key: str) -> str:
        """Return the IRI of a paper that no record describes, by a key of what names it."""
        return f"{self.base}paper/name/{paper_key}"

    def metric(self, name: str) -> str:
        """Return the IRI of a metric by its exact *name*."""
        return f"{self.base}metric/{key(name)}"

    def repo(self, repo_key: str) -> str:
        """Return the IRI of a repository by its normalised host and path."""
        return f"{self.base}repo/{repo_key}"

    def code(self, sha256_prefix: str) -> str:
        """Return the IRI of a piece of code by the first 16 digits of its SHA-256."""
        return f"{self.base}code/{sha256_prefix}"

    def sample(self, sample_key: str) -> str:
        """Return the IRI of a sample by its key."""
        return f"{self.base}sample/{sample_key}"

    def record(self, source: str, kind: str, slug: str) -> str:
        """Return the IRI of a source record."""
        return f"{self.base}record/{source}/{kind}/{slug_key(slug)}"

    def result(self, leaderboard_key: str, paper_key: str, model: str, *, extra: bool) -> str:
        """Return the IRI of a result row: leaderboard, paper, model, additional data or not."""
        iri = f"{self.base}result/{leaderboard_key}/{paper_key}/{key(model)}"
        return f"{iri}/extra" if extra else iri
