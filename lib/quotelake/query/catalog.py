"""The views of ``schemas/views``: names in the order in which they can be created, text, and what each reads.

Both engines run the same text. A function that only Spark has is a macro in DuckDB: see ``quotelake.query.ask``.
"""

import re
from collections.abc import Iterable
from functools import cache
from importlib import resources

from quotelake.lake.contracts import table_names

_COLUMN = re.compile(r"\A--   (?P<column>\w++): (?P<note>.++)\Z")
_LAMBDA = re.compile(r"\btransform\(([\w.]+), (\w+) -> ")
_READ = re.compile(r"\b(?:FROM|JOIN)\s+(\w+)")


@cache
def view_names() -> tuple[str, ...]:
    """Names of the views, each after the views that it reads.

    >>> names = view_names()
    >>> names.index("headline_quotes") < names.index("headline_alerts")
    True
    """
    views = set(_files())
    waiting = {name: views.intersection(reads_of(name)) for name in views}
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
    comments = [line.removeprefix("-- ") for line in lines if line.startswith("--") and not _COLUMN.match(line)]
    return " ".join(comments), "\n".join(line for line in lines if not line.startswith("--"))


def duckdb_text(name: str) -> str:
    """Query of a view as DuckDB writes it: its lambdas are others; all else is the same in Spark's SQL.

    >>> "list_transform(m.differences, lambda x: x.kind)" in duckdb_text("quote_versions")
    True
    """
    return _LAMBDA.sub(r"list_transform(\1, lambda \2: ", view_text(name)[1])


@cache
def column_notes(name: str) -> dict[str, str]:
    """Comments on columns in the file of a view, from lines such as ``--   url: address of the article``."""
    return {found["column"]: found["note"] for line in _files()[name].splitlines() if (found := _COLUMN.match(line))}


@cache
def reads_of(view: str) -> tuple[str, ...]:
    """Tables and views that a view reads directly, in the order of its text.

    >>> reads_of("run_summary")
    ('runs',)
    """
    words = dict.fromkeys(_READ.findall(view_text(view)[1]))
    return tuple(word for word in words if word != view and (word in _files() or word in table_names()))


def with_all_they_read(names: Iterable[str]) -> frozenset[str]:
    """Tables and views, with everything the views among them read, directly or through other views.

    >>> sorted(with_all_they_read(["active_version"]))
    ['active_version', 'runs', 'versions']
    """
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += reads_of(name) if name in _files() else ()
    return frozenset(found)


def named_in(statement: str) -> frozenset[str]:
    """Tables and views whose names occur as words of a statement: at least those it reads.

    >>> sorted(named_in("SELECT count(*) FROM Rejects -- not quotes_of"))
    ['rejects']
    """
    return frozenset(set(re.findall(r"\w+", statement.lower())) & {*_files(), *table_names()})


@cache
def _files() -> dict[str, str]:
    folder = resources.files("quotelake.schemas.views").iterdir()
    return {file.name.removesuffix(".sql"): file.read_text("utf-8") for file in folder if file.name.endswith(".sql")}
