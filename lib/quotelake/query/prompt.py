"""A prompt: cuts lines into statements and runs them in one session; an error in one does not end the loop."""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from sqlite3 import complete_statement
from typing import Final

from quotelake.errors import QuotelakeError, Status

#: A comment; of one that does not end the group holds the beginning.
_COMMENT: Final = re.compile(r"--.*|/\*[\s\S]*?\*/|(/\*)[\s\S]*")
_HISTORY: Final = Path.home() / ".quotelake_history"


def split(text: str) -> tuple[list[str], str]:
    r"""Cut text into the statements that end with a semicolon, and the rest after the last one.

    Semicolons in quoted text and in comments end nothing; what has nothing but comments is no statement.

    >>> split("SELECT ';' AS a; -- one; two\nSELECT 2")
    (["SELECT ';' AS a"], '-- one; two\nSELECT 2')
    >>> split("SELECT 1; -- done")
    (['SELECT 1'], '')
    """
    parts, start = list[str](), 0
    for semicolon in re.finditer(";", text):
        if complete_statement(text[start : semicolon.end()]):
            parts.append(text[start : semicolon.start()].strip())
            start = semicolon.end()
    *statements, rest = (part if _COMMENT.sub(r"\1", part).strip() else "" for part in [*parts, text[start:].lstrip()])
    return [statement for statement in statements if statement], rest


def run_prompt(handle: Callable[[str], None], *, interactive: bool) -> int:
    """Read statements from standard input until its end or ``\\q``, and handle each; return the exit status.

    A statement ends at ``;``, and when a person types also at a blank line outside quoted text and comments. Lines that
    begin with a backslash are commands, passed on unchanged. An error is one message on standard error, and the next
    statement is read.

    Args:
        handle: runs one statement or command and prints its answer.
        interactive: whether a person types.
    """
    status, buffer = 0, ""
    with _history() if interactive else nullcontext():
        while line := _typed(bool(buffer)) if interactive else sys.stdin.readline():
            command = "" if buffer else line.strip()
            if command == "\\q":
                break
            if command.startswith("\\"):
                status = _handle(handle, command) or status
                continue
            buffer += line
            ended = interactive and not line.strip() and complete_statement(f"{buffer}\n;")
            statements, buffer = ([buffer.strip()], "") if ended else split(buffer)
            for statement in statements:
                status = _handle(handle, statement.rstrip(";")) or status
        status = _handle(handle, buffer.strip()) or status
    return 0 if interactive else status


def _handle(handle: Callable[[str], None], statement: str) -> int:
    try:
        if statement:
            handle(statement)
    except QuotelakeError as error:
        print(f"quotelake: {error}", file=sys.stderr, flush=True)
        return error.exit_code
    except KeyboardInterrupt:
        print("quotelake: stopped", file=sys.stderr, flush=True)
        return Status.INTERRUPTED
    return 0


def _typed(going_on: bool) -> str:
    """The next line from a person; empty at the end."""
    shown = "        -> " if going_on else "quotelake> "
    try:
        if sys.stdout.isatty():
            return f"{input(shown)}\n"
        print(shown, end="", file=sys.stderr, flush=True)  # standard output has data only
        return f"{input()}\n"
    except (EOFError, KeyboardInterrupt) as error:  # an interrupt drops the statement, or without one ends the prompt
        print(file=sys.stderr)
        return "\n" if going_on and isinstance(error, KeyboardInterrupt) else ""


@contextmanager
def _history() -> Iterator[None]:
    """Offer the lines of earlier sessions, if Python was built with readline, and keep those of this one."""
    with suppress(ImportError, OSError):
        import readline

        readline.set_history_length(1000)
        readline.read_history_file(_HISTORY)
    yield
    with suppress(NameError, OSError):  # there is no readline, or no place to write to
        readline.write_history_file(_HISTORY)
