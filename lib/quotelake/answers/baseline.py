"""The last run beside the median of the runs before it: documents of each source and outlet, seconds of each stage."""

from collections.abc import Iterable, Mapping
from statistics import median
from typing import Any, Final

from quotelake.answers.words import ENGLISH, Words
from quotelake.lake.runs import COMPLETE, RECOVERED, SOURCES
from quotelake.query.engines import Rows
from quotelake.text.words import shortened, visible

#: Runs before the last one that its baseline is made of: four weeks, of each weekday four [ours].
_RUNS: Final = 28
#: Of fewer runs there is no baseline: a week has each weekday [ours].
_LEAST_RUNS: Final = 7
#: Far from the baseline: documents of a source below its half or above its double, or a stage of over twice the seconds
#: and over ten, as starting Spark's workers alone varies by seconds [ours].
_FACTOR: Final = 2.0
_LEAST_SECONDS: Final = 10.0
#: Statement for the stages of the last complete run, and of the runs that its baseline is made of.
STAGES: Final = f"SELECT nth, stage, seconds, counts FROM run_summary WHERE nth <= {_RUNS + 1}"
#: Statement for the documents that each outlet of each source had in the same runs.
OUTLET_RUNS: Final = (
    "SELECT n.nth, o.source, o.outlet, CAST(sum(o.documents) AS BIGINT) AS documents FROM outlet_runs o "
    f"JOIN (SELECT DISTINCT run_id, nth FROM run_summary WHERE nth <= {_RUNS + 1}) n "
    "ON n.run_id = o.run_id GROUP BY n.nth, o.source, o.outlet"
)


def compare_runs(stages: Iterable[Mapping[str, Any]]) -> Rows:
    """Compare the last complete run with those before it.

    A run that read no file is no part of a baseline. A source that a run did not read gave it 0 documents.
    ``stages`` are rows of :data:`STAGES`, in any order.

    Returns:
        Of each source, then of each stage: ``kind`` and ``name``; ``value``, documents or seconds; ``median`` of the
        runs before, None where they are too few; ``ratio`` of the two; ``far``: a message if it is far, else None.
    """
    runs: dict[int, dict[tuple[str, str], float]] = {}
    for row in stages:
        runs.setdefault(row["nth"], {}).update(_figures_of(row))
    last = runs.pop(1, {})
    before = [figures for figures in runs.values() if any(kind == "source" for kind, _ in figures)]
    found = []
    for kind, name in sorted({*last, *(key for figures in before for key in figures if key[0] == "source")}):
        value, past = last.get((kind, name), 0), [each[kind, name] for each in before if (kind, name) in each]
        if kind == "source":
            past += [0] * (len(before) - len(past))
        usual = median(past) if len(past) >= _LEAST_RUNS else None
        ratio, far = round(value / usual, 3) if usual else None, None
        if usual and kind == "source" and not usual <= value * _FACTOR <= usual * _FACTOR**2:
            far = f"source {name}: {value:,.0f} documents; the median of {len(past)} runs is {usual:,.0f}"
        if usual and kind == "stage" and value >= max(usual * _FACTOR, _LEAST_SECONDS):
            far = f"stage {name}: {value:,.0f} s; the median of {len(past)} runs is {usual:,.0f} s"
        found.append({"kind": kind, "name": name, "value": value, "median": usual, "ratio": ratio, "far": far})
    return found


def source_norms(stages: Iterable[Mapping[str, Any]]) -> Rows:
    """Documents of each source in the last run beside their median: rows as of :func:`outlet_norms`, outlet None."""
    return [
        {"source": row["name"], "outlet": None, "documents": int(row["value"]), "norm": row["median"]}
        for row in compare_runs(stages)
        if row["kind"] == "source"
    ]


def outlet_norms(stages: Iterable[Mapping[str, Any]], outlets: Iterable[Mapping[str, Any]]) -> Rows:
    """Documents of each outlet in the last run beside their median in earlier runs that read files; largest first.

    Arguments are as for :func:`silent_feeds`. Rows have ``source``, ``outlet``, ``documents``; ``norm``, None without.
    """
    read = {row["nth"] for row in stages if row["nth"] > 1 and row["stage"] == SOURCES and _figures_of(row)}
    counts: dict[tuple[str, str], dict[int, int]] = {}
    for row in outlets:
        if row["outlet"] is not None:
            counts.setdefault((row["source"], row["outlet"]), {})[row["nth"]] = row["documents"]
    found = []
    for (source, outlet), by_run in counts.items():
        usual = median(by_run.get(nth, 0) for nth in read) if len(read) >= _LEAST_RUNS else None
        found.append({"source": source, "outlet": outlet, "documents": by_run.get(1, 0), "norm": usual})
    return sorted(found, key=lambda row: (-(row["norm"] or 0), -row["documents"], row["source"], row["outlet"]))


def silent_feeds(stages: Rows, outlets: Iterable[Mapping[str, Any]], least_documents: int) -> Rows:
    """Sources and outlets of which the last run brought nothing, or less than half of their median.

    An outlet is silent only if its median is ``least_documents`` or more, and its source is not silent as a whole.
    Without a baseline nothing is silent, nor in a run that read no file.

    Args:
        stages: rows of :data:`STAGES`.
        outlets: rows of :data:`OUTLET_RUNS`.
        least_documents: the setting ``report.norm_documents``.

    Returns:
        Rows with ``source``; ``outlet``, None for the whole source; ``documents``; ``norm``; ``message``, a sentence.
    """
    if not any(row["nth"] == 1 and row["stage"] == SOURCES and _figures_of(row) for row in stages):
        return []

    found: Rows = []
    for rows, least in ((source_norms(stages), 0), (outlet_norms(stages, outlets), least_documents)):
        whole = {row["source"] for row in found}
        few = [row for row in rows if row["norm"] and row["documents"] * _FACTOR < row["norm"]]
        found += [row for row in few if row["source"] not in whole and row["norm"] >= least]
    return [{**row, "message": silent_message(row, ENGLISH)} for row in found]


def silent_message(row: Mapping[str, Any], phrases: Words) -> str:
    """A row of :func:`silent_feeds` as a sentence."""
    name, source = shortened(visible(row["outlet"] or row["source"]), 80), row["source"]
    feed = phrases.text("silent.source" if row["outlet"] is None else "silent.outlet", name=name, source=source)
    came = phrases.text("silent.some", row["documents"]) if row["documents"] else phrases.text("silent.nothing")
    return phrases.text("silent.brought", feed=feed, came=came, usual=phrases.number(row["norm"]))


def _figures_of(row: Mapping[str, Any]) -> dict[tuple[str, str], float]:
    """Documents of each source, or seconds of a stage, in a row of ``run_summary``."""
    counts, end = row["counts"], ".documents"
    if row["stage"] == SOURCES:
        return {("source", name.removesuffix(end)): counts[name] for name in counts if name.endswith(end)}
    return {} if row["stage"] in (COMPLETE, RECOVERED, "killed") else {("stage", row["stage"]): row["seconds"]}
