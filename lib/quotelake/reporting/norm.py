"""A run held against the median of the runs before it: the documents of each source and the seconds of each stage."""

from collections.abc import Iterable, Mapping
from statistics import median
from typing import Any

from quotelake.lake.runs import COMPLETE, SOURCES, TAKEN_UP
from quotelake.settings import ReportSettings


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


def _values(row: Mapping[str, Any]) -> dict[tuple[str, str], float]:
    counts, end = row["counts"], ".documents"
    if row["stage"] == SOURCES:
        return {("source", name.removesuffix(end)): counts[name] for name in counts if name.endswith(end)}
    return {} if row["stage"] in (COMPLETE, TAKEN_UP, "killed") else {("stage", row["stage"]): row["seconds"]}
