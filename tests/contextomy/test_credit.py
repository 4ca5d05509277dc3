"""Whose words they are: what a headline plainly credits, and the alert where the body names another."""

import pytest

from quotelake.article import Article, judge_article
from quotelake.contextomy.judgement import Match
from quotelake.settings import load_settings

SETTINGS = load_settings()
BODY = (
    "“We will rebuild the bridge by spring,” said Ana Reyes, the mayor. "
    "“The council has no money for anything at all,” said Tom Bell of the council."
)


def judge(headline: str, body: str = BODY) -> Match:
    [judgement] = judge_article(Article(headline, body, "en", "complete"), SETTINGS)
    return judgement.match


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
    match = judge(headline)
    assert (match.alert, match.speaker_match) == ("wrong_speaker", False)
    assert match.verdict.reason.endswith("said by another speaker than the headline names")


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
    match = judge(f"Reyes: “{spliced}”")
    assert (match.outcome, match.alert, match.two_speakers) == ("joined", "wrong_speaker", True)
    assert match.verdict.reason.endswith("said by two speakers, and the headline names one")
    assert judge(f"“{spliced}”").alert is None, "the headline credits nobody"
    assert judge(f"Reyes: “{spliced}”", BODY.replace("Tom Bell of the council", "Ana Reyes")).alert is None
