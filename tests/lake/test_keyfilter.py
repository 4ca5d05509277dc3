"""Key filters: what is in a file is never denied, what is not is rarely affirmed, and damage is seen, not believed."""

import hashlib

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.lake.keyfilter import DamagedFilter, KeyFilter, halves

ids = st.text("0123456789abcdef", min_size=32, max_size=32)
keys = st.lists(ids | st.text(max_size=40), max_size=300)


def digests(prefix: str, count: int) -> list[str]:
    """Ids as the house makes them: random hex."""
    return [hashlib.sha256(f"{prefix}{i}".encode()).hexdigest()[:32] for i in range(count)]


def read_again(made: KeyFilter) -> KeyFilter:
    """Through bytes and back."""
    return KeyFilter.of(np.frombuffer(made.to_bytes(), np.uint8))


@given(keys)
def test_no_key_of_the_file_is_ever_denied(present: list[str]):
    made = read_again(KeyFilter.build(halves(present)))
    assert made.rows == len(present)
    assert made.may_hold(halves(present)).all()


@given(keys, st.integers(0, 300))
def test_a_key_has_the_same_halves_in_any_company(present: list[str], cut: int):
    together = np.array(halves(present))
    apart = np.concatenate([np.array(halves(present[:cut])), np.array(halves(present[cut:]))], axis=1)
    sliced = np.array(halves(pa.array(["x", *present], pa.string())[1:]))
    assert (together == apart).all() and (together == sliced).all()


@pytest.mark.parametrize("from_a_sorted_part", [False, True])
def test_a_key_that_is_not_there_is_affirmed_about_once_in_8000(from_a_sorted_part: bool):
    present, absent = digests("in", 40_000), digests("out", 200_000)
    if from_a_sorted_part:  # the keys of one file of many: all begin alike
        present, absent = ([key for key in ids if key < "20"] for ids in (sorted(present), absent))
    held = KeyFilter.build(halves(present)).may_hold(halves(absent))
    assert 0 < held.sum() * 4_000 < 2 * len(absent), f"{held.sum()} of {len(absent)}"


def test_keys_beyond_those_of_a_file_cost_no_page():
    present = sorted(digests("in", 1_000))
    made = KeyFilter.build(halves(present[100:200]))
    unread = KeyFilter(made.rows, made.low, made.high, np.zeros((0, 4096), np.uint8))
    assert not unread.may_hold(halves(present[:100] + present[200:])).any()


@given(st.data())
def test_damage_is_seen(data: st.DataObject):
    present = digests("in", 500)
    written = bytearray(KeyFilter.build(halves(present)).to_bytes())
    if data.draw(st.booleans(), "cut"):
        written = written[: data.draw(st.integers(0, len(written) - 1), "length")]
    else:
        written[data.draw(st.integers(0, len(written) - 1), "place")] ^= data.draw(st.integers(1, 255), "change")
    with pytest.raises(DamagedFilter):
        KeyFilter.of(np.frombuffer(bytes(written), np.uint8)).may_hold(halves(present))
