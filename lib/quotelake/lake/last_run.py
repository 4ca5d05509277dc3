"""The last run that was completed on a lake: queries show the tables as it left them.

Runs are ordered by their commits, never by a clock: a run may have waited for another one, and the clocks of two
machines differ.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

#: Tables that are written outside runs too: they are read at their current version.
AS_NOW: Final = ("runs", "alert_reviews")
#: Stage whose row says that the whole run is done.
COMPLETE: Final = "run"
#: Columns of ``runs`` that :func:`in_commit_order` needs.
COLUMNS: Final = ("run_id", "ingested_at", "table_versions")


@dataclass(frozen=True)
class LastRun:
    """The last run that was completed on a lake.

    Attributes:
        run_id: names it.
        started: UTC.
        versions: Delta version of every table at its end; of ``runs``, before its own rows.
    """

    run_id: str
    started: datetime
    versions: Mapping[str, int]

    @property
    def shown(self) -> Mapping[str, int]:
        """Versions at which tables are read; those that are read as they are now are left out."""
        return {table: version for table, version in self.versions.items() if table not in AS_NOW}

    @property
    def commit_order(self) -> tuple[int, int, str]:
        """Grows from each complete run to the next one that began to complete after it.

        A run states the version of ``runs`` just before its own commit to it. Two that completed at once may state
        the same; then the one that saw more commits of all tables is the later one.
        """
        return self.versions.get("runs", -1), sum(self.versions.values()), self.run_id


def in_commit_order(rows: Iterable[Mapping[str, Any]]) -> list[LastRun]:
    """Take up rows of ``runs`` with :data:`COLUMNS` whose stage is :data:`COMPLETE`; the last run is the last.

    >>> day = datetime(2024, 6, 1)
    >>> rows = [("waited", day, {"runs": 5, "quotes": 9}), ("ahead", day.replace(year=2030), {"runs": 4, "quotes": 8})]
    >>> [run.run_id for run in in_commit_order(dict(zip(COLUMNS, row)) for row in rows)]
    ['ahead', 'waited']
    """
    return sorted((LastRun(*(row[name] for name in COLUMNS)) for row in rows), key=lambda run: run.commit_order)
