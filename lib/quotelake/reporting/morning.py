"""What is new in a lake since the run before: alerts, watched texts, spread, ranking, people, records, silent feeds.

Imports no Spark.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from quotelake.lake.runs import COMPLETE, SOURCES
from quotelake.query.ask import Ask, Rows
from quotelake.reporting.alerts import Report
from quotelake.reporting.norm import norm_query, outlets_query, silent_feeds
from quotelake.reporting.ranking import RANKED, words_of
from quotelake.settings import ReportSettings

#: Content of the page: see :func:`read_morning`.
Morning = dict[str, Any]

#: The last complete run, and killed runs whose work it completed.
_RUN: Final = "(SELECT DISTINCT run_id FROM run_summary WHERE nth = 1)"
#: Statements for documents of the last run, by part. A night answers them from the rows that it added
#: (:mod:`quotelake.reporting.kept_night`).
NIGHT: Final = {
    "people": (
        "SELECT q.speaker.name AS speaker, count(DISTINCT q.variant_id) AS quotes, count(DISTINCT d.native_key) AS "
        "articles, count(DISTINCT d.outlet) AS outlets FROM quotes q JOIN active_version a ON a.rule_version = "
        f"q.rule_version JOIN documents d ON d.doc_id = q.doc_id JOIN {_RUN} n ON n.run_id = d.run_id "
        "WHERE q.speaker.name IS NOT NULL AND q.variant_id IS NOT NULL AND NOT d.is_repost "
        "GROUP BY q.speaker.name ORDER BY quotes DESC, articles DESC, speaker LIMIT 10"
    ),
    "watched": (
        "SELECT h.text_digest, h.outlet, count(*) AS new_uses FROM watch_hits h JOIN active_version a "
        f"ON a.rule_version = h.rule_version JOIN documents d ON d.doc_id = h.doc_id JOIN {_RUN} n "
        "ON n.run_id = d.run_id WHERE h.sure GROUP BY h.text_digest, h.outlet ORDER BY h.text_digest, h.outlet"
    ),
    # The latest uses of each watched text, with their contexts.
    "uses": (
        "SELECT * FROM (SELECT u.text_digest, u.outlet, u.kind, u.published_at, u.language, u.headline, u.url, "
        "u.text_as_used, u.context, row_number() OVER (PARTITION BY u.text_digest ORDER BY u.published_at DESC NULLS "
        f"LAST, u.doc_id, u.field, u.start) AS place FROM watch_uses u JOIN {_RUN} n ON n.run_id = u.run_id) ranked "
        "WHERE place <= 20 ORDER BY text_digest, place"
    ),
    # Quotes of several outlets, of which one has none but new uses; the words are those of the longest new use.
    "spread": (
        "WITH used AS (SELECT m.group_id, d.outlet, d.native_key, d.published_at, n.run_id IS NOT NULL AS is_new, "
        "CASE WHEN n.run_id IS NOT NULL THEN m.quote_id END AS quote_id, m.rule_version FROM quote_comparisons m "
        "JOIN active_version a ON a.rule_version = m.rule_version JOIN documents d ON d.doc_id = m.doc_id "
        f"LEFT JOIN {_RUN} n ON n.run_id = d.run_id), "
        "of_outlet AS (SELECT group_id, outlet, min(published_at) AS first_at, count_if(NOT is_new) = 0 AS is_new "
        "FROM used GROUP BY group_id, outlet), "
        "spread AS (SELECT group_id, count(*) AS outlets, count_if(is_new) AS new_outlets, "
        "min_by(outlet, (coalesce(first_at, TIMESTAMP '9999-01-01 00:00:00'), outlet)) AS first_outlet FROM of_outlet "
        "GROUP BY group_id HAVING count_if(is_new) > 0), "
        "texts AS (SELECT u.group_id, max_by(q.text, (length(q.text), q.quote_id)) AS quote FROM used u JOIN quotes q "
        "ON q.quote_id = u.quote_id AND q.rule_version = u.rule_version GROUP BY u.group_id), "
        "sizes AS (SELECT group_id, count(DISTINCT native_key) AS articles FROM used GROUP BY group_id) "
        "SELECT s.group_id, t.quote, s.outlets, s.new_outlets, s.first_outlet, z.articles FROM spread s "
        "JOIN texts t ON t.group_id = s.group_id JOIN sizes z ON z.group_id = s.group_id "
        "ORDER BY new_outlets DESC, outlets DESC, group_id LIMIT 10"
    ),
}
#: Ranking that the run before left; only :class:`quotelake.reporting.kept.KeptEngine` knows one.
BEFORE: Final = "SELECT CAST(NULL AS STRING) AS group_id, CAST(NULL AS BIGINT) AS position WHERE false"
#: Sure uses of the texts on the watch-list, by outlet and month.
WATCHED: Final = (
    "SELECT w.watch_id, w.text, w.text_digest, c.outlet, c.month, c.uses FROM watch_texts w JOIN active_version a "
    "ON a.rule_version = w.rule_version JOIN watch_counts c ON c.text_digest = w.text_digest "
    "AND c.rule_version = w.rule_version WHERE w.is_current ORDER BY w.watch_id, c.outlet, c.month"
)
_LAST: Final = "SELECT run_id, started_at, night, stage, counts FROM run_summary WHERE nth = 1"
_ALERT: Final = (
    "quote_id", "alert", "priority", "severity", "score", "outlet", "published_at", "headline", "headline_quote",
    "best_body_quote", "reason", "url", "first_seen",
)  # fmt: skip
#: Quotes shown of each change of the ranking, and watched texts.
SHOWN: Final = 5
_WATCHED: Final = 10


def read_morning(ask: Ask, report: Report, settings: ReportSettings) -> Morning:
    """Read what the last complete run brought; times are UTC.

    Args:
        ask: queries the lake; :func:`quotelake.reporting.kept.kept_reader` also knows the ranking of the run before.
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
    texts = words_of(ask, [row for rows in changes.values() for row in rows])
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
        "watched": watched(ask(NIGHT["watched"]), ask(WATCHED))[:_WATCHED],
        "spread": ask(NIGHT["spread"]),
        **{
            name: [{**row, "quote": texts.get(row["group_id"], row["quote"])} for row in rows]
            for name, rows in changes.items()
        },
        "people": ask(NIGHT["people"]),
    }


_RECORDS: Final = ("records", "documents", "duplicates", "rejects")


def watched(new: Sequence[Mapping[str, Any]], known: Sequence[Mapping[str, Any]]) -> Rows:
    """Watched texts with a new use, most new uses first.

    Args:
        new: uses of the last run by text and outlet.
        known: all uses by text, outlet and month, the new ones included.

    >>> known = [{"watch_id": "w", "text": "t", "text_digest": "d", "outlet": o, "uses": 2} for o in ("A", "A", "B")]
    >>> watched([{"text_digest": "d", "outlet": "B", "new_uses": 2}], known)
    [{'watch_id': 'w', 'text': 't', 'new_uses': 2, 'new_outlets': 1, 'uses': 6, 'group_id': 'd'}]
    """
    texts, uses = dict[str, Mapping[str, Any]](), defaultdict[str, dict[str | None, int]](lambda: defaultdict(int))
    for row in known:
        texts[row["text_digest"]] = row
        uses[row["text_digest"]][row["outlet"]] += row["uses"]
    found = defaultdict[str, dict[str | None, int]](dict)
    for row in new:
        found[row["text_digest"]][row["outlet"]] = row["new_uses"]
    rows = [
        {
            "watch_id": texts[digest]["watch_id"],
            "text": texts[digest]["text"],
            "new_uses": sum(its.values()),
            "new_outlets": sum(outlet is not None and uses[digest][outlet] == n for outlet, n in its.items()),
            "uses": sum(uses[digest].values()),
            "group_id": digest,
        }
        for digest, its in found.items()
        if digest in texts
    ]
    return sorted(rows, key=lambda row: (-row["new_uses"], row["watch_id"]))


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
