"""What every job does around its own few lines: parse, start Spark, and turn an error of ours into one message.

Spark is imported by what needs it: importing it takes longer than most answers without it.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from quotelake.commands import command
from quotelake.errors import InputError, exit_with
from quotelake.lake.place import check_readable
from quotelake.spark.environment import check_environment

if TYPE_CHECKING:
    from quotelake.lake.tables import Lake
    from quotelake.query.ask import Engine


def run_job(main: Callable[[], None]) -> None:
    """Run a job that needs Spark; an error that is the user's to mend is one message and a status."""

    def checked() -> None:
        check_environment()
        main()

    exit_with(checked)


def open_lake(name: str, root: str) -> "Lake":
    """Open a lake for reading.

    Raises:
        InputError: there is no lake at this place.
        DamageError: tables of the lake are damaged.
    """
    from quotelake.lake.guard import check
    from quotelake.lake.tables import Lake
    from quotelake.spark.session import get_session

    check_readable(root)
    lake = Lake(get_session(name), root, name, datetime.now(UTC))
    check(lake)
    if not lake.exists("runs"):
        raise InputError(f"{root} holds no lake; name one that exists, or make one with: {command('score')}")
    return lake


def spark_for(name: str, root: str) -> Callable[[], "Engine"]:
    """A function that starts Spark for a job that reads a lake, where DuckDB cannot answer.

    Args:
        name: of the job.
        root: directory or address of the lake.
    """

    def start() -> "Engine":
        from quotelake.query.spark import start_engine

        return start_engine(name, root)

    return start
