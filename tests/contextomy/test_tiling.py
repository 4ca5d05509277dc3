"""Tiling: each letter once, longest first, and the one-pass lengths it rests on equal the slow way."""

from hypothesis import given
from hypothesis import strategies as st

from quotelake.contextomy.ngrams import best_pair, common_subsequence, found_bits, ngrams
from quotelake.contextomy.tiling import Block, common_lengths, covered, inversions, tile

texts = st.text("abc", max_size=14)


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
    own = "".join("\1" if covered(blocks) >> place & 1 else letter for place, letter in enumerate(pattern))
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


@given(texts, texts)
def test_common_subsequence_equals_the_table(pattern: str, text: str):
    row = [0] * (len(text) + 1)
    for letter in pattern:
        diagonal = 0
        for place, other in enumerate(text, 1):
            diagonal, row[place] = row[place], diagonal + 1 if letter == other else max(row[place], row[place - 1])
    assert common_subsequence(pattern, text) == row[-1]


def test_many_ngrams_are_found_as_few_are():
    letters = "".join(chr(0x4E00 + place) for place in range(600))
    assert found_bits(ngrams(letters, 3), letters[100:]).bit_count() == 498
