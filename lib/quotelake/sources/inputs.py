"""An input file, as it was when it was listed. Pure."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from quotelake.text import content_id

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
