"""Measure the encoder on this processor: contexts per second, agreement with float32, bit-identical rows.

    python jobs/bench_encoder.py [--texts FILE] [--count N] [--rounds N] [--threads N] [--model NAME]

FILE holds one text a line; without it texts of random common words are made, as long as contexts usually are.
"identical" is the share of texts whose vector is the same bit for bit when they are encoded in another order and in
other company.
"""

import argparse
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

from quotelake.embeddings.encoder import Encoder
from quotelake.embeddings.models import DEFAULT, locate
from quotelake.errors import exit_with

Encode = Callable[[Sequence[str]], npt.NDArray[np.float32]]
COMMON = ("minister", "said", "the", "vote", "of", "money", "and", "two", "to", "in", "rain", "is", "that", "school")


def made_texts(count: int, seed: int = 0) -> list[str]:
    """Make texts of random words, log-normal in length: median 35 words, four fifths between 15 and 80."""
    rng = random.Random(seed)
    lengths = [min(120, max(4, round(rng.lognormvariate(3.55, 0.65)))) for _ in range(count)]
    return [" ".join(rng.choices(COMMON, k=length)) for length in lengths]


def rates(ways: dict[str, Encode], texts: Sequence[str], rounds: int) -> dict[str, float]:
    """Return each way's contexts per second, best of ``rounds``; ways take turns, so that a busy spell hits all."""
    seconds = dict.fromkeys(ways, float("inf"))
    for _ in range(rounds):
        for name, encode in ways.items():
            start = time.perf_counter()
            encode(texts)
            seconds[name] = min(seconds[name], time.perf_counter() - start)
    return {name: len(texts) / spent for name, spent in seconds.items()}


def identical(encode: Encode, texts: Sequence[str], vectors: npt.NDArray[np.float32]) -> float:
    """Return the share of texts whose vector is bit-identical in another order and in half the company."""
    order = np.random.default_rng(0).permutation(len(texts))[: max(1, len(texts) // 2)]
    return float((encode([texts[i] for i in order]) == vectors[order]).all(axis=1).mean())


def main() -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=Path, help="file with one text a line")
    parser.add_argument("--count", type=int, default=500, help="texts to encode")
    parser.add_argument("--rounds", type=int, default=2, help="the best of so many rounds counts")
    parser.add_argument("--threads", type=int, default=1, help="torch's threads; one per Spark worker is usual")
    parser.add_argument("--model", default=DEFAULT)
    options = parser.parse_args()
    lines = options.texts.read_text("utf-8").splitlines() if options.texts else made_texts(options.count)
    texts = [line for line in lines if line.strip()][: options.count]

    exact = Encoder(options.model, "float32", "cpu", threads=options.threads)
    fast = Encoder(options.model, "auto", "cpu")
    # Imported after the threads are set.
    from sentence_transformers import SentenceTransformer

    plain = SentenceTransformer(str(locate(options.model)), device="cpu", local_files_only=True)
    ways: dict[str, Encode] = {
        "sentence-transformers, float32": lambda t: np.asarray(plain.encode(list(t)), dtype=np.float32),
        "token budget, float32": lambda t: exact.encode(t, fixed_shapes=False),
        "fixed shapes, float32": exact.encode,
        f"token budget, {fast.dtype}": lambda t: fast.encode(t, fixed_shapes=False),
        f"fixed shapes, {fast.dtype}": fast.encode,
    }
    reference = exact.encode(texts)
    rate = rates(ways, texts, options.rounds)
    table = Table("way", "contexts/s", "min cosine to float32", "identical", title=f"{len(texts)} texts")
    for name, encode in ways.items():
        vectors = encode(texts)
        cosine, same = (vectors * reference).sum(axis=1).min(), identical(encode, texts, vectors)
        table.add_row(name, f"{rate[name]:.0f}", f"{cosine:.6f}", f"{same:.1%}")
    Console().print(table)
    return 0


if __name__ == "__main__":
    exit_with(main)
