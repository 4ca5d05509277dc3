"""Languages that nothing here compares are said to be so, instead of being accused."""

import pytest

from quotelake.article import Article, judge_article
from quotelake.contextomy.comparable import Languages, compared_languages
from quotelake.contextomy.detector import load
from quotelake.embeddings import models
from quotelake.settings import load_settings

SETTINGS = load_settings()
GERMAN = "Wir haben die Brücke gebaut, und niemand hat uns dabei geholfen"
BODY = "The mayor spoke on Friday. “We built the bridge and nobody came to help us,” she said."


def test_a_translated_headline_quote_is_not_comparable():
    [judgement] = judge_article(Article(f"Mayor: “{GERMAN}”", BODY, "en", "complete"), SETTINGS)
    assert judgement.outcome == "not_comparable" and "de" in judgement.reason


def test_foreign_words_that_the_body_has_are_compared():
    body = f"“{GERMAN} am Ende,” said the mayor, in German. She left."
    [judgement] = judge_article(Article(f"Mayor: “{GERMAN}, nie”", body, "en", "complete"), SETTINGS)
    assert judgement.outcome == "modified"


@pytest.mark.parametrize(
    ("compared", "language", "expected"),
    [((), "en", "de"), (("en", "de"), "en", None), ((), "de", None), ((), "und", None)],
)
def test_a_model_that_knows_both_compares_them(compared: tuple[str, ...], language: str, expected: str | None):
    assert Languages(SETTINGS.ingest.languages, 0.8, compared).foreign(GERMAN, language) == expected


def test_a_quote_whose_language_is_not_told_is_not_foreign():
    assert Languages(SETTINGS.ingest.languages, 0.8).foreign("1, 2, 3 …", "en") is None


def test_cosines_count_in_the_languages_of_a_model_the_detector_was_made_for():
    detector = load()
    without = detector.model_copy(update={"cosine": None})
    assert compared_languages(SETTINGS, detector, models.DEFAULT) == SETTINGS.model.languages != ()
    assert compared_languages(SETTINGS, detector, None) == ()
    assert compared_languages(SETTINGS, without, models.DEFAULT) == ()
