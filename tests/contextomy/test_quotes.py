"""Body quotes: what one sentence says in two is one, and whose words they are by the headline and by the body."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.article import Article, judge_article
from quotelake.contextomy.judgement import Judgement
from quotelake.contextomy.quotes import BodyQuote, body_quotes
from quotelake.contextomy.speakers import Who
from quotelake.quotes.spans import find_quotes
from quotelake.settings import load_settings

SETTINGS = load_settings()
BODY = (
    "“We will rebuild the bridge by spring,” said Ana Reyes, the mayor. "
    "“The council has no money for anything at all,” said Tom Bell of the council."
)


def judge(headline: str, body: str = BODY) -> Judgement:
    [judgement] = judge_article(Article(headline, body, "en", "complete"), SETTINGS)
    return judgement


@pytest.mark.parametrize(
    "headline",
    [
        "Tom Bell: “We will rebuild the bridge by spring”",
        "Bell: “We will rebuild the bridge”",
        "“We will rebuild the bridge”, says Bell",
        "Bell says “we will rebuild the bridge”",
    ],
)
def test_words_of_another_than_the_headline_plainly_names_are_an_alert(headline: str):
    found = judge(headline)
    assert (found.alert, found.speaker_match) == ("wrong_speaker", False)
    assert found.reason.endswith("said by another speaker than the headline names")


@pytest.mark.parametrize(
    "headline",
    [
        "Reyes: “We will rebuild the bridge”",
        "Mayor: “We will rebuild the bridge”",  # a role
        "Council: “We will rebuild the bridge”",  # an organisation
        "Bell on collision course with mayor: “We will rebuild the bridge”",  # a clause with a name in it
        "Bell calls it “We will rebuild the bridge”, ally says",  # who reports is another
        "Bell calls “rebuild the bridge” a mistake, ally says",
        "Reyes: Bell says “we will rebuild the bridge”",
        "“We will rebuild the bridge”",
    ],
)
def test_where_the_headline_credits_nobody_plainly_or_rightly_there_is_no_alert(headline: str):
    assert judge(headline).alert is None


@pytest.mark.parametrize(
    "body",
    [
        BODY + " “We will rebuild the bridge by spring, I too say,” said Tom Bell.",  # he says it as well
        BODY + " Later it was heard again: “We will rebuild the bridge by spring.”",  # by whom is not said
        "“We will rebuild the bridge by spring,” she said. Ana Reyes met Tom Bell. “Dear,” said Bell.",  # a pronoun
        # A verb that is no known cue: the speaker of the quote before is taken over, and may be another one.
        "Ana Reyes said: “No.”\n\n“We will rebuild the bridge by spring,” Bell shot back. “Dear,” said Tom Bell.",
        "“We will rebuild the bridge by spring,” said Ana Reyes (Tom Bell on stage). “Dear,” said Bell.",  # one person?
    ],
)
def test_where_the_body_leaves_a_doubt_there_is_no_alert(body: str):
    for quote in ("We will rebuild the bridge", "We will rebuild the bridge by spring"):  # an excerpt, and identical
        assert judge(f"Tom Bell: “{quote}”", body).alert is None


@pytest.mark.parametrize("between", [", ", " … "])
def test_the_words_of_two_credited_to_one_are_an_alert(between: str):
    spliced = f"We will rebuild the bridge by spring{between}the council has no money for anything at all"
    found = judge(f"Reyes: “{spliced}”")
    assert (found.outcome, found.alert, found.two_speakers) == ("joined", "wrong_speaker", True)
    assert found.reason.endswith("said by two speakers, and the headline names one")
    assert judge(f"“{spliced}”").alert is None, "the headline credits nobody"
    assert judge(f"Reyes: “{spliced}”", BODY.replace("Tom Bell of the council", "Ana Reyes")).alert is None


def parts_of(body: str) -> list[BodyQuote]:
    quotes = find_quotes(body, "body")
    return [BodyQuote(q.text, None, "direct", None, q.start, str(i), str(q.utterance)) for i, q in enumerate(quotes)]


def test_a_sentence_with_its_reporting_clause_inside_is_quoted_whole():
    found = judge("“We lost but we learned”", "“We lost,” Ito said, “but we learned.” “Never again,” said Bell.")
    assert found.outcome == "identical"
    assert found.best.text == "We lost,” Ito said, “but we learned."


def test_half_of_a_sentence_is_an_excerpt_and_its_condition_is_missed():
    body = "“We will sail at dawn,” Ito said, “if the wind turns.” Nobody else spoke."
    found = judge("“We will sail at dawn”", body)
    assert (found.outcome, found.alert, found.omissions.condition) == ("excerpt", "risky_excerpt", True)
    [(start, end)] = found.omissions.spans
    assert body[found.best.start + start : found.best.start + end] == "if the wind turns"


def test_the_speaker_is_the_first_known_of_its_parts_and_two_sentences_are_two_quotes():
    ito = Who("Ito", "Ito", "person", None)
    parts = [BodyQuote("We lost,", None, start=1), BodyQuote("but we learned.", None, speaker=ito, start=22)]
    assert [quote.speaker for quote in body_quotes(parts)] == [ito]
    assert len(body_quotes(parts_of("“We lost,” Ito said. “But we learned.”"))) == 2


@given(
    st.text(st.sampled_from('“”", aB.s\n'), max_size=60)
    | st.just('"We lost," Ito said, "but we learned," he said, "all."')
)
def test_letters_stand_where_the_body_has_them(body: str):
    parts = parts_of(body)
    quotes = body_quotes(parts)
    assert sorted(quote.quote_id for quote in quotes) == sorted({part.utterance_id for part in parts})
    for quote in quotes:
        for offset, character in enumerate(quote.text):
            assert character in (" ", body[quote.start + offset])
    said = "".join("".join(part.text.split()) for part in parts)
    assert sorted("".join(quote.text for quote in quotes).replace(" ", "").replace("\n", "")) == sorted(said)
