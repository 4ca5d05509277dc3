"""Labelled headline quotes: JSONL rows of headline_quote, body_quotes, label, checked one by one."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, StrictStr

from quotelab.labels.rows import checked
from quotelake.errors import InputError
from quotelake.files.jsonl import json_lines


class LabelledQuote(BaseModel):
    """A headline quote, the quotes of its article's body, and its label. Further fields are ignored.

    Attributes:
        headline_quote: its text without marks.
        body_quotes: texts of the body quotes without marks, in order; may be empty.
        label: 1 contextomized, 0 modified (Song et al. 2023, §3).
        body: the article's text, where the file has it.
        language: ISO 639-1, where the file has it.
    """

    model_config = ConfigDict(frozen=True)

    headline_quote: StrictStr
    body_quotes: tuple[StrictStr, ...]
    label: int = Field(ge=0, le=1, strict=True)
    body: StrictStr | None = None
    language: StrictStr | None = None


def read_labelled(path: Path) -> list[LabelledQuote]:
    """Read a file of labelled headline quotes, gzipped if its name ends in .gz; empty lines are skipped.

    Raises:
        InputError: the file cannot be read or has no row, or a row is not as described; it names file and line.
    """
    rows = [checked(LabelledQuote, place, value) for place, value in json_lines(path)]
    if not rows:
        raise InputError(f"{path}: found no row; give one JSON object a line: headline_quote, body_quotes, label")
    return rows


def digest(rows: Sequence[LabelledQuote]) -> str:
    """SHA-256 of what a detector learns from, in hexadecimal: the rows in order, as JSON without the other fields.

    >>> digest([])[:8]
    'e3b0c442'
    """
    hashed = hashlib.sha256()
    for row in rows:
        content = [row.headline_quote, row.body_quotes, row.label]
        hashed.update(json.dumps(content).encode() + b"\n")  # ASCII: a lone surrogate has no UTF-8
    return hashed.hexdigest()
