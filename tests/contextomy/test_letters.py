"""How many letters of a headline quote stand where: containment and its parts."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.contextomy import letters
from quotelake.contextomy.letters import Containment, containment, ngram_size, shared_ngrams
from quotelake.contextomy.quotes import HeadlineQuote, Text
from quotelake.text.fold import fold

TEXT = st.text(st.sampled_from("abcde dnot. ,’한국어가"), max_size=40)


def contained(text: str, quotes: list[str]) -> Containment:
    return containment(Text(text), shared_ngrams(Text(text), [Text(quote) for quote in quotes]))


def by_definition(text: str, other: str) -> float:
    """Share of n-grams of one text found among those of another, the slow way."""
    own, others = fold(text).letters, fold(other).letters
    size = min(ngram_size(own), len(own))
    grams = [own[i : i + size] for i in range(len(own) - size + 1)] if own else []
    theirs = [others[i : i + size] for i in range(len(others) - size + 1)]
    return sum(gram in theirs for gram in grams) / len(grams) if grams else 0.0


@given(TEXT, st.lists(TEXT, min_size=1, max_size=4), TEXT)
def test_the_best_is_the_highest_by_definition_and_the_second_adds_most(text: str, quotes: list[str], more: str):
    found = contained(text, quotes)
    shares = [by_definition(text, quote) for quote in quotes]
    assert found.in_best == max(shares) and found.best == shares.index(max(shares))
    assert found.in_best is not None and found.in_union is not None
    second = 0.0 if found.second is None else shares[found.second]
    assert max(found.in_best, second) <= found.in_union <= found.in_best + second + 1e-12
    assert (found.second is None) == (found.in_union == found.in_best)
    others = [contained(text, [quotes[found.best or 0], other]).in_union for other in quotes]
    assert all(found.in_union >= (other or 0) for other in others)
    assert (contained(text, [*quotes, more]).in_best or 0) >= found.in_best, "one more quote takes nothing away"


@given(TEXT, TEXT)
def test_matched_is_what_ngrams_of_the_best_quote_cover(text: str, quote: str):
    found = contained(text, [quote])
    own, spans = fold(text).letters, fold(text).spans
    size = min(ngram_size(own), len(own))
    places = [i for i in range(len(own) - size + 1) if own and own[i : i + size] in fold(quote).letters]
    covered = {spans[i + k] for i in places for k in range(size)}
    inside = {span for span in spans if any(start <= span[0] and span[1] <= end for start, end in found.matched)}
    assert inside == covered
    for (_, end), (start, _) in pairwise(found.matched):
        assert fold(text[end:start]).letters, "runs with nothing between them are one"
    assert all({start, end} <= {edge for span in covered for edge in span} for start, end in found.matched)


def test_many_ngrams_are_found_as_few_are(monkeypatch: pytest.MonkeyPatch):
    text, quotes = "we shall never close the mill, not today", ["we shall never sell", "the mill will close today"]
    one_by_one = contained(text, quotes)
    monkeypatch.setattr(letters, "_SEARCHED", 0)
    assert contained(text, quotes) == one_by_one


def test_containment_of_special_texts():
    assert contained("unmistakeable", ["unmistak", "takeable"]).second is None, "one word is not made from two quotes"
    assert contained("unmistake able", ["unmistak", "takeable"]).second == 1
    for text, quote, expected in (("No", "No way", 1), ("No", "Yes", 0), ("…", "…", 0), ("간다", "우리는 간다", 1)):
        assert contained(text, [quote]).in_best == expected
    raw = "“Ça” ne va pas, dit-elle"
    assert [raw[start:end] for start, end in contained(raw, ["ne va pas"]).matched] == ["ne va pas"]
    assert contained("the mill", []) == Containment(None, None, None, None, ())


def test_an_ellipsis_separates_parts():
    for text, expected in (
        ("We lost", ["welost"]),
        ("We lost [...] and . . . won", ["welost", "and", "won"]),
        ("… we lost...", ["welost"]),
        ("It cost $1.5 million", ["itcost1.5million"]),
        ("...", []),
    ):
        assert [part.letters for part in HeadlineQuote(text, None).parts] == expected
