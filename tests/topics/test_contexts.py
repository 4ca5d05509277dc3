"""Contexts hold the quote, keep to their budget, and masking removes the quote and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.text.words import WORD, count_words
from quotelake.topics.contexts import cut_contexts, mask, word_starts

ARTICLE = "Before it all.\n\nThe day came.\n\nShe said so. He agreed.\n\nThe night fell.\n\nAfter it all."
LONG = "He said: " + "word " * 300 + "and left early today."


@pytest.mark.parametrize(
    ("body", "quoted", "max_words", "expected"),
    [
        (ARTICLE, "said so", 120, "The day came.\n\nShe said so. He agreed.\n\nThe night fell."),
        (ARTICLE, "Before", 120, "Before it all.\n\nThe day came."),  # the first paragraph has one side only
        (ARTICLE, "After", 120, "The night fell.\n\nAfter it all."),  # as has the last
        (ARTICLE, "said so", 4, "came.\n\nShe said so. He agreed"),  # both sides share the budget
        (ARTICLE, "Before", 3, "Before it all.\n\nThe"),  # a short side leaves its rest to the other
        (LONG, "word " * 300, 120, LONG),  # the quote itself does not use the budget
    ],
)
def test_context_is_the_paragraph_and_one_on_each_side(body: str, quoted: str, max_words: int, expected: str):
    start = body.index(quoted)
    [(a, b, _)] = cut_contexts(body, [(start, start + len(quoted))], max_words)
    assert body[a:b] == expected


@given(
    st.lists(st.text(alphabet="ab'’ c.\n", max_size=30), min_size=1, max_size=6).map("\n\n".join).filter(bool),
    st.data(),
    st.integers(min_value=0, max_value=12),
)
def test_words_read_once_for_an_article_are_those_read_for_each_quote(body: str, data: st.DataObject, budget: int):
    """The table of words gives what splitting every side of every quote gives, also where a mark cuts a word in two."""
    places = st.integers(0, len(body))
    spans = sorted(tuple(sorted(data.draw(st.tuples(places, places)))) for _ in range(3))
    whole = cut_contexts(body, spans, 10**6)
    for (start, end), context, (low, high, _) in zip(spans, cut_contexts(body, spans, budget), whole, strict=True):
        assert low <= start <= end <= high
        assert context[:2] == shortened(body, start, end, low, high, budget)
        assert context.words_left == count_words(mask(body, start, end, context.start, context.end))


@given(st.text(alphabet="ab'’_1 ,\n“…éª½我"))
def test_words_begin_where_the_pattern_finds_them(text: str):
    assert word_starts(text) == [word.start() for word in WORD.finditer(text)]


def test_an_apostrophe_behind_a_quote_is_no_word():
    assert cut_contexts("Ana’.", [(0, 3)], 1) == [(0, 5, 0)]
    assert cut_contexts("Ana’s.", [(0, 3)], 1) == [(0, 6, 1)], "the rest of a word that the quote cuts in two is one"


def shortened(body: str, start: int, end: int, low: int, high: int, budget: int) -> tuple[int, int]:
    """Cut a context to its budget by splitting both sides of its quote."""
    before = list(WORD.finditer(body, low, start))
    after = list(WORD.finditer(body, end, high))
    if len(before) + len(after) <= budget:
        return low, high
    left = min(len(before), max(budget // 2, budget - len(after)))
    right = min(len(after), budget - left)
    if left < len(before):
        low = before[-left].start() if left else start
    if right < len(after):
        high = after[right - 1].end() if right else end
    return low, high
