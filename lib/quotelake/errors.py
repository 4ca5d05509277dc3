"""Errors a person can act on: each says what was found, where, and what to do about it.

Jobs catch :class:`QuotelakeError`, print its message without a stack trace and exit with :attr:`exit_code`.
Everything else is a bug and keeps its trace.
"""

import sys
from collections.abc import Callable


class QuotelakeError(Exception):
    """Base of every error that is the input's or the operator's to mend, not ours."""

    exit_code = 2


class SettingsError(QuotelakeError):
    """A setting is unknown, has the wrong type, or contradicts another."""


class InputError(QuotelakeError):
    """An input path, file or field mapping cannot be used at all."""


class ContractError(QuotelakeError):
    """A frame does not match the contract of its table in ``schemas/``."""


class VersionError(QuotelakeError):
    """The lake was written by other rules or another model than the ones this run would use."""


class LakeBusyError(QuotelakeError):
    """Another run holds the lake and did not finish within the time this one may wait."""

    exit_code = 75  # EX_TEMPFAIL in sysexits.h: try again later


class CountError(QuotelakeError):
    """Records in are not documents + duplicates + rejects: something was lost, so the run stops."""

    exit_code = 70  # EX_SOFTWARE in sysexits.h


def exit_with(main: Callable[[], int | None]) -> None:
    """Run the main function of a job, and exit unless all went well.

    An error that is the user's to mend is one message and its status.
    """
    try:
        status = main() or 0
    except QuotelakeError as error:
        print(f"quotelake: {error}", file=sys.stderr)
        status = error.exit_code
    if status:
        sys.exit(status)
