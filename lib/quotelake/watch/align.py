"""The words of a wording against those of a text: which stand for which. Pure.

A local alignment (Smith & Waterman 1981) of weighted words, in which words are left out and added but none exchanged.
It is computed as the best chain of pairs of like words, of which there are few.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from quotelake.watch.patterns import Pattern
from quotelake.watch.words import is_content, similarity, weight

#: What a word left out and a word added cost, as shares of the weight by which a word that stands there counts [ours].
_LEFT_OUT: Final = 0.3
_ADDED: Final = 0.3


class Alignment(NamedTuple):
    """How a wording stands in a text.

    Attributes:
        pairs: (position in the wording, position in the text) of words that stand for each other, in order.
        matched: weight of these words of the wording, each times its similarity.
    """

    pairs: tuple[tuple[int, int], ...]
    matched: float


class _Chain(NamedTuple):
    """The best chain that ends in a pair of words."""

    i: int
    j: int
    gain: float
    score: float
    before: "_Chain | None"


def align(pattern: Pattern, words: Sequence[str], free: Sequence[bool]) -> Alignment:
    """Align a wording with the words of a text; of equally good chains the first one.

    Args:
        pattern: the wording.
        words: folded words of the text.
        free: of each of them, whether the writer added it in square brackets: then it costs nothing.
    """
    left_out = [0.0, *accumulate(_LEFT_OUT * value for value in pattern.weights)]
    costs = (0.0 if is_free else _ADDED * weight(word) for word, is_free in zip(words, free, strict=True))
    added = [0.0, *accumulate(costs)]
    chains: list[_Chain] = []
    for i, j, gain in _like_words(pattern, words):
        best, before = 0.0, None
        for chain in chains:
            if chain.i < i and chain.j < j:
                score = chain.score - (left_out[i] - left_out[chain.i + 1]) - (added[j] - added[chain.j + 1])
                if score > best:
                    best, before = score, chain
        chains.append(_Chain(i, j, gain, best + gain, before))
    link = max(chains, key=lambda chain: chain.score, default=None)
    pairs, matched = [], 0.0
    while link is not None:
        pairs.append((link.i, link.j))
        matched += link.gain
        link = link.before
    return Alignment(tuple(reversed(pairs)), matched)


def _like_words(pattern: Pattern, words: Sequence[str]) -> Iterator[tuple[int, int, float]]:
    """Position in the wording, position in the text and gain of all pairs of like words, in this order."""
    places: dict[str, list[int]] = {}
    by_letter: dict[str, list[str]] = {}
    for j, word in enumerate(words):
        if word not in places:
            by_letter.setdefault(word[:1], []).append(word)
        places.setdefault(word, []).append(j)
    for i, (word, value) in enumerate(zip(pattern.words, pattern.weights, strict=True)):
        # A function word has no other forms; those of a word of content begin with its letter.
        for other in by_letter.get(word[:1], ()) if is_content(word) else (word,):
            alike = similarity(word, other)
            if alike:
                yield from ((i, j, alike * value) for j in places.get(other, ()))
