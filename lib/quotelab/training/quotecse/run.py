"""From pairs to a model directory: split, measure, train, measure again, write the model and its record."""

import json
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from quotelab.training.loop import Progress, Say
from quotelab.training.network import QuoteNetwork
from quotelab.training.quotecse.articles import PARTS, Pair, digest, part_of, without_copies
from quotelab.training.quotecse.trainer import TrainingSettings, new_network, next_phase, train
from quotelake.errors import InputError

RECORD = "quotecse.json"
Vectors = npt.NDArray[np.floating]
_ROWS = 1024  # rows of the distance matrix held at once


@dataclass(frozen=True, slots=True)
class Quality:
    """Quality of embeddings on held-out pairs, after Wang & Isola (ICML 2020): the smaller, the better.

    Published for QuoteCSE: .150, .194 and -3.562 (Song et al. 2023, §5).

    Attributes:
        title_title: alignment of headline quotes with themselves under another dropout, 0 to 4 [our reading].
        title_body: alignment of headline quotes with their positives, 0 to 4.
        uniformity: of headline quotes and positives together, -8 to 0.
        pairs: number of pairs.
    """

    title_title: float
    title_body: float
    uniformity: float
    pairs: int


def alignment(first: Vectors, second: Vectors) -> float:
    """Mean squared distance of paired unit vectors: E ||f(x) - f(x+)||^2, 0 to 4.

    >>> alignment(np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]]))
    2.0
    """
    return float(np.mean(np.sum((first.astype(np.float64) - second) ** 2, axis=1)))


def uniformity(vectors: Vectors, t: float = 2.0) -> float:
    """Log of the mean Gaussian potential over all pairs of different rows, -4 t to 0; NaN for fewer than two rows.

    >>> round(uniformity(np.array([[1.0, 0.0], [-1.0, 0.0]])), 9)
    -8.0
    """
    exact = vectors.astype(np.float64)
    count = len(exact)
    if count < 2:
        return float("nan")
    total = 0.0
    for start in range(0, count, _ROWS):
        cosines = exact[start : start + _ROWS] @ exact.T
        total += float(np.exp(-t * (2 - 2 * cosines)).sum())
    return float(np.log((total - count) / (count * (count - 1))))  # the diagonal is exp(0) for each row


@dataclass(frozen=True)
class TrainingResult:
    """Result of a training.

    Attributes:
        model: directory of the model; None if the run ended before the training was finished.
        parts: number of pairs by part, and of ``copies``, which were left out.
        before, after: quality of the base model and of the trained one, on the test pairs as first assigned.
        progress: the epochs.
    """

    model: Path | None
    parts: Mapping[str, int]
    before: Quality
    after: Quality
    progress: Progress


def train_model(
    pairs: Sequence[Pair],
    base: str,
    settings: TrainingSettings,
    out: Path,
    device: str | None = None,
    say: Say = print,
    stop_after: int | None = None,
) -> TrainingResult:
    """Train on pairs and write ``out/model``; checkpoints and ``losses.csv`` go to ``out/checkpoint``.

    Args:
        pairs: of all parts; the hash of their article splits them 80:10:10.
        base: model to begin with, named as in ``[model] name``.
        settings: of the training.
        out: directory; an unfinished training found there is resumed.
        device: torch device; None: CUDA if available.
        say: called with each line of progress.
        stop_after: number of epochs in all after which this run ends.

    Raises:
        InputError: too few pairs to train on.
    """
    unique = without_copies(pairs)
    parts = {part: [pair for pair in unique if part_of(pair.article) == part] for part in PARTS}
    if len(parts["train"]) < 2:
        raise InputError(
            f"{len(unique)} pairs, {len(parts['train'])} of them to train on: at least 2 are needed; "
            "give more articles, or a lower --minimum"
        )
    sizes = {part: len(some) for part, some in parts.items()} | {"copies": len(pairs) - len(unique)}
    say("pairs: " + ", ".join(f"{name} {count:,}" for name, count in sizes.items()))
    network = new_network(base, settings, device)
    before = measure(network, parts["test"], settings.seed)
    progress = train(network, parts["train"], parts["validation"], settings, out / "checkpoint", say, stop_after)
    after = measure(network, parts["test"], settings.seed)
    finished = next_phase(progress, settings) is None
    if finished:
        record = _record(network, base, settings, parts, progress)
        _write_model(network, out / "model", record)
    return TrainingResult(out / "model" if finished else None, sizes, before, after, progress)


def measure(network: QuoteNetwork, pairs: Sequence[Pair], seed: int) -> Quality:
    """Alignment and uniformity of a network's embeddings on pairs; NaN if there are none."""
    if not pairs:
        return Quality(float("nan"), float("nan"), float("nan"), 0)
    titles = [pair.headline_quote for pair in pairs]
    bodies = [pair.body_quotes[pair.positive] for pair in pairs]
    vectors = network.embed([*titles, *bodies])
    once, again = (network.embed(titles, dropout_seed=seed + view) for view in (1, 2))
    headlines, positives = vectors[: len(pairs)], vectors[len(pairs) :]
    return Quality(alignment(once, again), alignment(headlines, positives), uniformity(vectors), len(pairs))


def _record(
    network: QuoteNetwork,
    base: str,
    settings: TrainingSettings,
    parts: Mapping[str, Sequence[Pair]],
    progress: Progress,
) -> dict[str, Any]:
    # Without time and path: the same training gives the same record, and so the same fingerprint of the model.
    return {
        "method": "QuoteCSE (Song et al., Findings of EACL 2023)",
        "base": Path(base).name,
        "base_fingerprint": network.found.fingerprint,
        "settings": asdict(settings),
        "seed": settings.seed,
        "training_digest": digest(parts["train"]),
        "validation_digest": digest(parts["validation"]),
        "pairs": {part: len(some) for part, some in parts.items()},
        "best_epoch": progress.best,
        "epochs": dict(Counter(epoch.phase for epoch in progress.history)),
    }


def _write_model(network: QuoteNetwork, directory: Path, record: Mapping[str, Any]) -> None:
    partial = directory.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    network.save(partial)
    (partial / RECORD).write_text(json.dumps(record, indent=1) + "\n", "utf-8")
    shutil.rmtree(directory, ignore_errors=True)
    partial.rename(directory)
