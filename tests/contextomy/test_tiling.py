"""Tiling: each letter once, longest first, and the one-pass lengths it rests on equal the slow way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.contextomy.ngrams import best_pair, found_bits, ngrams
from quotelake.contextomy.rich import covered
from quotelake.contextomy.tiling import Block, blocks_of, common_lengths, inversions, tile

texts = st.text("abc", max_size=14)
TEXT = st.text(st.sampled_from("abc dnot. 가나"), max_size=40)


@given(texts, texts)
def test_common_lengths_are_those_of_trying_every_block(pattern: str, text: str):
    slow = [max(n for n in range(len(pattern) - i + 1) if pattern[i : i + n] in text) for i in range(len(pattern))]
    assert common_lengths(pattern, text) == slow


@given(texts, texts)
def test_no_letter_is_used_twice_on_either_side(pattern: str, text: str):
    own, theirs = [], []
    for block in tile(pattern, text):
        assert pattern[block.start : block.end] == text[block.place : block.place + block.length]
        own += range(block.start, block.end)
        theirs += range(block.place, block.place + block.length)
    assert len(set(own)) == len(own) and len(set(theirs)) == len(theirs)


@given(texts, texts)
def test_the_longest_common_block_is_a_tile_and_nothing_of_two_letters_is_left(pattern: str, text: str):
    blocks = tile(pattern, text)
    longest = max(common_lengths(pattern, text), default=0)
    assert max((block.length for block in blocks), default=0) == (longest if longest >= 2 else 0)
    own = "".join("\1" if covered(blocks, 2) >> place & 1 else letter for place, letter in enumerate(pattern))
    taken = {place for block in blocks for place in range(block.place, block.place + block.length)}
    theirs = "".join("\2" if place in taken else letter for place, letter in enumerate(text))
    assert max(common_lengths(own, theirs), default=0) < 2


def test_a_passage_that_moved_is_two_blocks_and_an_inversion():
    blocks = tile("beforeafter", "after-before")
    assert [(block.start, block.length) for block in blocks] == [(0, 6), (6, 5)] and inversions(blocks) == 1


def test_short_blocks_do_not_count_where_longer_ones_are_asked_for():
    assert covered([Block(0, 0, 2), Block(5, 5, 4)], 3).bit_count() == 4


@given(st.lists(st.integers(0, 255), max_size=8))
def test_best_pair_is_that_of_trying_all(bits: list[int]):
    slow = max(((one | other).bit_count() for one in bits for other in bits), default=0)
    assert best_pair(bits) == slow


def test_many_ngrams_are_found_as_few_are():
    letters = "".join(chr(0x4E00 + place) for place in range(600))
    assert found_bits(ngrams(letters, 3), letters[100:]).bit_count() == 498


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
