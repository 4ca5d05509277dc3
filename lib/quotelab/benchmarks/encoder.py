"""Measure the encoder on this processor: contexts per second of CPU, agreement with float32, bit-identical rows.

--texts FILE holds one text per line; without it, texts of random common words are generated, as long as contexts
usually are. "ratio" and "min cosine" are relative to plain sentence-transformers ``encode`` in float32. "identical" is
the share of texts whose vector is the same bit for bit when they are encoded in another order and in other batches.
Rates are per second of CPU of all threads together: unlike rates by wall time, they can be reproduced on a machine with
other load.
"""

import random
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from quotelab.benchmarks.extraction import best_of
from quotelab.report import positive, show
from quotelake.embeddings import models
from quotelake.embeddings.encoder import Encoder
from quotelake.errors import InputError
from quotelake.files.jsonl import opened

Vectors = npt.NDArray[np.float32]
Encode = Callable[[Sequence[str]], Vectors]
_ROUNDS = 2
PLAIN = "sentence-transformers, float32"
COMMON = ("minister", "said", "the", "vote", "of", "money", "and", "two", "to", "in", "rain", "is", "that", "school")


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add("--texts", type=Path, help="file with one text per line")
    add("--count", type=positive, default=500, help="texts to encode")
    add("--model", default=models.DEFAULT)


def run(options: Any) -> None:
    """Print the table."""
    texts = made_texts(options.count)
    if options.texts:
        with opened(options.texts) as file:
            lines = [line.decode("utf-8", "replace").strip() for line in file]
        texts = [line for line in lines if line][: options.count]
    if not texts:
        raise InputError(f"--texts {options.texts}: found no text; give one a line")
    auto = models.resolve_dtype("auto")
    # A processor without bfloat16 instructions emulates them, too slowly to be worth measuring.
    dtypes = ["float32", "bfloat16"] if any("bf16" in flag for flag in models.processor()[1]) else ["float32"]
    encoders = {dtype: Encoder(options.model, dtype, "cpu", threads=1) for dtype in dtypes}
    ways: dict[str, Encode] = {PLAIN: plain(options.model)}
    for dtype, encoder in encoders.items():
        ways[f"fixed shapes, {dtype}" + (": the default here" if dtype == auto else "")] = encoder.encode
    measured = measure(ways, texts)
    fastest, reference = measured[PLAIN]
    rows = []
    for name, (rate, vectors) in measured.items():
        cosine, same = (vectors * reference).sum(axis=1).min(), identical(ways[name], texts, vectors)
        rows.append((name, f"{rate:.0f}", f"{rate / fastest:.2f}", f"{cosine:.6f}", f"{same:.1%}"))
    title = f"{len(texts)} texts; dtype auto takes {auto} on this processor"
    show(title, ("way", "contexts per CPU s", "ratio", "min cosine", "identical"), rows)


def plain(model: str) -> Encode:
    """Plain sentence-transformers; to be called after torch's threads are set by an encoder of ours."""
    from sentence_transformers import SentenceTransformer

    loaded = SentenceTransformer(str(models.locate(model)), device="cpu", local_files_only=True)
    return lambda texts: np.asarray(loaded.encode(list(texts)), dtype=np.float32)


def measure(ways: dict[str, Encode], texts: Sequence[str]) -> dict[str, tuple[float, Vectors]]:
    """Texts per second of CPU, and the vectors, of each way of encoding."""
    best = best_of({name: partial(encode, texts) for name, encode in ways.items()}, _ROUNDS)
    return {name: (len(texts) / seconds, vectors) for name, (seconds, vectors) in best.items()}


def made_texts(count: int, seed: int = 0) -> list[str]:
    """Make texts of random words with log-normal lengths: median 35 words, four fifths between 15 and 80."""
    rng = random.Random(seed)
    lengths = [min(120, max(4, round(rng.lognormvariate(3.55, 0.65)))) for _ in range(count)]
    return [" ".join(rng.choices(COMMON, k=length)) for length in lengths]


def identical(encode: Encode, texts: Sequence[str], vectors: Vectors) -> float:
    """Share of texts whose vector is bit-identical if half of the texts are encoded in another order."""
    order = np.random.default_rng(0).permutation(len(texts))[: max(1, len(texts) // 2)]
    return float((encode([texts[i] for i in order]) == vectors[order]).all(axis=1).mean())
