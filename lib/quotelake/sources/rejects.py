"""Why a record could not be used: the one list of reasons that the table ``rejects`` knows."""

from enum import StrEnum


class Reason(StrEnum):
    """Why a record, or a whole file, did not become a document."""

    #: Invalid in the format of its file: not JSON, or a row with too many or too few cells.
    MALFORMED = "malformed"
    #: Bytes that are not UTF-8. They are not replaced by U+FFFD: offsets and quotes would refer to another text.
    WRONG_ENCODING = "wrong_encoding"
    #: A record that is not an object, or a field of a type its column cannot hold, such as a number for the body.
    WRONG_TYPE = "wrong_type"
    #: The record has no body, or it is null.
    MISSING_TEXT = "missing_text"
    #: The body is there and holds nothing but white space.
    EMPTY_TEXT = "empty_text"
    #: A date that could not be read.
    BAD_DATE = "bad_date"
    #: A date before ``ingest.earliest_date`` or more than two days after the run.
    ABSURD_DATE = "absurd_date"
    #: A record of more than ``ingest.max_record_bytes``.
    OVERSIZED = "oversized"
    #: The file cannot be read from here on; records before are kept. A Parquet file has one per damaged row group.
    BROKEN_FILE = "broken_file"
    #: The file could not be opened at all; its position is -1.
    UNREADABLE_FILE = "unreadable_file"
