"""Topic over time: variation within and between months, and the month of the largest shift. Pure numpy: no Spark.

Uses without a date are left out; contexts without one are counted apart.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from quotelake.topics.variation import ONE, Floats, Group, mean_cosine, squared_norms

#: Stories needed on each side of a shift.
MIN_STORIES: Final = 5
#: Random orders of the stories that the observed one is compared with, and the share that may reach it [ours].
ORDERS: Final = 199
LEVEL: Final = 0.01


@dataclass(frozen=True)
class Shift:
    """The month from which on the topic is another one.

    ``size`` is the mean cosine within the two sides minus that between them, ``chance`` the share of random orders of
    the stories, the observed one included, that have as large a shift somewhere. Contexts of both sides are ``before``.
    """

    period: str
    size: float
    chance: float
    before: list[int]
    after: list[int]

    @property
    def is_clear(self) -> bool:
        """Whether chance alone gives so large a shift in at most :data:`LEVEL` of the orders."""
        return self.chance <= LEVEL


def over_time(group: Group) -> dict[str, Any]:
    """Fields of ``details``: distinct contexts with a date and without one, months, variation over pairs.

    ``variation_within`` and ``variation_between`` are 1 minus the mean cosine over pairs of contexts of the same month,
    and of different months; None without such pairs.
    """
    dated = sorted({(use.period, use.context) for use in group.uses if use.period is not None})
    contexts = {context for _, context in dated}
    months = sorted({period for period, _ in dated})
    undated = {use.context for use in group.uses} - contexts
    counts: dict[str, Any] = {"n_dated": len(contexts), "n_undated": len(undated), "n_periods": len(months)}
    if not dated:
        return counts | {"variation_within": None, "variation_between": None}
    # From the sums of the months: |Σv|² = Σ_m |Σ_m v|² plus the cosines between months, each twice.
    vectors = group.vectors[[context for _, context in dated]]
    of_month = np.array([months.index(period) for period, _ in dated])
    starts = np.flatnonzero(np.r_[True, of_month[1:] != of_month[:-1]])
    sizes = np.diff(np.r_[starts, len(dated)])
    sums = np.add.reduceat(vectors, starts, axis=0).astype(np.float64) / ONE
    norms, squares = (sums * sums).sum(axis=1), squared_norms(vectors).sum() / ONE
    total = vectors.sum(axis=0).astype(np.float64) / ONE
    inside, across = int((sizes * (sizes - 1)).sum()), len(dated) ** 2 - int((sizes**2).sum())
    return counts | {
        "variation_within": 1 - float((norms.sum() - squares) / inside) if inside else None,
        "variation_between": 1 - float(((total * total).sum() - norms.sum()) / across) if across else None,
    }


def largest_shift(group: Group) -> Shift | None:
    """The boundary between months that splits the stories into the two most different means; None with too few stories.

    With s stories before and t after, n = s + t, the statistic is s t / n times the squared distance of the two means
    (CUSUM of a change in mean; Csörgő and Horváth, Limit Theorems in Change-Point Analysis, 1997, §2.1). Stories are
    exchangeable if nothing changes, so its largest value is compared with that of random orders of them.
    """
    earliest: dict[str, str] = {}
    of_story: dict[str, set[int]] = {}
    for use in group.uses:
        if use.period is not None:
            earliest[use.story] = min(use.period, earliest.get(use.story, use.period))
            of_story.setdefault(use.story, set()).add(use.context)
    stories = sorted(earliest, key=lambda story: (earliest[story], story))
    periods = np.array([earliest[story] for story in stories])
    boundaries = np.flatnonzero(periods[1:] != periods[:-1]) + 1
    boundaries = boundaries[(boundaries >= MIN_STORIES) & (len(stories) - boundaries >= MIN_STORIES)]
    if not len(boundaries):
        return None
    floats = group.vectors.astype(np.float64) / ONE
    means = np.array([floats[sorted(of_story[story])].mean(axis=0) for story in stories])
    means -= means.mean(axis=0)
    observed = _between(means[None], boundaries)[0]
    largest = observed.max()
    # Cosines alone decide, and these fit in fewer dimensions than the model has.
    values, axes = np.linalg.eigh(means @ means.T)
    small = axes[:, -len(group.vectors[0]) :] * np.sqrt(np.clip(values[-len(group.vectors[0]) :], 0, None))
    rng = np.random.default_rng(len(stories))
    reached = 1
    for _ in range(ORDERS):
        reached += bool(_between(small[rng.permutation(len(stories))][None], boundaries).max() >= largest * (1 - 1e-9))
    cut = int(boundaries[int(observed.argmax())])
    before = sorted({context for story in stories[:cut] for context in of_story[story]})
    after = sorted({context for story in stories[cut:] for context in of_story[story]} - set(before))
    return Shift(str(periods[cut]), _size(group, before, after), reached / (ORDERS + 1), before, after)


def _between(means: Floats, boundaries: np.ndarray[tuple[int, ...], np.dtype[np.intp]]) -> Floats:
    """Statistic at each boundary of centred rows: (r, n, d) to (r, boundaries)."""
    n = means.shape[1]
    sums = np.cumsum(means, axis=1)[:, boundaries - 1]
    return (sums * sums).sum(axis=2) * n / (boundaries * (n - boundaries))  # type: ignore[no-any-return]


def _size(group: Group, before: list[int], after: list[int]) -> float:
    sides = [group.vectors[before], group.vectors[after]]
    if not after or min(len(before), len(after)) < 2:
        return 0.0
    inside = [mean_cosine(side) or 0.0 for side in sides]
    first, second = (side.sum(axis=0).astype(np.float64) / ONE / len(side) for side in sides)
    return sum(inside) / 2 - float(first @ second)
