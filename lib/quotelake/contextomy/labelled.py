"""Labelled headline quotes: JSONL rows of headline_quote, body_quotes, label, checked one by one."""

import gzip
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, StrictStr, ValidationError

from quotelake.errors import InputError


class LabelledQuote(BaseModel):
    """A headline quote, the quotes of its article's body, and what people say of it. Further fields are left alone.

    Attributes:
        headline_quote: its text without marks.
        body_quotes: theirs, in order; may be empty.
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
    """Read a file of labelled headline quotes, gzipped if its name ends in .gz; empty lines are passed over.

    Raises:
        InputError: the file cannot be read, a row is not as described, or none is there; it names file and line.
    """
    try:
        data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    except (OSError, EOFError) as error:
        raise InputError(f"{path}: found a file that cannot be read ({error}); check it") from None
    rows = [_row(path, number, line) for number, line in enumerate(data.split(b"\n"), 1) if line.strip()]
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


def _row(path: Path, number: int, line: bytes) -> LabelledQuote:
    place = f"{path}, line {number}"
    try:
        return LabelledQuote.model_validate(json.loads(line.decode("utf-8")))
    except UnicodeDecodeError:
        raise InputError(f"{place}: found bytes that are not UTF-8; convert the file to UTF-8") from None
    except json.JSONDecodeError as error:
        found = f"{error.msg}, column {error.colno}"
        raise InputError(f"{place}: found no JSON ({found}); give one JSON object a line") from None
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"])) or "(row)"
        value = str(first["input"])[:80]
        raise InputError(f"{place}: field {name}: found {value}; {first['msg']}") from None
