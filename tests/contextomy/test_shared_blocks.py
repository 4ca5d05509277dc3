"""The blocks a person would mark: how much of a headline quote, in how many pieces, in which order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.contextomy.shared_blocks import blocks_of

TEXT = st.text(st.sampled_from("abc dnot. 가나"), max_size=40)


def test_what_two_quotes_carry_is_tiled_by_both():
    one = blocks_of("The harbour is closed and the ferry is late", "The harbour is closed", None)
    both = blocks_of("The harbour is closed and the ferry is late", "The harbour is closed", "Sadly the ferry is late")
    assert 0.4 < one.tiled < 0.6 and both.tiled > 0.85
    assert (one.blocks, both.blocks, one.longest_block) == (1, 2, len("theharbourisclosed"))


def test_no_block_reaches_from_one_quote_into_the_other():
    assert blocks_of("closed today", "it is closed", "today it rains").longest_block == len("closed")


@pytest.mark.parametrize(
    ("headline", "body", "differs"),
    [
        ("The ferry is safe to board", "The ferry is not safe to board", True),
        ("The ferry is not safe to board", "The ferry isn’t safe to board", False),
        ("The ferry is safe to board", "The ferry is safe to board. I do not fear it.", False),  # another sentence
        ("배를 띄운다고 했다", "배를 띄운다고 하지 않았다", True),
    ],
)
def test_a_negation_on_one_side_only(headline: str, body: str, differs: bool):
    assert blocks_of(headline, body, None).negation_differs is differs


@given(TEXT, TEXT, TEXT)
def test_figures_stay_in_their_ranges(headline: str, best: str, second: str):
    found = blocks_of(headline, best, second)
    assert 0 <= found.tiled <= 1
    assert found.inversions <= found.blocks * (found.blocks - 1) // 2
    assert (found.longest_block == 0) == (found.blocks == 0)
