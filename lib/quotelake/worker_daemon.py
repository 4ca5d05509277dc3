"""The process that Spark forks its Python workers from, on one machine: what it has imported, no worker imports again.

Spark starts it as ``python -m quotelake.worker_daemon pyspark.worker`` when the first worker is needed. On a cluster it
starts its own.
"""

import gc


def main() -> None:
    """Import what the stages of the chain need, then fork workers as Spark asks for them."""
    import pyspark.daemon
    import pyspark.worker

    from quotelake.language import detect_language

    detect_language("The model of languages is unpacked at its first use.", ("en", "de"), 0.5)
    gc.freeze()  # workers share these pages as long as nobody writes to them, and the collector would
    pyspark.daemon.manager()


if __name__ == "__main__":
    main()
