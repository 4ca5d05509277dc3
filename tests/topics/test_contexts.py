"""Contexts hold the quote, keep to their budget, and masking removes the quote and nothing else."""

from hypothesis import given
from hypothesis import strategies as st

from quotelake.text import count_words
from quotelake.topics.contexts import MASK, article_contexts, mask

ARTICLE = "Before it all.\n\nThe day came.\n\nShe said so. He agreed.\n\nThe night fell.\n\nAfter it all."
START = ARTICLE.index("said so")
SPAN = (START, START + len("said so"))


def cut(max_words: int = 120) -> str:
    """Context of the quoted span of ARTICLE."""
    [(start, end)] = article_contexts(ARTICLE, [SPAN], max_words)
    return ARTICLE[start:end]


def test_context_is_the_paragraph_and_one_on_each_side():
    assert cut() == "The day came.\n\nShe said so. He agreed.\n\nThe night fell."


def test_first_and_last_paragraph_have_one_side_only():
    last = ARTICLE.index("After")
    contexts = article_contexts(ARTICLE, [(0, 6), (last, last + 5)], 120)
    assert [ARTICLE[a:b] for a, b in contexts] == [
        "Before it all.\n\nThe day came.",
        "The night fell.\n\nAfter it all.",
    ]


def test_budget_is_shared_and_a_short_side_leaves_its_rest_to_the_other():
    assert cut(max_words=4) == "came.\n\nShe said so. He agreed"
    start = ARTICLE.index("Before")
    [(a, b)] = article_contexts(ARTICLE, [(start, start + 6)], 3)
    assert ARTICLE[a:b] == "Before it all.\n\nThe"


def test_the_quote_itself_does_not_use_the_budget():
    body = "He said: " + "word " * 300 + "and left early today."
    [(a, b)] = article_contexts(body, [(9, 9 + 5 * 300)], 120)
    assert (a, b) == (0, len(body))


@given(
    st.lists(st.text(alphabet="ab c.\n", max_size=30), min_size=1, max_size=6).map("\n\n".join),
    st.data(),
    st.integers(min_value=1, max_value=12),
)
def test_any_context_holds_its_quote_and_keeps_the_budget(body: str, data: st.DataObject, budget: int):
    start = data.draw(st.integers(0, len(body)))
    end = data.draw(st.integers(start, len(body)))
    [(a, b)] = article_contexts(body or "a", [(start, end)], budget) if body else [(0, 0)]
    assert a <= start <= end <= b
    masked = mask(body, start, end, a, b)
    assert MASK in masked
    # A cut inside a word may make two words of one, on either side of the mask.
    assert count_words(masked) <= budget + 2
