"""Changed uses of watched texts, and texts that only look like them, made with a seed. Pure.

An edit exchanges a word for another one, leaves one out, or adds one. Words that negate and numbers are not edited:
the text would say something else then. What is made stands in a sentence of other words.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from quotelake.text.fold import fold_letters
from quotelake.watch.words import COMMON, NEGATIONS, is_number

_OTHERS: Final = """
harbour ledger clerk paint kettle ferry lamp orchard cabinet tunnel pastry violin carpet glacier summit parcel
museum hedge printer candle meadow barrel ticket curtain compass pigeon saddle quarry anchor blanket cinema
engine gravel helmet island jacket ladder magnet needle oyster pepper rabbit satchel trumpet umbrella velvet
walnut yacht
"""
#: Words that replace words and stand around a text: of an invented report, so that they are in few watched texts.
OTHERS: Final = tuple(_OTHERS.split())
_BEFORE: Final = ("Later the {} said:", "On the {} it read", "A {} wrote", "In the {} they repeat that", "RT @{}:", "")
_AFTER: Final = ("and left the {}.", "(from the {})", "#{}", "said the {}.", "")
_MARKS: Final = (("“", "”"), ('"', '"'), ("'", "'"), ("", ""), ("", ""))


class Planted(NamedTuple):
    """A text in its sentence.

    Attributes:
        text: the whole.
        start: first character of what was planted, in code points.
        end: one past its last.
    """

    text: str
    start: int
    end: int


def edited(text: str, rate: float, rng: random.Random) -> str:
    """Edit a share of the words of a text, of a rate above 0 at least one.

    >>> edited("one for all and all for one", 0.0, random.Random(1))
    'one for all and all for one'
    """
    words = text.split()
    places = [at for at, word in enumerate(words) if not _says_otherwise(word)]
    count = min(max(round(rate * len(words)), int(rate > 0)), len(places))
    for at in sorted(rng.sample(places, count), reverse=True):
        way = rng.choice(("exchange", "leave out", "add"))
        if way == "exchange":
            words[at] = rng.choice(OTHERS)
        elif way == "add":
            words.insert(at, rng.choice(OTHERS))
        elif len(words) > 1:
            del words[at]
    return " ".join(words)


def restyled(text: str, rng: random.Random) -> str:
    """Change case and punctuation, but no word."""
    way = rng.choice((str, str.upper, str.lower))
    words = [way(word) if rng.random() < 0.9 else word.upper() for word in text.split()]
    return "".join(
        word + (rng.choice((" ", ", ", " – ", "  ")) if rng.random() < 0.1 else " ") for word in words
    ).strip()


def plant(text: str, rng: random.Random) -> Planted:
    """Put a text into a sentence, in quotation marks or not."""
    opening, closing = rng.choice(_MARKS)
    before = rng.choice(_BEFORE).format(rng.choice(OTHERS))
    after = rng.choice(_AFTER).format(rng.choice(OTHERS))
    start = len(before) + bool(before) + len(opening)
    end = start + len(text)
    return Planted(
        f"{before} {opening}{text}{closing} {after}".strip()
        if before
        else f"{opening}{text}{closing} {after}".rstrip(),
        start,
        end,
    )


def joined(text: str, other: str, rng: random.Random) -> str:
    """First half of a text and second half of another."""
    words, others = text.split(), other.split()
    return " ".join([*words[: len(words) // 2], *others[len(others) - len(others) // 2 :]])


def half(text: str, other: str, rng: random.Random) -> str:
    """A half of a text, the first or the second, with other words in the place of the rest."""
    words = text.split()
    kept = len(words) // 2
    rest = rng.sample(OTHERS, len(words) - kept)
    return " ".join([*words[:kept], *rest] if rng.random() < 0.5 else [*rest, *words[len(words) - kept :]])


def sharing(text: str, other: str, rng: random.Random) -> str:
    """A text that has two fifths of the words in their places."""
    words = text.split()
    kept = set(rng.sample(range(len(words)), int(0.4 * len(words))))
    return " ".join(word if at in kept else rng.choice(OTHERS) for at, word in enumerate(words))


def shuffled(text: str, other: str, rng: random.Random) -> str:
    """The same words, none beside the one it was beside."""
    words = text.split()
    rng.shuffle(words)
    middle = -(-len(words) // 2)
    return " ".join(word for pair in zip(words[:middle], [*words[middle:], ""], strict=False) for word in pair if word)


def negated(text: str, other: str, rng: random.Random) -> str:
    """The reverse: without its negation, or with one before its last word of content."""
    words = text.split()
    without = [word for word in words if fold_letters(word.strip(",.;:!?")) not in NEGATIONS]
    if len(without) < len(words):
        return " ".join(without)
    at = max((at for at, word in enumerate(words[:-1]) if fold_letters(word) not in COMMON), default=len(words) // 2)
    return " ".join([*words[:at], "not", *words[at:]])


#: Kinds of texts that only look like a watched one.
NEGATIVES: Final[Mapping[str, Callable[[str, str, random.Random], str]]] = {
    "joined": joined,
    "half": half,
    "sharing": sharing,
    "shuffled": shuffled,
    "negated": negated,
}


def negatives(texts: Sequence[str], count: int, rng: random.Random) -> list[tuple[str, str]]:
    """Kind and text of so many texts that look like watched ones, each kind as often."""
    kinds = list(NEGATIVES)
    found = []
    for number in range(count):
        kind = kinds[number % len(kinds)]
        text, other = rng.sample(texts, 2) if len(texts) > 1 else (texts[0], " ".join(OTHERS[:8]))
        found.append((kind, NEGATIVES[kind](text, other, rng)))
    return found


def _says_otherwise(word: str) -> bool:
    folded = fold_letters(word.strip(",.;:!?"))
    return folded in NEGATIONS or is_number(folded)
