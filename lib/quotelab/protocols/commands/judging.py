"""Protocols of people's judgement: agreement, best-worst scaling, relatedness of sentences."""

import argparse

from quotelab.protocols.commands.arguments import only_file, say
from quotelab.report import Report


def agreement(arguments: argparse.Namespace) -> Report:
    """People who judged pairs of contexts."""
    path = only_file(arguments, folders=True)
    from quotelab.protocols.judgments import evaluate

    return evaluate(path)


def bws(arguments: argparse.Namespace) -> Report:
    """Best-worst scaling."""
    from quotelab.protocols.bws import evaluate
    from quotelake.files.jsonl import find_paths

    return evaluate(find_paths(arguments.data, "--data"))


def relatedness(arguments: argparse.Namespace) -> Report:
    """Relatedness of pairs of sentences."""
    path = only_file(arguments)
    from quotelab.labels.sentence_pairs import read_sentence_pairs, texts_of
    from quotelab.protocols import similarity_bins, word_features, word_vectors
    from quotelab.protocols.relatedness import evaluate
    from quotelab.training.relatedness.choice import learner
    from quotelab.training.relatedness.models import evidence_of
    from quotelake.embeddings.encoder import Encoder
    from quotelake.embeddings.models import DEFAULT

    pairs, encoder = read_sentence_pairs(path), Encoder(arguments.model or DEFAULT, dtype="float32")
    evidence = evidence_of(pairs, encoder.encode)
    untrained = {"dice": evidence.overlap[:, 0], "encoder": evidence.cosine}
    vectors_of = word_vectors.by_encoder(encoder.encode)
    if arguments.word_vectors:
        vectors_of = word_vectors.from_file(arguments.word_vectors)
        untrained["word_vectors"] = word_vectors.cosines_of(pairs, vectors_of)
    rows = []
    if arguments.sts:
        rows = similarity_bins.similarity_rows(pairs, similarity_bins.read_similarity(arguments.sts))
    if missing := word_features.reason_missing():
        say(f"feature study skipped: {missing}")
        rows.append({"kind": "feature", "skipped": missing})
    else:
        rows += word_features.study(pairs, word_features.analyse(texts_of(pairs)), vectors_of)
    learn = learner(evidence, [pair.score for pair in pairs])
    if arguments.fine_tune is not None:
        from quotelab.training.fine_tune import FineTuning, best_vectors
        from quotelab.training.relatedness.tuned import RATE, with_fine_tuning

        model, rates = arguments.model or DEFAULT, arguments.rates or [RATE]
        settings = [FineTuning("cosine", rate, epochs=arguments.epochs, patience=1) for rate in rates]
        learn = with_fine_tuning(
            pairs,
            learn,
            lambda train, dev, texts: best_vectors(model, train, dev, texts, settings, arguments.work, say),
        )
    return evaluate(pairs, untrained, learn, rows, say)
