"""Protocol ``watch_spans``: how surely passages are found where people marked them."""

from pathlib import Path
from typing import Any

from quotelab.labels.tables import span_of, table_rows
from quotelab.protocols.watch import Planted
from quotelab.report import Report
from quotelab.statistics import ratio, share_figures
from quotelake.files.jsonl import refuse
from quotelake.watch.find import Finder
from quotelake.watch.lists import MIN_WORDS
from quotelake.watch.words import pattern_of


def evaluate(path: Path) -> Report:
    """Search texts for the passages that people marked in them: TSV as in TRoTR (Periti et al. 2024).

    Figures: ``spans``: share of the texts with a hit of the passage of which both ends are within :data:`TOLERANCE` of
    the marked ones, with Wilson's 95 % interval; ``spans_sure``: the share with such a hit that is sure;
    ``overlapping``: share with a hit that overlaps the marked use. Rows: texts whose span was missed.
    """
    marked: list[tuple[str, Planted]] = []
    for place, row in table_rows(path, ("context", "indices_target_token", "lemma"), quoted=False):
        start, end = span_of(place, row)
        if len(pattern_of(0, row["lemma"]).words) < MIN_WORDS:
            refuse(f"{place}: field lemma", repr(row["lemma"]), f"give at least {MIN_WORDS} words")
        marked.append((row["lemma"], Planted(row["context"], start, end)))
    if not marked:
        refuse(str(path), "no row", "give a TSV file with a row for each use")
    passages = sorted({passage for passage, _ in marked})
    finder = Finder([[passage] for passage in passages])
    rows: list[dict[str, Any]] = []
    sure = overlapping = 0
    for passage, use in marked:
        hits = [hit for hit in finder.find(use.text) if passages[hit.entry] == passage]
        overlapping += any(use.overlaps(hit) for hit in hits)
        sure += any(hit.sure and use.is_at(hit) for hit in hits)
        if not any(use.is_at(hit) for hit in hits):
            found = [use.text[hit.start : hit.end] for hit in hits]
            rows.append({"passage": passage, "marked": use.text[use.start : use.end], "found": found})
    figures: dict[str, float] = {"passages": len(passages), "texts": len(marked)}
    figures |= share_figures("spans", len(marked) - len(rows), len(marked))
    figures |= {"spans_sure": ratio(sure, len(marked)), "overlapping": ratio(overlapping, len(marked))}
    return Report("watch_spans", figures | {"missed": len(rows)}, rows)
