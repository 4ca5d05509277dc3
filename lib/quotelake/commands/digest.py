"""Print one digest of the content of each table, to compare two lakes, or a lake before and after a run."""

from argparse import Namespace
from datetime import UTC, datetime

from quotelake.errors import InputError
from quotelake.lake.place import check_readable
from quotelake.program import command
from quotelake.spark.installation import check_environment


def run(arguments: Namespace) -> None:
    """Print table, rows and digest."""
    from quotelake.lake.tables import Lake
    from quotelake.lake.upkeep import digests
    from quotelake.spark.session import get_session

    check_environment()
    check_readable(arguments.lake)
    lake = Lake(get_session("digest"), arguments.lake, "digest", datetime.now(UTC))
    lake.check()
    if not lake.exists("runs"):
        raise InputError(f"{arguments.lake} holds no lake; name one that exists, or make one with: {command('score')}")
    with lake.reporting_damage():
        for table, (rows, digest) in digests(lake).items():
            print(f"{table:<17} {rows:>10,}  {digest}")
