"""Protocol ``trimmed``: uses that cut what changes the meaning of a quote, against those that a file states."""

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, StrictBool, StrictInt, StrictStr

from quotelab.grouping import group_texts
from quotelab.labels.texts import read_rows
from quotelab.report import Report
from quotelab.statistics import ratio, share_figures
from quotelake.files.jsonl import refuse
from quotelake.quotes.extract import quotes_of_document
from quotelake.reuse.comparisons import AROUND, CARRIERS, Use, certain_speaker, compare, use_of


class LabelledArticle(BaseModel):
    """An article, and the use of a quote in it (:mod:`quotelab.synthetic.trimmed`); offsets are code points."""

    model_config = ConfigDict(frozen=True)

    group: StrictStr
    outlet: StrictStr
    text: StrictStr
    start: StrictInt
    end: StrictInt
    kind: StrictStr
    trimmed: StrictBool


def evaluate(path: Path, carriers: int = CARRIERS) -> Report:
    """Find the quotes of articles, group them, and compare the uses of each group as a run does, without Spark.

    ``carriers``: how many other outlets must carry what is cut.

    Figures: ``articles``, ``trimmed`` stated, ``flagged``, ``precision`` and ``recall`` of the flag with Wilson's 95 %
    intervals; of each kind ``flagged_KIND``. Rows: uses that are flagged wrongly or missed.
    """
    stated: list[LabelledArticle] = []
    uses: list[Use] = []
    for place, row in read_rows(LabelledArticle, path):
        if not 0 <= row.start < row.end <= len(row.text):
            advice = f"give offsets in the text, which has {len(row.text)} characters"
            refuse(place, f"the quote {[row.start, row.end]}", advice)
        use = _use(str(len(stated)), row)
        uses += [use] if use else []
        stated.append(row)
    groups = defaultdict[str | None, list[Use]](list)
    for use, group in zip(uses, group_texts([use.text for use in uses]), strict=True):
        groups[group].append(use)
    several = [each for each in groups.values() if len({use.outlet for use in each}) > 1]
    compared = (one for each in several for one in compare(each, carriers))
    flagged = {int(one.use.quote_id) for one in compared if one.trimmed}
    right = {number for number, row in enumerate(stated) if row.trimmed}
    both = len(flagged & right)
    figures: dict[str, float] = {"articles": len(stated), "trimmed": len(right), "flagged": len(flagged)}
    for name, of in (("precision", flagged), ("recall", right)):
        figures |= share_figures(name, both, len(of))
    kinds = Counter(row.kind for row in stated)
    hits = Counter(stated[number].kind for number in flagged)
    for kind in sorted(kinds):
        figures |= {f"flagged_{kind}": ratio(hits[kind], kinds[kind]), f"flagged_{kind}_items": kinds[kind]}
    faults: list[dict[str, Any]] = [
        {"fault": "false" if number in flagged else "missed", **stated[number].model_dump()}
        for number in sorted(flagged ^ right)
    ]
    return Report("trimmed", figures, faults)


def _use(name: str, row: LabelledArticle) -> Use | None:
    """The quote of an article as a use; None if no quote is found there."""
    document = {"doc_id": name, "kind": "news", "language": "en", "headline": None, "body": row.text}
    for quote in quotes_of_document(document, ""):
        start, end = quote["start"], quote["end"]
        if quote["depth"] == 0 and start < row.end and row.start < end and quote["variant_id"]:
            around = {"before": row.text[max(start - AROUND, 0) : start], "after": row.text[end : end + AROUND]}
            speaker = certain_speaker(quote["speaker"])
            named = {"quote_id": name, "native_key": name, "outlet": row.outlet, "speaker": speaker}
            return use_of({**document, **quote, **around, **named})
    return None
