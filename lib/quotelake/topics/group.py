"""Topic variation of one group: over all time and per month, over all sources and per kind of source. No Spark.

The vectors are those of the group's distinct contexts. A use says in which month, by which outlet and in which story a
context stands; the same context in two months counts in both, and once over all time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from quotelake.topics.variation import (
    Floats,
    Ints,
    balanced_mean_cosine,
    interval,
    mean_cosine,
    numbered,
    squared_norms,
)

#: The period of all contexts, dated or not, and the kind of all sources.
ALL = "all"


class Use(NamedTuple):
    """Equal uses of a distinct context: those of one month, kind, outlet and story.

    Attributes:
        context: row of its vector.
        period: month as YYYY-MM; None without a date.
        kind: ``news`` or ``tweet``; None where rows of older rules do not say it.
        outlet: None where it is not known, as for tweets: then each use is an outlet by itself.
        story: id of the story, or of the author of a tweet.
        copies: how many uses.
    """

    context: int
    period: str | None
    kind: str | None
    outlet: str | None
    story: str
    copies: int


@dataclass(frozen=True)
class Group:
    """The distinct contexts of a group that are compared.

    Attributes:
        vectors: (n, d) fixed point, unit norm, ordered by the hash of the context.
        uses: of these contexts.
    """

    vectors: Ints
    uses: Sequence[Use]

    def measure(self, period: str = ALL, kind: str = ALL) -> dict[str, Any]:
        """Topic variation of one period and kind of source.

        Returns:
            ``n_sampled`` contexts, ``mean_cosine``, ``variation`` and its bounds, ``mean_cosine_all`` and
            ``variation_all`` with copies, ``variation_outlets`` with each outlet counted once; None where undefined.
        """
        uses = [use for use in self.uses if period in (ALL, use.period) and kind in (ALL, use.kind)]
        contexts = sorted({use.context for use in uses})
        place = {context: number for number, context in enumerate(contexts)}
        copies = np.zeros(len(contexts), dtype=np.int64)
        stories: dict[int, str] = {}
        for use in uses:
            copies[place[use.context]] += use.copies
            stories[use.context] = min(use.story, stories.get(use.context, use.story))
        vectors = self.vectors[contexts]
        squares = squared_norms(vectors)
        mean = mean_cosine(vectors.sum(axis=0), int(squares.sum()), len(contexts))
        bounds = interval(vectors, numbered([stories[context] for context in contexts])) if len(contexts) > 2 else None
        total, n_all = (vectors * copies[:, None]).sum(axis=0), int(copies.sum())
        mean_all = mean_cosine(total, int((squares * copies).sum()), n_all)
        balanced = balanced_mean_cosine(vectors, _outlet_weights(uses, place))
        return {
            "n_sampled": len(contexts),
            "mean_cosine": mean,
            "variation": _variation(mean),
            "variation_low": None if bounds is None else 1 - bounds[1],
            "variation_high": None if bounds is None else 1 - bounds[0],
            "mean_cosine_all": mean_all,
            "variation_all": _variation(mean_all),
            "variation_outlets": _variation(balanced),
        }


def _variation(mean: float | None) -> float | None:
    return None if mean is None else 1 - mean


def _outlet_weights(uses: Sequence[Use], place: dict[int, int]) -> Floats:
    """Weight of each context if every outlet counts the same, whatever number of contexts it has."""
    of_outlets: dict[str, set[int]] = {}
    weights = np.zeros(len(place))
    for use in uses:
        if use.outlet is None:
            weights[place[use.context]] += use.copies
        else:
            of_outlets.setdefault(use.outlet, set()).add(place[use.context])
    for outlet in sorted(of_outlets):
        shared = sorted(of_outlets[outlet])
        weights[shared] += 1 / len(shared)
    return weights
