"""The process that Spark forks its Python workers from, for a job that neither embeds a text nor tells a language.

As :mod:`quotelake.worker_daemon`, without the model's library and the languages: a second of CPU less at each start.
"""

import gc


def main() -> None:
    """Import what every worker needs, then fork a worker whenever Spark asks for one."""
    import pyarrow  # noqa: F401
    import pyspark.daemon
    import pyspark.worker

    gc.freeze()
    pyspark.daemon.manager()


if __name__ == "__main__":
    main()
