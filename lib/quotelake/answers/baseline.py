"""The last run beside the median of the runs before it: documents of each source and outlet, seconds of each stage."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from itertools import pairwise, takewhile
from statistics import median
from typing import Any, Final

from quotelake.answers.words import ENGLISH, Words
from quotelake.lake.runs import COMPLETE, RECOVERED, SOURCES
from quotelake.query.engines import Rows
from quotelake.text.words import shortened, visible

#: Of fewer runs there is no baseline: a week has each weekday [ours].
_LEAST_RUNS: Final = 7
#: Far from the baseline: documents of a source below its half or above its double, or a stage of over twice the seconds
#: and over ten, as starting Spark's workers alone varies by seconds [ours].
_FACTOR: Final = 2.0
_LEAST_SECONDS: Final = 10.0
#: Between two nights, before three runs have brought documents [ours].
_LEAST_GAP: Final = timedelta(hours=2)
#: Documents by source and seconds by stage, under ``("source", name)`` and ``("stage", name)``.
Figures = dict[tuple[str, str], float]


def compare_runs(stages: Iterable[Mapping[str, Any]]) -> Rows:
    """Compare the last complete run with those before it, by rows of the statement ``stages`` in any order.

    A run that brought no document is no part of a baseline. A source that a run did not read gave it 0 documents. Rows
    of each source, then of each stage have ``kind`` and ``name``; ``value``, documents or seconds; ``median`` of the
    runs before, None where they are too few; ``ratio`` of the two; ``far``: a message if it is far, else None.
    """
    last, before = _figures_of(stages)
    found = []
    for key in sorted({*last, *(key for figures in before.values() for key in figures if key[0] == "source")}):
        (kind, name), value, far = key, last.get(key, 0), None
        past = [figures.get(key, 0) for figures in before.values() if kind == "source" or key in figures]
        usual = _median(past)
        if usual and kind == "source" and not usual <= value * _FACTOR <= usual * _FACTOR**2:
            far = f"source {name}: {value:,.0f} documents; the median of {len(past)} runs is {usual:,.0f}"
        if usual and kind == "stage" and value >= max(usual * _FACTOR, _LEAST_SECONDS):
            far = f"stage {name}: {value:,.0f} s; the median of {len(past)} runs is {usual:,.0f} s"
        ratio = round(value / usual, 3) if usual else None
        found.append({"kind": kind, "name": name, "value": value, "median": usual, "ratio": ratio, "far": far})
    return found


def feed_norms(stages: Rows, outlets: Iterable[Mapping[str, Any]]) -> Rows:
    """Documents of each source, then of each outlet, in the last run, and their median in runs that brought documents.

    Arguments are rows of the statements ``stages`` and ``outlet_runs``. The largest outlet comes first. Rows have
    ``source``; ``outlet``, None for a whole source; ``documents``; ``norm``, None where the runs are too few.
    """
    sources = [
        {"source": row["name"], "outlet": None, "documents": int(row["value"]), "norm": row["median"]}
        for row in compare_runs(stages)
        if row["kind"] == "source"
    ]
    _, before = _figures_of(stages)
    counts = defaultdict[tuple[str, str], Counter[int]](Counter)
    for row in outlets:
        if row["outlet"] is not None:
            counts[row["source"], row["outlet"]][row["nth"]] += row["documents"]
    found: Rows = []
    for (source, outlet), by_run in counts.items():
        usual = _median([by_run[nth] for nth in before])
        found.append({"source": source, "outlet": outlet, "documents": by_run[1], "norm": usual})
    found.sort(key=lambda row: (-(row["norm"] or 0), -row["documents"], row["source"], row["outlet"]))
    return sources + found


def silent_feeds(stages: Rows, outlets: Iterable[Mapping[str, Any]], least_documents: int) -> Rows:
    """Rows of :func:`feed_norms` of which the last run brought nothing, or less than half of their median.

    An outlet is silent only if its median is ``least_documents`` (the setting ``report.norm_documents``) or more, and
    its source is not silent as a whole. Without a baseline a run is silent that brought nothing at all though an
    earlier one did: one row, whose ``source`` is None. Nothing is silent in a run that had no inputs. The runs of a
    night count as one. Each row has a ``message`` too, a sentence.
    """
    repeats = _repeats(stages)
    stages, outlets = ([{**row, "nth": max(1, row["nth"] - repeats)} for row in rows] for rows in (stages, outlets))
    last, before = _figures_of(stages)
    came = [value for (kind, _), value in last.items() if kind == "source"]
    if not came:
        return []
    few = [row for row in feed_norms(stages, outlets) if row["norm"] and row["documents"] * _FACTOR < row["norm"]]
    whole = {row["source"] for row in few if row["outlet"] is None}
    if not few and before and not any(came):
        few = [{"source": None, "outlet": None, "documents": 0, "norm": None}]
    return [
        {**row, "message": silent_message(row, ENGLISH)}
        for row in few
        if row["outlet"] is None or (row["source"] not in whole and row["norm"] >= least_documents)
    ]


def silent_message(row: Mapping[str, Any], phrases: Words) -> str:
    """A row of :func:`silent_feeds` as a sentence."""
    if row["source"] is None:
        return phrases.text("silent.all")
    name, source = shortened(visible(row["outlet"] or row["source"]), 80), row["source"]
    feed = phrases.text("silent.source" if row["outlet"] is None else "silent.outlet", name=name, source=source)
    came = phrases.text("silent.some", row["documents"]) if row["documents"] else phrases.text("silent.nothing")
    return phrases.text("silent.brought", feed=feed, came=came, usual=phrases.number(row["norm"]))


def _repeats(stages: Rows) -> int:
    """How many runs before the last one are of the same night.

    They have its label, and less than half of the usual time between runs that bring documents passed since them.
    """
    runs = {row["nth"]: row for row in stages if row["stage"] == COMPLETE}
    starts = [runs[nth]["started_at"] for nth in sorted(_figures_of(stages)[1])]
    gaps = [later - earlier for later, earlier in pairwise(starts)]
    near = (median(gaps) if len(gaps) > 1 else _LEAST_GAP) / 2
    pairs = ((runs[1], runs[nth]) for nth in sorted(runs) if nth > 1)
    is_same = (a["night"] == b["night"] and a["started_at"] - b["started_at"] < near for a, b in pairs)
    return sum(takewhile(bool, is_same))


def _figures_of(stages: Iterable[Mapping[str, Any]]) -> tuple[Figures, dict[int, Figures]]:
    """Figures of the last run, and those of the runs before it that brought documents."""
    runs, end = defaultdict[int, Figures](dict), ".documents"
    for row in stages:
        figures = runs[row["nth"]]
        if row["stage"] == SOURCES:
            counts = row["counts"]
            for name in (each for each in counts if each.endswith(end)):
                source = "source", name.removesuffix(end)
                figures[source] = figures.get(source, 0) + counts[name]
        elif row["stage"] not in (COMPLETE, RECOVERED, "killed"):
            figures["stage", row["stage"]] = row["seconds"]
    last = runs.pop(1, {})
    came = {nth: any(value for (kind, _), value in its.items() if kind == "source") for nth, its in runs.items()}
    return last, {nth: its for nth, its in runs.items() if came[nth]}


def _median(past: Sequence[float]) -> float | None:
    return median(past) if len(past) >= _LEAST_RUNS else None
