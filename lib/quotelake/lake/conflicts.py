"""Trying a write again that lost against another one."""

import time
from collections.abc import Callable
from typing import TypeVar

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException

#: Delta's exceptions and their error classes. A table whose columns or protocol changed meanwhile is a conflict too.
_CONFLICTS = (
    "DELTA_CONCURRENT", "ConcurrentAppend", "ConcurrentModification", "ConcurrentTransaction",
    "DELTA_METADATA_CHANGED", "MetadataChangedException", "DELTA_PROTOCOL_CHANGED", "ProtocolChangedException",
)  # fmt: skip
_ATTEMPTS = 8
_Result = TypeVar("_Result")


def retry(write: Callable[[], _Result]) -> _Result:
    """Call ``write`` again while it fails by a conflict with another writer; the last failure is raised."""
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            return write()
        except (PySparkException, Py4JJavaError) as error:
            if attempt == _ATTEMPTS or not any(name in str(error) for name in _CONFLICTS):
                raise
            time.sleep(0.2 * attempt)
    raise AssertionError("unreachable: the last attempt returns or raises")
