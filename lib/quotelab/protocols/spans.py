"""Protocol ``spans``: quotes found, compared with those that people marked; a span matches if both ends agree.

Quotes of all depths count. Colon claims (*Bank chief: We will not cut rates*) have no marks: they are measured
separately, over the rows that say whether there is one.
"""

import argparse
from collections.abc import Sequence
from typing import Any, Literal

from quotelab.labels.texts import Labelled, Labels, LabelSpan, read_labels
from quotelab.report import Report
from quotelab.statistics import Counts, Span, count_spans
from quotelake.quotes.spans import find_quotes


class SpanLabels(Labels):
    """The quotes of a text.

    Attributes:
        mode: of :func:`~quotelake.quotes.spans.find_quotes`.
        spans: of the quotes, without their marks.
        colon_claim: the spans of speaker and claim; null if there is none; absent if nobody looked for one.
    """

    mode: Literal["body", "headline", "tweet"]
    spans: tuple[LabelSpan, ...]
    colon_claim: tuple[LabelSpan, LabelSpan] | None = None


def evaluate(data: Sequence[str], texts: Sequence[str] = (), part: str | None = None) -> Report:
    """Compare the quotes found with those marked, over all rows of label files.

    Args:
        data: paths or globs of label files.
        texts: paths or globs of corpora, for texts that the label files do not hold.
        part: take only rows of this part.

    Returns:
        precision, recall and f1 (micro-averaged over all rows), with the counts behind them; the same for colon
        claims where rows are labelled for them. A row of the report is a text with a missed or an extra span.

    Raises:
        InputError: see :func:`~quotelab.labels.texts.read_labels`.
    """
    spans, claims = Counts(), Counts()
    texts_exact = claims_judged = 0
    rows: list[dict[str, Any]] = []
    labelled = read_labels(data, SpanLabels, texts, part)
    for row in labelled:
        found, found_claims = _found(row)
        marked, marked_claims = _marked(row)
        spans += count_spans(marked, found)
        texts_exact += marked == found
        faults = _faults(marked, found)
        if "colon_claim" in row.labels.model_fields_set:
            claims_judged += 1
            claims += count_spans(marked_claims, found_claims)
            faults |= _faults(marked_claims, found_claims, "_claims")
        if faults:
            rows.append({"place": row.place, "id": row.labels.id, "mode": row.labels.mode} | faults)
    figures: dict[str, float] = {"texts": len(labelled), "texts_exact": texts_exact}
    figures |= {"labelled": spans.labelled, "found": spans.found, "matched": spans.matched}
    figures |= {"precision": spans.precision, "recall": spans.recall, "f1": spans.f1}
    if claims_judged:
        figures |= {"colon_claims_labelled": claims.labelled, "colon_claims_found": claims.found}
        figures |= {"colon_claim_precision": claims.precision, "colon_claim_recall": claims.recall}
    return Report("spans", figures, rows)


def _found(row: Labelled[SpanLabels]) -> tuple[set[Span], set[Span]]:
    """Spans of the quotes found, and of the colon claims."""
    spans: set[Span] = set()
    claims: set[Span] = set()
    for quote in find_quotes(row.text, row.labels.mode):
        (claims if quote.kind == "colon_claim" else spans).add((quote.start, quote.end))
    return spans, claims


def _marked(row: Labelled[SpanLabels]) -> tuple[set[Span], set[Span]]:
    """Spans of the quotes marked, and of the colon claim, which must lie in the text."""
    for span in row.labels.spans:
        row.cut(span, "spans")
    for span in row.labels.colon_claim or ():
        row.cut(span, "colon_claim")
    claims: set[Span] = {row.labels.colon_claim[1]} if row.labels.colon_claim else set()
    return set(row.labels.spans), claims


def _faults(marked: set[Span], found: set[Span], suffix: str = "") -> dict[str, list[list[int]]]:
    if marked == found:
        return {}
    missed, extra = ([list(span) for span in sorted(some)] for some in (marked - found, found - marked))
    return {f"missed{suffix}": missed, f"extra{suffix}": extra}


def report(options: argparse.Namespace) -> Report:
    """The protocol as the command runs it."""
    return evaluate(options.data, options.texts, options.part)
