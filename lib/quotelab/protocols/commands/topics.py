"""Protocols of topic relatedness and topic variation."""

import argparse
from typing import TYPE_CHECKING, cast

from quotelab.protocols.commands.arguments import only_file, say
from quotelab.report import Report
from quotelake.errors import InputError

if TYPE_CHECKING:
    from quotelab.protocols.trotr.extras import Extra


def trotr(arguments: argparse.Namespace) -> Report:
    """Topic relatedness of pairs and topic variation of texts, over the folds of Periti et al. 2024."""
    folder = only_file(arguments, folders=True)
    from quotelab.protocols.trotr.protocol import evaluate
    from quotelab.training.topic_head import train_weights
    from quotelake.embeddings.encoder import Encoder
    from quotelake.embeddings.models import DEFAULT

    model = arguments.model or DEFAULT
    extras = [*_fine_tuned(arguments, model), *_cross_encoders(arguments)]
    encode, is_published = Encoder(model, dtype="float32").encode, model == DEFAULT
    return evaluate(folder, encode, train_weights, extras, say, is_published=is_published)


def _fine_tuned(arguments: argparse.Namespace, model: str) -> "list[Extra]":
    """Settings +FT and +FT+MASK: without a GPU on one fold and with one rate, unless asked otherwise."""
    if not arguments.fine_tune:
        return []
    import torch

    from quotelab.protocols.trotr.extras import FineTune, fine_tuned
    from quotelab.training.fine_tune import RATES, FineTuning, Loss, TextPairs, best_vectors

    quick = not torch.cuda.is_available()
    rates = arguments.rates or (RATES[-1:] if quick else RATES)
    folds = arguments.folds or ([1] if quick else None)

    def tune(loss: Loss) -> FineTune:
        settings = [FineTuning(loss=loss, rate=rate, epochs=arguments.epochs) for rate in rates]
        return lambda train, dev, texts: best_vectors(
            model, TextPairs(*train), TextPairs(*dev), texts, settings, arguments.work, say
        )

    extras = []
    for each in arguments.fine_tune:
        named, _, mask = each.partition("+")
        loss = cast("Loss", named)  # one of the choices of --fine-tune
        name = f"ft_{each.replace('+', '_')}"
        extras.append(fine_tuned(name, tune(loss), masked=bool(mask), labels=loss == "contrastive", folds=folds))
    return extras


def _cross_encoders(arguments: argparse.Namespace) -> "list[Extra]":
    """Settings of a cross-encoder: contexts as written, and masked."""
    if not arguments.cross_encoder:
        return []
    from quotelab.protocols.trotr.extras import cross_encoded
    from quotelab.training.cross_encoder import load_cross_encoder

    score, folds = load_cross_encoder(arguments.cross_encoder), arguments.folds
    names = {"cross_encoder": False, "cross_encoder_mask": True}
    return [cross_encoded(name, score, masked=masked, folds=folds) for name, masked in names.items()]


def trac_lake(arguments: argparse.Namespace) -> Report:
    """Topic variation of watched texts against the judgement of people."""
    path = only_file(arguments)
    if arguments.lake is None:
        raise InputError("trac_lake: reads the topic variation from a lake; give --lake DIR")
    from quotelab.protocols.trac_lake import evaluate
    from quotelake.query.ask import DuckEngine

    with DuckEngine(arguments.lake) as engine:
        return evaluate(path, lambda statement: engine.answer(statement).rows)


def context_pairs(arguments: argparse.Namespace) -> Report:
    """Pairs of contexts against labels, with the shipped topic head and without."""
    from quotelab.protocols.context_pairs import evaluate
    from quotelake.embeddings.encoder import Encoder
    from quotelake.embeddings.models import DEFAULT
    from quotelake.topics.head import load

    name, head = arguments.model or DEFAULT, load()
    head.check_encoder(name)
    return evaluate(arguments.data, arguments.texts, Encoder(name, dtype="float32").encode, head)


def shifts(arguments: argparse.Namespace) -> Report:
    """Planted shifts of topic."""
    from quotelab.protocols.shifts import evaluate
    from quotelake.embeddings.encoder import Encoder
    from quotelake.embeddings.models import DEFAULT

    return evaluate(arguments.data, arguments.texts, Encoder(arguments.model or DEFAULT, dtype="float32").encode)
