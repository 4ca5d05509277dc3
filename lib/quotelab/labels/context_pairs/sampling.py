"""Which pairs of contexts people are asked about, and in which order. Everything is drawn by hash."""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import combinations
from typing import Final

from quotelab.labels.phitag import Use, UsePair
from quotelake.text.ids import content_id

PAIRS: Final = 150  # of each target, Periti et al. 2024, §4.1
USES: Final = 30  # contexts of each target that pairs are made of [ours]; the paper has 30 a target
FEWEST_JUDGMENTS: Final = 2  # of each pair, Periti et al. 2024, §4.2


def sample_uses(uses: Iterable[Use], most: int = USES, seed: int = 0) -> list[Use]:
    """At most so many uses of each target, by hash; in the order given."""
    by_target: dict[str, list[Use]] = {}
    for use in uses:
        by_target.setdefault(use.target, []).append(use)
    kept = {
        use.use_id
        for group in by_target.values()
        for use in sorted(group, key=lambda use: content_id("use", seed, use.use_id))[:most]
    }
    return [use for group in by_target.values() for use in group if use.use_id in kept]


def sample_pairs(uses: Iterable[Use], most: int = PAIRS, seed: int = 0) -> list[UsePair]:
    """Draw pairs of uses of each target, in random order, each with its two uses in random order.

    A fixed order would let annotators drift along a target, and lets the first use always be the same one; Periti et
    al. 2024 (Limitations) name both as faults of theirs.

    Args:
        uses: of any number of targets.
        most: pairs of a target; all it has, if they are fewer.
        seed: another one draws and orders anew.
    """
    by_target: dict[str, list[str]] = {}
    for use in uses:
        by_target.setdefault(use.target, []).append(use.use_id)
    pairs: list[UsePair] = []
    for group in by_target.values():
        named = ((content_id("pair", *pair), *pair) for pair in combinations(sorted(group), 2))
        drawn = sorted(named, key=lambda each: content_id("draw", seed, each[0]))[:most]
        for name, one, other in drawn:
            swapped = content_id("side", seed, name) < "8"
            pairs.append(UsePair(f"pair_{name[:16]}", *((other, one) if swapped else (one, other))))
    return in_random_order(pairs, seed)


def in_random_order(pairs: Iterable[UsePair], seed: int, annotator: int = 0) -> list[UsePair]:
    """Order pairs by hash; each annotator gets another order."""
    return sorted(pairs, key=lambda pair: content_id("order", seed, annotator, pair.instance_id))


def assign(pairs: Sequence[UsePair], annotators: int, judgments: int, seed: int = 0) -> list[list[UsePair]]:
    """Give each pair to so many annotators, and each annotator about equally many pairs, in an order of its own.

    Args:
        pairs: to be judged.
        annotators: at least ``judgments``.
        judgments: of each pair, at least :data:`FEWEST_JUDGMENTS`.
        seed: of the orders.

    Returns:
        The pairs of each annotator.

    Raises:
        ValueError: too few annotators or judgments.
    """
    if not FEWEST_JUDGMENTS <= judgments <= annotators:
        raise ValueError(f"{judgments} judgments a pair by {annotators} annotators: needs {FEWEST_JUDGMENTS} or more")
    given: list[list[UsePair]] = [[] for _ in range(annotators)]
    for pair in in_random_order(pairs, seed):
        # Those with fewest pairs; of several, by hash, so that all meet all.
        by_load = sorted(range(annotators), key=partial(_load, given, seed, pair))
        for who in by_load[:judgments]:
            given[who].append(pair)
    return [in_random_order(mine, seed, number) for number, mine in enumerate(given, 1)]


def _load(given: Sequence[Sequence[UsePair]], seed: int, pair: UsePair, who: int) -> tuple[int, str]:
    return len(given[who]), content_id("annotator", seed, pair.instance_id, who)
