"""What the product says of fixed texts: unchanged, or changed with the number of its part raised."""

import json
from functools import cache
from typing import Any

import pytest
from tests.golden import record
from tests.golden.corpora import DATA, Document, corpus
from tests.golden.outputs import PARTS, digest_of

from quotelake.nightly.versions import NUMBERS

_RECORDED: dict[str, Any] = json.loads(record.RECORDED.read_text("utf-8"))


@cache
def documents(name: str) -> list[Document]:
    """A corpus, read once for all parts."""
    if name in ("articles", "tweets") and not DATA.exists():
        pytest.skip("the real corpora are not on this machine (QUOTELAKE_DATA says where to look)")
    return corpus(name)


@pytest.mark.parametrize("name", record.CORPORA)
@pytest.mark.parametrize("part", PARTS)
def test_output_is_what_was_recorded_under_the_number_of_its_part(part: str, name: str):
    entry = _RECORDED["parts"][part]
    now = {"number": NUMBERS[part], "output": {**entry["output"], name: digest_of(part, documents(name))}}
    assert now == entry, (
        "; ".join(record.faults(_RECORDED, {"names": record.names(), "parts": {**_RECORDED["parts"], part: now}}))
        or "record it: python -m tests.golden.record"
    )


def test_versions_keep_their_names_while_the_numbers_stay():
    assert record.names() == _RECORDED["names"], record.ACTIVATE


def test_no_column_changes_its_type_under_the_name_that_older_lakes_have():
    """Protects: numbers written into a column of truth values became 1, and pairs of quotes were missed."""
    assert {**_RECORDED["types"], **record.types()} == _RECORDED["types"], (
        "; ".join(record.faults(_RECORDED, {"parts": {}, "types": record.types()}))
        or "record it: python -m tests.golden.record"
    )
    [fault] = record.faults(_RECORDED, {"parts": {}, "types": {"variant_postings.prefix": "INT"}})
    assert "BOOLEAN" in fault


@pytest.mark.parametrize(
    ("number", "output", "names", "said"),
    [
        (2, "a", "x", ""),
        (2, "b", "x", "quotes says something else"),
        (3, "a", "y", "the number of quotes was raised from 2"),
        (3, "b", "y", ""),
        (2, "a", "y", ""),
    ],
)
def test_output_and_number_change_together(number: int, output: str, names: str, said: str):
    before = {"names": "x", "parts": {"quotes": {"number": 2, "output": "a"}}}
    found = record.faults(before, {"names": names, "parts": {"quotes": {"number": number, "output": output}}})
    assert said in "; ".join(found) and bool(found) == bool(said)
