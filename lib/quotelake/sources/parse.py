"""A record → its document, or the reason why it has none. Pure: a record gives the same document on any machine.

Headlines and bodies are kept unchanged, NUL characters and outer white space included: offsets refer to them; of those
in HTML, to the text that is left. Ids, names and addresses are stripped; blank ones count as missing. What a field may
be called: :func:`quotelake.files.values.getter`.
"""

import math
from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from typing import Any, Final
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from quotelake.files.values import EXACT, as_text, getter, is_set, meets, shown
from quotelake.settings import IngestSettings
from quotelake.source_settings import NewsField, SourceSettings
from quotelake.sources.authors import hash_author
from quotelake.sources.dates import Stated, read_date
from quotelake.sources.editorial import STATED_GENRES, body_status_of, genre_of, wire_credit_of
from quotelake.sources.markup import text_of_html
from quotelake.sources.rejects import FieldProblem, Problem, RawRecord, Reason
from quotelake.text.ids import content_id
from quotelake.text.language import detect_language, normalise_language

Document = dict[str, Any]
Reject = tuple[Reason, str]

_BODY_STATUSES = frozenset(("complete", "truncated", "live_update", "unknown"))
#: How far a date may lie in the future: a fast clock or a lost time zone shifts dates by less.
_FUTURE = timedelta(days=2)
_NOBODY: Final = ("no", "none")
#: Columns of which a template gives what it can; all others are NULL where a part of their template is missing.
_TEXTS: Final = ("body", "headline")
#: Characters of a value that a problem shows.
_SHOWN = 80


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
        The document, or the reason for the reject and a sentence on what was found; ``filtered`` of what the source
        leaves out.
    """
    if record.value is None:
        return record.reason or Reason.MALFORMED, record.detail
    fields = _Fields(record.value, source, list(record.problems))
    is_tweet = source.kind == "tweet"
    try:
        if deleted_id(record.value, source) is not None:
            raise _RefusedError(Reason.DELETION, "it asks to forget a record, by deletion of the source")
        if not meets(record.value, source.where):
            raise _RefusedError(Reason.FILTERED, "it does not meet where of the source")
        body, headline = fields.body(), fields.headline()
        native_id, url, author = fields.text("native_id"), fields.text("url"), fields.text("author")
        outlet_raw = fields.text("outlet")
        outlet = _outlet(outlet_raw, url, source)
        published, updated = fields.date("published_at", ingest, now), fields.date("updated_at", ingest, now)
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
            "published_at": published and published.moment,
            "published_on": published and published.day,
            "date_only": published and published.is_day,
            "updated_at": updated and updated.moment,
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
            "is_quote": source.quoted,
            "stated_speaker": fields.speaker(),
            "kept": {name: kept for name in source.keep if (kept := as_text(getter(name)(record.value)))} or None,
            "field_problems": [each._asdict() for each in dict.fromkeys(fields.problems)] or None,
        }
    except _RefusedError as error:
        reason, detail = error.args
        return reason, detail


def asks_to_forget(record: Mapping[str, Any], source: SourceSettings) -> bool:
    """Whether a record is a request to forget one, by ``deletion`` of its source."""
    asks = source.deletion
    return asks is not None and (
        getter(asks)(record) is not None if isinstance(asks, str) else meets(record, asks.where)
    )


def deleted_id(record: Mapping[str, Any], source: SourceSettings) -> str | None:
    """Native id that a record asks to forget; None for a record that is no such request."""
    asks = source.deletion
    if asks is None or not asks_to_forget(record, source):
        return None
    name = asks if isinstance(asks, str) else asks.id or source.fields["native_id"]
    return _Fields(record, source, []).short("native_id", getter(name, whole=True)(record))


class _Fields:
    """Fields of a record under our column names; where the record has no value, the default of its source."""

    def __init__(self, record: Mapping[str, Any], source: SourceSettings, problems: list[FieldProblem]) -> None:
        self._record = record
        self._source = source
        self.problems = problems

    def value(self, column: NewsField) -> Any:
        """The record's value; where it is missing or empty, the source's default if there is one."""
        field = self._source.fields.get(column)
        if field is None or (isinstance(field, str) and field in self._record):  # as most are
            value = None if field is None else self._record[field]
        else:
            value = getter(field, whole=column not in _TEXTS)(self._record)
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
        if isinstance(value, float) and value.is_integer() and abs(value) < EXACT:
            value = int(value)  # pandas writes an integer column with gaps as floats
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        raise self._wrong_type(column, value)

    def body(self) -> str:
        """The body, unchanged but for its HTML; a list of paragraphs is joined by empty lines."""
        value = self._text_of("body", self.value("body"))
        if value is None:
            raise _RefusedError(Reason.MISSING_TEXT, f"no {self._field('body')!r}, which is the body")
        if not isinstance(value, str):
            raise self._wrong_type("body", value)
        if not value.strip():
            raise _RefusedError(Reason.EMPTY_TEXT, f"{self._field('body')!r} is blank")
        return value

    def headline(self) -> str | None:
        """The headline, unchanged but for its HTML; None where it is missing or blank, and for tweets."""
        value = None if self._source.kind == "tweet" else self._text_of("headline", self.value("headline"))
        if value is not None and not isinstance(value, str):
            raise self._wrong_type("headline", value)
        return value if value and value.strip() else None

    def _text_of(self, column: NewsField, value: Any) -> Any:
        if column == "body" and isinstance(value, list) and all(isinstance(each, str) for each in value):
            value = "\n\n".join(value)
        if not self._source.html or not isinstance(value, str):
            return value
        try:
            return text_of_html(value)
        except ValueError as error:
            raise _RefusedError(Reason.OVERSIZED, f"{self._field(column)!r} is {error}") from None

    def speaker(self) -> str | None:
        """Who is quoted, as the record states it; None where it states nobody."""
        return self.text("speaker") if self.flag("speaker") else None

    def date(self, column: NewsField, ingest: IngestSettings, now: datetime) -> Stated | None:
        """A date, within bounds; None also for one that cannot be read, which is kept as a problem."""
        value = self.value(column)
        text = repr(str(value)[:_SHOWN])
        earliest, latest = datetime.combine(ingest.earliest_date, time.min, UTC), now + _FUTURE
        try:
            formats = self._source.date_format or ()
            found = read_date(
                value, ZoneInfo(self._source.timezone), (formats,) if isinstance(formats, str) else formats
            )
            if found is None or earliest <= found.moment <= latest:
                return found
            self._trouble(Problem.ABSURD_DATE, column, f"{text}, not between {earliest.date()} and {latest.date()}")
        except ValueError as error:
            self._trouble(Problem.BAD_DATE, column, f"{text}: {error}"[: 4 * _SHOWN])
        except (OverflowError, OSError):
            self._trouble(Problem.ABSURD_DATE, column, text)
        return None

    def flag(self, column: NewsField) -> bool:
        """Whether the value :func:`~quotelake.files.values.is_set`, and is neither the text no nor none."""
        value = self.value(column)
        return is_set(value) and not (isinstance(value, str) and value.strip().casefold() in _NOBODY)

    def _field(self, column: NewsField) -> str:
        return shown(self._source.fields.get(column, column))

    def _trouble(self, problem: Problem, column: NewsField, found: str) -> None:
        self.problems.append(FieldProblem(problem, self._field(column), found))

    def _wrong_type(self, column: NewsField, value: Any) -> _RefusedError:
        return _RefusedError(
            Reason.WRONG_TYPE, f"{self._field(column)!r}, which is the {column}, is a {type(value).__name__}"
        )


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
