"""Dates of every form in use, to UTC; anything else is an error, never a guess."""

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.sources.dates import to_utc

LONDON = ZoneInfo("Europe/London")
TEN = datetime(2024, 7, 1, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    "value",
    [
        "2024-07-01T10:00:00Z",
        "2024-07-01 12:00:00+02",
        "20240701T100000Z",
        " 2024-07-01 10:00:00 UTC ",
        "2024-07-01T11:00:00",  # London's summer time
        "Mon, 1 Jul 2024 10:00:00 GMT",
        "1 Jul 2024 06:00:00 -0400",
        "Mon Jul 01 10:00:00 +0000 2024",
        1_719_828_000,
        1_719_828_000_000,
        "1719828000.0",
        "1719828000000",
        datetime(2024, 7, 1, 11),
        datetime(2024, 7, 1, 12, tzinfo=timezone(timedelta(hours=2))),
    ],
)
def test_every_form_of_one_moment_is_that_moment(value: object):
    assert to_utc(value, LONDON) == TEN


@pytest.mark.parametrize("value", ["2024-07-01", "20240701", date(2024, 7, 1)])
def test_a_day_begins_at_midnight_of_its_zone(value: object):
    assert to_utc(value, LONDON) == datetime(2024, 6, 30, 23, tzinfo=UTC)


@pytest.mark.parametrize("value", [None, "", "  "])
def test_no_date_is_none(value: object):
    assert to_utc(value, LONDON) is None


@pytest.mark.parametrize("value", ["not a date", "9/5/18", "2024-13-01", "2024-02-30", "May 2015", "12", True, [], {}])
def test_what_is_no_date_is_an_error(value: object):
    with pytest.raises(ValueError):
        to_utc(value, LONDON)


def test_a_declared_format_is_the_only_one():
    assert to_utc("09/05/18", LONDON, "%m/%d/%y") == datetime(2018, 9, 4, 23, tzinfo=UTC)
    with pytest.raises(ValueError):
        to_utc("2018-09-05", LONDON, "%m/%d/%y")


def test_a_moment_outside_the_calendar_is_told_apart():
    for value in ("0001-01-01T00:00:00+14:00", 10**18):
        with pytest.raises((OverflowError, ValueError)):
            to_utc(value, LONDON)


@given(st.datetimes(timezones=st.just(UTC), min_value=datetime(1700, 1, 1), max_value=datetime(2100, 1, 1)))
def test_iso_and_epoch_keep_the_moment(moment: datetime):
    assert to_utc(moment.isoformat(), LONDON) == moment
    whole = moment.replace(microsecond=0)
    if abs(whole.timestamp()) > 1e9:
        assert to_utc(int(whole.timestamp()), LONDON) == whole
