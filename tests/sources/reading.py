"""Streams for the tests of readers, and what a reader made of them."""

import io
from collections.abc import Iterable
from typing import Any

from quotelake.settings import SourceSettings
from quotelake.sources.records import Format, read_records
from quotelake.sources.rejects import RawRecord


class Blocks(io.BytesIO):
    """A stream whose reads return no more than a few bytes, and which may break at the end."""

    def __init__(self, data: bytes, most: int = 1 << 20, breaks: bool = False) -> None:
        super().__init__(data)
        self.most, self.breaks = most, breaks

    def read(self, size: int | None = -1, /) -> bytes:
        block = super().read(self.most)
        if not block and self.breaks:
            raise OSError("Truncated compressed stream")
        return block


def read(
    data: bytes | io.BytesIO, format: Format = "jsonl", limit: int = 1000, *, start: int = 0, end: int | None = None,
    **form: str,
) -> list[RawRecord]:  # fmt: skip
    """Records of some bytes, in the form that a source may state."""
    source = SourceSettings.model_validate({"kind": "news", "fields": {"body": "text"}, **form})
    stream = io.BytesIO(data) if isinstance(data, bytes) else data
    return list(read_records(stream, format, source, limit, start=start, end=end))


def outcomes(records: Iterable[RawRecord]) -> list[tuple[int, Any]]:
    return [(record.position, (record.reason and str(record.reason)) or record.value) for record in records]
