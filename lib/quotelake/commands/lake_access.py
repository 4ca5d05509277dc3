"""How commands read a lake, by DuckDB or else by Spark, and append rows that a person gave.

Spark is imported where it is needed: importing it takes longer than most answers.
"""

from collections.abc import Callable, Collection, Sequence
from contextlib import nullcontext
from dataclasses import asdict
from datetime import datetime
from typing import Any

from quotelake.query.engines import AutoEngine, Engine
from quotelake.settings import load_settings
from quotelake.spark.installation import check_environment


def spark_starter(job: str, root: str, as_of: str | None = None) -> Callable[[], Engine]:
    """A function that starts Spark under the name of a job, and returns what answers statements on a lake."""

    def start() -> Engine:
        from quotelake.query.spark import start_engine

        return start_engine(job, root, as_of=as_of)

    return start


def lake_engine(
    job: str, root: str, as_of: str | None = None, materialized: Collection[str] = (), since: str | None = None
) -> AutoEngine:
    """What answers statements on a lake; Spark is started, under the name of a job, where DuckDB cannot."""
    return AutoEngine(root, spark_starter(job, root, as_of), as_of, materialized, since)


def append_rows(root: str, job: str, table: str, rows: Sequence[Any], now: datetime) -> None:
    """Append dataclasses that a person gave to a table: by Spark, which checks its constraints; nothing without any."""
    if not rows:
        return
    from quotelake.lake.lease import take_lease
    from quotelake.lake.tables import Lake
    from quotelake.spark.session import get_session

    check_environment()
    lake = Lake(get_session(job), root, job, now)
    files = lake.storage  # beside a run, which writes none of them, where Delta keeps the two apart
    with nullcontext() if files.commits_once else take_lease(files, lake.run_id, load_settings().run, print):
        if not lake.exists(table):  # the lake is older than the table
            lake.create()
        lake.append(lake.frame([*map(asdict, rows)], table), table)
