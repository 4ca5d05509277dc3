"""What trainings of encoders share: epochs, early stopping, batches, and checkpoints.

A resumed training gives the same result as an uninterrupted one: each epoch seeds its random numbers, so only the
weights, the optimizer's state and the history are stored. Files are replaced atomically, and read as tensors and plain
values only.
"""

import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import torch

from quotelab.training.network import QuoteNetwork, seeded
from quotelake.errors import SettingsError

Item = TypeVar("Item")
Say = Callable[[str], None]
_LATEST, _BEST = "latest.pt", "best.pt"
_SAY_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Epoch:
    """One pass over the training pairs.

    Attributes:
        number: from 1.
        phase: static (pairs as first assigned) or dynamic (assigned again by the current network).
        train_loss: mean over the pairs during the epoch.
        validation_loss: after the epoch, the lower the better; NaN without validation pairs.
        reassigned: training pairs whose positive differs from the first assignment.
        seconds: wall time.
    """

    number: int
    phase: str
    train_loss: float
    validation_loss: float
    reassigned: int
    seconds: float


@dataclass
class Progress:
    """Progress of a training.

    Attributes:
        history: the finished epochs.
        best: number of the epoch with the lowest validation loss, 0 before the first.
        best_loss: that loss.
        waited: epochs since the best one, within the phase.
        dynamic_from: number of epochs finished when the dynamic phase began; None before.
    """

    history: list[Epoch] = field(default_factory=list)
    best: int = 0
    best_loss: float = float("inf")
    waited: int = 0
    dynamic_from: int | None = None

    def add(self, epoch: Epoch) -> None:
        """Add a finished epoch; the best has the lowest validation loss, or is the last where there is none."""
        self.history.append(epoch)
        if math.isnan(epoch.validation_loss) or epoch.validation_loss < self.best_loss:
            self.best, self.best_loss, self.waited = epoch.number, epoch.validation_loss, 0
        else:
            self.waited += 1


@dataclass(frozen=True)
class Checkpoints:
    """The checkpoints of one training.

    Attributes:
        directory: of the files; created when needed.
        identity: hash of settings, pairs and base model, which decide the result.
    """

    directory: Path
    identity: str

    def save(self, progress: Progress, network: torch.nn.Module, optimizer: torch.optim.Optimizer) -> None:
        """Write the current state, and the best weights if the last epoch was the best."""
        self.directory.mkdir(parents=True, exist_ok=True)
        # The best weights first: if the run is killed in between, the epoch is repeated and writes the same.
        if progress.best == len(progress.history):
            _write(network.state_dict(), self.directory / _BEST)
        state = {"identity": self.identity, "progress": asdict(progress)}
        state |= {"network": network.state_dict(), "optimizer": optimizer.state_dict()}
        _write(state, self.directory / _LATEST)

    def load(self, network: torch.nn.Module, optimizer: torch.optim.Optimizer, say: Say) -> Progress:
        """Restore the last state; without one, return a new :class:`Progress`.

        Raises:
            SettingsError: the state is of another training.
        """
        path = self.directory / _LATEST
        if not path.exists():
            return Progress()
        state: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
        if state["identity"] != self.identity:
            raise SettingsError(
                f"{path}: a checkpoint of other settings, pairs or base model; "
                f"give the former ones to go on, another --out, or remove {self.directory}"
            )
        network.load_state_dict(state["network"])
        optimizer.load_state_dict(state["optimizer"])
        progress = state["progress"]
        history = [Epoch(**epoch) for epoch in progress["history"]]
        say(f"taken up again after epoch {len(history)}")
        return Progress(**(progress | {"history": history}))

    def load_best(self, network: torch.nn.Module) -> None:
        """Give a network the weights of the best epoch."""
        network.load_state_dict(torch.load(self.directory / _BEST, map_location="cpu", weights_only=True))


def batches_of(items: Sequence[Item], size: int) -> list[Sequence[Item]]:
    """Batches of ``size``; a last one of a single pair has nothing to be told from and is left out."""
    batches = [items[start : start + size] for start in range(0, len(items), size)]
    return [batch for batch in batches if len(batch) > 1]


def train_batches(
    network: QuoteNetwork,
    optimizer: torch.optim.Optimizer,
    batches: Sequence[Sequence[Item]],
    loss_of: Callable[[Sequence[Item]], torch.Tensor],
    dropout_seed: int,
    name: str,
    say: Say,
    before_step: Callable[[int], None] = lambda at: None,
) -> float:
    """Take a step on each batch; mean loss of the pairs, each as the network was when its batch came.

    Args:
        network: to be trained.
        optimizer: of its weights.
        batches: of an epoch.
        loss_of: loss of a batch.
        dropout_seed: of the epoch.
        name: of the epoch, for lines of progress.
        say: takes such a line.
        before_step: called with the number of the batch, from 0, when its gradients are there.
    """
    said = time.monotonic()
    total = rows = 0.0
    network.train()
    with seeded(dropout_seed, network.device):
        for at, batch in enumerate(batches):
            loss = loss_of(batch)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            before_step(at)
            optimizer.step()
            total, rows = total + float(loss.detach()) * len(batch), rows + len(batch)
            if time.monotonic() - said > _SAY_SECONDS:
                said = time.monotonic()
                say(f"{name}: batch {at + 1:,} of {len(batches):,}, loss {total / rows:.4f}")
    network.eval()
    return total / rows


def _write(state: dict[str, Any], path: Path) -> None:
    partial = path.with_suffix(".partial")
    torch.save(state, partial)
    os.replace(partial, path)
