"""The protocol ``trotr`` as the command runs it, with fine-tuned encoders and cross-encoders where asked for."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from typing import cast

import numpy as np

from quotelab.protocols.evaluate import encoder_of, only_file
from quotelab.protocols.trotr.evaluating import evaluate
from quotelab.protocols.trotr.extras import Extra, FineTune, cross_encoded, fine_tuned
from quotelab.protocols.trotr.folds import Scores
from quotelab.report import Report, progress
from quotelab.training.topic_head import train_weights
from quotelake.embeddings import models
from quotelake.embeddings.models import DEFAULT
from quotelake.errors import SettingsError


def load_cross_encoder(model: str) -> Callable[[Sequence[str], Sequence[str]], Scores]:
    """Load a cross-encoder; it scores pairs by the mean of both orders, so that a pair has one score.

    Args:
        model: directory, or sentence-transformers name; only safetensors weights are read, and no code of it is run.

    Raises:
        SettingsError: no such model, unsafe files, or it gives more than one number for a pair.
    """
    found = models.find(model, "float32")
    from sentence_transformers import CrossEncoder
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    loaded = CrossEncoder(
        str(found.directory),
        trust_remote_code=False,
        local_files_only=True,
        model_kwargs={"use_safetensors": True},
    )
    labels = loaded.model.config.num_labels
    if labels != 1:
        raise SettingsError(f"cross-encoder {model!r} gives {labels} numbers for a pair; choose one that gives one")

    def score(first: Sequence[str], second: Sequence[str]) -> Scores:
        both = [*zip(first, second, strict=True), *zip(second, first, strict=True)]
        values = np.asarray(loaded.predict(both, show_progress_bar=False), dtype=np.float64)
        return np.asarray(values.reshape(2, -1).mean(axis=0))

    return score


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
        score = load_cross_encoder(options.cross_encoder)
        for name, masked in (("cross_encoder", False), ("cross_encoder_mask", True)):
            yield cross_encoded(name, score, masked=masked, folds=options.folds)
