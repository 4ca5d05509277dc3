"""Jobs run by tests: in this process, or in one of their own where importing Spark is an error."""

import runpy
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

WITHOUT_SPARK = """
import runpy, sys
for name in ("pyspark", "delta", "py4j"):
    sys.modules[name] = None
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


class Done(NamedTuple):
    code: int
    out: str
    error: str


def job_path(job: Path | str) -> Path:
    """Path of a file of ``jobs/`` that is given by its name; a path is one already."""
    return job if isinstance(job, Path) else Path(__file__).parents[1] / "jobs" / f"{job}.py"


def run_here(job: Path) -> int:
    """Exit status of a job run in this process, with ``sys.argv`` as its caller set it."""
    try:
        runpy.run_path(str(job), run_name="__main__")
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


def run_without_spark(job: Path | str, *arguments: object, stdin: str = "") -> Done:
    """Run a job as a person does, with plain Python, where importing Spark is an error."""
    command = [sys.executable, "-c", WITHOUT_SPARK, str(job_path(job)), *map(str, arguments)]
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)
    return Done(done.returncode, done.stdout, done.stderr)
