"""The process that Spark forks its Python workers from, on one machine: workers inherit what it has imported.

Spark starts it as ``python -m quotelake.spark.worker_daemon pyspark.worker`` when the first worker is needed. On a
cluster Spark starts its default daemon instead.
"""

import ctypes
import gc
from collections.abc import Callable
from typing import Any

import pyarrow as pa


def giving_back(task: Callable[..., Any]) -> Callable[..., Any]:
    """Have the memory that a task no longer uses given back to the system at its end.

    Arrow's and glibc's allocators keep it for later, so that each worker would stay as large as its largest task.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc has it

    def run(*arguments: Any) -> Any:
        try:
            return task(*arguments)
        finally:
            pa.default_memory_pool().release_unused()
            if trim is not None:
                trim(0)

    return run


def main() -> None:
    """Import what the stages need, then fork a worker whenever Spark asks for one."""
    import pyspark.daemon
    import pyspark.worker
    import torch  # noqa: F401  # the encoder needs it: imported once, it saves each worker 300 MB

    from quotelake.text.language import detect_language

    detect_language("The model of languages is unpacked at its first use.", ("en", "de"), 0.5)
    pyspark.worker.main = giving_back(pyspark.worker.main)
    gc.freeze()  # workers share these memory pages until one writes to them, which the garbage collector would do
    pyspark.daemon.manager()


if __name__ == "__main__":
    main()
