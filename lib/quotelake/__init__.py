"""Quotelake: who is quoted saying what, which headlines bend it, and how quotes travel from topic to topic."""

import sys
from pathlib import Path

__version__ = "0.1.0"


def _prefer_installed_pyspark() -> None:
    """Import pyspark from where it is installed, not from the zip of the same release that spark-submit puts first.

    Modules in a zip are compiled anew at every start: half a second of each job and of each worker.
    """
    unpacked = [path for path in sys.path if not path.endswith((".zip", ".jar"))]
    if "pyspark" not in sys.modules and any((Path(path) / "pyspark" / "version.py").is_file() for path in unpacked):
        sys.path[:] = [path for path in sys.path if not path.endswith(("/pyspark.zip", "-src.zip"))]


_prefer_installed_pyspark()
