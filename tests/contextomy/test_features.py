"""Features: named, finite, support where they claim to be."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.contextomy.features import FEATURE_SETS, extract
from quotelake.contextomy.rich import VIEW, WORDING, view_features, wording_features
from quotelake.contextomy.spelling import spell

english = st.text("abest 10%.,?!", max_size=30)
korean = st.text("물가가 내렸다12%없,?!", max_size=20)
any_text = st.text(max_size=30)


def articles(texts):
    return st.tuples(texts, st.lists(texts, max_size=5), texts)


@pytest.mark.parametrize("name", FEATURE_SETS)
@given(article=articles(any_text))
def test_every_feature_has_a_name_and_a_finite_value(name: str, article):
    headline, quotes, _ = article
    found = extract(name, headline, quotes)
    assert set(found) == set(FEATURE_SETS[name][0])
    assert all(math.isfinite(value) for value in found.values())


@given(articles(english) | articles(korean))
def test_another_body_quote_lowers_no_support(article):
    headline, quotes, other = article
    before, after = extract("transfer", headline, quotes), extract("transfer", headline, [*quotes, other])
    assert all(after[name] >= before[name] for name in before)


@given(articles(english) | articles(korean))
def test_more_text_behind_a_body_quote_lowers_no_support(article):
    headline, quotes, more = article
    if not quotes:
        return
    before = extract("transfer", headline, quotes)
    after = extract("transfer", headline, [*quotes[:-1], f"{quotes[-1]} {more}"])
    assert all(after[name] >= before[name] for name in before)


@given(articles(english) | articles(korean))
def test_the_same_quotes_said_again_are_no_other_support(article):
    """So the number of body quotes is no feature."""
    headline, quotes, _ = article
    assert extract("transfer", headline, quotes * 3) == extract("transfer", headline, quotes)


@pytest.mark.parametrize("name", FEATURE_SETS)
def test_nothing_to_compare_supports_nothing(name: str):
    assert set(extract(name, "We will go", []).values()) == {0.0}
    assert set(extract(name, "!?", ["We will go"]).values()) == {0.0}


@pytest.mark.parametrize(("headline", "quotes"), [("!?", ["We will go"]), ("We will go", []), ("", []), ("We", ["!"])])
def test_parts_of_the_rich_set_need_no_caller_to_check_for_letters(headline: str, quotes: list[str]):
    own, theirs = spell(headline, quotes)
    best, view = view_features(own.letters, [quote.letters for quote in theirs])
    found = view | wording_features(own, theirs, best)
    assert found.keys() == VIEW.keys() | WORDING.keys()
    assert all(math.isfinite(value) for value in found.values())


@given(any_text | korean)
def test_a_headline_quote_with_letters_has_words_and_jamo(headline: str):
    """The rich set asks for letters once, and divides by the number of words and of jamo too."""
    own, _ = spell(headline, ["물가"])
    assert bool(own.letters) == bool(own.words) == bool(own.fine)


def test_a_joined_headline_quote_is_covered_by_its_two_quotes():
    one, other = "We will cut the budget", "and raise the wages of nurses"
    found = extract("transfer", f"{one} {other}", [one, "Nobody knows", other])
    assert found["coverage"] == 1.0 and found["in_order"] < 0.8


def test_a_number_that_nobody_said_is_missing():
    said = ["We will build 40 schools by 2030"]
    assert extract("transfer", "We will build 40 schools", said)["numbers"] == 1.0
    assert extract("transfer", "We will build 90 schools", said)["numbers"] == 0.5


def test_a_percentage_is_excused_where_the_body_has_lost_its_own():
    assert extract("transfer", "물가 12% 상승", ["물가가 퍼센트 상승했다"])["numbers"] == 1.0
    assert extract("transfer", "물가 12% 상승", ["물가가 34 퍼센트 상승했다"])["numbers"] == 0.5


@pytest.mark.parametrize(
    ("feature", "headline", "quotes", "expected"),
    [
        ("in_order", "물가안정", ["물가는 더 안정"], 1.0),
        ("in_order", "물가안정", ["안정된 물가"], 0.5),
        ("in_order", "We act", ["We must act"], 1 / 3),  # of wea, eac, act: no 3-gram stands across other words
        ("in_order", "act", ["Nobody acts"], 1.0),
        ("last_word", "Rents will fall", ["They fall", "a fallen bridge"], 1.0),
        ("last_word", "Rents are falling", ["They fell", "a fallen bridge"], 4 / 7),
        ("last_word", "Rents are falling", ["a waterfall"], 0.0),
        ("last_word", "Let us go", ["gone"], 0.0),  # the beginning of a short word says nothing
        ("last_word", "Let us go", ["Go home"], 1.0),
        ("last_word", "물가 내렸다", ["물가를 내렸지만"], 2 / 3),
        ("marks", "Who pays?", ["Somebody pays"], 1 / 2),
        ("marks", "Who pays?!", ["Somebody pays"], 1 / 3),
        ("marks", "Who pays?", ["Somebody pays", "Who?"], 1.0),
        ("marks", "누가 내나？", ["누가 내나?"], 1.0),
        ("clauses", "Rents fall, wages rise … nobody pays", ["Rents fall"], math.log(3)),
        ("clauses", "Rents fall by 1,000 in St. Ives...", ["Rents fall"], 0.0),
        ("clauses", "물가 안정…세금 인하", ["물가"], math.log(2)),
    ],
)
def test_what_a_transfer_feature_says(feature: str, headline: str, quotes: list[str], expected: float):
    assert extract("transfer", headline, quotes)[feature] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("feature", "headline", "quotes", "expected"),
    [
        ("words_best", "물가는 내렸다", ["물가가 내렸다"], 1.0),
        ("last_word", "물가 폭등", ["물가가 내렸다"], 0.0),
        ("negation_added", "돈이 없다", ["돈이 많다"], 1.0),
        ("negation_differs", "돈이 많다", ["돈이 없다"], 1.0),
        ("letters_adds_2", "물가안정 세금인하", ["물가안정", "세금인하"], 0.5),
        ("letters_inversions", "물가안정 세금인하", ["세금인하 물가안정"], 1.0),
        ("letters_tail", "물가안정", ["안정"], 1.0),
        ("letters_head", "물가안정", ["안정"], 0.0),
    ],
)
def test_what_a_rich_feature_says(feature: str, headline: str, quotes: list[str], expected: float):
    assert extract("rich", headline, quotes)[feature] == pytest.approx(expected)
