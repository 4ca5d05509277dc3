"""Fine-tune a sentence encoder on pairs of sentences with scores from 0 to 1, as STR-2022 does (Abdalla et al. 2023).

    quotelab train relatedness --data PAIRS.csv --out MODEL_DIR [--base NAME]

PAIRS.csv has the columns Text (two sentences with a newline between) and Score. The loss is the squared error of their
cosine. MODEL_DIR is as `quotelab train topics` writes it, of pairs held out at random.
"""

from argparse import ArgumentParser, Namespace

from quotelab.labels.sentences import as_texts, read_sentence_pairs
from quotelab.training.topics import configure_training, train_model


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    configure_training(parser, "scored pairs of sentences")


def run(options: Namespace) -> None:
    """Train on all pairs."""
    texts, pairs = as_texts(read_sentence_pairs(options.data))
    train_model(texts, pairs, [str(row) for row in range(len(pairs.scores))], options)
