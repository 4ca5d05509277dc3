"""What the morning page shows beside what is new: rates by month, coverage, the ranking, and a page per quote shown.

Imports no Spark.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from quotelake.query.ask import Ask, Rows
from quotelake.reporting.morning import BEFORE, WATCHED, Morning
from quotelake.reporting.norm import compare, norm_query, outlet_norms, outlets_query
from quotelake.reporting.ranking import RANKED, words_of
from quotelake.settings import ReportSettings

#: Rates of outlets and months with enough headline quotes; NULL as outlet: all together.
RATES: Final = (
    "SELECT outlet, period, n_eligible, n_alerts, n_absent, rate, rate_low, rate_high, absent_rate, absent_low, "
    "absent_high FROM outlet_intervals WHERE rate IS NOT NULL AND period IS NOT NULL ORDER BY outlet, period"
)
OUTCOMES: Final = (
    "SELECT month, outcome, CAST(sum(quotes) AS BIGINT) AS quotes FROM outcome_months WHERE month IS NOT NULL "
    "GROUP BY month, outcome ORDER BY month, outcome"
)
#: Quotes of the ranking that are shown, outlets of the coverage, and months of a picture.
RANKS: Final = 12
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
    ranked = ask(RANKED)
    changed = {row["group_id"] for name in ("rose", "fell", "entered") for row in morning[name]}
    shown = [row for row in ranked if row["position"] <= RANKS or row["group_id"] in changed]
    texts = words_of(ask, shown)
    ranks = {row["group_id"]: {**row, "quote": row["quote"] or texts.get(row["group_id"], "")} for row in shown}
    watched = {row["group_id"]: row for row in morning["watched"]}
    rows = {name: _by_group(ask(statement)) for name, statement in group_queries({*ranks, *watched}).items()}
    rows |= {
        "uses": _by_group(ask("SELECT * FROM run_watch_uses ORDER BY text_digest, place")),
        "watched": _by_group(ask(WATCHED)),
    }
    norms = ask(norm_query(settings))
    sources = [
        {"source": row["name"], "outlet": None, "documents": int(row["value"]), "norm": row["median"]}
        for row in compare(norms, settings)
        if row["kind"] == "source"
    ]
    return {
        "compared": bool(ask(BEFORE)),
        "rates": ask(RATES),
        "outcomes": ask(OUTCOMES),
        "coverage": sources + outlet_norms(norms, ask(outlets_query(settings)), settings)[:OUTLETS],
        "ranking": [row for row in ranks.values() if row["position"] <= RANKS][:RANKS],
        "quotes": {
            group: _quote(
                ranks.get(group), watched.get(group), {name: its.get(group, []) for name, its in rows.items()}
            )
            for group in sorted({*ranks, *watched})
        },
    }


def group_queries(groups: Iterable[str]) -> dict[str, str]:
    """Statements for the months, clusters and shift of some groups."""
    among = "group_id IN (" + (", ".join(f"'{group}'" for group in sorted(groups)) or "NULL") + ")"
    return {
        "months": (
            "SELECT t.group_id, t.period AS month, t.n_documents AS uses FROM topic_variation t JOIN active_version a "
            "ON a.rule_version = t.rule_version AND a.fingerprint = t.fingerprint AND a.representation = "
            f"t.representation WHERE t.period <> 'all' AND t.{among} ORDER BY t.group_id, t.period"
        ),
        "clusters": (
            "SELECT group_id, n_contexts, n_sampled, words, context, second_context FROM topic_clusters "
            f"WHERE {among} ORDER BY group_id, n_contexts DESC, doc_id"
        ),
        "shifts": (
            "SELECT group_id, shift_period, words_before, words_after FROM topic_shifts "
            f"WHERE has_shifted AND {among} ORDER BY group_id"
        ),
    }


def _by_group(rows: Rows) -> Mapping[str, Rows]:
    found = defaultdict[str, Rows](list)
    for row in rows:
        found[row["group_id"] if "group_id" in row else row["text_digest"]].append(row)
    return found


def _quote(
    rank: Mapping[str, Any] | None, watched: Mapping[str, Any] | None, rows: Mapping[str, Rows]
) -> dict[str, Any]:
    """What the page of a quote says: ``quote``; ``rank`` and ``watched``, its rows there or None; ``months``: uses of
    each; ``outlets``: uses of a watched text by each; ``clusters``, ``shifts`` and ``uses``, the latest new ones.
    """
    months, outlets = dict[str, int](), dict[str, int]()
    for row in rows["watched"]:
        if row["month"] is not None:
            months[row["month"]] = months.get(row["month"], 0) + row["uses"]
        if row["outlet"] is not None:
            outlets[row["outlet"]] = outlets.get(row["outlet"], 0) + row["uses"]
    if not rows["watched"]:
        months = {row["month"]: row["uses"] for row in rows["months"]}
    quote = watched["text"] if watched else rank["quote"] if rank else ""
    by_size = sorted(outlets.items(), key=lambda item: (-item[1], item[0]))
    others = {name: rows[name] for name in ("clusters", "shifts", "uses")}
    return {"quote": quote, "rank": rank, "watched": watched, "months": months, "outlets": by_size, **others}


def months_between(first: str, last: str) -> Sequence[str]:
    """All months from one to another, as YYYY-MM.

    >>> months_between("2023-11", "2024-02")
    ['2023-11', '2023-12', '2024-01', '2024-02']
    """
    begin, end = (int(month[:4]) * 12 + int(month[5:7]) - 1 for month in (first, last))
    return [f"{number // 12:04}-{number % 12 + 1:02}" for number in range(begin, end + 1)]
