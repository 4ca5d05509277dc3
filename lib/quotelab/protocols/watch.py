"""Protocol ``watch``: how surely watched texts are found, on changed uses that are made with a seed."""

import random
from collections import Counter
from pathlib import Path
from typing import Any, Final

from quotelab.protocols.changed_uses import NEGATIVES, Planted, edited, negatives, plant, restyled
from quotelab.report import Report
from quotelab.statistics import ratio
from quotelake.files.jsonl import refuse
from quotelake.watch.find import Finder, Hit
from quotelake.watch.lists import read_list
from quotelake.watch.patterns import pattern_of

#: Shares of the words that are edited.
RATES: Final = (0.0, 0.1, 0.2, 0.3)
#: Changed uses made at each rate, at least; texts that only look like a watched one.
USES: Final = 1000
LOOKALIKES: Final = 300
#: Code points by which an end may be off: a mark or a full stop.
TOLERANCE: Final = 2
_SEED: Final = 20240601


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
            own = [hit for hit in hits if hit.entry == entry and overlaps(hit, made)]
            others = [hit for hit in hits if not overlaps(hit, made)]
            wrong, sure_wrong = wrong + len(others), sure_wrong + sum(hit.sure for hit in others)
            sure += any(hit.sure for hit in own)
            uses, found, exact = uses + 1, found + bool(own), exact + any(is_at(hit, made) for hit in own)
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


def overlaps(hit: Hit, use: Planted) -> bool:
    """Whether a hit shares a character with a use."""
    return hit.start < use.end and use.start < hit.end


def is_at(hit: Hit, use: Planted) -> bool:
    """Whether both ends of a hit are within :data:`TOLERANCE` of those of a use."""
    return abs(hit.start - use.start) <= TOLERANCE and abs(hit.end - use.end) <= TOLERANCE
