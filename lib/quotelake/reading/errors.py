"""Why a statement is not answered here."""

from quotelake.errors import InputError


class Unsupported(Exception):
    """A statement, or a table it names, for which this reader is not known to give Spark's answer."""


class UnknownName(InputError):
    """A statement names a column that nothing it reads has: Spark would refuse it too."""
