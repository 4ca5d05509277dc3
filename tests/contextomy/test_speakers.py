"""Right words, wrong speaker: said only where it is sure, and an alert where the headline plainly credits them."""

from functools import partial

import pytest
from tests.contextomy.judging import SETTINGS, judge
from tests.growth import assert_linear

from quotelake.article import Article, judge_article
from quotelake.contextomy.speakers import SpeakerMention, same_speaker

BODY = (
    "Mayor Ana Ruiz met Councillor Rita Bell on Friday. Later Ruiz left, and Bell stayed with the Republicans. "
    "One Republican came late."
)


def person(head: str, name: str | None = None, text: str | None = None) -> SpeakerMention:
    return SpeakerMention(text or head, head, "person", name)


RUIZ, BELL = person("Ana Ruiz", "Ana Ruiz", "Mayor Ana Ruiz"), person("Rita Bell", "Rita Bell", "Councillor Rita Bell")
ASIDE = "Ana Ruiz, whom the coast calls Bell, spoke. Bell left."


@pytest.mark.parametrize(
    ("headline", "body", "text", "expected"),
    [
        (person("Ruiz"), RUIZ, BODY, True),
        (person("Mayor"), RUIZ, BODY, True),  # the role the body calls her by
        (person("Ruiz"), BELL, BODY, False),
        (person("Ruiz"), person("she", "Rita Bell"), BODY, False),  # whom a pronoun means is known
        (person("Rita Bell"), RUIZ, BODY, False),
        (person("Carl Ruiz"), RUIZ, BODY, None),  # the same surname, another first name
        (person("Carl Ruiz", "Carl Ruiz"), RUIZ, BODY + " Carl Ruiz rowed.", False),  # two of one surname
        (person("Andrea Ruiz"), RUIZ, BODY, True),  # perhaps a short form
        (person("Mayor"), BELL, BODY, None),  # a role may be anybody's
        (person("Ruiz"), person("she"), BODY, None),  # the body names nobody
        (person("He"), RUIZ, BODY, None),
        (person("Oduya"), RUIZ, BODY, None),  # not in the body at all: perhaps another spelling
        (person("Republicans"), RUIZ, BODY, None),  # many
        (SpeakerMention("Board", "Board", "organisation", None), RUIZ, BODY, None),  # somebody speaks for it
        (None, RUIZ, BODY, None),
        (person("Bell"), RUIZ, ASIDE, None),  # side by side: they may be one
    ],
)
def test_said_only_where_sure(headline: SpeakerMention | None, body: SpeakerMention, text: str, expected: bool | None):
    assert same_speaker(headline, body, text) is expected


BRIDGE = (
    "“We will rebuild the bridge by spring,” said Ana Reyes, the mayor. "
    "“The council has no money for anything at all,” said Tom Bell of the council."
)


@pytest.mark.parametrize(
    ("headline", "alert"),
    [
        ("Tom Bell: “We will rebuild the bridge by spring”", "credited_to_another"),
        ("Bell: “We will rebuild the bridge”", "credited_to_another"),
        ("“We will rebuild the bridge”, says Bell", "credited_to_another"),
        ("Bell says “we will rebuild the bridge”", "credited_to_another"),
        ("Reyes: “We will rebuild the bridge”", None),
        ("Mayor: “We will rebuild the bridge”", None),  # a role
        ("Council: “We will rebuild the bridge”", None),  # an organisation
        ("Bell on collision course with mayor: “We will rebuild the bridge”", "credited_to_another"),
        ("Council on course to clash with Bell: “We will rebuild the bridge”", None),  # a clause with a name in it
        ("Bell calls it “We will rebuild the bridge”, ally says", None),  # who reports is another
        ("Bell calls “rebuild the bridge” a mistake, ally says", None),
        ("Reyes: Bell says “we will rebuild the bridge”", None),
        ("“We will rebuild the bridge”", None),
    ],
)
def test_words_of_another_than_the_headline_plainly_names_are_an_alert(headline: str, alert: str | None):
    found = judge(headline, BRIDGE)
    assert found.alert == alert
    assert (found.speaker_match is False) == (alert is not None)
    assert not alert or found.reason.startswith("said by another speaker than the headline names")


@pytest.mark.parametrize(
    "body",
    [
        BRIDGE + " “We will rebuild the bridge by spring, I too say,” said Tom Bell.",  # he says it as well
        BRIDGE + " Later it was heard again: “We will rebuild the bridge by spring.”",  # by whom is not said
        "“We will rebuild the bridge by spring,” she said. Ana Reyes met Tom Bell. “Dear,” said Bell.",  # a pronoun
        # A verb that is no known cue: the speaker of the quote before is taken over, and may be another one.
        "Ana Reyes said: “No.”\n\n“We will rebuild the bridge by spring,” Bell shot back. “Dear,” said Tom Bell.",
        "“We will rebuild the bridge by spring,” said Ana Reyes (Tom Bell on stage). “Dear,” said Bell.",  # one person?
    ],
)
def test_where_the_body_leaves_a_doubt_there_is_no_alert(body: str):
    for quote in ("We will rebuild the bridge", "We will rebuild the bridge by spring"):  # an excerpt, and identical
        assert judge(f"Tom Bell: “{quote}”", body).alert is None


DENIED = "Tom Bell denied saying “we will sell every boat in the harbour”. "
WITHDRAWN = "Correction: An earlier version of this article quoted Tom Bell as saying “we will sell every boat”. "


@pytest.mark.parametrize(
    ("headline", "body", "alert"),
    [
        ("Bell: “We will sell every boat in the harbour”", DENIED, "negation"),
        ("Bell: “We will sell every boat”", WITHDRAWN, "negation"),
        ("Bell never said “we will sell every boat in the harbour”", DENIED, None),
        ("Bell: “We will sell every boat”", WITHDRAWN + "“We will sell every boat,” said Tom Bell.", None),
    ],
)
def test_words_that_the_body_says_nobody_said_are_an_alert(headline: str, body: str, alert: str | None):
    assert judge(headline, body).alert == alert


@pytest.mark.parametrize("between", [", ", " … "])
def test_the_words_of_two_credited_to_one_are_an_alert(between: str):
    spliced = f"We will rebuild the bridge by spring{between}the council has no money for anything at all"
    found = judge(f"Reyes: “{spliced}”", BRIDGE)
    assert (found.outcome, found.alert, found.two_speakers) == ("joined", "credited_to_another", True)
    assert found.differences[0].said == "two speakers"
    assert judge(f"“{spliced}”", BRIDGE).alert is None, "the headline credits nobody"
    assert judge(f"Reyes: “{spliced}”", BRIDGE.replace("Tom Bell of the council", "Ana Reyes")).alert is None


def test_of_two_who_say_the_same_the_one_the_headline_names_is_the_best_quote():
    found = judge("Ruiz: “We lost”", "“We lost,” said Rita Bell. Mayor Ana Ruiz agreed. “We lost,” said Ana Ruiz.")
    assert (found.outcome, found.best.by, found.speaker_match) == ("identical", "Ana Ruiz", True)


@pytest.mark.slow
def test_thousands_who_say_the_same_are_judged_in_time_that_grows_with_the_body():
    def article(n: int) -> Article:
        body = " ".join(f"“We pay for it,” said Bob Name{place} Ruiz." for place in range(n))
        return Article("Carl Bell: “We pay for it”", f"{body} Bell left.", "en", "complete")

    assert_linear(lambda n: partial(judge_article, article(n), SETTINGS), 400)
