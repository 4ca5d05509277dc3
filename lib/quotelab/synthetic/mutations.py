"""How writers change a quote, one function per kind: text → text. Words are what spaces separate.

Variants of the kinds of :data:`SAME` are still the same quote. Those of :data:`OTHER` are not: they say something else.
"""

import math
import random
from collections.abc import Callable, Mapping
from typing import Final

from quotelab.synthetic.wording import vocabulary

MOST_SUBSTITUTED: Final = 3  # words that a substituted quote differs in
LEAST_KEPT: Final = 0.6  # share of the words that a truncated quote keeps
ELIDED: Final = (2, 4)  # fewest and most words that an ellipsis replaces
#: Pronouns, and what a writer puts in brackets for them.
BRACKETED: Final = {"i": "he", "we": "they", "my": "his", "our": "their", "us": "them", "me": "him"}
CONTENT_LENGTH: Final = 5  # letters from which a word counts as one of content


def substitute(text: str, rng: random.Random) -> str:
    """Replace one to three words of content, at most a quarter of all words: the token Jaccard index stays .6 or more.

    With *k* of *n* words replaced by new ones, the index is (n - k) / (n + k).
    """
    words = text.split(" ")
    content = [at for at, word in enumerate(words) if at and len(word) >= CONTENT_LENGTH and word.rstrip(",").islower()]
    count = rng.randint(1, min(MOST_SUBSTITUTED, len(words) // 4, len(content)))
    new = rng.sample(vocabulary().substitutes, count)
    for at, word in zip(rng.sample(content, count), new, strict=True):
        words[at] = word + "," * words[at].endswith(",")
    return " ".join(words)


def truncate(text: str, rng: random.Random) -> str:
    """Keep the beginning or the end: at least 60 % of the words, fewer than all."""
    words = text.split(" ")
    kept = rng.randint(math.ceil(LEAST_KEPT * len(words)), len(words) - 1)
    return " ".join(words[:kept] if rng.random() < 0.5 else words[-kept:]).rstrip(",")


def drop(text: str, rng: random.Random) -> str:
    """Drop one word inside, but no number."""
    words = text.split(" ")
    del words[rng.choice([at for at in range(1, len(words) - 1) if not words[at].isdigit()])]
    return " ".join(words)


def bracket(text: str, rng: random.Random) -> str:
    """Replace a pronoun of the first person by one of the third in square brackets."""
    words = text.split(" ")
    at = rng.choice([at for at, word in enumerate(words) if word.lower() in BRACKETED])
    words[at] = f"[{BRACKETED[words[at].lower()]}]"
    return " ".join(words)


def elide(text: str, rng: random.Random) -> str:
    """Replace two to four words in the middle by an ellipsis; at least three words stay at each end."""
    words = text.split(" ")
    count = rng.randint(*ELIDED)
    start = rng.randint(3, len(words) - count - 3)
    words[start : start + count] = [rng.choice(("…", "..."))]
    return " ".join(words)


def restyle(text: str, rng: random.Random) -> str:
    """Change punctuation and case, but no word: small first letter, no comma or a dash for it, exclamation mark."""
    changes: list[Callable[[str], str]] = [
        lambda text: text[0].lower() + text[1:],
        lambda text: text.replace(",", rng.choice(("", " –"))),
        lambda text: f"{text}!",
    ]
    made = text
    while made == text:
        for change in rng.sample(changes, rng.randint(1, len(changes))):
            made = change(made)
    return made


def join(text: str, other: str) -> str:
    """The first half of one quote followed by the second half of another."""
    words, others = text.split(" "), other.split(" ")
    return " ".join([*words[: len(words) // 2], *others[len(others) // 2 :]])


#: Kinds of changed variants, and what makes them.
CHANGES: Final[Mapping[str, Callable[[str, random.Random], str]]] = {
    "substituted": substitute,
    "truncated": truncate,
    "dropped": drop,
    "bracketed": bracket,
    "elided": elide,
    "restyled": restyle,
}
#: Kinds of uses of the same quote: its first use, verbatim copies, changed variants.
SAME: Final = ("base", "copy", *CHANGES)
#: Kinds of texts made from a quote that are not that quote, but one of their own.
OTHER: Final = ("joined", "negated", "renumbered")
