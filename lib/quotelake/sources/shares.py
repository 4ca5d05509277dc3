"""Whether a source rejects so many records, or leaves so many undated, that its settings may be wrong. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from quotelake.settings import Settings
from quotelake.sources.rejects import Problem, Reason

#: What is counted against the share, and how a message names it.
COUNTED: Final = {"rejects": "were rejected", "unread_dates": "state a date that could not be read"}
#: Settings that may be wrong where most records have one fault.
_LOOK_AT: Final[Mapping[str, str]] = {
    Reason.MALFORMED: "sources.{0}.format, delimiter and quote",
    Reason.WRONG_ENCODING: "sources.{0}.encoding",
    Reason.WRONG_TYPE: "sources.{0}.fields",
    Reason.MISSING_TEXT: "sources.{0}.fields",
    Reason.EMPTY_TEXT: "sources.{0}.fields",
    Reason.OVERSIZED: "ingest.max_record_bytes",
    Reason.BROKEN_FILE: "the file, and sources.{0}.format",
    Reason.UNREADABLE_FILE: "the file, and who may read it",
    Problem.BAD_DATE: "sources.{0}.date_format",
    Problem.ABSURD_DATE: "sources.{0}.date_format, timezone and ingest.earliest_date",
}


@dataclass(frozen=True)
class Commonest:
    """The commonest fault of the records of a source, with an example.

    Args:
        reason: one of ``Reason`` or ``Problem``.
        number: records that have it.
        path: file of the example.
        position: of its record (``rejects.position``).
        detail: what was found there.
    """

    reason: str
    number: int
    path: str
    position: int
    detail: str


def share_of(name: str, settings: Settings) -> float:
    """Largest share of the records of a source that may be rejected, from 0 to 1."""
    own = settings.sources[name].reject_share
    return settings.ingest.reject_share if own is None else own


def exceeded(name: str, counts: Mapping[str, int], settings: Settings) -> list[str]:
    """Which of :data:`COUNTED` is more than the share of a source allows.

    Args:
        name: of the source.
        counts: ``records``, ``rejects`` and ``unread_dates`` of what was read of it.
        settings: those of the run.
    """
    most = share_of(name, settings) * counts["records"]
    return [what for what in COUNTED if counts[what] > most]


def complaint(name: str, what: str, counts: Mapping[str, int], commonest: Commonest | None, settings: Settings) -> str:
    """Say in one line that a source exceeds its share: how far, the commonest fault, an example, and what to do."""
    share, allowed = counts[what] / counts["records"], share_of(name, settings)
    line = (
        f"{name}: {counts[what]:,} of {counts['records']:,} records {COUNTED[what]} ({share:.0%}, more than the "
        f"{allowed:.0%} of reject_share)"
    )
    if commonest is None:
        return line
    return (
        f"{line}, most as {commonest.reason} ({commonest.number:,}), such as the record at {commonest.position} of "
        f"{commonest.path}: {commonest.detail}. Look at {_LOOK_AT[commonest.reason].format(name)}"
    )


#: What follows the lines of a run.
REMEDY: Final = (
    "All else is done and written. Correct the settings and give the same command again: files with such records are "
    "read again when the settings of their source change. Where the records are to blame, mend the files, or raise "
    "reject_share of the source"
)
