"""A record as read from a file, and why it, or a field of it, could not be used: the one list of what tables know."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import orjson

from quotelake.sources.streams import shown


class Reason(StrEnum):
    """Why a record, or a whole file, did not become a document."""

    #: Invalid in the format of its file: not JSON, or a row with too many or too few cells.
    MALFORMED = "malformed"
    #: Bytes that are not of the encoding of the source. They are not replaced by U+FFFD: offsets and quotes would refer
    #: to another text.
    WRONG_ENCODING = "wrong_encoding"
    #: A record that is not an object, or a field of a type its column cannot hold, such as a number for the body.
    WRONG_TYPE = "wrong_type"
    #: The record has no body, or it is null.
    MISSING_TEXT = "missing_text"
    #: The body is there and holds nothing but white space.
    EMPTY_TEXT = "empty_text"
    #: A record of more than ``ingest.max_record_bytes``.
    OVERSIZED = "oversized"
    #: The file cannot be read from here on; records before are kept. A Parquet file has one per damaged row group.
    BROKEN_FILE = "broken_file"
    #: The file could not be opened at all; its position is -1.
    UNREADABLE_FILE = "unreadable_file"


class Problem(StrEnum):
    """Why a field that a document can do without is NULL in it, although the record states something."""

    #: A date that could not be read.
    BAD_DATE = "bad_date"
    #: A date before ``ingest.earliest_date`` or more than two days after the run.
    ABSURD_DATE = "absurd_date"
    #: NaN or Infinity, which many programs write for a missing value.
    NOT_A_NUMBER = "not_a_number"


#: Problems that say that the settings of a source may be wrong, and that other settings may mend.
UNREAD_DATE = frozenset((Problem.BAD_DATE, Problem.ABSURD_DATE))


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """A field that could not be read, of a record that is kept.

    Args:
        problem: what is wrong with it.
        field: name of the field in the record; the fields around it before it, with dots.
        found: its value, shortened, and why it could not be read.
    """

    problem: Problem
    field: str
    found: str

    @property
    def row(self) -> dict[str, str]:
        """As a struct of ``documents.field_problems``."""
        return {"problem": str(self.problem), "field": self.field, "found": self.found}


@dataclass(frozen=True, slots=True)
class RawRecord:
    """A record, or a placeholder for one that could not be read.

    Args:
        position: byte offset in the uncompressed file (JSON Lines), else ordinal from 0; -1 is the file itself.
        value: the fields of the record; None where it could not be read.
        data: its bytes where the reader has them; only the beginning of an oversized record.
        reason: why it could not be read; None where it could.
        detail: what was found, in a sentence; empty where nothing is wrong.
        problems: values that the format does not know, and that stand as None in ``value``.
    """

    position: int
    value: dict[str, Any] | None
    data: bytes | None = None
    reason: Reason | None = None
    detail: str = ""
    problems: tuple[FieldProblem, ...] = ()

    @property
    def raw(self) -> str:
        r"""The record as text: its bytes where known, else JSON; bytes that are not UTF-8 as ``\xNN``."""
        data = self.data
        if data is None:
            if self.value is None:
                return ""
            data = orjson.dumps(self.value, default=repr, option=orjson.OPT_NON_STR_KEYS)
        return shown(data)


def refused(position: int, data: bytes | None, reason: Reason, detail: str) -> RawRecord:
    """Make the placeholder for a record that could not be read."""
    return RawRecord(position, None, data, reason, detail)


def oversized(position: int, data: bytes, size: int, limit: int) -> RawRecord:
    """Make the placeholder for a record longer than ``ingest.max_record_bytes``."""
    detail = f"{size:,} bytes, more than ingest.max_record_bytes = {limit:,}"
    return refused(position, data, Reason.OVERSIZED, detail)


def broken(position: int, data: bytes | None, cause: object) -> RawRecord:
    """Make the placeholder that says that a file cannot be read from here on."""
    return refused(position, data or None, Reason.BROKEN_FILE, f"the file cannot be read from here on: {cause}")
