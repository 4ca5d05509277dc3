"""Errors of statements that DuckDB does not answer."""

from quotelake.errors import InputError


class UnknownName(InputError):
    """A statement names a column that no table or view it reads has: Spark would refuse it too.

    Attributes:
        start: offset of the name in the statement, where known.
    """

    start: int | None = None
