"""Features: named, finite, support where they claim to be; texts in one spelling before they are compared."""

import math
import unicodedata
from functools import partial

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq
from tests.growth import assert_linear

from quotelake.contextomy.features import SUPPORT, extract, jamo_of_syllables, spell
from quotelake.contextomy.letters import SHORTEST_STRETCH, best_pair, in_order

ENGLISH = st.text("abest 10%.,?!", max_size=30)
KOREAN = st.text("물가가 내렸다12%없,?!", max_size=20)
ANY = st.text(max_size=30)
LETTERS = st.text("abcd", min_size=1, max_size=12)
TEXTS = st.lists(st.text("abcd", max_size=60), max_size=5)


def articles(texts: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[str, list[str], str]]:
    return st.tuples(texts, st.lists(texts, max_size=5), texts)


@given(articles(ENGLISH) | articles(KOREAN) | articles(ANY))
def test_every_feature_is_named_and_finite_and_the_same_quotes_said_again_are_no_other_support(article):
    headline, quotes, _ = article
    found = extract(headline, quotes)
    assert found.keys() == SUPPORT.keys() and all(map(math.isfinite, found.values()))
    assert extract(headline, quotes * 3) == found, "so the number of body quotes is no feature"


@given(articles(ENGLISH) | articles(KOREAN))
def test_another_body_quote_and_more_text_behind_one_lower_no_support(article):
    headline, quotes, more = article
    assume(more.isascii() or not "".join((headline, *quotes)).isascii())  # the first Hangul changes the spelling
    before = extract(headline, quotes)
    others = [[*quotes, more]] + ([[*quotes[:-1], f"{quotes[-1]} {more}"]] if quotes else [])
    for after in others:
        assert all(value >= before[name] for name, value in extract(headline, after).items())


def test_nothing_supports_without_texts_and_a_joined_quote_is_covered_by_its_two():
    assert set(extract("We will go", []).values()) == set(extract("!?", ["We will go"]).values()) == {0.0}
    one, other = "We will cut the budget", "and raise the wages of nurses"
    found = extract(f"{one} {other}", [one, "Nobody knows", other])
    assert found["coverage"] == 1.0 and found["in_order"] < 0.8


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
        ("numbers", "We will build 40 schools", ["We will build 40 schools by 2030"], 1.0),
        ("numbers", "We will build 90 schools", ["We will build 40 schools by 2030"], 0.5),
        ("numbers", "물가 12% 상승", ["물가가 퍼센트 상승했다"], 1.0),  # the body has lost its own
        ("numbers", "물가 12% 상승", ["물가가 34 퍼센트 상승했다"], 0.5),
    ],
)
def test_what_a_feature_says(feature: str, headline: str, quotes: list[str], expected: float):
    assert extract(headline, quotes)[feature] == pytest.approx(expected)


@given(st.lists(st.integers(0, 255), max_size=8))
def test_best_pair_is_that_of_trying_all(bits: list[int]):
    assert best_pair(bits) == max(((one | other).bit_count() for one in bits for other in bits), default=0)


@given(LETTERS, TEXTS, st.text("abcd", max_size=40), st.integers(1, 3))
def test_more_text_and_another_text_never_lower_the_order(own: str, those: list[str], more: str, size: int):
    before = in_order(own, those, size)
    assert 0 <= before <= in_order(own, [*those, more], size) <= 1
    if those:
        assert in_order(own, [*those[:-1], those[-1] + more], size) >= before


@given(LETTERS, st.lists(st.text("abcd", max_size=SHORTEST_STRETCH), min_size=1, max_size=4))
def test_in_short_texts_order_is_the_longest_common_subsequence(own: str, those: list[str]):
    """Texts are passed over that cannot win: none that could."""
    assert in_order(own, those, 1) == max(LCSseq.similarity(own, text) for text in those) / len(own)


@pytest.mark.parametrize(
    ("text", "size", "expected"),
    [
        ("ab" + "x" * 6 + "cd", 1, 1.0),
        ("ab" + "x" * 60 + "cd", 1, 0.5),  # too far apart
        ("abcxbcd", 3, 1.0),
        ("bcdxabc", 3, 0.5),
        ("abxcd", 3, 0.0),
        *(("x" * before + "abcd", 1, 1.0) for before in range(40)),  # every part of a text is looked at
    ],
)
def test_what_stands_in_order(text: str, size: int, expected: float):
    assert in_order("abcd", [text], size) == expected


@pytest.mark.slow
@pytest.mark.parametrize(("own", "text"), [("a", "a"), ("abc", "ba"), ("abcdefgh" * 20, "hgfedcba")])
def test_order_takes_time_that_grows_with_the_length_of_a_text(own: str, text: str):
    assert_linear(lambda length: partial(in_order, own, [text * (length // len(text))], 1), 20_000)


@pytest.mark.parametrize(
    ("headline", "body", "letters"),
    [
        ("中企 15.5%ㆍ車 감세", "중소기업 155 퍼센트 자동차 감세", "중소기업155퍼센트자동차감세"),
        ("GDP 성장", "국내총생산이 성장했다", "성장"),  # the body writes acronyms out
        ("GDP 성장", "GDP가 성장했다", "gdp성장"),
        ("KTX", "기차를 탔다", "ktx"),  # a quote of nothing else keeps it
        ("美国人", "美国人", "美国人"),  # nothing is Korean
        ("鷄 안정", "안정", "鷄안정"),
    ],
)
def test_a_korean_headline_is_read_like_its_body(headline: str, body: str, letters: str):
    assert spell(headline, [body])[0].letters == letters


@given(st.text(st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3), max_size=20))
def test_jamo_agree_with_unicode(text: str):
    """What differs is only that double letters are two and initials and finals are the same letters."""
    canonical, jamo = unicodedata.normalize("NFD", text), jamo_of_syllables()
    assert len(text.translate(jamo)) >= len(canonical)
    single = "".join(c for c in text if len(unicodedata.normalize("NFD", c)) == len(c.translate(jamo)))
    names = [unicodedata.name(c).split()[-1] for c in unicodedata.normalize("NFD", single)]
    assert [unicodedata.name(c).split()[-1] for c in single.translate(jamo)] == names


@given(st.text(max_size=40) | KOREAN, st.lists(st.text(max_size=40) | KOREAN, max_size=4))
def test_any_text_is_spelled(headline: str, quotes: list[str]):
    own, others = spell(headline, quotes)
    assert len(others) == len(quotes)
    for one in (own, *others):
        assert "".join(one.words) == one.letters and bool(one.letters) == bool(one.words) == bool(one.fine)
