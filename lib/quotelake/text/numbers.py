"""Amounts: numbers and quantifiers, and whether two differ by more than rounding. Pure.

English words, and digits in any language.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Final, NamedTuple

from quotelake.text.lexicon import load_lexicon

_LISTS: Final = load_lexicon("en")
ONES, TENS = (tuple(_LISTS["numbers"][name].split()) for name in ("ones", "tens"))
_NUMBERS: Final = {word: float(n) for n, word in enumerate(ONES)} | {word: 10.0 * n for n, word in enumerate(TENS, 2)}
#: Multiply a number before them.
POWERS: Final = {word: 10.0 ** int(power) for power, words in _LISTS["powers"].items() for word in words.split()}
#: Letters of a word that multiplies the number before it: *m* alone may be metres.
LEAST_POWER: Final = 3
#: Words that alone are an order of magnitude (*thousands*).
ORDERS: Final = frozenset(word for word in POWERS if word.endswith("s"))
_RANKS: Final = {word: int(rank) for rank, words in _LISTS["quantifiers"].items() for word in words.split()}
_FAR: Final = 2
_ALL: Final = 6
_DIGITS: Final = re.compile(r"\d+(?:\.\d+)?")
#: Relative difference that rounding explains, and the number up to which none is [ours]; years are never rounded.
_ROUNDING: Final = 0.1
_SMALL: Final = 20
_YEARS: Final = (1900, 2100)
#: Factor between orders of magnitude.
_ORDER: Final = 10.0

#: What a text with a share has.
_SHARED: Final = re.compile(r"\d\s?(?:[/⁄%]|p)|[¼-¾⅐-⅞]|half|third|quarter|fifth|tenth|dozen", re.IGNORECASE)
_SHARE: Final = re.compile(
    rf"""
    (?<![\w/⁄.])(?P<upper>\d\d?)[/⁄](?P<over>\d\d?)(?![\w/⁄])
    |(?<![\w.,])(?P<percent>\d[\d,]*+(?:\.\d++)?)\s?(?:%|per\s?cent(?!\w)|pct(?!\w))
    |(?<!\d)(?P<sign>[¼-¾⅐-⅞])
    |(?<!\w)(?P<count>an?|\d\d?|{"|".join((*ONES[1:], *TENS))})[\s-]+
      (?P<part>dozen|halves|(?:third|quarter|fifth|tenth)(?:s|(?=\s+of\s|\W*\Z)))(?!\w)
    |(?<!\w)half(?=\s+(?:of|the|my|our|their)\s|\W*\Z)|(?<!\w)half\s+an?(?=\s+[mbth]\w+(?:ion|d)(?!\w))
    """,
    re.IGNORECASE | re.VERBOSE,
)


class Amount(NamedTuple):
    """A number or a quantifier."""

    value: float | None  #: None for a quantifier of no known number
    rank: int = 0  #: of a quantifier; 0 for a number
    is_order: bool = False  #: ``value`` is an order of magnitude (*thousands*)


def amount_of(word: str) -> Amount | None:
    """Amount of a folded word, English or in digits; None if it is neither a number nor a quantifier.

    >>> [amount_of(word) for word in ("11", "thousands", "both", "cables")]
    [Amount(value=11.0, rank=0, is_order=False), Amount(value=1000.0, rank=0, is_order=True), \
Amount(value=2.0, rank=6, is_order=False), None]
    """
    if word in _RANKS:
        return Amount(2.0 if word == "both" else None, _RANKS[word])
    if word in POWERS and len(word) >= LEAST_POWER:
        return Amount(POWERS[word], is_order=True)
    if word in _NUMBERS:
        return Amount(_NUMBERS[word])
    return Amount(float(word)) if _DIGITS.fullmatch(word) else None


def all_differ(amounts: Iterable[Amount], others: Iterable[Amount]) -> bool:
    """Whether both have amounts, and no amount of one can mean one of the other."""
    pairs = list(product(amounts, others))
    return bool(pairs) and all(differ(*pair) for pair in pairs)


def differ(one: Amount, other: Amount) -> bool:
    """Whether two amounts of the same things cannot both be meant."""
    if (one.rank == _ALL) != (other.rank == _ALL):  # all of a known number and that number are the same (*both*, *two*)
        return one.value is None or one.value != other.value
    if one.value is None or other.value is None:
        return bool(one.rank and other.rank) and abs(one.rank - other.rank) >= _FAR
    a, b = sorted((one.value, other.value))
    if 0 < b < 1:  # shares, as percentages
        a, b = round(100 * a, 4), round(100 * b, 4)
    if one.is_order or other.is_order:
        return b >= a * _ORDER
    if a == b or (not (a.is_integer() and b.is_integer()) and b - a < 1):
        return False
    return b <= _SMALL or (_YEARS[0] <= a and b <= _YEARS[1]) or b - a > _ROUNDING * b


def shares(text: str) -> Iterator[tuple[int, int, float]]:
    """Start, end and value of fractions, percentages and dozens of a text, in digits or words.

    >>> [value for _, _, value in shares("1/5 of it, half of it, a quarter of it, 25 percent, two dozen, a third time")]
    [0.2, 0.5, 0.25, 0.25, 24.0]
    """
    if _SHARED.search(text) is None:
        return
    for found in _SHARE.finditer(text):
        if found["over"]:
            value = int(found["upper"]) / (int(found["over"]) or 1)
        elif found["percent"]:
            value = float(found["percent"].replace(",", "")) / 100
        elif found["sign"]:
            value = unicodedata.numeric(found["sign"])
        else:
            value = (
                _count(found["count"] or "one") * _LISTS["parts"][(found["part"] or "half").lower().removesuffix("s")]
            )
        yield found.start(), found.end(), value


def _count(word: str) -> float:
    return 1.0 if word.lower() in ("a", "an") else _NUMBERS.get(word.lower()) or float(word)
