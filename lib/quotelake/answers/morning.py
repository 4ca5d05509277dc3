"""What is new in a lake since the run before: alerts, watched texts, spread, ranking, people, records, silent feeds.

Imports no Spark.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from quotelake.answers.alerts import Report
from quotelake.answers.norm import norm_query, outlets_query, silent_feeds
from quotelake.answers.ranking import RANKED, words_of
from quotelake.lake.runs import COMPLETE, SOURCES
from quotelake.query.ask import Ask, Rows
from quotelake.settings import ReportSettings

#: Content of the page: see :func:`read_morning`.
Morning = dict[str, Any]

#: Views of documents of the last run. A night answers them from the rows that it added
#: (:mod:`quotelake.answers.kept_night`).
NIGHT: Final = ("run_people", "run_watched", "run_watch_uses", "run_spread")
#: Ranking that the run before left; only :class:`quotelake.answers.kept.KeptEngine` knows one.
BEFORE: Final = "SELECT CAST(NULL AS STRING) AS group_id, CAST(NULL AS BIGINT) AS position WHERE false"
_WATCHED: Final = "SELECT * EXCEPT (rule_version) FROM run_watch_news ORDER BY new_uses DESC, watch_id LIMIT 10"
_SPREAD: Final = (
    "SELECT * EXCEPT (rule_version) FROM run_spread ORDER BY new_outlets DESC, outlets DESC, group_id LIMIT 50"
)
_PEOPLE: Final = "SELECT * EXCEPT (rule_version) FROM run_people ORDER BY quotes DESC, articles DESC, speaker LIMIT 10"
_LAST: Final = "SELECT run_id, started_at, night, stage, counts FROM run_summary WHERE nth = 1"
_ALERT: Final = (
    "quote_id", "alert", "priority", "severity", "score", "outlet", "published_at", "headline", "headline_quote",
    "best_body_quote", "reason", "url", "first_seen",
)  # fmt: skip
_RECORDS: Final = ("records", "documents", "duplicates", "rejects", "filtered")
#: Quotes of the ranking that are shown, and of each change of it.
RANKED_FIRST: Final = 12
SHOWN: Final = 5


def read_morning(ask: Ask, report: Report, settings: ReportSettings) -> Morning:
    """Read what the last complete run brought; times are UTC.

    Args:
        ask: queries the lake; :func:`quotelake.answers.kept.kept_reader` also knows the ranking of the run before.
        report: content of the alert page, of the same lake.
        settings: what a norm is made of.

    Returns:
        ``written_at``; ``run``: run_id, night, started_at; ``silent``: see :func:`silent_feeds`; ``records``: of each
        source, of this run alone; ``new_alerts``: the gravest of each story first; ``n_alerts``: in the lake;
        ``watched``: texts with most new uses; ``spread``: quotes that another outlet took up; ``rose``, ``fell`` and
        ``entered``: changes of the ranking over all time; ``people``: who was quoted.
    """
    last = ask(_LAST)
    run = next((row for row in last if row["stage"] == COMPLETE), {"run_id": None, "night": None, "started_at": None})
    counts: Mapping[str, int] = next((row["counts"] for row in last if row["stage"] == SOURCES), {})
    ranked = ask(RANKED)
    changes = changed_ranks(ranked, ask(BEFORE))
    texts = words_of(ask, shown_ranks(ranked, changes))
    new = [alert for alert in report["alerts"] if alert["is_new"] and alert["of_story"] == 1]
    return {
        "written_at": report["written_at"],
        "run": {name: run[name] for name in ("run_id", "night", "started_at")},
        "silent": silent_feeds(ask(norm_query(settings)), ask(outlets_query(settings)), settings),
        "records": [
            {"source": source, **{what: counts.get(f"{source}.{what}", 0) for what in _RECORDS}}
            for source in sorted({name.rpartition(".")[0] for name in counts})
        ],
        "new_alerts": [{name: alert[name] for name in _ALERT} for alert in new],
        "n_alerts": sum(report["n_alerts"].values()),
        "watched": ask(_WATCHED),
        "spread": ask(_SPREAD),
        **{
            name: [{**row, "quote": texts.get(row["group_id"], row["quote"])} for row in rows]
            for name, rows in changes.items()
        },
        "people": ask(_PEOPLE),
    }


def shown_ranks(ranked: Sequence[Mapping[str, Any]], changes: Mapping[str, Rows]) -> list[Mapping[str, Any]]:
    """The first quotes of the ranking, and those of ``changes`` that :func:`changed_ranks` gives."""
    changed = {row["group_id"] for name in ("rose", "fell", "entered") for row in changes[name]}
    return [row for row in ranked if row["position"] <= RANKED_FIRST or row["group_id"] in changed]


def changed_ranks(ranked: Sequence[Mapping[str, Any]], before: Sequence[Mapping[str, Any]]) -> dict[str, Rows]:
    """Quotes that rose, fell and entered the ranking, at most :data:`SHOWN` of each; none where there was no ranking.

    >>> now = [{"group_id": group, "quote": None, "position": place} for place, group in enumerate("bac", 1)]
    >>> {name: [row["group_id"] for row in rows] for name, rows in changed_ranks(
    ...     now, [{"group_id": "a", "position": 1}, {"group_id": "b", "position": 2}]).items()}
    {'rose': ['b'], 'fell': ['a'], 'entered': ['c']}
    """
    places = {row["group_id"]: row["position"] for row in before}
    rows = [
        {**{name: row[name] for name in ("group_id", "quote", "position")}, "before": places.get(row["group_id"])}
        for row in ranked
        if places and places.get(row["group_id"]) != row["position"]
    ]
    moved = [(row["before"] - row["position"], row) for row in rows if row["before"] is not None]
    moved.sort(key=lambda one: (-abs(one[0]), one[1]["position"]))
    return {
        "rose": [row for change, row in moved if change > 0][:SHOWN],
        "fell": [row for change, row in moved if change < 0][:SHOWN],
        "entered": [row for row in rows if row["before"] is None][:SHOWN],
    }
