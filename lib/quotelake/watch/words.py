"""Watched wordings as they are searched for: folded words, their weights, and the pairs of words that find them. Pure.

A use has at least *k* of the wording's *n* content words, unchanged and in order (:func:`min_shared_words`). Then *m*
of the *n - k + m* rarest are among them (the prefix filter of Chaudhuri, Ganti & Kaushik 2006, with *m* words as in
AdaptJoin, Wang, Li & Feng 2012), and so are the *m (m - 1) / 2* pairs of these. One part of a long wording has its
share of the words.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import combinations, pairwise
from math import log2
from typing import Final, NamedTuple

from rapidfuzz.distance import Postfix, Prefix

from quotelake.reuse.words import ranks
from quotelake.text.fold import fold_letters, plain_signs
from quotelake.text.lexicon import table
from quotelake.text.numbers import ONES, TENS

#: Letters and digits; a closing bracket (*[T]he*) or an invisible character inside does not end a word, nor does an
#: apostrophe before at most three letters (*won't*). Han characters and kana are words by themselves.
_LETTER: Final = r"[^\W_\u3040-\u30ff\u3400-\u9fff]"
TOKEN: Final = re.compile(
    rf"({_LETTER}++(?>(?:(?:[\]\u00ad\u200b-\u200d\u2060]|['’ʼ](?={_LETTER}{{1,3}}+(?!{_LETTER}))){_LETTER}++)*)"
    r"|[\u3040-\u30ff\u3400-\u9fff])"
)
#: The same for a text in ASCII, several times as fast.
_ASCII_TOKEN: Final = re.compile(r"([A-Za-z0-9]++(?>(?:(?:\]|'(?=[A-Za-z0-9]{1,3}+(?![A-Za-z0-9])))[A-Za-z0-9]++)*))")
#: Function words of English, German, French and Spanish, folded [ours]: they hardly identify a text.
COMMON: Final = table("common", room="quotelake.watch")
#: Weight of a function word; any other word weighs 1 [measured, see docs/FIGURES.md].
COMMON_WEIGHT: Final = 0.7
#: Words that reverse a text where they are added or lost; words that end in *nt* for *n't* are such words too.
NEGATIONS: Final = table("negations", room="quotelake.watch")
_NUMBERS: Final = frozenset((*ONES, *TENS, "hundred", "thousand", "million", "billion", "trillion")) - {"one"}
#: From this similarity on two words count as forms of one [ours].
NEAR: Final = 0.7
_NEAR_LETTERS: Final = 4
#: Pairs of words in the cache of similarities.
_MEMORY: Final = 200_000
#: Content words from which changed wordings are found; with fewer, only unchanged ones are.
MIN_CONTENT_WORDS: Final = 3
#: Share of the content words that a text must have unchanged, and least number of them [measured].
MIN_SHARE: Final = 0.5
MIN_SHARED_WORDS: Final = 3
#: Share of the weight of all words that a text must have unchanged, in any order [measured].
MIN_UNCHANGED_WEIGHT: Final = 0.5
#: Content words of a part of a wording.
MAX_PART_WORDS: Final = 12
#: *m*, words of the prefix that must be found, if *k* is as large [measured: 2 give five times the candidates].
MIN_PREFIX_WORDS: Final = 3


def tokens(text: str) -> list[str]:
    """Folded words of a text in order.

    >>> tokens("“[W]e won’t!”")
    ['we', 'wont']
    """
    return [fold_letters(token) for token in TOKEN.findall(text)]


def split(text: str) -> list[str]:
    """Divide a text into its gaps and words in turns, a gap first; the commonest signs in ASCII."""
    plain = plain_signs(text)
    return _ASCII_TOKEN.split(plain) if plain.isascii() else TOKEN.split(text)


def weight(word: str) -> float:
    """Weight of a folded word: 1, or less for a function word."""
    return COMMON_WEIGHT if word in COMMON else 1.0


def information(words: Iterable[str]) -> float:
    """Information of folded words in bits, see :func:`quotelake.reuse.words.information`."""
    places, unlisted = _places(), len(ranks())
    return sum(log2(places.get(word, unlisted) + 2) for word in words)


@cache
def _places() -> Mapping[str, int]:
    """Place of each frequent word by its folded form; of words that are folded alike that of the most frequent."""
    return {fold_letters(word): place for word, place in sorted(ranks().items(), key=lambda item: -item[1])}


def is_number(word: str) -> bool:
    """Whether a folded word is a number from two on, or has a digit; *one* is more often a pronoun."""
    return word in _NUMBERS or any(map(str.isdigit, word))


@lru_cache(maxsize=_MEMORY)
def similarity(one: str, other: str) -> float:
    """Similarity of two folded words, 0 to 1: 1 if equal, and above 0 only for forms of one word.

    It is the share of the longer word in the letters that both begin with and both end in. Words of fewer than four
    letters, numbers, negations, and words that begin differently (*possible*, *impossible*) are no forms of one word.

    >>> similarity("labour", "labor") > NEAR, similarity("possible", "impossible"), similarity("not", "nota")
    (True, 0.0, 0.0)
    """
    if one == other:
        return 1.0
    shorter, longer = sorted((len(one), len(other)))
    if shorter < _NEAR_LETTERS or one[0] != other[0] or shorter < NEAR * longer:
        return 0.0
    if one in NEGATIONS or other in NEGATIONS or is_number(one) or is_number(other):
        return 0.0
    same = Prefix.similarity(one, other)
    tail = min(Postfix.similarity(one, other), shorter - same)
    found = (same + tail) / longer
    return found if found >= NEAR else 0.0


class Pattern(NamedTuple):
    """A wording of the watched text number ``entry``."""

    entry: int
    words: tuple[str, ...]  #: folded
    weights: tuple[float, ...]  #: of the words
    total: float  #: weight of all words
    content: tuple[int, ...]  #: positions of the content words
    exact: bool  #: only unchanged uses are found: as the user wants, or for want of content words


def pattern_of(entry: int, text: str, *, only_unchanged: bool = False) -> Pattern:
    """The pattern of a wording; ``only_unchanged``: no changed uses are wanted."""
    words = tuple(tokens(text))
    weights = tuple(map(weight, words))
    content = tuple(at for at, word in enumerate(words) if word not in COMMON)
    exact = only_unchanged or len(content) < MIN_CONTENT_WORDS
    return Pattern(entry, words, weights, sum(weights), content, exact)


def min_shared_words(content: int) -> int:
    """Number of a wording's content words that a use has unchanged and in order: half, and three; two of three.

    >>> [min_shared_words(n) for n in (3, 4, 6, 7, 12)]
    [2, 3, 3, 4, 6]
    """
    return max(-int(-MIN_SHARE * content // 1), min(MIN_SHARED_WORDS, content - 1))


class Seeds(NamedTuple):
    """Pairs of word positions of a wording or a part of it, of which a use has at least ``min_pairs``."""

    pattern: int
    pairs: tuple[tuple[int, int], ...]
    min_pairs: int


def seeds_of(number: int, pattern: Pattern, used: Mapping[str, int]) -> Iterator[Seeds]:
    """Seeds of each part of a wording; one pair if exact, none of one word. ``used`` counts wordings of a word."""
    if len(pattern.words) == 1:
        return
    if pattern.exact:
        costs = [max(_commonness(word, used) for word in pair) for pair in pairwise(pattern.words)]
        at = costs.index(min(costs))
        yield Seeds(number, ((at, at + 1),), 1)
        return
    content = pattern.content
    parts = -(-len(content) // MAX_PART_WORDS)
    for part in range(parts):
        inside = content[-(-len(content) * part // parts) : -(-len(content) * (part + 1) // parts)]
        standing = min_shared_words(len(inside))
        found = min(standing, MIN_PREFIX_WORDS)
        rarest = sorted(inside, key=lambda at: (_commonness(pattern.words[at], used), at))
        prefix = sorted(rarest[: len(inside) - standing + found])
        yield Seeds(number, tuple(combinations(prefix, 2)), found * (found - 1) // 2)


def _commonness(word: str, used: Mapping[str, int]) -> tuple[bool, int, int, str]:
    """Sort key of words, rarest first: a content word, in few wordings, long."""
    return word in COMMON, used[word], -len(word), word
