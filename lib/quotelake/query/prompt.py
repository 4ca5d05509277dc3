"""A prompt: cuts lines into statements and runs them in one session; an error in one does not end the loop."""

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from quotelake.errors import QuotelakeError

_HISTORY: Final = Path.home() / ".quotelake_history"
_QUOTES: Final = "'\"`"


def split(text: str) -> tuple[list[str], str]:
    r"""Cut text into the statements that end with a semicolon, and the rest after the last one.

    Semicolons in quoted text and in comments end nothing.

    >>> split("SELECT ';' AS a; -- one; two\nSELECT 2")
    (["SELECT ';' AS a"], '-- one; two\nSELECT 2')
    """
    statements, start, position = list[str](), 0, 0
    while position < len(text):
        sign = text[position]
        if sign in _QUOTES or text.startswith(("--", "/*"), position):
            position = _end(text, position)
        elif sign == ";":
            statements.append(text[start:position].strip())
            start = position = position + 1
        else:
            position += 1
    return [statement for statement in statements if statement], text[start:].lstrip()


def is_open(text: str) -> bool:
    """Whether text ends inside quoted text or a block comment.

    >>> is_open("SELECT 'a"), is_open("SELECT 'a' -- b'")
    (True, False)
    """
    position = 0
    while position < len(text):
        if text[position] in _QUOTES or text.startswith("/*", position):
            position = _end(text, position)
            if position > len(text):
                return True
        elif text.startswith("--", position):
            position = _end(text, position)
        else:
            position += 1
    return False


def run_prompt(handle: Callable[[str], None], *, interactive: bool) -> int:
    """Read statements from standard input until its end or ``\\q``, and handle each; return the exit status.

    A statement ends at ``;``, and when a person types also at a blank line. Lines that begin with a backslash are
    commands, passed on unchanged. An error is one message on standard error, and the next statement is read.

    Args:
        handle: runs one statement or command and prints its answer.
        interactive: whether a person types.
    """
    status, buffer = 0, ""
    lines = _lines() if interactive else _piped()
    with _history(interactive):
        while (line := lines(bool(buffer))) is not None:
            if not buffer and line.strip() == "\\q":
                break
            if not buffer and line.strip().startswith("\\"):
                status = _handle(handle, line.strip()) or status
                continue
            buffer += line + "\n"
            statements, buffer = ([buffer.strip()], "") if _ends(line, buffer, interactive) else split(buffer)
            for statement in statements:
                status = _handle(handle, statement.rstrip(";")) or status
        if buffer.strip():
            status = _handle(handle, buffer.strip()) or status
    return 0 if interactive else status


def _ends(line: str, buffer: str, interactive: bool) -> bool:
    return interactive and not line.strip() and bool(buffer.strip()) and not is_open(buffer)


def _handle(handle: Callable[[str], None], statement: str) -> int:
    try:
        if statement:
            handle(statement)
    except QuotelakeError as error:
        print(f"quotelake: {error}", file=sys.stderr, flush=True)
        return error.exit_code
    except KeyboardInterrupt:
        print("quotelake: stopped", file=sys.stderr, flush=True)
        return 130
    return 0


def _piped() -> Callable[[bool], str | None]:
    return lambda going_on: line.rstrip("\n") if (line := sys.stdin.readline()) else None


def _lines() -> Callable[[bool], str | None]:
    """A function that reads the next line from a person; None at the end."""

    def read(going_on: bool) -> str | None:
        shown = "        -> " if going_on else "quotelake> "
        try:
            if sys.stdout.isatty():
                return input(shown)
            print(shown, end="", file=sys.stderr, flush=True)  # standard output has data only
            return input()
        except EOFError:
            print(file=sys.stderr)
            return None
        except KeyboardInterrupt:  # drops the statement, or without one ends the prompt
            print(file=sys.stderr)
            return "" if going_on else None

    return read


class _history:
    """Input history of earlier sessions, if Python was built with readline."""

    def __init__(self, interactive: bool) -> None:
        self._interactive = interactive

    def __enter__(self) -> None:
        if self._interactive:
            with suppress(ImportError, OSError):
                import readline

                readline.set_history_length(1000)
                readline.read_history_file(_HISTORY)

    def __exit__(self, *_: object) -> None:
        if self._interactive:
            with suppress(ImportError, OSError):
                import readline

                readline.write_history_file(_HISTORY)


def _end(text: str, position: int) -> int:
    """End of the quoted text or comment that begins at a position; after the end of the text if it is not closed."""
    if text.startswith("--", position):
        found = text.find("\n", position)
        return len(text) if found < 0 else found + 1
    if text.startswith("/*", position):
        found = text.find("*/", position + 2)
        return len(text) + 1 if found < 0 else found + 2
    sign, at = text[position], position + 1
    while at < len(text):
        if text[at] == "\\" and sign != "`":
            at += 2
        elif text[at] == sign:
            return at + 1
        else:
            at += 1
    return len(text) + 1
