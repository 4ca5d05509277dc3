"""Quotes of one headline are matched one by one, and a hostile headline costs no more than its body is long."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.growth import assert_linear

from quotelake.article import Article, judge_article
from quotelake.contextomy.adapt import judged_quotes
from quotelake.contextomy.comparable import languages_of
from quotelake.contextomy.decide import load_detector
from quotelake.contextomy.judge import LONGEST_HEADLINE, MOST_QUOTES, MatchedQuote, match_headline_quotes
from quotelake.contextomy.judgement import Match
from quotelake.quotes.extract import Row, quotes_of_document
from quotelake.settings import load_settings

SETTINGS = load_settings()
DETECTOR = load_detector(SETTINGS.contextomy)
BODY = "“We will sail at dawn if the wind turns,” said Ana Ruiz. “The ferry is old,” said Rita Bell. Ruiz left."
TEXT = st.lists(
    st.sampled_from(
        ["“We will sail at dawn”", "“The ferry”", "“Ferries sink”", "‘old’", "Ruiz: we sail", "says Bell,"]
    ),
    max_size=4,
).map(" ".join)


def match_rows(document: Row, quotes: list[Row]) -> list[MatchedQuote]:
    languages = languages_of(SETTINGS, ())
    found = match_headline_quotes(
        document, quotes, settings=SETTINGS.contextomy, detector=DETECTOR, languages=languages
    )
    return list(found)


def match(headline: str, body: str = BODY) -> list[MatchedQuote]:
    document = Article(headline, body, "en", "complete").document
    return match_rows(document, list(quotes_of_document(document, "rules")))


@given(TEXT, TEXT)
def test_candidates_are_there_where_no_rule_settles(headline: str, body: str):
    for found in match(headline, f"{BODY} {body}"):
        assert bool(found.candidates) == (found.match.outcome is None) == (found.match.weighed is not None)
        assert found.match.body_quotes >= len(found.candidates)


@given(TEXT)
def test_each_outermost_quote_but_colon_claims_is_matched_once_in_order(headline: str):
    rows = list(quotes_of_document(Article(headline, BODY, "en", "complete").document, "rules"))
    starts = [found.quote["start"] for found in match(headline)]
    wanted = [row for row in rows if row["field"] == "headline" and not row["parent"] and row["kind"] != "colon_claim"]
    assert starts == sorted(row["start"] for row in wanted) == [row["start"] for row in judged_quotes(rows[::-1])]


@given(TEXT, TEXT)
def test_quotes_matched_together_are_matched_as_one_by_one(headline: str, body: str):
    """What is computed once for all quotes of a headline must not depend on the quote that asks first."""
    document = Article(headline, f"{BODY} {body}", "en", "complete").document
    rows = list(quotes_of_document(document, "rules"))
    theirs = [row for row in rows if row["field"] == "body"]
    together = match_rows(document, rows)
    assert [match_rows(document, [found.quote, *theirs]) for found in together] == [[found] for found in together]


def test_quotes_behind_the_bounds_are_kept_as_not_comparable():
    quote = "“The ferry is old” "
    found = match(quote * (MOST_QUOTES + 3))
    assert [one.match.outcome for one in found] == ["identical"] * MOST_QUOTES + ["not_comparable"] * 3
    late = match("x" * LONGEST_HEADLINE + quote)
    assert [one.match.outcome for one in late] == ["not_comparable"]
    assert late[0].match.alert is None and str(LONGEST_HEADLINE) in late[0].match.verdict.reason


def test_a_quote_that_ends_at_the_bound_is_compared():
    headline = "“The ferry is old”"
    found = match("x" * (LONGEST_HEADLINE - len(headline)) + headline)
    assert [one.match.outcome for one in found] == ["identical"]


def quoted(length: int, words: str) -> str:
    """Distinct quotes of few words, as many as fit a length."""
    units = words.split()
    size = len(units)
    made = (f"“{units[n % size]} {units[n // size % size]} {n}” " for n in range(length))
    text = ""
    for unit in made:
        if len(text) >= length:
            break
        text += unit
    return text


@pytest.mark.slow
@pytest.mark.parametrize("headline", ["many quotes", "one long quote", "many ellipses"])
def test_a_hostile_headline_takes_linear_time(headline: str):
    def work(length: int) -> Callable[[], list[Match]]:
        title = {
            "many quotes": quoted(length, "we will sail the old ferry"),
            "one long quote": f"“{'we will sail the old ferry ' * (length // 27)}”",
            "many ellipses": f"“{'the old … ' * (length // 10)}”",
        }[headline]
        one = Article(title, quoted(length, "the ferry will never sail"), "en", "complete")
        return lambda: [judgement.match for judgement in judge_article(one, SETTINGS)]

    assert_linear(work, 2_000)


@pytest.mark.slow
def test_a_headline_at_the_bounds_takes_time_that_grows_with_the_body():
    title = quoted(LONGEST_HEADLINE - 50, "we will sail the old ferry")

    def work(length: int) -> Callable[[], list[MatchedQuote]]:
        body = quoted(length, "the ferry will never sail")
        return lambda: match(title, body)

    assert_linear(work, 3_000)
