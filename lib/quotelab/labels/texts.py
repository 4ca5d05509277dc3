"""Read label files: JSONL rows checked against a model, with the text in the row or looked up in a corpus.

Rows of texts that may not be redistributed hold ``id`` and ``text_sha256`` instead of ``text``; the hash ensures that
the offsets refer to the same text.
"""

import glob
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, StrictInt, ValidationError

from quotelake.files.jsonl import json_lines, refuse


def find_paths(patterns: Sequence[str], option: str) -> list[Path]:
    """Find the files that the paths and globs of an option name, in order, each once; each must name one."""
    found: dict[Path, None] = {}
    for pattern in patterns:
        names = [pattern] if Path(pattern).exists() else sorted(glob.glob(pattern))
        if not names:
            refuse(f"{option} {pattern}", "no such file", "check the path")
        found.update(dict.fromkeys(map(Path, names)))
    return list(found)


def _ordered(span: tuple[int, int]) -> tuple[int, int]:
    if not 0 <= span[0] < span[1]:
        raise ValueError("a span is [start, end] with 0 <= start < end")
    return span


#: Offsets of a span in code points, the end exclusive.
LabelSpan = Annotated[tuple[StrictInt, StrictInt], AfterValidator(_ordered)]


class Labels(BaseModel):
    """The fields that all label files share; further fields are allowed and ignored.

    ``text`` is None where a corpus holds it, by ``id``; ``source`` names the corpus in messages. ``text_sha256`` is as
    :func:`text_hash` gives it. ``part``, such as dev or test, and ``split`` mean the same. ``mode`` is the kind of the
    text; in a corpus, a headline is the ``title`` of its record, any other text the ``text``.
    """

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    text: str | None = None
    id: str | None = None
    source: str | None = None
    text_sha256: str | None = None
    part: str | None = None
    split: str | None = None
    mode: Literal["body", "headline", "tweet"] = "body"


R = TypeVar("R", bound=BaseModel)
L = TypeVar("L", bound=Labels)


@dataclass(frozen=True, slots=True)
class Labelled(Generic[L]):
    """A row of labels, its text, the corpus record of that (empty where the row holds it), and its file and line."""

    labels: L
    text: str
    record: Mapping[str, Any]
    place: str


def read_rows(row_type: type[R], data: Path | Sequence[str], option: str = "--data") -> list[tuple[str, R]]:
    """Read a JSONL file, or those that paths and globs name: "FILE, line N" and the row; empty lines are skipped."""
    paths = [data] if isinstance(data, Path) else find_paths(data, option)
    rows = [(place, checked(row_type, place, value)) for path in paths for place, value in json_lines(path)]
    wanted = ", ".join(_required(row_type))
    return rows or refuse(f"{option} {' '.join(map(str, paths))}", "no row", f"give one JSON object a line: {wanted}")


def read_labels(
    patterns: Sequence[str], row_type: type[L], texts: Sequence[str] = (), part: str | None = None
) -> list[Labelled[L]]:
    """Read label files, or one part of them, with texts from corpora for rows that hold none."""
    rows = read_rows(row_type, patterns)
    if part is not None:
        parts = sorted({labels.part or labels.split or "(none)" for _, labels in rows})
        rows = [(place, labels) for place, labels in rows if part in (labels.part, labels.split)]
        if not rows:
            refuse(f"--part {part}", "no such row", f"the parts of these files are: {', '.join(parts)}")
    known = Texts({labels.id for _, labels in rows if labels.text is None and labels.id is not None}, texts)
    labelled = [Labelled(labels, *known.of(labels, place), place) for place, labels in rows]
    for row in labelled:
        for field, value in row.labels:
            for span in _spans_in(value):
                if span[1] > len(row.text):
                    refuse(f"{row.place}: field {field}", f"{list(span)}", f"the text has {len(row.text)} characters")
    return labelled


def _spans_in(value: object) -> Iterator[tuple[int, int]]:
    match value:
        case (int(start), int(end)):
            yield start, end
        case tuple() | BaseModel():
            for each in value if isinstance(value, tuple) else dict(value).values():
                yield from _spans_in(each)


def read_articles(patterns: Sequence[str]) -> Iterator[tuple[Path, str, Mapping[str, Any]]]:
    """File, identifier and record of each article of corpora: JSONL with ``id`` or ``ID``, ``title`` and ``text``."""
    for path in find_paths(patterns, "--texts"):
        for _, record in json_lines(path):
            if isinstance(record, dict) and all(isinstance(record.get(name), str) for name in ("title", "text")):
                identifier = record.get("id", record.get("ID"))
                if identifier is not None:
                    yield path, str(identifier), record


def text_hash(text: str) -> str:
    """Hash of a text as label files state it: the first 16 hexadecimal digits of the SHA-256 of its UTF-8."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


class Texts:
    """Texts of corpora by identifier. Two corpora may use the same identifier: the hash tells which text is meant."""

    def __init__(self, wanted: set[str], patterns: Sequence[str]) -> None:
        self.paths = find_paths(patterns, "--texts")
        self.records: dict[str, list[dict[str, Any]]] = {}
        for path in self.paths if wanted else ():
            for _, record in json_lines(path):
                for name in ("id", "ID") if isinstance(record, dict) else ():
                    if (identifier := str(record.get(name))) in wanted:
                        self.records.setdefault(identifier, []).append(record)

    def of(self, labels: Labels, place: str) -> tuple[str, Mapping[str, Any]]:
        """Text of a row and its corpus record: the text in the row, or the corpus text with its id and hash."""
        stated = labels.text_sha256
        if labels.text is not None:
            if stated and text_hash(labels.text) != stated:
                refuse(f"{place}: field text_sha256", stated, f"that of its text is {text_hash(labels.text)}")
            return labels.text, {}
        if labels.id is None or stated is None:
            refuse(f"{place}: field text", "neither it nor id and text_sha256", "a row needs the one or the others")
        if not self.paths:
            refuse(f"{place}: field text", "an id in its place", "name the corpora of the text by --texts FILE")
        field, where = "title" if labels.mode == "headline" else "text", ", ".join(map(str, self.paths))
        place = f"{place}: text {labels.source + ' ' if labels.source else ''}{labels.id}"
        records = [record for record in self.records.get(labels.id, ()) if isinstance(record.get(field), str)]
        if not records:
            refuse(place, f"no record with this id and a {field} in {where}", "name its corpus too")
        by_hash = {text_hash(record[field]): record for record in reversed(records)}
        if stated not in by_hash:
            advice = f"the labels were made on {stated}: get that version of the corpus"
            refuse(place, f"{field} with SHA-256 {', '.join(sorted(by_hash))} in {where}", advice)
        return by_hash[stated][field], by_hash[stated]


def checked(row_type: type[R], place: str, value: object) -> R:
    """Return a JSON value as its model; an InputError names the place and the first field that does not fit."""
    try:
        return row_type.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"])) or "(row)"
        if first["type"] == "missing":
            refuse(f"{place}: field {name}", "none", f"give a JSON object with {', '.join(_required(row_type))}")
        is_said = first["loc"] or first["type"] == "value_error"  # of a check of several fields together
        advice = first["msg"] if is_said else f"give a JSON object with {', '.join(_required(row_type))}"
        refuse(f"{place}: field {name}", json.dumps(first["input"])[:80], advice)


def _required(row_type: type[BaseModel]) -> list[str]:
    return [name for name, field in row_type.model_fields.items() if field.is_required()] or ["fields"]
