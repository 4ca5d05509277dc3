"""A source whose settings are wrong is told by one line that says how far, for what, where, and what to do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.settings import load_settings
from quotelake.sources.rejects import ASKED_FOR, Fault, Problem, Reason, complaint, exceeded

COUNTS = {"records": 4, "rejects": 3, "unread_dates": 0}


def test_the_line_says_source_share_commonest_reason_example_and_what_to_look_at():
    found = Fault("wrong_encoding", "file:/in/a.jsonl", 17, "not UTF-8 at byte 5 of the record", 2)
    line = complaint("bbc", "rejects", COUNTS, found, load_settings())
    for part in (
        "bbc: 3 of 4 records were rejected (75%, more than the 20% of reject_share)", "wrong_encoding (2)",
        "17 of file:/in/a.jsonl: not UTF-8 at byte 5", "sources.bbc.encoding",
    ):  # fmt: skip
        assert part in line
    assert "\n" not in line


#: Nothing that settings would mend.
OTHERS = {Reason.SET_ASIDE, Reason.FILTERED, Problem.NOT_A_NUMBER, Problem.HEADLINES_DIFFER}


@pytest.mark.parametrize("reason", sorted({*Reason, *Problem} - ASKED_FOR - OTHERS))
def test_every_reason_has_something_to_look_at(reason: str):
    assert "Look at " in complaint("bbc", "rejects", COUNTS, Fault(reason, "f", 0, "x"), load_settings())


@given(records=st.integers(1, 50), bad=st.integers(0, 50), percent=st.integers(0, 100))
def test_a_source_exceeds_its_share_where_more_than_that_part_of_its_records_is_bad(
    records: int, bad: int, percent: int
):
    settings = load_settings(overrides=[f"ingest.reject_share={percent / 100}"])
    for what in ("rejects", "unread_dates"):
        counts = {"records": records, "rejects": 0, "unread_dates": 0, what: min(bad, records)}
        assert (exceeded("bbc", counts, settings) == [what]) == (min(bad, records) / records > percent / 100)


@pytest.mark.parametrize(
    ("source", "over", "expected"),
    [
        ("bbc", {"rejects_asked_for": 3}, []),  # what was asked for is no fault
        ("bbc", {"rejects_asked_for": 2}, ["rejects"]),
        ("bbc", {"records": 5, "rejects": 1}, []),  # the share itself is allowed
        ("us_news", {}, []),  # a source may have a share of its own
        ("bbc", {"records": 100, "filtered": 92, "rejects": 2}, ["rejects"]),  # what is filtered makes none smaller
    ],
)
def test_what_exceeds_a_share(source: str, over: dict[str, int], expected: list[str]):
    settings = load_settings(overrides=["sources.us_news.reject_share=0.8"])
    assert exceeded(source, COUNTS | over, settings) == expected
    if "filtered" in over:
        assert "2 of 8 records were rejected (25%" in complaint(source, "rejects", COUNTS | over, None, settings)
