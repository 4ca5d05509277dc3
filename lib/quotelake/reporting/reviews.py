"""Alerts labelled by people: written as CSV, read back as rows of ``alert_reviews``. Pure.

Reviewers do not see the score, and the order is by id, which is random. Only the ids, the label and the note are read
back; the other columns are for the reviewer.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from quotelake.errors import InputError
from quotelake.files.csv_files import csv_text, original_text
from quotelake.reporting.marking import passage_of, visible


class Label(StrEnum):
    """A reviewer's verdict on an alert."""

    TRUE = "true"  #: the headline quote is out of context, or its excerpt misleads
    FALSE = "false"  #: it is not
    EXTRACTION_ERROR = "extraction_error"  #: the quotes were found wrongly
    BAD_BODY = "bad_body"  #: the body is of another article, or incomplete


#: The labels as the page says them.
WORDS: Final[Mapping[str, str]] = {
    Label.TRUE: "right",
    Label.FALSE: "wrong",
    Label.EXTRACTION_ERROR: "quote read wrongly",
    Label.BAD_BODY: "wrong or incomplete body",
}
#: Columns that are read back: the alert, and the verdict.
IDS: Final = ("quote_id", "alert", "rule_version", "detector_version")
ANSWERS: Final = ("label", "note")
SHOWN: Final = (
    "headline", "headline_quote", "headline_speaker", "best_body_quote", "best_body_speaker", "second_body_quote",
    "passage", "outlet", "published_at", "url",
)  # fmt: skip
#: Columns of the file, in order; the page writes verdicts with the same.
COLUMNS: Final = (*ANSWERS, *SHOWN, *IDS)


@dataclass(frozen=True, slots=True)
class Review:
    """A label on an alert, with reviewer and time: content columns of ``alert_reviews``."""

    quote_id: str
    alert: str
    reviewer: str
    reviewed_at: datetime
    label: str
    note: str | None
    rule_version: str
    detector_version: str


def to_csv(alerts: Iterable[Mapping[str, Any]]) -> str:
    """Write alerts as CSV with empty label and note, ordered by id; passages begin and end with whole words.

    Args:
        alerts: rows of the view ``headline_alerts``.
    """
    ordered = sorted(alerts, key=lambda row: (row["quote_id"], row["alert"]))
    shown = ({**row, "passage": _passage(row)} for row in ordered)
    empty = dict.fromkeys(ANSWERS, "")
    return csv_text(COLUMNS, (empty | {name: _cell(row[name]) for name in (*SHOWN, *IDS)} for row in shown))


def from_csv(text: str, name: str, reviewer: str, reviewed_at: datetime) -> list[Review]:
    """Read the labels of a file that :func:`to_csv` or the alert page wrote; rows without a label are not reviewed.

    Args:
        text: of the file; columns may be in any order, separated by commas or, as some spreadsheets do, semicolons.
        name: of the file, for messages.
        reviewer: who labelled it.
        reviewed_at: when, UTC.

    Raises:
        InputError: the reviewer is empty, a column is missing, a label is unknown, or an alert occurs twice; each line
            is named.
    """
    if not reviewer.strip():
        raise InputError("--reviewer is empty: say whose labels these are")
    head = text.partition("\n")[0]
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=";" if head.count(";") > head.count(",") else ",")
    reviews: dict[tuple[str, str], Review] = {}
    faults = []
    for row in _whole(rows, name):
        label = (row["label"] or "").strip().casefold().replace(" ", "_")  # spreadsheets write TRUE
        ids = {column: (row[column] or "").strip() for column in IDS}
        if not label:
            continue
        if label not in set(Label):
            faults.append(f"line {rows.line_num}: label {row['label']!r}")
        elif not all(ids.values()):
            faults.append(f"line {rows.line_num}: {', '.join(key for key, value in ids.items() if not value)} empty")
        elif (ids["quote_id"], ids["alert"]) in reviews:
            faults.append(f"line {rows.line_num}: the alert stands in the file twice")
        else:
            note = original_text((row.get("note") or "").strip()) or None
            review = Review(reviewer=reviewer.strip(), reviewed_at=reviewed_at, label=label, note=note, **ids)
            reviews[review.quote_id, review.alert] = review
    if faults:
        known = ", ".join(Label)
        raise InputError(f"{name}: nothing was read; labels are {known}\n  " + "\n  ".join(faults))
    return list(reviews.values())


def _whole(rows: "csv.DictReader[str]", name: str) -> Iterator[dict[str, Any]]:
    """Rows of a file with all columns that are read.

    Raises:
        InputError: it lacks one, or a line cannot be read.
    """
    csv.field_size_limit(1 << 24)  # a quote may be longer than csv allows by default
    try:
        missing = [column for column in (*IDS, "label") if column not in (rows.fieldnames or ())]
        if missing:
            raise InputError(f"{name}: no column {', '.join(missing)} in its first line; give a file that export wrote")
        yield from rows
    except csv.Error as error:
        line = rows.reader.line_num  # that of DictReader is the last whole row's
        raise InputError(f"{name}, line {line}: {error}; save the file as CSV again") from None


def changed(reviews: Sequence[Review], archive: Iterable[Mapping[str, Any]]) -> list[Review]:
    """Leave out reviews equal to the reviewer's last one of the same alert, so that a file read twice adds nothing.

    Args:
        reviews: of one reviewer.
        archive: rows of ``alert_reviews``, in any order.
    """
    latest = {(one.quote_id, one.alert, one.reviewer): (one.label, one.note) for one in latest_reviews(archive)}
    return [
        review
        for review in reviews
        if latest.get((review.quote_id, review.alert, review.reviewer)) != (review.label, review.note)
    ]


def latest_reviews(archive: Iterable[Mapping[str, Any]]) -> list[Review]:
    """The last review of each alert by each reviewer, ordered by alert and time.

    Args:
        archive: rows of ``alert_reviews``, in any order.
    """
    names = [field.name for field in fields(Review)]
    latest: dict[tuple[str, str, str], Review] = {}
    for row in archive:
        review = Review(**{name: row[name] for name in names})
        key = (review.quote_id, review.alert, review.reviewer)
        if key not in latest or latest[key].reviewed_at < review.reviewed_at:
            latest[key] = review
    return sorted(latest.values(), key=lambda one: (one.quote_id, one.alert, one.reviewed_at, one.reviewer))


def _passage(row: Mapping[str, Any]) -> str | None:
    if row["passage"] is None:
        return None
    return passage_of(row["passage"], row["passage_start"], (row["best_start"], row["best_end"]))


def _cell(value: object) -> str:
    return "" if value is None else visible(str(value))
