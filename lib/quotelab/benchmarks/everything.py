"""Measure every speed that the project states; print one table with limits.

Without arguments the sample corpus and generated texts are measured; that takes some minutes and needs no other files.
`--input` is the input of the first run, and so the archive to which ten new documents are added. CPU and memory are of
all processes, memory as proportional set size. Limits hold for the sample corpus and two cores.
"""

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from quotelab.benchmarks import contextomy, embedding, encoder, extraction
from quotelab.benchmarks.corpora import in_other_words, read_lines, write_lines
from quotelab.benchmarks.cost import Cost
from quotelab.benchmarks.load import add_arguments, inputs_of, job, score
from quotelab.report import progress, show, write_json
from quotelake.article import Encode
from quotelake.embeddings import models
from quotelake.embeddings.encoder import Encoder
from quotelake.settings import load_settings

_QUESTION: Final = "SELECT outcome, count(*) AS {name} FROM headline_quotes GROUP BY outcome ORDER BY outcome;\n"
_TEXTS: Final = 300  # encoded by each encoder
_MANY_TEXTS: Final = 50_000  # embedded by an encoder that costs nothing
_ROUNDS: Final = 2  # of each kernel; the best counts


@dataclass(frozen=True)
class Figure:
    """One figure; ``most`` says whether its limit, where there is one, is a maximum, else a minimum."""

    what: str
    unit: str
    value: float
    limit: float | None = None
    most: bool = True

    def row(self) -> tuple[str, ...]:
        """Cells of the table."""
        limit = "" if self.limit is None else f"{'≤' if self.most else '≥'} {self.limit:,g}"
        broken = self.limit is not None and (self.value > self.limit if self.most else self.value < self.limit)
        value = f"{self.value:,.0f}" if self.value >= 100 else f"{self.value:.2f}"
        return self.what, self.unit, value, limit + (" (!)" if broken else "")


configure = add_arguments


def run(options: Any) -> None:
    """Measure, print the table."""
    figures = []
    with tempfile.TemporaryDirectory(prefix="bench_", dir=options.work) as folder:
        for part in (runs(options, Path(folder)), kernels()):
            for figure in part:
                progress(f"{figure.what}: {figure.value:,.1f} {figure.unit}")
                figures.append(figure)
    show("Speed", ("what", "unit", "value", "limit"), [figure.row() for figure in figures], names=2)
    write_json(options.json, [asdict(figure) for figure in figures])


def runs(options: Any, work: Path) -> Iterator[Figure]:
    """Measure jobs as a user starts them."""

    def spent(what: str, cost: Cost, limit: float | None) -> Iterator[Figure]:
        yield Figure(what, "CPU s", cost.cpu, limit)
        yield Figure(what, "s", cost.seconds)
        yield Figure(what, "GiB peak", cost.peak / 2**30)

    inputs, lake = inputs_of(options), work / "lake"
    name = "" if options.input else "the sample corpus: "
    yield from spent(f"{name}first run", score(options, lake, inputs), 90)
    yield from spent(f"{name}a run with nothing new", score(options, lake, inputs), 20)
    settings = load_settings(options.config)
    source, records = next(iter(read_lines(inputs, settings).items()))
    ten = write_lines({source: [*in_other_words(records, settings.sources[source], 1)][:10]}, work / "new")
    shutil.copytree(lake, work / "ten")
    yield from spent(f"{name}ten new documents", score(options, work / "ten", ten), 60)
    for name, rate in embedding.rates(work, _MANY_TEXTS).items():
        yield Figure(f"Spark's part of embedding, vectors to {name}", "texts per CPU s", rate)
    for engine, limit in (("duckdb", None), ("spark", 20)):
        arguments = ("--engine", engine, "--format", "csv")
        yield from spent(f"a question, {engine}", job("query.py", lake, *arguments, _QUESTION.format(name="n")), limit)
        session = "".join(_QUESTION.format(name=name) for name in ("first", "second"))
        cost = job("query.py", lake, *arguments, stdin=session)
        first, second = (at for at, line in cost.lines if line in ("outcome,first", "outcome,second"))
        yield Figure(f"the second question of a session, {engine}", "s", second - first)


def kernels() -> Iterator[Figure]:
    """Measure the kernels on one core, without Spark."""
    rates = extraction.throughput(extraction.news(), _ROUNDS)
    yield Figure("quotes found", "MB/s", rates["find_quotes"], 10, most=False)
    yield Figure("quotes and speakers found", "MB/s", rates["find_quotes and find_speakers"], 10, most=False)
    dtype = models.resolve_dtype("auto")
    calls: dict[str, Encode] = {"ours": Encoder(models.DEFAULT, dtype, "cpu", threads=1).encode}
    calls["usual"] = encoder.plain(models.DEFAULT)
    measured = encoder.measure(calls, encoder.made_texts(_TEXTS))
    ours, usual = (_TEXTS / measured[name][0] for name in ("ours", "usual"))
    yield Figure(f"contexts embedded, {dtype}", "per CPU s", ours)
    yield Figure("contexts embedded by sentence-transformers, float32", "per CPU s", usual)
    yield Figure("the same, as a ratio", "x", ours / usual, 2.2, most=False)
    rate = contextomy.headline_quotes_per_second()
    yield Figure("headline quotes against 20 body quotes each", "per CPU s", rate, contextomy.GOAL, most=False)
