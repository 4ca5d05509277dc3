"""What every job does around its own few lines: parse, start Spark, and turn an error of ours into one message."""

from collections.abc import Callable
from datetime import UTC, datetime

from quotelake.environment import check_environment
from quotelake.errors import exit_with
from quotelake.session import get_session
from quotelake.tables import Lake


def run_job(main: Callable[[], None]) -> None:
    """Run a job that needs Spark; an error that is the user's to mend is one message and a status."""

    def checked() -> None:
        check_environment()
        main()

    exit_with(checked)


def open_lake(name: str, root: str) -> Lake:
    """Open a lake for reading."""
    return Lake(get_session(name), root, name, datetime.now(UTC))
