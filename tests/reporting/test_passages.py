"""Passages begin and end with whole words and keep the quote, whatever the text is."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.reporting.marking import MARGIN, body_sentences, passage_of, whole_words


@pytest.mark.parametrize(
    "text", ["One.\n\n“We won. All of us,” he said.\n\nTwo.", "“We won. All of us,” he said. Two."]
)
def test_a_quote_of_several_sentences_has_all_of_them(text: str):
    start = text.index("We won")
    first, last = body_sentences(text, (start, start + len("We won. All of us,")))
    assert text[first:last] == "“We won. All of us,” he said."


words = st.lists(st.text("abcé한.”", min_size=1, max_size=12), min_size=1, max_size=8)
#: None, or more than the margin of the view, or about as much.
long = st.builds(list.__mul__, words, st.sampled_from([0, 20, 40, 400]))


@given(before=long, quote=words, after=long)
def test_a_review_s_passage_is_of_whole_words_of_the_body(before: list[str], quote: list[str], after: list[str]):
    body = " ".join([*before, *quote, *after])
    start = len(" ".join([*before, ""]))
    end = start + len(" ".join(quote))
    first = max(start - MARGIN, 0)  # as the view headline_quotes cuts it
    shown = passage_of(body[first : end + MARGIN], first, (start, end))
    assert " ".join(quote) in shown
    kept = shown.removeprefix("… ").removesuffix(" …")
    assert f" {kept} " in f" {body} ", "it begins and ends at spaces of the body"
    assert shown.startswith("… ") == (first > 0)
    assert first > 0 or body.startswith(kept)


@given(st.text("ab ", max_size=120), st.integers(0, 120), st.integers(0, 120), st.booleans(), st.booleans())
def test_the_quote_is_never_cut(text: str, one: int, other: int, before: bool, after: bool):
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    first, last = whole_words(text, (start, end), cut_before=before, cut_after=after)
    assert 0 <= first <= start <= end <= last <= len(text)
    assert before or first == 0
    assert after or last == len(text)


def test_a_script_without_spaces_is_kept():
    shown = passage_of("本" * 900, 100, (500, 600))
    assert re.fullmatch("… 本{900} …", shown)
