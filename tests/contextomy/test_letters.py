"""How many letters of a headline quote stand where: containment, its parts, and blocks."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.contextomy import letters
from quotelake.contextomy.letters import Containment, blocks_of, common_lengths, containment, ngram_size, parts, tile
from quotelake.contextomy.quotes import Text
from quotelake.text.fold import fold, letter_spans

TEXT = st.text(st.sampled_from("abcde dnot. ,’한국어가"), max_size=40)
LETTERS = st.text("abc", max_size=14)


def hold(text: str, quotes: list[str], body: str = "") -> Containment:
    return containment(Text(text), [Text(quote) for quote in quotes], Text(body or " ".join(quotes)))


def by_definition(text: str, other: str) -> float:
    """Share of n-grams of one text found among those of another, the slow way."""
    own, others = fold(text).letters, fold(other).letters
    size = min(ngram_size(own), len(own))
    grams = [own[i : i + size] for i in range(len(own) - size + 1)] if own else []
    theirs = [others[i : i + size] for i in range(len(others) - size + 1)]
    return sum(gram in theirs for gram in grams) / len(grams) if grams else 0.0


@given(TEXT, st.lists(TEXT, min_size=1, max_size=4), TEXT)
def test_the_best_is_the_highest_by_definition_and_the_second_adds_most(text: str, quotes: list[str], more: str):
    found = hold(text, quotes)
    shares = [by_definition(text, quote) for quote in quotes]
    assert found.in_best == max(shares) and found.best == shares.index(max(shares))
    assert found.in_best is not None and found.in_union is not None
    assert max(found.in_best, found.in_second or 0) <= found.in_union <= found.in_best + (found.in_second or 0) + 1e-12
    assert (found.second is None) == (found.in_union == found.in_best) == (found.in_second is None)
    others = [hold(text, [quotes[found.best or 0], other]).in_union for other in quotes]
    assert all(found.in_union >= (other or 0) for other in others)
    assert (hold(text, [*quotes, more]).in_best or 0) >= found.in_best, "one more quote takes nothing away"


@given(TEXT, TEXT)
def test_matched_is_what_ngrams_of_the_best_quote_cover(text: str, quote: str):
    found = hold(text, [quote])
    own, spans = fold(text).letters, letter_spans(text)
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
    one_by_one = hold(text, quotes)
    monkeypatch.setattr(letters, "_SEARCHED", 0)
    assert hold(text, quotes) == one_by_one


def test_containment_of_special_texts():
    assert hold("unmistakeable", ["unmistak", "takeable"]).second is None, "one word is not made from two quotes"
    assert hold("unmistake able", ["unmistak", "takeable"]).second == 1
    for text, quote, expected in (("No", "No way", 1), ("No", "Yes", 0), ("…", "…", 0), ("간다", "우리는 간다", 1)):
        assert hold(text, [quote]).in_best == expected
    raw = "“Ça” ne va pas, dit-elle"
    assert [raw[start:end] for start, end in hold(raw, ["ne va pas"]).matched] == ["ne va pas"]
    none = hold("the mill", [], "They sold the mill.")
    assert (none.best, none.in_best, none.in_union, none.in_body, none.matched) == (None, None, None, 1.0, ())


def test_an_ellipsis_separates_parts():
    for text, expected in (
        ("We lost", ["welost"]),
        ("We lost [...] and . . . won", ["welost", "and", "won"]),
        ("… we lost...", ["welost"]),
        ("It cost $1.5 million", ["itcost1.5million"]),
        ("...", []),
    ):
        assert [part.letters for part in parts(Text(text))] == expected


@given(LETTERS, LETTERS)
def test_blocks_are_the_longest_first_and_use_no_letter_twice(pattern: str, text: str):
    slow = [max(n for n in range(len(pattern) - i + 1) if pattern[i : i + n] in text) for i in range(len(pattern))]
    assert common_lengths(pattern, text) == slow
    blocks = tile(pattern, text, 2)
    longest = max(slow, default=0)
    assert max((block.size for block in blocks), default=0) == (longest if longest >= 2 else 0)
    own, theirs = list(pattern), list(text)
    for start, place, size in blocks:
        assert pattern[start : start + size] == text[place : place + size]
        assert "\1" not in own[start : start + size] and "\2" not in theirs[place : place + size]
        own[start : start + size], theirs[place : place + size] = "\1" * size, "\2" * size
    assert max(common_lengths("".join(own), "".join(theirs)), default=0) < 2, "nothing of two letters is left"


def test_what_two_quotes_carry_is_tiled_by_both():
    headline = Text("The harbour is closed and the ferry is late")
    one = blocks_of(headline, Text("The harbour is closed"))
    both = blocks_of(headline, Text("The harbour is closed"), Text("Sadly the ferry is late"))
    assert 0.4 < one.tiled < 0.6 and both.tiled > 0.85
    assert (one.blocks, both.blocks, one.longest_block) == (1, 2, len("theharbourisclosed"))
    walled = blocks_of(Text("closed today"), Text("it is closed"), Text("today it rains"))
    assert walled.longest_block == len("closed"), "no block reaches from one quote into the other"


@pytest.mark.parametrize(
    ("headline", "body", "differs"),
    [
        ("The ferry is safe to board", "The ferry is not safe to board", True),
        ("The ferry is not safe to board", "The ferry isn’t safe to board", False),
        ("The ferry is safe to board", "The ferry is safe to board. I do not fear it.", False),  # another sentence
        ("배를 띄운다고 했다", "배를 띄운다고 하지 않았다", True),
    ],
)
def test_a_negation_on_one_side_only(headline: str, body: str, differs: bool):
    assert blocks_of(Text(headline), Text(body)).negation_differs is differs


@given(TEXT, TEXT, TEXT)
def test_figures_stay_in_their_ranges(headline: str, best: str, second: str):
    found = blocks_of(Text(headline), Text(best), Text(second))
    assert 0 <= found.tiled <= 1
    assert found.inversions <= found.blocks * (found.blocks - 1) // 2
    assert (found.longest_block == 0) == (found.blocks == 0)
