"""Protocols of quotes and their speakers."""

import argparse

from quotelab.protocols.commands.arguments import only_file
from quotelab.report import Report


def spans(arguments: argparse.Namespace) -> Report:
    """Exact spans of quotes, and colon claims."""
    from quotelab.protocols.spans import evaluate

    return evaluate(arguments.data, arguments.texts, arguments.part)


def polnear(arguments: argparse.Namespace) -> Report:
    """Spans and speakers on PolNeAR."""
    path = only_file(arguments)
    from quotelab.protocols.polnear import evaluate

    return evaluate(path, arguments.part)


def speakers(arguments: argparse.Namespace) -> Report:
    """Names that the pronouns of speakers are resolved to."""
    from quotelab.protocols.resolution import evaluate

    return evaluate(arguments.data, arguments.texts, arguments.part)


def headline_speakers(arguments: argparse.Namespace) -> Report:
    """Speakers of quotes in headlines."""
    from quotelab.protocols.headline_speakers import evaluate

    return evaluate(arguments.data, arguments.texts, arguments.part)
