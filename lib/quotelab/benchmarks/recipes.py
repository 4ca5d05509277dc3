"""Measure the recipes of docs/QUERIES.md on a lake: rows and seconds of each, all by one opened lake, without Spark.

The first recipe that reads a table opens it too. The slowest is asked once more as a person does, by a new process of
the program.
"""

import re
import subprocess
import time
from argparse import ArgumentParser, Namespace
from itertools import pairwise
from pathlib import Path
from typing import Final

from quotelab.report import show
from quotelake.errors import InputError
from quotelake.program import command
from quotelake.query.engines import DuckEngine

GOAL: Final = 3.0  # seconds of a recipe
_PAGE: Final = Path("docs/QUERIES.md")


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--lake", default="./lake", help="directory of the lake (default: ./lake)")
    parser.add_argument("--page", type=Path, default=_PAGE, help=f"page with the recipes (default: {_PAGE})")


def run(options: Namespace) -> None:
    """Print the table."""
    found = recipes_of(options.page)
    rows, slowest = [], (0.0, "")
    with DuckEngine(options.lake) as engine:
        for question, statement in found:
            begin = time.perf_counter()
            count = len(engine.sql(statement))
            seconds = time.perf_counter() - begin
            rows.append([question, f"{count:,}", _seconds_text(seconds)])
            slowest = max(slowest, (seconds, statement))
    show(f"{len(found)} recipes on {options.lake}", ("recipe", "rows", "seconds"), rows)
    words = [*command("query").split(), "--lake", options.lake, "--format", "csv", slowest[1]]
    begin = time.perf_counter()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    print(f"the slowest by a new process: {_seconds_text(time.perf_counter() - begin)} s")


def recipes_of(page: Path) -> list[tuple[str, str]]:
    """Recipes of a page: the first sentence of each, and its statement."""
    try:
        text = page.read_text("utf-8")
    except OSError as error:
        raise InputError(f"--page {page}: {error.strerror}; name docs/QUERIES.md of a checkout") from None
    found = [
        (re.split(r"(?<=[.?])\s", above)[0], block.partition("```sql\n")[2].partition("```")[0])
        for above, block in pairwise(text.split("\n\n"))
        if block.startswith("```sql\n")
    ]
    if not found:
        raise InputError(f"--page {page}: no ```sql block in it; name docs/QUERIES.md of a checkout")
    return found


def _seconds_text(seconds: float) -> str:
    return f"{seconds:.2f}{'' if seconds <= GOAL else ' (!)'}"
