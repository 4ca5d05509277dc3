"""Alerts labelled by people: written as CSV, read back as rows of ``alert_reviews``. The job reads and writes the lake.

Reviewers do not see the score, and the order is by id, which is random. Only the ids, the label and the note are read
back; the other columns are for the reviewer.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from quotelake.errors import InputError
from quotelake.reporting.cells import text_cell
from quotelake.reporting.marking import visible


class Label(StrEnum):
    """A reviewer's verdict on an alert."""

    TRUE = "true"  #: the headline quote is out of context, or its excerpt misleads
    FALSE = "false"  #: it is not
    EXTRACTION_ERROR = "extraction_error"  #: the quotes were found wrongly
    BAD_BODY = "bad_body"  #: the body is of another article, or incomplete


#: Columns that are read back: the alert, and the verdict.
IDS: Final = ("quote_id", "alert", "rule_version", "detector_version")
ANSWERS: Final = ("label", "note")
SHOWN: Final = (
    "headline", "headline_quote", "headline_speaker", "best_body_quote", "best_body_speaker", "second_body_quote",
    "passage", "outlet", "published_at", "url",
)  # fmt: skip


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
    """Write alerts as CSV with empty label and note, ordered by id.

    Args:
        alerts: rows of the view ``headline_alerts``.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([*ANSWERS, *SHOWN, *IDS])
    for row in sorted(alerts, key=lambda row: (row["quote_id"], row["alert"])):
        writer.writerow(["", "", *(_cell(row[name]) for name in (*SHOWN, *IDS))])
    return out.getvalue()


def from_csv(text: str, name: str, reviewer: str, reviewed_at: datetime) -> list[Review]:
    """Read the labels of a file that :func:`to_csv` wrote; rows without a label are skipped as not reviewed.

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
    missing = [column for column in (*IDS, "label") if column not in (rows.fieldnames or ())]
    if missing:
        raise InputError(f"{name}: no column {', '.join(missing)} in its first line; give a file that export wrote")
    reviews: dict[tuple[str, str], Review] = {}
    faults = []
    for row in rows:
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
            note = (row.get("note") or "").strip() or None
            review = Review(reviewer=reviewer.strip(), reviewed_at=reviewed_at, label=label, note=note, **ids)
            reviews[review.quote_id, review.alert] = review
    if faults:
        known = ", ".join(Label)
        raise InputError(f"{name}: nothing was read; labels are {known}\n  " + "\n  ".join(faults))
    return list(reviews.values())


def changed(reviews: Sequence[Review], archive: Iterable[Mapping[str, Any]]) -> list[Review]:
    """Leave out reviews equal to the reviewer's last one of the same alert, so that a file read twice adds nothing.

    Args:
        reviews: of one reviewer.
        archive: rows of ``alert_reviews``, in any order.
    """
    latest: dict[tuple[str, ...], tuple[datetime, str, str | None]] = {}
    for row in archive:
        key = (row["quote_id"], row["alert"], row["reviewer"])
        said = (row["reviewed_at"], row["label"], row["note"])
        if key not in latest or latest[key][0] < said[0]:
            latest[key] = said
    return [
        review
        for review in reviews
        if latest.get((review.quote_id, review.alert, review.reviewer), (None,))[1:] != (review.label, review.note)
    ]


def _cell(value: object) -> object:
    """Format a value so that a spreadsheet shows it but does not run it.

    >>> _cell("=1+1"), _cell(None), _cell("plain")
    ("'=1+1", '', 'plain')
    """
    return text_cell("" if value is None else visible(str(value)))
