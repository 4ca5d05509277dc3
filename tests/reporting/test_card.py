"""A card shows the sentence around the body quote and no more, cut at words, and links only where it may."""

import pytest
from tests.reporting.pages import BASE, Reading, report

from quotelake.reporting.additions import Addition, Explanation
from quotelake.reporting.page import BAR, render, safe_link, view_of


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)", "JAVASCRIPT:alert(1)", "java\nscript:alert(1)", " https://a.example", "//a.example/x",
        "data:text/html,x", "https://", "http://[::1", "https://a.example/\u202egpj", "ftp://a.example", "", None,
    ],
)  # fmt: skip
def test_other_addresses_are_no_links(url: str | None):
    assert safe_link(url) is None


def test_the_whole_sentence_around_the_body_quote_is_shown_and_no_more():
    seen = Reading(render(report(BASE))).text
    assert "“Farmers feed this city,” said Ana Reyes." in seen
    assert "She spoke" not in seen and "It rained" not in seen


def test_a_sentence_cut_by_the_passage_says_so_and_begins_and_ends_with_a_word():
    passage = "nd so on “We won” he said and went on an"
    cut = dict(BASE, best_body_quote="We won", passage=passage, passage_start=500, best_start=510, best_end=516)
    assert "… so on “We won” he said and went on …" in Reading(render(report(cut))).text


def test_a_long_headline_is_cut_around_its_quote():
    far = dict(BASE, headline="z" * 9000 + BASE["headline"], headline_start=9008, headline_end=9029)
    view = view_of(far)
    assert sum(len(text) for text, _ in view["headline"]) < 700
    assert ("Farmers are the enemy", "quote") in view["headline"] and view["headline"][0][0] == "… "


@pytest.mark.parametrize("adds", [(1.0, -0.5, 0.001), (0.2, -0.1), (4.0, -8.0)])
def test_bars_begin_at_the_middle_stay_in_the_drawing_and_are_in_proportion(adds: tuple[float, ...]):
    additions = tuple(Addition("clauses", "clauses", "1", one) for one in adds)
    bars = view_of(dict(BASE, explanation=Explanation(additions)))["bars"]
    for one, at, width in bars:
        assert 0 <= at <= at + width <= 2 * BAR
        assert (at if one.adds > 0 else at + width) == BAR
        assert width == pytest.approx(BAR * abs(one.adds) / max(1.0, *map(abs, adds)), abs=0.5)
