"""Wording: what is found is what a comparison with every text finds, and texts that people call the same come first."""

from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.query.wording import GAP, MIN_WORDS, Wordings, count_canonical_words, exchange_costs, fewest_changes

SPEECH = "we will rebuild the bridge by may if the council votes for it"
words = st.sampled_from(["we", "will", "wil", "not", "rebuild", "bridge", "1.5", "1.6", "…", "tomorrow"])


def is_text(parts: list[str]) -> bool:
    return parts[0] != "…" and parts[-1] != "…" and ("…", "…") not in pairwise(parts)


texts = st.lists(words, min_size=1, max_size=9).filter(is_text).map(" ".join)


@pytest.mark.parametrize(
    ("text", "known", "changes", "low", "high"),
    [
        (SPEECH, SPEECH, 0, 1, 1),
        ("rebuild the bridge by may", SPEECH, 0, 0.85, 0.9),  # a part of a known quote
        (SPEECH, "rebuild the bridge by may", 0, 0.85, 0.9),  # a known quote is a part
        ("we will rebuild … if the council votes for it", SPEECH, 0, 0.9, 1),
        (SPEECH, "we will rebuild … if the council votes for it", 0, 0.9, 1),
        ("we will rebuild the bridge and more", "we will … rebuild the bridge", 0, 0.9, 1),
        (SPEECH.replace("council", "parliament"), SPEECH, 1, 0.9, 0.93),
        (SPEECH.replace("council", "councill"), SPEECH, 0.125, 0.98, 1),
        (SPEECH.replace("votes", "voted"), SPEECH, 1, 0.9, 0.93),  # one letter of five is another word
        ("we will not rebuild the bridge", "we will rebuild the bridge", 1, 0.7, 0.8),
        ("it cost 12,000 pounds or more", "it cost 13,000 pounds or more", 1, 0.8, 0.85),  # numbers are never alike
        (SPEECH, "nobody knows what the weather will be", None, 0, 0.3),
    ],
)
def test_changed_words_cost_and_parts_do_not(text: str, known: str, changes: float | None, low: float, high: float):
    [near] = Wordings([known]).measure(text, [0])
    assert low <= near.wording <= high
    assert changes is None or near.changes == changes


@given(texts, st.lists(texts, min_size=1, max_size=12, unique=True), st.sampled_from([0.3, 0.6, 0.8, 1.0]))
def test_all_texts_that_are_near_enough_are_found(text: str, known: list[str], least: float):
    wordings, least_words = Wordings(known), min(MIN_WORDS, count_canonical_words(text))
    long = [place for place, each in enumerate(known) if count_canonical_words(each) >= least_words]
    assert wordings.near(text, least) == [near for near in wordings.measure(text, long) if near.wording >= least]


def searched(shorter: list[str], longer: list[str]) -> float:
    costs = exchange_costs(shorter, longer)

    @cache
    def rest(i: int, j: int) -> float:
        if i == len(shorter):
            return 0
        is_gap = shorter[i] == GAP
        choices = [rest(i + 1, j) + (0 if is_gap else 1)]
        if j < len(longer) and is_gap:
            choices.append(rest(i, j + 1))
        elif j < len(longer):
            choices.append(rest(i + 1, j + 1) + float(costs[i, j]))
            choices.append(rest(i, j + 1) + (0 if longer[j] == GAP else 1))
        return min(choices)

    return min(rest(0, j) for j in range(len(longer) + 1))


some = st.lists(st.sampled_from(["…", "bridge", "council", "councils", "1.5", "1.6"]), min_size=1, max_size=6)


@given(some, some)
def test_changes_are_those_that_a_search_finds(one: list[str], other: list[str]):
    assert fewest_changes(one, other) == pytest.approx(searched(one, other), abs=1e-6)
