"""Measure the encoder on this processor: contexts per second of CPU, agreement with float32, bit-identical rows.

    .venv/bin/python jobs/bench_encoder.py [--texts FILE] [--count N] [--rounds N] [--threads N] [--model NAME]

FILE holds one text per line; without it, texts of random common words are generated, as long as contexts usually are.
"ratio" and "min cosine" are relative to plain sentence-transformers ``encode`` in float32. "identical" is the share
of texts whose vector is the same bit for bit when they are encoded in another order and in other batches.
"""

import argparse
import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

from quotelake.embeddings import models
from quotelake.embeddings.encoder import Encoder
from quotelake.errors import InputError, exit_with
from quotelake.files.jsonl import refuse

Encode = Callable[[Sequence[str]], npt.NDArray[np.float32]]
PLAIN = "sentence-transformers, float32"
COMMON = ("minister", "said", "the", "vote", "of", "money", "and", "two", "to", "in", "rain", "is", "that", "school")


def made_texts(count: int, seed: int = 0) -> list[str]:
    """Make texts of random words with log-normal lengths: median 35 words, four fifths between 15 and 80."""
    rng = random.Random(seed)
    lengths = [min(120, max(4, round(rng.lognormvariate(3.55, 0.65)))) for _ in range(count)]
    return [" ".join(rng.choices(COMMON, k=length)) for length in lengths]


def read_lines(path: Path) -> list[str]:
    """Lines of a file that hold text; InputError if there is none, or the file cannot be read."""
    try:
        lines = [line for line in path.read_text("utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        refuse(f"--texts {path}", f"a file that cannot be read ({error})", "give a text a line, in UTF-8")
    return lines or refuse(f"--texts {path}", "no text", "give a text a line")


class Measured(NamedTuple):
    """Rate and vectors of one way of encoding."""

    rate: float
    vectors: npt.NDArray[np.float32]


def measure(ways: dict[str, Encode], texts: Sequence[str], rounds: int) -> dict[str, Measured]:
    """Encode in each way, best of ``rounds``; ways take turns, so that other load affects all alike.

    Rates are per second of CPU of all threads together. Unlike rates by wall time, they can be reproduced on a machine
    with other load.
    """
    measured: dict[str, Measured] = {}
    for _ in range(rounds):
        for name, encode in ways.items():
            start = time.process_time()
            vectors = encode(texts)
            rate = len(texts) / (time.process_time() - start)
            if name not in measured or rate > measured[name].rate:
                measured[name] = Measured(rate, vectors)
    return measured


def identical(encode: Encode, texts: Sequence[str], vectors: npt.NDArray[np.float32]) -> float:
    """Share of texts whose vector is bit-identical if half of the texts are encoded in another order."""
    order = np.random.default_rng(0).permutation(len(texts))[: max(1, len(texts) // 2)]
    return float((encode([texts[i] for i in order]) == vectors[order]).all(axis=1).mean())


def main() -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=Path, help="file with one text per line")
    parser.add_argument("--count", type=int, default=500, help="texts to encode")
    parser.add_argument("--rounds", type=int, default=2, help="number of rounds; the best one counts")
    parser.add_argument("--threads", type=int, default=1, help="torch's threads; one per Spark worker is usual")
    parser.add_argument("--model", default=models.DEFAULT)
    options = parser.parse_args()
    if options.count < 1 or options.rounds < 1 or options.threads < 1:
        raise InputError("--count, --rounds and --threads must be 1 at least")
    texts = read_lines(options.texts)[: options.count] if options.texts else made_texts(options.count)

    auto = models.resolve_dtype("auto")
    # A processor without bfloat16 instructions emulates them, too slowly to be worth measuring.
    dtypes = ["float32", "bfloat16"] if any("bf16" in flag for flag in models.processor().flags) else ["float32"]
    encoders = {dtype: Encoder(options.model, dtype, "cpu", threads=options.threads) for dtype in dtypes}
    # Imported after the threads are set.
    from sentence_transformers import SentenceTransformer

    plain = SentenceTransformer(str(models.locate(options.model)), device="cpu", local_files_only=True)
    ways: dict[str, Encode] = {PLAIN: lambda t: np.asarray(plain.encode(list(t)), dtype=np.float32)}
    for dtype, encoder in encoders.items():
        ways[f"token budget, {dtype}"] = partial(encoder.encode, fixed_shapes=False)
        ways[f"fixed shapes, {dtype}" + (": the default here" if dtype == auto else "")] = encoder.encode
    measured = measure(ways, texts, options.rounds)
    reference = measured[PLAIN].vectors
    title = f"{len(texts)} texts; dtype auto takes {auto} on this processor"
    table = Table("way", "contexts per CPU s", "ratio", "min cosine", "identical", title=title)
    for name, (rate, vectors) in measured.items():
        cosine, same = (vectors * reference).sum(axis=1).min(), identical(ways[name], texts, vectors)
        table.add_row(name, f"{rate:.0f}", f"{rate / measured[PLAIN].rate:.2f}", f"{cosine:.6f}", f"{same:.1%}")
    Console().print(table)
    return 0


if __name__ == "__main__":
    exit_with(main)
