"""Uses of quotes without articles, as the protocol ``reuse`` reads them; streamed, the same for the same arguments."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Final

from quotelab.synthetic.groups import MANY, GroupMaker, Lanes, Plan, Use
from quotelab.synthetic.mutations import BRACKETED, CHANGES, CONTENT_LENGTH
from quotelab.synthetic.wording import SLOTS, Phrasebook, Wording, vocabulary
from quotelake.errors import InputError
from quotelake.quotes.keys import canonical_text
from quotelake.reuse.words import MIN_CONTAINED, ranks
from quotelake.text.ids import content_id
from quotelake.text.lexicon import LANGUAGES, cue_pattern
from quotelake.text.numbers import amount_of

BREAK: Final = 7_873  # rank from which words are rarer than Zipf's law says
TAIL: Final = 1.77  # exponent from there on
#: Words of a quote: normal in their logarithm [mean and deviation of 78,000 quotes of US news of four or more words].
LENGTH: Final = (2.7, 0.74)
#: Fewest words, so that a text can be changed in each way of mutations.py; a third of real quotes have fewer. And most.
SHORTEST, LONGEST = 12, 200

_SYLLABLES: Final = tuple(f"{first}{second}" for first in "bdfgklmnprstvz" for second in ("a", "e", "i", "o", "u"))
_NUMBERS: Final = (12, 990)  # that a quote has
_OTHER: Final = 1_000  # what is added to one in the renumbered text


class ZipfPhrases:
    """Makes the quotes of each topic by their numbers, for each seed others, for longer streams than a Phrasebook.

    Words are drawn one by one by a double power law: a word of rank *r* is as frequent as 1 / *r* up to rank
    7,873, and as *r* to the power of -1.77 beyond (Gerlach & Altmann 2013, Phys. Rev. X 3, 021006, §II, English). Ranks
    are those of :func:`quotelake.reuse.words.ranks` without numbers and negations; a word beyond is made of syllables.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        # Sums of the frequencies of the ranks up to the break, then of all beyond; by an integral there.
        self._sums = list(accumulate([*(1 / rank for rank in range(1, BREAK + 1)), 1 / (TAIL - 1)]))

    def wording(self, topic: str, number: int) -> Wording:
        """The quote of a topic with this number, from 0: a pronoun, a number and words, in any order."""
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
    """The word of a place, from 0: of the list of frequent words, then of syllables, each word once."""
    if place < len(_LISTED):
        return _LISTED[place]
    made = ""
    while place:
        place, digit = divmod(place, len(_SYLLABLES))
        made += _SYLLABLES[digit]
    return made if made not in ranks() else f"{made}x"


def _changes_meaning(word: str) -> bool:
    """Whether a quote has another meaning without the word: a negation, a number or a quantifier."""
    negations = (cue_pattern("NEGATION", script) for script in LANGUAGES)
    return amount_of(word) is not None or any(pattern and pattern.search(word) for pattern in negations)


#: Of letters only, and such that a quote which lacks one of them is still the same quote.
_LISTED: Final = tuple(each for each in ranks() if each.isalpha() and not _changes_meaning(each))


_WIDTH: Final = 200  # quotes in use at a time in :func:`mixed`
#: Fewest words of a text of :func:`substitutions`: one substituted word of 4 leaves a token Jaccard index of .6.
LEAST_WORDS: Final = 4


def mixed(rows: int, seed: int = 7, phrases: Callable[[int], Phrasebook | ZipfPhrases] = Phrasebook) -> Iterator[Use]:
    """Yield uses of quotes in all kinds, as often as by a power law, beside texts that only look like them.

    More rows begin with the same ones. Quotes are of few words and patterns; beyond a million they come too near.
    """
    _check("rows", rows, 1)
    rng, plan = random.Random(f"mixed {seed}"), Plan(seed=seed)
    lanes = Lanes(GroupMaker(phrases(seed).wording, plan), MANY, vocabulary().topics, _WIDTH)
    for _ in range(rows):
        yield lanes.draw(rng).use(rng, plan)


def everyday(rows: int, seed: int = 7) -> Iterator[Use]:
    """Yield the same of quotes whose words are as frequent as in natural language (:class:`ZipfPhrases`)."""
    return mixed(rows, seed, ZipfPhrases)


def substitutions(lengths: Sequence[int], pairs: int, seed: int = 7) -> Iterator[Use]:
    """Yield, for each length, pairs of a text of random words and the same with one inner word substituted."""
    _check("pairs", pairs, 1)
    rng = random.Random(f"substitutions {seed}")
    words = sorted({word for lists in vocabulary().lists.values() for slot in SLOTS for word in lists[slot]})
    for length in lengths:
        _check("words", length, LEAST_WORDS)
        for number in range(pairs):
            chosen = rng.sample(words, length)
            changed = list(chosen)
            changed[rng.randrange(1, length - 1)] = rng.choice(vocabulary().substitutes)
            name = f"{length}-{number}"
            yield Use(" ".join(chosen), name, "base")
            yield Use(" ".join(changed), name, f"substituted_{length}")


def changed(quotes: Iterable[str], most: int, seed: int = 7) -> Iterator[Use]:
    """Yield real quotes, so many of them chosen by a hash: each as it is, a copy, and every change its words allow.

    A truncated one keeps more than :data:`~quotelake.reuse.words.MIN_CONTAINED` words. A change that takes a negation,
    a number or a quantifier away is left out: it would be another quote.
    """
    words = {text: canonical_text(text) or "" for text in sorted(set(quotes))}
    long = {folded: text for text, folded in words.items() if len(folded.split()) > MIN_CONTAINED}
    for folded in sorted(long, key=lambda folded: content_id(str(seed), folded))[:most]:
        text, rng = " ".join(long[folded].split()), random.Random(f"{seed} {folded}")
        yield Use(text, folded, "base")
        yield Use(text, folded, "copy")
        for kind, change in CHANGES.items():
            try:
                made = change(text, rng)
            except (ValueError, IndexError):  # it has too few words for this change
                continue
            left = (canonical_text(made) or "").split()
            lost = Counter(folded.split()) - Counter(left)
            if kind == "truncated" and len(left) < MIN_CONTAINED:
                continue
            if kind in ("truncated", "elided") or not any(map(_changes_meaning, lost)):
                yield Use(made, folded, kind)


def _check(name: str, value: int, least: int) -> None:
    if value < least:
        raise InputError(f"{name}: {value}; give {least} or more")
