"""The folds of TRoTR, and the figures published for each: files beside the judged pairs.

``folds.json.gz`` holds ``{"folds": {name: {part: [[instanceID, dataID, dataID, mean score, label], …]}}}`` with the
parts train, dev and test; ``test.oov`` holds the pairs of test whose texts never occur in train.
"""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from quotelab.labels.judged import Judged, Part
from quotelake.files.jsonl import opened, refuse

FOLDS: Final = "folds.json.gz"
PUBLISHED: Final = "published_all-MiniLM-L6-v2.json"
#: Parts that a fold must have; figures are of the last two.
PARTS: Final = ("train", "dev", "test", "test.oov")
TESTED: Final = PARTS[2:]
#: Figures of a tested part that the authors report.
SAID: Final = ("spearman", "weighted_f1")
_REMEDY: Final = 'give {"folds": {"1": {"train": [[instanceID, …], …], …}}}, as the authors publish it'


class Fold(NamedTuple):
    """One division of the pairs, by its number, into the parts of :data:`PARTS`."""

    number: int
    parts: Mapping[str, Part]


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
            ids = {part: [row[0] for row in parts.get(part, ())] for part in PARTS}
        except (AttributeError, LookupError, TypeError):
            refuse(f"{path}: fold {name}", "parts of another form", _REMEDY)
        for part, later in (("train", {*ids["dev"], *ids["test"]}), ("dev", {*ids["test"]})):
            ids[part] = [each for each in ids[part] if each not in later]
        if not name.isdecimal():
            refuse(f"{path}: fold {name}", "no number", "number the folds from 1")
        if missing := [part for part in PARTS if not ids[part]]:
            refuse(f"{path}: fold {name}", f"no pair in {', '.join(missing)}", "give every part")
        if unknown := [each for part in PARTS for each in ids[part] if each not in pairs]:
            refuse(f"{path}: fold {name}", f"the pair {unknown[0]!r}", "list it in instances.tsv")
        folds.append(Fold(int(name), {part: judged.part([pairs[each] for each in ids[part]]) for part in PARTS}))
    return folds or refuse(str(path), "no fold", _REMEDY)


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


def _json(path: Path) -> Any:
    with opened(path) as file:
        text = file.read()
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        refuse(str(path), f"no JSON that can be read ({error})", _REMEDY)
