"""What the morning page shows beside what is new: rates by month, coverage, the ranking, and a page per quote shown.

Imports no Spark.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final

from quotelake.answers.morning import BEFORE, RANKED_FIRST, Morning, shown_ranks
from quotelake.answers.norm import compare, norm_query, outlet_norms, outlets_query
from quotelake.answers.ranking import RANKED, words_of
from quotelake.query.ask import Ask, Rows
from quotelake.settings import ReportSettings

#: Rates of outlets and months with enough headline quotes; NULL as outlet: all together.
RATES: Final = (
    "SELECT * EXCEPT (n_copied) FROM outlet_intervals WHERE rate IS NOT NULL AND period IS NOT NULL "
    "ORDER BY outlet, period"
)
OUTCOMES: Final = "SELECT * FROM outcome_months WHERE month IS NOT NULL ORDER BY month, outcome"
_USES: Final = "SELECT * FROM run_watch_uses ORDER BY text_digest, place"
#: Outlets of the coverage that are shown.
OUTLETS: Final = 40
#: Content of the second part of the page: see :func:`read_trends`.
Trends = dict[str, Any]


def read_trends(ask: Ask, morning: Morning, settings: ReportSettings) -> Trends:
    """Read trends, and what the page of each quote shown says.

    Args:
        ask: queries the lake.
        morning: what is new in it.
        settings: what a norm is made of.

    Returns:
        ``compared``: whether the ranking of the run before is known; ``rates``: rows of :data:`RATES`; ``outcomes``: of
        :data:`OUTCOMES`; ``coverage``: sources, then outlets, of the last run beside their norm; ``ranking``: its first
        rows; ``quotes``: by group, see :func:`_quote`.
    """
    # A date in the future is wrong, and would leave a picture of the last months empty.
    until = f"{morning['run']['started_at'] or morning['written_at']:%Y-%m}"
    ranked = ask(RANKED)
    shown = shown_ranks(ranked, morning)
    texts = words_of(ask, shown)
    ranks = {row["group_id"]: {**row, "quote": row["quote"] or texts.get(row["group_id"], "")} for row in shown}
    watched = {row["group_id"]: row for row in morning["watched"]}
    rows = {view: _by_group(ask(statement)) for view, statement in group_queries({*ranks, *watched}).items()}
    rows["run_watch_uses"] = _by_group(ask(_USES))
    norms = ask(norm_query(settings))
    sources = [
        {"source": row["name"], "outlet": None, "documents": int(row["value"]), "norm": row["median"]}
        for row in compare(norms, settings)
        if row["kind"] == "source"
    ]
    return {
        "compared": bool(ask(BEFORE)),
        "rates": [row for row in ask(RATES) if row["period"] == "all" or row["period"] <= until],
        "outcomes": [row for row in ask(OUTCOMES) if row["month"] <= until],
        "coverage": sources + outlet_norms(norms, ask(outlets_query(settings)), settings)[:OUTLETS],
        "ranking": [row for row in ranks.values() if row["position"] <= RANKED_FIRST][:RANKED_FIRST],
        "quotes": {
            group: _quote(ranks.get(group), watched.get(group), {view: its[group] for view, its in rows.items()}, until)
            for group in sorted({*ranks, *watched})
        },
    }


def group_queries(groups: Iterable[str]) -> dict[str, str]:
    """Statements for what some views say of some groups, by view; watched texts are counted in one of their own."""
    ids = ", ".join(f"'{group}'" for group in sorted(groups)) or "NULL"
    versions = "JOIN active_version USING (rule_version, fingerprint, representation)"
    clusters = "group_id, n_contexts, n_sampled, words, context, doc_id FROM topic_clusters"
    shifts = f"group_id, shift_period, words_before, words_after FROM topic_details {versions}"
    return {
        "topic_months": f"SELECT * FROM topic_months WHERE group_id IN ({ids}) ORDER BY group_id, month",
        "topic_clusters": f"SELECT {clusters} WHERE group_id IN ({ids}) ORDER BY group_id, n_contexts DESC, doc_id",
        "topic_shifts": f"SELECT {shifts} WHERE has_shifted AND group_id IN ({ids}) ORDER BY group_id",
        "watch_counts": f"SELECT * FROM watch_counts WHERE text_digest IN ({ids}) ORDER BY text_digest, month, outlet",
    }


def _by_group(rows: Rows) -> Mapping[str, Rows]:
    found = defaultdict[str, Rows](list)
    for row in rows:
        found[row["group_id"] if "group_id" in row else row["text_digest"]].append(row)
    return found


def _quote(
    rank: Mapping[str, Any] | None, watched: Mapping[str, Any] | None, rows: Mapping[str, Rows], until: str
) -> dict[str, Any]:
    """What the page of a quote says: ``quote``; ``rank`` and ``watched``, its rows there or None; ``months``: uses of
    each; ``outlets``: uses of a watched text by each; ``clusters``, ``shifts`` and ``uses``, the latest new ones.
    """
    months, outlets = Counter[str | None](), Counter[str | None]()
    for row in rows["watch_counts"] or rows["topic_months"]:
        months[row["month"]] += row["uses"]
        outlets[row.get("outlet")] += row["uses"]
    return {
        "quote": watched["text"] if watched else rank["quote"] if rank else "",
        "rank": rank,
        "watched": watched,
        "months": {month: uses for month, uses in months.items() if month is not None and month <= until},
        "outlets": [(outlet, uses) for outlet, uses in outlets.most_common() if outlet is not None],
        "clusters": rows["topic_clusters"],
        "shifts": rows["topic_shifts"],
        "uses": rows["run_watch_uses"],
    }
