"""Refusing a damaged lake in jobs that run Spark, at every address that Spark reaches."""

from collections.abc import Iterator
from contextlib import contextmanager

from quotelake.errors import unwrap
from quotelake.lake.contracts import table_names
from quotelake.lake.damage import damaged, faults_of, lacks_files
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
    faults, last = faults_of(lake.storage, table_names(), lambda: last_run(lake), thorough=thorough)
    for table in (name for name in table_names() if thorough and name not in faults and lake.exists(name)):
        there = {*lake.storage.names(table)}
        gone = [file for file in lake.read(table).inputFiles() if file.rpartition("/")[2] not in there]
        if gone:
            faults[table] = lacks_files(gone)
    if faults:
        raise damaged(lake.root, faults, last)


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
