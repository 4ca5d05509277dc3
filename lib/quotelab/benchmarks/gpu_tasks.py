"""Processes that share a GPU, each with an encoder, as tasks of Spark do: texts per second of all. No Spark."""

import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import Any

from quotelake.embeddings.encoder import Encoder

_GIVEN = 20_000  # texts that a task of Spark gives a GPU at once: quotelake.embeddings.embed.GPU_TEXTS
_TEXTS = 400_000  # of all processes together; some seconds


def rate(processes: int, model: str, device: str, texts: Sequence[str]) -> float:
    """Texts per second of so many processes, from when all are ready until the last one has its vectors."""
    context = get_context("spawn")  # CUDA does not survive a fork
    with context.Manager() as manager, ProcessPoolExecutor(processes, mp_context=context) as pool:
        ready = manager.Barrier(processes)
        repeats = max(1, _TEXTS // len(texts) // processes)
        task = partial(_task, ready=ready, model=model, device=device, texts=texts, repeats=repeats)
        times = list(pool.map(task, range(processes)))
    return processes * repeats * len(texts) / (max(end for _, end in times) - min(start for start, _ in times))


def _task(_: int, *, ready: Any, model: str, device: str, texts: Sequence[str], repeats: int) -> tuple[float, float]:
    """When a process began and ended, as seconds since 1970."""
    encoder = Encoder(model, device=device, threads=1)

    def encode(times: int) -> None:
        for _ in range(times):
            for start in range(0, len(texts), _GIVEN):
                encoder.encode(texts[start : start + _GIVEN])

    encode(1)  # loads kernels, takes memory
    ready.wait()
    start = time.time()
    encode(repeats)
    return start, time.time()
