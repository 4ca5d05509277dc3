"""A text word by word: what words are compared by."""

from hypothesis import given
from hypothesis import strategies as st

from quotelake.contextomy.passages import find_passages
from quotelake.contextomy.quotes import Body, HeadlineQuote
from quotelake.factuality.reading import Reading

#: Words whose keys are made: decades, numbers of several words, shares, negations, names with digits.
MADE = [
    "the nineties",
    "1990s",
    "thirty thousand",
    "twenty-first",
    "half of it",
    "won't",
    "no doubt",
    "Covid-19",
    "No. 4",
    "5 %",
    "old pier",
]
TEXTS = st.lists(st.sampled_from(MADE) | st.text(max_size=12), max_size=12).map(" ".join)


@given(TEXTS, TEXTS)
def test_keys_are_joined_by_spaces_that_none_of_them_has(quote: str, body: str):
    reading = Reading(body)
    assert reading.joined.split(" ")[1:-1] == (reading.keys or [""])
    for passage in (
        near.passage for near in find_passages(HeadlineQuote(quote, None), Body(body, "complete", ())).near
    ):
        assert passage.last < len(passage.reading.tokens)
