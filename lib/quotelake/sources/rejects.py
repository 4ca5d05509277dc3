"""Why a record could not be used, or a field of it could not be read: the one list of what the tables know."""

from dataclasses import dataclass
from enum import StrEnum


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
