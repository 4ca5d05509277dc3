"""Protocols of reused quotes and watched texts."""

import argparse
from collections.abc import Collection

from quotelab.protocols.commands.arguments import only_file
from quotelab.report import Report
from quotelake.errors import InputError


def reuse(arguments: argparse.Namespace) -> Report:
    """Groups of reused quotes against those that a file states."""
    path = only_file(arguments)
    from quotelab.protocols.reuse import evaluate

    return evaluate(path)


def edges(arguments: argparse.Namespace) -> Report:
    """Pairs of variants against the judgement of a reader."""
    path = only_file(arguments)
    if arguments.lake is None:
        raise InputError("edges: reads the texts from a lake; give --lake DIR")
    from quotelab.protocols.edges import evaluate
    from quotelake.query.ask import DuckEngine

    def texts_of(ids: Collection[str]) -> dict[str, str]:
        wanted = ", ".join(f"'{each}'" for each in sorted(ids))
        statement = f"SELECT variant_id, canonical_text FROM variants WHERE variant_id IN ({wanted})"
        return {row["variant_id"]: row["canonical_text"] for row in engine.answer(statement).rows}

    with DuckEngine(arguments.lake) as engine:
        return evaluate(path, texts_of)


def trimmed(arguments: argparse.Namespace) -> Report:
    """Uses that cut what changes the meaning of a quote, against those that a file states."""
    path = only_file(arguments)
    from quotelab.protocols.trimmed import evaluate
    from quotelake.settings import load_settings

    settings = load_settings().reuse
    return evaluate(path, settings.carriers, settings.wordings)


def watch(arguments: argparse.Namespace) -> Report:
    """Watched texts in made uses and lookalikes."""
    path = only_file(arguments)
    from quotelab.protocols.watch import evaluate

    return evaluate(path)


def watch_spans(arguments: argparse.Namespace) -> Report:
    """Watched texts where people marked them."""
    path = only_file(arguments)
    from quotelab.protocols.watch import evaluate_spans

    return evaluate_spans(path)
