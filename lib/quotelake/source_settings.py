"""Settings of a source: what its files look like, and which field of its records becomes which column."""

import codecs
from datetime import datetime
from functools import cache
from typing import Annotated, Literal
from zoneinfo import available_timezones

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, Strict, model_validator

from quotelake.files.values import Wanted, getter


def _known_encoding(value: str) -> str:
    try:
        found = codecs.lookup(value)
        " ".encode(value)  # a codec from bytes to bytes, such as base64, is none of a text
    except (LookupError, UnicodeError):
        raise ValueError(f"{value!r} is no encoding that Python knows, such as 'cp1252' or 'utf-16'") from None
    return "utf-8" if found.name == "utf-8-sig" else found.name


def _one_character(value: str) -> str:
    if len(value) > 1 or value in ("\r", "\n"):
        raise ValueError("give one character, such as ';'; a tab is '\\t', no quote around cells is quote = ''")
    return value


def _texts(value: object, what: str) -> tuple[str, ...]:
    texts = tuple(value) if isinstance(value, list | tuple) else (value,)
    if not texts or not all(isinstance(each, str) and each for each in texts):
        raise ValueError(f"give {what}, or a list of such")
    return texts


def _known_format(value: object) -> object:
    for each in () if value is None else _texts(value, "a format of strptime"):
        if each == "auto":
            continue
        try:
            datetime.strptime(datetime(2000, 2, 3, 4, 5, 6).strftime(each), each)
        except ValueError as error:
            raise ValueError(f"no format of strptime, such as '%d/%m/%Y %H:%M' ({error})") from None
    return tuple(value) if isinstance(value, list) else value


def _known_name(value: object) -> object:
    getter(_texts(value, "the name of a field"))
    return tuple(value) if isinstance(value, list) else value


def _known_condition(value: object) -> object:
    values = value if isinstance(value, list | tuple) else [value]
    if not values or not all(isinstance(each, str | int | float) for each in values):
        raise ValueError("give a value, a list of values, or true or false")
    return tuple(value) if isinstance(value, list) else value


#: Looks through hundreds of files: done once, for it cost more than all else that settings need.
_zones = cache(available_timezones)


def _known_zone(value: str) -> str:
    if value not in _zones():
        raise ValueError(f"{value!r} is not a time zone of the IANA database, such as 'Europe/London'")
    return value


class Section(BaseModel):
    """Base of every section: typos and wrong types are errors, and values do not change during a run."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


#: What a field of a record can be mapped to: columns of ``documents``, and values from which one is derived.
NewsField = Literal[
    "native_id", "outlet", "url", "headline", "body", "published_at", "updated_at", "language", "section", "byline",
    "genre", "body_status", "wire_credit", "author", "conversation_id", "reply_to_id", "quoted_id", "is_repost",
    "speaker",
]  # fmt: skip
_Text = Annotated[str, Field(min_length=1)]
#: A field of a record, several of which the first that has a value counts, or a template.
FieldName = Annotated[str | tuple[str, ...], BeforeValidator(_known_name)]
#: Conditions on fields of a record.
Where = dict[_Text, Annotated[Wanted, BeforeValidator(_known_condition)]]


class DeletionSettings(Section):
    """Which records ask to forget one, and the native id of that: a field, or as of a document."""

    where: Annotated[Where, Field(min_length=1)]
    id: FieldName | None = None


def _by_id(value: object) -> object:
    """A name alone: the records that have such an id."""
    return {"where": {value: True}, "id": value} if isinstance(value, str) and value else value


class SourceSettings(Section):
    """One source: what its files look like and which field becomes which column."""

    kind: Literal["news", "tweet"]
    format: Literal["auto", "jsonl", "json", "csv", "tsv", "parquet", "rss", "warc", "html"] = "auto"
    fields: dict[NewsField, FieldName]
    outlets: dict[str, str] = Field(default_factory=dict)
    defaults: dict[NewsField, str] = Field(default_factory=dict)
    satire_outlets: Annotated[tuple[str, ...], Strict(False)] = ()
    timezone: Annotated[str, AfterValidator(_known_zone)] = "UTC"
    date_format: Annotated[str | tuple[str, ...] | None, BeforeValidator(_known_format)] = None
    encoding: Annotated[str, AfterValidator(_known_encoding)] = "utf-8"
    delimiter: Annotated[str, AfterValidator(_one_character)] = ","
    quote: Annotated[str, AfterValidator(_one_character)] = '"'
    escape: Annotated[str, AfterValidator(_one_character)] = ""
    reject_share: float | None = Field(default=None, ge=0, le=1)
    deletion: Annotated[DeletionSettings | None, BeforeValidator(_by_id)] = None
    items: _Text | None = None
    explode: _Text | None = None
    where: Where = Field(default_factory=dict)
    html: bool = False
    keep: Annotated[tuple[Annotated[str, BeforeValidator(_known_name)], ...], Strict(False)] = ()
    quoted: bool = False

    @model_validator(mode="after")
    def _fits_together(self) -> "SourceSettings":
        if "body" not in self.fields:
            raise ValueError("fields must say which field of the record is the body")
        if self.kind == "tweet" and "headline" in self.fields:
            raise ValueError("a tweet has no headline: remove fields.headline, or set kind = 'news'")
        if self.delimiter in ("", self.quote):
            raise ValueError("the delimiter is one character, and another than the quote")
        if (self.delimiter, self.quote) != (",", '"') and self.format not in ("auto", "csv"):
            raise ValueError(f"delimiter and quote are read with format = 'csv', not with {self.format!r}")
        if self.items is not None and self.format in ("csv", "tsv", "parquet"):
            raise ValueError(f"items is read with JSON, not with format = {self.format!r}, which has no pages")
        if self.deletion is not None and not (self.deletion.id or "native_id" in self.fields):
            raise ValueError("deletion needs an id, or fields a native_id: by it a document is found")
        if self.encoding != "utf-8" and self.format in ("parquet", "rss", "warc", "html"):
            raise ValueError(f"encoding is not read with format = {self.format!r}, whose files state their own")
        return self
