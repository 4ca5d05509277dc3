"""Encoders that are fine-tuned in each fold: trainings side by side, whose results are kept, so that they can go on.

A training is done in a process by itself: on CPUs as many at once as there are cores, with a thread each; on a GPU,
which one such training leaves idle for the most part, several.
"""

import json
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import torch

from quotelab.labels.judged import Judged, Part
from quotelab.protocols.trotr_settings import TESTED, Fold, leave_texts_out
from quotelab.report import progress, write_json
from quotelab.statistics import Numbers, Places
from quotelab.training.fine_tuning import Recipe, fine_tune, relatedness
from quotelake.embeddings import models
from quotelake.files.jsonl import refuse
from quotelake.text.ids import content_id

#: Settings of the protocol trotr: whether the reused text is masked, and the loss.
SETTINGS: Final = {
    "ft_mask": (True, "squared"),
    "ft": (False, "squared"),
    "ft_mask_contrastive": (True, "contrastive"),
    "ft_contrastive": (False, "contrastive"),
    "cross_mask": (True, "cross"),
}
_ON_GPU: Final = 10  # trainings at once; each needs about 2 GB of the card


class Task(NamedTuple):
    """A training, and the pairs whose relatedness it is to give, as places of texts."""

    name: str
    recipe: Recipe
    texts: Sequence[str]
    train: Part
    dev: Part
    first: Places
    second: Places


@dataclass(frozen=True)
class FineTuning:
    """How the trainings of a protocol are done: base model, folder of results, settings of :data:`SETTINGS`.

    A result is used again where recipe, base model, texts and pairs are the same.
    """

    base: str
    work: Path
    settings: Sequence[str] = tuple(SETTINGS)
    device: str | None = None

    def run(self, tasks: Sequence[Task]) -> Iterator[Numbers]:
        """Relatedness of the pairs of each task, in their order, each as soon as it is known."""
        fingerprint = models.find(self.base, "float32").fingerprint
        paths = [self.work / f"{task.name.replace(' ', '-')}-{_digest(task, fingerprint)}.json" for task in tasks]
        missing = sum(not path.exists() for path in paths)
        progress(f"{len(tasks)} trainings, of which {missing} are to be done; results: {self.work}")
        is_cuda = (self.device or ("cuda" if torch.cuda.is_available() else "cpu")).startswith("cuda")
        workers = min(missing, len(os.sched_getaffinity(0)), _ON_GPU if is_cuda else missing)
        train = partial(_train, self.base, self.device)
        if workers < 2:
            yield from map(train, tasks, paths)
            return
        with ProcessPoolExecutor(workers, get_context("spawn"), torch.set_num_threads, (1,)) as pool:
            yield from pool.map(train, tasks, paths)

    def of_fold(self, judged: Judged, fold: Fold, setting: str) -> Task:
        """The training of a setting on a fold, which gives the pairs of its dev and test parts."""
        is_masked, loss = SETTINGS[setting]
        asked = [fold.parts[part] for part in ("dev", *TESTED)]
        sides = (np.concatenate([getattr(part, side) for part in asked]) for side in ("first", "second"))
        texts = [use.masked if is_masked else use.context for use in judged.uses]
        parts = (fold.parts["train"], fold.parts["dev"])
        return Task(f"{setting} fold {fold.number}", Recipe(loss), texts, *parts, *sides)

    def of_texts(self, judged: Judged) -> list[Task]:
        """Trainings that leave each group of reused texts out, and give all pairs of uses of these."""
        tasks, texts = [], [use.masked for use in judged.uses]
        for number, out in enumerate(leave_texts_out(judged)):
            uses = (places for places in judged.places.values() if out.uses[places[0]])
            first, second = np.hstack([places[np.stack(np.triu_indices(len(places), 1))] for places in uses])
            tasks.append(Task(f"ft_mask texts {number}", Recipe(), texts, out.train, out.dev, first, second))
        return tasks

    def of_rows(self, number: int, texts: Sequence[str], pairs: Part, train: Places, test: Places) -> Task:
        """The training of a fold on rows of pairs, of which a tenth is the dev part, which gives other rows."""
        dev, rest = np.split(np.random.default_rng(0).permutation(train), [len(train) // 10])
        asked = pairs.take(test)
        parts = (pairs.take(rest), pairs.take(dev), asked.first, asked.second)
        return Task(f"sentences fold {number}", Recipe(), texts, *parts)


def _digest(task: Task, fingerprint: str) -> str:
    arrays = (*task.train, *task.dev, task.first, task.second)
    hashed = [sha256(array.tobytes()).hexdigest() for array in arrays]
    return content_id(fingerprint, json.dumps(asdict(task.recipe)), *task.texts, *hashed)[:16]


def _train(base: str, device: str | None, task: Task, path: Path) -> Numbers:
    """The result of a task, from its file if that is there."""
    if not path.exists():
        parts = (task.texts, task.train, task.dev, task.recipe)
        network, history = fine_tune(base, *parts, lambda line: progress(f"{task.name}: {line}"), device)
        values = relatedness(network, task.texts, task.first, task.second, task.recipe.loss)
        write_json(path, {"task": task.name, "dev": history, "relatedness": values.tolist()})
    try:
        values = np.array(json.loads(path.read_text("utf-8"))["relatedness"], np.float64)
    except (ValueError, TypeError, KeyError) as error:
        refuse(str(path), f"no result of a training ({error})", "remove the file: the training is done anew")
    return values
