"""The words of a text as numbers of a vocabulary, with their places: a text of a page in some array operations. Pure.

A word's key is a polynomial of its folded letters modulo 2⁶⁴ (Rabin & Karp 1987), which differences of cumulative sums
give for all words of a text at once. The few letters whose folding is more than one letter or depends on the next one
(*ß*, ligatures, single Hangul letters, letters beyond the first 65,536) make a text go word by word.
"""

from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from quotelake.watch.words import TOKEN, fold

Ints = npt.NDArray[np.int64]
_Keys = npt.NDArray[np.uint64]

#: Letters of a text from which arrays are faster than words one by one.
_LEAST_LETTERS: Final = 600
#: Spellings whose number is remembered.
_MEMORY: Final = 500_000
_LETTERS: Final = 1 << 16
#: Base of the polynomial: odd, so that it has an inverse; near 2⁶⁴ divided by the golden ratio.
_BASE: Final = 0x9E3779B97F4A7C15
#: Kinds of letters: of no word, of a word, a word by itself, what joins two parts of a word, an apostrophe, and letters
#: that are not folded one by one.
_LETTER, _ALONE, _JOINER, _APOSTROPHE, _OTHER = range(1, 6)
#: Most letters behind an apostrophe that joins them to a word.
_BEHIND_APOSTROPHE: Final = 3


class Read(NamedTuple):
    """The words of a text.

    Attributes:
        numbers: of each word, from 1; 0 for words that are not in the vocabulary.
        starts: first character of each.
        ends: one past the last.
    """

    numbers: Ints
    starts: Ints
    ends: Ints


class Vocabulary:
    """Words that have numbers.

    Args:
        words: folded, each once; the first has the number 1.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._spellings = _Spellings(words)
        keys = np.array([_key(word) for word in words], np.uint64)
        order = np.argsort(keys)
        self._keys, self._numbers = keys[order], order.astype(np.int64) + 1

    def __getitem__(self, word: str) -> int:
        """Number of a word, in any spelling."""
        return self._spellings[word]

    def read(self, text: str) -> Read:
        """Find the words of a text.

        >>> [found.tolist() for found in Vocabulary(["dont", "go"]).read("Don’t you go!")]
        [[1, 0, 2], [0, 6, 10], [5, 9, 12]]
        """
        if len(text) >= _LEAST_LETTERS and (read := _read(text)):
            keys, starts, ends = read
            return Read(self._numbers_of(keys), starts, ends)
        words = TOKEN.findall(text)
        numbers = np.fromiter(map(self._spellings.__getitem__, words), np.int64, len(words))
        spans = np.fromiter(chain.from_iterable(word.span() for word in TOKEN.finditer(text)), np.int64, 2 * len(words))
        return Read(numbers, spans[::2], spans[1::2])

    def _numbers_of(self, keys: _Keys) -> Ints:
        if not len(self._keys):
            return np.zeros(len(keys), np.int64)
        at = np.searchsorted(self._keys, keys)
        at[at == len(self._keys)] = 0
        return np.where(self._keys[at] == keys, self._numbers[at], 0)


class _Spellings(dict[str, int]):
    """Number of each word as a text has it. Folds a spelling once."""

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__()
        self._numbers = {word: number for number, word in enumerate(words, 1)}

    def __missing__(self, token: str) -> int:
        """Look a new spelling up."""
        if len(self) >= _MEMORY:
            self.clear()
        number = self[token] = self._numbers.get(fold(token), 0)
        return number


def _read(text: str) -> tuple[_Keys, Ints, Ints] | None:
    """Keys, starts and ends of the words of a text; None if a letter of it is not folded by itself."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    if codes.max(initial=0) >= _LETTERS:
        if any(map(str.isalnum, set(map(chr, codes[codes >= _LETTERS].tolist())))):
            return None
        codes = np.where(codes < _LETTERS, codes, 0)
    kinds, folded = _alphabet()
    kind = kinds[codes]
    if (kind == _OTHER).any():
        return None
    places = np.flatnonzero((kind == _LETTER) | (kind == _ALONE))
    if not len(places):
        return np.empty(0, np.uint64), places, places
    begins = _begins(kind, places)
    powers, inverses = _powers(len(places).bit_length())
    sums = np.zeros(len(places) + 1, np.uint64)
    np.cumsum(folded[codes[places]] * powers[: len(places)], out=sums[1:])
    ends = np.append(begins[1:], len(places))
    return (sums[ends] - sums[begins]) * inverses[begins], places[begins], places[ends - 1] + 1


def _begins(kind: npt.NDArray[np.uint8], places: Ints) -> Ints:
    """Which of the letters begin words, by :data:`~quotelake.watch.words.TOKEN`.

    Args:
        kind: of each character of a text.
        places: of its letters.
    """
    letter = kind[places] == _LETTER
    far = np.diff(places)
    parted = (far != 1) | ~letter[1:] | ~letter[:-1]
    run_begins = np.flatnonzero(np.concatenate(([True], parted)))
    lengths = np.diff(np.append(run_begins, len(places)))
    before = run_begins[1:] - 1  # last letter of the run before each run
    gap = kind[places[before] + 1]
    joins = (gap == _JOINER) | ((gap == _APOSTROPHE) & (lengths[1:] <= _BEHIND_APOSTROPHE))
    joined = joins & (far[before] == 2) & letter[before] & letter[before + 1]
    return run_begins[np.concatenate(([True], ~joined))]


@cache
def _alphabet() -> tuple[npt.NDArray[np.uint8], _Keys]:
    """Kind and folded letter of each character."""
    kinds, folded = np.zeros(_LETTERS, np.uint8), np.zeros(_LETTERS, np.uint64)
    for code in range(_LETTERS):
        letter = chr(code)
        alone = 0x3040 <= code <= 0x30FF or 0x3400 <= code <= 0x9FFF
        if alone or letter.isalnum():
            other = fold(letter)
            simple = len(other) == 1 and other.isalnum() and not {letter, other} & _HANGUL_PARTS
            kinds[code] = (_ALONE if alone else _LETTER) if simple else _OTHER
            folded[code] = ord(other) if simple else 0
    for joiner in "]\u00ad\u200b\u200c\u200d\u2060":
        kinds[ord(joiner)] = _JOINER
    for apostrophe in "'’":
        kinds[ord(apostrophe)] = _APOSTROPHE
    return kinds, folded


#: Letters that are put together with the next one.
_HANGUL_PARTS: Final = frozenset(map(chr, range(0x1100, 0x1200)))


@cache
def _powers(bits: int) -> tuple[_Keys, _Keys]:
    """The first 2 ** bits powers of the base, and of its inverse, modulo 2⁶⁴."""
    found = []
    for base in (_BASE, pow(_BASE, -1, 1 << 64)):
        powers = np.full(1 << bits, base, np.uint64)
        powers[0] = 1
        found.append(np.cumprod(powers))
    return found[0], found[1]


def _key(word: str) -> int:
    """Key of a folded word."""
    return sum(ord(letter) * pow(_BASE, at, 1 << 64) for at, letter in enumerate(word)) % (1 << 64)
