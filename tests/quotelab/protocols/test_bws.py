"""Scores of best-worst scaling and their reliability, against annotators whose minds are known."""

from collections import Counter
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from quotelab.annotation.command import design
from quotelab.protocols.bws import Choice, Tally, read_choices, split_half


def annotated(noise: float, annotators: int = 4, n: int = 80) -> list[Choice]:
    """Choices of annotators who see the number of an item with an error."""
    drawn = np.random.default_rng(1)
    choices = []
    for items in design([f"{number:02}" for number in range(n)]):
        for _ in range(annotators):
            seen = [int(item) / n + drawn.normal(0, noise) for item in items]
            choices.append(Choice(items, items[int(np.argmax(seen))], items[int(np.argmin(seen))]))
    return choices


def test_scores_lie_from_0_to_1_and_rank_as_the_annotators_see():
    tally = Tally(annotated(0.0))
    scores = tally.scores()
    assert scores[0] == 0 and scores[-1] == 1
    assert np.corrcoef(scores, np.arange(80))[0, 1] > 0.95


def test_reliability_falls_with_noise_and_is_the_same_every_time():
    sure, unsure = (split_half(Tally(annotated(noise)), 20) for noise in (0.05, 1.0))
    assert 0.9 < sure.mean() <= 1 and unsure.mean() < 0.5
    assert (sure == split_half(Tally(annotated(0.05)), 20)).all()


def test_the_same_four_items_in_another_order_are_the_same_tuple():
    """Else both choices would be dealt to one half half of the time, and nothing would be left to compare."""
    tally = Tally([Choice(("a", "b", "c", "d"), "a", "d"), Choice(("d", "b", "a", "c"), "a", "d")])
    assert tally.tuples.tolist() == [0, 0]
    assert np.allclose(split_half(tally, 5), 1)


@given(st.integers(4, 60), st.integers(1, 9))
def test_every_item_stands_in_about_as_many_tuples_as_asked(n: int, times: int):
    items = [f"i{number}" for number in range(n)]
    tuples = design(items, times)
    assert all(len(set(each)) == 4 for each in tuples)
    counts = Counter(item for each in tuples for item in each)
    assert all(times - 1 <= counts[item] <= times for item in items)
    assert tuples == design(items, times)


def test_choices_are_read_as_exports_differ(tmp_path: Path):
    rows = ("\ufeffworker;WORSTITEM;bestitem;item1;item2;item3;item4", "1;a;item4;a;b;c; d", "2;;d;a;b;c;d")
    (tmp_path / "a.csv").write_bytes("".join(f"{row}\r\n" for row in rows).encode())
    assert read_choices([tmp_path / "a.csv"]) == ([Choice(("a", "b", "c", "d"), "d", "a")], 1)
