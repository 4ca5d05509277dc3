"""Errors a person can act on: each says what was found, where, and what to do about it.

Jobs catch :class:`QuotelakeError`, print its message without a stack trace and exit with :attr:`exit_code`; also one
that was raised in a worker or inside a batch of a stream, of which Spark hands on the trace as text. Everything else is
a bug and keeps its trace.
"""

import re
import sys
from collections.abc import Callable, Iterator


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


#: The last line of a Python trace, and the lines that its message goes on in.
_RAISED = re.compile(
    r"^quotelake\.(?:\w*+\.)*+(\w++): (.*(?:\n(?!\s*(?:$|at |Traceback |Caused by: |SQLSTATE: |JVM stacktrace)).*)*)",
    re.MULTILINE,
)
#: What stands behind a trace whose error was only the occasion of another.
_OCCASION = re.compile(r"\s*(?:During handling of the above|The above exception was the direct cause)")


def unwrap(error: BaseException) -> QuotelakeError | None:
    """Find the error of ours that Spark reports as one of its own, by the Python trace in its text; None if none.

    >>> trace = "Traceback (most recent call last):\\nquotelake.errors.InputError: x.csv: no header\\n\\n\\tat org.…"
    >>> unwrap(RuntimeError(trace))
    InputError('x.csv: no header')
    """
    if isinstance(error, QuotelakeError):
        return error
    kinds = {kind.__name__: kind for kind in _kinds(QuotelakeError)}
    try:
        text = str(error)
    except Exception:  # Java, which is asked for its trace, has ended
        return None
    raised = [
        (kinds[found[1]], found[2].rstrip())
        for found in _RAISED.finditer(text)
        if found[1] in kinds and not _OCCASION.match(text, found.end())
    ]
    if not raised:
        return None
    kind, message = raised[-1]  # the innermost of several causes is the last
    return kind(message)


def _kinds(kind: type[QuotelakeError]) -> Iterator[type[QuotelakeError]]:
    yield kind
    for narrower in kind.__subclasses__():
        yield from _kinds(narrower)


def exit_with(main: Callable[[], int | None]) -> None:
    """Run the main function of a job, and exit unless all went well.

    An error that is the user's to mend is one message and its status.
    """
    try:
        status = main() or 0
    except Exception as error:
        ours = unwrap(error)
        if ours is None:
            raise
        print(f"quotelake: {ours}", file=sys.stderr)
        status = ours.exit_code
    if status:
        sys.exit(status)
