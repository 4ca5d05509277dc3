"""Fine-tune a sentence encoder on judged pairs of contexts: its cosine then says how related their topics are.

    quotelab train topics --data JUDGED --out MODEL_DIR [--base NAME] [--loss contrastive] [--raw]

JUDGED is a folder with uses.tsv, instances.tsv and judgments.tsv as in TRoTR, or a CSV file with a row for each
judgment (docs/LAB.md). MODEL_DIR becomes a model that [model] name can name, with card.json: base, recipe, data,
figures. A tenth of the reused texts, with all their pairs, chooses the epoch; another tenth gives the figures; neither
is trained on.
"""

import hashlib
import math
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

import numpy as np

from quotelab.labels.judged import Part, divided, read_judged, read_judgment_table
from quotelab.report import advice, positive, progress, write_json
from quotelab.statistics import spearman
from quotelab.training.fine_tuning import RATES, Recipe, fine_tune, relatedness
from quotelab.training.network import Network
from quotelake.embeddings import models
from quotelake.errors import InputError
from quotelake.files.jsonl import refuse
from quotelake.text.ids import content_id

GROUPS: Final = 10  # groups of texts, one to choose the epoch by, one for the figures


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    configure_training(parser, "judged pairs of contexts: a folder, or a CSV file")
    add = parser.add_argument
    add("--loss", choices=[loss for loss in RATES if loss != "cross"], default="squared", help="default: %(default)s")
    add("--raw", action="store_true", help="train on contexts as written; the reused text is masked else")


def configure_training(parser: ArgumentParser, data: str) -> None:
    """Add the arguments of any training."""
    usual = Recipe()
    add = parser.add_argument
    add("--data", type=Path, required=True, metavar="PATH", help=data)
    add("--out", type=Path, required=True, metavar="MODEL_DIR", help="folder to write")
    add("--base", default=models.DEFAULT, metavar="MODEL", help="model to begin with (default: %(default)s)")
    add("--rate", type=float, metavar="RATE", help=f"highest learning rate (default: {RATES['squared']:g}, by loss)")
    add("--epochs", type=positive, default=usual.epochs, help="most epochs (default: %(default)s)")
    add("--batch", type=positive, default=usual.batch, help="pairs a step (default: %(default)s)")
    add("--seed", type=int, default=usual.seed)
    add("--device", help="cpu, cuda or cuda:N (default: cuda where torch has it)")


def run(options: Namespace) -> None:
    """Train on all pairs that people agree on, judged by one person or more."""
    judged = (read_judged if options.data.is_dir() else read_judgment_table)(options.data)
    pairs = [pair for pair in judged.pairs if pair.values and pair.dropped in (None, "few")]
    texts = [use.context if options.raw else use.masked for use in judged.uses]
    train_model(texts, judged.part(pairs), [pair.target for pair in pairs], options)


def train_model(texts: Sequence[str], pairs: Part, names: Sequence[str], options: Namespace) -> None:
    """Train on pairs of texts, write the model and its card, show the figures; pairs of a name stay together."""
    recipe = Recipe(getattr(options, "loss", "squared"), options.rate, options.epochs, options.batch, seed=options.seed)
    if recipe.rate is not None and not 0 < recipe.rate < 1:
        raise InputError(f"--rate {recipe.rate:g}: must be above 0 and below 1")
    if options.out.exists() and (not options.out.is_dir() or any(options.out.iterdir())):
        raise InputError(f"--out {options.out}: there is something already; name a new folder")
    if len({*names}) < 3:
        refuse(str(options.data), f"agreed pairs of {len({*names})} texts", "give pairs of at least three")
    group = divided(names, GROUPS)
    groups = np.array([group[name] for name in names])
    test, dev, train = (pairs.take(np.flatnonzero(each)) for each in (groups == 0, groups == 1, groups > 1))
    progress(
        f"{len(train.scores):,} pairs to train on, {len(dev.scores):,} for the epoch, {len(test.scores):,} to test"
    )
    network, history = fine_tune(options.base, texts, train, dev, recipe, progress, options.device)
    base = Network(options.base, device=options.device)
    figures: dict[str, object] = {
        "dev_spearman": [round(value, 4) for value in history],
        "epoch": int(np.argmax(history)),
    }
    after_and_before = []
    for name, each in (("held_out_spearman", network), ("held_out_spearman_of_base", base)):
        found = spearman(relatedness(each, texts, test.first, test.second, recipe.loss), test.scores)
        after_and_before.append(None if math.isnan(found) else round(found, 4))
        figures[name] = after_and_before[-1]
    network.save(options.out)
    arrays = (hashlib.sha256(each.tobytes()).hexdigest() for each in pairs)
    data = {"name": options.data.resolve().name, "pairs": len(names), "id": content_id(*texts, *arrays)}
    known = {"base": Path(options.base).name, "fingerprint": models.find(options.base, "float32").fingerprint}
    write_json(options.out / "card.json", known | {"recipe": asdict(recipe), "data": data, "figures": figures})
    for name, value in figures.items():
        print(f"  {name} {value}")
    print(f"model written to {options.out}")
    print(advice("model.name", options.out, *after_and_before))
