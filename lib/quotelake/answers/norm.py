"""A run held against the median of the runs before it: documents of each source and outlet, seconds of each stage."""

from collections.abc import Iterable, Mapping
from statistics import median
from typing import Any

from quotelake.answers.words import ENGLISH, Words
from quotelake.lake.runs import COMPLETE, SOURCES, TAKEN_UP
from quotelake.settings import ReportSettings
from quotelake.text.printable import shortened, visible


def norm_query(settings: ReportSettings) -> str:
    """Statement for the stages of the last run that was completed, and of the runs that its norm is made of."""
    return f"SELECT nth, stage, seconds, counts FROM run_summary WHERE nth <= {settings.norm_runs + 1}"


def compare(rows: Iterable[Mapping[str, Any]], settings: ReportSettings) -> list[dict[str, Any]]:
    """Hold the last run that was completed against those before it.

    A run that read no file is no part of a norm, nor is one of an earlier release, which counted no sources. A source
    that a run did not read gave it 0 documents.

    Args:
        rows: of :func:`norm_query`, in any order.
        settings: what is far, and how many runs are a norm.

    Returns:
        Of each source, then of each stage: ``kind`` and ``name``; ``value``, documents or seconds; ``median`` of the
        runs before, None where they are too few; ``ratio`` of the two; ``far``: what to say if it is far, else None.
    """
    runs: dict[int, dict[tuple[str, str], float]] = {}
    for row in rows:
        runs.setdefault(row["nth"], {}).update(_values(row))
    now = runs.pop(1, {})
    before = [values for values in runs.values() if any(kind == "source" for kind, _ in values)]
    found = []
    for kind, name in sorted({*now, *(key for values in before for key in values if key[0] == "source")}):
        value, past = now.get((kind, name), 0), [values[kind, name] for values in before if (kind, name) in values]
        if kind == "source":
            past += [0] * (len(before) - len(past))
        norm = median(past) if len(past) >= settings.norm_least else None
        ratio, far = round(value / norm, 3) if norm else None, None
        if norm and kind == "source" and not norm <= value * settings.norm_factor <= norm * settings.norm_factor**2:
            far = f"source {name}: {value:,.0f} documents; the median of {len(past)} runs is {norm:,.0f}"
        if norm and kind == "stage" and value >= max(norm * settings.norm_factor, settings.norm_seconds):
            far = f"stage {name}: {value:,.0f} s; the median of {len(past)} runs is {norm:,.0f} s"
        found.append({"kind": kind, "name": name, "value": value, "median": norm, "ratio": ratio, "far": far})
    return found


def outlets_query(settings: ReportSettings) -> str:
    """Statement for the documents that each outlet of each source had in the last run and in those of its norm."""
    return (
        "SELECT n.nth, o.source, o.outlet, CAST(sum(o.documents) AS BIGINT) AS documents FROM outlet_runs o "
        f"JOIN (SELECT DISTINCT run_id, nth FROM run_summary WHERE nth <= {settings.norm_runs + 1}) n "
        "ON n.run_id = o.run_id GROUP BY n.nth, o.source, o.outlet"
    )


def outlet_norms(
    rows: Iterable[Mapping[str, Any]], outlets: Iterable[Mapping[str, Any]], settings: ReportSettings
) -> list[dict[str, Any]]:
    """Hold the documents of each outlet against its median in the runs before that read files, the largest norm first.

    Arguments are as for :func:`silent_feeds`. Rows have ``source``, ``outlet``, ``documents``; ``norm``, None without.
    """
    read = {row["nth"] for row in rows if _values(row) and row["stage"] == SOURCES and row["nth"] > 1}
    counts: dict[tuple[str, str], dict[int, int]] = {}
    for row in outlets:
        if row["outlet"] is not None:
            counts.setdefault((row["source"], row["outlet"]), {})[row["nth"]] = row["documents"]
    found = []
    for (source, outlet), by_run in counts.items():
        norm = median(by_run.get(nth, 0) for nth in read) if len(read) >= settings.norm_least else None
        found.append({"source": source, "outlet": outlet, "documents": by_run.get(1, 0), "norm": norm})
    return sorted(found, key=lambda row: (-(row["norm"] or 0), -row["documents"], row["source"], row["outlet"]))


def silent_feeds(
    rows: Iterable[Mapping[str, Any]], outlets: Iterable[Mapping[str, Any]], settings: ReportSettings
) -> list[dict[str, Any]]:
    """Sources and outlets of which the last run brought nothing, or less than their norm divided by ``norm_factor``.

    An outlet is silent only if its norm is ``norm_documents`` or more, and its source is not silent as a whole. Without
    a norm nothing is silent, nor in a run that read no file.

    Args:
        rows: of :func:`norm_query`.
        outlets: of :func:`outlets_query`.
        settings: what is far, and how many runs are a norm.

    Returns:
        Rows with ``source``; ``outlet``, None for the whole source; ``documents``; ``norm``; ``message``, a sentence.
    """
    rows = list(rows)
    if not any(row["nth"] == 1 and row["stage"] == SOURCES and _values(row) for row in rows):
        return []
    found = [
        {"source": row["name"], "outlet": None, "documents": int(row["value"]), "norm": row["median"]}
        for row in compare(rows, settings)
        if row["kind"] == "source" and row["median"] and row["value"] * settings.norm_factor < row["median"]
    ]
    whole = {row["source"] for row in found}
    found += [
        row
        for row in outlet_norms(rows, outlets, settings)
        if row["source"] not in whole
        and (row["norm"] or 0) >= settings.norm_documents
        and row["documents"] * settings.norm_factor < row["norm"]
    ]
    return [{**row, "message": silent_message(row, ENGLISH)} for row in found]


def silent_message(row: Mapping[str, Any], say: Words) -> str:
    """What to say of a row of :func:`silent_feeds`, in a language."""
    name, source = shortened(visible(row["outlet"] or row["source"]), 80), row["source"]
    feed = say.text("silent.source" if row["outlet"] is None else "silent.outlet", name=name, source=source)
    came = say.text("silent.some", row["documents"]) if row["documents"] else say.text("silent.nothing")
    return say.text("silent.brought", feed=feed, came=came, usual=say.number(row["norm"]))


def _values(row: Mapping[str, Any]) -> dict[tuple[str, str], float]:
    counts, end = row["counts"], ".documents"
    if row["stage"] == SOURCES:
        return {("source", name.removesuffix(end)): counts[name] for name in counts if name.endswith(end)}
    return {} if row["stage"] in (COMPLETE, TAKEN_UP, "killed") else {("stage", row["stage"]): row["seconds"]}
