"""Input files: what a pattern names, through Arrow's file systems, and each file as it was when it was listed."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

import pyarrow.fs as pafs

from quotelake.errors import InputError
from quotelake.sources.streams import ADDRESS, OPEN_ERRORS, file_system
from quotelake.text.ids import content_id

#: What becomes of the records of a file, and how many of the usable ones have a problem: counts of ``files``.
COUNTS: Final = ("records", "documents", "duplicates", "rejects")
PROBLEM_COUNTS: Final = ("unread_dates", "not_numbers")

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_WILD = re.compile(r"[*?\[\\]")
#: The innermost alternatives of a pattern, such as ``{2023,2024}``.
_BRACES = re.compile(r"\{([^{}]*)\}")


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


def list_files(source: str, pattern: str, default: str = "file:///") -> list[InputFile]:
    """List the files that a pattern names, each once, sorted by path.

    Args:
        source: name of the source in the settings.
        pattern: as Hadoop reads it: a file, a directory (the files in it, not those of subdirectories) or a glob with
            ``*``, ``?``, ``[…]`` and ``{…}``. In directories and globs, names that start with ``.`` or ``_`` are left
            out.
        default: address of the file system of paths that name none, as a cluster sets it in ``fs.defaultFS``.

    Raises:
        InputError: the pattern is blank, matches nothing, cannot be listed, or names only directories without files.
    """
    if not pattern.strip():
        raise InputError(f"{source}={pattern}: no path; expected NAME=GLOB, such as us_news=/data/us_news*.jsonl.gz")
    address = pattern
    if not ADDRESS.fullmatch(pattern) and not pattern.startswith("file:"):
        elsewhere = pattern.startswith("/") and not default.startswith("file:")
        address = default.rstrip("/") + pattern if elsewhere else str(Path(pattern).absolute())
    try:
        system, within = file_system(address)
        matches = [_files_of(system, info) for info in _matches(system, within)]
    except (*OPEN_ERRORS, NotImplementedError) as error:
        raise InputError(f"{source}={pattern}: cannot be listed: {str(error).partition(chr(10))[0]}") from None
    if not matches:
        raise InputError(f"{source}={pattern}: no such file, and no file matches it; check the path, and quote globs")
    parts = None if address.startswith("file:") else ADDRESS.fullmatch(address)
    before, cut = (
        ("file:", 0)
        if parts is None
        else (f"{parts['scheme']}://{parts['authority']}", len(within) - len(parts["path"]))
    )
    found = {
        input_file(source, before + info.path[cut:], info.size, info.mtime_ns // 1_000_000)
        for infos in matches
        for info in infos
    }
    if not found:
        raise InputError(f"{source}={pattern}: there is no file in it; for those of its directories give DIRECTORY/*/*")
    return sorted(found, key=lambda file: file.path)


def in_batches(files: Iterable[InputFile], batch_bytes: int) -> Iterator[list[InputFile]]:
    """Cut files, in their order, into batches of at most ``batch_bytes``; a larger file is a batch by itself."""
    batch: list[InputFile] = []
    size = 0
    for file in files:
        if batch and size + file.size > batch_bytes:
            yield batch
            batch, size = [], 0
        batch.append(file)
        size += file.size
    if batch:
        yield batch


def _matches(system: Any, within: str) -> Iterator[Any]:
    literal = system.get_file_info(within)
    if literal.type != pafs.FileType.NotFound:  # a file may have brackets in its name
        yield literal
        return
    for pattern in _alternatives(within):
        yield from filter(_visible, _walk(system, pattern))


def _alternatives(pattern: str) -> list[str]:
    """Patterns without braces.

    >>> _alternatives("/in/{a,b{1,2}}.csv")
    ['/in/a.csv', '/in/b1.csv', '/in/b2.csv']
    """
    found = _BRACES.search(pattern)
    if found is None:
        return [pattern]
    each = [pattern[: found.start()] + part + pattern[found.end() :] for part in found[1].split(",")]
    return list(dict.fromkeys(one for part in each for one in _alternatives(part)))


def _walk(system: Any, pattern: str) -> Iterator[Any]:
    head, _, name = pattern.rstrip("/").rpartition("/")
    if not _WILD.search(pattern):
        info = system.get_file_info(pattern)
        if info.type != pafs.FileType.NotFound:
            yield info
        return
    wanted = _as_fnmatch(name)
    for folder in _walk(system, head) if _WILD.search(head) else [system.get_file_info(head or "/")]:
        if folder.type == pafs.FileType.Directory:
            yield from (info for info in _inside(system, folder) if fnmatchcase(info.base_name, wanted))


def _as_fnmatch(name: str) -> str:
    r"""One part of a glob of Hadoop's as :mod:`fnmatch` writes it, which has no backslash.

    >>> _as_fnmatch("[^ab]*.csv"), _as_fnmatch(r"c\[1\].csv")
    ('[!ab]*.csv', 'c[[]1].csv')
    """
    plain = _ESCAPED.sub(lambda found: f"[{found[1]}]" if found[1] in "*?[" else found[1], name)
    return plain.replace("[^", "[!")


def _inside(system: Any, folder: Any) -> list[Any]:
    return sorted(system.get_file_info(pafs.FileSelector(folder.path)), key=lambda info: str(info.path))


def _files_of(system: Any, info: Any) -> list[Any]:
    if info.type != pafs.FileType.Directory:
        return [info]
    return [each for each in _inside(system, info) if _visible(each) and each.type == pafs.FileType.File]


def _visible(info: Any) -> bool:
    return not str(info.base_name).startswith((".", "_"))
