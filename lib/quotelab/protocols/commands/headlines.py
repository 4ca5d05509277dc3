"""Protocols of headline quotes: the detector, outcomes, alerts, and the pairs of QuoteCSE."""

import argparse
from typing import TYPE_CHECKING

from quotelab.protocols.commands.arguments import only_file, say
from quotelab.report import Report

if TYPE_CHECKING:
    from quotelab.protocols.contextomy import Encode
    from quotelake.contextomy.detector import Detector
    from quotelake.settings import Settings


def contextomy(arguments: argparse.Namespace) -> Report:
    """The shipped detector on a labelled file."""
    path = only_file(arguments)
    from quotelab.protocols.contextomy import embedded, evaluate
    from quotelake.contextomy.detector import load
    from quotelake.settings import load_settings

    settings = load_settings()
    encode = _encoder(arguments, settings, load())
    if encode is None:
        return evaluate(path)
    ingest = settings.ingest
    return evaluate(
        path, cosines=embedded(encode, settings.model.languages, ingest.languages, ingest.language_confidence)
    )


def headlines(arguments: argparse.Namespace) -> Report:
    """Outcomes and alerts on headlines that people labelled."""
    from quotelab.protocols.headlines import evaluate

    return evaluate(arguments.data, arguments.texts, *_judging(arguments), arguments.part)


def alerts(arguments: argparse.Namespace) -> Report:
    """Alerts on all articles of corpora, against labels of some."""
    from quotelab.protocols.alerts import evaluate

    return evaluate(arguments.data, arguments.texts, *_judging(arguments))


def quotecse(arguments: argparse.Namespace) -> Report:
    """Every detector over the splits of Song et al. 2023."""
    path = only_file(arguments)
    from quotelab.protocols.quotecse import FitPredict, evaluate
    from quotelab.training.baselines import detectors
    from quotelab.training.quotecse.baseline import mlp_detector

    chosen: dict[str, FitPredict] = dict(detectors())
    if arguments.model:
        perceptron = mlp_detector(arguments.model)
        chosen["perceptron"] = lambda train, test: perceptron.fit(train).predict_proba(test)
    return evaluate(path, chosen, say)


def quotecse_pairs(arguments: argparse.Namespace) -> Report:
    """Pair building of QuoteCSE against the authors'."""
    path = only_file(arguments)
    from quotelab.protocols.pairs import evaluate
    from quotelab.training.quotecse.assign import assign, by_containment, by_cosine
    from quotelake.embeddings.encoder import Encoder

    similarity = by_cosine(Encoder(arguments.model, dtype="float32").encode) if arguments.model else by_containment
    return evaluate(path, lambda headline, quotes, key: assign(similarity(headline, quotes), key))


def _judging(arguments: argparse.Namespace) -> "tuple[Settings, Encode | None]":
    """The settings by which headline quotes are judged, and the encoder of the cosines."""
    from quotelake.contextomy.decide import load_detector
    from quotelake.settings import load_settings

    settings = load_settings()
    return settings, _encoder(arguments, settings, load_detector(settings.contextomy))


def _encoder(arguments: argparse.Namespace, settings: "Settings", detector: "Detector") -> "Encode | None":
    """Encoder whose cosines count for a detector; None if none was asked for, or where they do not count."""
    from quotelake.contextomy.comparable import compared_languages
    from quotelake.embeddings.models import DEFAULT

    model = arguments.model or settings.model.name or DEFAULT
    if arguments.no_model or not compared_languages(settings, detector, model):
        return None
    from quotelake.embeddings.encoder import Encoder

    return Encoder(model).encode
