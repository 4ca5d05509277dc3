"""Protocol ``pages``: headline and body that are read from web pages, compared with those that are named for them.

The folder holds the pages, and ``gold.jsonl`` with an object for each: ``file``, its name; ``headline`` and ``body``,
either of which may be missing; optionally ``outlet``, and ``url``, where the page was fetched from. Headlines are equal
if their words are. Bodies are compared by ROUGE-L (Lin 2004): the longest common subsequence of words, and its F-score.
"""

from collections import Counter
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from rapidfuzz.distance import LCSseq

from quotelab.report import Report
from quotelab.statistics import share_figures
from quotelake.errors import InputError
from quotelake.files.jsonl import json_lines
from quotelake.sources.web_pages import page_record, word_list
from quotelake.text.words import words

_LIMIT: Final = 50_000_000  # the longest page that is read, in bytes


def evaluate(folder: Path) -> Report:
    """Read the pages of a folder and compare them.

    Figures: Counts of ``pages``, ``outlets``, pages that gave no record (``no_record``) and bodies that are taken for a
    part of theirs (``truncated``). ``headline`` is the share of headlines that are right, of those that are named, with
    Wilson's 95 % interval; the others are ``headline_empty`` or ``headline_wrong``. ``rouge_l`` is the mean of the
    F-scores of bodies, ``body_precision`` and ``body_recall`` those of its parts, 0 for a page without a body. A row is
    a page.
    """
    rows = [_row(folder, place, gold) for place, gold in json_lines(folder / "gold.jsonl")]
    if not rows:
        raise InputError(f"{folder / 'gold.jsonl'}: names no page")
    outcomes = Counter(row["headline"] for row in rows)
    named = sum(outcomes[each] for each in ("right", "wrong", "empty"))
    bodies = [row for row in rows if row["rouge_l"] is not None]
    figures: dict[str, float] = {"pages": len(rows), "outlets": len({row["outlet"] for row in rows} - {None})}
    figures |= {"no_record": sum(bool(row["reason"]) for row in rows)}
    figures |= {"truncated": sum(row["body_status"] == "truncated" for row in rows)}
    figures |= share_figures("headline", outcomes["right"], named)
    figures |= {f"headline_{each}": outcomes[each] for each in ("empty", "wrong")} | {"bodies": len(bodies)}
    for name in ("rouge_l", "body_precision", "body_recall"):
        figures[name] = fmean([row[name] for row in bodies] or [0.0])
    return Report("pages", figures, rows)


def _row(folder: Path, place: str, gold: Any) -> dict[str, Any]:
    if not isinstance(gold, dict) or not isinstance(gold.get("file"), str):
        raise InputError(f"{place}: names no page; expected an object with file, headline and body")
    path = folder / gold["file"]
    try:
        record = page_record(0, path.read_bytes(), _LIMIT, url=gold.get("url"))
    except OSError as error:
        raise InputError(f"{place}: the page {path} cannot be read: {error.strerror}") from None
    found = record.value or {}
    headline, body = found.get("headline") or "", found.get("body") or ""
    row = {"file": gold["file"], "outlet": gold.get("outlet"), "reason": record.reason and str(record.reason)}
    row |= {"headline": "unknown", "found": headline, "body_status": found.get("body_status")}
    if gold.get("headline"):
        is_right = word_list(headline) == word_list(gold["headline"])
        row["headline"] = "right" if is_right else "wrong" if headline else "empty"
    row |= dict.fromkeys(("rouge_l", "body_precision", "body_recall"))
    if gold.get("body"):
        ours, theirs = words(body), words(gold["body"])
        common = LCSseq.similarity(ours, theirs)
        row["rouge_l"] = 2 * common / (len(ours) + len(theirs))
        row["body_precision"], row["body_recall"] = common / max(len(ours), 1), common / max(len(theirs), 1)
    return row
