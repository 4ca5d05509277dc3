"""The process that Spark forks its Python workers from, on one machine: what it has imported, no worker imports again.

Spark starts it as ``python -m quotelake.worker_daemon pyspark.worker`` when the first worker is needed. On a cluster it
starts its own.
"""

import gc
import sys


def prefer_installed_pyspark() -> None:
    """Import pyspark from where it is installed, not from the zip that Spark puts before it.

    They are the same release, but modules in a zip are compiled anew at every start.
    """
    sys.path[:] = [path for path in sys.path if not path.endswith(("/pyspark.zip", "-src.zip"))]


def main() -> None:
    """Import what the stages of the chain need, then fork workers as Spark asks for them."""
    prefer_installed_pyspark()
    import pyspark.daemon
    import pyspark.worker

    from quotelake.sources.language import detect_language

    detect_language("The model of languages is unpacked at its first use.", ("en", "de"), 0.5)
    gc.freeze()  # workers share these pages as long as nobody writes to them, and the collector would
    pyspark.daemon.manager()


if __name__ == "__main__":
    main()
