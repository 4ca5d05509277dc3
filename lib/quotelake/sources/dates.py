"""Dates as records write them → UTC. Pure: the current time is never read."""

import re
from datetime import UTC, date, datetime, time, timedelta
from email.utils import parsedate_to_datetime
from zoneinfo import ZoneInfo

#: RFC 2822 ("Fri, 1 Mar 2024 10:00:00 GMT") and Twitter's old form ("Wed Oct 10 20:19:24 +0000 2018"): both have an
#: English month and a time of day, so text that only resembles a date does not match.
#: The search may stop at the first month: a time after a later month is also after the first one.
_NAMED_MONTH = re.compile(r"\A(?>.*?\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b).*\d:\d\d", re.DOTALL)
_NAMED_UTC = re.compile(r"(?:(?<!\s)\s++)?+(?:UTC|GMT|Z)$")
_EPOCH_START = datetime(1970, 1, 1, tzinfo=UTC)
#: Seconds or milliseconds since 1970; shorter runs of digits are dates such as 20240301.
_EPOCH = re.compile(r"-?\d{9,13}(?:\.\d+)?")
#: Numbers from here on are milliseconds since 1970: read as seconds, this one would be the year 5138.
_MILLISECONDS_FROM = 1e11


def to_utc(value: object, zone: ZoneInfo, date_format: str | None = None) -> datetime | None:
    """Read a date as an aware datetime in UTC. A missing, null or blank value gives None.

    Args:
        value: text in ISO 8601, RFC 2822 or Twitter's form; epoch seconds or milliseconds, as number or digits; a
            date or datetime, as Parquet gives them. A date without a time is midnight.
        zone: zone of dates that state none.
        date_format: strptime format of texts; if given, no other form is tried, because a text can be valid in two.

    Raises:
        ValueError: the value is not a date.
        OverflowError: the date lies outside the years 1 to 9999.

    >>> to_utc("2024-07-01", ZoneInfo("Europe/London")).isoformat()
    '2024-06-30T23:00:00+00:00'
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    found = _read(value, date_format)
    return (found if found.tzinfo else found.replace(tzinfo=zone)).astimezone(UTC)


def _read(value: object, date_format: str | None) -> datetime:
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime.combine(value, time.min)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(f"a {type(value).__name__} is no date")
    text = str(value).strip()
    if date_format is not None and isinstance(value, str):
        return datetime.strptime(text, date_format)
    if not isinstance(value, str) or _EPOCH.fullmatch(text):
        number = float(value)
        unit = "milliseconds" if abs(number) >= _MILLISECONDS_FROM else "seconds"
        return _EPOCH_START + timedelta(**{unit: number})
    if _NAMED_MONTH.search(text):
        return parsedate_to_datetime(text)
    return datetime.fromisoformat(_NAMED_UTC.sub("+00:00", text))
