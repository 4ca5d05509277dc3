"""The training loop of QuoteCSE: a static phase, then a dynamic one; early stopping; taken up where it was left.

Static: pairs as they were built by a general encoder. Dynamic: before every epoch positives and negatives are assigned
anew by the network as it is, through the projection, as in the authors' code.
"""

import csv
import math
import time
from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass, fields, replace
from pathlib import Path
from typing import Literal

import numpy as np
import torch
from torch.nn.functional import cosine_similarity, cross_entropy

from quotelab.training.loop import Checkpoints, Epoch, Progress, Say, batches_of, train_batches
from quotelab.training.network import HIDDEN, Pooling, QuoteNetwork
from quotelab.training.quotecse.articles import Pair, assign, by_cosine, digest
from quotelake.errors import InputError
from quotelake.text.ids import content_id

TEMPERATURE = 0.05  # Song et al. 2023, §4


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
    seed: int = 0

    def check(self) -> None:
        """Check the bounds.

        Raises:
            InputError: a value is out of its bounds.
        """
        if self.batch_size < 2 or not 0 <= self.dynamic_epochs <= self.epochs or self.epochs < 1:
            raise InputError(
                "--batch-size must be at least 2, --epochs at least 1, --dynamic-epochs from 0 to --epochs"
            )
        if not 0 < self.temperature < math.inf or self.hidden < 1 or self.patience < 1:
            raise InputError("--temperature must be above 0, --hidden and --patience at least 1")
        if not all(0 <= rate < 1 for rate in (self.head_rate, self.encoder_rate)):
            raise InputError("--head-rate and --encoder-rate must be from 0 to below 1")


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
    progress = checkpoints.load(network, optimizer, say)
    while (phase := next_phase(progress, settings)) and len(progress.history) != stop_after:
        number, started = len(progress.history) + 1, time.monotonic()
        assigned = assign_anew(network, pairs, settings.seed, number) if phase == "dynamic" else pairs
        batches, dropout_seed = _drawn(assigned, settings, number)
        train_loss = train_batches(
            network,
            optimizer,
            batches,
            lambda batch: batch_loss(network, batch, settings),
            dropout_seed,
            f"epoch {number} ({phase})",
            say,
        )
        held_out_loss = validation_loss(network, validation, settings)
        seconds = round(time.monotonic() - started, 1)
        epoch = Epoch(number, phase, train_loss, held_out_loss, _reassigned(pairs, assigned), seconds)
        progress.add(epoch)
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
    return batches_of(shuffled, settings.batch_size), int(drawn.integers(2**31))


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
    batches = batches_of(sorted(pairs, key=lambda pair: pair.key), settings.batch_size)
    if not batches:
        return math.nan
    network.eval()
    with torch.inference_mode():
        losses = [float(batch_loss(network, batch, settings)) * len(batch) for batch in batches]
    return sum(losses) / sum(map(len, batches))


def quotecse_loss(
    anchors: torch.Tensor, positives: torch.Tensor, negatives: torch.Tensor | None, temperature: float = TEMPERATURE
) -> torch.Tensor:
    """Mean over the batch of ``-log(exp(s(h_i,p_i)/t) / sum_j [exp(s(h_i,p_j)/t) + exp(s(h_i,n_j)/t)])``.

    s is the cosine (Song et al. 2023, eq. 1): distinguish the positive from the positives of other articles and from
    all hard negatives. Without ``negatives`` their terms are omitted: that ablation is SimCSE's loss.

    Args:
        anchors, positives, negatives: shape (n, d), row i of each from article i.
        temperature: t, above 0.

    Returns:
        A scalar, at least 0.
    """
    others = positives if negatives is None else torch.cat([positives, negatives])
    cosines = cosine_similarity(anchors[:, None, :], others[None, :, :], dim=-1)
    return cross_entropy(cosines / temperature, torch.arange(len(anchors), device=anchors.device))


def _line(epoch: Epoch, progress: Progress) -> str:
    best = " (best)" if progress.best == epoch.number else ""
    anew = f", {epoch.reassigned:,} positives reassigned" if epoch.phase == "dynamic" else ""
    return (
        f"epoch {epoch.number} ({epoch.phase}): train loss {epoch.train_loss:.4f}, "
        f"validation loss {epoch.validation_loss:.4f}{best}{anew}, {epoch.seconds:.0f} s"
    )
