"""Batches: every text exactly once, at a shape its own length decides."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.embeddings.batching import Batch, by_budget, fixed, ladder

LENGTHS = st.lists(st.integers(0, 300), max_size=200)
BUDGET = st.integers(1, 2000)


def positions(batches: list[Batch]) -> list[int]:
    return sorted(position for batch in batches for position in batch.positions)


@given(LENGTHS, BUDGET)
def test_fixed_takes_every_text_once_into_a_shape_that_holds_it(lengths: list[int], budget: int) -> None:
    shapes = ladder(300, budget)
    batches = list(fixed(lengths, shapes))
    assert positions(batches) == list(range(len(lengths)))
    for batch in batches:
        assert batch.shape in shapes
        assert 0 < len(batch.positions) <= batch.shape.rows
        assert all(lengths[position] <= batch.shape.length for position in batch.positions)


@given(LENGTHS, st.integers(0, 300), BUDGET)
def test_the_shape_of_a_text_is_the_same_alone_and_in_company(others: list[int], length: int, budget: int) -> None:
    shapes = ladder(300, budget)
    (alone,) = fixed([length], shapes)
    (among,) = (batch for batch in fixed([*others, length], shapes) if len(others) in batch.positions)
    assert among.shape == alone.shape


@given(st.integers(1, 2048), BUDGET)
def test_the_ladder_climbs_to_the_maximum_within_the_budget(max_length: int, budget: int) -> None:
    shapes = ladder(max_length, budget)
    lengths = [shape.length for shape in shapes]
    assert lengths == sorted(set(lengths))
    assert lengths[-1] == max_length
    assert all(shape.rows == 1 or shape.rows * shape.length <= budget for shape in shapes)


@given(LENGTHS, BUDGET)
def test_budget_batches_hold_every_text_once_and_keep_the_budget(lengths: list[int], budget: int) -> None:
    batches = list(by_budget(lengths, budget))
    assert positions(batches) == list(range(len(lengths)))
    for batch in batches:
        assert batch.shape.rows == len(batch.positions)
        assert batch.shape.length == max(lengths[position] for position in batch.positions)
        assert batch.shape.rows == 1 or batch.shape.rows * batch.shape.length <= budget


def test_padding_to_fixed_shapes_stays_small_on_lengths_of_real_contexts() -> None:
    # Quantiles of 1,200 contexts of news and tweets, 10,000 texts: the cost that fixed shapes were chosen at.
    lengths = [length for length in (16, 22, 29, 36, 46, 90, 131, 148, 156, 174) for _ in range(1000)]
    computed = sum(batch.shape.rows * batch.shape.length for batch in fixed(lengths, ladder(256, 512)))
    assert computed / sum(lengths) < 1.15


def test_a_text_longer_than_the_last_shape_is_refused_by_number() -> None:
    with pytest.raises(ValueError, match="text 1 has 17 tokens, the longest shape holds 16"):
        list(fixed([3, 17], ladder(16, 64)))


@pytest.mark.parametrize(("max_length", "budget"), [(0, 10), (10, 0)])
def test_a_ladder_without_room_is_refused(max_length: int, budget: int) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        ladder(max_length, budget)
