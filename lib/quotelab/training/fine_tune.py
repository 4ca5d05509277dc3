"""Fine-tune an encoder on pairs of texts with scores: the loop, early stopping, and taking an interrupted one up again.

The losses are those of sentence-transformers: ``contrastive`` on labels 0 and 1 (Hadsell et al. 2006; Periti et al.
2024, §5), ``cosent`` on scores of any scale, of which only the order counts, and ``cosine``, mean squared error between
cosine and a score in [0, 1] (Abdalla et al. 2023).
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt
import torch

from quotelab.statistics import spearman
from quotelab.training.loop import Checkpoints, Epoch, Progress, Say, batches_of, train_batches
from quotelab.training.network import QuoteNetwork
from quotelake.errors import SettingsError
from quotelake.text.ids import content_id

Loss = Literal["contrastive", "cosent", "cosine"]
Vectors = npt.NDArray[np.float32]

#: Learning rates to choose from on a dev part [Periti et al. 2024, §5].
RATES: Final = (1e-6, 2e-6, 5e-6, 1e-5, 2e-5)
_LONGEST_GRADIENT: Final = 1.0  # as sentence-transformers clips
_AT_ONCE: Final = 8


@dataclass(frozen=True, slots=True)
class FineTuning:
    """What decides a fine-tuning, besides pairs and base model.

    Attributes:
        loss: see the module.
        rate: highest learning rate of AdamW, without weight decay [Periti et al. 2024, §5].
        warm_up: share of the first epoch in which the rate rises from 0 [same]; then it falls to 0 with the last one.
        epochs: at most.
        patience: epochs without a higher Spearman on the dev part that end it.
        batch_size: pairs a step.
        max_length: tokens kept of a text; None keeps the model's limit.
        seed: of order and dropout.
    """

    loss: Loss = "cosent"
    rate: float = 2e-5
    warm_up: float = 0.1
    epochs: int = 5
    patience: int = 2
    batch_size: int = 16
    max_length: int | None = None
    seed: int = 0


class TextPairs(NamedTuple):
    """Pairs of texts: both texts of each, and what people said of it, as the loss needs it."""

    first: Sequence[str]
    second: Sequence[str]
    values: Sequence[float]


def best_vectors(
    base: str,
    train: TextPairs,
    dev: TextPairs,
    texts: Sequence[str],
    settings: Sequence[FineTuning],
    directory: Path,
    say: Say = print,
) -> Vectors:
    """Fine-tune with each of several settings, and embed texts with the best of them on the dev part.

    The vectors of a finished training are kept in ``directory``, its checkpoints are not; called again, nothing is
    trained twice.

    Args:
        base: named as in ``[model] name``.
        train: pairs to train on.
        dev: pairs to stop and to choose by; of their values only the order counts.
        texts: to embed.
        settings: to choose from.
        directory: of a folder for each setting.
        say: takes a line of progress.

    Returns:
        (texts, d) unit vectors.
    """
    found: list[tuple[float, Vectors]] = []
    for each in settings:
        identity = content_id(repr(asdict(each)), repr(train), repr(dev), repr(list(texts)), base)
        place = directory / identity
        if not (place / "vectors.npz").exists():
            say(f"fine-tuning with {each.loss}, rate {each.rate:g}")
            network, progress = fine_tune(base, train, dev, each, place, say)
            _keep(place, 1 - progress.best_loss, network.embed(texts))
        with np.load(place / "vectors.npz") as kept:
            found.append((float(kept["dev_spearman"]), kept["vectors"]))
    return max(found, key=lambda one: one[0])[1]


def fine_tune(
    base: str,
    train: TextPairs,
    dev: TextPairs,
    settings: FineTuning,
    directory: Path,
    say: Say = print,
    device: str | None = None,
    stop_after: int | None = None,
) -> tuple[QuoteNetwork, Progress]:
    """Fine-tune an encoder; it ends with the weights of its best epoch.

    Args:
        base: named as in ``[model] name``.
        train: pairs to train on, at least 2.
        dev: pairs to stop by.
        settings: what decides the outcome.
        directory: of checkpoints; a training found there is taken up again.
        say: takes a line of progress.
        device: None takes CUDA where torch has it.
        stop_after: end this run after so many epochs in all, as an interruption would.

    Returns:
        The network (its projection is not used) and the epochs; ``validation_loss`` is 1 minus the Spearman correlation
        of cosines and values on the dev part, and the base model's own is epoch 0's.

    Raises:
        SettingsError: no such loss, a faulty setting, or the directory holds another training.
    """
    if settings.loss not in get_args(Loss):
        raise SettingsError(f"loss {settings.loss!r} is unknown; use {', '.join(get_args(Loss))}")
    if len(train.values) < 2 or settings.batch_size < 2 or settings.epochs < 1 or settings.rate <= 0:
        raise SettingsError("fine-tuning needs 2 pairs, a batch of 2, an epoch, and a rate above 0 at least")
    network = QuoteNetwork(base, max_length=settings.max_length, seed=settings.seed, device=device)
    optimizer = torch.optim.AdamW(network.body.parameters(), lr=settings.rate, weight_decay=0.0)
    identity = content_id(repr(asdict(settings)), repr(train), repr(dev), network.found.fingerprint)
    checkpoints = Checkpoints(directory, identity)
    progress = checkpoints.load(network, optimizer, say)
    while len(progress.history) < settings.epochs and progress.waited < settings.patience:
        if len(progress.history) == stop_after:
            break
        number, started = len(progress.history) + 1, time.monotonic()
        loss = _train_on(network, optimizer, train, settings, number, say)
        missing = 1 - dev_spearman(network, dev)
        seconds = round(time.monotonic() - started, 1)
        progress.add(Epoch(number, "static", loss, missing, 0, seconds))
        checkpoints.save(progress, network, optimizer)
        say(f"epoch {number}: loss {loss:.4f}, Spearman on dev {1 - missing:.4f}, {seconds:.0f} s")
    if progress.best:
        checkpoints.load_best(network)
    return network, progress


def dev_spearman(network: QuoteNetwork, pairs: TextPairs) -> float:
    """Spearman of cosines and values, -1 to 1; -1 where it is undefined, so that any other epoch is better."""
    texts = sorted({*pairs.first, *pairs.second})
    place = {text: row for row, text in enumerate(texts)}
    vectors = network.embed(texts)
    first, second = (vectors[[place[text] for text in side]] for side in (pairs.first, pairs.second))
    found = spearman((first * second).sum(axis=1), pairs.values)
    return -1.0 if np.isnan(found) else found


def _train_on(
    network: QuoteNetwork,
    optimizer: torch.optim.Optimizer,
    train: TextPairs,
    settings: FineTuning,
    number: int,
    say: Say,
) -> float:
    """Train for an epoch; mean loss of its pairs."""
    drawn = np.random.default_rng((settings.seed, number))
    batches = batches_of(drawn.permutation(len(train.values)).tolist(), settings.batch_size)
    compute = _loss(settings.loss, network)

    def loss_of(batch: Sequence[int]) -> torch.Tensor:
        vectors = _vectors(network, [side[place] for side in (train.first, train.second) for place in batch])
        values = torch.tensor([train.values[place] for place in batch], device=network.device)
        return compute([vectors[: len(batch)], vectors[len(batch) :]], values)

    def before_step(at: int) -> None:
        for group in optimizer.param_groups:
            group["lr"] = settings.rate * _share((number - 1) * len(batches) + at, len(batches), settings)
        torch.nn.utils.clip_grad_norm_(network.body.parameters(), _LONGEST_GRADIENT)

    seed, name = int(drawn.integers(2**31)), f"epoch {number}"
    return train_batches(network, optimizer, batches, loss_of, seed, name, say, before_step)


def _vectors(network: QuoteNetwork, texts: Sequence[str]) -> torch.Tensor:
    """Vectors of texts: each different one is computed once, and those of like length together, with less padding."""
    different = sorted({*texts}, key=lambda text: (len(text), text))
    groups = [different[start : start + _AT_ONCE] for start in range(0, len(different), _AT_ONCE)]
    vectors = torch.cat([network(group, projected=False) for group in groups])
    place = {text: row for row, text in enumerate(different)}
    return vectors[[place[text] for text in texts]]


def _share(step: int, batches: int, settings: FineTuning) -> float:
    """Share of the highest rate at a step: rises linearly in the warm-up, then falls linearly."""
    rising = max(round(settings.warm_up * batches), 1)
    if step < rising:
        return (step + 1) / rising
    return (settings.epochs * batches - step) / max(settings.epochs * batches - rising, 1)


def _loss(name: Loss, network: QuoteNetwork) -> Callable[[list[torch.Tensor], torch.Tensor], torch.Tensor]:
    """Loss of two batches of vectors; sentence-transformers' own classes, without their model."""
    from sentence_transformers.sentence_transformer.losses import ContrastiveLoss, CoSENTLoss, CosineSimilarityLoss

    made = {"contrastive": ContrastiveLoss, "cosent": CoSENTLoss, "cosine": CosineSimilarityLoss}[name](network)
    computed: Callable[[list[torch.Tensor], torch.Tensor], torch.Tensor] = made.compute_loss_from_embeddings
    return computed


def _keep(directory: Path, spearman: float, vectors: Vectors) -> None:
    """Keep vectors, and remove the checkpoints behind them."""
    partial = directory / "partial.npz"
    np.savez(partial, dev_spearman=np.float64(spearman), vectors=vectors)
    partial.rename(directory / "vectors.npz")
    for checkpoint in directory.glob("*.pt"):
        checkpoint.unlink()
