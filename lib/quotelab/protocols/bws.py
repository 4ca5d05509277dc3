"""Protocol ``bws``: scores of best-worst scaling, and how reliable they are (Abdalla et al. 2023, §3)."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata

from quotelab.labels.best_worst import Choice, read_choices
from quotelab.report import Report
from quotelake.files.jsonl import find_paths, refuse

REPETITIONS: Final = 1000  # Abdalla et al. 2023, §3.3
Numbers = npt.NDArray[np.float64]
_Places = npt.NDArray[np.int64]


class Tally:
    """Choices as arrays: which items each shows, which it calls best and worst, and to which tuple it belongs.

    Attributes:
        items: names, sorted; places in the arrays refer to them.
        shown: shape (choices, 4). best, worst: shape (choices,).
        tuples: tuple of each choice, 0 to n - 1: the same four items in any order are one tuple.
    """

    def __init__(self, choices: Sequence[Choice]) -> None:
        self.items = sorted({item for choice in choices for item in choice.items})
        place = {item: number for number, item in enumerate(self.items)}
        self.shown: _Places = np.array([[place[item] for item in choice.items] for choice in choices], dtype=np.int64)
        self.best: _Places = np.array([place[choice.best] for choice in choices], dtype=np.int64)
        self.worst: _Places = np.array([place[choice.worst] for choice in choices], dtype=np.int64)
        self.tuples: _Places = np.unique(np.sort(self.shown, axis=1), axis=0, return_inverse=True)[1].ravel()

    def counts(self, taken: npt.NDArray[np.bool_] | slice = slice(None)) -> tuple[_Places, _Places, _Places]:
        """How often each item is best, worst and shown among the choices taken."""
        n = len(self.items)
        best, worst = (np.bincount(chosen[taken], minlength=n) for chosen in (self.best, self.worst))
        return best, worst, np.bincount(self.shown[taken].ravel(), minlength=n)

    def scores(self, taken: npt.NDArray[np.bool_] | slice = slice(None)) -> Numbers:
        """Score of each item: (best - worst) / shown, mapped linearly from [-1, 1] to [0, 1]; NaN if never shown.

        >>> Tally([Choice(("a", "b", "c", "d"), "b", "d")]).scores().tolist()
        [0.5, 1.0, 0.5, 0.0]
        """
        best, worst, shown = self.counts(taken)
        with np.errstate(invalid="ignore"):
            found: Numbers = ((best - worst) / shown + 1) / 2
        return found


def split_half(tally: Tally, repetitions: int = REPETITIONS, seed: int = 0) -> Numbers:
    """Spearman correlation of the scores of two random halves, once per repetition.

    In each repetition the choices of every tuple are shuffled and dealt to two halves; of an odd number the half that
    gets one more is drawn too. Items that a half never shows do not count in that repetition.

    Returns:
        Shape (repetitions,); NaN where the scores of a half are all equal.
    """
    drawn = np.random.default_rng(seed)
    sizes = np.bincount(tally.tuples)
    starts = np.cumsum(sizes) - sizes
    within = np.arange(len(tally.tuples)) - np.repeat(starts, sizes)
    first = np.empty(len(tally.tuples), dtype=bool)
    found = np.empty(repetitions)
    for repetition in range(repetitions):
        order = np.lexsort((drawn.random(len(tally.tuples)), tally.tuples))
        first[order] = (within + np.repeat(drawn.integers(0, 2, len(sizes)), sizes)) % 2 == 0
        found[repetition] = _spearman(tally.scores(first), tally.scores(~first))
    return found


def evaluate(paths: Sequence[Path], repetitions: int = REPETITIONS, seed: int = 0) -> Report:
    """Score the items of annotated tuples, and measure split-half reliability.

    Args:
        paths: annotations, see :func:`~quotelab.labels.best_worst.read_choices`.
        repetitions: of the split.
        seed: of the splits.

    Returns:
        Counts; ``split_half`` and its standard deviation over repetitions. Rows: item with its score and counts.

    Raises:
        InputError: a file cannot be read, or has no choice.
    """
    choices, left_out = read_choices(paths)
    if not choices:
        refuse(", ".join(map(str, paths)), "no choice", "give tuples with BestItem and WorstItem")
    tally = Tally(choices)
    best, worst, shown = tally.counts()
    reliability = split_half(tally, repetitions, seed)
    reliability = reliability[np.isfinite(reliability)]
    figures: dict[str, float] = {
        "choices": len(choices),
        "choices_left_out": left_out,
        "tuples": int(tally.tuples.max()) + 1,
        "items": len(tally.items),
        "choices_per_tuple": len(choices) / (int(tally.tuples.max()) + 1),
        "tuples_per_item": float(np.mean(_tuples_per_item(tally))),
        "repetitions": repetitions,
        "split_half": float(reliability.mean()) if len(reliability) else float("nan"),
        "split_half_sd": float(reliability.std()) if len(reliability) else float("nan"),
    }
    columns = zip(tally.items, tally.scores().tolist(), best.tolist(), worst.tolist(), shown.tolist(), strict=True)
    names = ("item", "score", "best", "worst", "shown")
    return Report("bws", figures, [dict(zip(names, row, strict=True)) for row in columns])


def _tuples_per_item(tally: Tally) -> _Places:
    members = np.unique(np.column_stack([np.repeat(tally.tuples, 4), tally.shown.ravel()]), axis=0)
    return np.bincount(members[:, 1])


def _spearman(first: Numbers, second: Numbers) -> float:
    both = np.isfinite(first) & np.isfinite(second)
    ranks = [rankdata(half[both]) for half in (first, second)]
    if any(np.ptp(each) == 0 if len(each) else True for each in ranks):
        return float("nan")
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def report(options: argparse.Namespace) -> Report:
    """The protocol as the command runs it."""
    return evaluate(find_paths(options.data, "--data"))
