"""Fine-tune a sentence encoder on pairs of texts that people scored.

With c the cosine of a pair, and g = (score - 1)/3 its score scaled to 0 to 1, the losses of a pair are::

    squared      (c - g)²                                        STR-2022 (Abdalla et al. 2023, §5)
    contrastive  d²/2 if label 1, max(0, margin - d)²/2 if 0     TRoTR (Periti et al. 2024, §5), with d = 1 - c
    cross        cross-entropy of g and sigmoid(o)               o: a perceptron's output for both texts, read as one

The weights of the epoch with the highest Spearman correlation on a dev part are taken; epoch 0 is the model as it was.
"""

import copy
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from transformers import get_linear_schedule_with_warmup

from quotelab.labels.judged import HIGHEST, LOWEST, Part
from quotelab.statistics import Numbers, Places, spearman
from quotelab.training.network import Input, Network, seeded
from quotelake.embeddings.models import resolve_dtype
from quotelake.errors import InputError

#: Loss → learning rate [measured on dev parts of TRoTR; of contrastive, the highest that Periti et al. 2024 try].
RATES: Final = {"squared": 3e-5, "contrastive": 2e-5, "cross": 1e-4}
#: Groups of alike length that a processor computes a batch in: less padding, the same loss.
_GROUPS: Final = 8


@dataclass(frozen=True, slots=True)
class Recipe:
    """What decides a training, besides pairs and base model; the rate None is that of the loss in :data:`RATES`.

    AdamW without decay of weights; the rate rises in the first ``warm_up`` of the steps, then falls to 0. The training
    ends after ``epochs``, or when ``patience`` epochs in a row were no better on dev.
    """

    loss: str = "squared"
    rate: float | None = None
    epochs: int = 4
    batch: int = 32
    warm_up: float = 0.1  # Periti et al. 2024, §5
    margin: float = 0.5  # the authors' code
    patience: int = 2
    seed: int = 0


def fine_tune(
    base: str,
    texts: Sequence[str],
    train: Part,
    dev: Part,
    recipe: Recipe,
    echo: Callable[[str], None],
    device: str | None = None,
) -> tuple[Network, list[float]]:
    """Train a model, named as in ``[model] name``, on pairs of texts; its Spearman on dev from epoch 0 on, too.

    On one machine and device the same seed gives the same model. An InputError: no pair to train on, or dev pairs whose
    scores are all alike; a SettingsError as of :class:`~quotelab.training.network.Network`.
    """
    if not len(train.scores) or len(dev.scores) < 2 or np.ptp(dev.scores) == 0:
        found = f"found {len(train.scores):,} pairs to train on, {len(dev.scores):,} to choose the epoch by"
        raise InputError(f"judged pairs: {found}; give more, with unlike scores")
    network = Network(base, recipe.seed, device, outputs=1)
    trained = [*network.body.parameters(), *(network.head.parameters() if recipe.loss == "cross" else ())]
    optimizer = torch.optim.AdamW(trained, lr=recipe.rate or RATES[recipe.loss], weight_decay=0.0)
    steps = recipe.epochs * math.ceil(len(train.scores) / recipe.batch)
    warm_up = round(recipe.warm_up * steps)
    schedule = get_linear_schedule_with_warmup(optimizer, warm_up, steps)  # type: ignore[no-untyped-call]
    drawn = np.random.default_rng(recipe.seed)
    history: list[float] = []
    weights = network.state_dict()
    while len(history) <= recipe.epochs and len(history) - _best(history) <= recipe.patience:
        if history:
            network.train()
            order = drawn.permutation(len(train.scores))
            with seeded(int(drawn.integers(2**31)), network.device):
                for start in range(0, len(order), recipe.batch):
                    loss = _loss(network, texts, train.take(order[start : start + recipe.batch]), recipe)
                    optimizer.zero_grad()
                    loss.backward()  # type: ignore[no-untyped-call]
                    optimizer.step()
                    schedule.step()
        on_dev = relatedness(network, texts, dev.first, dev.second, recipe.loss)
        history.append(float(np.nan_to_num(spearman(on_dev, dev.scores), nan=-1.0)))
        if _best(history) == len(history) - 1:
            weights = copy.deepcopy(network.state_dict())
        echo(f"epoch {len(history) - 1}: Spearman on dev {history[-1]:.3f}")
    network.load_state_dict(weights)
    return network, history


def _best(history: Sequence[float]) -> int:
    return int(np.argmax(history)) if history else 0


def relatedness(network: Network, texts: Sequence[str], first: Places, second: Places, loss: str) -> Numbers:
    """Relatedness of pairs of texts, (n,), by a model trained with a loss: the cosine, or the output for both."""
    if loss == "cross":
        pairs = [(texts[one], texts[other]) for one, other in zip(first, second, strict=True)]
        return network.compute(pairs, projected=True)[:, 0].astype(np.float64)
    places, rows = np.unique(np.stack([first, second]), return_inverse=True)
    one, other = network.embed([texts[place] for place in places])[rows.reshape(2, -1)]
    return np.asarray((one * other).sum(axis=1), np.float64)


def _loss(network: Network, texts: Sequence[str], pairs: Part, recipe: Recipe) -> Tensor:
    gold = torch.from_numpy((pairs.scores - LOWEST) / (HIGHEST - LOWEST)).float().to(network.device)
    sides = [[texts[place] for place in side] for side in (pairs.first, pairs.second)]
    if recipe.loss == "cross":
        found = _outputs(network, list(zip(*sides, strict=True)), projected=True)[:, 0]
        return functional.binary_cross_entropy_with_logits(found, gold)
    one, other = torch.split(_outputs(network, [*sides[0], *sides[1]], projected=False), len(gold))
    cosines = functional.cosine_similarity(one, other)
    if recipe.loss == "squared":
        return functional.mse_loss(cosines, gold)
    related = torch.from_numpy(pairs.labels).to(network.device) == 1
    return torch.where(related, 1 - cosines, (recipe.margin - 1 + cosines).clamp(min=0)).square().mean() / 2


def _outputs(network: Network, texts: Sequence[Input], projected: bool) -> Tensor:
    """Outputs for the texts of a batch, float32, computed in bfloat16 where the device does so natively."""
    order = np.argsort([len("".join(text)) for text in texts], kind="stable")
    groups = [order] if network.device.type == "cuda" else np.array_split(order, min(_GROUPS, len(order)))
    is_short = resolve_dtype("auto", network.device.type) == "bfloat16"
    with torch.autocast(network.device.type, torch.bfloat16, enabled=is_short):
        found = [network([texts[place] for place in group], projected) for group in groups]
    return torch.cat(found)[torch.from_numpy(np.argsort(order)).to(network.device)].float()
