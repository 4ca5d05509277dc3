"""An input file, as it was when it was listed. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from quotelake.errors import InputError
from quotelake.text.ids import content_id

#: What becomes of the records of a file, and how many of the usable ones have a problem: counts of ``files``.
COUNTS: Final = ("records", "documents", "duplicates", "rejects")
PROBLEM_COUNTS: Final = ("unread_dates", "not_numbers")

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class InputFile:
    """A file of a source, as it was when it was listed.

    Args:
        file_id: hash(source, path, size, modified): a changed file has another id.
        source: name of the source in the settings.
        path: qualified, such as ``file:/data/x.jsonl``.
        size: bytes.
        modified: UTC, to the millisecond.
    """

    file_id: str
    source: str
    path: str
    size: int
    modified: datetime


def input_file(source: str, path: str, size: int, modified_ms: int) -> InputFile:
    """Describe a file by its listing; ``modified_ms`` is milliseconds since 1970, UTC."""
    modified = _EPOCH + timedelta(milliseconds=modified_ms)
    return InputFile(content_id(source, path, size, modified_ms), source, path, size, modified)


def check_pattern(source: str, pattern: str) -> None:
    """Check that a pattern names a path at all.

    Raises:
        InputError: it is blank.
    """
    if not pattern.strip():
        raise InputError(f"{source}={pattern}: no path; expected NAME=GLOB, such as us_news=/data/us_news*.jsonl.gz")


def files_named(source: str, pattern: str, matches: Sequence[Iterable[InputFile]]) -> list[InputFile]:
    """Files that a pattern names, each once, sorted by path.

    Args:
        source: name of the source in the settings.
        pattern: for the messages.
        matches: of each path that the pattern matches, its files: the file itself, or those of the directory.

    Raises:
        InputError: the pattern matches nothing, or only directories without files.
    """
    if not matches:
        raise InputError(f"{source}={pattern}: no such file, and no file matches it; check the path, and quote globs")
    files = {file for match in matches for file in match}
    if not files:
        raise InputError(f"{source}={pattern}: there is no file in it; for those of its directories give DIRECTORY/*/*")
    return sorted(files, key=lambda file: file.path)
