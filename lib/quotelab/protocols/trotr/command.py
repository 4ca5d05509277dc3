"""The protocol ``trotr`` as the command runs it, with fine-tuned encoders and cross-encoders where asked for."""

import argparse
from collections.abc import Iterator
from typing import cast

from quotelab.protocols.options import encoder_of, only_file
from quotelab.protocols.trotr.evaluating import evaluate
from quotelab.protocols.trotr.extras import Extra, FineTune, cross_encoded, fine_tuned
from quotelab.report import Report, progress
from quotelab.training.topic_head import train_weights
from quotelake.embeddings.models import DEFAULT


def report(options: argparse.Namespace) -> Report:
    """Evaluate over the folds of Periti et al. 2024."""
    folder, encoder = only_file(options, folders=True), encoder_of(options)
    extras = [*_fine_tuned(options, encoder.model), *_cross_encoders(options)]
    is_published = encoder.model == DEFAULT
    return evaluate(folder, encoder.encode, train_weights, extras, progress, is_published=is_published)


def _fine_tuned(options: argparse.Namespace, model: str) -> Iterator[Extra]:
    """Settings +FT and +FT+MASK: without a GPU on one fold and with one rate, unless asked otherwise."""
    if not options.fine_tune:
        return
    import torch

    from quotelab.training.fine_tune import RATES, FineTuning, Loss, TextPairs, best_vectors

    quick = not torch.cuda.is_available()
    rates = options.rates or (RATES[-1:] if quick else RATES)
    folds = options.folds or ([1] if quick else None)

    def tune(loss: Loss) -> FineTune:
        settings = [FineTuning(loss=loss, rate=rate, epochs=options.epochs) for rate in rates]
        return lambda train, dev, texts: best_vectors(
            model, TextPairs(*train), TextPairs(*dev), texts, settings, options.work, progress
        )

    for each in options.fine_tune:
        named, _, mask = each.partition("+")
        loss = cast("Loss", named)  # one of the choices of --fine-tune
        name = f"ft_{each.replace('+', '_')}"
        yield fine_tuned(name, tune(loss), masked=bool(mask), labels=loss == "contrastive", folds=folds)


def _cross_encoders(options: argparse.Namespace) -> Iterator[Extra]:
    """Settings of a cross-encoder: contexts as written, and masked."""
    if options.cross_encoder:
        from quotelab.training.cross_encoder import load_cross_encoder

        score = load_cross_encoder(options.cross_encoder)
        for name, masked in (("cross_encoder", False), ("cross_encoder_mask", True)):
            yield cross_encoded(name, score, masked=masked, folds=options.folds)
