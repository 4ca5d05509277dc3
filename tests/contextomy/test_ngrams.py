"""What stands in a stretch of a text in order: exact, never lost by more text, blind to what is far apart."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq
from tests.growth import assert_linear

from quotelake.contextomy.ngrams import SHORTEST_STRETCH, in_order

letters = st.text("abcd", min_size=1, max_size=12)
texts = st.lists(st.text("abcd", max_size=60), max_size=5)


@given(letters, texts, st.text("abcd", max_size=40), st.integers(1, 3))
def test_more_text_and_another_text_never_lower_it(own: str, those: list[str], more: str, size: int):
    before = in_order(own, those, size)
    assert 0 <= before <= in_order(own, [*those, more], size) <= 1
    if those:
        assert in_order(own, [*those[:-1], those[-1] + more], size) >= before


@given(letters, st.lists(st.text("abcd", max_size=SHORTEST_STRETCH), min_size=1, max_size=4))
def test_in_short_texts_it_is_the_longest_common_subsequence(own: str, those: list[str]):
    """Texts are passed over that cannot win: none that could."""
    assert in_order(own, those, 1) == max(LCSseq.similarity(own, text) for text in those) / len(own)


def test_what_stands_far_apart_is_not_in_order():
    assert in_order("abcd", ["ab" + "x" * 6 + "cd"], 1) == 1.0
    assert in_order("abcd", ["ab" + "x" * 60 + "cd"], 1) == 0.5


@pytest.mark.parametrize("before", range(40))
def test_every_part_of_a_text_is_looked_at(before: int):
    assert in_order("abcd", ["x" * before + "abcd"], 1) == 1.0


@pytest.mark.parametrize(("text", "expected"), [("abcxbcd", 1.0), ("bcdxabc", 0.5), ("abxcd", 0.0)])
def test_n_grams_are_what_must_stand_there(text: str, expected: float):
    assert in_order("abcd", [text], 3) == expected


@pytest.mark.slow
@pytest.mark.parametrize(("letters", "text"), [("a", "a"), ("abc", "ba"), ("abcdefgh" * 20, "hgfedcba")])
def test_time_grows_with_the_length_of_a_text_not_with_its_square(letters: str, text: str):
    def work(length: int) -> Callable[[], float]:
        long = text * (length // len(text))
        return lambda: in_order(letters, [long], 1)

    assert_linear(work, 20_000)
