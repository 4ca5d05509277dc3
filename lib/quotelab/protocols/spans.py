"""Protocol ``spans``: quotes found, compared with those that people marked; a span matches if both ends agree.

Quotes of all depths count. Colon claims (*Bank chief: We will not cut rates*) have no marks: they are measured
separately, over the rows that say whether there is one.
"""

from collections.abc import Sequence
from typing import Any, Literal

from quotelab.labels.texts import Labels, LabelSpan, read_labels
from quotelab.report import Report
from quotelab.statistics import Counts, Span, count_spans
from quotelake.quotes.spans import find_quotes


class SpanLabels(Labels):
    """The quotes of a text, without their marks, and the spans of speaker and claim if it is a colon claim.

    ``colon_claim`` is null if there is none, and absent if nobody looked for one.
    """

    mode: Literal["body", "headline", "tweet"]
    spans: tuple[LabelSpan, ...]
    colon_claim: tuple[LabelSpan, LabelSpan] | None = None


def evaluate(data: Sequence[str], texts: Sequence[str] = (), part: str | None = None) -> Report:
    """Compare the quotes found with those marked.

    Figures: precision, recall and f1 (micro-averaged over all rows), with the counts behind them; the same for colon
    claims where rows are labelled for them. A row of the report is a text with a missed or an extra span.
    """
    spans, claims = Counts(), Counts()
    texts_exact = claims_judged = 0
    rows: list[dict[str, Any]] = []
    labelled = read_labels(data, SpanLabels, texts, part)
    for row in labelled:
        labels = row.labels
        found: dict[bool, set[Span]] = {True: set(), False: set()}
        for quote in find_quotes(row.text, labels.mode):
            found[quote.kind == "colon_claim"].add((quote.start, quote.end))
        marked = {*labels.spans}
        spans += count_spans(marked, found[False])
        texts_exact += marked == found[False]
        faults = _faults(marked, found[False])
        if "colon_claim" in labels.model_fields_set:
            marked_claims = {labels.colon_claim[1]} if labels.colon_claim else set()
            claims_judged += 1
            claims += count_spans(marked_claims, found[True])
            faults |= _faults(marked_claims, found[True], "_claims")
        if faults:
            rows.append({"place": row.place, "id": labels.id, "mode": labels.mode} | faults)
    figures: dict[str, float] = {"texts": len(labelled), "texts_exact": texts_exact}
    figures |= {"labelled": spans.labelled, "found": spans.found, "matched": spans.matched}
    figures |= {"precision": spans.precision, "recall": spans.recall, "f1": spans.f1}
    if claims_judged:
        figures |= {"colon_claims_labelled": claims.labelled, "colon_claims_found": claims.found}
        figures |= {"colon_claim_precision": claims.precision, "colon_claim_recall": claims.recall}
    return Report("spans", figures, rows)


def _faults(marked: set[Span], found: set[Span], suffix: str = "") -> dict[str, list[list[int]]]:
    if marked == found:
        return {}
    missed, extra = ([list(span) for span in sorted(some)] for some in (marked - found, found - marked))
    return {f"missed{suffix}": missed, f"extra{suffix}": extra}
