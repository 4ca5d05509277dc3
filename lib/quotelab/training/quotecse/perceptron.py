"""A multilayer perceptron with one hidden layer for two labels: fitted with torch, applied with numpy."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from quotelake.errors import SettingsError

Vectors = npt.NDArray[np.float32]

HIDDEN = 64  # Song et al. 2023, §4


@dataclass(frozen=True)
class FitSettings:
    """Settings of the fit. Rate, decay, epochs, batch and schedule are the defaults of the authors' code.

    Attributes:
        hidden: units of the hidden layer.
        rate: highest learning rate of Adam; it rises over the first epoch and falls as a cosine to 0.
        weight_decay: L2 penalty in Adam.
        batch_size: articles a step, at least 1.
        epochs: passes over the articles, at least 1.
        seed: of initial weights, order of articles and oversampling.
    """

    hidden: int = HIDDEN
    rate: float = 0.01
    weight_decay: float = 1e-5
    batch_size: int = 16
    epochs: int = 10
    seed: int = 0


@dataclass(frozen=True)
class Perceptron:
    """A fitted perceptron: ``sigmoid(relu(x W1 + b1) W2 + b2)``; shapes (d, hidden), (hidden,), (hidden, 1), (1,)."""

    weights: tuple[Vectors, Vectors, Vectors, Vectors]

    def __call__(self, features: Vectors) -> npt.NDArray[np.float64]:
        """Probability of label 1 for each row of features, shape (n,), 0 to 1."""
        first, first_bias, second, second_bias = (array.astype(np.float64) for array in self.weights)
        hidden = np.maximum(features.astype(np.float64) @ first + first_bias, 0)
        # Halves of tanh: the logistic function without overflow.
        return np.asarray(0.5 + 0.5 * np.tanh((hidden @ second + second_bias)[:, 0] / 2))


def fit_perceptron(features: Vectors, labels: Sequence[int], settings: FitSettings | None = None) -> Perceptron:
    """Fit the perceptron with Adam on cross-entropy, the rarer label oversampled as in the authors' code.

    The same input gives the same weights on one machine; the caller's random state is not changed.

    Raises:
        SettingsError: only one label occurs.
    """
    import torch

    settings = settings or FitSettings()
    order = np.random.default_rng(settings.seed)
    rows = torch.as_tensor(_balanced(labels, order))
    x, y = torch.as_tensor(features), torch.as_tensor(np.asarray(labels, dtype=np.float32))
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(settings.seed)
        model = torch.nn.Sequential(
            torch.nn.Linear(x.shape[1], settings.hidden), torch.nn.ReLU(), torch.nn.Linear(settings.hidden, 1)
        )
    steps = -(-len(rows) // settings.batch_size)
    optimizer = torch.optim.Adam(model.parameters(), lr=settings.rate, weight_decay=settings.weight_decay)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: _warm_cosine(step, steps, settings.epochs))
    for _ in range(settings.epochs):
        shuffled = rows[torch.as_tensor(order.permutation(len(rows)))]
        for batch in torch.split(shuffled, settings.batch_size):
            loss = torch.nn.functional.binary_cross_entropy_with_logits(model(x[batch])[:, 0], y[batch])
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
    first, first_bias, second, second_bias = (parameter.detach().numpy() for parameter in model.parameters())
    return Perceptron((first.T.copy(), first_bias, second.T.copy(), second_bias))


def _balanced(labels: Sequence[int], order: np.random.Generator) -> npt.NDArray[np.int64]:
    places = [np.flatnonzero(np.asarray(labels) == label) for label in (0, 1)]
    if not all(map(len, places)):
        raise SettingsError("the labelled articles have one label only; articles of label 0 and of label 1 are needed")
    most = max(map(len, places))
    extra = [order.choice(one, most - len(one)) for one in places]
    return np.concatenate([*places, *extra]).astype(np.int64)


def _warm_cosine(step: int, warm: int, epochs: int) -> float:
    """Share of the learning rate at a step: linear over the first epoch of ``warm`` steps, then half a cosine."""
    if step < warm:
        return step / warm
    return float(0.5 * (1 + np.cos(np.pi * (step - warm) / max(1, warm * (epochs - 1)))))
