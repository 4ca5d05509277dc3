"""How the time of our grouping grows with the number of quote occurrences."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from rich.table import Table

from quotelab.benchmarks.cost import Cost
from quotelab.benchmarks.eventlog import Moved
from quotelab.benchmarks.peers.contract import write_texts
from quotelab.benchmarks.peers.running import run
from quotelab.benchmarks.peers.tools import Tool
from quotelake.errors import QuotelakeError

#: Texts of the run that start-up is measured by.
START_TEXTS: Final = 1_000


@dataclass(frozen=True)
class Size:
    """Our grouping of a number of texts.

    Attributes:
        texts: their number.
        cost: of the run.
        start: the same on :data:`START_TEXTS` texts.
        moved: bytes shuffled and spilled.
    """

    texts: int
    cost: Cost
    start: Cost
    moved: Moved | None

    @property
    def rate(self) -> float:
        """Texts per second, of those and of the time beyond start-up; 0 where there are none.

        >>> from quotelab.benchmarks.cost import Sample
        >>> start, whole = (Cost((Sample(0, 0, 0), Sample(*each)), 0, ()) for each in ((5, 2, 0), (15, 22, 0)))
        >>> Size(11_000, whole, start, None).rate, Size(11_000, whole, start, None).cpu_rate
        (1000.0, 500.0)
        """
        return self._per(self.cost.seconds - self.start.seconds)

    @property
    def cpu_rate(self) -> float:
        """The same by CPU seconds: nearly independent of what else the machine does."""
        return self._per(self.cost.cpu - self.start.cpu)

    def _per(self, seconds: float) -> float:
        return (self.texts - START_TEXTS) / seconds if self.texts > START_TEXTS and seconds > 0 else 0.0


def measure_sizes(
    tool: Tool,
    python: Path,
    sizes: Sequence[int],
    texts: Callable[[], Iterator[str]],
    options: Sequence[str],
    limit_s: float,
    work: Path | None = None,
) -> Iterator[Size]:
    """Run a tool on the first texts of a stream: on few for its start-up, then on each number of them, as asked for.

    Args:
        tool: one of ours.
        python: that runs it.
        sizes: numbers of texts.
        texts: begins the stream anew.
        options: of the adapter.
        limit_s: wall seconds after which a run is stopped.
        work: folder for temporary files; None: the system's.

    Raises:
        QuotelakeError: a run failed; the reason is in the message.
    """
    start = None
    for size in (START_TEXTS, *sorted(sizes)):
        with tempfile.TemporaryDirectory(prefix="bench_scale_", dir=work) as folder:
            path = Path(folder) / "texts.jsonl"
            number = write_texts(islice(texts(), size), path)
            outcome = run(tool, path, Path(folder) / "groups", python, limit_s, options)
        if outcome.cost is None:
            raise QuotelakeError(f"{tool.label}, {tool.setting}, {size:,} texts: {outcome.failure}")
        if start is None:
            start = outcome.cost
        else:
            yield Size(number, outcome.cost, start, outcome.moved)


def scale_table(sizes: Sequence[Size]) -> Table:
    """Table of texts per second, and their ratio to those of the smallest size."""
    names = (
        "texts", "wall s", "start-up s", "CPU s", "texts/s", "ratio", "texts/CPU s", "CPU ratio",
        "peak MB", "shuffled MB", "spilled MB",
    )  # fmt: skip
    table = Table(*names, title="Our grouping by number of texts; texts/s without start-up")
    for column in table.columns:
        column.justify = "right"
    for size in sizes:
        ratio = f"{size.rate / sizes[0].rate:.2f}" if sizes[0].rate else ""
        cpu_ratio = f"{size.cpu_rate / sizes[0].cpu_rate:.2f}" if sizes[0].cpu_rate else ""
        bytes_moved = (size.moved.shuffled, size.moved.spilled) if size.moved else (0, 0)
        table.add_row(
            f"{size.texts:,}", f"{size.cost.seconds:,.1f}", f"{size.start.seconds:,.1f}", f"{size.cost.cpu:,.1f}",
            f"{size.rate:,.0f}", ratio, f"{size.cpu_rate:,.0f}", cpu_ratio, f"{size.cost.peak / 1e6:,.0f}",
            *(f"{each / 1e6:,.1f}" for each in bytes_moved),
        )  # fmt: skip
    return table
