"""Measure every speed that the project states; print one table with limits and figures of other tools.

Without arguments the sample corpus and generated texts are measured; that takes some minutes and needs no other files.
--data DIR holds the public corpora that conf/base.toml declares, which the kernels then read. `--input` is the input of
the first run, and so the archive to which ten new documents are added. CPU and memory are of all processes, memory as
proportional set size. Limits hold for the sample corpus and two cores. Peers marked "here" are measured in the same run
on the same cores.
"""

import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from quotelab.benchmarks import contextomy, encoder, extraction
from quotelab.benchmarks.corpora import in_other_words, read_lines, write_lines
from quotelab.benchmarks.cost import Cost, check_machine, measure
from quotelab.benchmarks.kernels import news
from quotelab.benchmarks.runs import Job, add_arguments, copy_lake, environment, job_file
from quotelab.report import progress, show, write_json
from quotelake.errors import InputError
from quotelake.sample import sample_inputs
from quotelake.settings import load_settings

QUESTION = "SELECT outcome, count(*) AS {name} FROM headline_quotes GROUP BY outcome ORDER BY outcome"
NEWS, LABELLED = "news/us_news_4k.jsonl.gz", "contextomy/korean_1600.jsonl"
TEXTS = 300  # encoded by each encoder
FIXED = (  # published figures of other tools on other machines; not measured here
    ("MiniLM-L6, sentences/s", "14,200 on a V100", "sentence-transformers, table of models"),
    (
        "MiniLM-L6, sentences/s",
        "about 2,500 plain, 16,648 text-embeddings-inference, 50,127 TensorRT, on an A100",
        "IgniteMS (TensorRT); the others as published with it",
    ),
    ("embedding in Spark, rows/s", "1,100 to 1,600 on a GPU", "NVIDIA, spark-rapids-examples, notebook"),
)


@dataclass(frozen=True)
class Figure:
    """One figure.

    Attributes:
        what: name of the figure.
        unit: of the value.
        value: measured value.
        limit: of the project; None: there is none.
        most: whether the limit is a maximum; else a minimum.
        peer: another tool for the same work, and its figure.
        source: of the peer's figure.
    """

    what: str
    unit: str
    value: float
    limit: float | None = None
    most: bool = True
    peer: str = ""
    source: str = ""

    @property
    def kept(self) -> bool:
        """Whether the value is within the limit."""
        return self.limit is None or (self.value <= self.limit if self.most else self.value >= self.limit)

    def row(self) -> tuple[str, ...]:
        """Cells of the table."""
        limit = "" if self.limit is None else f"{'≤' if self.most else '≥'} {self.limit:,g}"
        value = f"{self.value:,.0f}" if self.value >= 100 else f"{self.value:.2f}"
        return self.what, self.unit, self.peer, self.source, value, limit + ("" if self.kept else " (!)")


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    add_arguments(parser)
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder with the public corpora, for the kernels")
    parser.add_argument("--rounds", type=int, default=2, help="of each kernel; the best counts (default: 2)")


def run(options: Any) -> None:
    """Measure, print the table."""
    if options.rounds < 1:
        raise InputError(f"--rounds {options.rounds}: must be 1 or more")
    check_machine()
    figures = []
    with tempfile.TemporaryDirectory(prefix="bench_", dir=options.work) as folder:
        for part in (runs(options, Path(folder)), kernels(options)):
            for figure in part:
                progress(f"{figure.what}: {figure.value:,.1f} {figure.unit}")
                figures.append(figure)
    published = [(what, "", peer, source, "", "") for what, peer, source in FIXED]
    columns = ("what", "unit", "peer", "source of the peer", "value", "limit")
    show("Speed", columns, [*(figure.row() for figure in figures), None, *published], names=4)
    write_json(options.json, [asdict(figure) | {"kept": figure.kept} for figure in figures])


def runs(options: Any, work: Path) -> Iterator[Figure]:
    """Measure jobs as a user starts them."""
    inputs, job = options.input or sample_inputs(), Job.of(options, work)
    lake, name = work / "lake", "" if options.input else "the sample corpus: "
    yield from _spent(f"{name}first run", job.run(lake, inputs), 90)
    yield from _spent(f"{name}a run with nothing new", job.run(lake, inputs), 20)
    settings = load_settings(options.config)
    source, records = next(iter(read_lines(inputs, settings).items()))
    ten = list(in_other_words(records, settings.sources[source], 1))[:10]
    copy_lake(lake, work / "ten")
    yield from _spent(f"{name}ten new documents", job.run(work / "ten", write_lines({source: ten}, work / "new")), 60)
    for engine, limit in (("duckdb", None), ("spark", 20)):
        yield from questions(lake, engine, limit)


def questions(lake: Path, engine: str, limit: float | None) -> Iterator[Figure]:
    """Measure one small query alone, and the second query of a session."""
    job = str(job_file("query.py"))
    command = [sys.executable, job, "--lake", str(lake), "--engine", engine, "--format", "csv"]
    yield from _spent(f"a question, {engine}", measure([*command, QUESTION.format(name="n")], env=environment()), limit)
    names = ("first", "second")
    session = "".join(QUESTION.format(name=name) + ";\n" for name in names)
    cost = measure(command, stdin=session, env=environment())
    begin, end = (next(at for at, line in cost.lines if line == f"outcome,{name}") for name in names)
    yield Figure(f"the second question of a session, {engine}", "s", end - begin)
    yield Figure(f"the second question of a session, {engine}", "CPU s", cost.between(begin, end).cpu)


def kernels(options: Any) -> Iterator[Figure]:
    """Measure the kernels on one core, without Spark."""
    texts = [article["body"] for article in news(_within(options.data, NEWS))]
    rates = extraction.throughput(texts, options.rounds, with_spark=False)
    simplest = next(rate for name, rate in rates.items() if name.startswith("simplest pattern"))
    for what, way in (("quotes", "find_quotes"), ("quotes and speakers", "find_quotes and find_speakers")):
        yield Figure(
            f"{what} found", "MB/s", rates[way], 10, False, f"simplest pattern in Python {simplest:,.0f}", "here"
        )
    yield from encoders(options.rounds)
    cases = contextomy.widened(contextomy.cases_of(_within(options.data, LABELLED)), 20)
    rate = contextomy.rate_of(cases, options.rounds)
    yield Figure("headline quotes against 20 body quotes each", "per CPU s", rate, contextomy.GOAL, False)


def encoders(rounds: int) -> Iterator[Figure]:
    """Measure the encoder that a run uses on this machine, and plain sentence-transformers."""
    from quotelake.embeddings import models
    from quotelake.embeddings.encoder import Encoder

    dtype = models.resolve_dtype("auto")
    ways: dict[str, encoder.Encode] = {"ours": Encoder(models.DEFAULT, dtype, "cpu", threads=1).encode}
    ways["usual"] = encoder.plain(models.DEFAULT)
    measured = encoder.measure(ways, encoder.made_texts(TEXTS), rounds)
    ours, usual = (measured[name][0] for name in ("ours", "usual"))
    peer = f"sentence-transformers, encode {usual:,.0f}"
    yield Figure(f"contexts embedded, {dtype}", "per CPU s", ours, None, False, peer, "here")
    yield Figure("the same, as a ratio", "x", ours / usual, 2.2, False, "1", "here")


def _spent(what: str, cost: Cost, limit: float | None) -> Iterator[Figure]:
    yield Figure(what, "CPU s", cost.cpu, limit)
    yield Figure(what, "s", cost.seconds)
    yield Figure(what, "GiB peak", cost.peak / 2**30)


def _within(folder: Path | None, name: str) -> Path | None:
    return folder / name if folder is not None and (folder / name).exists() else None
