"""Streams for the tests of readers, and what a reader made of them."""

import gzip
import io
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from quotelake.settings import Settings
from quotelake.source_settings import SourceSettings
from quotelake.sources.parse import Parser
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


KEY, NOW = b"k" * 32, datetime(2024, 6, 1, tzinfo=UTC)


def parser_of(name: str, settings: Settings, now: datetime = NOW) -> Parser:
    return Parser(name, settings.sources[name], settings.ingest, author_key=KEY, now=now)


#: Author of every tweet of :func:`write_bad_tweets`, and where the settings say that the handle stands.
HANDLE = "quiet_heron_7"
OF_AUTHOR = ("sources.sample_tweets.fields.author=user.name", "sources.sample_tweets.format=auto")


def write_bad_tweets(folder: Path) -> None:
    """Write files of every format: in each a good tweet, and beside it records with every reason for a reject."""
    user = f'"user": {{"name": "{HANDLE}", "also": "@{HANDLE}"}}'
    good = f'{{"id": "1", {user}, "text": "Open."}}'
    bad = [f'{{"id": "2", {user}}}', f'{{"id": "3", {user}, "text": " "}}', f'{{{user}, "text": {{"by": "{HANDLE}"}}}}']
    worse = [f'["{HANDLE}"]', f'{{{user}, "text": \\"cut"}}', f'{{{user}, "text": "{"x" * 2000}"}}']
    lines = "\n".join([good, *bad, *worse, f'{{{user}, "text": "caf\xe9"}}']).encode("latin-1")
    (folder / "lines.jsonl").write_bytes(lines)
    (folder / "half.jsonl.gz").write_bytes(gzip.compress(lines * 9, 0)[:4000])
    (folder / "array.json").write_text(f"[{', '.join([good, *bad, worse[0], worse[2]])}, {good[:-9]}", "utf-8")
    header, cells = ("id", "user.name", "text"), (f"1,{HANDLE},Open.", f"2,{HANDLE}, ", f"3,{HANDLE}")
    table = "\n".join([",".join(header), *cells, f'"4"x,{HANDLE},a', f"5,{HANDLE},{'x' * 2000}"])
    for name, text in (("x.csv", table), ("headless.csv", f"{HANDLE},{HANDLE},Open.\n" * 2)):
        (folder / name).write_text(text, "utf-8")
        (folder / name).with_suffix(".tsv").write_text(text.replace(",", "\t"), "utf-8")
    users = [{"name": HANDLE}] * 3
    pq.write_table(pa.table({"user": users, "text": ["Open.", None, "x" * 2000]}), folder / "x.parquet")
