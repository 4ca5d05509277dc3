"""The folds of TRoTR, the figures published for each, and the gold of topic variation: files beside the judged pairs.

``folds.json.gz`` holds ``{"folds": {name: {part: [[instanceID, dataID, dataID, mean score, label], …]}}}`` with the
parts train, dev and test; ``test.oov`` holds the pairs of test whose texts never occur in train.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from quotelab.labels.trotr import TRAC_GOLD, Judged, Pair, read_variation
from quotelake.files.jsonl import opened, refuse

Places = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float64]

FOLDS: Final = "folds.json.gz"
PUBLISHED: Final = "published_all-MiniLM-L6-v2.json"
#: Parts that a fold must have; figures are of the last two.
PARTS: Final = ("train", "dev", "test", "test.oov")
TESTED: Final = PARTS[2:]
#: Figures of a tested part that the authors report.
SAID: Final = ("spearman", "weighted_f1")
_REMEDY: Final = 'give {"folds": {"1": {"train": [[instanceID, …], …], …}}}, as the authors publish it'


class Part(NamedTuple):
    """Pairs of a part of a fold, all (pairs,): rows of both uses, mean judgment (1 to 4), label (1 related)."""

    first: Places
    second: Places
    scores: Scores
    labels: Places


@dataclass(frozen=True, slots=True)
class Fold:
    """One division of the pairs, by its number, into the parts of :data:`PARTS`."""

    number: int
    parts: Mapping[str, Part]


def part_of(pairs: list[Pair]) -> Part:
    """Pairs as arrays."""
    first, second = (np.array([getattr(pair, side) for pair in pairs], np.int64) for side in ("first", "second"))
    scores = np.array([pair.score for pair in pairs], np.float64)
    return Part(first, second, scores, np.array([pair.label for pair in pairs], np.int64))


def read_folds(path: Path, judged: Judged) -> list[Fold]:
    """Read the folds; scores and labels are those of the judgments, which the file repeats.

    In each published fold one pair of test is in train too, and one in dev. Tested parts stay as they are; train and
    dev lose the pairs that a later part has.

    Raises:
        InputError: the file cannot be read, lacks a part, or names a pair that nobody judged.
    """
    content = _json(path)
    pairs = {pair.pair_id: pair for pair in judged.pairs}
    folds = []
    for name, parts in content.get("folds", {}).items() if isinstance(content, dict) else ():
        try:
            ids = {part: _apart(parts, part) for part in PARTS}
        except (AttributeError, LookupError, TypeError):
            refuse(f"{path}: fold {name}", "parts of another form", _REMEDY)
        if not name.isdecimal():
            refuse(f"{path}: fold {name}", "no number", "number the folds from 1")
        if missing := [part for part in PARTS if not ids[part]]:
            refuse(f"{path}: fold {name}", f"no pair in {', '.join(missing)}", "give every part")
        if unknown := [each for part in PARTS for each in ids[part] if each not in pairs]:
            refuse(f"{path}: fold {name}", f"the pair {unknown[0]!r}", "list it in instances.tsv")
        folds.append(Fold(int(name), {part: part_of([pairs[each] for each in ids[part]]) for part in PARTS}))
    return folds or refuse(str(path), "no fold", _REMEDY)


def _apart(parts: Mapping[str, list[list[Any]]], name: str) -> list[str]:
    """Ids of the pairs of a part, without those of the parts it is held against."""
    later = {"train": ("dev", "test"), "dev": ("test",)}.get(name, ())
    taken = {row[0] for part in later for row in parts.get(part, ())}
    return [row[0] for row in parts.get(name, ()) if row[0] not in taken]


def read_published(path: Path) -> dict[tuple[str, int], dict[str, float]]:
    """Figures that the authors report for a model, by setting (base, mask) and fold; none where the file is absent.

    ``threshold`` and, of each tested part, :data:`SAID` are among them.

    Raises:
        InputError: the file cannot be read, or lacks a figure.
    """
    if not path.is_file():
        return {}
    names = ("threshold", *(f"{part}_{said}" for part in TESTED for said in SAID))
    try:
        rows = {("mask" if row["model"].endswith("_mask") else "base", int(row["fold"])): row for row in _json(path)}
        if any(not math.isfinite(row[name]) for row in rows.values() for name in names):
            raise ValueError
        return rows
    except (AttributeError, LookupError, TypeError, ValueError):
        remedy = f"give a list of objects with model, fold, {', '.join(names)}, or remove the file"
        refuse(str(path), "figures of another form", remedy)


def read_gold(folder: Path, judged: Judged) -> dict[str, float]:
    """Gold topic variation by text: as the file beside the judged pairs states it, else as their judgments give it."""
    return read_variation(folder / TRAC_GOLD) if (folder / TRAC_GOLD).is_file() else gold_of(judged)


def gold_of(judged: Judged) -> dict[str, float]:
    """Gold topic variation by text: 1 minus the mean judgment of its pairs over the highest such mean (§4, TRaC)."""
    said: dict[str, list[int]] = {}
    for pair in judged.pairs:
        said.setdefault(pair.target, []).extend(value for _, value in pair.judgments)
    means = {target: sum(values) / len(values) for target, values in said.items() if values}
    highest = max(means.values(), default=1.0)
    return {target: 1 - mean / highest for target, mean in means.items()}


def _json(path: Path) -> Any:
    with opened(path) as file:
        text = file.read()
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        refuse(str(path), f"no JSON that can be read ({error})", _REMEDY)
