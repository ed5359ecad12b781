"""A SPARQL 1.1 server elsewhere, over HTTP: what every one of them is asked in the same way.

A query goes as a form by POST (SPARQL 1.1 Protocol, section 2.1.2), which all known servers take;
it is sent again where that can mend something, since a query changes nothing.
"""

from kg.remote.address import Address
from kg.remote.asking import Limits, Reply, ask
from kg.remote.queries import declared, form, form_of
from kg.remote.refusals import BUSY, refusal, words
from kg.remote.token import token_in
from kg.remote.waiting import pause, retry_after

__all__ = [
    "BUSY",
    "Address",
    "Limits",
    "Reply",
    "ask",
    "declared",
    "form",
    "form_of",
    "pause",
    "refusal",
    "retry_after",
    "token_in",
    "words",
]
