"""A record as read, why it or a field of it could not be used, and whether a source has too many such records. Pure."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple

import orjson

from quotelake.settings import Settings
from quotelake.sources.streams import printable
from quotelake.text.lexicon import load_lexicon


class Reason(StrEnum):
    """Why a record, or a whole file, did not become a document."""

    MALFORMED = "malformed"  #: invalid in the format of its file: not JSON, or a row with too many or too few cells
    #: Bytes that are not of the encoding of the source. They are not replaced: offsets would refer to another text.
    WRONG_ENCODING = "wrong_encoding"
    WRONG_TYPE = "wrong_type"  #: no object, or a field of a type its column cannot have, such as a number for the body
    MISSING_TEXT = "missing_text"  #: no body, or null
    EMPTY_TEXT = "empty_text"  #: a body of white space
    OVERSIZED = "oversized"  #: more than ``ingest.max_record_bytes``
    #: The file cannot be read from here on; records before are kept. A Parquet file has one per damaged row group.
    BROKEN_FILE = "broken_file"
    UNREADABLE_FILE = "unreadable_file"  #: the file could not be opened at all; its position is -1
    FAILED = "failed"  #: the program failed on the record: an error that is to be reported
    SET_ASIDE = "set_aside"  #: of a document, on whose text the program failed
    FORGOTTEN = "forgotten"  #: the document, its article or its author was forgotten, and stays out
    DELETION = "deletion"  #: no document, but the request to forget one (``deletion`` of the source)
    FILTERED = "filtered"  #: only counted: the source leaves it out (``where``), or nothing in it is a record


class Problem(StrEnum):
    """Why a field that a document can do without is NULL in it, although the record states something."""

    BAD_DATE = "bad_date"  #: a date that could not be read
    ABSURD_DATE = "absurd_date"  #: a date before ``ingest.earliest_date`` or more than two days after the run
    NOT_A_NUMBER = "not_a_number"  #: NaN or Infinity, which many programs write for a missing value
    HEADLINES_DIFFER = "headlines_differ"  #: no two places of a web page state the same headline


#: Problems that wrong settings of a source cause, and that other settings may mend.
UNREAD_DATE: Final = frozenset((Problem.BAD_DATE, Problem.ABSURD_DATE))
#: Reasons that are no fault of a record or of the settings: such rejects count in no share.
ASKED_FOR: Final = frozenset((Reason.FORGOTTEN, Reason.DELETION))
#: What is counted against the share of a source (``reject_share``), and how a message names it.
COUNTED: Final = {"rejects": "were rejected", "unread_dates": "state a date that could not be read"}
_LOOK_AT: Final[Mapping[str, str]] = load_lexicon("readers", __package__)["look_at"]
#: What follows the complaints of a run.
REMEDY: Final = (
    "All else is done and written. Correct the settings and give the same command again: files with such records are "
    "read again when the settings of their source change. Where the records are to blame, mend the files, or raise "
    "reject_share of the source"
)


class FieldProblem(NamedTuple):
    """A field that could not be read, of a record that is kept: its dotted name; its value, shortened, and why."""

    problem: Problem
    field: str
    found: str


class RawRecord(NamedTuple):
    """A record, or a placeholder, with a reason and a sentence on what was found, for one that could not be read.

    ``position`` is the byte offset in the uncompressed file (JSON Lines, of an element of a line plus its number in it;
    archives of web pages), else the ordinal from 0; -1 is the file itself. ``data`` has its bytes where the reader has
    them, of an oversized record the beginning; ``problems`` are of values unknown to the format, None in ``value``.
    """

    position: int
    value: dict[str, Any] | None
    data: bytes | None = None
    reason: Reason | None = None
    detail: str = ""
    problems: tuple[FieldProblem, ...] = ()

    def reject_if_undecodable(self, *names: str) -> "RawRecord":
        """This record; or a reject if one of these texts has U+FFFD, a substitute for bytes of another encoding."""
        if not any("\ufffd" in ((self.value or {}).get(name) or "") for name in names):
            return self
        detail = "bytes that are not of the encoding that it states"
        return RawRecord(self.position, None, self.raw.encode(), Reason.WRONG_ENCODING, detail)

    @property
    def raw(self) -> str:
        r"""The record as text: its bytes where known, else JSON; bytes that are not UTF-8 as ``\xNN``."""
        data = self.data
        if data is None and self.value is not None:
            data = orjson.dumps(self.value, default=repr, option=orjson.OPT_NON_STR_KEYS)
        return printable(data or b"")


def oversized(position: int, data: bytes, size: int, limit: int) -> RawRecord:
    """Make the placeholder for a record longer than ``ingest.max_record_bytes``."""
    detail = f"{size:,} bytes, more than ingest.max_record_bytes = {limit:,}"
    return RawRecord(position, None, data, Reason.OVERSIZED, detail)


def broken(position: int, data: bytes | None, cause: object) -> RawRecord:
    """Make the placeholder for the rest of a file that cannot be read."""
    return RawRecord(position, None, data or None, Reason.BROKEN_FILE, f"the file cannot be read from here on: {cause}")


class Fault(NamedTuple):
    """A record that is rejected, or a field of one that is NULL; or the example of ``number`` records with one fault.

    ``reason`` is one of :class:`Reason` or :class:`Problem`, ``position`` as in ``rejects``, ``detail`` what was found.
    """

    reason: str
    path: str
    position: int
    detail: str
    number: int = 1


def share_of(name: str, settings: Settings) -> float:
    """Largest share of the records of a source that may be rejected, from 0 to 1."""
    share = settings.sources[name].reject_share
    return settings.ingest.reject_share if share is None else share


def exceeded(name: str, counts: Mapping[str, int], settings: Settings) -> list[str]:
    """Which of :data:`COUNTED` is more than the share of a source allows, by the counts of what was read of it."""
    most = share_of(name, settings) * (counts["records"] - counts.get("filtered", 0))
    asked_for = {"rejects": counts.get("rejects_asked_for", 0)}
    return [what for what in COUNTED if counts[what] - asked_for.get(what, 0) > most]


def complaint(name: str, what: str, counts: Mapping[str, int], commonest: Fault | None, settings: Settings) -> str:
    """Say in one line that a source exceeds its share: how far, the commonest fault, an example, and what to do."""
    records = counts["records"] - counts.get("filtered", 0)
    share, allowed = f"{counts[what] / records:.0%}", f"{share_of(name, settings):.0%} of reject_share"
    example = commonest and (
        f", most as {commonest.reason} ({commonest.number:,}), such as the record at {commonest.position} of "
        f"{commonest.path}: {commonest.detail}. Look at {_LOOK_AT[commonest.reason].format(name)}"
    )
    fault = f"{counts[what]:,} of {records:,} records {COUNTED[what]}"
    return f"{name}: {fault} ({share}, more than the {allowed}){example or ''}"
