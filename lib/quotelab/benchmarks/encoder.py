"""Measure the encoder on a device: texts per second, agreement with float32, bit-identical rows.

--texts FILE holds one text per line; without it, texts of random common words are generated, as long as contexts
usually are. "ratio" and "min cosine" are relative to plain sentence-transformers ``encode`` in float32. "identical" is
the share of texts whose vector is the same bit for bit in another order and in other batches. Rates are per second of
CPU of all threads, which other load does not change; on a GPU per second of wall time. "of peak" is the rate of
arithmetic as a share of that of one large matrix product in the same dtype, and "host" the share of the time that the
processor's part alone takes: texts are tokenised and batches filled. The second table is of that part, on one thread.
"""

import random
import time
from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from quotelab.benchmarks.extraction import best_of
from quotelab.report import positive, show
from quotelake.article import Encode
from quotelake.embeddings import models
from quotelake.embeddings.encoder import CUDA_TOKENS, Encoder, by_budget, filled
from quotelake.errors import InputError
from quotelake.files.jsonl import opened
from quotelake.topics.head import Vectors

_ROUNDS = 2
#: Texts that sentence-transformers sorts by length and takes at once on a GPU.
_LARGE_BATCH = 2048
_PRODUCTS = 8
PLAIN = "sentence-transformers, float32"
COMMON = ("minister", "said", "the", "vote", "of", "money", "and", "two", "to", "in", "rain", "is", "that", "school")


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add("--texts", type=Path, help="file with one text per line")
    add("--count", type=positive, default=500, help="texts to encode")
    add("--model", default=models.DEFAULT)
    add("--device", default="cpu", help="cpu (default), cuda or cuda:N")


def run(options: Any) -> None:
    """Print the table."""
    texts = made_texts(options.count)
    if options.texts:
        with opened(options.texts) as file:
            lines = [line.decode("utf-8", "replace").strip() for line in file]
        texts = [line for line in lines if line][: options.count]
    if not texts:
        raise InputError(f"--texts {options.texts}: found no text; give one a line")
    device, on_cpu = options.device, options.device == "cpu"
    auto = models.resolve_dtype("auto", device)
    # A processor without bfloat16 instructions emulates them, too slowly to be worth measuring.
    half = not on_cpu or any("bf16" in flag for flag in models.processor()[1])
    dtypes = ["float32", "bfloat16"] if half else ["float32"]
    encoders = {dtype: Encoder(options.model, dtype, device, threads=1) for dtype in dtypes}
    # By names that state the dtype.
    calls: dict[str, Encode] = {PLAIN: plain(options.model, device=device)}
    if not on_cpu:  # what sentence-transformers' documents call its fastest on a GPU, beside other back ends
        calls["sentence-transformers, bfloat16"] = plain(options.model, "bfloat16", device)
    for dtype, encoder in encoders.items():
        shapes = "fixed shapes" if encoder.fixed_shapes else "by tokens"
        calls[f"{shapes}, {dtype}" + (": the default here" if dtype == auto else "")] = encoder.encode
        if not encoder.fixed_shapes:  # what vectors that are equal to the bit in any batch would cost
            calls[f"fixed shapes, {dtype}"] = partial(_at_fixed_shapes, encoder)
    clock = time.process_time if on_cpu else time.perf_counter
    measured = measure(calls, texts, clock)
    tokens, tokenised, filling = tokenising(next(iter(encoders.values())), texts)
    reference, rows = measured[PLAIN], []
    for name, (seconds, vectors) in measured.items():
        cosine, same = (vectors * reference[1]).sum(axis=1).min(), identical(calls[name], texts, vectors)
        dtype = "bfloat16" if "bfloat16" in name else "float32"
        rows.append((
            name, f"{len(texts) / seconds:.0f}", f"{reference[0] / seconds:.2f}", f"{tokens / seconds:,.0f}",
            f"{arithmetic(calls[name], texts) / seconds / peak(dtype, device, clock):.1%}",
            f"{(tokenised + filling) / seconds:.1%}", f"{cosine:.6f}", f"{same:.1%}",
        ))  # fmt: skip
    per = "CPU s" if on_cpu else "s"
    title = f"{len(texts)} texts; dtype auto takes {auto} on {device}"
    head = ("call", f"texts per {per}", "ratio", f"tokens per {per}", "of peak", "host", "min cosine", "identical")
    show(title, head, rows)
    size = sum(len(text.encode()) for text in texts)
    rates = {
        "tokens of a text": f"{tokens / len(texts):.0f}",
        "texts tokenised": f"{len(texts) / tokenised:,.0f}",
        "MB": f"{size / tokenised / 1e6:.1f}",
        "texts filled in": f"{len(texts) / filling:,.0f}",
    }
    show("The processor's part, per CPU s of one core", list(rates), [list(rates.values())], names=0)


def plain(model: str, dtype: str = "float32", device: str = "cpu") -> Encode:
    """Plain sentence-transformers; to be called after torch's threads are set by an encoder of ours."""
    import torch
    from sentence_transformers import SentenceTransformer

    loaded = SentenceTransformer(
        str(models.locate(model)), device=device, local_files_only=True, model_kwargs={"dtype": getattr(torch, dtype)}
    )
    rows = 32 if device == "cpu" else _LARGE_BATCH  # 32 is its default
    return lambda texts: np.asarray(loaded.encode(list(texts), batch_size=rows), dtype=np.float32)


def _at_fixed_shapes(encoder: Encoder, texts: Sequence[str]) -> Vectors:
    return encoder.compute(encoder.tokenise(texts), fixed_shapes=True).vectors


def measure(
    calls: Mapping[str, Encode], texts: Sequence[str], clock: Callable[[], float] = time.process_time
) -> dict[str, tuple[float, Vectors]]:
    """Seconds, and the vectors, of each call of encoding, its best round."""
    return best_of({name: partial(encode, texts) for name, encode in calls.items()}, _ROUNDS, clock)


def tokenising(encoder: Encoder, texts: Sequence[str]) -> tuple[int, float, float]:
    """Tokens of all texts, CPU seconds in which they are made and batches filled with them: the best round of each."""
    [(seconds, tokens)] = best_of({"": partial(encoder.tokenise, texts)}, _ROUNDS).values()

    def fill() -> None:
        for batch in by_budget(tokens.lengths, CUDA_TOKENS):
            filled(tokens, batch, 0)

    [(filling, _)] = best_of({"": fill}, _ROUNDS).values()
    return len(tokens.ids), seconds, filling


def arithmetic(encode: Encode, texts: Sequence[str]) -> int:
    """Multiplications and additions of encoding the texts, those of padding among them."""
    from torch.utils.flop_counter import FlopCounterMode

    with FlopCounterMode(display=False) as counted:
        encode(texts)
    return int(counted.get_total_flops())


def peak(dtype: str, device: str, clock: Callable[[], float]) -> float:
    """Multiplications and additions per second of the device in a large matrix product."""
    import torch

    size = 1024 if device == "cpu" else 8192
    left = torch.ones(size, size, dtype=getattr(torch, dtype), device=device)

    def product() -> None:
        for _ in range(_PRODUCTS):
            left @ left
        if device != "cpu":
            torch.cuda.synchronize(device)

    product()
    [(seconds, _)] = best_of({"": product}, _ROUNDS, clock).values()
    return 2 * size**3 * _PRODUCTS / seconds


def made_texts(count: int, seed: int = 0) -> list[str]:
    """Make texts of random words with log-normal lengths: median 35 words, four fifths between 15 and 80."""
    rng = random.Random(seed)
    lengths = [min(120, max(4, round(rng.lognormvariate(3.55, 0.65)))) for _ in range(count)]
    return [" ".join(rng.choices(COMMON, k=length)) for length in lengths]


def identical(encode: Encode, texts: Sequence[str], vectors: Vectors) -> float:
    """Share of texts whose vector is bit-identical if half of the texts are encoded in another order."""
    order = np.random.default_rng(0).permutation(len(texts))[: max(1, len(texts) // 2)]
    return float((encode([texts[i] for i in order]) == vectors[order]).all(axis=1).mean())
