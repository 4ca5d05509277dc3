"""Uses of quotes without articles: rows of text, group and kind, as the protocol ``reuse`` reads them.

Four sets, each streamed and the same for the same arguments:

- :func:`mixed`: quotes used as often as a power law says, in all kinds, beside the texts that only look like them.
- :func:`everyday`: the same of other quotes, whose words are as frequent as in natural language. Those of ``mixed`` are
  of few words and patterns: they test what two quotes are told apart by, and beyond a million they come too near.
- :func:`copies`: quotes with a base and a given number of verbatim copies. The kind ``copy_150`` says how many, so its
  ``linked_copy_150`` is the recall at 150 copies.
- :func:`substitutions`: texts of a given length with one word substituted. ``linked_substituted_12`` is the recall at
  12 words.
"""

import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from quotelab.synthetic.groups import MANY, GroupMaker, Lanes, PowerLaw
from quotelab.synthetic.stories import Plan
from quotelab.synthetic.wording import SLOTS, Phrasebook, Phrases, vocabulary
from quotelab.synthetic.zipf import ZipfPhrases
from quotelake.errors import InputError

#: Quotes in use at a time in :func:`mixed`.
_WIDTH: Final = 200
#: Rows that each number of copies gets in :func:`copies`: small numbers are measured on many quotes.
_ROWS: Final = 3_000
#: Most quotes with the same number of copies.
_MOST_QUOTES: Final = 100
#: Fewest words of a text of :func:`substitutions`: one substituted word of 4 leaves a token Jaccard index of .6.
LEAST_WORDS: Final = 4


class Use(NamedTuple):
    """A row: a use of a quote.

    Attributes:
        text: words.
        group: name of the quote.
        kind: how the use differs from the quote.
    """

    text: str
    group: str
    kind: str


def mixed(rows: int, plan: Plan | None = None) -> Iterator[Use]:
    """Yield uses of all kinds; more rows begin with the same ones.

    Args:
        rows: their number.
        plan: of it seed, exponent, copies_max, changed and other count.

    Raises:
        InputError: fewer than one row, or the plan is out of its bounds.
    """
    made = plan or Plan()
    return _uses(rows, made, Phrasebook(made.seed))


def everyday(rows: int, plan: Plan | None = None) -> Iterator[Use]:
    """Yield uses of all kinds of quotes of everyday words (:mod:`~quotelab.synthetic.zipf`); as above."""
    made = plan or Plan()
    return _uses(rows, made, ZipfPhrases(made.seed))


def _uses(rows: int, plan: Plan, phrases: Phrases) -> Iterator[Use]:
    plan.check()
    _check("rows", rows, 1)
    rng = random.Random(f"mixed {plan.seed}")
    lanes = Lanes(_maker(plan, phrases), MANY, vocabulary().topics, _WIDTH)
    for _ in range(rows):
        group, kind, text = lanes.draw(rng).use(rng, plan.changed, plan.other)
        yield Use(text, group, kind)


def copies(sizes: Sequence[int], seed: int = 7) -> Iterator[Use]:
    """Yield quotes with a base and as many verbatim copies as each size says, in no order.

    Raises:
        InputError: a size is smaller than 1.
    """
    rng = random.Random(f"copies {seed}")
    maker, topics = _maker(Plan(seed=seed), Phrasebook(seed)), vocabulary().topics
    uses = []
    for size in sizes:
        _check("copies", size, 1)
        for number in range(max(1, min(_MOST_QUOTES, _ROWS // (size + 1)))):
            group = maker.make(MANY, topics[number % len(topics)], rng, size + 1)
            uses += [
                Use(group.wording.text, group.name, f"copy_{size}" if copy else "base") for copy in range(size + 1)
            ]
    rng.shuffle(uses)
    return iter(uses)


def substitutions(lengths: Sequence[int], pairs: int, seed: int = 7) -> Iterator[Use]:
    """Yield, for each length, pairs of a text and the same text with one inner word substituted.

    A text is as many different words of the vocabulary, drawn at random: two of them share hardly a word. The place of
    the substituted word is drawn from all but the first and the last.

    Raises:
        InputError: a length below :data:`LEAST_WORDS`, or fewer than one pair.
    """
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


def _maker(plan: Plan, phrases: Phrases) -> GroupMaker:
    start = datetime(plan.start.year, plan.start.month, plan.start.day, tzinfo=UTC)
    law = PowerLaw(plan.exponent, plan.copies_max)
    return GroupMaker(phrases, law, start, timedelta(days=plan.days))


def _check(name: str, value: int, least: int) -> None:
    if value < least:
        raise InputError(f"{name}: {value}; give {least} or more")
