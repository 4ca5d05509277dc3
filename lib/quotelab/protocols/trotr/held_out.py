"""Heads for texts they were not trained on: the reused texts are divided into groups, and each is held out in turn."""

import random
from typing import Final, NamedTuple

import numpy as np

from quotelab.labels.trotr import Judged
from quotelab.protocols.trotr.folds import Scores, part_of
from quotelab.protocols.trotr.settings import Choice, Contexts, Heads, Train, choose
from quotelake.topics.head import RAW_WEIGHT, Vectors

#: Groups of texts; about four texts each in TRoTR.
GROUPS: Final = 10


class HeldOut(NamedTuple):
    """What heads say of texts held out.

    Attributes:
        vectors: (uses, d), unit norm: each use after the head of the groups that its text is not in.
        best: (pairs,) relatedness of all pairs by the best setting, chosen within the other groups.
        choices: what was chosen for each group.
    """

    vectors: Vectors
    best: Scores
    choices: list[Choice]


def hold_out(judged: Judged, contexts: Contexts, train: Train, groups: int = GROUPS, seed: int = 0) -> HeldOut:
    """Hold out each group of texts in turn.

    The head is trained on the clear pairs of all other groups. For the best setting, the next group is left out of the
    training, and serves as the dev part.

    Args:
        judged: uses and pairs.
        contexts: of the uses.
        train: trains a head.
        groups: number of groups, at most that of texts.
        seed: of the division.
    """
    targets = sorted({use.target for use in judged.uses})
    random.Random(seed).shuffle(targets)
    count = min(groups, len(targets))
    group = {target: place % count for place, target in enumerate(targets)}
    of_use = np.array([group[use.target] for use in judged.uses])
    of_pair = np.array([group[pair.target] for pair in judged.pairs])
    clear = [pair for pair in judged.pairs if pair.clear]
    first, second = (np.array([getattr(pair, side) for pair in judged.pairs]) for side in ("first", "second"))
    vectors, best, choices = np.empty_like(contexts.masked), np.empty(len(judged.pairs)), []
    for out in range(count):
        others = part_of([pair for pair in clear if group[pair.target] != out])
        vectors[of_use == out] = Heads(contexts, train, others).vectors(RAW_WEIGHT)[of_use == out]
        dev = (out + 1) % count
        trained = part_of([pair for pair in clear if group[pair.target] not in (out, dev)])
        tuned = part_of([pair for pair in clear if group[pair.target] == dev])
        choice, relatedness = choose(contexts, Heads(contexts, train, trained), tuned)
        here = of_pair == out
        best[here] = relatedness(first[here], second[here])
        choices.append(choice)
    return HeldOut(vectors, best, choices)
