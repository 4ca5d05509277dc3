"""What analysts query: every table and view of ``schemas/`` as the last complete run left them."""

import re
from functools import cache
from importlib import resources

from quotelake.contracts import contract, table_names
from quotelake.errors import InputError
from quotelake.runs import last_complete
from quotelake.tables import Lake


@cache
def view_names() -> tuple[str, ...]:
    """Names of the views, each after those it reads.

    >>> names = view_names()
    >>> names.index("headline_quotes") < names.index("headline_alerts")
    True
    """
    waiting = {name: _reads(name, set(_files())) for name in _files()}
    ordered: list[str] = []
    while waiting:
        ready = sorted(name for name, reads in waiting.items() if reads <= set(ordered))
        if not ready:
            raise ValueError(f"schemas/views: {', '.join(sorted(waiting))} read one another in a circle")
        ordered += ready
        waiting = {name: reads for name, reads in waiting.items() if name not in ready}
    return tuple(ordered)


@cache
def view_text(name: str) -> tuple[str, str]:
    """Description and query of a view."""
    lines = _files()[name].splitlines()
    comments = [line.removeprefix("-- ") for line in lines if line.startswith("--")]
    return " ".join(comments), "\n".join(line for line in lines if not line.startswith("--"))


def register(lake: Lake) -> None:
    """Make tables and views known to SQL in the session of the lake, as they were after the last complete run.

    Raises:
        InputError: there is no lake at this place, or no run on it was ever completed.
    """
    versions = last_complete(lake) if lake.exists("runs") else None
    if versions is None:
        raise InputError(
            f"{lake.root} holds no lake with a complete run; make one with: spark-submit jobs/score_corpus.py"
        )
    for table in table_names():
        if table in versions or lake.exists(table):
            lake.read(table, versions.get(table)).createOrReplaceTempView(table)
        else:  # A table that is younger than the lake.
            lake.spark.createDataFrame([], contract(table).ddl()).createOrReplaceTempView(table)
    for view in view_names():
        lake.spark.sql(view_text(view)[1]).createOrReplaceTempView(view)


@cache
def _files() -> dict[str, str]:
    folder = resources.files("quotelake.schemas.views").iterdir()
    return {file.name.removesuffix(".sql"): file.read_text("utf-8") for file in folder if file.name.endswith(".sql")}


def _reads(name: str, views: set[str]) -> set[str]:
    words = set(re.findall(r"\b(?:FROM|JOIN)\s+(\w+)", _files()[name]))
    return (words & views) - {name}
