"""Languages that nothing compares and bodies of other pages are told; what an excerpt leaves out is shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contextomy.judging import SETTINGS, judge

from quotelake.article import Article, judge_article
from quotelake.contextomy.comparison import Languages, compared_languages
from quotelake.contextomy.detector import load
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


BEFORE = ["아마", "예산이 부족하면", "어제도 말했다.", "일부", "만약 비가 오면"]
BEHIND = ["", "는 말은 한 적이 없다", "는 말입니까?", ". 그러나 걱정도 있다", "고 말할 수 없다"]


def left_out(language: str, quote: str, said: str, around: str = "") -> list[tuple[str, str]]:
    """Kind and words of the differences of a headline with a quote behind other words, and a body that is a quote."""
    [judgement] = judge_article(Article(f"{around}“{quote}”", f"“{said}”", language, "complete"), SETTINGS)
    return [(each.kind, each.said) for each in judgement.differences]


@pytest.mark.parametrize(
    ("language", "quote", "said", "expected"),
    [
        ("ko", "세금을 올리겠다", "어제 말했다. 예산이 부족하면 세금을 올리겠다", ("condition", "예산이 부족하면")),
        ("ko", "다리를 짓겠다", "다리를 짓겠다는 말은 한 적이 없다", ("negation", "말은 한 적이 없다")),
        ("ko", "댐이 무너진다", "아마 댐이 무너진다. 나도 무섭다", ("hedge", "아마")),
        ("ko", "시가 돈을 숨긴다", "시가 돈을 숨긴다는 말입니까?", ("question", "시가 돈을 숨긴다는 말입니까?")),
        ("ko", "학교를 짓겠다", "의회가 열렸다. 학교를 짓겠다", None),
        ("de", "Wir bauen die Brücke", "Wir bauen die Brücke, wenn der Rat zahlt", ("condition", "wenn der Rat zahlt")),
    ],
)
def test_words_left_out_are_shown(language: str, quote: str, said: str, expected: tuple[str, str] | None):
    assert left_out(language, quote, said) == ([expected] if expected else [])


@pytest.mark.parametrize(
    ("language", "around", "quote", "said", "kinds"),
    [
        ("ko", "예산이 부족하면 ", "세금을 올리겠다", "예산이 부족하면 세금을 올리겠다", []),
        ("ko", "박 시장 ", "세금을 올리겠다", "예산이 부족하면 세금을 올리겠다", ["condition"]),
        ("ko", "예산이 부족하면 ", "댐이 무너진다", "아마 댐이 무너진다", ["hedge"]),
        ("de", "Wenn der Rat zahlt: ", "Wir bauen die Brücke", "Wir bauen die Brücke, wenn der Rat zahlt", []),
    ],
)
def test_what_the_headline_says_beside_its_quote_is_not_left_out(
    language: str, around: str, quote: str, said: str, kinds: list[str]
):
    assert [kind for kind, _ in left_out(language, quote, said, around)] == kinds


@given(st.lists(st.sampled_from(BEFORE), max_size=3), st.sampled_from(BEHIND))
def test_words_left_out_are_those_of_the_body(before: list[str], behind: str):
    said = " ".join([*before, f"세금을 올리겠다{behind}"])
    assert all(words and words in said for _, words in left_out("ko", "세금을 올리겠다", said))
