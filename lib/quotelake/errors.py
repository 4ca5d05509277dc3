"""Errors a person can act on: each says what was found, where, and what to do about it. Any other error is a bug."""

import io
import math
import os
import re
import signal
import sys
import tempfile
from collections.abc import Callable
from enum import IntEnum


class Status(IntEnum):
    """Exit statuses of all jobs; ``docs/NIGHTLY.md`` says what to do about each."""

    DONE = 0
    UNUSABLE = 2
    TOO_MANY_REJECTS = 3
    SILENT = 4
    MISCOUNTED = 70  # EX_SOFTWARE in sysexits.h
    BUSY = 75  # EX_TEMPFAIL in sysexits.h: try again later
    INTERRUPTED = 128 + signal.SIGINT  # as shells give it
    UNREAD = 128 + signal.SIGPIPE


class QuotelakeError(Exception):
    """Base of the errors that the user or operator can correct."""

    exit_code = Status.UNUSABLE


class SettingsError(QuotelakeError):
    """A setting is unknown, has the wrong type, or contradicts another."""


class InputError(QuotelakeError):
    """An input path, file or field mapping cannot be used at all."""


class ContractError(QuotelakeError):
    """A frame does not match the contract of its table in ``schemas/``."""


class VersionError(QuotelakeError):
    """The lake was written by other rules or by another model than this run would use."""


class LakeBusyError(QuotelakeError):
    """Another run holds the lake and did not finish within ``run.lease_wait_seconds``."""

    exit_code = Status.BUSY


class UnreachableError(QuotelakeError):
    """A message could not be delivered to a target; all else was done, and what failed can be tried again."""

    exit_code = Status.BUSY


class CountError(QuotelakeError):
    """Records in are not documents + duplicates + rejects + filtered: something was lost, so the run stops."""

    exit_code = Status.MISCOUNTED


class RejectShareError(QuotelakeError):
    """A source rejects more of its records than it may; all else of the run is done."""

    exit_code = Status.TOO_MANY_REJECTS


class SilentFeedError(QuotelakeError):
    """A source or outlet brought nothing, or far less than usual; all else of the run is done."""

    exit_code = Status.SILENT


def given_text(value: object, name: str) -> str:
    """Return an argument that must be a text; an InputError for any other, and for None or NaN of a frame."""
    if isinstance(value, str):
        return value
    kind, remedy = type(value).__name__, ": give a str"
    if value is None or kind in ("NAType", "NaTType") or (isinstance(value, float) and math.isnan(value)):
        remedy = ", which is missing: leave this one out"
    elif isinstance(value, bytes):
        remedy = ": decode it, for instance by .decode('utf-8')"
    raise InputError(f"{name}: expected a text, found {value!r:.60} ({kind}){remedy}")


#: The last lines of a Python trace; without the trace before them they may be of a text that is only quoted. A trace
#: ends where the next begins, or many would take quadratic time.
_RAISED = re.compile(
    r"Traceback \(most recent call last\):\n"
    r"(?>(?:[ \t](?!.*Traceback \(most recent call last\):$).*\n)*)"
    r"quotelake\.(?>(?:\w*+\.)*)(\w++): (.*(?:\n(?!\s*(?:$|at |Traceback |Caused by: |SQLSTATE: |JVM stacktrace)).*)*)",
    re.MULTILINE,
)
#: Follows a trace whose error led to another one.
_OCCASION = re.compile(r"\s*(?:During handling of the above|The above exception was the direct cause)")
#: How Java, Python and DuckDB say that a disk takes no more, in a line that begins with the name of their error.
_FULL = re.compile("No space left on device|Disk quota exceeded|File too large")
_NAMED = re.compile("(?:Exception|Error): ")


def unwrap(error: BaseException) -> QuotelakeError | None:
    """Recover the QuotelakeError inside an error of Spark from the Python trace in its text; None if there is none.

    Any error that says that a disk is full becomes one.

    >>> trace = "Traceback (most recent call last):\\nquotelake.errors.InputError: x.csv: no header\\n\\n\\tat org.…"
    >>> unwrap(RuntimeError(trace))
    InputError('x.csv: no header')
    """
    if isinstance(error, QuotelakeError):
        return error
    kinds = [QuotelakeError]
    for kind in kinds:
        kinds += kind.__subclasses__()
    by_name = {kind.__name__: kind for kind in kinds}
    try:
        text = str(error)
    except Exception:  # the text comes from the JVM, which has ended
        return None
    raised = [
        by_name[found[1]](found[2].rstrip())
        for found in _RAISED.finditer(text)
        if found[1] in by_name and not _OCCASION.match(text, found.end())
    ]
    if raised:
        return raised[-1]  # the innermost of several causes is the last
    for line in (f"OSError: {text}" if isinstance(error, OSError) else text).splitlines():
        if (full := _FULL.search(line)) and _NAMED.search(line, 0, full.start()):
            places = os.environ.get("SPARK_LOCAL_DIRS") or tempfile.gettempdir()
            return InputError(
                f"a disk is full ({full[0]}): make room on that of the lake and on that of temporary files ({places}), "
                "or name another one for these in SPARK_LOCAL_DIRS, and start again; what was written is whole"
            )
    return None


def exit_with(main: Callable[[], int | None]) -> None:
    """Run the main function of a job, and exit with its status unless that is 0.

    A :class:`QuotelakeError`, also of a worker or batch of Spark, becomes one line on standard error and its exit code,
    and so does an interrupt; any other error keeps its trace. If the reader of standard output ends first, as ``head``
    does, the job ends as by SIGPIPE. Output is UTF-8 whatever the terminal; lone surrogates are escaped.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        status = main() or 0
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left unwritten would be said again
        status = Status.UNREAD
    except KeyboardInterrupt:
        print("quotelake: interrupted", file=sys.stderr)
        status = Status.INTERRUPTED
    except Exception as error:
        ours = unwrap(error)
        if ours is None:
            raise
        print(f"quotelake: {ours}", file=sys.stderr)
        status = ours.exit_code
        del ours  # and all that its trace holds
    if status:
        sys.exit(status)
