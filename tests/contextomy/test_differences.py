"""In what a headline quote differs from the body: each kind with the words of both sides, and what is none."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contextomy.judging import SETTINGS, judge, said_by_bell, wrong
from tests.growth import assert_linear

from quotelake.article import Article, judge_article
from quotelake.contextomy.differences import Kind

PIER = "Bell: “We will sell the old pier today”"
SAIL = "Tom Bell: “We will sail at dawn”"
CREW = "Bell: “We will sell the old pier and pay the crew of the ferry”"
DAWN = "Bell: “At dawn we will sell the old pier”"
BURN = "Bell: “We will burn the old pier today”"
FAR = (
    "We will sell the old pier, not the new one. Rain has ruined it for all the boats of this town. "
    "We want to go home and pay the crew of the ferry"
)
LOST = "Bell: “We lost the vote … pay the crew”"
NOTES = {Kind.SCOPE, Kind.CONTRAST, Kind.CREDIT, Kind.ORDER, Kind.CONDITION}
CHECKS = {Kind.ABSENT, Kind.ALTERED, Kind.SPLICED}


@pytest.mark.parametrize(
    ("kind", "headline", "body", "said", "own"),
    [
        ("negation", PIER, "We will never sell the old pier today", "never", ""),
        ("negation", "Bell: “We will not sell the old pier”", "We will sell the old pier", "", "not"),
        ("negation", "Bell: “We won't sell the old pier”", "We will sell the old pier", "", "won't"),
        ("reported", PIER, "They say we will sell the old pier today", "They say", ""),
        ("absent", "Bell: “Gulls are wicked creatures”", "It rained on all the piers", "", ""),
        ("number", "Bell: “We mended 40 of the old boats”", "We mended 30 of the old boats", "30", "40"),
        ("altered", BURN, "We will sell the old pier today", "sell", "burn"),
        ("altered", BURN, "BELL: We will sell the old pier today.", "sell", "burn"),
        ("altered", "Bell: “All of the cables were mended well”", "Some of the cables were mended well", "Some", "All"),
        ("altered", "Bell: “I trust these people with the boats”", "I trust some of these people with the boats",
         "some of", ""),
        ("altered", "Bell: “I made a mistake drafting the law”", "Congress made a mistake drafting the law",
         "Congress", "I"),
        ("altered", "Bell: “A corrupt group of people”", "They are a vicious group of people", "vicious", "corrupt"),
        ("question", PIER, "So we will sell the old pier today?", "we will sell the old pier today", ""),
        ("question", PIER, "Can it be that we will sell the old pier today?", "Can it be that", ""),
        ("condition", PIER, "If it rains, we will sell the old pier today", "If it rains", ""),
        ("hedge", PIER, "We may sell the old pier today", "may", "will"),
        ("hedge", "Bell: “We won the mile in spring”", "We could have won the mile in spring", "could have", ""),
        ("hedge", "Bell: “We can sell the old pier”", "We probably can sell the old pier", "probably", ""),
        ("hedge", "Bell's plan will “sell every old pier”", "It is a chance to sell every old pier", "chance to", ""),
        ("scope", PIER, "For now we will sell the old pier today", "For now", ""),
        ("contrast", PIER, "We will sell the old pier today, but never the boats", "but never the boats", ""),
        # joined from different sentences, without and with a mark of omission
        ("spliced", CREW, FAR, "We will sell the old pier", "and pay the crew of the ferry"),
        wrong("spliced", CREW, "We will sell the old pier. It rained. We go home and pay the crew of the ferry",
              "We will sell the old pier", "and pay the crew of the ferry", because="the two stand close by"),
        ("spliced", LOST, "We lost the vote of the town. They pay the crew", "We lost the vote … pay the crew", ""),
        # clauses in another order
        ("order", DAWN, "Bell said that they will sell the old pier at dawn.", "", ""),
        ("order", DAWN, "We will sell the old pier at dawn", "", ""),
        ("order", "Bell: “Nobody pays the crew, we will sell the old pier”",
              "Bell told us we will sell the old pier, nobody pays the crew.", "", ""),
        # credited to another
        ("credited_to_another", SAIL, "“We will sail at dawn,” said Ana Ruiz. “No,” said Tom Bell.", "", ""),
        ("credited_to_another", SAIL, "“We will sail at dawn,” his aide said. “No,” said Tom Bell.", "", ""),
        wrong("credited_to_another", SAIL, "“We will sail at dawn,” said an aide to the mayor. “No,” said Tom Bell.",
              "", "", because="an aide of somebody is nobody"),
        ("credit", "Ruiz: Bell says “we will sail at dawn”",
         "“We will sail at dawn,” said Ana Ruiz. “No,” said Tom Bell.", "", ""),
    ],
)  # fmt: skip
def test_each_kind_has_the_words_of_both_sides(kind: str, headline: str, body: str, said: str, own: str):
    found = said_by_bell(headline, body)
    [one] = found.differences
    tier = "note" if kind in NOTES else "check" if kind in CHECKS else "alert"
    assert (one.kind, one.tier, one.severity) == (kind, tier, Kind(kind).severity)
    assert one.said.startswith(said) and (one.said == said or kind in ("question", "contrast")), one.said
    assert one.own == own and one.own in one.phrase and one.said in one.phrase
    shown = found.alert, found.check, found.severity
    assert shown == {
        "note": (None, None, None), "check": (None, kind, one.severity), "alert": (kind, None, one.severity),
    }[tier]  # fmt: skip


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ("He sails the old boats at dawn", "I sail the old boats at dawn"),
        ("We took it to the old harbour", "They take it to the old harbour"),
        ("At dawn Ruiz sails the old boats", "At dawn she sails the old boats"),
        wrong("Ruiz sails the old boats at dawn", "She sails the old boats at dawn", because="a name at the edge"),
        ("[The mayor] sails the old boats", "She sails the old boats"),
        ("We ha[d] the old boats at dawn", "We have the old boats at dawn"),
        ("We favour the programmes of old", "We favor the programs of old"),
        ("We're off, and it isn't the end", "We are off, and it is not the end"),
        ("We mended 30,000 of the old boats", "We mended 30K of the old boats"),
        ("We mended 99 of the old boats", "We mended ninety-nine of the old boats"),
        ("We mended 1,500 of the old boats", "We mended 1,487 of the old boats"),
        ("We lost the 21st of the old boats", "We lost the twenty-first of the old boats"),
        ("A loss of £20m shut the harbour", "A loss of £20 million shut the harbour"),
        wrong("We mended 120 of the old boats", "We mended one hundred and twenty of the old boats", because="*and*"),
        ("The boats of the 80s fill it", "The boats of the 1980s fill it"),
        ("The pier is unsafe for boats", "The pier is not safe for boats"),
        ("Taxes may rise all next year", "Taxes will rise all next year"),  # weaker than what was said
        ("We lost the vote … We go home", "We lost the vote. It rained. We go home"),  # whole sentences
        ("We lost … we never slept, all of us", "We lost the vote, the old pier; we never slept, all of us"),
    ],
)
def test_inflection_pronouns_numbers_spelling_and_brackets_are_no_change(own: str, said: str):
    assert said_by_bell(f"Bell: “{own}”", said).differences == ()


@pytest.mark.parametrize("tier", ["alert", "check", "note", "off"])
def test_the_gravest_first_and_each_kind_in_the_tier_of_the_settings(tier: str):
    kinds = SETTINGS.contextomy.kinds.model_copy(update={"negation": tier, "contrast": "alert"})
    contextomy = SETTINGS.contextomy.model_copy(update={"kinds": kinds})
    body = "“If it rains, perhaps we will not sell 30 of the piers, but we stay,” said Tom Bell."
    article = Article("Bell: “We will sell 40 of the piers”", body, "en", "complete")
    [found] = judge_article(article, SETTINGS.model_copy(update={"contextomy": contextomy}))
    alerts = ["negation"] * (tier == "alert") + ["number", "hedge", "contrast"]
    checks, notes = ["negation"] * (tier == "check"), ["negation"] * (tier == "note")
    assert [each.kind for each in found.differences] == [*alerts, *checks, *notes, "condition"]
    assert (found.alert, found.check) == (alerts[0], next(iter(checks), None))
    assert found.reason.count("; ") == len(alerts) + len(checks)


CLAUSES = st.lists(
    st.sampled_from([
        "we sell the pier", "if it rains", "never again", "but 30 boats stay", "they say we won", "is it so",
        "perhaps not", "Bell thinks that the myth is false", "unless 40 sail", "only some of us row",
    ]), min_size=1, max_size=4,
)  # fmt: skip
SENTENCE = st.tuples(CLAUSES, st.sampled_from([", ", " ", " and ", " that "]), st.sampled_from(".?!")).map(
    lambda parts: parts[1].join(parts[0]).capitalize() + parts[2]
)


@given(st.lists(SENTENCE, min_size=1, max_size=5), st.data())
def test_a_whole_sentence_word_for_word_is_never_an_alert(sentences: list[str], data: st.DataObject):
    body = f"“{' '.join(sentences)}” That was all, said Tom Bell."
    assert judge(f"Bell: “{data.draw(st.sampled_from(sentences))}”", body).alert is None


UNITS = (
    "“We will,” said Bell, “sell the old.” ", "“ ‘ ", "we will sell the old ", "not if but, ", "twenty one hundred ",
    "“They say ‘we lost the vote’ and pay the crew.” ", "[ ( ", "n't ", "? ", "… ", "w",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("headline", [CREW, LOST, "Pier ‘will sell’ crew"])
@pytest.mark.parametrize("unit", UNITS)
def test_a_hostile_body_of_one_paragraph_takes_linear_time(headline: str, unit: str):
    of_unit = len(unit.split())
    assert_linear(lambda words: partial(judge, headline, f"It {unit * (words // of_unit)} sank"), 10_000)
