"""The training loop of QuoteCSE: a static phase, then a dynamic one; early stopping; taken up where it was left.

Static: pairs as they were built by a general encoder. Dynamic: before every epoch positives and negatives are assigned
anew by the network as it is, through the projection, as in the authors' code.
"""

import csv
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, astuple, dataclass, fields, replace
from pathlib import Path
from typing import Literal

import numpy as np
import torch

from quotelab.training.quotecse.articles import Pair, digest
from quotelab.training.quotecse.assign import assign, by_cosine
from quotelab.training.quotecse.checkpoint import Checkpoints, Epoch, Progress
from quotelab.training.quotecse.head import HIDDEN, Pooling, QuoteNetwork, seeded
from quotelab.training.quotecse.loss import TEMPERATURE, quotecse_loss
from quotelake.text.ids import content_id

Say = Callable[[str], None]
_SAY_SECONDS = 30.0


@dataclass(frozen=True)
class TrainingSettings:
    """What decides a training, besides pairs and base model.

    Attributes:
        positive: ``quotecse`` takes the assigned body quote, ``simcse`` the headline quote itself under another
            dropout (Gao et al. 2021): the paper's ablation.
        hard_negative: whether hard negatives stand in the loss; without them the paper's other ablation.
        temperature: t of the loss.
        pooling: see :class:`QuoteNetwork`.
        hidden: width of the projection.
        head_rate: learning rate of Adam for the projection, the one rate the paper names.
        encoder_rate: that of the transformer: usual for fine-tuning BERT (Devlin et al. 2019, §A.3: 2e-5 to 5e-5),
            since .01 destroys it; the authors' code trains all of it at 1e-6.
        batch_size: articles a step, at least 2; Song et al. 2023, §4.
        epochs: most epochs of both phases together; Song et al. 2023, §4.
        dynamic_epochs: most epochs of the dynamic phase; the authors' code does 14 static and 2 dynamic ones.
        patience: epochs without a lower validation loss that end a phase; the authors' code.
        max_length: tokens kept of a quote while training; None keeps the model's limit.
        keep_projection: whether the saved model ends in the projection.
        seed: of all that is random.
    """

    positive: Literal["quotecse", "simcse"] = "quotecse"
    hard_negative: bool = True
    temperature: float = TEMPERATURE
    pooling: Pooling = "own"
    hidden: int = HIDDEN
    head_rate: float = 0.01
    encoder_rate: float = 2e-5
    batch_size: int = 16
    epochs: int = 10
    dynamic_epochs: int = 2
    patience: int = 3
    max_length: int | None = None
    keep_projection: bool = False
    seed: int = 0


def new_network(base: str, settings: TrainingSettings, device: str | None = None) -> QuoteNetwork:
    """Make the untrained network of a training."""
    return QuoteNetwork(base, settings.pooling, settings.hidden, settings.max_length, settings.seed, device)


def train(
    network: QuoteNetwork,
    pairs: Sequence[Pair],
    validation: Sequence[Pair],
    settings: TrainingSettings,
    directory: Path,
    say: Say = print,
    stop_after: int | None = None,
) -> Progress:
    """Train a network; it ends with the weights of its best epoch.

    The validation pairs keep their first assignment, so that the losses of all epochs compare [ours]. Where there are
    none the last epoch is the best.

    Args:
        network: from :func:`new_network`.
        pairs: to train on, at least 2.
        validation: to stop by.
        settings: what decides the outcome.
        directory: of checkpoints and ``losses.csv``; a training found there is taken up again.
        say: takes a line of progress.
        stop_after: end this run after so many epochs in all, as an interruption would.

    Raises:
        SettingsError: the directory holds another training.
    """
    if len(pairs) < 2 or settings.batch_size < 2:
        raise ValueError("in-batch negatives need at least 2 pairs and a batch size of at least 2")
    optimizer = _optimizer(network, settings)
    identity = content_id(repr(asdict(settings)), digest(pairs), digest(validation), network.found.fingerprint)
    checkpoints = Checkpoints(directory, identity)
    progress = checkpoints.load(network, optimizer)
    if progress.history:
        say(f"taken up again after epoch {len(progress.history)}")
    while (phase := next_phase(progress, settings)) and len(progress.history) != stop_after:
        number, started = len(progress.history) + 1, time.monotonic()
        assigned = assign_anew(network, pairs, settings.seed, number) if phase == "dynamic" else pairs
        batches, dropout_seed = _drawn(assigned, settings, number)
        train_loss = _train_on(network, optimizer, batches, dropout_seed, settings, f"epoch {number} ({phase})", say)
        held_out_loss = validation_loss(network, validation, settings)
        seconds = round(time.monotonic() - started, 1)
        epoch = Epoch(number, phase, train_loss, held_out_loss, _reassigned(pairs, assigned), seconds)
        _add(epoch, progress)
        checkpoints.save(progress, network, optimizer)
        write_losses(progress.history, directory / "losses.csv")
        say(_line(epoch, progress))
    if progress.best:
        checkpoints.load_best(network)
    return progress


def next_phase(progress: Progress, settings: TrainingSettings) -> str | None:
    """Phase of the next epoch, None when the training is done; marks where the dynamic phase begins."""
    done = len(progress.history)
    if progress.dynamic_from is None:
        if done < settings.epochs - settings.dynamic_epochs and progress.waited < settings.patience:
            return "static"
        progress.dynamic_from, progress.waited = done, 0
    began = done - progress.dynamic_from
    return "dynamic" if began < settings.dynamic_epochs and progress.waited < settings.patience else None


def assign_anew(network: QuoteNetwork, pairs: Sequence[Pair], seed: int, epoch: int) -> list[Pair]:
    """Assign positives and negatives of pairs by a network, through its projection; each text is embedded once."""
    texts = sorted({text for pair in pairs for text in (pair.headline_quote, *pair.body_quotes)})
    place = {text: at for at, text in enumerate(texts)}
    vectors = network.embed(texts, projected=True)
    similarity = by_cosine(lambda some: vectors[[place[text] for text in some]])
    assigned: list[Pair] = []
    for pair in pairs:
        found = similarity(pair.headline_quote, pair.body_quotes)
        positive, negative = assign(found, pair.key, seed, epoch)
        assigned.append(replace(pair, positive=positive, negative=negative, similarity=round(found[positive], 6)))
    return assigned


def write_losses(history: Sequence[Epoch], path: Path) -> None:
    """Write the loss curve as CSV, a row per epoch."""
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow([field.name for field in fields(Epoch)])
        rows.writerows(astuple(epoch) for epoch in history)


def _optimizer(network: QuoteNetwork, settings: TrainingSettings) -> torch.optim.Optimizer:
    """Adam, with a rate for the transformer and another for the projection."""
    return torch.optim.Adam(
        [
            {"params": network.body.parameters(), "lr": settings.encoder_rate},
            {"params": network.head.parameters(), "lr": settings.head_rate},
        ]
    )


def _drawn(pairs: Sequence[Pair], settings: TrainingSettings, number: int) -> tuple[list[Sequence[Pair]], int]:
    """Batches of an epoch in random order, and the seed of its dropout."""
    drawn = np.random.default_rng((settings.seed, number))
    # By key before the shuffle, so that the order in which pairs arrived does not count.
    by_key = sorted(pairs, key=lambda pair: pair.key)
    shuffled = [by_key[place] for place in drawn.permutation(len(by_key))]
    return _batches(shuffled, settings.batch_size), int(drawn.integers(2**31))


def _train_on(
    network: QuoteNetwork,
    optimizer: torch.optim.Optimizer,
    batches: Sequence[Sequence[Pair]],
    dropout_seed: int,
    settings: TrainingSettings,
    name: str,
    say: Say,
) -> float:
    """Take a step on each batch; mean loss of the pairs, each as the network was when its batch came."""
    said = time.monotonic()
    total = rows = 0.0
    network.train()
    with seeded(dropout_seed, network.device):
        for at, batch in enumerate(batches, 1):
            loss = batch_loss(network, batch, settings)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            total, rows = total + float(loss.detach()) * len(batch), rows + len(batch)
            if time.monotonic() - said > _SAY_SECONDS:
                said = time.monotonic()
                say(f"{name}: batch {at:,} of {len(batches):,}, loss {total / rows:.4f}")
    return total / rows


def _reassigned(pairs: Sequence[Pair], assigned: Sequence[Pair]) -> int:
    """Pairs whose positive is another one than they came with."""
    return sum(now.positive != first.positive for now, first in zip(assigned, pairs, strict=True))


def batch_loss(network: QuoteNetwork, batch: Sequence[Pair], settings: TrainingSettings) -> torch.Tensor:
    """Loss of one batch: all its texts go through the network together."""
    anchors = [pair.headline_quote for pair in batch]
    positives = [
        pair.headline_quote if settings.positive == "simcse" else pair.body_quotes[pair.positive] for pair in batch
    ]
    negatives = [pair.body_quotes[pair.negative] for pair in batch] if settings.hard_negative else []
    h, p, *n = network([*anchors, *positives, *negatives]).split(len(batch))
    return quotecse_loss(h, p, n[0] if n else None, settings.temperature)


def validation_loss(network: QuoteNetwork, pairs: Sequence[Pair], settings: TrainingSettings) -> float:
    """Mean loss of pairs without dropout, in batches by their keys; NaN for fewer than two pairs."""
    batches = _batches(sorted(pairs, key=lambda pair: pair.key), settings.batch_size)
    if not batches:
        return math.nan
    network.eval()
    with torch.inference_mode():
        losses = [float(batch_loss(network, batch, settings)) * len(batch) for batch in batches]
    return sum(losses) / sum(map(len, batches))


def _batches(pairs: Sequence[Pair], size: int) -> list[Sequence[Pair]]:
    """Batches of ``size``; a last one of a single pair has nothing to be told from and is left out."""
    batches = [pairs[start : start + size] for start in range(0, len(pairs), size)]
    return [batch for batch in batches if len(batch) > 1]


def _add(epoch: Epoch, progress: Progress) -> None:
    """Put an epoch into the history; the best has the lowest validation loss, or is the last where there is none."""
    progress.history.append(epoch)
    if math.isnan(epoch.validation_loss) or epoch.validation_loss < progress.best_loss:
        progress.best, progress.best_loss, progress.waited = epoch.number, epoch.validation_loss, 0
    else:
        progress.waited += 1


def _line(epoch: Epoch, progress: Progress) -> str:
    best = " (best)" if progress.best == epoch.number else ""
    anew = f", {epoch.reassigned:,} positives reassigned" if epoch.phase == "dynamic" else ""
    return (
        f"epoch {epoch.number} ({epoch.phase}): train loss {epoch.train_loss:.4f}, "
        f"validation loss {epoch.validation_loss:.4f}{best}{anew}, {epoch.seconds:.0f} s"
    )
