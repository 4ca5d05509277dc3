"""What a text commits its speaker to: the same words asserted, denied, asked, conditional, hedged, reported."""

import pytest
from tests.contextomy.judging import judge, said_by_bell, wrong

from quotelake.factuality.operators import Clause, factuality
from quotelake.factuality.reading import Reading

FULL = "Bell: “The pier is safe”"
NOTES = ("scope", "contrast", "condition")


def governing(text: str, *, is_headline: bool = False) -> list[tuple[str, str]]:
    """Kind and words of what governs the words in square brackets, all of it said by one speaker."""
    before, words, after = text.replace("]", "[").split("[")
    reading = Reading(before + words + after)
    inside = reading.within(len(before), len(before) + len(words))
    inside_from = None if is_headline else 0
    span = Clause(reading, inside[0], inside[-1], 0, len(reading.tokens), inside_from, is_headline=is_headline)
    return [(one.kind, one.words) for one in factuality(span)]


@pytest.mark.parametrize(
    ("kind", "said", "restored"),
    [
        ("negation", "I never said the pier is safe,", "Bell never said “the pier is safe”"),
        ("negation", "I don't think that the pier is safe,", "Bell does not think that “the pier is safe”"),
        ("negation", "We deny that the pier is safe,", "Bell denies that “the pier is safe”"),
        ("negation", "Nobody here says the pier is safe,", "Bell: nobody says “the pier is safe”"),
        ("negation", "It is not true that the pier is safe,", "Bell: untrue that “the pier is safe”"),
        ("negation", "There is no evidence that the pier is safe,", "Bell sees no evidence that “the pier is safe”"),
        ("negation", "It would be wrong to say the pier is safe,", "Bell: wrong that “the pier is safe”"),
        ("question", "Is it true that the pier is safe?", "Bell asks if “the pier is safe”"),
        ("question", "They ask whether the pier is safe,", "Bell: “The pier is safe”?"),
        ("question", "Who says the pier is safe?", "Why “the pier is safe”, by Tom Bell"),
        ("condition", "If it holds, the pier is safe,", "Bell: “The pier is safe” if it holds"),
        ("condition", "The pier is safe unless it burns,", "Bell: “The pier is safe” unless it burns"),
        ("condition", "The pier is safe as long as nobody rows,", "Bell: “The pier is safe” while nobody rows"),
        ("hedge", "Perhaps the pier is safe,", "Bell: perhaps “the pier is safe”"),
        ("hedge", "I hope the pier is safe,", "Bell hopes “the pier is safe”"),
        ("hedge", "There is a chance that the pier is safe,", "Bell sees chance that “the pier is safe”"),
        wrong("hedge", "It may be that the pier is safe,", "Bell: may be “the pier is safe”", because="*that* ends it"),
        wrong("hedge", "It is possible that the pier is safe,", "Bell: “The pier is safe” possibly", because="no word"),
        ("reported", "People say that the pier is safe,", "People say “the pier is safe”, Bell complains"),
        ("reported", "He thinks that the pier is safe,", "Bell: he thinks “the pier is safe”"),
        ("reported", "The notion that the pier is safe is old,", "Bell on notion that “the pier is safe”"),
        wrong("reported", "They act as if the pier is safe,", "Bell: as if “the pier is safe”", because="*if* ends it"),
        ("scope", "For now the pier is safe,", "Bell: “The pier is safe” for now"),
        ("contrast", "The pier is safe, but it is old,", "Bell: “The pier is safe” but old"),
    ],
)
def test_the_same_words_are_asserted_by_the_headline_alone_or_by_neither_side(kind: str, said: str, restored: str):
    assert said_by_bell(FULL, "The pier is safe,").differences == ()
    lost = said_by_bell(FULL, said)
    assert [each.kind for each in lost.differences] == [kind]
    assert (lost.outcome, lost.alert) == ("excerpt", None if kind in NOTES else kind)
    assert said_by_bell(restored, said).differences == (), "the headline has it too"


@pytest.mark.parametrize(
    "text",
    [
        # another clause
        "I don't know why they say so; [the pier is safe]",
        "I did not row, and [the pier is safe]",
        "I did not row and [the pier is safe]",
        "We never sailed but [the pier is safe]",
        "Nobody rows because [the pier is safe]",
        "He is not the man who [sells the pier]",
        "It did not rain (so [the pier is safe])",
        "Nobody can believe it: [the pier is safe]",
        "Whether it is old or new, [the pier is safe]",
        wrong("The man that nobody likes says [the pier is safe]", because="*nobody* begins no relative clause"),
        wrong("The man who never rows says [the pier is safe]", because="a relative clause has no end"),
        # nothing is denied
        "There is no doubt that [the pier is safe]",
        "I can't believe [the pier is safe]",
        "They don't know that [we sold the pier]",
        "I do not regret that [we sold the pier]",
        "No, [the pier is safe]",
        "It is not only [a safe pier]",
        "Those who did not row [have won the race]",
        # no condition, question or report
        "If you're listening, [the pier is safe]",
        "If you ask me, [the pier is safe]",
        "If you folks know the coast, [the pier is safe]",
        "We want peace or bread: [the pier is safe]",
        "Even if it rains, [the pier is safe]",
        "[The pier is safe], right?",
        "We say [the pier is safe]",
        "In May [the pier is safe]",
    ],
)
def test_a_reach_ends_and_figures_of_speech_govern_nothing(text: str):
    assert governing(text) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I do not think that they might [win] if it rains", "might win; not think that they might; if it rains"),
        ("We will not [sell or lease the pier]", "not sell"),
        ("Neither you nor I say that they [sell the pier]", "nor I say that they; Neither you nor I say"),
        ("We will not sell or [lease the pier]", "not sell or lease"),
        ("They think that, well, [we sell the pier]", "They think"),
        ("The lie that [the pier is safe] lives", "The lie that"),
        ("Petitioners contend that [the pier is safe]", "Petitioners contend"),
        ("We can't and don't [sell the pier]", "don't sell"),
        ("In their eyes, [the pier is safe]", "In their eyes"),
        ("There are some who believe that [the pier is safe]", "who believe"),
        ("It's not that [we sell the pier]", "not that we"),
        ("I'm not sure if [the pier is safe]", "sure if"),
        ("Even if [the pier is safe], we go", "if"),
        ("[We will sell the pier], but only if it rains", "but only if it rains; but only if it rains; only"),
        ("[We will sell the pier] over my dead body", "over my dead body"),
        ("The idea that [the pier is safe] is a dangerous lie", "The idea that; is a dangerous lie"),
        ("Does anybody believe [the pier is safe]", "Does anybody believe"),
        ("The crew told us that [the pier is safe]", "crew told"),
        ("The study shows that [the pier is safe]", ""),
        ("[We do not sell the pier] only to pay the crew", "only to; only"),
        ("[Do we sell the pier],", "Do we sell the pier"),
        ("The pier is anything but [safe]", "anything but safe"),
    ],
)
def test_all_that_governs_is_named_from_the_nearest_on(text: str, words: str):
    assert "; ".join(each for _, each in governing(text)) == words


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Bell denies [pier is safe]", ["negation"]),
        ("Bell: not [a safe pier]", ["negation"]),
        ("Bell doubts that pier is [safe]", ["negation"]),
        ("Bell refuses to call it [a disaster]", ["negation"]),
        ("Bell fails to call it [a disaster]", ["negation"]),
        ("Pier may be [safe]", ["hedge"]),
        ("Bell thinks pier is [safe]", ["hedge"]),
        ("Is pier [safe]?", ["question"]),
        ("Bell: pier is [safe]", []),
        ("Bell denies all; pier is [safe]", []),
    ],
)
def test_a_headline_is_read_by_the_same_function(text: str, kinds: list[str]):
    assert [kind for kind, _ in governing(text, is_headline=True)] == kinds


@pytest.mark.parametrize(
    ("headline", "said", "alert"),
    [
        # a fragment is held by the clause that each side puts it into
        ("Bell calls plan a “disaster”", "I would not call the plan a disaster,", "negation"),
        ("Bell would not call plan a “disaster”", "I would not call the plan a disaster,", None),
        ("Bell: plan no “disaster”", "I would not call the plan a disaster,", None),
        ("Bell calls plan a “disaster”", "I would call the plan a disaster,", None),
        ("Bell: pier “safe for all”", "It is not safe for all,", "negation"),
        ("Bell: “globalism”", "We reject the ideas of globalism,", None),  # a noun states nothing
        ("Bell: pier is “safe”", "The pier is not really very safe,", "negation"),
        ("Bell: pier is “safe”", "The pier is far from safe,", "negation"),
        ("Council attacks Bell over ‘threat’", "It is not a threat at all,", None),  # it only names it
        ("Bell decries the “long strike”", "I can't allow this long strike,", None),
        ("The “long strike” plan of Bell", "I don't want to have a long strike,", None),
        ("Bell warns of “a long wet strike”", "It may be a long wet strike,", None),
        ("Bell: “Who am I to row?”", "If it rains, who am I to row?", None),
        ("Bell: “We would have stayed away”", "If I knew that, we would have stayed away,", None),  # it says so itself
        ("Bell: “The harbour is lost”", "If the harbour is lost, we go,", "condition"),  # the condition itself
        ("Bell on failing talks: “We will strike”", "We will strike, if the talks fail,", None),  # the same stem
        ("Bell denies a rumour: pier is “safe for all”", "It is not safe for all,", "negation"),
        ("Bell repeats his “stay away” pledge", "If it rains, stay away,", None),
    ],
)
def test_an_excerpt_is_an_alert_where_the_headline_claims_what_the_body_does_not(
    headline: str, said: str, alert: str | None
):
    found = said_by_bell(headline, said)
    assert found.alert == alert, found.reason


@pytest.mark.parametrize(
    ("body", "alert"),
    [
        ("“They told me, ‘The pier is safe today,’ and they lied,” said Tom Bell.", "reported"),
        ("Tom Bell never said “the pier is safe today.”", "negation"),
        ("“The pier is safe today,” said Tom Bell. It was never safe.", None),
        ("“The pier is safe today,” Bell said if asked.", None),
        ("“I say the pier is safe today,” Bell said if asked.", None),
    ],
)
def test_who_says_the_operator(body: str, alert: str | None):
    assert judge("Bell: “The pier is safe today”", body).alert == alert


@pytest.mark.parametrize("said", ["Is it true that the pier is safe?", "The pier is safe, but it is old,"])
def test_what_is_shown_of_the_body_ends_with_the_quotation(said: str):
    assert all(each.said in said for each in said_by_bell(FULL, said).differences)
