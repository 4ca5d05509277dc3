"""The TRaC ranking: a statement for it, the words of its quotes, and the places that the run before left."""

from contextlib import suppress

from quotelake.answers.statements import STATEMENTS, texts_by_id
from quotelake.errors import InputError
from quotelake.query.catalog import literal
from quotelake.query.engines import DuckEngine, Rows, RunSql


def ranking_query(
    period: str = "all", kind: str = "all", outlet: str | None = None, min_contexts: int = 10, top: int | None = None
) -> str:
    """Statement that ranks groups within each period, by the lower bound of the interval; ties by ``group_id``.

    The ``period`` is ``all``, ``month`` for a ranking of each month, or one month as YYYY-MM; the ``kind`` of source
    ``all``, ``news`` or ``tweet``. Groups are those that the ``outlet`` uses, their figures of all uses; of each period
    ``top`` or all. With few distinct contexts the ranking is mostly noise: on subsamples of TRoTR, the Spearman
    correlation with gold is .39 at 2 contexts, .61 at 5, .71 at 10, .82 at 30.
    """
    view = "topic_variation_ranking" if kind == "all" else "topic_variation_by_kind"
    conditions = ["period <> 'all'" if period == "month" else f"period = {literal(period)}"]
    conditions.append(f"n_distinct_contexts >= {int(min_contexts)}")
    if kind != "all":
        conditions.append(f"source_kind = {literal(kind)}")
    if outlet is not None:
        conditions.append(f"group_id IN ({STATEMENTS['groups_of_outlet'].format(outlet=literal(outlet))})")
    first = "" if top is None else f"WHERE position <= {int(top)}"
    return STATEMENTS["ranking"].format(view=view, conditions=" AND ".join(conditions), first=first)


def with_words(run_sql: RunSql, rows: Rows) -> Rows:
    """Some rows of the statement ``ranked`` with the words of their quotes, which are looked up for these alone."""
    texts = texts_by_id(run_sql, "wordings", (row["group_id"] for row in rows))
    return [{**row, "quote": row["quote"] or texts.get(row["group_id"], "")} for row in rows]


def places_before(root: str, run_sql: RunSql) -> dict[str, int]:
    """Places in the ranking that the run before the last left on a local lake, by group.

    Empty where there was no such run, where its tables are gone, or its scores are of other versions.
    """
    versions = run_sql("SELECT rule_version, fingerprint, representation FROM active_version")
    for run in run_sql("SELECT run_id FROM run_summary WHERE nth = 2 AND stage = 'run'"):
        with suppress(InputError), DuckEngine(root, as_of=run["run_id"]) as past:
            return {row["group_id"]: row["position"] for row in past.sql(STATEMENTS["places"].format_map(versions[0]))}
    return {}
