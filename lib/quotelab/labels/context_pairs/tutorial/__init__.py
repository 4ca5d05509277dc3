"""The tutorial of annotators: 25 pairs of contexts from the sample corpus, with their gold judgments and remarks.

Everything in it is invented, as is the sample corpus. An annotator who ranks the pairs too unlike the gold is not given
the task, or is left out (Periti et al. 2024, §4.2).
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

from quotelab.labels.phitag import INSTANCES, JUDGMENTS, USES, Judgment, read_judgments
from quotelab.statistics import spearman

NAMES: Final = (USES, INSTANCES, JUDGMENTS)
GATE: Final = 0.55  # least Spearman correlation with the gold, Periti et al. 2024, §4.2


def folder() -> Path:
    """Where the files of the tutorial lie."""
    return Path(str(files(__name__)))


def gold() -> dict[str, int]:
    """Gold judgment of each pair.

    >>> len(gold()), sorted(set(gold().values()))
    (25, [1, 2, 3, 4])
    """
    found = read_judgments([folder() / JUDGMENTS])
    return {each.instance_id: each.value for each in found if each.value is not None}


def results(judgments: Iterable[Judgment], expected: Mapping[str, int] | None = None) -> dict[str, float]:
    """Spearman correlation of each annotator with the gold; pairs not judged, or undecided, count as missed.

    Args:
        judgments: of the tutorial's pairs.
        expected: gold; by default that of the shipped tutorial.

    Returns:
        By annotator; NaN for one who missed more than one in ten pairs, or always said the same.
    """
    right = gold() if expected is None else expected
    said: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for each in judgments:
        said.setdefault(each.annotator, [])
        if each.value is not None and each.instance_id in right:
            said[each.annotator].append((each.value, right[each.instance_id]))
    return {who: _correlation(given, len(right)) for who, given in said.items()}


def passed(result: float) -> bool:
    """Whether an annotator may do the task.

    >>> passed(0.55), passed(0.549), passed(math.nan)
    (True, False, False)
    """
    return result >= GATE


def _correlation(given: Sequence[tuple[int, int]], expected: int) -> float:
    return spearman(*zip(*given, strict=True)) if given and len(given) >= 0.9 * expected else math.nan
