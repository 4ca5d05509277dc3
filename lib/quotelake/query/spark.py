"""What analysts query: every table and view of ``schemas/`` as the last complete run left them, in Spark."""

from collections.abc import Callable, Iterator, Mapping, Set
from datetime import UTC, datetime
from itertools import islice

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame

from quotelake.commands import command
from quotelake.errors import InputError, unwrap
from quotelake.lake.contracts import contract, table_names
from quotelake.lake.damage import check_table
from quotelake.lake.place import check_readable
from quotelake.lake.runs import LastRun
from quotelake.lake.tables import Lake
from quotelake.query.ask import PAGE, Answer, Fetched, Rows
from quotelake.query.catalog import named_in, view_names, view_text, with_all_they_read
from quotelake.query.faults import say_fault
from quotelake.spark.installation import check_environment
from quotelake.spark.session import get_session


def _last(lake: Lake) -> LastRun:
    with lake.telling_damage():
        last = lake.last_run() if lake.exists("runs") else None
    if last is None:
        lake.check()
        raise InputError(f"{lake.root} holds no lake with a complete run; make one with: {command('score')}")
    return last


def _make_known(lake: Lake, names: Set[str], last: LastRun) -> None:
    for table in table_names():
        if table not in names:
            continue
        check_table(lake.root, lake.storage, table, last)
        if table in last.versions or lake.exists(table):
            lake.read(table, last.shown.get(table)).createOrReplaceTempView(table)
        else:  # A table that is younger than the lake.
            lake.spark.createDataFrame([], contract(table).ddl()).createOrReplaceTempView(table)
    for view in view_names():
        if view in names:
            lake.spark.sql(view_text(view)[1]).createOrReplaceTempView(view)


class SparkEngine:
    """Answers statements on a lake in its session; tables and views are registered when a statement names them.

    Args:
        lake: the lake, at any address Spark can read.
        functions: what registers each function of our own, called before the first statement that names it.

    Raises:
        InputError: there is no lake at this place, or no run on it was ever completed.
    """

    def __init__(self, lake: Lake, functions: Mapping[str, Callable[[Lake], None]] | None = None) -> None:
        self._lake = lake
        self._functions = dict(functions or {})
        self._known: set[str] = set()
        self._last = _last(lake)

    def sql(self, statement: str) -> Rows:
        """Rows of the answer to one statement; raises as :meth:`answer`."""
        return self.answer(statement).rows

    def answer(self, statement: str) -> Answer:
        """Answer one statement.

        Raises:
            InputError: it fails; the message says where and why, in one line.
        """
        names, rows = self._execute(statement, lambda result: result.collect())
        return Answer(names, [row.asDict(recursive=True) for row in rows])

    def pages(self, statement: str) -> Iterator[Rows]:
        """Answer one statement in pages; raises as :meth:`answer`, before the first page."""
        _, rows = self._execute(statement, lambda result: result.toLocalIterator())
        return iter(lambda: [row.asDict(recursive=True) for row in islice(rows, PAGE)], [])

    def _execute(self, statement: str, fetch: Callable[[DataFrame], Fetched]) -> tuple[tuple[str, ...], Fetched]:
        new = with_all_they_read(named_in(statement)) - self._known
        if new:
            _make_known(self._lake, new, self._last)
            self._known |= new
        for function in [name for name in self._functions if name in statement.lower()]:
            self._functions.pop(function)(self._lake)
        try:
            result = self._lake.spark.sql(statement)
            return tuple(result.columns), fetch(result)
        except Exception as error:
            if not isinstance(error, AnalysisException):  # the statement can run: a file may be missing
                self._lake.check(thorough=True)
            raise unwrap(error) or InputError(say_fault(str(error), [*table_names(), *view_names()])) from None


def start_engine(name: str, root: str, functions: Mapping[str, Callable[[Lake], None]] | None = None) -> SparkEngine:
    """Start Spark for a job that reads a lake.

    Args:
        name: of the job.
        root: directory or address of the lake.
        functions: as for :class:`SparkEngine`.

    Raises:
        InputError: Spark cannot start here, or there is no lake at this place.
    """
    check_environment()
    check_readable(root)
    return SparkEngine(Lake(get_session(name), root, name, datetime.now(UTC)), functions)
