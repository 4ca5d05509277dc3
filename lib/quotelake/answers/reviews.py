"""Alerts labelled by people: written as CSV, read back as rows of ``alert_reviews``. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from quotelake.answers.explanations import describe_difference
from quotelake.answers.marking import passage_in_whole_words
from quotelake.answers.statements import STATEMENTS
from quotelake.answers.words import ENGLISH
from quotelake.errors import InputError
from quotelake.files.outputs import csv_text, filled_rows, original_text
from quotelake.query.catalog import literal
from quotelake.query.engines import RunSql
from quotelake.text.words import visible


class Label(StrEnum):
    """A reviewer's verdict on an alert or check."""

    TRUE = "true"  #: the headline quote misleads on what the body says, or of a check: its words are not as printed
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
#: Columns of the file, in order; the page writes verdicts with the same. Reviewers do not see the score.
COLUMNS: Final = (*ANSWERS, *SHOWN, *IDS)
#: Columns with the words of the gravest difference, and the keys of these.
_SIDES: Final = {"body_words": "said", "headline_words": "own"}


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


def latest_reviews(run_sql: RunSql) -> list[Review]:
    """The last label of each alert by each reviewer, by alert and time."""
    return [Review(**row) for row in run_sql(STATEMENTS["latest_reviews"])]


def alerts_query(limit: int | None, alert: str | None = None, *, unreviewed: bool = False) -> str:
    """Statement for all alerts, or the ``limit`` of each kind with the highest priority, in order.

    They are those of one kind, which may be one of checks, unless ``alert`` is None; if ``unreviewed``, those without
    any label. The column ``alert`` has the kind.
    """
    conditions = ["tier = 'alert'" if alert is None else f"kind = {literal(alert)}"]
    if unreviewed:
        given = "SELECT 1 FROM alert_reviews r WHERE r.quote_id = f.quote_id AND r.alert = f.kind"
        conditions.append(f"NOT EXISTS ({given})")
    first = "" if limit is None else f"WHERE place <= {limit}"
    return STATEMENTS["first_alerts"].format(conditions=" AND ".join(conditions), first=first)


def to_csv(alerts: Iterable[Mapping[str, Any]], given: Iterable[Review] = ()) -> str:
    """Write alerts, rows of the view ``headline_alerts``, as CSV ordered by id, which is random.

    Label and note are those of the reviews ``given``, one per alert at most, else empty.
    """
    answers = {(one.quote_id, one.alert): {"label": one.label, "note": one.note} for one in given}
    rows = [
        {name: cell_of(row, name) for name in (*SHOWN, *IDS)}
        | answers.get((row["quote_id"], row["alert"]), dict.fromkeys(ANSWERS, ""))
        for row in sorted(alerts, key=lambda row: (row["quote_id"], row["alert"]))
    ]
    return csv_text(COLUMNS, rows)


def cell_of(alert: Mapping[str, Any], name: str) -> object:
    """A value of an alert for a file: a number stays one; all else is text without characters that act.

    >>> [cell_of({"score": 0.5, "is_new": True, "url": None}, name) for name in ("score", "is_new", "url")]
    [0.5, 'yes', '']
    """
    if name == "passage":
        value: Any = passage_in_whole_words(alert)
    elif name in _SIDES:
        value = next((one[_SIDES[name]] for one in alert["differences"] if one["tier"] == alert["tier"]), "")
    elif name == "notes":
        value = "; ".join(describe_difference(one) for one in alert["differences"] if one["tier"] == "note")
    elif name == "reviews":
        value = "; ".join(f"{ENGLISH.named('labels', one.label)} ({one.reviewer})" for one in alert["reviews"])
    else:
        value = alert[name]
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return value
    return "" if value is None else visible(str(value))


def from_csv(text: str, name: str, reviewer: str, reviewed_at: datetime) -> list[Review]:
    """Read the labels of a file, given with its name, that :func:`to_csv` or the alert page wrote; the time is in UTC.

    An InputError, which names each line: the reviewer is empty, a column missing, a label unknown, or an alert twice.
    """
    if not reviewer.strip():
        raise InputError("--reviewer is empty: say whose labels these are")
    reviews: dict[tuple[str, str], Review] = {}
    faults = []
    for line, row in filled_rows(text, name, (*IDS, "label")):
        label = row["label"].strip().casefold().replace(" ", "_")  # spreadsheets write TRUE
        ids = {column: row[column].strip() for column in IDS}
        if not label:
            continue
        if label not in set(Label):
            faults.append(f"line {line}: label {row['label']!r}")
        elif not all(ids.values()):
            faults.append(f"line {line}: {', '.join(key for key, value in ids.items() if not value)} empty")
        elif (ids["quote_id"], ids["alert"]) in reviews:
            faults.append(f"line {line}: the alert is in the file twice")
        else:
            note = original_text((row.get("note") or "").strip()) or None
            review = Review(reviewer=reviewer.strip(), reviewed_at=reviewed_at, label=label, note=note, **ids)
            reviews[review.quote_id, review.alert] = review
    if faults:
        raise InputError(f"{name}: nothing was read; labels are {', '.join(Label)}\n  " + "\n  ".join(faults))
    return list(reviews.values())


def new_reviews(run_sql: RunSql, reviews: Sequence[Review]) -> list[Review]:
    """Leave out labels that repeat the reviewer's last one of the same alert; date others after what they revise.

    An InputError: this lake has no such alert.
    """
    known = {tuple(row[name] for name in IDS) for row in run_sql(STATEMENTS["reviewable"])}
    unknown = [one.quote_id for one in reviews if tuple(getattr(one, name) for name in IDS) not in known]
    if unknown:
        fault = f"this lake has no such alert or check: {', '.join(unknown[:5])}"
        raise InputError(f"{fault}; the file was exported from another one")
    latest = {(one.quote_id, one.alert, one.reviewer): one for one in latest_reviews(run_sql)}
    new = []
    for one in reviews:
        before = latest.get((one.quote_id, one.alert, one.reviewer))
        if before is None:
            new.append(one)
        elif (before.label, before.note) != (one.label, one.note):
            after = before.reviewed_at.replace(tzinfo=UTC) + timedelta(microseconds=1)
            new.append(replace(one, reviewed_at=max(one.reviewed_at, after)))
    return new
