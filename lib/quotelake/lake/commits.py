"""A commit to a table: made only while the run may write, and again while another writer is ahead of it."""

import time
from collections.abc import Callable

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException

from quotelake.errors import LakeBusyError
from quotelake.lake.lease import check_held
from quotelake.lake.place import Files

#: Delta's exceptions and their error classes. A table whose columns or protocol changed meanwhile is a conflict too.
_CONFLICTS = (
    "DELTA_CONCURRENT", "ConcurrentAppend", "ConcurrentModification", "ConcurrentTransaction",
    "DELTA_METADATA_CHANGED", "MetadataChangedException", "DELTA_PROTOCOL_CHANGED", "ProtocolChangedException",
)  # fmt: skip
_ATTEMPTS = 8
SIDE_BY_SIDE = "another run writes to this lake at the same moment: start this one again when that has ended"


def commit(write: Callable[[], object], files: Files, run_id: str) -> None:
    """Call ``write`` of a run to a lake, and again while it fails by a conflict with another writer.

    Raises:
        LakeBusyError: it still does, or the run may not write any more (:func:`~quotelake.lake.lease.check_held`); any
            other failure is raised as it is.
    """
    for attempt in range(1, _ATTEMPTS + 1):
        check_held(files, run_id)
        try:
            write()
            return
        except (PySparkException, Py4JJavaError) as error:
            if not any(name in str(error) for name in _CONFLICTS):
                raise
            if attempt == _ATTEMPTS:
                raise LakeBusyError(SIDE_BY_SIDE) from error
            time.sleep(0.2 * attempt)
