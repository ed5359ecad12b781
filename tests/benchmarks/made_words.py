"""What made records are made of: words, names, texts and dirt, each by a number.

The same number gives the same thing, whatever was made before it. What many records share is
picked by :func:`shared`, so that a few things stand in many records and many in few.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final, TypeVar

Thing = TypeVar("Thing")


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


WORDS: Final = _words(
    """
    adaptive adversarial aligned ambiguous annotated approximate attention augmented
    autoregressive batch bayesian benchmark bounded calibrated causal classification clinical
    clustering compact compositional compressed conditional continual contrastive convex
    convolution corpus coupled decoding deep denoising detection differentiable diffusion
    discrete distributed domain dynamic efficient embedding encoder energy ensemble episodic
    equivariant estimation evaluation expert federated few-shot fine-grained flow forecasting
    fusion gated generalization generative geometric global gradient graph grounded hashing
    hierarchical hybrid image implicit incremental inference interactive interpretable invariant
    joint kernel knowledge language latent layered learning lightweight linear localization
    long-range low-rank manifold masked memory meta metric mixture modular monotone multilingual
    multimodal navigation nested neural noisy normalized object offline online optimal ordinal
    parallel parsing perception persistent planning policy pooling preference probabilistic
    progressive prompt pruning quantized query ranking reasoning recurrent regularized
    reinforcement relational representation residual retrieval robust sampling scalable
    segmentation selective semantic sequential sparse spatial spectral speech stable stochastic
    streaming structured summarization supervised symbolic synthetic tabular temporal tensor
    topological tracking transfer translation tree trust unbiased uncertain unified unsupervised
    variational vector verified video visual voxel weak wide
    """
)
"""Words of titles and texts; their names of things are told apart by place, so the order stays."""

_LINKS: Final = _words(
    """
    a and by for from in of on that the to under we which with without
    """
)
_FIRST: Final = _words(
    """
    Ada Björn Chen Dana Elif François Grace Hana Ivo Jun Kofi Léa Mina Noor Olga Pedro Qiu Rosa
    Søren Tariq Uma Vera Wei Xin Yusuf Zoë Łukasz Anh José Nikita
    """
)
_LAST: Final = _words(
    """
    Abe Baker Çelik Diaz Eriksson Fischer Gupta Haddad Ivanov Jensen Kim Lopez Müller Nakamura
    Okafor Patel Quinn Rossi Sato Tanaka Usman Volkov Wang Xu Yamada Zhang O'Neill d'Arcy Nguyễn
    Papadopoulos Zieliński
    """
)
_ODD: Final = (
    "\x00",
    "\x02\x1f",
    "\x0b",
    "\x7f",
    "\x85",
    "\u2028",
    "\ufeff",
    "\U0001d465",
    "\r\n",
    "\t",
    ' "so called" ',
    r" $\alpha \leq \beta_{1}$ ",
    r" \url{https://example.org/?a=1&b=2} ",
    " <eob> ",
    " 模型 ",
    "\ud835",  # half of a letter: not a text that RDF may hold
)


def chance(what: str, number: int) -> random.Random:
    """Return the source of chance of one thing, the same every time."""
    return random.Random(f"{what} {number}")  # noqa: S311 - no secret


def shared(luck: random.Random, count: int) -> int:
    """Return one of *count* numbers; the first of a thousand comes in every tenth call."""
    return int(count * luck.random() ** 3)


def sometimes(luck: random.Random, once_in: int, thing: Thing, otherwise: Thing) -> Thing:
    """Return *thing* once in so many times."""
    return thing if luck.random() * once_in < 1 else otherwise


def name(kind: int, number: int) -> str:
    """Return the name of a thing of a *kind*, unlike that of any other number below 5,000,000."""
    count = len(WORDS)
    places = (number % count, number // count % count, number // count**2)
    words = (WORDS[(place + 37 * (kind + n)) % count] for n, place in enumerate(places))
    return " ".join(words if places[2] else list(words)[:2]).title()


def slug(text: str) -> str:
    """Return the slug that the archive would give a name."""
    return text.lower().replace(" ", "-")


def author(number: int) -> str:
    """Return the name of an author."""
    first = _FIRST[number % len(_FIRST)]
    last = _LAST[number // len(_FIRST) % len(_LAST)]
    initial = number // len(_FIRST) // len(_LAST)
    return f"{first} {chr(65 + initial % 26)}. {last}" if initial else f"{first} {last}"


def sentence(luck: random.Random, words: int) -> str:
    """Return a sentence of about so many words."""
    picked = luck.choices(WORDS, k=words)
    for place in range(2, words, 3):
        picked[place] = luck.choice(_LINKS)
    return " ".join(picked).capitalize() + "."


def text(luck: random.Random, sentences: int, *, between: str = " ") -> str:
    """Return a text of so many sentences; one in twelve holds what texts of the archive hold."""
    said = [sentence(luck, luck.randrange(9, 26)) for _ in range(sentences)]
    if luck.random() * 12 < 1:
        place = luck.randrange(sentences)
        said[place] = said[place][:20] + pick(luck, _ODD) + said[place][20:]
    return between.join(said)


def pick(luck: random.Random, things: Sequence[Thing]) -> Thing:
    """Return one of *things*, the first ones more often."""
    return things[shared(luck, len(things))]
