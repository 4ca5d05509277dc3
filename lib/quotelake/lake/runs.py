"""What a run does, told while it works and kept in ``runs`` when all of it is done."""

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from quotelake.lake.last_run import COLUMNS, COMPLETE, LastRun, in_commit_order
from quotelake.lake.tables import Lake


@dataclass
class StageCounts:
    """What a stage of a run did: its seconds, and counts that grow while it works."""

    name: str
    seconds: float = 0.0
    counts: dict[str, int] = field(default_factory=dict)

    def count(self, **counts: int) -> None:
        """Add to the counts of the stage."""
        for name, number in counts.items():
            self.counts[name] = self.counts.get(name, 0) + number

    def __str__(self) -> str:
        """Read as a line of progress."""
        counted = ", ".join(f"{number:,} {name.replace('_', ' ')}" for name, number in self.counts.items())
        return f"{self.name:<12} {self.seconds:6.1f} s  {counted}"


@dataclass
class Work:
    """What a run is doing at this moment, for whoever watches.

    Attributes:
        name: in a few words.
        unit: what is counted; empty where nothing is.
        total: how many there are; None where that is not known.
        done: how many are done.
        in_hand: how many the Spark job that runs now works on.
        began: when it began, on the clock of ``time.monotonic``.
    """

    name: str = "starting"
    unit: str = ""
    total: int | None = None
    done: int = 0
    in_hand: int = 0
    began: float = field(default_factory=time.monotonic)


@dataclass
class Run:
    """A run under way: who it is, and what its stages did so far."""

    run_id: str
    started: datetime
    settings_fingerprint: str
    night: str | None
    say: Callable[[str], None]
    stages: list[StageCounts] = field(default_factory=list)
    work: Work = field(default_factory=Work)

    def at(self, name: str, unit: str = "", total: int | None = None, in_hand: int = 0, done: int = 0) -> None:
        """Say what the run does now; the same work told again goes on, so that its rate is of all of it."""
        began = self.work.began if (name, unit) == (self.work.name, self.work.unit) else time.monotonic()
        self.work = Work(name, unit, total, done, in_hand, began)

    @contextmanager
    def stage(self, name: str) -> Iterator[StageCounts]:
        """Time a stage, and say what it did when it is done."""
        stage = StageCounts(name)
        begin = time.monotonic()
        yield stage
        stage.seconds = time.monotonic() - begin
        self.stages.append(stage)
        self.say(str(stage))

    @property
    def seconds(self) -> float:
        """Seconds since the run started."""
        return (datetime.now(UTC) - self.started).total_seconds()

    def complete(self, lake: Lake) -> None:
        """Write every stage and the row that says all is done, in one commit: the last of the run."""
        versions = lake.versions()
        done = [*self.stages, StageCounts(COMPLETE, self.seconds, self._totals())]
        common = {
            "night": self.night,
            "settings_fingerprint": self.settings_fingerprint,
            "table_versions": list(versions.items()),
        }
        rows = [{"stage": s.name, "seconds": s.seconds, "counts": list(s.counts.items()), **common} for s in done]
        lake.append(lake.frame(rows, "runs"), "runs")

    def _totals(self) -> dict[str, int]:
        totals: dict[str, int] = {}
        for stage in self.stages:
            for name, number in stage.counts.items():
                totals[f"{stage.name}_{name}"] = number
        return totals


def new_run(settings_fingerprint: str, night: str | None, say: Callable[[str], None]) -> Run:
    """Name a run by its start and a few random characters, so that two started in one second differ."""
    started = datetime.now(UTC)
    return Run(f"{started:%Y%m%dT%H%M%SZ}-{secrets.token_hex(3)}", started, settings_fingerprint, night, say)


def complete_runs(lake: Lake) -> list[LastRun]:
    """Runs that were completed, in the order of their commits."""
    return in_commit_order(lake.small_rows("runs", COLUMNS, f"stage = '{COMPLETE}'"))


def last_run(lake: Lake) -> LastRun | None:
    """Return the last run that was completed, or None before the first."""
    runs = complete_runs(lake)
    return runs[-1] if runs else None
