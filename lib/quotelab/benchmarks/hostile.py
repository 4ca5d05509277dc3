"""Random hostile texts: mutated real text, splices of two texts, random marks, and random code points.

They contain character references, surrogates, control and combining characters, and line breaks of all kinds. Most are
short; one in :data:`LONG` is up to :data:`LONGEST` characters long.
"""

import random
from collections.abc import Sequence
from typing import Final

from quotelake.quotes.marks import FAMILY

Corpora = Sequence[Sequence[str]]

USUAL: Final = 300  # mean length in characters
LONGEST: Final = 20_000
LONG: Final = 200

MARKS = (*FAMILY, "`", "´", "′", "″", "<", ">", "--", "—")
BREAKS = ("\n", "\n\n", "\r\n", "\r\n\r\n", "\r", "\n \t\n", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029", " ")
#: Paragraph breaks of continued quotes: the next paragraph opens with a mark again.
REOPENINGS = (".\n\n“", '.\n\n"', "\n\n“", "\r\n\r\n“", ".\n“", "\n\n「", "\n\n‘")
ENTITIES = (
    "&quot;", "&#34;", "&#x22;", "&ldquo;", "&rdquo;", "&#8220;", "&#8221;", "&lsquo;", "&rsquo;", "&#39;", "&apos;",
    "&laquo;", "&raquo;", "&bdquo;", "&nbsp;", "&amp;quot;", "&quot", "&#", "&#;", "&#0;", "&#x110000;", "&#55296;",
    "&#99999999;", "&", ";",
)  # fmt: skip
MOJIBAKE = ("â€œ", "â€\x9d", "â€", "â€™", "Ã¢â‚¬Å“", "Ã¢â‚¬", "Â", "\x93", "\x94", "‚Ä")
HOSTILE = (
    "\ud800", "\udfff", "\udc80\ud83d", "\x00", "\x07", "\x1b", "\x7f", "\ufffe", "\ufeff", "\u200b", "\u200d",
    "\u00ad", "\u202e", "\u2066", "\u0301", "\u20dd", "\u0bcd", "\u0345", "\U000e0041", "\U0010ffff",
    "\U0001f469\U0001f3fd\u200d\U0001f680", "İ", "ß", "ﬁ", "ǆ",
)  # fmt: skip
WORDS = (
    "she", "said", "Ruiz", "Ana Ruiz", "the mayor", "according to", "so-called", "told", "s", "n", "5", "'90s", ":",
    ",", ".", "?", "...", "…", "[", "]", "(", ")", "=", "@ana", "RT @ana:", "https://t.co/x", "a", "고",
    "라고 말했다", "장관은", "終わった", "と", "нет", "لا", "[council]", "1.5", "Mayor:", "We will not go",
)  # fmt: skip
TOKENS = (MARKS, BREAKS, REOPENINGS, ENTITIES, MOJIBAKE, HOSTILE, WORDS)


def make_input(rng: random.Random, corpora: Corpora) -> str:
    """Make one input: real text mutated or spliced, tokens at random, or code points at random."""
    length = min(LONGEST, int(rng.expovariate(1 / USUAL)))
    if rng.randrange(LONG) == 0:
        length = rng.randrange(LONGEST)
    way = rng.random()
    if way < 0.45:
        return mutate(rng, cut(rng, corpora, length))
    if way < 0.6:
        first = rng.randrange(length + 1)
        return mutate(rng, cut(rng, corpora, first) + rng.choice(BREAKS) + cut(rng, corpora, length - first))
    if way < 0.9:
        pools = rng.choices(TOKENS, (6, 1, 1, 1, 1, 1, 4), k=length // 4)
        return "".join([pool[int(rng.random() * len(pool))] for pool in pools])
    top = rng.choice((0x80, 0x250, 0x3100, 0x110000))
    characters = [chr(int(rng.random() * top)) for _ in range(length)]
    for at in range(0, length, 5):
        characters[at] = MARKS[int(rng.random() * len(MARKS))]
    return "".join(characters)


def cut(rng: random.Random, corpora: Corpora, length: int) -> str:
    """Cut a piece out of a text of a corpus: one in three from its beginning, the others from a random place."""
    text = rng.choice(rng.choice(corpora))
    start = rng.randrange(max(1, len(text) - length)) if rng.randrange(3) else 0
    return text[start : start + length]


def mutate(rng: random.Random, text: str) -> str:
    """Delete, repeat, reverse and insert at up to eight places, more often at marks than elsewhere."""
    for _ in range(rng.randrange(9)):
        at = rng.randrange(len(text) + 1)
        if rng.random() < 0.5:
            at = max(0, text.find(rng.choice(MARKS), at))
        end = at + rng.choice((1, 1, 2, 5))
        match rng.randrange(4):
            case 0:
                text = text[:at] + text[end:]
            case 1:
                text = text[:end] + text[at:]
            case 2:
                text = text[:at] + text[at:end][::-1] + text[end:]
            case _:
                text = text[:at] + rng.choice(rng.choice(TOKENS)) + text[at:]
    return text
