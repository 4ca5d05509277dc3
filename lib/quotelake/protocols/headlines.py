"""Protocols of headline quotes: the detector, outcomes, alerts, and the pairs of QuoteCSE."""

import argparse
from typing import TYPE_CHECKING

from quotelake.evaluation.report import Report
from quotelake.protocols.arguments import only_file, say

if TYPE_CHECKING:
    from quotelake.detector.model import Detector
    from quotelake.evaluation.contextomy import Encode
    from quotelake.settings import Settings


def contextomy(arguments: argparse.Namespace) -> Report:
    """The shipped detector on a labelled file."""
    path = only_file(arguments)
    from quotelake.detector.model import load
    from quotelake.embeddings.models import DEFAULT
    from quotelake.evaluation.contextomy import embedded, evaluate
    from quotelake.settings import load_settings

    settings = load_settings()
    name = arguments.model or settings.model.name or DEFAULT
    encode = _encoder(settings, load(), None if arguments.no_model else name)
    if encode is None:
        return evaluate(path)
    ingest = settings.ingest
    return evaluate(
        path, cosines=embedded(encode, settings.model.languages, ingest.languages, ingest.language_confidence)
    )


def headlines(arguments: argparse.Namespace) -> Report:
    """Outcomes and alerts on headlines that people labelled."""
    from quotelake.contextomy.decide import load_detector
    from quotelake.embeddings.models import DEFAULT
    from quotelake.evaluation.headlines import evaluate
    from quotelake.settings import load_settings

    settings = load_settings()
    name = arguments.model or settings.model.name or DEFAULT
    encode = _encoder(settings, load_detector(settings.contextomy), None if arguments.no_model else name)
    return evaluate(arguments.data, arguments.texts, settings, encode, arguments.part)


def alerts(arguments: argparse.Namespace) -> Report:
    """Alerts on all articles of corpora, against labels of some."""
    from quotelake.contextomy.decide import load_detector
    from quotelake.embeddings.models import DEFAULT
    from quotelake.evaluation.alerts import evaluate
    from quotelake.settings import load_settings

    settings = load_settings()
    name = arguments.model or settings.model.name or DEFAULT
    encode = _encoder(settings, load_detector(settings.contextomy), None if arguments.no_model else name)
    return evaluate(arguments.data, arguments.texts, settings, encode)


def quotecse(arguments: argparse.Namespace) -> Report:
    """Every detector over the splits of Song et al. 2023."""
    path = only_file(arguments)
    from quotelake.evaluation.quotecse import FitPredict, evaluate
    from quotelake.training.baselines import detectors
    from quotelake.training.quotecse.baseline import mlp_detector

    chosen: dict[str, FitPredict] = dict(detectors())
    if arguments.model:
        perceptron = mlp_detector(arguments.model)
        chosen["perceptron"] = lambda train, test: perceptron.fit(train).predict_proba(test)
    return evaluate(path, chosen, say)


def quotecse_pairs(arguments: argparse.Namespace) -> Report:
    """Pair building of QuoteCSE against the authors'."""
    path = only_file(arguments)
    from quotelake.embeddings.encoder import Encoder
    from quotelake.evaluation.pairs import evaluate
    from quotelake.training.quotecse.assign import assign, by_containment, by_cosine

    similarity = by_cosine(Encoder(arguments.model, dtype="float32").encode) if arguments.model else by_containment
    return evaluate(path, lambda headline, quotes, key: assign(similarity(headline, quotes), key))


def _encoder(settings: "Settings", detector: "Detector", model: str | None) -> "Encode | None":
    """Encoder of a model whose cosines count for a detector; None without a model, or where they do not."""
    from quotelake.contextomy.comparable import compared_languages

    if model is None or not compared_languages(settings, detector, model):
        return None
    from quotelake.embeddings.encoder import Encoder

    return Encoder(model).encode
