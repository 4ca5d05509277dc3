"""What an excerpt leaves out counts only if it governs the excerpt and the headline does not restore it."""

import pytest
from tests.contextomy.judging import judge


@pytest.mark.parametrize(
    ("headline", "said", "lost"),
    [
        # negations
        ("Bell: “The pier is safe”", "I never said the pier is safe,", "a negation"),
        ("Bell: “The pier is safe”", "I don't know why they say that, but the pier is safe,", None),  # another clause
        ("Bell: “The pier is safe”", "Nobody can believe it: the pier is safe,", None),
        ("Bell: “The pier is safe”", "I can't believe the pier is safe,", None),  # it is
        ("Bell: “The pier is safe”", "We never hid the fact that the pier is safe,", None),
        ("Bell: “The pier is safe”", "There is no evidence that the pier is safe,", "a negation"),
        ("Bell: “The pier is safe”", "The pier is safe for those who don't sail,", None),  # behind it
        ("Bell: not “the pier is safe”, but the quay", "I never said the pier is safe,", None),  # restored
        ("Bell sees a “long strike”, he says", "I don't want to have a long strike,", "a negation"),
        ("Bell says he doesn't want a “long strike”", "I don't want to have a long strike,", None),
        ("Bell decries the “long strike”", "I can't allow this long strike,", None),  # presupposed
        ("The “long strike” of the harbour ends", "I don't want to have a long strike,", None),  # credited to nobody
        ("Bell denies that pier is “safe for all”", "It is not safe for all,", None),
        ("Bell denies a rumour: pier is “safe for all”", "It is not safe for all,", "a negation"),  # it denies another
        ("Bell: “safe for all”", "The pier is anything but safe for all,", "a negation"),
        ("Bell: “Nobody swims in winter”", "No one is swimming in winter here,", None),  # as good as another
        # conditions
        ("Bell: “The pier is safe”", "If you ask me, the pier is safe,", None),
        ("Bell: “Who am I to row?”", "If it rains, who am I to row?", None),  # a question states nothing
        ("Bell: “We will strike”", "We will strike, if the talks fail,", "a condition"),
        ("Bell: “We will strike”", "When the talks end, we will strike,", None),  # the time
        ("Bell: “We will strike” should talks fail", "We will strike, if the talks fail,", None),
        ("Bell on failing talks: “We will strike”", "We will strike, if the talks fail,", None),  # the same stem
        ("Bell: “We would have stayed away”", "If I knew that, we would have stayed away,", None),  # it says so itself
        ("Bell: “The harbour is lost”", "If the harbour is lost, we go,", "a condition"),  # the condition itself
        ("Bell: “a long strike”", "If they go on, it will be a long strike,", None),  # a fragment states nothing
        ("Bell: “We will strike”", "We will strike even if the talks go on,", "a condition"),
        # comparisons, alternatives, numbers
        ("Bell: “You live on a rock”", "You live on a rock more bare than ours,", None),
        ("Bell: “You live on another rock”", "You live on another rock than we do,", "a comparison"),
        ("Bell: “Do you want to row”", "Do you want to row or do you want to sail?", "an alternative"),
        ("Bell: “We will burn the pier”", "Figuratively speaking, we will burn the pier,", "an alternative"),
        ("Bell: “thousands of boats” sank", "We lost hundreds, perhaps thousands of boats,", "a number"),
        ("Bell: “40 boats” sank", "We lost up to 40 boats,", "a number"),
        ("Bell: perhaps “40 boats” sank", "We lost up to 40 boats,", None),
        # possibilities
        ("Bell warns of “a long wet strike”", "It may be a long wet strike,", None),
        ("Bell: “The dam will hold”", "I think the dam will hold,", None),  # politeness
        ("Bell: “The dam will hold”", "Perhaps the dam will hold,", "a possibility"),
        ("Shot “prevented half of the cases”, says Bell", "It may have prevented half of the cases,", "a possibility"),
        ("Shot could have “prevented half of the cases”", "It may have prevented half of the cases,", None),
        ("Bell: China “did a disservice”", "Those who spoke as openly as they could did a disservice,", None),
        # questions
        ("Bell: “This is the end”", "They ask me: this is the end?", "a question"),
        ("Bell: “This is the end”", "This is the end, right?", None),  # a tag
        ("Bell asks whether “this is the end”", "They ask me: this is the end?", None),
        # a reference to known words
        ("Bell repeats his 'stay away' pledge", "If it rains, stay away,", None),
    ],
)
def test_an_operator_is_an_alert_where_it_governs_and_is_not_restored(headline: str, said: str, lost: str | None):
    found = judge(headline, f"“{said}” said Tom Bell of the harbour.")
    assert found.alert == (None if lost is None else "risky_excerpt"), found.reason
    assert lost is None or lost in found.reason


def test_what_others_say_is_not_the_speaker_s_own():
    found = judge("Bell: “The pier is lost”", "“People say that the pier is lost, and they err,” said Tom Bell.")
    assert (found.outcome, found.alert) == ("contextomized", "contextomized")
    assert "“People say”" in found.reason


def test_what_is_lost_is_shown_in_whole_words():
    found = judge("Bell: pier “safe for all of us”", "“The bridge is not safe for all of us,” said Bell.")
    assert found.reason.startswith("a negation is lost (“bridge is not”);")
