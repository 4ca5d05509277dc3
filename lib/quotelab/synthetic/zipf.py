"""Texts of quotes of words as frequent as in natural language: for longer streams than wording.py allows.

A quote is words drawn one by one by a double power law: a word of rank *r* is as frequent as 1 / *r* says up to rank
7,873, and as *r* to the power of -1.77 says beyond (Gerlach & Altmann 2013, *Stochastic model for the vocabulary growth
in natural languages*, Phys. Rev. X 3, 021006, §II, English). So the vocabulary has no end. Ranks are those of
:func:`quotelake.reuse.words.ranks` without numbers and negations; a word beyond is made of syllables. Nothing but
chance makes two quotes alike: they share words as everyday language does, but no phrases.
"""

import random
from itertools import accumulate
from typing import Final

from quotelab.synthetic.mutations import BRACKETED, CONTENT_LENGTH
from quotelab.synthetic.wording import Wording
from quotelake.reuse.words import ranks
from quotelake.text.lexicon import LANGUAGES, cue_pattern
from quotelake.text.numbers import is_amount

#: Rank from which words are rarer than Zipf's law says, and the exponent from there on.
BREAK: Final = 7_873
TAIL: Final = 1.77
#: Words of a quote: normal in their logarithm [mean and deviation of 78,000 quotes of US news of four or more words].
LENGTH: Final = (2.7, 0.74)
#: Fewest words, so that a text can be changed in each way of mutations.py; a third of real quotes have fewer. And most.
SHORTEST, LONGEST = 12, 200

_SYLLABLES: Final = tuple(f"{first}{second}" for first in "bdfgklmnprstvz" for second in ("a", "e", "i", "o", "u"))
#: A number, and the one that stands for it in the renumbered text.
_NUMBERS: Final = (12, 990)
_OTHER: Final = 1_000


class ZipfPhrases:
    """Makes the quotes of each topic by their numbers, for each seed others."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        # Sums of the frequencies of the ranks up to the break, then of all beyond; by an integral there.
        self._sums = list(accumulate([*(1 / rank for rank in range(1, BREAK + 1)), 1 / (TAIL - 1)]))

    def wording(self, topic: str, number: int) -> Wording:
        """The quote of a topic with this number, from 0: a pronoun, a number and words, in any order.

        >>> ZipfPhrases(1).wording("money", 5) == ZipfPhrases(1).wording("money", 5)
        True
        """
        rng = random.Random(f"{self._seed} {topic} {number}")
        length = min(max(round(rng.lognormvariate(*LENGTH)), SHORTEST), LONGEST)
        words: list[str] = []
        while not any(len(each) >= CONTENT_LENGTH and each.islower() for each in words):  # none to substitute
            places = rng.choices(range(BREAK + 1), cum_weights=self._sums, k=length - 2)
            far = (int(BREAK * (1 - rng.random()) ** (-1 / (TAIL - 1))) if at == BREAK else at for at in places)
            words = [word(place) for place in far]
        pronoun, count = rng.choice(tuple(BRACKETED)), rng.randint(*_NUMBERS)
        at = rng.randint(1, len(words) - 1)

        def text(*others: str | int) -> str:
            return " ".join(map(str, (pronoun.capitalize(), *words[:at], *others, *words[at:])))

        return Wording(text(count), text("not", count), text(_OTHER + count))


def word(place: int) -> str:
    """The word of a place, from 0: of the list of frequent words, then of syllables, each word once.

    >>> word(0), word(5_000), word(5_001)
    ('the', 'mabebe', 'mebebe')
    """
    if place < len(_LISTED):
        return _LISTED[place]
    made = ""
    while place:
        place, digit = divmod(place, len(_SYLLABLES))
        made += _SYLLABLES[digit]
    return made if made not in ranks() else f"{made}x"


def _changes_meaning(word: str) -> bool:
    """Whether a quote without the word says something else: a negation, a number or a quantifier."""
    negations = (cue_pattern("NEGATION", script) for script in LANGUAGES)
    return is_amount(word) or any(pattern and pattern.search(word) for pattern in negations)


#: Of letters only, and such that a quote which lacks one of them is still the same quote.
_LISTED: Final = tuple(each for each in ranks() if each.isalpha() and not _changes_meaning(each))
