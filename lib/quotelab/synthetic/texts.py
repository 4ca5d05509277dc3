"""Uses of quotes without articles, as the protocol ``reuse`` reads them; streamed, the same for the same arguments."""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from quotelab.synthetic.groups import MANY, GroupMaker, Lanes, Plan, Use
from quotelab.synthetic.wording import SLOTS, Phrasebook, vocabulary
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


def mixed(rows: int, seed: int = 7, phrases: Callable[[int], Phrasebook | ZipfPhrases] = Phrasebook) -> Iterator[Use]:
    """Yield uses of quotes in all kinds, as often as a power law says, beside texts that only look like them.

    More rows begin with the same ones. Quotes are of few words and patterns, which tests what two quotes are told apart
    by; beyond a million they come too near. See :func:`everyday` for more.

    Raises:
        InputError: fewer than one row.
    """
    _check("rows", rows, 1)
    rng, plan = random.Random(f"mixed {seed}"), Plan(seed=seed)
    lanes = Lanes(GroupMaker(phrases(seed).wording, plan), MANY, vocabulary().topics, _WIDTH)
    for _ in range(rows):
        yield lanes.draw(rng).use(rng, plan)


def everyday(rows: int, seed: int = 7) -> Iterator[Use]:
    """Yield the same of quotes whose words are as frequent as in natural language (:mod:`~quotelab.synthetic.zipf`)."""
    return mixed(rows, seed, ZipfPhrases)


def copies(sizes: Sequence[int], seed: int = 7) -> Iterator[Use]:
    """Yield quotes with a base and as many verbatim copies as each size says, in no order.

    The kind ``copy_150`` says how many, so ``linked_copy_150`` of the protocol is the recall at 150 copies.

    Raises:
        InputError: a size is smaller than 1.
    """
    rng = random.Random(f"copies {seed}")
    maker, topics = GroupMaker(Phrasebook(seed).wording, Plan(seed=seed)), vocabulary().topics
    uses = []
    for size in sizes:
        _check("copies", size, 1)
        for number in range(max(1, min(_MOST_QUOTES, _ROWS // (size + 1)))):
            group = maker.make(MANY, topics[number % len(topics)], rng, size + 1)
            kinds = ["base", *[f"copy_{size}"] * size]
            uses += [Use(group.texts["base"], group.name, kind) for kind in kinds]
    rng.shuffle(uses)
    return iter(uses)


def substitutions(lengths: Sequence[int], pairs: int, seed: int = 7) -> Iterator[Use]:
    """Yield, for each length, pairs of a text and the same text with one inner word substituted.

    A text is as many different words of the vocabulary, drawn at random: two of them share hardly a word. The place of
    the substituted word is drawn from all but the first and the last. ``linked_substituted_12`` of the protocol is the
    recall at 12 words.

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


def _check(name: str, value: int, least: int) -> None:
    if value < least:
        raise InputError(f"{name}: {value}; give {least} or more")
