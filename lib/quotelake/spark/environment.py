"""Check what a job needs: a recent Python and Java, and no other Spark in SPARK_HOME.

Each fault is one line with its remedy, given before Spark fails with an obscure error.
"""

from __future__ import annotations  # so that an older Python can import this module and report that it is too old

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from quotelake.errors import InputError

MINIMUM_PYTHON = (3, 11)
MINIMUM_JAVA = 17  # Spark 4.2 runs on Java 17 and 21
SPARK_CORE = "spark-core_2.13-4.2.0.jar"  # identifies the only Spark release tested with Delta 4.4.0
#: File in the installed pyspark's conf folder: the folder of the Java that the installation found or installed.
JAVA_NOTE = "java-home"
DELTA_JARS = ("delta-spark_4.2_2.13-4.4.0.jar", "delta-storage-4.4.0.jar")


def python_problem(version: tuple[int, int]) -> str | None:
    """What is wrong with this Python (major, minor), in one line with the remedy; None if nothing is.

    >>> python_problem((3, 9))
    'Python 3.9 is too old: Quotelake needs 3.11 or newer; run `make install PYTHON=python3.11`'
    """
    if version >= MINIMUM_PYTHON:
        return None
    found, needed = (".".join(map(str, pair)) for pair in (version, MINIMUM_PYTHON))
    return f"Python {found} is too old: Quotelake needs {needed} or newer; run `make install PYTHON=python{needed}`"


def spark_home_problem(spark_home: str | None, installed: Path) -> str | None:
    """What is wrong with the variable SPARK_HOME, given the folder of the installed pyspark; None if nothing is.

    Another Spark is accepted if it is the same release and has Delta's jars, as a cluster image may.
    """
    if not spark_home or Path(spark_home).resolve() == installed.resolve():
        return None
    jars = Path(spark_home) / "jars"
    if all((jars / name).is_file() for name in (SPARK_CORE, *DELTA_JARS)):
        return None
    return (
        f"SPARK_HOME is {spark_home}, another Spark than the one installed with Quotelake ({installed}): "
        "run `unset SPARK_HOME` and start again"
    )


def java_major(text: str) -> int | None:
    """Feature release in what ``java -version`` prints, or None.

    >>> java_major('openjdk version "17.0.15" 2025-04-15'), java_major('java version "1.8.0_392"')
    (17, 8)
    """
    found = re.search(r'version "(?:1\.)?(\d+)', text)
    return int(found.group(1)) if found else None


def java_problem(java_home: str | None, found: int | None) -> str | None:
    """What is wrong with the Java that Spark would start (JAVA_HOME's, else that on PATH); None if nothing is.

    Args:
        java_home: the variable JAVA_HOME, None if it is not set.
        found: feature release of that Java, None if none starts.
    """
    if found is not None and found >= MINIMUM_JAVA:
        return None
    what = f"is Java {found}" if found else "holds no Java that starts"
    if java_home:
        return (
            f"JAVA_HOME is {java_home}, which {what}: Spark needs Java {MINIMUM_JAVA} or newer; run `unset JAVA_HOME` "
            f"to use the one on PATH, or set it to a Java {MINIMUM_JAVA}"
        )
    return f"no Java {MINIMUM_JAVA} or newer on PATH" + (f" (it has Java {found})" if found else "")


def spark_folder() -> Path:
    """Folder of the installed pyspark, found without importing it.

    Raises:
        InputError: pyspark is not installed.
    """
    found = importlib.util.find_spec("pyspark")
    if found is None or found.origin is None:
        raise InputError(f"pyspark is not installed for {sys.executable}: run `make install`")
    return Path(found.origin).parent


def installed_java() -> int | None:
    """Feature release of the Java that Spark would start, or None where none starts."""
    home = os.environ.get("JAVA_HOME")
    program = str(Path(home) / "bin" / "java") if home else "java"
    try:
        answer = subprocess.run([program, "-version"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return java_major(answer.stderr + answer.stdout)


def find_java() -> None:
    """Name in JAVA_HOME the Java that the installation used, if this shell has none, as one of cron may."""
    if os.environ.get("JAVA_HOME") or shutil.which("java"):
        return
    noted = spark_folder() / "conf" / JAVA_NOTE
    home = Path(noted.read_text("utf-8").strip()) if noted.is_file() else None
    if home is not None and (home / "bin" / "java").is_file():
        os.environ["JAVA_HOME"] = str(home)


def check_environment() -> None:
    """Check Python, SPARK_HOME and Java before Spark starts; without Java in this shell, take the installation's.

    Raises:
        InputError: Python is too old, SPARK_HOME names another Spark, or there is no Java 17; with the remedy.
    """
    problem = python_problem(sys.version_info[:2]) or spark_home_problem(os.environ.get("SPARK_HOME"), spark_folder())
    # A job that spark-submit started already talks to a Java that works; asking again would cost a fifth of a second.
    if problem is None and "PYSPARK_GATEWAY_PORT" not in os.environ:
        find_java()
        problem = java_problem(os.environ.get("JAVA_HOME"), installed_java())
    if problem is not None:
        raise InputError(problem)
