"""Dates as records write them → UTC, and the day of publication. Pure: the current time is never read."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from email.utils import parsedate_to_datetime
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from dateutil import parser

from quotelake.text.lexicon import load_lexicon

#: RFC 2822 ("Fri, 1 Mar 2024 10:00:00 GMT") and Twitter's old form ("Wed Oct 10 20:19:24 +0000 2018"), as most write
#: them: quickly read.
_MAIL = re.compile(
    r"[A-Z][a-z]{2},? (?:\d{1,2} [A-Z][a-z]{2} \d{4} [\d:]{8} (?:GMT|[+-]\d{4})"
    r"|[A-Z][a-z]{2} \d\d [\d:]{8} \+0000 \d{4})"
)
#: Any other text with an English month and a year or a time of day, or with a year before a month and then a time.
_WORDS = re.compile(
    r"(?:(?=[^\n]{0,40}?(?<![A-Za-z])(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec))[^\n]{4,60}?(?:\d:\d\d|\d{4})"
    r"|\d{4}-\d\d?-\d[^\n]{0,60}?\d:\d\d)",
    re.IGNORECASE,
)
#: Behind a time: GMT before an offset, which is from it; and the name of a zone in brackets behind one.
_BEFORE_OFFSET = re.compile(r"(?:GMT|UTC)\s?(?=[+-]\d)")
_COMMENT = re.compile(r" ?\([A-Za-z .'/-]{2,60}\)\Z")
_ZONES: Final[Mapping[str, int]] = load_lexicon("readers", __package__)["zones"]
#: What a date does not state is taken from these two: what both give was stated.
_UNSTATED: Final = (datetime(2000, 1, 1), datetime(2001, 2, 2, hour=1))
#: "07/01/2024" and "7.1.24": the first of July, or the seventh of January?
_UNORDERED = re.compile(r"\d{1,2}[/.]\d{1,2}[/.]\d{2,4}\b.*", re.DOTALL)
#: Formats of dates written as digits alone, by their number.
_COMPACT: Final = {8: "%Y%m%d", 14: "%Y%m%d%H%M%S"}
#: Where time begins for computers: what stands for a missing date, and so do numbers that are near to it.
_EPOCH_START = datetime(1970, 1, 1, tzinfo=UTC)
_LEAST_EPOCH = 1e8
#: Seconds, milliseconds or microseconds since 1970; shorter runs of digits are dates such as 20240301.
_EPOCH = re.compile(r"-?(?:\d{9,13}|\d{16})(?:\.\d+)?")
#: Numbers from here on are milliseconds since 1970, or microseconds: read as seconds, this one would be the year 5138.
_MILLISECONDS_FROM, _MICROSECONDS_FROM = 1e11, 1e14


class Stated(NamedTuple):
    """A date that a record states: a moment in UTC, and its day in the zone of the source.

    Where ``is_day``, the record states no time: the moment is the midnight in UTC that begins the stated day.
    """

    moment: datetime
    day: date
    is_day: bool


def read_date(value: object, zone: ZoneInfo, formats: Sequence[str] = ()) -> Stated | None:
    """Read a date: of ISO 8601, ``20240701001500``, ``1 July 2024`` or ``July 1, 2024``, or with an English month.

    Behind a month and a time may be *am* or *pm* and a zone: an offset, or a name that means one offset. The date may
    be epoch seconds, milliseconds or microseconds, as number or digits, and a date or datetime, as Parquet has them. A
    missing or blank value gives None. ``zone`` is of times that state none, and of the day. If strptime formats of
    texts are given, these are tried in order, and no other form, as a text can be valid in two; ``auto`` among them is
    any form.

    Raises:
        ValueError: the value is not a date, leaves open which number is the month or what zone is meant, or stands for
            a missing one (*1970-01-01*).
        OverflowError: the date lies outside the years 1 to 9999.

    >>> read_date("2024-07-01T00:30", ZoneInfo("Europe/London"))[:2]
    (datetime.datetime(2024, 6, 30, 23, 30, tzinfo=datetime.timezone.utc), datetime.date(2024, 7, 1))
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    found = _read(value, formats)
    if found in (_EPOCH_START, _EPOCH_START.date(), _EPOCH_START.replace(tzinfo=None)):
        raise ValueError("the beginning of computers' time, which stands for a missing date")
    if not isinstance(found, datetime):
        return Stated(datetime.combine(found, time.min, UTC), found, True)
    moment = (found if found.tzinfo else found.replace(tzinfo=zone)).astimezone(UTC)
    return Stated(moment, moment.astimezone(zone).date(), False)


def _read(value: object, formats: Sequence[str]) -> date | datetime:
    if isinstance(value, date):  # a datetime is one too
        return value
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(f"a {type(value).__name__} is no date")
    text = str(value).strip()
    if formats and isinstance(value, str):
        return _by_format(text, formats)
    digits = text.removesuffix(".0")
    if len(digits) in _COMPACT and digits.isascii() and digits.isdecimal():
        try:
            return _by_format(digits, [_COMPACT[len(digits)]])
        except ValueError:
            if isinstance(value, str):
                raise
    if not isinstance(value, str) or _EPOCH.fullmatch(text):
        size = abs(number := float(value))
        if size < _LEAST_EPOCH:
            raise ValueError("a number that is no date")
        unit = "seconds" if size < _MILLISECONDS_FROM else "milliseconds"
        return _EPOCH_START + timedelta(**{"microseconds" if size >= _MICROSECONDS_FROM else unit: number})
    with suppress(ValueError):  # the commonest forms first
        return date.fromisoformat(text) if len(text) <= len("2024-07-01") else datetime.fromisoformat(text)
    if _MAIL.fullmatch(text):
        return parsedate_to_datetime(text)
    if _WORDS.match(text):
        return _by_words(text)
    if _UNORDERED.fullmatch(text):
        raise ValueError("is the month first, or the day? State date_format, such as '%d/%m/%Y'")
    return datetime.fromisoformat(text)


def _by_words(text: str) -> date | datetime:
    plain = _BEFORE_OFFSET.sub("", _COMMENT.sub("", text))
    read: list[datetime] = [parser.parse(plain, default=default, tzinfos=_offset) for default in _UNSTATED]
    found, other = read
    if found.date() != other.date():
        raise ValueError("it lacks its day, month or year")
    return found if found.hour == other.hour else found.date()


def _offset(name: str | None, seconds: int | None) -> int | None:
    """Seconds of a zone east of UTC; its offset before its name, which may be ambiguous. None: no zone is stated."""
    if seconds is not None or name is None:
        return seconds
    if name not in _ZONES:
        raise ValueError(f"no zone of one offset is named {name}; state it as +01:00")
    return 3600 * _ZONES[name]


def _by_format(text: str, formats: Sequence[str]) -> date | datetime:
    for each in formats:
        with suppress(ValueError):
            if each == "auto":  # any form that is recognised
                return _read(text, ())
            found = datetime.strptime(text, each)
            return found if any(f"%{time}" in each for time in "HIXc") else found.date()
    raise ValueError(f"not in the form {' or '.join(map(repr, formats))}")
