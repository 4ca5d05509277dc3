"""Measure every speed that the project states; print one table with limits and figures of other tools.

    .venv/bin/python jobs/bench.py [--input NAME=GLOB …] [--data DIR] [--json FILE]

Without arguments the sample corpus and generated texts are measured; that takes some minutes and needs no other files.
DIR holds the public corpora that conf/base.toml declares, which the kernels then read. `--input` is the input of the
first run, and so the archive to which ten new documents are added. CPU and memory are of all processes, memory as
proportional set size. Limits hold for the sample corpus and two cores. Peers marked "here" are measured in the same run
on the same cores.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

# The other benchmarks are in the same folder.
import bench_contextomy
import bench_encoder
import bench_extraction
import numpy as np
from rich.console import Console
from rich.table import Table

from quotelab.benchmarks.corpora import in_other_words, parse_input, read_lines, write_lines
from quotelab.benchmarks.cost import Cost, check_machine, measure
from quotelab.benchmarks.submitted import Job, copy_lake, environment
from quotelake.contextomy.detector import load as load_detector
from quotelake.errors import InputError, exit_with
from quotelake.files.outputs import write_whole
from quotelake.sample import sample_inputs
from quotelake.settings import load_settings

JOBS = Path(__file__).parent
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

    Args:
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


def main() -> int:
    """Print the table; return the exit code."""
    options = _options()
    if options.rounds < 1:
        raise InputError(f"--rounds {options.rounds}: must be 1 or more")
    check_machine()
    figures = []
    told = Console(stderr=True)
    with tempfile.TemporaryDirectory(prefix="bench_", dir=options.work) as folder:
        for part in (runs(options, Path(folder)), kernels(options)):
            for figure in part:
                told.print(f"{figure.what}: {figure.value:,.1f} {figure.unit}")
                figures.append(figure)
    Console().print(table(figures))
    if options.json:
        rows = [asdict(figure) | {"kept": figure.kept} for figure in figures]
        write_whole(options.json, json.dumps(rows, indent=1) + "\n")
    return 0


def runs(options: Any, work: Path) -> Iterator[Figure]:
    """Measure jobs as a user starts them."""
    settings = load_settings(options.config)
    inputs = options.input or sample_inputs()
    config = ("--config", str(options.config)) if options.config else ()
    job = Job(JOBS / "score_corpus.py", (*config, "--set", f"ingest.author_key_file={work / 'author.key'}"))
    lake, name = work / "lake", "" if options.input else "the sample corpus: "
    yield from _spent(f"{name}first run", job.run(lake, inputs), 90)
    yield from _spent(f"{name}a run with nothing new", job.run(lake, inputs), 20)
    source, records = next(iter(read_lines(inputs, settings).items()))
    ten = list(in_other_words(records, settings.sources[source], 1))[:10]
    copy_lake(lake, work / "ten")
    yield from _spent(f"{name}ten new documents", job.run(work / "ten", write_lines({source: ten}, work / "new")), 60)
    for engine, limit in (("duckdb", None), ("spark", 20)):
        yield from questions(lake, engine, limit)


def questions(lake: Path, engine: str, limit: float | None) -> Iterator[Figure]:
    """Measure one small query alone, and the second query of a session."""
    command = [sys.executable, str(JOBS / "query.py"), "--lake", str(lake), "--engine", engine, "--format", "csv"]
    yield from _spent(f"a question, {engine}", measure([*command, QUESTION.format(name="n")], env=environment()), limit)
    names = ("first", "second")
    session = "".join(QUESTION.format(name=name) + ";\n" for name in names)
    cost = measure(command, stdin=session, env=environment())
    begin, end = (next(at for at, line in cost.lines if line == f"outcome,{name}") for name in names)
    yield Figure(f"the second question of a session, {engine}", "s", end - begin)
    yield Figure(f"the second question of a session, {engine}", "CPU s", cost.between(begin, end).cpu)


def kernels(options: Any) -> Iterator[Figure]:
    """Measure the kernels on one core, without Spark."""
    rates = bench_extraction.throughput(_texts(options.data), options.rounds, with_spark=False)
    found = dict(zip(rates.columns[0].cells, map(float, map(str, rates.columns[1].cells)), strict=True))
    simplest = next(value for name, value in found.items() if str(name).startswith("simplest pattern"))
    peer = f"simplest pattern in Python {simplest:,.0f}"
    yield Figure("quotes found", "MB/s", found["find_quotes"], 10, False, peer, "here")
    yield Figure("quotes and speakers found", "MB/s", found["find_quotes and find_speakers"], 10, False, peer, "here")
    yield from encoders(options.rounds)
    labelled = options.data and options.data / LABELLED
    cases = bench_contextomy.labelled(labelled) if labelled and labelled.exists() else bench_contextomy.sampled()
    widened, detector = bench_contextomy.widened(cases, 20), load_detector()
    spent = min(bench_contextomy.seconds(detector, widened) for _ in range(options.rounds))
    rate = len(widened) / spent
    yield Figure("headline quotes against 20 body quotes each", "per CPU s", rate, bench_contextomy.GOAL, False)


def encoders(rounds: int) -> Iterator[Figure]:
    """Measure the encoder that a run uses on this machine, and plain sentence-transformers."""
    from quotelake.embeddings import models
    from quotelake.embeddings.encoder import Encoder

    dtype = models.resolve_dtype("auto")
    ours = Encoder(models.DEFAULT, dtype, "cpu", threads=1)
    from sentence_transformers import SentenceTransformer  # after the threads are set

    usual = SentenceTransformer(str(models.locate(models.DEFAULT)), device="cpu", local_files_only=True)
    ways = {
        "usual": lambda texts: np.asarray(usual.encode(list(texts)), dtype=np.float32),
        "ours": ours.encode,
    }
    measured = bench_encoder.measure(ways, bench_encoder.made_texts(TEXTS), rounds)
    rates = {name: each.rate for name, each in measured.items()}
    peer = f"sentence-transformers, encode {rates['usual']:,.0f}"
    yield Figure(f"contexts embedded, {dtype}", "per CPU s", rates["ours"], None, False, peer, "here")
    yield Figure("the same, as a ratio", "x", rates["ours"] / rates["usual"], 2.2, False, "1", "here")


def table(figures: list[Figure]) -> Table:
    """All figures in one table."""
    made = Table("what", "value", "unit", "limit", "peer", "source of the peer", title="Speed")
    made.columns[1].justify = made.columns[3].justify = "right"
    for figure in figures:
        sign = "≤" if figure.most else "≥"
        limit = "" if figure.limit is None else f"{sign} {figure.limit:,g}{'' if figure.kept else ' (!)'}"
        value = f"{figure.value:,.0f}" if figure.value >= 100 else f"{figure.value:.2f}"
        made.add_row(figure.what, value, figure.unit, limit, figure.peer, figure.source)
    made.add_section()
    for what, peer, source in FIXED:
        made.add_row(what, "", "", "", peer, source)
    return made


def _spent(what: str, cost: Cost, limit: float | None) -> Iterator[Figure]:
    yield Figure(what, "CPU s", cost.cpu, limit)
    yield Figure(what, "s", cost.seconds)
    yield Figure(what, "GiB peak", cost.peak / 2**30)


def _texts(data: Path | None) -> list[str]:
    news = data and data / NEWS
    return [article["body"] for article in bench_extraction.news(news if news and news.exists() else None)]


def _options() -> Any:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--input", type=parse_input, action="append", metavar="NAME=GLOB", help="JSON Lines of a source"
    )
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder with the public corpora, for the kernels")
    parser.add_argument("--rounds", type=int, default=2, help="of each kernel; the best counts (default: 2)")
    parser.add_argument("--config", type=Path, metavar="FILE", help="TOML over conf/base.toml")
    parser.add_argument("--work", type=Path, metavar="DIR", help="folder for temporary lakes")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    return parser.parse_args()


if __name__ == "__main__":
    exit_with(main)
