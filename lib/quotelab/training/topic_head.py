"""Train a topic head on judged pairs of contexts: a linear map on stored vectors that makes cosines rank topics better.

    quotelab train topic-head --data FOLDER --out HEAD [--model NAME]

FOLDER holds uses.tsv, instances.tsv and judgments.tsv as in TRoTR (docs/LAB.md). Writes HEAD.safetensors and
HEAD.json, its card: the pairs, the encoder, and figures on reused texts held out. A head fits its encoder only.

W begins as the identity. A step draws pairs, and with c their cosines after the head and g = (score - 1)/3::

    loss = mean of softplus(t (c_q - c_p)) over pairs p, q with g_p > g_q + margin,  + s |W - I|²_F / d

so a pair that people rank above another shall have the higher cosine (RankNet, Burges et al. 2005). The settings are
those measured on TRoTR (docs/FIGURES.md). The W of several seeds are averaged: it ranks as their mean cosine.
"""

import hashlib
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from safetensors.numpy import save as save_tensors

from quotelab.labels.judged import HIGHEST, LOWEST, Judged, Pair, Part, divided, read_judged
from quotelab.report import advice
from quotelab.statistics import Numbers, Places, spearman
from quotelake.embeddings.encoder import Encoder
from quotelake.embeddings.models import DEFAULT
from quotelake.errors import InputError
from quotelake.files.outputs import write_atomically
from quotelake.topics.head import (
    LONGEST_COLUMN,
    RAW_WEIGHT,
    TENSOR,
    HeadCard,
    TopicHead,
    Vectors,
    blend,
    files_of,
    project,
)

GROUPS: Final = 5  # groups of reused texts that are held out in turn for the figures


@dataclass(frozen=True, slots=True)
class Recipe:
    """Settings of the training: t and s of the loss, share of the input that is set to 0; rate and steps of Adam.

    A step draws ``batch`` pairs; differences of g up to ``margin`` are no rank; W of ``seeds`` trainings are averaged.
    """

    temperature: float = 10.0
    strength: float = 3.0
    dropout: float = 0.1
    rate: float = 1e-3
    steps: int = 80
    batch: int = 512
    margin: float = 0.2
    seeds: int = 2


def train_weights(x: Vectors, first: Places, second: Places, scores: Numbers, recipe: Recipe | None = None) -> Vectors:
    """Train W, (d, d), on contexts x, (n, d), of unit norm, as :func:`~quotelake.topics.head.blend` mixes them.

    ``first`` and ``second`` are the rows of the contexts of each pair, ``scores`` their mean judgments, 1 to 4. W has
    the same bits each time on one machine, whatever torch's number of threads is.
    """
    import torch

    chosen = recipe or Recipe()
    if len(scores) == 0 or (scores.max() - scores.min()) / (HIGHEST - LOWEST) <= chosen.margin:
        raise InputError("judged pairs: found none that is judged clearly above another; give pairs of both kinds")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        trained = [_train(x, first, second, scores, chosen, seed) for seed in range(chosen.seeds)]
    finally:
        torch.set_num_threads(threads)
    return np.asarray(np.mean(trained, axis=0), dtype=np.float32)


def _train(x: Vectors, first: Places, second: Places, scores: Numbers, recipe: Recipe, seed: int) -> Vectors:
    import torch

    drawn = torch.Generator().manual_seed(seed)
    contexts = torch.from_numpy(np.ascontiguousarray(x, dtype=np.float32))
    sides = torch.from_numpy(np.stack([first, second]))
    gold = torch.from_numpy((scores - LOWEST) / (HIGHEST - LOWEST)).float()
    identity = torch.eye(x.shape[1])
    weights = identity.clone().requires_grad_()
    optimizer = torch.optim.Adam([weights], lr=recipe.rate)
    for _ in range(recipe.steps):
        pairs = torch.randperm(len(gold), generator=drawn)[: recipe.batch]
        inputs = contexts[sides[:, pairs]]
        kept = torch.rand(inputs.shape, generator=drawn) >= recipe.dropout
        mapped = torch.nn.functional.normalize((inputs * kept / (1 - recipe.dropout)) @ weights, dim=-1)
        cosines = (mapped[0] * mapped[1]).sum(dim=1)
        above = gold[pairs, None] > gold[None, pairs] + recipe.margin
        wrong = torch.nn.functional.softplus(recipe.temperature * (cosines[None, :] - cosines[:, None]))
        ranking = (wrong * above).sum() / above.sum().clamp(min=1)
        loss = ranking + recipe.strength * ((weights - identity) ** 2).sum() / len(identity)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    return np.asarray(weights.detach().numpy(), dtype=np.float32)


def train_head(judged: Judged, encoder: Encoder, name: str) -> TopicHead:
    """Train a head of an encoder on all clear pairs, whose ``name`` is in its card; measure it on texts held out."""
    recipe, pairs = Recipe(), judged.clear
    part = judged.part(pairs)
    targets = sorted({pair.target for pair in pairs})
    if len(targets) < 2:
        raise InputError(f"{name}: found clear pairs of {len(targets)} reused texts; judge pairs of at least two")
    masked, raw = (encoder.encode([getattr(use, text) for use in judged.uses]) for text in ("masked", "context"))
    x = blend(masked, raw)
    hashed = hashlib.sha256()
    for pair in pairs:
        for context in (judged.uses[judged.rows[use]] for use in (pair.first, pair.second)):
            hashed.update(hashlib.sha256(f"{context.start}:{context.end}:{context.context}".encode()).digest())
        hashed.update(f"{pair.score:.6f}".encode())
    card = {
        "model": encoder.model,
        "fingerprint": encoder.fingerprint,
        "raw_weight": RAW_WEIGHT,
        "recipe": asdict(recipe),
        "training": {"set": name, "pairs": len(pairs), "targets": len(targets), "sha256": hashed.hexdigest()},
        "figures": held_out_figures(x, pairs, part, recipe),
    }
    return make_head(train_weights(x, part.first, part.second, part.scores, recipe), card)


def make_head(weights: Vectors, card: Mapping[str, object]) -> TopicHead:
    """Put a head together; ``card`` has the fields of its card but dimension and digest of the weights."""
    longest = np.sqrt((weights.astype(np.float64) ** 2).sum(axis=0)).max()
    if not longest < LONGEST_COLUMN:  # also where a weight is not finite
        raise InputError(f"topic head: found weights with a column longer than {LONGEST_COLUMN}; regularise it more")
    made = {"dimension": len(weights), "weights_sha256": hashlib.sha256(weights.tobytes()).hexdigest()}
    return TopicHead(weights, HeadCard.model_validate({**card, **made}))


def save(head: TopicHead, path: Path) -> None:
    """Write weights and card (:func:`~quotelake.topics.head.files_of`); the same head is the same bytes."""
    card_file, weights_file = files_of(path)
    write_atomically(weights_file, save_tensors({TENSOR: head.weights}))
    write_atomically(card_file, head.card.model_dump_json(indent=1) + "\n")


def held_out_figures(x: Vectors, pairs: Sequence[Pair], part: Part, recipe: Recipe) -> dict[str, float]:
    """Spearman of cosine and mean judgment on the clear pairs of texts held out, with the head and without it.

    Pairs of a group of texts are judged by a head trained on the others (one seed); all cosines are ranked together.
    """
    group = divided((pair.target for pair in pairs), GROUPS)
    groups = np.array([group[pair.target] for pair in pairs])
    first, second, scores, _ = part
    with_head = np.empty(len(pairs))
    for held_out in np.unique(groups):
        out = groups == held_out
        weights = train_weights(x, first[~out], second[~out], scores[~out], replace(recipe, seeds=1))
        z = project(x, weights)
        with_head[out] = (z[first[out]] * z[second[out]]).sum(axis=1)
    without = (x[first] * x[second]).sum(axis=1)
    return {
        "held_out_spearman": round(spearman(with_head, scores), 4),
        "held_out_spearman_without_head": round(spearman(without, scores), 4),
    }


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add("--data", type=Path, required=True, metavar="FOLDER", help="judged pairs of contexts")
    add("--out", type=Path, required=True, metavar="HEAD", help="files to write, without their suffix")
    add("--model", default=DEFAULT, metavar="NAME", help=f"embedding model (default: {DEFAULT})")


def run(options: Namespace) -> None:
    """Embed, train, write, show."""
    judged, encoder = read_judged(options.data), Encoder(options.model, dtype="float32")
    print(f"{options.data}: {len(judged.uses):,} uses, {len(judged.pairs):,} pairs", flush=True)
    head = train_head(judged, encoder, options.data.resolve().name)
    save(head, options.out)
    card = head.card.model_dump()
    trained = card["training"]
    print(f"topic head {head.version}: trained on {trained['pairs']:,} clear pairs of {trained['targets']} texts")
    for name, value in card["figures"].items():
        print(f"  {name} {value:.4f}")
    print("written to {} and {}".format(*files_of(options.out)))
    print(advice("topics.head", options.out, *card["figures"].values()))
