"""Protocol ``trimmed``: uses that cut what changes the meaning of a quote, against those that a file states."""

import argparse
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, Final

from quotelab.protocols.evaluate import only_file
from quotelab.report import Report
from quotelab.statistics import ratio, share_figures
from quotelake.files.jsonl import json_lines, refuse
from quotelake.quotes.extract import quotes_of_document
from quotelake.reuse.clusters import group_texts
from quotelake.reuse.comparisons import AROUND, Use, compare, use_of
from quotelake.settings import load_settings

_FIELDS: Final = {"group": str, "outlet": str, "text": str, "start": int, "end": int, "kind": str, "trimmed": bool}


def evaluate(path: Path, least_carriers: int, wordings: int) -> Report:
    """Find the quotes of articles, group them, and compare the uses of each group as a run does, without Spark.

    Args:
        path: JSON Lines of ``group``, ``outlet``, ``text`` (of an article), ``start`` and ``end`` of its quote in code
            points, ``kind`` and ``trimmed`` (see :mod:`quotelab.synthetic.trimmed`).
        least_carriers: other outlets that must carry what is cut.
        wordings: of a quote, that each other one is compared with.

    Returns:
        ``articles``, ``trimmed`` stated, ``flagged``, ``precision`` and ``recall`` of the flag with Wilson's 95 %
        intervals; of each kind ``flagged_KIND``, the share that is flagged, of ``flagged_KIND_items``.
        Rows: uses that are flagged wrongly or missed.

    Raises:
        InputError: a row is wrong; it names file and line.
    """
    stated = _read(path)
    uses: dict[str, Use] = {}
    for number, row in enumerate(stated):
        found = _use(number, row)
        if found is not None:
            uses[found.quote_id] = found
    groups = defaultdict[str | None, list[Use]](list)
    for use, group in zip(uses.values(), group_texts([use.text for use in uses.values()]), strict=True):
        groups[group].append(use)
    several = [each for each in groups.values() if len({use.outlet for use in each}) > 1]
    flagged = {
        int(one.use.quote_id) for each in several for one in compare(each, least_carriers, wordings) if one.trimmed
    }
    right = {number for number, row in enumerate(stated) if row["trimmed"]}
    both = len(flagged & right)
    figures: dict[str, float] = {"articles": len(stated), "trimmed": len(right), "flagged": len(flagged)}
    for name, of in (("precision", flagged), ("recall", right)):
        figures |= share_figures(name, both, len(of))
    kinds = Counter(row["kind"] for row in stated)
    hits = Counter(stated[number]["kind"] for number in flagged)
    for kind in sorted(kinds):
        figures |= {f"flagged_{kind}": ratio(hits[kind], kinds[kind]), f"flagged_{kind}_items": kinds[kind]}
    faults = [
        {"fault": "false" if number in flagged else "missed", **stated[number]} for number in sorted(flagged ^ right)
    ]
    return Report("trimmed", figures, faults)


def _use(number: int, row: dict[str, Any]) -> Use | None:
    """The quote of an article as a use; None if no quote is found there."""
    text, name = row["text"], str(number)
    document = {"doc_id": name, "kind": "news", "language": "en", "headline": None, "body": text}
    for quote in quotes_of_document(document, ""):
        start, end = quote["start"], quote["end"]
        if quote["depth"] == 0 and start < row["end"] and row["start"] < end and quote["variant_id"]:
            around = {"before": text[max(start - AROUND, 0) : start], "after": text[end : end + AROUND]}
            return use_of({**quote, **around, "quote_id": name, "native_key": name, "outlet": row["outlet"]})
    return None


def _read(path: Path) -> list[dict[str, Any]]:
    rows = []
    for place, row in json_lines(path):
        for name, kind in _FIELDS.items():
            if not isinstance(row, dict) or type(row.get(name)) is not kind:
                refuse(f"{place}: field {name}", repr(row)[:80], f"give {name} as {kind.__name__}")
        if not 0 <= row["start"] < row["end"] <= len(row["text"]):
            found = f"the quote {[row['start'], row['end']]}"
            refuse(place, found, f"give offsets in the text, which has {len(row['text'])} characters")
        rows.append(row)
    return rows or refuse(str(path), "no row", "give a row for each article")


def report(options: argparse.Namespace) -> Report:
    """The protocol as the command runs it."""
    settings = load_settings().reuse
    return evaluate(only_file(options), settings.carriers, settings.wordings)
