"""Protocols ``watch`` and ``watch_spans``: how surely watched texts are found, on changed uses and on labelled ones."""

import argparse
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from quotelab.labels.tables import span_of, table_rows
from quotelab.protocols.changed_uses import NEGATIVES, Planted, edited, negatives, plant, restyled
from quotelab.protocols.evaluate import only_file
from quotelab.report import Report
from quotelab.statistics import ratio, share_figures
from quotelake.files.jsonl import refuse
from quotelake.watch.find import Finder, Hit
from quotelake.watch.lists import LEAST_WORDS, read_list
from quotelake.watch.patterns import pattern_of

#: Shares of the words that are edited.
RATES: Final = (0.0, 0.1, 0.2, 0.3)
#: Changed uses made at each rate, at least; texts that only look like a watched one.
USES: Final = 1000
LOOKALIKES: Final = 300
#: Code points by which an end may be off: a mark or a full stop.
TOLERANCE: Final = 2
_SEED: Final = 20240601
_COLUMNS: Final = ("context", "indices_target_token", "lemma")


def evaluate(path: Path) -> Report:
    """Search made uses of the texts of a watch-list for them, and texts that only look like them.

    Args:
        path: a watch-list (:func:`~quotelake.watch.lists.read_list`).

    Returns:
        ``texts``, and ``texts_exact_only``, which are searched for unchanged and left out of what follows. Of each rate
        of edits ``recall_R``: the share of made uses that a hit of their text overlaps; ``spans_R``: the share of these
        hits with both ends within :data:`TOLERANCE`; ``sure_R``: the share of made uses with a sure hit. ``false_hits``
        among ``lookalikes``, by kind too, and ``precision``: right hits among all hits in the uses of all rates and in
        the lookalikes; ``precision_sure``: the same of sure hits.
        Rows: missed uses and false hits.

    Raises:
        InputError: the list cannot be read, or all of its texts are found exactly only.
    """
    listed = read_list(path)
    texts = [text.wordings[0] for text in listed if not pattern_of(0, text.wordings[0]).exact]
    if not texts:
        refuse(str(path), "no text with three words of content", "name a list of longer texts")
    finder, rng = Finder([[text] for text in texts]), random.Random(_SEED)
    figures: dict[str, float] = {"texts": len(listed), "texts_exact_only": len(listed) - len(texts)}
    rows: list[dict[str, Any]] = []
    right = wrong = sure_right = sure_wrong = 0
    each = -(-USES // len(texts))
    for rate in RATES:
        uses = found = exact = sure = 0
        for entry, text in [(entry, text) for entry, text in enumerate(texts) for _ in range(each)]:
            made = plant(restyled(edited(text, rate, rng), rng), rng)
            hits = finder.find(made.text)
            own = [hit for hit in hits if hit.entry == entry and _overlap(hit, made)]
            others = [hit for hit in hits if not _overlap(hit, made)]
            wrong, sure_wrong = wrong + len(others), sure_wrong + sum(hit.sure for hit in others)
            sure += any(hit.sure for hit in own)
            uses, found, exact = uses + 1, found + bool(own), exact + any(_is_at(hit, made) for hit in own)
            if not own:
                rows.append({"fault": "missed", "rate": rate, "watched": text, "text": made.text})
        right, sure_right = right + found, sure_right + sure
        figures |= {f"recall_{rate}": ratio(found, uses), f"spans_{rate}": ratio(exact, found)}
        figures |= {f"sure_{rate}": ratio(sure, uses)}
    kinds: Counter[str] = Counter()
    for kind, text in negatives(texts, LOOKALIKES, rng):
        hits = finder.find(plant(text, rng).text)
        kinds[kind] += bool(hits)
        sure_wrong += any(hit.sure for hit in hits)
        rows += [{"fault": "false", "kind": kind, "watched": texts[hit.entry], "text": text} for hit in hits[:1]]
    wrong += kinds.total()
    figures |= {"uses": each * len(texts) * len(RATES), "lookalikes": LOOKALIKES, "false_hits": kinds.total()}
    figures |= {f"false_hits_{kind}": kinds[kind] for kind in NEGATIVES}
    precisions = {
        "precision": ratio(right, right + wrong),
        "precision_sure": ratio(sure_right, sure_right + sure_wrong),
    }
    return Report("watch", {**figures, **precisions}, rows)


def evaluate_spans(path: Path) -> Report:
    """Search texts for the passages that people marked in them: TSV as in TRoTR (Periti et al. 2024).

    Args:
        path: TSV with the columns ``context``, ``lemma`` (the passage) and ``indices_target_token`` (start:end of its
            use, in code points).

    Returns:
        ``passages``, ``texts``; ``spans``: share of the texts with a hit of the passage of which both ends are within
        :data:`TOLERANCE` of the marked ones, with Wilson's 95 % interval; ``spans_sure``: the share with such a hit
        that is sure; ``overlapping``: share with a hit that overlaps the marked use. Rows: texts whose span was missed.

    Raises:
        InputError: the file cannot be read, or a row is wrong; it names file and line.
    """
    marked = _read_marked(path)
    passages = sorted({passage for passage, _ in marked})
    finder = Finder([[passage] for passage in passages])
    rows: list[dict[str, Any]] = []
    same = sure = overlapping = 0
    for passage, use in marked:
        hits = [hit for hit in finder.find(use.text) if passages[hit.entry] == passage]
        overlapping += any(_overlap(hit, use) for hit in hits)
        sure += any(hit.sure and _is_at(hit, use) for hit in hits)
        if any(_is_at(hit, use) for hit in hits):
            same += 1
        else:
            found = [use.text[hit.start : hit.end] for hit in hits]
            rows.append({"passage": passage, "marked": use.text[use.start : use.end], "found": found})
    figures: dict[str, float] = {
        "passages": len(passages),
        "texts": len(marked),
        **share_figures("spans", same, len(marked)),
        "spans_sure": ratio(sure, len(marked)),
        "overlapping": ratio(overlapping, len(marked)),
        "missed": len(rows),
    }
    return Report("watch_spans", figures, rows)


def _overlap(hit: Hit, use: Planted) -> bool:
    return hit.start < use.end and use.start < hit.end


def _is_at(hit: Hit, use: Planted) -> bool:
    return abs(hit.start - use.start) <= TOLERANCE and abs(hit.end - use.end) <= TOLERANCE


def _read_marked(path: Path) -> Sequence[tuple[str, Planted]]:
    """Passage and marked use of each row."""
    found = []
    for place, row in table_rows(path, _COLUMNS, quoted=False):
        start, end = span_of(f"{place}: field indices_target_token", row["indices_target_token"])
        if end > len(row["context"]):
            refuse(place, f"an end at {end}", f"the context has {len(row['context'])} characters")
        if len(pattern_of(0, row["lemma"]).words) < LEAST_WORDS:
            refuse(f"{place}: field lemma", repr(row["lemma"]), f"give at least {LEAST_WORDS} words")
        found.append((row["lemma"], Planted(row["context"], start, end)))
    return found or refuse(str(path), "no row", "give a TSV file with a row for each use")


def report(options: argparse.Namespace) -> Report:
    """The protocol as the command runs it."""
    return evaluate(only_file(options))


def report_spans(options: argparse.Namespace) -> Report:
    """The protocol ``watch_spans`` as the command runs it."""
    return evaluate_spans(only_file(options))
