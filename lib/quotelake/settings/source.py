"""One source of the settings: what its files look like, and which field of a record becomes which column."""

import codecs
from datetime import datetime
from typing import Annotated, Literal
from zoneinfo import ZoneInfo, available_timezones

from pydantic import Field, field_validator, model_validator

from quotelake.settings.sections import Section, Strings

#: What a field of a record can be mapped to: columns of ``documents``, and values from which one is derived.
NewsField = Literal[
    "native_id", "outlet", "url", "headline", "body", "published_at", "updated_at", "language", "section", "byline",
    "genre", "body_status", "wire_credit", "author", "conversation_id", "reply_to_id", "quoted_id", "is_repost",
]  # fmt: skip


class SourceSettings(Section):
    """One source: what its files look like and which field becomes which column."""

    kind: Literal["news", "tweet"]
    format: Literal["auto", "jsonl", "json", "csv", "tsv", "parquet"] = "auto"
    fields: dict[NewsField, Annotated[str, Field(min_length=1)]]
    outlets: dict[str, str] = Field(default_factory=dict)
    defaults: dict[NewsField, str] = Field(default_factory=dict)
    satire_outlets: Strings = ()
    timezone: str = "UTC"
    date_format: str | None = None
    encoding: str = "utf-8"
    delimiter: str = ","
    quote: str = '"'
    reject_share: float | None = Field(default=None, ge=0, le=1)

    @field_validator("encoding")
    @classmethod
    def _known_encoding(cls, value: str) -> str:
        try:
            found = codecs.lookup(value)
            " ".encode(value)  # a codec from bytes to bytes, such as base64, is none of a text
        except (LookupError, UnicodeError):
            raise ValueError(f"{value!r} is no encoding that Python knows, such as 'cp1252' or 'utf-16'") from None
        return "utf-8" if found.name == "utf-8-sig" else found.name

    @field_validator("delimiter")
    @classmethod
    def _one_delimiter(cls, value: str) -> str:
        if len(value) != 1 or value in "\r\n":
            raise ValueError("the delimiter is one character, such as ';'; a tab is '\\t'")
        return value

    @field_validator("quote")
    @classmethod
    def _one_quote(cls, value: str) -> str:
        if len(value) > 1 or (value and value in "\r\n"):
            raise ValueError("the quote is one character, or empty where cells are not quoted")
        return value

    @field_validator("date_format")
    @classmethod
    def _known_format(cls, value: str | None) -> str | None:
        if value is not None:
            now = datetime(2000, 2, 3, 4, 5, 6)
            try:
                datetime.strptime(now.strftime(value), value)
            except ValueError as error:
                raise ValueError(f"no format of strptime, such as '%d/%m/%Y %H:%M' ({error})") from None
        return value

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        if value not in available_timezones():
            raise ValueError(f"{value!r} is not a time zone of the IANA database, such as 'Europe/London'")
        return value

    @model_validator(mode="after")
    def _has_text(self) -> "SourceSettings":
        if "body" not in self.fields:
            raise ValueError("fields must say which field of the record is the body")
        if self.kind == "tweet" and "headline" in self.fields:
            raise ValueError("a tweet has no headline: remove fields.headline, or set kind = 'news'")
        return self

    @model_validator(mode="after")
    def _fits_its_format(self) -> "SourceSettings":
        if self.delimiter == self.quote:
            raise ValueError("delimiter and quote must differ")
        if (self.delimiter, self.quote) != (",", '"') and self.format not in ("auto", "csv"):
            raise ValueError(f"delimiter and quote are read with format = 'csv', not with {self.format!r}")
        if self.encoding != "utf-8" and self.format == "parquet":
            raise ValueError("encoding is not read with format = 'parquet', whose texts are UTF-8")
        return self

    @property
    def zone(self) -> ZoneInfo:
        """Time zone of dates that state none."""
        return ZoneInfo(self.timezone)
