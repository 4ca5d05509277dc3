"""Containment: how much of a headline quote stands where."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.contextomy import ngrams
from quotelake.contextomy.containment import Containment, containment, parts
from quotelake.contextomy.ngrams import ngram_size
from quotelake.text.fold import fold, letter_spans

TEXT = st.text(st.sampled_from("abcde ,’한국어가"), max_size=40)


def hold(text: str, quotes: list[str], body: str | None = None, best: int | None = None) -> Containment:
    whole = " ".join(quotes) if body is None else body
    return containment(text, [fold(quote) for quote in quotes], lambda: fold(whole), best)


def by_definition(text: str, other: str) -> float:
    """Share of n-grams of one text found among those of another, the slow way."""
    letters, others = fold(text).letters, fold(other).letters
    size = min(ngram_size(letters), len(letters))
    grams = [letters[i : i + size] for i in range(len(letters) - size + 1)] if letters else []
    theirs = [others[i : i + size] for i in range(len(others) - size + 1)]
    return sum(gram in theirs for gram in grams) / len(grams) if grams else 0.0


@given(TEXT, st.lists(TEXT, min_size=1, max_size=4))
def test_best_is_the_highest_containment_by_definition(text: str, quotes: list[str]):
    found = hold(text, quotes)
    shares = [by_definition(text, quote) for quote in quotes]
    assert found.in_best == max(shares)
    assert found.best == shares.index(max(shares))


@given(TEXT, st.lists(TEXT, min_size=1, max_size=4))
def test_second_adds_most_and_the_union_holds_both(text: str, quotes: list[str]):
    found = hold(text, quotes)
    assert found.in_best is not None and found.in_union is not None
    assert max(found.in_best, found.in_second or 0) <= found.in_union <= found.in_best + (found.in_second or 0) + 1e-12
    assert (found.second is None) == (found.in_union == found.in_best) == (found.in_second is None)
    others = [hold(text, [quotes[found.best or 0], other]).in_union for other in quotes]
    assert all(found.in_union >= (other or 0) for other in others)


@given(TEXT, st.lists(TEXT, max_size=4), TEXT)
def test_one_more_quote_takes_nothing_away(text: str, quotes: list[str], more: str):
    assert (hold(text, [*quotes, more]).in_best or 0) >= (hold(text, quotes).in_best or 0)


@given(TEXT, TEXT)
def test_matched_is_what_ngrams_of_the_best_quote_cover(text: str, quote: str):
    found = hold(text, [quote])
    letters, spans = fold(text).letters, letter_spans(text)
    size = min(ngram_size(letters), len(letters))
    places = [i for i in range(len(letters) - size + 1) if letters and letters[i : i + size] in fold(quote).letters]
    covered = {spans[i + k] for i in places for k in range(size)}
    inside = {span for span in spans if any(start <= span[0] and span[1] <= end for start, end in found.matched)}
    assert inside == covered
    for (_, end), (start, _) in pairwise(found.matched):
        assert fold(text[end:start]).letters, "runs with nothing between them are one"
    assert all({start, end} <= {edge for span in covered for edge in span} for start, end in found.matched)


def test_one_word_is_not_made_from_two_quotes():
    assert hold("unmistakeable", ["unmistak", "takeable"]).second is None
    assert hold("unmistake able", ["unmistak", "takeable"]).second == 1


def test_many_ngrams_are_found_as_few_are(monkeypatch: pytest.MonkeyPatch):
    text, quotes = "we shall never close the mill, not today", ["we shall never sell", "the mill will close today"]
    one_by_one = hold(text, quotes)
    monkeypatch.setattr(ngrams, "_SEARCHED", 0)
    assert hold(text, quotes) == one_by_one


def test_offsets_are_of_the_raw_text():
    found = hold("“Ça” ne va pas, dit-elle", ["ne va pas"])
    assert [("“Ça” ne va pas, dit-elle"[start:end]) for start, end in found.matched] == ["ne va pas"]


@pytest.mark.parametrize(
    ("text", "quotes", "expected"),
    [
        ("No", ["No way"], 1.0),
        ("No", ["Yes"], 0.0),
        ("", ["Yes"], 0.0),
        ("…", ["…"], 0.0),
        ("간다", ["우리는 간다"], 1.0),
    ],
)
def test_short_texts_fall_back_to_what_they_have(text: str, quotes: list[str], expected: float):
    assert hold(text, quotes).in_best == expected


def test_without_body_quotes_only_the_body_counts():
    found = hold("the mill", [], "They sold the mill.")
    assert (found.best, found.in_best, found.in_union, found.in_body, found.matched) == (None, None, None, 1.0, ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We lost", ["welost"]),
        ("We lost … and won", ["welost", "andwon"]),
        ("We lost [...] and . . . won", ["welost", "and", "won"]),
        ("… we lost...", ["welost"]),
        ("It cost $1.5 million", ["itcost1.5million"]),
        ("...", []),
    ],
)
def test_an_ellipsis_separates_parts(text: str, expected: list[str]):
    assert [part.letters for part in parts(text)] == expected
