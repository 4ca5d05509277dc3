"""The last run that was completed on a lake: queries show the tables as it left them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

#: Tables that are written outside runs too: they are read at their current version.
AS_NOW: Final = ("runs", "alert_reviews")


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
