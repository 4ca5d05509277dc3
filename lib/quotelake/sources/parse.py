"""A record → its document, or the reason why it has none. Pure: a record gives the same document on any machine.

Headlines and bodies are kept unchanged, NUL characters and outer white space included: offsets refer to them; of those
in HTML, to the text that is left. Ids, names and addresses are stripped; blank ones count as missing. What a field may
be called: :func:`quotelake.files.values.getter`.
"""

import math
from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from itertools import chain
from typing import Any, Final
from zoneinfo import ZoneInfo

from quotelake.files.values import EXACT, as_text, condition, field_name, getter, is_set
from quotelake.settings import IngestSettings
from quotelake.source_settings import NewsField, SourceSettings
from quotelake.sources.dates import Stated, read_date
from quotelake.sources.editorial import STATED_GENRES, body_status_of, genre_of, wire_credit_of
from quotelake.sources.keyed_hashes import hash_author
from quotelake.sources.markup import text_of_html
from quotelake.sources.rejects import FieldProblem, Problem, RawRecord, Reason
from quotelake.text.addresses import parts_of
from quotelake.text.ids import content_id
from quotelake.text.language import detect_language, normalise_language

Document = dict[str, Any]

_BODY_STATUSES = frozenset(("complete", "truncated", "live_update", "unknown"))
#: Columns that hold what a record states, as a short text.
_AS_STATED: Final[tuple[NewsField, ...]] = (
    "native_id", "url", "section", "wire_credit", "conversation_id", "reply_to_id", "quoted_id"
)  # fmt: skip
#: How far a date may lie in the future: a fast clock or a lost time zone shifts dates by less.
_FUTURE = timedelta(days=2)
#: Columns of which a template gives what it can; all others are NULL where a part of their template is missing.
_TEXTS: Final = ("body", "headline")
#: Characters of a value that a problem shows.
_SHOWN = 80


class _RefusedError(Exception):
    """The record cannot be used: a reason, and a sentence on what was found."""


class Parser:
    """Makes the documents of the records of a source, whose settings are compiled once.

    ``author_key`` is the secret of the hash of tweet authors; dates two days after ``now``, in UTC, are absurd.
    """

    def __init__(
        self, name: str, source: SourceSettings, ingest: IngestSettings, *, author_key: bytes, now: datetime
    ) -> None:
        self.name, self.source, self.ingest, self.author_key = name, source, ingest, author_key
        self.getters = {column: getter(field, whole=column not in _TEXTS) for column, field in source.fields.items()}
        self.zone, formats = ZoneInfo(source.timezone), source.date_format or ()
        self.formats = (formats,) if isinstance(formats, str) else formats
        self.earliest, self.latest = datetime.combine(ingest.earliest_date, time.min, UTC), now + _FUTURE
        self._kept = {field: getter(field) for field in source.keep}
        self._is_wanted = condition(source.where)
        if (deletion := source.deletion) is not None:
            id_field = deletion.id or source.fields["native_id"]
            self._is_deletion, self._get_deleted = condition(deletion.where), getter(id_field, whole=True)
        # The first of two that differ in case alone counts.
        pairs = reversed(source.outlets.items())
        self._outlets = {name.casefold(): outlet for raw, outlet in pairs for name in (outlet, raw)}

    def document(self, record: RawRecord) -> Document | tuple[Reason, str]:
        """Make the document of a record: every content column of ``documents`` except ``file_id`` and ``position``.

        Else the reason for the reject, ``filtered`` of what the source leaves out, and a sentence on what was found.
        """
        if record.value is None:
            return record.reason or Reason.MALFORMED, record.detail
        try:
            if self.deleted_id(record.value) is not None:
                raise _RefusedError(Reason.DELETION, "it asks to forget a record, by deletion of the source")
            if not self._is_wanted(record.value):
                raise _RefusedError(Reason.FILTERED, "it does not meet where of the source")
            return self._document(_Fields(self, record.value, list(record.problems)))
        except _RefusedError as error:
            reason, detail = error.args
            return reason, detail

    def deleted_id(self, record: Mapping[str, Any]) -> str | None:
        """Native id of the record to forget; None if ``record`` is no such request."""
        if self.source.deletion is None or not self._is_deletion(record):
            return None
        return _Fields(self, record, []).short("native_id", self._get_deleted(record))

    def _document(self, fields: "_Fields") -> Document:
        source, is_tweet = self.source, self.source.kind == "tweet"
        body, headline, author = fields.body(), fields.headline(), fields.text("author")
        texts = {name: fields.text(name) for name in _AS_STATED}
        native_id, url, outlet_raw = texts["native_id"], texts["url"], fields.text("outlet")
        outlet = (parts_of(url).hostname or "").removeprefix("www.") or None
        if outlet_raw is not None:  # the mapping ignores case
            outlet = source.outlets.get(outlet_raw, self._outlets.get(outlet_raw.casefold(), outlet_raw))
        published, updated = fields.date("published_at"), fields.date("updated_at")
        genre = STATED_GENRES.get((fields.text("genre") or "").casefold().replace(" ", "-"))
        if genre is None and (outlet in source.satire_outlets or outlet_raw in source.satire_outlets):
            genre = "satire"
        byline = None if is_tweet else fields.text("byline")
        genre = genre or genre_of(source.kind, url, texts["section"], headline, outlet_raw)
        language = normalise_language(fields.text("language"))
        if not language:
            text = body if headline is None else f"{headline}\n{body[:1000]}"
            language = detect_language(text, self.ingest.languages, self.ingest.language_confidence)
        body_status = (fields.text("body_status") or "").casefold()
        if body_status not in _BODY_STATUSES:
            body_status = body_status_of(source.kind, body, genre)
        if not texts["wire_credit"] and not is_tweet:
            texts["wire_credit"] = wire_credit_of(body, byline, outlet)
        identity = native_id or url
        return texts | {
            "doc_id": content_id(self.name, identity, headline, body),
            # Without an id or address, each distinct text counts as an article.
            "native_key": content_id(self.name, *((identity,) if identity else (None, headline, body))),
            "source": self.name,
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
            "body_status": body_status,
            "byline": None if is_tweet else byline or author,
            "author_key": hash_author(author, self.author_key) if author and is_tweet else None,
            "is_repost": fields.flag("is_repost") or (is_tweet and body.startswith("RT @")),  # the old form
            "is_quote": source.quoted,
            "stated_speaker": fields.text("speaker") if fields.flag("speaker") else None,
            "kept": {name: kept for name, get in self._kept.items() if (kept := as_text(get(fields.record)))} or None,
            "field_problems": [each._asdict() for each in dict.fromkeys(fields.problems)] or None,
        }


class _Fields:
    """Fields of a record under our column names; where the record has no value, the default of its source."""

    def __init__(self, parser: Parser, record: Mapping[str, Any], problems: list[FieldProblem]) -> None:
        self.record, self.problems = record, problems
        self._parser, self._source = parser, parser.source

    def value(self, column: NewsField) -> Any:
        """The record's value; where it is missing or empty, the source's default if there is one."""
        get = self._parser.getters.get(column)
        value = None if get is None else get(self.record)
        if isinstance(value, float) and not math.isfinite(value):  # such as pandas writes into Parquet
            self._add_problem(Problem.NOT_A_NUMBER, column, str(value))
            value = None
        return self._source.defaults.get(column, value) if value is None or value == "" else value

    def text(self, column: NewsField) -> str | None:
        """A short text: stripped, numbers as digits, lists joined by commas; None where it is missing or blank."""
        return self.short(column, self.value(column))

    def short(self, column: NewsField, value: Any) -> str | None:
        """A value of a column as a short text."""
        if isinstance(value, list | tuple):
            return ", ".join(text for item in value if (text := self.short(column, item))) or None
        # pandas writes an integer column with gaps as floats
        is_fraction = isinstance(value, float) and not (value.is_integer() and abs(value) < EXACT)
        if value is not None and (is_fraction or type(value) not in (str, int, float)):
            raise self._wrong_type(column, value)
        return (as_text(value) or "").strip() or None

    def body(self) -> str:
        """The body, unchanged but for its HTML; a list of paragraphs is joined by empty lines."""
        value = self.value("body")
        if isinstance(value, list) and all(isinstance(each, str) for each in value):
            value = "\n\n".join(value)
        text = self._without_markup("body", value)
        if text is None:
            raise _RefusedError(Reason.MISSING_TEXT, f"no {self._name('body')!r}, which is the body")
        if not text.strip():
            raise _RefusedError(Reason.EMPTY_TEXT, f"{self._name('body')!r} is blank")
        return text

    def headline(self) -> str | None:
        """The headline, unchanged but for its HTML; None where it is missing or blank, and for tweets."""
        text = None if self._source.kind == "tweet" else self._without_markup("headline", self.value("headline"))
        return text if text and text.strip() else None

    def _without_markup(self, column: NewsField, value: Any) -> str | None:
        if value is None or (isinstance(value, str) and not self._source.html):
            return value
        if not isinstance(value, str):
            raise self._wrong_type(column, value)
        try:
            return text_of_html(value)
        except ValueError as error:
            raise _RefusedError(Reason.OVERSIZED, f"{self._name(column)!r} is {error}") from None

    def date(self, column: NewsField) -> Stated | None:
        """A date, within bounds, of the first field that has such a one; None if none has, which is a problem."""
        parser, names, problem = self._parser, self._source.fields.get(column), None
        others = (getter(name)(self.record) for name in (names if isinstance(names, tuple) else ()))
        for value in chain([self.value(column)], others):
            try:
                found = read_date(value, parser.zone, parser.formats)
                if found is not None and parser.earliest <= found.moment <= parser.latest:
                    return found
                if found is not None:
                    raise OverflowError(f"not between {parser.earliest.date()} and {parser.latest.date()}")
            except (ValueError, OverflowError, OSError) as error:
                reason = Problem.BAD_DATE if isinstance(error, ValueError) else Problem.ABSURD_DATE
                problem = problem or (reason, f"{str(value)[:_SHOWN]!r}: {error}"[: 4 * _SHOWN])
        if problem is not None:
            self._add_problem(problem[0], column, problem[1])
        return None

    def flag(self, column: NewsField) -> bool:
        """Whether the value :func:`~quotelake.files.values.is_set`, and is neither the text no nor none."""
        value = self.value(column)
        return is_set(value) and not (isinstance(value, str) and value.strip().casefold() in ("no", "none"))

    def _name(self, column: NewsField) -> str:
        return field_name(self._source.fields.get(column, column))

    def _add_problem(self, problem: Problem, column: NewsField, found: str) -> None:
        self.problems.append(FieldProblem(problem, self._name(column), found))

    def _wrong_type(self, column: NewsField, value: Any) -> _RefusedError:
        found = f"{self._name(column)!r}, which is the {column}, is a {type(value).__name__}"
        return _RefusedError(Reason.WRONG_TYPE, found)
