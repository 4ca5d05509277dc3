"""Languages that nothing here compares, and bodies of other pages, are said to be so, instead of being accused."""

import pytest
from tests.contextomy.judging import SETTINGS, judge

from quotelake.contextomy.comparison import Languages, compared_languages, not_whole
from quotelake.contextomy.detector import load
from quotelake.contextomy.quotes import Text
from quotelake.embeddings import models

GERMAN = "Wir haben die Brücke gebaut, und niemand hat uns dabei geholfen"
BODY = "The mayor spoke on Friday. “We built the bridge and nobody came to help us,” she said."


def test_a_translated_headline_quote_is_not_comparable_but_foreign_words_that_the_body_has_are():
    judgement = judge(f"Mayor: “{GERMAN}”", BODY)
    assert judgement.outcome == "not_comparable" and "de" in judgement.reason
    body = f"“{GERMAN} am Ende,” said the mayor, in German. She left."
    assert judge(f"Mayor: “{GERMAN.replace(' dabei', '')}”", body).outcome == "modified"


@pytest.mark.parametrize(
    ("quote", "compared", "language", "expected"),
    [
        (GERMAN, (), "en", "de"),
        (GERMAN, ("en", "de"), "en", None),  # a model knows both
        (GERMAN, (), "de", None),
        (GERMAN, (), "und", None),
        ("1, 2, 3 …", (), "en", None),
    ],
)
def test_a_known_language_that_is_not_the_body_s_is_foreign(
    quote: str, compared: tuple[str, ...], language: str, expected: str | None
):
    assert Languages(SETTINGS.ingest.languages, 0.8, compared).foreign(quote, language) == expected


def test_cosines_count_in_the_languages_of_a_model_the_detector_was_made_for():
    detector = load()
    without = detector.model_copy(update={"cosine": None})
    assert compared_languages(SETTINGS, detector, models.DEFAULT) == SETTINGS.model.languages != ()
    assert compared_languages(SETTINGS, detector, None) == ()
    assert compared_languages(SETTINGS, without, models.DEFAULT) == ()


@pytest.mark.parametrize(
    ("around", "body", "speaker", "sign"),
    [
        ("Bell:", "Mr. Bell sat down. It rained.", None, "begins in the middle"),
        ("Bell:", "Tom Bell sat down. Mr. Bell rose again.", None, None),
        ("Video: Tom Bell:", "Tom Bell spoke on the old pier. " * 9, None, "the page of a video"),
        ("Video: Tom Bell:", "Tom Bell spoke on the old pier. " * 30, None, None),  # long enough for an article
        ("Tom Bell:", "Tom Bell spoke on the old pier.", "Rita Gomez", "never names Rita Gomez"),
        ("Council closes harbour after storm:", "A recipe with eggs and flour.", None, "hardly a word of the headline"),
        ("Council closes harbour after storm:", "The harbour has been closed.", None, None),
    ],
)
def test_a_body_of_another_page_is_told_by_its_words(around: str, body: str, speaker: str | None, sign: str | None):
    found = not_whole(Text(around), Text(body), speaker)
    assert found is None if sign is None else found is not None and sign in found
