"""What every job does around its own few lines: parse, start Spark, and turn an error of ours into one message."""

import sys
from collections.abc import Callable
from datetime import UTC, datetime

from quotelake.environment import check_environment
from quotelake.errors import QuotelakeError
from quotelake.session import get_session
from quotelake.tables import Lake


def run_job(main: Callable[[], None]) -> None:
    """Run a job; an error that is the input's or the operator's to mend is one message and an exit status."""
    try:
        check_environment()
        main()
    except QuotelakeError as error:
        print(f"quotelake: {error}", file=sys.stderr)
        sys.exit(error.exit_code)


def open_lake(name: str, root: str) -> Lake:
    """Open a lake for reading."""
    return Lake(get_session(name), root, name, datetime.now(UTC))
