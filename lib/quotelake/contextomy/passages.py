"""Passages of a body quote with the words of a headline quote: together, with others between, exchanged. Pure.

Words are those of :mod:`quotelake.text.wording`: small words and negations do not count.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from quotelake.text.wording import Word, Wording

#: So many passages of a body quote are compared; a headline quote that occurs more often is a refrain.
MOST_PASSAGES = 8
#: With fewer words of weight, words with others between, or exchanged, prove nothing [ours].
MIN_SCATTERED, MIN_EXCHANGED = 4, 5
#: A word that changes places with another has so many letters: shorter ones are prepositions and pronouns [ours].
MIN_LETTERS = 4
#: Two words change places without a change of meaning where only one of these is between.
_LISTED = frozenset(("and", "or"))


class Passage(NamedTuple):
    """Part of a body quote: place of its first and of its last word, and those of them that the headline quote has."""

    first: int
    last: int
    words: Sequence[Word]

    @property
    def is_whole(self) -> bool:
        """Whether nothing else stands between the words."""
        return self.last - self.first + 1 == len(self.words)


def whole(headline: Wording, body: Wording) -> Iterator[Passage]:
    """Find the words one after the other."""
    n = len(headline.words)
    for first in body.places([word.key for word in headline.words], MOST_PASSAGES):
        yield Passage(first, first + n - 1, body.words[first : first + n])


def scattered(headline: Wording, body: Wording) -> Iterator[Passage]:
    """Find the words in order within one clause, with no more others between than they are.

    >>> from quotelake.text.wording import read_wording
    >>> body = read_wording("We promise the nurses of this town a pay rise")
    >>> [(found.first, found.last) for found in scattered(read_wording("We promise nurses a pay rise"), body)]
    [(0, 7)]
    """
    n = len(headline.words)
    if n < MIN_SCATTERED:
        return
    for first in body.places([headline.words[0].key], MOST_PASSAGES):
        found: list[int] = []
        for place in range(first, min(first + 2 * n, len(body.words))):
            if body.words[place].clause != body.words[first].clause:
                break
            if body.words[place].key == headline.words[len(found)].key:
                found.append(place)
                if len(found) == n:
                    yield Passage(first, place, [body.words[at] for at in found])
                    break


def exchanged(headline: Wording, body: Wording) -> Iterator[tuple[Passage, Word, Word]]:
    """Find the words one after the other but for two that changed places; also these two, in the body's order.

    >>> from quotelake.text.wording import read_wording
    >>> body = read_wording("We would rather talk for a month than strike for a day")
    >>> headline = read_wording("We would rather strike for a month than talk for a day")
    >>> [(one.shown, other.shown) for _, one, other in exchanged(headline, body)]
    [('talk', 'strike')]
    """
    n = len(headline.words)
    if n < MIN_EXCHANGED:
        return
    for first in _same_words(headline, body):
        passage = body.words[first : first + n]
        moved = [place for place in range(n) if passage[place].key != headline.words[place].key]
        if len(moved) != 2:
            continue
        one, other = (passage[place] for place in moved)
        between = {word.key for word in passage[moved[0] + 1 : moved[1]]}
        if between and not between <= _LISTED and _has_weight(one) and _has_weight(other):
            yield Passage(first, first + n - 1, passage), one, other


def _same_words(headline: Wording, body: Wording) -> list[int]:
    """Where as many words as the headline quote has are the same words in any order: the first places of them."""
    n, found = len(headline.words), []
    missing = Counter(word.key for word in headline.words)
    wrong = len(missing)  # keys of which there are too many or too few
    for place, word in enumerate(body.words):
        changes = [(word.key, -1)] + ([(body.words[place - n].key, 1)] if place >= n else [])
        for key, step in changes:
            wrong += missing[key] == 0
            missing[key] += step
            wrong -= missing[key] == 0
        if wrong == 0 and place >= n - 1:
            found.append(place - n + 1)
            if len(found) == MOST_PASSAGES:
                break
    return found


def _has_weight(word: Word) -> bool:
    return word.is_plain and len(word.shown) >= MIN_LETTERS
