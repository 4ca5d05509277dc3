"""Which input files a run reads: the new ones, and again those that other settings may read better. Pure."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from quotelake.settings import Settings
from quotelake.sources.files import COUNTS, PROBLEM_COUNTS, InputFile
from quotelake.text.ids import content_id

#: ``files.settings_digest`` while a file is read again: a run that was killed meanwhile leaves it, and the next one
#: reads the file whatever its settings are.
UNFINISHED: Final = ""
#: Columns of ``files`` that :func:`due_files` asks for, the counts of the last reading among them.
ASKED: Final = ("file_id", "source", "settings_digest", *COUNTS, *PROBLEM_COUNTS)
#: The rows of ``files`` that matter where no source is named.
FAULTY: Final = f"rejects > 0 OR unread_dates > 0 OR settings_digest = '{UNFINISHED}'"
#: Settings of a source that change no reject and no date. Names of outlets grow every week.
_WITHOUT = {"outlets", "satire_outlets", "reject_share"}


@dataclass(frozen=True)
class Due:
    """What a run reads.

    Args:
        new: files that were never read.
        again: files that were read before.
        before: row of ``files`` of each of these, by ``file_id``.
    """

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
    return content_id(source.model_dump_json(exclude=_WITHOUT), ingest.max_record_bytes, str(ingest.earliest_date))


def due_files(
    files: Iterable[InputFile],
    known: Collection[str],
    rows: Iterable[Mapping[str, Any]],
    settings: Settings,
    names: Collection[str] = (),
) -> Due:
    """Choose the files to read. A file with rejects or unread dates is read again under other settings of its source.

    Args:
        files: all input files.
        known: ``file_id`` of the files that were read.
        rows: rows of ``files`` with the columns :data:`ASKED`, at least those that meet :data:`FAULTY` or, where
            sources are named, of these sources. A digest of NULL, left by an older release, says nothing.
        settings: of this run.
        names: sources of which every file is read again.
    """
    before = {row["file_id"]: row for row in rows}
    digests = {name: reading_digest(name, settings) for name in settings.sources}

    def reads_better(file: InputFile) -> bool:
        row = before.get(file.file_id)
        if row is None or row["settings_digest"] == UNFINISHED or file.source in names:
            return row is not None
        faulty = bool(row["rejects"] or row["unread_dates"])
        return faulty and row["settings_digest"] not in (None, digests[file.source])

    listed = list(files)
    again = [file for file in listed if file.file_id in known and reads_better(file)]
    kept = {file.file_id: before[file.file_id] for file in again}
    return Due([file for file in listed if file.file_id not in known], again, kept)
