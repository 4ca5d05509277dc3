"""The prompt of ``quotelake query``: cuts lines into statements and runs each; a failed one does not end the loop."""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from sqlite3 import complete_statement
from typing import Final

from quotelake.errors import QuotelakeError, Status

#: A comment; group 1: the start of an unterminated one.
_COMMENT: Final = re.compile(r"--.*|/\*[\s\S]*?\*/|(/\*)[\s\S]*")


def split(text: str) -> tuple[list[str], str]:
    r"""Cut text into the statements that end with a semicolon, and the rest after the last one.

    Semicolons in quoted text and in comments end nothing; comments alone are no statement.

    >>> split("SELECT ';' AS a; -- one; two\nSELECT 2")
    (["SELECT ';' AS a"], '-- one; two\nSELECT 2')
    """
    parts, start = list[str](), 0
    for semicolon in re.finditer(";", text):
        if complete_statement(text[start : semicolon.end()]):
            parts.append(text[start : semicolon.start()].strip())
            start = semicolon.end()
    *statements, rest = (part if _COMMENT.sub(r"\1", part).strip() else "" for part in [*parts, text[start:].lstrip()])
    return [statement for statement in statements if statement], rest


def run_prompt(run: Callable[[str], None], *, interactive: bool) -> int:
    """Run each statement of standard input until its end or ``\\q``; return the exit status.

    A statement ends at ``;``, and where a person types (``interactive``) also at a blank line outside quoted text and
    comments. A line that begins with a backslash is a command and goes to ``run`` unchanged. An error is one message on
    standard error, and the next statement is read.
    """
    status, pending = 0, ""
    with _history() if interactive else nullcontext():
        while True:
            try:
                line = _typed_line(pending) if interactive else sys.stdin.readline()
            except KeyboardInterrupt:
                if not interactive:
                    raise
                line, pending = "\n" if pending else "", ""  # drops the statement; without one the prompt ends
            command = "" if pending else line.strip()
            if not line or command == "\\q":
                break
            pending += line
            ended = interactive and not line.strip() and complete_statement(f"{pending}\n;")
            statements, pending = ([pending], "") if ended or command.startswith("\\") else split(pending)
            for statement in statements:
                status = _run_one(run, statement) or status
        status = _run_one(run, pending) or status
    return 0 if interactive else status


def _run_one(run: Callable[[str], None], statement: str) -> int:
    try:
        if statement := statement.strip().rstrip(";"):
            run(statement)
    except QuotelakeError as error:
        print(f"quotelake: {error}", file=sys.stderr, flush=True)
        return error.exit_code
    except KeyboardInterrupt:
        print("quotelake: stopped", file=sys.stderr, flush=True)
        return Status.INTERRUPTED
    return 0


def _typed_line(pending: str) -> str:
    """The next line from a person, who has typed the ``pending`` part of a statement; empty at the end."""
    prompt = "        -> " if pending else "quotelake> "
    if not sys.stdout.isatty():  # standard output has data only
        print(prompt, end="", file=sys.stderr, flush=True)
        prompt = ""
    try:
        return f"{input(prompt)}\n"
    except EOFError:
        print(file=sys.stderr)
        return ""


@contextmanager
def _history() -> Iterator[None]:
    """Offer the lines of earlier sessions and save those of this one, if there are readline and a home directory."""
    try:
        import readline

        file = Path.home() / ".quotelake_history"
    except (ImportError, RuntimeError):
        yield
        return
    readline.set_history_length(1000)
    with suppress(OSError):
        readline.read_history_file(file)
    yield
    with suppress(OSError):
        readline.write_history_file(file)
