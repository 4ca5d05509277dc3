"""Input files: what a pattern names, through Arrow's file systems, and which of the files a run reads. Pure.

A run reads the new files, and again those that other settings may read better.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import pyarrow.fs as pafs

from quotelake.errors import InputError
from quotelake.settings import Settings
from quotelake.sources.streams import ADDRESS, OPEN_ERRORS, file_system
from quotelake.text.ids import content_id

#: Counts of ``files``.
COUNTS: Final = ("records", "documents", "duplicates", "rejects")
PROBLEM_COUNTS: Final = ("filtered", "unread_dates", "not_numbers")
#: ``files.settings_digest`` while a file is read again: a run that was killed meanwhile leaves it, and the next one
#: reads the file whatever its settings are.
UNFINISHED: Final = ""
#: Columns of ``files`` that :func:`due_files` needs, the counts of the last reading among them.
DUE_COLUMNS: Final = ("file_id", "source", "settings_digest", *COUNTS, *PROBLEM_COUNTS)
#: The rows of ``files`` that matter where no source is named.
FAULTY: Final = f"rejects > 0 OR unread_dates > 0 OR filtered > 0 OR settings_digest = '{UNFINISHED}'"

T = TypeVar("T")
#: Settings of a source that change no reject and no date. Names of outlets grow every week.
_NOT_IN_DIGEST = {"outlets", "satire_outlets", "reject_share", "keep", "quoted"}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_WILD = re.compile(r"[*?\[\\]")
#: The innermost alternatives of a pattern, such as ``{2023,2024}``.
_BRACES = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True)
class InputFile:
    """A file of a source, as it was when it was listed.

    ``file_id`` is hash(source, path, size, modified): a changed file has another. ``path`` is qualified, such as
    ``file:/data/x.jsonl``; ``size`` is in bytes, ``modified`` UTC, to the millisecond.
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

    The pattern is as Hadoop reads it: a file, a directory (not its subdirectories) or a glob with ``*``, ``?``, ``[…]``
    and ``{…}``. In directories and globs, names that start with ``.`` or ``_`` are left out. ``default`` is the address
    of the file system of paths that name none, as a cluster sets it in ``fs.defaultFS``. An InputError: the pattern is
    blank, matches nothing, cannot be listed, or names only directories without files.
    """
    if not pattern.strip():
        raise InputError(f"{source}={pattern}: no path; expected NAME=GLOB, such as us_news=/data/us_news*.jsonl.gz")
    address = pattern
    if not ADDRESS.fullmatch(pattern) and not pattern.startswith("file:"):
        elsewhere = pattern.startswith("/") and not default.startswith("file:")
        address = default.rstrip("/") + pattern if elsewhere else str(Path(pattern).absolute())
    try:
        system, within = file_system(address)
        literal = system.get_file_info(within)  # a file may have brackets in its name
        globbed = (info for pattern in _alternatives(within) for info in _walk(system, pattern))
        matches = [*globbed] if literal.type == pafs.FileType.NotFound else [literal]
        infos = []
        for info in matches:
            is_folder = info.type == pafs.FileType.Directory
            infos += [e for e in _inside(system, info) if e.type == pafs.FileType.File] if is_folder else [info]
    except (*OPEN_ERRORS, NotImplementedError) as error:
        raise InputError(f"{source}={pattern}: cannot be listed: {str(error).partition(chr(10))[0]}") from None
    if not matches:
        raise InputError(f"{source}={pattern}: no such file, and no file matches it; check the path, and quote globs")
    if not infos:
        raise InputError(f"{source}={pattern}: there is no file in it; for those of its directories give DIRECTORY/*/*")
    before, cut = "file:", 0
    if not address.startswith("file:") and (parts := ADDRESS.fullmatch(address)):
        before, cut = f"{parts['scheme']}://{parts['authority']}", len(within) - len(parts["path"])
    found = {input_file(source, before + info.path[cut:], info.size or 0, info.mtime_ns // 1_000_000) for info in infos}
    return sorted(found, key=lambda file: file.path)


def _alternatives(pattern: str) -> list[str]:
    """Patterns without braces: ``{a,b{1,2}}`` gives ``a``, ``b1`` and ``b2``."""
    found = _BRACES.search(pattern)
    if found is None:
        return [pattern]
    each = [pattern[: found.start()] + part + pattern[found.end() :] for part in found[1].split(",")]
    return [one for part in each for one in _alternatives(part)]


def _walk(system: Any, pattern: str) -> Iterator[Any]:
    if not _WILD.search(pattern):
        info = system.get_file_info(pattern or "/")
        yield from () if info.type == pafs.FileType.NotFound else (info,)
        return
    head, _, name = pattern.rstrip("/").rpartition("/")
    # As fnmatch has it, which knows no backslash.
    wanted = _ESCAPED.sub(lambda found: f"[{found[1]}]" if found[1] in "*?[" else found[1], name).replace("[^", "[!")
    for folder in _walk(system, head):
        if folder.type == pafs.FileType.Directory:
            yield from (info for info in _inside(system, folder) if fnmatchcase(info.base_name, wanted))


def _inside(system: Any, folder: Any) -> list[Any]:
    """What a directory holds, without what is hidden."""
    infos = system.get_file_info(pafs.FileSelector(folder.path))
    return [each for each in infos if each.base_name[:1] not in "._"]


def in_batches(files: Iterable[T], most: int, size: str = "size") -> Iterator[list[T]]:
    """Cut files or pieces, in their order, into batches of ``most`` bytes by an attribute; a larger one is a batch."""
    batch, filled = list[T](), 0
    for file in files:
        if batch and filled + getattr(file, size) > most:
            yield batch
            batch, filled = [], 0
        batch.append(file)
        filled += getattr(file, size)
    if batch:
        yield batch


class Due(NamedTuple):
    """What a run reads: new files, files that were read ``before``, and the row of ``files`` of each of these by id."""

    new: list[InputFile]
    again: list[InputFile]
    before: Mapping[str, Mapping[str, Any]]

    @property
    def files(self) -> list[InputFile]:
        """All of them, the new ones first."""
        return [*self.new, *self.again]


def reading_digest(name: str, settings: Settings) -> str:
    """Hash of the settings that decide which records of a source are rejected and which dates are read."""
    source, ingest = settings.sources[name], settings.ingest
    return content_id(
        source.model_dump_json(exclude=_NOT_IN_DIGEST), ingest.max_record_bytes, str(ingest.earliest_date)
    )


def due_files(
    files: Iterable[InputFile],
    known: Collection[str],
    rows: Iterable[Mapping[str, Any]],
    settings: Settings,
    names: Collection[str] = (),
) -> Due:
    """Choose the files to read. A file with rejects, unread dates or filtered records is read again by other settings.

    ``known`` has the ``file_id`` of the files that were read; ``rows`` are of ``files`` with the columns
    :data:`DUE_COLUMNS`, at least those that meet :data:`FAULTY` or, where sources are named, of these sources. Every
    file of the sources ``names`` is read again.
    """
    before = {row["file_id"]: row for row in rows}
    digests = {name: reading_digest(name, settings) for name in settings.sources}
    new, again = [], []
    for file in files:
        row = before.get(file.file_id)
        if file.file_id not in known:
            new.append(file)
        elif row is not None:
            faulty = bool(row["rejects"] or row["unread_dates"] or row["filtered"])
            reads_better = faulty and row["settings_digest"] != digests[file.source]
            if reads_better or row["settings_digest"] == UNFINISHED or file.source in names:
                again.append(file)
    return Due(new, again, {file.file_id: before[file.file_id] for file in again})
