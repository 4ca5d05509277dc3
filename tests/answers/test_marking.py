"""Marks cover the text exactly once, say what the evidence says, and no character of a text can act."""

import re
import unicodedata
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.growth import assert_linear

from quotelake.answers.marking import (
    MARGIN,
    mark,
    mark_body_quote,
    mark_headline_quote,
    passage_in_whole_words,
    text_around,
    widen_to_sentences,
)
from quotelake.text.words import visible

TEXTS = st.text("abcé “”.,?'\n한국어다 not if", max_size=60)
SPANS = st.lists(st.tuples(st.integers(-3, 70), st.integers(-3, 70)), max_size=4).map(sorted)


def marked(pieces: list[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for text, name in pieces:
        if name:
            found.setdefault(name, []).append(text)
    return found


def shown_passage(passage: str, passage_start: int, start: int, end: int) -> str:
    row = {"passage": passage, "passage_start": passage_start, "best_start": start, "best_end": end}
    outside = row | {"best_start": None, "best_end": None, "body_start": start, "body_end": end}
    shown = passage_in_whole_words(row)
    assert shown == passage_in_whole_words(outside), "words outside quotes are placed alike"
    return shown or ""


@given(TEXTS, SPANS, TEXTS, TEXTS)
def test_pieces_are_the_text_and_neighbours_differ(text: str, spans: list[tuple[int, int]], best: str, second: str):
    for pieces in (
        mark(text, [("found", spans), ("missing", spans[:1])]),
        mark_headline_quote(text, spans, best, second),
        mark_body_quote(text, best, spans, ["not", "한국어", best[:3], "("]),
    ):
        assert "".join(piece for piece, _ in pieces) == text and all(piece for piece, _ in pieces)
        assert all(before != after for (_, before), (_, after) in pairwise(pieces))


def test_words_of_neither_quote_are_missing_and_those_of_the_second_are_told_apart():
    pieces = mark_headline_quote("The harbour pays, the farmers sleep", [(0, 11)], "The harbour is old", "Farmers work")
    assert marked(pieces) == {"found": ["The harbour", "the"], "second": ["farmers"], "missing": ["pays", "sleep"]}
    # A run of n-grams may end inside a word: *bridges* is not *bridge*.
    assert marked(mark_headline_quote("new bridges", [(0, 10)], "new bridge", None))["missing"] == ["bridges"]


@pytest.mark.parametrize(
    ("text", "excerpt", "left", "said", "risky"),
    [
        ("We won't sell the mill", "sell the mill", [(0, 8)], "won't", ["won't"]),
        ("We won't sell", "We sell", (), "'t", ["won't"]),  # a whole word
        ("I am not here; we do not march", "we march", [(0, 13), (17, 23)], "do not", ["do not"]),
        ("If we march, we sell", "we march", [(0, 2), (13, 20)], "we sell", ["we sell"]),
        ("We may march, or may not", "We may march", [(12, 24)], "may", ["may"]),  # left out, not kept
        ("It is\n certain to fail", "certain", [(0, 5)], "It is certain", ["It is\n certain"]),
        ("Theatre", "the", (), "the", []),
        ("우리는 공장을 팔지 않겠다", "우리는 공장을", [(8, 14)], "않겠다", ["않겠다"]),
        ("We sell", "We sell", (), "", []),
    ],
)
def test_the_words_in_which_the_two_differ_are_shown(
    text: str, excerpt: str, left: list[tuple[int, int]], said: str, risky: list[str]
):
    pieces = mark_body_quote(text, excerpt, left, [said])
    assert marked(pieces).get("risky", []) == risky
    if said == "may":
        assert pieces[-2] == ("may", "risky"), "in the part that is left out"


ORDINARY = "“Été” – 한국어, العربية, עברית, हिन्दी, 👩\u200d🚒\n\tnext"


@given(st.text())
@example(ORDINARY)
def test_nothing_that_acts_is_left_and_ordinary_text_of_any_script_stays(text: str):
    shown = visible(text)
    assert not any(
        unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") for character in shown if character not in "\n\t"
    )
    assert not set(shown) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    shown.encode("utf-8")
    assert visible(shown) == shown and visible(ORDINARY) == ORDINARY
    assert visible("a\r\nb\rc") == "a\nb\nc"


def test_a_quote_of_a_megabyte_is_marked_in_linear_time():
    def work(sentences: int) -> Callable[[], object]:
        text = "We never sold the mill. If it burns, we go. " * sentences
        spans = [(start, start + 8) for start in range(0, len(text) - 44, 44)]
        return lambda: (
            mark_body_quote(text, "we go", spans[: sentences // 10], ["never", "If it burns"]),
            mark_headline_quote(text[:sentences], spans[: sentences // 50], text, None),
        )

    assert_linear(work, 2_000)


@pytest.mark.parametrize(
    "text", ["One.\n\n“We won. All of us,” he said.\n\nTwo.", "“We won. All of us,” he said. Two."]
)
def test_a_quote_of_several_sentences_has_all_of_them(text: str):
    start = text.index("We won")
    first, last = widen_to_sentences(text, (start, start + len("We won. All of us,")))
    assert text[first:last] == "“We won. All of us,” he said."


WORDS = st.lists(st.text("abcé한.”", min_size=1, max_size=12), min_size=1, max_size=8)
#: None, or more than the margin of the view, or about as much.
LONG = st.builds(list.__mul__, WORDS, st.sampled_from([0, 20, 40, 400]))


@given(before=LONG, quote=WORDS, after=LONG)
def test_a_review_s_passage_is_of_whole_words_of_the_body(before: list[str], quote: list[str], after: list[str]):
    body = " ".join([*before, *quote, *after])
    start = len(" ".join([*before, ""]))
    end = start + len(" ".join(quote))
    first = max(start - MARGIN, 0)  # as the view headline_quotes cuts it
    shown = shown_passage(body[first : end + MARGIN], first, start, end)
    assert " ".join(quote) in shown
    kept = shown.removeprefix("… ").removesuffix(" …")
    assert f" {kept} " in f" {body} ", "it begins and ends at spaces of the body"
    assert shown.startswith("… ") == (first > 0)
    assert first > 0 or body.startswith(kept)


@given(st.text("ab ", max_size=120), st.integers(0, 120), st.integers(0, 120), st.booleans(), st.booleans())
def test_nothing_but_ends_that_are_cut_is_left_out(text: str, one: int, other: int, cut_before: bool, cut_after: bool):
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    before, after = text_around(text, (start, end), cut_before=cut_before, cut_after=cut_after)
    assert before.startswith("… ") >= cut_before and after.endswith(" …") >= cut_after
    assert text[:start].endswith(before.removeprefix("… ")) and text[end:].startswith(after.removesuffix(" …"))
    assert cut_before or before == text[:start]
    assert cut_after or after == text[end:]


def test_a_script_without_spaces_is_kept():
    assert re.fullmatch("… 本{900} …", shown_passage("本" * 900, 100, 500, 600))
