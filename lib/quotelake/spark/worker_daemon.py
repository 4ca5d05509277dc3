"""The process that Spark starts with the first Python worker and forks all from: they inherit what it has imported."""

import gc
from contextlib import suppress


def main() -> None:
    """Import what the stages need, then fork a worker whenever Spark asks for one."""
    import pandas  # noqa: F401  # by PySpark for each task, half a CPU second
    import pyspark.daemon
    import pyspark.worker
    import scipy.sparse.csgraph  # noqa: F401  # the kernels need it, as long
    import torch  # noqa: F401  # the encoder needs it: imported once, it saves each worker 300 MB

    from quotelake.text.language import detect_language

    with suppress(OSError):  # a disk that is full ends the task that detects a language, with an error of its own
        detect_language("The model of languages is unpacked at its first use.", ("en", "de"), 0.5)
    gc.freeze()  # workers share these memory pages until one writes to them, which the garbage collector would do
    pyspark.daemon.manager()


if __name__ == "__main__":
    main()
