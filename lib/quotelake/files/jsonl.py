"""Read JSONL files named on a command line; an error names the file and the line."""

import gzip
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NoReturn, cast

from quotelake.errors import InputError


def refuse(where: str, found: str, advice: str) -> NoReturn:
    """Raise the InputError of an input: where it is, what was found there, and what to do."""
    raise InputError(f"{where}: found {found}; {advice}")


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for reading, gzipped if named .gz.

    Raises:
        InputError: it cannot be opened, or read in the block.
    """
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            yield cast(IO[bytes], file)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        refuse(str(path), f"a file that cannot be read ({reason})", "check the path, and that the file is whole")


def json_lines(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield "FILE, line N" and the value of each line of a JSONL file; empty lines and a byte order mark are skipped.

    Raises:
        InputError: the file cannot be read, or a line is not JSON in UTF-8.
    """
    with opened(path) as lines:
        for number, line in enumerate(lines, 1):
            where = f"{path}, line {number}"
            try:
                value = json.loads(text) if (text := line.decode("utf-8-sig").strip()) else None
            except json.JSONDecodeError as error:
                refuse(where, f"no JSON ({error.msg}, column {error.colno})", "give one JSON object a line")
            except UnicodeDecodeError:
                refuse(where, "bytes that are not UTF-8", "convert the file to UTF-8")
            except (ValueError, RecursionError) as error:  # a number of thousands of digits, or lists a thousand deep
                refuse(where, f"JSON that cannot be read ({error})", "correct or leave out the line")
            if text:
                yield where, value
