"""A match as columns: those of the table, and enough to decide by."""

from hypothesis import given
from hypothesis import strategies as st

from quotelake.article import Article, judge_article
from quotelake.contextomy.comparable import languages_of
from quotelake.contextomy.decide import decide, load_detector, verdict_of
from quotelake.contextomy.flat import flatten, to_row, unsettled_of, verdict_columns
from quotelake.contextomy.judge import match_headline_quotes
from quotelake.lake.contracts import columns
from quotelake.quotes.extract import quotes_of_document
from quotelake.settings import load_settings

SETTINGS = load_settings()
DETECTOR = load_detector(SETTINGS.contextomy)
BODY = "“We will sail at dawn if the wind turns,” said Ana Ruiz. “The ferry is old,” said Rita Bell. Ruiz left early."
#: One headline quote each: identical, an excerpt, three for the detector, a claim, a passage, and no words.
HEADLINES = (
    "“The ferry is old”", "Bell: “We will sail at dawn”", "“We sail the old ferry at dawn”", "“Mayors eat ferries”",
    "Ferry ‘to sail at dawn’", "“Ruiz left early”", "“…”", "“old ferry, dawn sail”",
)  # fmt: skip
STAMPS = {"quote_id", "doc_id", "rule_version", "detector_version"}


def matches(headline: str) -> list:
    document = Article(headline, BODY, "en", "complete").document
    quotes = list(quotes_of_document(document, "rules"))
    languages = languages_of(SETTINGS, ())
    return list(
        match_headline_quotes(document, quotes, settings=SETTINGS.contextomy, detector=DETECTOR, languages=languages)
    )


@given(st.sampled_from(HEADLINES))
def test_columns_are_those_of_the_table(headline: str):
    table = set(columns("contextomy")) - STAMPS
    for found in matches(headline):
        assert set(to_row(found.match)) == table
        assert set(verdict_columns(found.match.verdict)) < table


@given(st.sampled_from(HEADLINES), st.none() | st.floats(-1, 1))
def test_a_row_decides_as_its_match_does(headline: str, cosine: float | None):
    """The nightly job decides on rows, the check of one article on matches."""
    for found in matches(headline):
        row = to_row(found.match)
        assert unsettled_of(row) == found.match.unsettled
        if found.match.outcome is None:
            verdict = verdict_of(unsettled_of(row), cosine, DETECTOR, SETTINGS.contextomy)
            decided = to_row(decide(found.match, cosine, DETECTOR, SETTINGS.contextomy))
            assert decided == {**row, **verdict_columns(verdict), "cosine_best": cosine}


def test_each_group_of_columns_is_filled_where_it_applies():
    [excerpt] = judge_article(Article(HEADLINES[1], BODY, "en", "complete"), SETTINGS)
    row = flatten(excerpt.match)
    assert (row["outcome"], row["alert"], row["omitted_condition"]) == ("excerpt", "wrong_speaker", True)
    assert BODY[row["best_start"] :].startswith("We will sail") and row["best_end"] > row["best_start"]
    assert row["speaker_match"] is False and row["tiled"] is None and row["evidence"] is None
    [passage] = judge_article(Article(HEADLINES[5], BODY, "en", "complete"), SETTINGS)
    row = flatten(passage.match)
    assert BODY[row["body_start"] : row["body_end"]] == "Ruiz left early"
    [weighed] = judge_article(Article(HEADLINES[3], BODY, "en", "complete"), SETTINGS)
    row = flatten(weighed.match)
    assert None not in (row["tiled"], row["coverage"], row["clauses"], row["evidence"], row["score"])
