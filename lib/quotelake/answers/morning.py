"""Content of the morning page: what is new in a lake, trends, and a page per quote."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from quotelake.answers.alerts import Report
from quotelake.answers.baseline import feed_norms, silent_feeds
from quotelake.answers.ranking import places_before, with_words
from quotelake.answers.statements import STATEMENTS, rows_by_id, rows_of_news, texts_by_id
from quotelake.lake.runs import COMPLETE, SOURCES
from quotelake.query.engines import Rows, RunSql
from quotelake.settings import ReportSettings

#: What the last run brought: see :func:`read_morning`.
News = dict[str, Any]
#: Trends, and the pages of quotes: see :func:`read_morning`.
Trends = dict[str, Any]

_ALERT: Final = (
    "quote_id", "alert", "to_check", "priority", "severity", "score", "outlet", "published_at", "headline",
    "headline_quote", "best_body_quote", "reason", "url", "first_seen",
)  # fmt: skip
_RECORDS: Final = ("records", "documents", "duplicates", "rejects", "filtered")
#: Quotes of the ranking that are shown, and of each change of it.
RANKED_FIRST: Final = 12
SHOWN: Final = 5
#: Outlets of the coverage that are shown.
OUTLETS: Final = 40


def read_morning(run_sql: RunSql, root: str, report: Report, settings: ReportSettings) -> tuple[News, Trends]:
    """Read what is new, and trends; times are UTC.

    ``root`` is the directory of the lake, for the ranking that the run before left; ``report`` the content of its alert
    page; the settings say which outlets can be silent.

    Returns:
        News: ``since`` is the complete run behind which all is new, None before the first; ``records`` are those of
        each source in the runs that brought it; ``new_alerts`` the gravest of each story, as ``new_checks``, which the
        setting ``report.checks`` adds; ``n_alerts`` and ``n_checks`` are numbers in the lake;
        ``rose``, ``fell`` and ``entered`` are changes of the ranking.
        Trends: ``compared``: whether the ranking of the run before is known; ``coverage``: sources, then outlets, of
        the last run beside their median; ``quotes``: content of the page of each quote, by group: ``rank`` and
        ``watched`` are its rows there or None, ``uses`` the latest new ones of a watched text, or the latest of a
        quote that spread.
    """
    runs = run_sql(STATEMENTS["news_runs"])
    last = [row for row in runs if row["nth"] == 1]
    run = next((row for row in last if row["stage"] == COMPLETE), {"run_id": None, "night": None, "started_at": None})
    counts = Counter[str]()
    for row in runs:
        counts.update(row["counts"] if row["stage"] == SOURCES else {})
    stages, outlets = run_sql(STATEMENTS["stages"]), run_sql(STATEMENTS["outlet_runs"])
    feeds = feed_norms(stages, outlets)
    ranked, before = run_sql(STATEMENTS["ranked"]), places_before(root, run_sql)
    changes = changed_ranks(ranked, before)
    changed = {row["group_id"] for rows in changes.values() for row in rows}
    shown = [row for row in ranked if row["position"] <= RANKED_FIRST or row["group_id"] in changed]
    ranks = {row["group_id"]: row for row in with_words(run_sql, shown)}
    named = {name: [row | {"quote": ranks[row["group_id"]]["quote"]} for row in rows] for name, rows in changes.items()}
    news = {
        "written_at": report["written_at"],
        "url": settings.url,
        "run": {name: run[name] for name in ("run_id", "night", "started_at")},
        "since": run_sql(STATEMENTS["since"])[0]["run_id"],
        "silent": silent_feeds(stages, outlets, settings.norm_documents),
        "records": [
            {"source": source, **{what: counts[f"{source}.{what}"] for what in _RECORDS}}
            for source in sorted({name.rpartition(".")[0] for name in counts})
        ],
        "new_alerts": new_findings(report["alerts"]),
        **({"new_checks": new_findings(report["checks"])} if settings.checks else {}),
        **{f"n_{tier}": sum(report[f"n_{tier}"].values()) for tier in ("alerts", "checks")},
        "watched": run_sql(STATEMENTS["watched"]),
        "spread": run_sql(STATEMENTS["spread"]),
        **named,
        "people": rows_of_news(run_sql, "people"),
    }
    # A date in the future is wrong, and would leave a picture of the last months empty.
    until = f"{run['started_at'] or report['written_at']:%Y-%m}"
    watched, spread = ({row["group_id"]: row for row in news[name]} for name in ("watched", "spread"))
    trends = {
        "compared": bool(before),
        "rates": [row for row in run_sql(STATEMENTS["rates"]) if row["period"] == "all" or row["period"] <= until],
        "outcomes": [row for row in run_sql(STATEMENTS["outcome_months"]) if row["month"] <= until],
        "coverage": feeds[: OUTLETS + sum(row["outlet"] is None for row in feeds)],
        "ranking": [row for row in ranks.values() if row["position"] <= RANKED_FIRST][:RANKED_FIRST],
        "quotes": _quote_pages(run_sql, ranks, watched, spread, until),
    }
    return news, trends


def new_findings(rows: Rows) -> Rows:
    """The new alerts or checks of a page, the gravest of each story."""
    return [{name: row[name] for name in _ALERT} for row in rows if row["is_new"] and row["of_story"] == 1]


def changed_ranks(ranked: Sequence[Mapping[str, Any]], before: Mapping[str, int]) -> dict[str, Rows]:
    """Quotes that rose, fell and entered the ranking, at most :data:`SHOWN` of each; none where there was no ranking.

    >>> now = [{"group_id": group, "quote": None, "position": place} for place, group in enumerate("bac", 1)]
    >>> {name: [row["group_id"] for row in rows] for name, rows in changed_ranks(now, {"a": 1, "b": 2}).items()}
    {'rose': ['b'], 'fell': ['a'], 'entered': ['c']}
    """
    rows = [
        {**{name: row[name] for name in ("group_id", "quote", "position")}, "before": before.get(row["group_id"])}
        for row in ranked
        if before and before.get(row["group_id"]) != row["position"]
    ]
    moved = [(row["before"] - row["position"], row) for row in rows if row["before"] is not None]
    moved.sort(key=lambda one: (-abs(one[0]), one[1]["position"]))
    return {
        "rose": [row for change, row in moved if change > 0][:SHOWN],
        "fell": [row for change, row in moved if change < 0][:SHOWN],
        "entered": [row for row in rows if row["before"] is None][:SHOWN],
    }


def _quote_pages(
    run_sql: RunSql, ranks: Mapping[str, Any], watched: Mapping[str, Any], spread: Mapping[str, Any], until: str
) -> dict[str, dict[str, Any]]:
    """Content of the page of each quote, by group, with the uses of each month until one."""
    found = {group: defaultdict[str, Rows](list) for group in sorted({*ranks, *watched, *spread})}
    views = ("topic_months", "topic_clusters", "topic_shifts", "watch_counts", "run_watch_uses", "spread_uses")
    for view in views:
        for row in rows_by_id(run_sql, view, spread if view == "spread_uses" else found):
            found[row["group_id"]][view].append(row)
    typical = [row["typical"]["doc_id"] for rows in found.values() for row in rows["topic_clusters"]]
    bodies, pages = texts_by_id(run_sql, "bodies", typical), {}
    for group, rows in found.items():
        text = watched.get(group)
        months, outlets = Counter[str | None](), Counter[str | None]()
        for row in rows["watch_counts"] or rows["topic_months"] or rows["spread_uses"]:
            months[row["month"]] += row["uses"]
            outlets[row.get("outlet")] += row["uses"]
        pages[group] = {
            "quote": text["text"] if text else (ranks.get(group) or spread[group])["quote"],
            "rank": ranks.get(group),
            "watched": text,
            "months": {month: uses for month, uses in months.items() if month is not None and month <= until},
            "outlets": [(outlet, uses) for outlet, uses in outlets.most_common() if outlet is not None],
            "clusters": [
                row | {"context": bodies[at["doc_id"]][at["context_start"] : at["context_end"]]}
                for row in rows["topic_clusters"]
                if (at := row["typical"])["doc_id"] in bodies
            ],
            "shifts": rows["topic_shifts"],
            "uses": rows["run_watch_uses"] or rows["spread_uses"],
        }
    return pages
