"""Mistakes of a statement for Spark that are known without Spark, whose start takes far longer than its answer."""

import json
import re
from collections.abc import Callable
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

import duckdb

from quotelake.errors import InputError
from quotelake.lake.contracts import table_names
from quotelake.query.ask import Answer, Engine
from quotelake.query.catalog import columns_of, empty_lake, read_by, view_names
from quotelake.query.faults import NO_COLUMN_OF, details, say_duckdb_fault

if TYPE_CHECKING:  # imported where it is used: that takes longer than most answers
    import pyarrow as pa

#: What a statement can begin with that DuckDB reads as Spark does.
_ASKS: Final = ("SELECT", "WITH", "FROM")
#: Marks of what means something else in the two: names or texts in marks, and lambdas.
_OTHERWISE: Final = re.compile(r"[\"`]|->")
#: Before a keyword that was nearly written.
_MEANT: Final = "; did you mean "
#: Has DuckDB bind a statement and read nothing.
_PLAN: Final = "EXPLAIN "


class LateEngine(Engine):
    """Starts an engine at the first statement in which no mistake is foreseen; it answers that and all later ones."""

    def __init__(self, start: Callable[[], Engine]) -> None:
        self._start = start
        self._engine: Engine | None = None

    def answer(self, statement: str) -> Answer:
        """Answer one statement."""
        return self._started(statement).answer(statement)

    def batches(self, statement: str) -> "pa.RecordBatchReader":
        """Answer one statement as Arrow, a batch at a time."""
        return self._started(statement).batches(statement)

    def _started(self, statement: str) -> Engine:
        if self._engine is None:
            foresee(statement)
            self._engine = self._start()
        return self._engine


def foresee(statement: str) -> None:
    """Refuse a statement that Spark would surely refuse too, by what DuckDB says of it over tables without rows.

    Surely: it names a table that there is not, or a column that is none and nearly one, or has nearly a keyword where
    it cannot be read. What only one of the two understands is left to Spark.

    Raises:
        InputError: where, and what was meant.

    >>> foresee("SELECT size(flags) FROM quotes LATERAL VIEW explode(flags) f AS flag")
    >>> foresee("FROM runz")
    Traceback (most recent call last):
    quotelake.errors.InputError: the statement failed at line 1, character 6: no table or view runz; did you mean runs?
    """
    first = re.match(r"[\s(]*(\w*)", statement)
    if not get_close_matches(first[1].upper() if first else "", _ASKS, cutoff=0.8) or _OTHERWISE.search(statement):
        return
    try:
        if len(empty_lake().extract_statements(statement)) == 1:
            empty_lake().execute(_PLAN + statement)
    except duckdb.ParserException as error:
        if _MEANT in (said := say_duckdb_fault(error, statement, ())):
            raise InputError(said) from None
    except duckdb.Error as error:
        found = dict(details(error))
        found["position"] = str(max(int(found.get("position", 0)) - len(_PLAN), 0))
        columns = {column for table in read_by(statement) for column in columns_of(table)}
        of = NO_COLUMN_OF.search(found["exception_message"])
        name = found.get("name") or (of[2] if of else "")
        unknown_column = name not in columns and get_close_matches(name, columns, cutoff=0.75)
        if (found["type"] == "Table" and "." not in name) if "type" in found else unknown_column:
            names = [*table_names(), *view_names()]
            raise InputError(say_duckdb_fault(Exception(json.dumps(found)), statement, names)) from None
