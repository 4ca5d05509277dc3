"""Read JSONL files named on a command line; an error names the file and the line."""

import glob
import gzip
import json
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NoReturn, cast

from quotelake.errors import InputError


def find_paths(patterns: Sequence[str], option: str) -> list[Path]:
    """Find the files that paths and globs name, in order, each once.

    Args:
        patterns: paths or globs.
        option: command-line option they were given to, for the message.

    Raises:
        InputError: one of them names no file.
    """
    found: dict[Path, None] = {}
    for pattern in patterns:
        names = [pattern] if Path(pattern).exists() else sorted(glob.glob(pattern))
        if not names:
            refuse(f"{option} {pattern}", "no such file", "check the path")
        found.update(dict.fromkeys(map(Path, names)))
    return list(found)


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
    """Yield "FILE, line N" and the value of each line of a JSONL file, gzipped if named .gz; empty lines are skipped.

    A byte order mark does not matter.

    Raises:
        InputError: the file cannot be read, or a line is not JSON in UTF-8.
    """
    number = 0
    try:
        with opened(path) as lines:
            for number, line in enumerate(lines, 1):
                if text := line.decode("utf-8-sig").strip():
                    yield f"{path}, line {number}", json.loads(text)
    except json.JSONDecodeError as error:
        refuse(f"{path}, line {number}", f"no JSON ({error.msg}, column {error.colno})", "give one JSON object a line")
    except UnicodeDecodeError:
        refuse(f"{path}, line {number}", "bytes that are not UTF-8", "convert the file to UTF-8")
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, or lists a thousand deep
        refuse(f"{path}, line {number}", f"JSON that cannot be read ({error})", "correct or leave out the line")


def read_texts(path: Path) -> list[str]:
    """Read the titles and texts of the records of a corpus, for tests of the kernel on real text.

    Raises:
        InputError: the file cannot be read, or no record has a ``title`` or ``text``.
    """
    records = (record for _, record in json_lines(path) if isinstance(record, dict))
    found = [value for record in records for name in ("title", "text") if isinstance(value := record.get(name), str)]
    return [text for text in found if text] or refuse(str(path), "no title or text", "name a corpus that has them")


def refuse(where: str, found: str, advice: str) -> NoReturn:
    """Raise the InputError of an input: where it is, what was found there, and what to do."""
    raise InputError(f"{where}: found {found}; {advice}")
