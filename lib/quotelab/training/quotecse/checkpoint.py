"""Checkpoints of a training: a resumed training gives the same result as an uninterrupted one.

Each epoch seeds its random numbers, so only the weights, the optimizer's state and the history are stored. Files are
replaced atomically, and read as tensors and plain values only.
"""

import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch

from quotelake.errors import SettingsError

_LATEST, _BEST = "latest.pt", "best.pt"


@dataclass(frozen=True, slots=True)
class Epoch:
    """One pass over the training pairs.

    Attributes:
        number: from 1.
        phase: static (pairs as first assigned) or dynamic (assigned again by the current network).
        train_loss: mean over the pairs during the epoch.
        validation_loss: after the epoch; NaN without validation pairs.
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


@dataclass(frozen=True)
class Checkpoints:
    """The checkpoints of one training.

    Args:
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
        state = {
            "identity": self.identity,
            "progress": asdict(progress),
            "network": network.state_dict(),
            "optimizer": optimizer.state_dict(),
        }
        _write(state, self.directory / _LATEST)

    def load(self, network: torch.nn.Module, optimizer: torch.optim.Optimizer) -> Progress:
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
        return Progress(**(progress | {"history": [Epoch(**epoch) for epoch in progress["history"]]}))

    def load_best(self, network: torch.nn.Module) -> None:
        """Give a network the weights of the best epoch."""
        network.load_state_dict(torch.load(self.directory / _BEST, map_location="cpu", weights_only=True))


def _write(state: dict[str, Any], path: Path) -> None:
    partial = path.with_suffix(".partial")
    torch.save(state, partial)
    os.replace(partial, path)
