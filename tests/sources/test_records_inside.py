"""Pages and lists give each of their records once, at a place of its own, and what is none is said or counted."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sources.reading import Blocks, outcomes, read

from quotelake.sources.rejects import RawRecord

PAGES = [{"data": [{"n": 1}, {"n": 2}]}, {"data": []}, {"meta": 0}, {"data": [{"n": 3}, 4]}, {"data": {"n": 5}}]


def lines(records: list[Any]) -> bytes:
    return b"".join(json.dumps(each).encode() + b"\n" for each in records)


def told(records: list[RawRecord], *names: str) -> list[Any]:
    """Reasons, and fields of records: ``n`` unless others are named."""
    return [
        {name: found[name] for name in names or ("n", "data") if name in found} if isinstance(found, dict) else found
        for _, found in outcomes(records)
    ]


EXPECTED = [{"n": 1}, {"n": 2}, "filtered", "filtered", {"n": 3}, {"data": 4}, "wrong_type"]


def test_the_records_of_pages():
    assert told(read(lines(PAGES), items="data")) == EXPECTED
    assert told(read(json.dumps(PAGES).encode(), "json", items="data")) == EXPECTED
    pretty = json.dumps(PAGES[0], indent=2).encode()
    records = read(b"\xef\xbb\xbf" + pretty, "json", items="data")
    assert ([record.position for record in records], told(records)) == ([0, 1], [{"n": 1}, {"n": 2}])
    assert read(b" \n", "json", items="data") == []
    nested = {"response": {"docs": [{"n": 1}]}}
    assert told(read(lines([nested]), items="response.docs")) == [{"n": 1}]


@pytest.mark.parametrize("most", [1, 3, 1 << 20])
def test_a_page_in_pieces_a_broken_one_and_one_that_is_too_long(most: int):
    page = json.dumps(PAGES[0]).encode()
    assert told(read(Blocks(page, most), "json", items="data")) == [{"n": 1}, {"n": 2}]
    assert told(read(Blocks(b"[" + page + b"]", most), "json", 40, items="data")) == [{"n": 1}, {"n": 2}]
    [broken] = read(Blocks(page, most, breaks=True), "json", items="data")
    assert broken.reason == "broken_file"
    [long] = read(Blocks(page, most), "json", 10, items="data")
    assert (long.reason, f"{len(page)} bytes" in long.detail) == ("oversized", True)
    assert told(read(page + page, "json", items="data")) == ["malformed"]
    assert told(read(lines([PAGES[0]]), limit=10, items="data")) == ["oversized"]


@given(
    st.lists(st.none() | st.lists(st.none() | st.lists(st.integers(0, 9), max_size=3), max_size=4), max_size=5),
    st.integers(1, 200),
)
def test_ranges_of_a_file_give_every_element_once_at_a_place_of_its_own(pages: list[Any], step: int):
    data = lines([{"data": None if page is None else [{"of": of} for of in page]} for page in pages])
    whole = read(data, items="data", explode="of")
    assert len({record.position for record in whole}) == len(whole)
    parts = [
        read(data, start=start, end=start + step, items="data", explode="of") for start in range(0, len(data), step)
    ]
    assert [each for part in parts for each in outcomes(part)] == outcomes(whole)
    found = [record.value["of"] for record in whole if record.value]
    assert found == [n for page in pages if page for of in page if of for n in of]


def test_an_element_has_its_own_fields_first_then_those_around_it():
    record = {"id": 1, "title": "T", "quotes": [{"title": "own", "quote": "a"}, {"quote": "b"}, "c"]}
    assert told(read(lines([record]), explode="quotes"), "id", "title", "quote", "quotes", "#") == [
        {"id": 1, "title": "own", "quote": "a", "#": 0},
        {"id": 1, "title": "T", "quote": "b", "#": 1},
        {"id": 1, "title": "T", "quotes": "c", "#": 2},
    ]
    assert told(read(lines([{"quotes": {"a": 1}}, {"quotes": []}, {}]), explode="quotes")) == [
        "wrong_type", "filtered", "filtered",
    ]  # fmt: skip
    [refused, *_] = read(lines([{"quotes": {"a": 1}}]), explode="quotes")
    assert "'quotes', which is explode of the source, is a dict" in refused.detail


def test_a_page_that_cannot_be_read_stays_the_reject_it_is():
    assert told(read(b'{"data": [}\n' + lines(PAGES[:1]), items="data")) == ["malformed", {"n": 1}, {"n": 2}]
