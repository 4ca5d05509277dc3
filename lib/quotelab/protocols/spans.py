"""Protocol ``spans``: quotes found, compared with those that people marked; a span matches if both ends agree.

Quotes of all depths count. Colon claims (*Bank chief: We will not cut rates*) have no marks: they are measured
separately, over the rows that say whether there is one.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal

from quotelab.labels.texts import Labels, LabelSpan, read_labels
from quotelab.report import Report
from quotelab.statistics import Span, retrieval_figures
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
    spans, claims = Counter[str](), Counter[str]()
    texts_exact = claims_judged = 0
    rows: list[dict[str, Any]] = []
    labelled = read_labels(data, SpanLabels, texts, part)
    for row in labelled:
        labels = row.labels
        found: dict[bool, set[Span]] = {True: set(), False: set()}
        for quote in find_quotes(row.text, labels.mode):
            found[quote.kind == "colon_claim"].add((quote.start, quote.end))
        marked = {*labels.spans}
        texts_exact += marked == found[False]
        faults = _compare(marked, found[False], spans)
        if "colon_claim" in labels.model_fields_set:
            marked_claims = {labels.colon_claim[1]} if labels.colon_claim else set()
            claims_judged += 1
            faults |= _compare(marked_claims, found[True], claims, "_claims")
        if faults:
            rows.append({"place": row.place, "id": labels.id, "mode": labels.mode} | faults)
    figures: dict[str, float] = {"texts": len(labelled), "texts_exact": texts_exact}
    figures |= {**spans, **retrieval_figures(**spans)}
    if claims_judged:
        figures |= {f"colon_claims_{name}": claims[name] for name in ("labelled", "found")}
        shares = retrieval_figures(**claims)
        figures |= {f"colon_claim_{name}": shares[name] for name in ("precision", "recall")}
    return Report("spans", figures, rows)


def _compare(marked: set[Span], found: set[Span], counts: Counter[str], suffix: str = "") -> dict[str, list[list[int]]]:
    """Count spans; return those missed and those found wrongly where there are some."""
    counts.update(labelled=len(marked), found=len(found), matched=len(marked & found))
    if marked == found:
        return {}
    missed, extra = ([list(span) for span in sorted(some)] for some in (marked - found, found - marked))
    return {f"missed{suffix}": missed, f"extra{suffix}": extra}
