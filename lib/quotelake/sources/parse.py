"""A record → its document, or the reason why it has none. Pure: a record gives the same document on any machine.

Headlines and bodies are kept unchanged, NUL characters and outer white space included: offsets refer to them. Ids,
names and addresses are stripped; blank ones count as missing. A field may be nested: ``user.id`` is looked up as one
name first, then as ``id`` in ``user``.
"""

import math
from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from quotelake.settings import IngestSettings, NewsField, SourceSettings
from quotelake.sources.authors import hash_author
from quotelake.sources.dates import to_utc
from quotelake.sources.editorial import STATED_GENRES, body_status_of, genre_of, wire_credit_of
from quotelake.sources.rejects import FieldProblem, Problem, RawRecord, Reason
from quotelake.text.ids import content_id
from quotelake.text.language import detect_language, normalise_language

Document = dict[str, Any]
Reject = tuple[Reason, str]

_BODY_STATUSES = frozenset(("complete", "truncated", "live_update", "unknown"))
#: How far a date may lie in the future: a fast clock or a lost time zone shifts dates by less.
_FUTURE = timedelta(days=2)
_FALSE = frozenset(("", "0", "false", "no", "none", "null"))
#: Characters of a value that a problem shows.
_SHOWN = 80
#: The largest integer that a float holds exactly.
_EXACT = 2**53


class _RefusedError(Exception):
    """The record cannot be used, for a reason and with a sentence on what was found."""


def to_document(
    record: RawRecord,
    source_name: str,
    source: SourceSettings,
    ingest: IngestSettings,
    *,
    author_key: bytes,
    now: datetime,
) -> Document | Reject:
    """Make the document of a record: every content column of ``documents`` except ``file_id`` and ``position``.

    ``author_key`` is the secret key of the hash of tweet authors, ``now`` when the run started, in UTC: dates more than
    two days later are absurd.

    Returns:
        The document, or the reason for the reject and a sentence on what was found.
    """
    if record.value is None:
        return record.reason or Reason.MALFORMED, record.detail
    fields = _Fields(record.value, source, list(record.problems))
    is_tweet = source.kind == "tweet"
    try:
        if deleted_id(record.value, source) is not None:
            raise _RefusedError(Reason.DELETION, f"{source.deletion!r} names a record to forget")
        body, headline = fields.body(), fields.headline()
        native_id, url, author = fields.text("native_id"), fields.text("url"), fields.text("author")
        outlet_raw = fields.text("outlet")
        outlet = _outlet(outlet_raw, url, source)
        published_at, updated_at = fields.date("published_at", ingest, now), fields.date("updated_at", ingest, now)
        genre = STATED_GENRES.get((fields.text("genre") or "").casefold().replace(" ", "-"))
        if genre is None and (outlet in source.satire_outlets or outlet_raw in source.satire_outlets):
            genre = "satire"
        genre = genre or genre_of(source.kind, url, fields.text("section"), headline, outlet_raw)
        language = normalise_language(fields.text("language"))
        if not language:
            text = body if headline is None else f"{headline}\n{body[:1000]}"
            language = detect_language(text, ingest.languages, ingest.language_confidence)
        body_status = (fields.text("body_status") or "").casefold()
        if body_status not in _BODY_STATUSES:
            body_status = body_status_of(source.kind, body, genre)
        wire_credit = fields.text("wire_credit")
        if not wire_credit and not is_tweet:
            wire_credit = wire_credit_of(body, fields.text("byline"), outlet)
        identity = native_id or url
        return {
            "doc_id": content_id(source_name, identity, headline, body),
            # Without an id or address, each distinct text counts as an article.
            "native_key": content_id(source_name, *((identity,) if identity else (None, headline, body))),
            "source": source_name,
            "native_id": native_id,
            "kind": source.kind,
            "outlet": outlet,
            "outlet_raw": outlet_raw,
            "genre": genre,
            "language": language,
            "published_at": published_at,
            "updated_at": updated_at,
            "headline": headline,
            "body": body,
            "url": url,
            "body_status": body_status,
            "wire_credit": wire_credit,
            "author_key": hash_author(author, author_key) if author and is_tweet else None,
            "conversation_id": fields.text("conversation_id"),
            "reply_to_id": fields.text("reply_to_id"),
            "quoted_id": fields.text("quoted_id"),
            "is_repost": fields.flag("is_repost") or (is_tweet and body.startswith("RT @")),  # the old form
            "field_problems": [each._asdict() for each in dict.fromkeys(fields.problems)] or None,
        }
    except _RefusedError as error:
        reason, detail = error.args
        return reason, detail


def deleted_id(record: Mapping[str, Any], source: SourceSettings) -> str | None:
    """Native id that a record asks to forget; None for a record that is no such request."""
    stated = None if source.deletion is None else value_at(record, source.deletion)
    return _Fields(record, source, []).short("native_id", stated)


def value_at(record: Mapping[str, Any], field: str) -> Any:
    """Value of a field or, if its name has dots, of a nested one; None where the record has neither.

    >>> value_at({"user": {"id": 7}, "a.b": 1}, "user.id"), value_at({"a.b": 1}, "a.b")
    (7, 1)
    """
    if field in record:
        return record[field]
    value: Any = record
    for part in field.split("."):
        if not isinstance(value, Mapping):
            return None
        value = value.get(part)
    return value


class _Fields:
    """Fields of a record under our column names; where the record has no value, the default of its source."""

    def __init__(self, record: Mapping[str, Any], source: SourceSettings, problems: list[FieldProblem]) -> None:
        self._record = record
        self._source = source
        self.problems = problems

    def value(self, column: NewsField) -> Any:
        """The record's value; where it is missing or empty, the source's default if there is one."""
        field = self._source.fields.get(column)
        value = None if field is None else value_at(self._record, field)
        if isinstance(value, float) and not math.isfinite(value):  # such as pandas writes into Parquet
            self._trouble(Problem.NOT_A_NUMBER, column, str(value))
            value = None
        return self._source.defaults.get(column, value) if value is None or value == "" else value

    def text(self, column: NewsField) -> str | None:
        """A short text: stripped, numbers as digits, lists joined by commas; None where it is missing or blank."""
        return self.short(column, self.value(column))

    def short(self, column: NewsField, value: Any) -> str | None:
        """A value of a column as a short text."""
        if isinstance(value, str):
            return value.strip() or None
        if value is None:
            return None
        if isinstance(value, list | tuple):
            return ", ".join(text for item in value if (text := self.short(column, item))) or None
        if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
            value = int(value)  # pandas writes an integer column with gaps as floats
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        raise self._wrong_type(column, value)

    def body(self) -> str:
        """The body, unchanged."""
        value = self.value("body")
        if value is None:
            raise _RefusedError(Reason.MISSING_TEXT, f"no {self._source.fields['body']!r}, which is the body")
        if not isinstance(value, str):
            raise self._wrong_type("body", value)
        if not value.strip():
            raise _RefusedError(Reason.EMPTY_TEXT, f"{self._source.fields['body']!r} is blank")
        return value

    def headline(self) -> str | None:
        """The headline, unchanged; None where it is missing or blank, and for tweets."""
        value = None if self._source.kind == "tweet" else self.value("headline")
        if value is not None and not isinstance(value, str):
            raise self._wrong_type("headline", value)
        return value if value and value.strip() else None

    def date(self, column: NewsField, ingest: IngestSettings, now: datetime) -> datetime | None:
        """A date in UTC, within bounds; None also for one that cannot be read, which is kept as a problem."""
        value = self.value(column)
        text = repr(str(value)[:_SHOWN])
        earliest, latest = datetime.combine(ingest.earliest_date, time.min, UTC), now + _FUTURE
        try:
            found = to_utc(value, ZoneInfo(self._source.timezone), self._source.date_format)
            if found is None or earliest <= found <= latest:
                return found
            self._trouble(Problem.ABSURD_DATE, column, f"{text}, not between {earliest.date()} and {latest.date()}")
        except ValueError as error:
            self._trouble(Problem.BAD_DATE, column, f"{text}: {error}"[: 4 * _SHOWN])
        except (OverflowError, OSError):
            self._trouble(Problem.ABSURD_DATE, column, text)
        return None

    def flag(self, column: NewsField) -> bool:
        """False for a missing or empty value, 0, and the texts 0, false, no, none and null; else True."""
        value = self.value(column)
        return value.strip().casefold() not in _FALSE if isinstance(value, str) else bool(value)

    def _trouble(self, problem: Problem, column: NewsField, found: str) -> None:
        self.problems.append(FieldProblem(problem, self._source.fields.get(column, column), found))

    def _wrong_type(self, column: NewsField, value: Any) -> _RefusedError:
        field = self._source.fields.get(column, column)
        return _RefusedError(Reason.WRONG_TYPE, f"{field!r}, which is the {column}, is a {type(value).__name__}")


def _outlet(stated: str | None, url: str | None, source: SourceSettings) -> str | None:
    """Name of the outlet after the mapping, which ignores case; the host of the URL where the record has no outlet."""
    if stated is None:
        try:
            return (urlsplit(url or "").hostname or "").removeprefix("www.") or None
        except ValueError:  # not a valid address; the column ``url`` keeps it unchanged
            return None
    if stated in source.outlets:
        return source.outlets[stated]
    wanted = stated.casefold()
    return next((name for raw, name in source.outlets.items() if wanted in (raw.casefold(), name.casefold())), stated)
