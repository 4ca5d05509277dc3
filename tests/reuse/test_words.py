"""Words of a canonical text, the frozen list of frequent words, and the gates that rest on it."""

from collections.abc import Sequence
from importlib import resources
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from quotelake.quotes.keys import GAP, canonical_text
from quotelake.reuse import words as words_module
from quotelake.reuse.words import (
    COMMON,
    MIN_CONTAINED,
    containable,
    is_common,
    least_contained,
    prefix_length,
    rank,
    tokenize,
)

LISTED = resources.files(words_module.__package__).joinpath("frequent_words.txt").read_text("utf-8").split()
some_words = st.lists(st.sampled_from([*LISTED[:30], *LISTED[COMMON : COMMON + 9], "quay", "heron"]), max_size=24)
quotes = st.lists(
    st.sampled_from(["We", "won't", "…", "...", "[the town]", "[T]ell", "3.5", "–", "!", "말했다"]), max_size=9
)


@given(quotes.map(" ".join))
def test_words_and_gaps_are_all_of_a_canonical_text(quote: str):
    text = canonical_text(quote)
    if text is None:
        return
    found = tokenize(text)
    with_gaps = [f"{GAP} {word}" if at in found.gaps else word for at, word in enumerate(found.words)]
    assert " ".join(with_gaps) == text
    assert GAP not in found.words
    assert all(0 < gap < len(found.words) for gap in found.gaps), "no gap at an end"


def test_each_listed_word_has_a_rank_of_its_own_and_all_others_share_one_above():
    assert [rank(word) for word in [*LISTED, "qwxz", "1.5"]] == [*range(len(LISTED)), len(LISTED), len(LISTED)]
    assert [is_common(LISTED[at]) for at in (0, COMMON - 1, COMMON)] == [True, True, False]


@given(some_words)
def test_a_text_that_contains_another_has_one_of_its_rarest_words_and_that_is_not_common(words: Sequence[str]):
    """What the look-up of containment rests on: whichever words are missing, a posting that exists is met."""
    if not containable(words):
        return
    n = len(words)
    rarest = sorted(range(n), key=lambda at: (-rank(words[at]), at))[: prefix_length(n)]
    assert n >= MIN_CONTAINED
    assert not any(is_common(words[at]) for at in rarest)
    for missing in combinations(range(n), n - least_contained(n)):
        assert not set(rarest) <= set(missing)
