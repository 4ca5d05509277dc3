"""Dates of every form in use, to UTC and a day; anything else is an error, never a guess."""

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.sources.dates import read_date

LONDON = ZoneInfo("Europe/London")
TEN = datetime(2024, 7, 1, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    "value",
    [
        "2024-07-01T11:00:00",  # London's summer time
        *["2024-07-01T10:00:00Z", "2024-07-01 12:00:00+02", "20240701T100000Z", " 2024-07-01 10:00:00 UTC "],
        *["Mon, 1 Jul 2024 10:00:00 GMT", "1 Jul 2024 06:00:00 -0400", "Mon Jul 01 10:00:00 +0000 2024"],
        *["1719828000.0", "1719828000000", "1719828000000000", "20240701110000"],
        *(1_719_828_000, 1_719_828_000_000, 1_719_828_000_000_000, 20240701110000),
        datetime(2024, 7, 1, 11),
        datetime(2024, 7, 1, 12, tzinfo=timezone(timedelta(hours=2))),
    ],
)
def test_every_form_of_one_moment_is_that_moment(value: object):
    assert read_date(value, LONDON) == (TEN, TEN.date(), False)


DAY_FORMS = (
    "%Y-%m-%d", "%Y%m%d", "%d %B %Y", "%B %d, %Y", "%d %b %Y", "%b. %d %Y", "%d/%m/%Y", "date", "number",
)  # fmt: skip


def is_a_date(value: date) -> bool:
    """Whether a day or moment stands for itself: the beginning of computers' time stands for a missing date."""
    return value not in (date(1970, 1, 1), datetime(1970, 1, 1, tzinfo=UTC))


@given(
    st.dates(date(1700, 1, 1), date(2100, 1, 1)).filter(is_a_date),
    st.sampled_from(["Europe/London", "Asia/Seoul", "America/New_York"]),
    st.sampled_from(DAY_FORMS),
)
def test_a_day_stays_the_day_it_is_in_every_zone_and_form(day: date, zone: str, form: str):
    value = {"date": day, "number": int(f"{day:%Y%m%d}")}.get(form, day.strftime(form))
    found = read_date(value, ZoneInfo(zone), ("%Y", "%d/%m/%Y") if "/" in form else ())
    assert found == (datetime(day.year, day.month, day.day, tzinfo=UTC), day, True), "no clock time is invented"


@given(st.datetimes(datetime(1980, 1, 1), datetime(2030, 1, 1)), st.sampled_from(["Asia/Seoul", "America/New_York"]))
def test_the_day_of_a_time_is_that_of_its_zone(local: datetime, zone: str):
    found = read_date(local.isoformat(sep=" "), ZoneInfo(zone))
    assert found is not None and not found.is_day
    assert found.day == found.moment.astimezone(ZoneInfo(zone)).date()
    in_gap = found.moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None) != local
    assert in_gap or found.day == local.date()


def test_no_date_is_none():
    assert [read_date(value, LONDON) for value in (None, "", "  ")] == [None] * 3


WRONG = {
    "State date_format": ["9/5/18", "07/01/2024", "7.1.24", "07/01/2024 10:00"],  # which number is the month?
    "": ["not a date", "2024-13-01", "2024-02-30", "May 2015", "12", "31 Juni 2024", "20241301", "20240701250000",
         True, [], {}, "0001-01-01T00:00:00+14:00", 10**18],
}  # fmt: skip


@pytest.mark.parametrize(("fault", "value"), [(fault, value) for fault, values in WRONG.items() for value in values])
def test_what_is_no_date_or_of_no_year_is_an_error(fault: str, value: object):
    with pytest.raises((ValueError, OverflowError), match=fault):
        read_date(value, LONDON)


def test_declared_formats_are_the_only_ones_and_tried_in_order():
    assert read_date("09/05/18", LONDON, ["%m/%d/%y"]) == (datetime(2018, 9, 5, tzinfo=UTC), date(2018, 9, 5), True)
    both = ["%d/%m/%Y %H:%M", "%d/%m/%Y"]
    assert [read_date(text, LONDON, both).is_day for text in ("09/05/2018 10:00", "09/05/2018")] == [False, True]
    for formats in (both, both[:1]):
        with pytest.raises(ValueError, match="%d/%m/%Y"):
            read_date("2018-09-05", LONDON, formats)


@given(st.datetimes(datetime(1700, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)).filter(is_a_date))
def test_iso_and_epoch_keep_the_moment(moment: datetime):
    assert read_date(moment.isoformat(), LONDON).moment == moment
    whole = moment.replace(microsecond=0)
    if abs(whole.timestamp()) > 1e9:
        assert read_date(int(whole.timestamp()), LONDON).moment == whole


@pytest.mark.parametrize(
    ("value", "utc"),
    [
        ("Fri, 19 Nov 2021 01:45:08 +02:00", "2021-11-18 23:45"),
        ("Mon, 3 Jan 2022 09:00:00 -05:00", "2022-01-03 14:00"),
        ("Sat Nov 18 2017 15:21:41 GMT+0100 (Central European Standard Time)", "2017-11-18 14:21"),
        ("Sat Nov 18 2017 15:21:41 GMT-0800 (PST)", "2017-11-18 23:21"),
        ("Tue Jul 04 2023 08:05:00 UTC+02:00", "2023-07-04 06:05"),
        ("Tue, 08 Oct 2013 18:30:00 CEST", "2013-10-08 16:30"),
        ("Tue, 08 Oct 2013 18:30:00 EDT", "2013-10-08 22:30"),
        ("Nov 27, 2017, 10:19 PM EST", "2017-11-28 03:19"),
        ("November 27, 2017 at 10:19 p.m. EST", "2017-11-28 03:19"),
        ("27 Nov 2017 10:19 pm", "2017-11-27 22:19"),
        ("27 November 2017 12:05 am", "2017-11-27 00:05"),
        ("27 November 2017 12:05 PM", "2017-11-27 12:05"),
        ("Monday, November 27, 2017 10:19 AM PST", "2017-11-27 18:19"),
        ("27-Nov-2017 10:19:33 +0530", "2017-11-27 04:49"),
        ("Mon, 27 Nov 2017 10:19:33 IST", None),
        ("Mon, 27 Nov 2017 10:19:33 BST", None),
        ("Mon, 27 Nov 2017 10:19:33 XYZT", None),
        ("2017-11-27 10:19:33 EST", "2017-11-27 15:19"),
        ("2017-11-27 10:19 PM", "2017-11-27 22:19"),
        ("2017-11-27 10:19:33 +0200", "2017-11-27 08:19"),
        ("2017-11-27T10:19:33.123456+02:00", "2017-11-27 08:19"),
        ("2017-11-27T10:19:33Z", "2017-11-27 10:19"),
        ("Wed Oct 10 20:19:24 +0000 2018", "2018-10-10 20:19"),
        ("Wed Oct 10 20:19:24 EDT 2018", "2018-10-11 00:19"),
        ("Wed Oct 10 20:19:24 2018", "2018-10-10 20:19"),
        ("Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06 08:49"),
        ("0", None),
        ("-1", None),
        (0, None),
        (-1, None),
        ("1970-01-01", None),
        ("1970-01-01T00:00:00Z", None),
        ("Thu, 01 Jan 1970 00:00:00 GMT", None),
        ("May 2024 10:00", None),
        ("10 May 10:00", None),
        ("11:00", None),
        ("10/11/2017 10:19 PM EST", None),
        ("Sept 5, 2020 7:30 PM CDT", "2020-09-06 00:30"),
        ("Sep. 5, 2020 7:30 PM CDT", "2020-09-06 00:30"),
        ("Fri, 31 Dec 2021 23:30:00 -0100", "2022-01-01 00:30"),
        ("Fri, 31 Dec 2021 25:30:00 GMT", None),
        ("Fri, 31 Feb 2021 10:30:00 GMT", None),
        ("1 Jan 2020 00:00:00 MEZ", "2019-12-31 23:00"),
        ("Updated: 5 May 2020 10:00 AM EST", None),
        ("5 May 2020 10:00 (updated 6 May 2020 11:00)", None),
    ],
)
def test_a_time_with_its_zone_is_the_stated_moment_or_an_error(value: object, utc: str | None):
    if utc is None:
        with pytest.raises((ValueError, OverflowError)):
            read_date(value, ZoneInfo("UTC"))
    else:
        found = read_date(value, ZoneInfo("UTC"))
        assert found is not None and f"{found.moment:%Y-%m-%d %H:%M}" == utc


@given(
    st.datetimes(datetime(1980, 1, 1), datetime(2030, 1, 1)),
    st.sampled_from(["%d %b %Y %I:%M %p", "%B %d, %Y %H:%M", "%a %b %d %H:%M:00 %Y", "%Y-%m-%d %I:%M %p"]),
    st.integers(-11, 13),
)
def test_the_offset_behind_a_time_is_never_lost(local: datetime, form: str, hours: int):
    local = local.replace(second=0, microsecond=0)
    text = (
        f"{local.strftime(form)} {hours:+03}:00"
        if not form.endswith("%Y")
        else f"{local:%a, %d %b %Y %H:%M:00} {hours:+03}:00"
    )
    found = read_date(text, LONDON)
    assert found is not None and found.moment == (local - timedelta(hours=hours)).replace(tzinfo=UTC)


def test_auto_in_a_list_of_formats_is_any_form():
    formats = ["%d/%m/%Y", "auto"]
    assert read_date("09/05/2018", LONDON, formats).day == date(2018, 5, 9)
    assert read_date("2018-05-09T10:00:00Z", LONDON, formats).day == date(2018, 5, 9)
    with pytest.raises(ValueError, match="auto"):
        read_date("09/05/18", LONDON, formats)
