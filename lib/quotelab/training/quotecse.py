"""Train QuoteCSE, a sentence encoder of news quotes, on a lake or on a file of articles; CPU or GPU.

    quotelab train quotecse --lake ./lake --out ./quotecse
    quotelab train quotecse --pairs ARTICLES.jsonl --out ./quotecse

ARTICLES.jsonl has rows with headline_quote and body_quotes. The model is written to OUT/model, a directory that [model]
name can name; settings, losses, counts of articles left out and the quality before and after to OUT/report.json.

The anchor is a headline quote, the positive the body quote most similar to it, the hard negative another one of the
article (Song et al., Findings of EACL 2023). Static epochs take the pairs as the base model gives them; before every
dynamic epoch the network as it is assigns them anew, through the projection, as in the authors' code.
"""

import copy
import math
import shutil
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cosine_similarity, cross_entropy

from quotelab.report import write_json
from quotelab.training.articles import MINIMUM, Pair, articles_of_lake, build_pairs, read_articles, split
from quotelab.training.network import Network, seeded
from quotelake.embeddings import models
from quotelake.embeddings.encoder import Encoder
from quotelake.errors import InputError
from quotelake.topics.head import Vectors

TEMPERATURE: Final = 0.05  # Song et al. 2023, §4
_HEAD_RATE: Final = 0.01  # same
#: Usual for fine-tuning BERT (Devlin et al. 2019, §A.3: 2e-5 to 5e-5), since .01 destroys it; the authors' code: 1e-6.
_ENCODER_RATE: Final = 2e-5
_PATIENCE: Final = 3  # epochs without a lower validation loss that end a phase; the authors' code
_ROWS: Final = 1024  # rows of the distance matrix held at once


class Plan(NamedTuple):
    """What decides a training, besides pairs and base model: articles a step, at least 2, and epochs at most.

    Values are of Song et al. 2023, §4; of the phases, the authors' code does 14 static and 2 dynamic epochs.
    """

    batch_size: int = 16
    epochs: int = 10
    dynamic_epochs: int = 2
    seed: int = 0


def train(
    network: Network, pairs: Sequence[Pair], validation: Sequence[Pair], plan: Plan, echo: Callable[[str], None]
) -> list[dict[str, Any]]:
    """Train a network up to the weights of its best epoch; a row an epoch is returned: phase, losses."""
    rates = [(network.body, _ENCODER_RATE), (network.head, _HEAD_RATE)]
    optimizer = torch.optim.Adam([{"params": part.parameters(), "lr": rate} for part, rate in rates])
    history: list[dict[str, Any]] = []
    best, weights = math.inf, network.state_dict()
    for phase, most in (("static", plan.epochs - plan.dynamic_epochs), ("dynamic", plan.dynamic_epochs)):
        waited = 0
        while most and waited < _PATIENCE:
            most, number = most - 1, len(history) + 1
            if phase == "dynamic":
                through_projection = partial(network.embed, projected=True)
                pairs, _ = build_pairs((pair.article for pair in pairs), through_projection, -2, plan.seed, number)
            drawn = np.random.default_rng((plan.seed, number))
            shuffled = [pairs[place] for place in drawn.permutation(len(pairs))]
            network.train()
            with seeded(int(drawn.integers(2**31)), network.device):
                loss = _mean_loss(network, shuffled, plan.batch_size, optimizer)
            network.eval()
            with torch.inference_mode():
                held_out = _mean_loss(network, validation, plan.batch_size)
            waited += 1
            if held_out < best:
                best, waited, weights = held_out, 0, copy.deepcopy(network.state_dict())
            history.append({"phase": phase, "train_loss": loss, "validation_loss": held_out, "best": not waited})
            shown = f"train loss {loss:.4f}, validation loss {held_out:.4f}{'' if waited else ' (best)'}"
            echo(f"epoch {number} ({phase}): {shown}")
    network.load_state_dict(weights)
    return history


def _mean_loss(
    network: Network, pairs: Sequence[Pair], size: int, optimizer: torch.optim.Optimizer | None = None
) -> float:
    """Mean loss of pairs, in batches; with an optimizer, a step on each. A last batch of one pair is left out."""
    total = rows = 0.0
    for start in range(0, len(pairs) - 1, size):
        batch = pairs[start : start + size]
        anchors = [pair.article.headline_quote for pair in batch]
        positives = [pair.article.body_quotes[pair.positive] for pair in batch]
        negatives = [pair.article.body_quotes[pair.negative] for pair in batch]
        loss = quotecse_loss(*network([*anchors, *positives, *negatives]).split(len(batch)))
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
        total, rows = total + float(loss.detach()) * len(batch), rows + len(batch)
    return total / rows


def quotecse_loss(anchors: Tensor, positives: Tensor, negatives: Tensor, temperature: float = TEMPERATURE) -> Tensor:
    """Mean over the batch of ``-log(exp(s(h_i,p_i)/t) / sum_j [exp(s(h_i,p_j)/t) + exp(s(h_i,n_j)/t)])``.

    s is the cosine (Song et al. 2023, eq. 1): distinguish the positive from the positives of other articles and from
    all hard negatives. Shapes (n, d), row i of each from article i; t is above 0. The result is a scalar, at least 0.
    """
    cosines = cosine_similarity(anchors[:, None, :], torch.cat([positives, negatives])[None, :, :], dim=-1)
    return cross_entropy(cosines / temperature, torch.arange(len(anchors), device=anchors.device))


def alignment(first: Vectors, second: Vectors) -> float:
    """Mean squared distance of paired unit vectors: E ||f(x) - f(x+)||^2, 0 to 4 (Wang & Isola, ICML 2020)."""
    return float(np.mean(np.sum((first.astype(np.float64) - second) ** 2, axis=1)))


def uniformity(vectors: Vectors) -> float:
    """Log of the mean Gaussian potential (t = 2) over all pairs of rows, -8 to 0 (Wang & Isola, ICML 2020)."""
    exact = vectors.astype(np.float64)
    parts = (exact[start : start + _ROWS] @ exact.T for start in range(0, len(exact), _ROWS))
    total = sum(float(np.exp(-2 * (2 - 2 * cosines)).sum()) for cosines in parts)
    return float(np.log((total - len(exact)) / (len(exact) * (len(exact) - 1))))  # the diagonal is exp(0) for each row


def quality(network: Network, pairs: Sequence[Pair], seed: int) -> dict[str, float]:
    """Quality of embeddings on held-out pairs, the smaller the better.

    ``title_title``: alignment of headline quotes with themselves under another dropout [our reading]; ``title_body``:
    with their positives; ``uniformity``: of both together. Published: .150, .194 and -3.562 (Song et al. 2023, §5).
    """
    titles = [pair.article.headline_quote for pair in pairs]
    vectors = network.embed([*titles, *(pair.article.body_quotes[pair.positive] for pair in pairs)])
    once, again = (network.embed(titles, dropout_seed=seed + view) for view in (1, 2))
    headlines, positives = np.split(vectors, 2)
    aligned = {"title_title": alignment(once, again), "title_body": alignment(headlines, positives)}
    return aligned | {"uniformity": uniformity(vectors)}


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    usual = Plan()
    add = parser.add_argument
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--lake", metavar="DIR", help="directory of a lake")
    source.add_argument("--pairs", type=Path, metavar="FILE.jsonl", help="articles in a file")
    add("--out", type=Path, required=True, metavar="DIR", help="model and report go there")
    add("--base", default=models.DEFAULT, metavar="MODEL", help="model to begin with (default: %(default)s)")
    add("--source", action="append", default=[], metavar="NAME", help="with --lake: take only this source")
    add("--language", action="append", default=[], metavar="CODE", help="with --lake: take only this language")
    add("--minimum", type=float, default=MINIMUM, help="least cosine of quote and positive (default: %(default)s)")
    add("--batch-size", type=int, default=usual.batch_size, help="default: %(default)s")
    add("--epochs", type=int, default=usual.epochs, help="most epochs of both phases together (default: %(default)s)")
    add("--dynamic-epochs", type=int, default=usual.dynamic_epochs, help="of these, dynamic (default: %(default)s)")
    add("--seed", type=int, default=usual.seed)
    add("--device", help="cpu, cuda or cuda:N (default: cuda where torch has it)")


def run(options: Namespace) -> None:
    """Build pairs, train, report."""
    plan = Plan(**{name: getattr(options, name) for name in Plan._fields})
    if plan.batch_size < 2 or not 0 <= plan.dynamic_epochs <= plan.epochs or plan.epochs < 1:
        raise InputError("--batch-size must be at least 2, --epochs at least 1, --dynamic-epochs from 0 to --epochs")
    if not -1 <= options.minimum <= 1:
        raise InputError("--minimum must be from -1 to 1, as cosines are")
    try:
        options.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"--out {options.out}: cannot be made ({error.strerror}); name another folder") from None
    lake = options.lake
    articles = articles_of_lake(lake, options.source, options.language) if lake else read_articles(options.pairs)
    pairs, counts = build_pairs(articles, Encoder(options.base).encode, options.minimum, plan.seed)
    echo = partial(print, flush=True)
    echo("headline quotes: " + ", ".join(f"{count:,} {what}" for what, count in sorted(counts.items())))
    parts = split(pairs)
    sizes = {part: len(some) for part, some in parts.items()}
    echo("pairs without syndicated copies: " + ", ".join(f"{name} {count:,}" for name, count in sizes.items()))
    if min(sizes.values()) < 2:
        raise InputError("each part needs 2 pairs at least: give more articles, or a lower --minimum")
    network = Network(options.base, plan.seed, options.device)
    before = quality(network, parts["test"], plan.seed)
    history = train(network, parts["train"], parts["validation"], plan, echo)
    after = quality(network, parts["test"], plan.seed)
    for when, figures in (("before", before), ("after", after)):
        echo(f"quality {when}: " + ", ".join(f"{name} {value:.3f}" for name, value in figures.items()))
    shutil.rmtree(options.out / "model", ignore_errors=True)
    network.save(options.out / "model")
    report: dict[str, Any] = {"base": Path(options.base).name, "settings": plan._asdict(), "minimum": options.minimum}
    report |= {"articles": counts, "pairs": sizes, "before": before, "after": after, "epochs": history}
    write_json(options.out / "report.json", report)
    echo(f"model written to {options.out / 'model'}")
