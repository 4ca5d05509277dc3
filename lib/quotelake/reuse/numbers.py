"""Numbers of a text, by their values. Pure."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from quotelake.text.amounts import amount_of, continues, is_amount

#: Digits with the signs between them and the Korean powers of ten after them; and the ending of an ordinal.
_DIGITS: Final = re.compile(r"(\d+(?:[.,:/⁄']\d+)*[십백천만억조]*)((?:st|nd|rd|th)(?!\w))?")
_THOUSANDS: Final = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
#: Words of which what they say is remembered: as many as most corpora have, some ten megabytes.
_KEPT: Final = 1 << 16
_ORDINALS: Final = {
    word: f"{place}."
    for place, word in enumerate(
        ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"), 1
    )
}


class Number(NamedTuple):
    """A number: its first word, one past its last, and its value; ordinals and digits with other signs as text."""

    start: int
    end: int
    value: float | str


def numbers(words: Sequence[str]) -> Iterator[Number]:
    """Numbers in digits or words. Quantifiers (*all*, *some*) are none.

    >>> [number.value for number in numbers("$1.5 million for 1,500 men in forty one of the first days".split())]
    [1500000.0, 1500.0, 41.0, '1.']
    """
    read = [_read(word) for word in words]
    at = 0
    while at < len(words):
        start, at = at, at + 1
        if read[start].counts:
            while at < len(words) and read[at].counts and continues(read[at - 1].plain, read[at].plain):
                at += 1
            amount = amount_of([word.plain for word in read[start:at]]).value
            if amount is not None:
                yield Number(start, at, amount)
        else:
            for value in read[start].others:
                yield Number(start, at, value)


class _Word(NamedTuple):
    """What a word says: itself without signs, whether it is an amount, and the numbers in it where it is none."""

    plain: str
    counts: bool
    others: tuple[str, ...]


@lru_cache(_KEPT)
def _read(word: str) -> _Word:
    plain = _plain(word)
    if is_amount(plain):
        return _Word(plain, True, ())
    if word in _ORDINALS:
        return _Word(plain, False, (_ORDINALS[word],))
    return _Word(plain, False, tuple(f"{digits}." if ending else digits for digits, ending in _DIGITS.findall(plain)))


def _plain(word: str) -> str:
    """A number without sign, currency, per cent and separators of thousands; any other word as it is.

    >>> _plain("$1,500"), _plain("10%"), _plain("-1.5"), _plain(".5"), _plain("so")
    ('1500', '10', '1.5', '0.5', 'so')
    """
    if word.isalpha():
        return word
    bare = _THOUSANDS.sub("", word.strip("-%$€£¥₩¢₹"))
    return f"0{bare}" if bare.startswith(".") else bare
