"""Measure the encoder on a device: texts per second, agreement with float32, bit-identical rows.

--texts FILE holds one text per line; without it, texts of random common words are generated, as long as contexts
usually are. "ratio" and "min cosine" are relative to plain sentence-transformers ``encode`` in float32, which on a GPU
is given the first texts alone. "identical" is the share of texts whose vector is the same bit for bit in another order
and in other batches. Rates are per second of CPU of all threads, which other load does not change; on a GPU per second
of wall time. "of peak" is the rate of the arithmetic that the texts need, without padding, as a share of that of one
large matrix product in the same dtype; "host" is the share of the time that tokenising takes alone. The second table is
of both tokenisers, the third of processes that share a GPU as tasks of Spark do.

It needs torch, safetensors, tokenizers, rich and, to compare with, sentence-transformers; neither Spark nor Java. In a
checkout without an installation: PYTHONPATH=lib python -m quotelab.benchmarks.encoder --device cuda
"""

import os
import random
import time
from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from quotelab.benchmarks import gpu_tasks
from quotelab.benchmarks.timing import best_of
from quotelab.report import positive, show
from quotelake.embeddings import models, tokens
from quotelake.embeddings.encoder import Encoder
from quotelake.errors import InputError, exit_with
from quotelake.files.jsonl import opened

if TYPE_CHECKING:
    from quotelake.article import Encode

Vectors = npt.NDArray[np.float32]
_ROUNDS = 2
_GPU_ROUNDS = 3  # the first one loads kernels and takes memory
#: Texts that sentence-transformers takes at once on a GPU, and of how many it is measured there.
_LARGE_BATCH, _FEW = 1024, 8192
_PRODUCTS = 8
_TASKS = (1, 2, 4)
PLAIN = "sentence-transformers, float32"
COMMON = ("minister", "said", "the", "vote", "of", "money", "and", "two", "to", "in", "rain", "is", "that", "school")


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add("--texts", type=Path, help="file with one text per line")
    add("--count", type=positive, help="texts to encode (default: 500, on a GPU 40000)")
    add("--model", default=models.DEFAULT)
    add("--device", default="cpu", help="cpu (default), cuda or cuda:N")


def run(options: Any) -> None:
    """Print the tables."""
    model, device, on_cpu = options.model, options.device, options.device == "cpu"
    if not on_cpu:
        _require_gpu(device)
    texts = _given_texts(options.texts, options.count or (500 if on_cpu else 40_000))
    auto = models.resolve_dtype("auto", device)
    # A processor without bfloat16 instructions emulates them, too slowly to be worth measuring.
    half = not on_cpu or any("bf16" in flag for flag in models.processor()[1])
    encoders = [Encoder(model, dtype, device, threads=1) for dtype in ("float32", "bfloat16")[: 1 + half]]
    calls: dict[str, Encode] = {PLAIN: plain(model, device=device)}
    if not on_cpu:  # what sentence-transformers' documents call its fastest on a GPU, beside other back ends
        calls["sentence-transformers, bfloat16"] = plain(model, "bfloat16", device)
    for encoder in encoders:
        name = f"{'packed' if encoder.packs else 'fixed shapes'}, {encoder.dtype}"
        calls[name + ": the default here" * (encoder.dtype == auto)] = encoder.encode
    given = {name: texts[: None if on_cpu or not name.startswith("sentence") else _FEW] for name in calls}
    clock = time.process_time if on_cpu else time.perf_counter
    rounds = _ROUNDS if on_cpu else _GPU_ROUNDS
    measured = best_of({name: partial(encode, given[name]) for name, encode in calls.items()}, rounds, clock)
    [(tokenising, made)] = best_of({"": partial(encoders[0].tokenise, texts)}, rounds, clock).values()
    reference, rows = measured[PLAIN], []
    for name, (seconds, vectors) in measured.items():
        count, dtype = len(vectors), "bfloat16" if "bfloat16" in name else "float32"
        lengths = np.diff(made.starts[: count + 1])
        compared = min(count, len(reference[1]))
        cosine = (vectors[:compared] * reference[1][:compared]).sum(axis=1).min()
        share = arithmetic(models.locate(model), lengths) / seconds / peak(dtype, device, clock)
        rows.append((
            name, f"{count / seconds:,.0f}", f"{count / seconds * reference[0] / len(reference[1]):.2f}",
            f"{lengths.sum() / seconds:,.0f}", f"{share:.1%}", f"{tokenising * count / len(texts) / seconds:.1%}",
            f"{cosine:.6f}", f"{identical(calls[name], given[name], vectors):.1%}",
        ))  # fmt: skip
    per = "CPU s" if on_cpu else "s"
    title = f"{len(texts)} texts of {len(made.ids) / len(texts):.0f} tokens; dtype auto takes {auto} on {device}"
    head = ("call", f"texts per {per}", "ratio", f"tokens per {per}", "of peak", "host", "min cosine", "identical")
    show(title, head, rows)
    _show_tokenisers(models.locate(model) / "tokenizer.json", texts, encoders[0].max_length)
    if not on_cpu:
        shared = [(f"{each}", f"{gpu_tasks.rate(each, model, device, texts):,.0f}") for each in _TASKS]
        show("Processes that share the GPU", ("processes", "texts per s, all together"), shared, names=0)


def _require_gpu(device: str) -> None:
    import torch

    if not torch.cuda.is_available():
        raise InputError(
            f"--device {device}: torch {torch.__version__} finds no GPU here; it needs one of NVIDIA's, from Ampere on "
            "for packed texts, with its driver (nvidia-smi lists it), and torch built with CUDA; or give --device cpu"
        )


def _given_texts(path: Path | None, count: int) -> list[str]:
    if path is None:
        return made_texts(count)
    with opened(path) as file:
        lines = [line.decode("utf-8", "replace").strip() for line in file]
    if not any(lines):
        raise InputError(f"--texts {path}: found no text; give one a line")
    return [line for line in lines if line][:count]


def _show_tokenisers(file: Path, texts: Sequence[str], max_length: int) -> None:
    rows, size = [], sum(len(text.encode()) for text in texts)
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    for make in (tokens.by_tokenizers, tokens.by_nanotoken):
        try:
            tokenise = partial(make(file), texts, max_length)
        except Exception as error:  # it is not installed, or does not read this model
            rows.append((make.__name__, str(error)[:100], ""))
            continue
        [(seconds, _)] = best_of({"": tokenise}, _ROUNDS).values()
        rows.append((make.__name__, f"{len(texts) / seconds:,.0f}", f"{size / seconds / 1e6:.1f}"))
    del os.environ["TOKENIZERS_PARALLELISM"]
    show("Tokenising, one thread", ("by", "texts per CPU s", "MB per CPU s"), rows)


def plain(model: str, dtype: str = "float32", device: str = "cpu") -> "Encode":
    """Plain sentence-transformers; to be called after torch's threads are set by an encoder of ours."""
    import torch
    from sentence_transformers import SentenceTransformer

    loaded = SentenceTransformer(
        str(models.locate(model)), device=device, local_files_only=True, model_kwargs={"dtype": getattr(torch, dtype)}
    )
    rows = 32 if device == "cpu" else _LARGE_BATCH  # 32 is its default
    return lambda texts: np.asarray(loaded.encode(list(texts), batch_size=rows), dtype=np.float32)


def measure(
    calls: Mapping[str, "Encode"], texts: Sequence[str], clock: Callable[[], float] = time.process_time
) -> dict[str, tuple[float, Vectors]]:
    """Seconds, and the vectors, of each call of encoding, its best round."""
    return best_of({name: partial(encode, texts) for name, encode in calls.items()}, _ROUNDS, clock)


def arithmetic(directory: Path, lengths: npt.NDArray[np.int64]) -> float:
    """Multiplications and additions of encoding texts of so many tokens by a BERT; NaN for a model of another kind.

    Per layer and token: four products of the width with itself and two with the inner layer; and two of attention,
    with each token of the text. A multiplication and an addition are two.
    """
    config = models.read_json(directory / "config.json", default={})
    try:
        layers, width, inner = (config[name] for name in ("num_hidden_layers", "hidden_size", "intermediate_size"))
    except KeyError:
        return float("nan")
    per_token = 4 * width**2 + 2 * width * inner
    return float(2 * layers * (per_token * lengths.sum() + 2 * width * (lengths**2).sum()))


def peak(dtype: str, device: str, clock: Callable[[], float]) -> float:
    """Multiplications and additions per second of the device in a large matrix product."""
    import torch

    size = 1024 if device == "cpu" else 8192
    # Random: a card draws less power for constants, and computes up to 14 % faster.
    left = torch.randn(size, size, dtype=getattr(torch, dtype), device=device)

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


def identical(encode: "Encode", texts: Sequence[str], vectors: Vectors) -> float:
    """Share of texts whose vector is bit-identical if half of the texts are encoded in another order."""
    order = np.random.default_rng(0).permutation(len(texts))[: max(1, len(texts) // 2)]
    return float((encode([texts[i] for i in order]) == vectors[order]).all(axis=1).mean())


if __name__ == "__main__":  # a checkout without an installation lacks what the program quotelab needs
    parser = ArgumentParser(description=__doc__)
    configure(parser)
    exit_with(lambda: run(parser.parse_args()))
