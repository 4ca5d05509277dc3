"""Scores of best-worst scaling and their reliability, against annotators whose minds are known."""

import numpy as np

from quotelab.annotation.command import design
from quotelab.protocols.bws import Choice, Tally, split_half


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
