"""Dates as records write them → UTC, and the day of publication. Pure: the current time is never read."""

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from email.utils import parsedate_to_datetime
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

#: RFC 2822 ("Fri, 1 Mar 2024 10:00:00 GMT") and Twitter's old form ("Wed Oct 10 20:19:24 +0000 2018"): both have an
#: English month and a time of day, so text that only resembles a date does not match.
#: The search may stop at the first month: a time after a later month is also after the first one.
_NAMED_MONTH = re.compile(r"\A(?>.*?\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b).*\d:\d\d", re.DOTALL)
_NAMED_UTC = re.compile(r"(?>(?:(?<!\s)\s++)?)(?:UTC|GMT|Z)$")
#: "1 July 2024", "July 1, 2024" and the same with the month shortened: a day without a time.
_NAMED_DAY = re.compile(r"(?:(\d{1,2}) ([A-Za-z]{3,9})|([A-Za-z]{3,9})\.? (\d{1,2}),?) (\d{4})")
_MONTHS: Final = [f"{datetime(2000, month, 1):%B}".lower() for month in range(1, 13)]
#: "07/01/2024" and "7.1.24": the first of July, or the seventh of January?
_UNORDERED = re.compile(r"\d{1,2}[/.]\d{1,2}[/.]\d{2,4}\b.*", re.DOTALL)
#: Formats of dates written as digits alone, by their number.
_COMPACT: Final = {8: "%Y%m%d", 14: "%Y%m%d%H%M%S"}
_EPOCH_START = datetime(1970, 1, 1, tzinfo=UTC)
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
    """Read a date: of ISO 8601, RFC 2822, Twitter's form, ``20240701001500``, ``1 July 2024`` or ``July 1, 2024``.

    It may be epoch seconds, milliseconds or microseconds, as number or digits, and a date or datetime, as Parquet has
    them. A missing or blank value gives None. ``zone`` is of times that state none, and of the day. If strptime formats
    of texts are given, these are tried in order, and no other form: a text can be valid in two.

    Raises:
        ValueError: the value is not a date, or leaves open which number is the month.
        OverflowError: the date lies outside the years 1 to 9999.

    >>> read_date("2024-07-01T00:30", ZoneInfo("Europe/London"))[:2]
    (datetime.datetime(2024, 6, 30, 23, 30, tzinfo=datetime.timezone.utc), datetime.date(2024, 7, 1))
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    found = _read(value, formats)
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
        unit = "seconds" if size < _MILLISECONDS_FROM else "milliseconds"
        return _EPOCH_START + timedelta(**{"microseconds" if size >= _MICROSECONDS_FROM else unit: number})
    with suppress(ValueError):  # the commonest forms first
        return date.fromisoformat(text) if len(text) <= len("2024-07-01") else datetime.fromisoformat(text)
    if _NAMED_MONTH.search(text):
        return parsedate_to_datetime(text)
    if named := _NAMED_DAY.fullmatch(text):
        word = (named[2] or named[3]).lower()
        month = next((number for number, name in enumerate(_MONTHS, 1) if name.startswith(word)), 0)
        return date(int(named[5]), month, int(named[1] or named[4]))
    if _UNORDERED.fullmatch(text):
        raise ValueError("is the month first, or the day? State date_format, such as '%d/%m/%Y'")
    return datetime.fromisoformat(_NAMED_UTC.sub("+00:00", text))


def _by_format(text: str, formats: Sequence[str]) -> date | datetime:
    for each in formats:
        try:
            found = datetime.strptime(text, each)
        except ValueError:
            if len(formats) == 1:
                raise
            continue
        return found if any(f"%{time}" in each for time in "HIXc") else found.date()
    raise ValueError(f"not in the form {' or '.join(map(repr, formats))}")
