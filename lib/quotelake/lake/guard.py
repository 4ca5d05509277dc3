"""Refusing a damaged lake in jobs that run Spark, at every address that Spark reaches."""

from collections.abc import Iterator
from contextlib import contextmanager

from quotelake.errors import unwrap
from quotelake.lake.damage import check_tables
from quotelake.lake.local import Unsupported, check_lake
from quotelake.lake.place import is_local
from quotelake.lake.runs import last_run
from quotelake.lake.tables import Lake


def check(lake: Lake, *, thorough: bool = False) -> None:
    """Refuse a damaged lake; a place without a lake, or one whose first run was killed, passes.

    Args:
        lake: as it is now.
        thorough: look at each commit and data file, which takes the longer the more there are.

    Raises:
        DamageError: each damaged table is named.
    """
    if is_local(lake.root):
        try:
            return check_lake(lake.root, thorough=thorough)
        except Unsupported:
            pass  # Spark reads every table it wrote

    def data_files(table: str) -> list[str]:
        return lake.read(table).inputFiles() if lake.exists(table) else []

    check_tables(lake.root, lake.storage, lambda: last_run(lake), data_files if thorough else None)


@contextmanager
def translating_errors(lake: Lake) -> Iterator[None]:
    """Have an error inside the block tell of damage to the lake, where that may be its cause.

    Raises:
        DamageError: in place of any error that is not the user's to mend, if the lake is damaged.
    """
    try:
        yield
    except Exception as error:
        if unwrap(error) is None:
            check(lake, thorough=True)
        raise
