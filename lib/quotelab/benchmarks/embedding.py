"""Measure what Spark adds to encoding: the stage that embeds texts, with an encoder that costs nothing.

Its vectors of 384 random numbers go nowhere, or to a Delta table as in a lake. The cost of a thousand texts, which is
starting Spark, is subtracted. CPU is of all processes: a GPU that encodes 100,000 texts a second needs as many cores as
100,000 divided by the texts per CPU second.
"""

import tempfile
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from pyspark.sql import functions as F

from quotelab.benchmarks.cost import Cost, measure
from quotelab.benchmarks.load import environment
from quotelab.report import positive, show
from quotelake.embeddings.embed import GPU_TEXTS, embed_texts
from quotelake.embeddings.encoder import Embedded
from quotelake.spark.session import end_session, get_session

_START: Final = 1_000  # texts that the cost of starting is measured by
_WORDS: Final = 58  # of a text, 76 tokens of usual news
TARGETS: Final = {"nowhere": "noop", "a Delta table": "delta"}


class FreeEncoder:
    """Neither tokens nor arithmetic: each batch gets the same random vectors, which no file format makes smaller."""

    fingerprint, dimension = "free", 384
    _vectors = np.random.default_rng(0).standard_normal((GPU_TEXTS, dimension), np.float32)

    def __init__(self, model: str, dtype: str) -> None:
        """Take the arguments of an encoder."""

    def tokenise(self, texts: Sequence[str]) -> int:
        """How many texts there are."""
        return len(texts)

    def compute(self, texts: int) -> Embedded:
        """As many vectors."""
        return Embedded(self._vectors[:texts], np.zeros(texts, bool))


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add("--texts", type=positive, default=200_000, metavar="N", help="texts (default: 200000)")
    add("--to", choices=TARGETS.values(), help="embed once to this format, in this process")
    add("--work", type=Path, metavar="DIR", help="folder for temporary files")


def run(options: Any) -> None:
    """Measure, print."""
    if options.to:
        embed_made_texts(options.texts, options.to, options.work)
        return
    with tempfile.TemporaryDirectory(prefix="bench_embedding_", dir=options.work) as folder:
        found = rates(Path(folder), options.texts)
    rows = [(name, f"{rate:,.0f}", f"{1e6 / rate:,.0f}", f"{100_000 / rate:.1f}") for name, rate in found.items()]
    title = f"Embedding {options.texts:,} texts by an encoder that costs nothing; the start of Spark is subtracted"
    show(title, ("vectors to", "texts per CPU s", "CPU µs per text", "cores for 100,000 texts a s"), rows)


def rates(folder: Path, texts: int) -> dict[str, float]:
    """Texts per CPU second, by where their vectors go."""
    spent = {
        name: _embedded(folder, texts, target).cpu - _embedded(folder, _START, target).cpu
        for name, target in TARGETS.items()
    }
    return {name: (texts - _START) / seconds for name, seconds in spent.items()}


def _embedded(folder: Path, texts: int, target: str) -> Cost:
    arguments = ["bench", "embedding", "--texts", str(texts), "--to", target, "--work", str(folder)]
    program = folder / "embed.py"
    program.write_text(f"from quotelab.cli import run\nrun({arguments!r})\n", "utf-8")
    return measure(["spark-submit", "--conf", f"spark.local.dir={folder}/local", str(program)], env=environment())


def embed_made_texts(count: int, target: str, folder: Path) -> None:
    """Embed so many texts, made by Spark, and write their rows in this format."""
    spark = get_session("bench_embedding")
    words = F.array_join(F.array_repeat(F.substring(F.sha2(F.col("id").cast("string"), 256), 1, 5), _WORDS), " ")
    texts = spark.range(count).select(F.md5(F.col("id").cast("string")).alias("text_hash"), words.alias("text"))
    given: dict[str, Any] = {"model": "", "dtype": "", "fingerprint": FreeEncoder.fingerprint, "load": FreeEncoder}
    rows = embed_texts(texts, partitions=spark.sparkContext.defaultParallelism, **given)
    rows.write.format(target).mode("overwrite").save(str(folder / "vectors"))
    end_session()
