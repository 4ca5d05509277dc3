"""Who is quoted in a headline: one invented headline for each rule, what names nobody, and what must not matter."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quotelake.quotes.spans import find_quotes
from quotelake.quotes.speakers import Speaker, find_speakers


def speakers(headline: str) -> list[Speaker | None]:
    return find_speakers(headline, find_quotes(headline, "headline"), "headline")


def named(headline: str) -> str | None:
    speaker = speakers(headline)[-1]
    return speaker and speaker.text


#: Headline, and the speaker of its last quote or claim.
SPEAKERS = {
    "occasion before the colon": ("Ana Ruiz on the ferry ban: 'We will not give in'", "Ana Ruiz"),
    "capitalised preposition": ("Ana Ruiz At Harbour Rally: 'We Will Not Give In'", "Ana Ruiz"),
    "addressee": ("Ruiz to Odell: 'You will not win this'", "Ruiz"),
    "addressee of a claim without marks": ("Ruiz to Odell: Stop using my name", "Ruiz"),
    "somebody acts": ("Ana Ruiz Corrects Lee Odell: 'We Will Not Give In'", "Ana Ruiz"),
    "verb and particle": ("Ruiz fires back at Odell: 'We will not give in'", "Ruiz"),
    "verb and particle, no colon": ("Ruiz hits back at 'the worst of all our mayors'", "Ruiz"),
    "adjective": ("Ruiz defiant amid ferry row: 'We will not give in'", "Ruiz"),
    "abbreviated title": ("Gov. Ana Ruiz to dockers: 'We will not give in'", "Gov. Ana Ruiz"),
    "role behind a place": ("Avalon harbour official: 'We are deeply sorry'", "Avalon harbour official"),
    "role by its ending": ("Avalon pediatrician on measles: 'We are deeply sorry'", "Avalon pediatrician"),
    "introduced by a place": ("At Avalon Hall, Ruiz defends her plan: 'It is a force for good'", "Ruiz"),
    "behind a label": ("Exclusive — Ana Ruiz warns dockers: 'We will not give in'", "Ana Ruiz"),
    "second verb": ("Ana Ruiz accepts the award, says 'we will all gain from it'", "Ana Ruiz"),
    "second verb behind a colonless clause": (
        "Ana Ruiz barnstorms Avalon amid ferry row, says she wants to 'give it back to the people'",
        "Ana Ruiz",
    ),
    "another's clause": ("Dockers rise as Ana Ruiz calls the ban 'a gift to all of us'", "Ana Ruiz"),
    "noun that looks like a verb": ("Ruiz downplays ferry report: 'It means little to us'", "Ruiz"),
    "noun that looks like a verb, capitals": ("Ruiz Downplays Positive Ferry Report: 'It Means Little'", "Ruiz"),
    "antecedent": ("Avalon teacher who told parents they “can not read the plan at all” is out", "Avalon teacher"),
    "name before the colon of a claim with a quote": ("Ruiz: Dream of calm seas is ended by “Odell's fleet”", "Ruiz"),
    "verb of saying near the quote": ("Daily: Ana Ruiz announces a “half-day week for us” in Avalon", "Ana Ruiz"),
    "colon behind the quote": ("'We will not give in': Ana Ruiz slams the ferry ban", "Ana Ruiz"),
    "name behind the quote": ("'We will not give in': Ana Ruiz", "Ana Ruiz"),
    "organisation with a verb of saying": ("Ruiz campaign says 'we will all gain from it'", "Ruiz campaign"),
    "document": ("Ferry firm closes amid lawsuit alleging a 'pattern of neglect and fear'", "lawsuit"),
    "document behind": ("Ana Ruiz agreed to hide 'a long list of misdeeds,' indictment alleges", "indictment"),
    "not yet said": ("Mayor Ana Ruiz to say 'we will all gain from it' on Monday", "Mayor Ana Ruiz"),
    "adverb": ("Ana Ruiz falsely says Odell was 'proven to be a thief'", "Ana Ruiz"),
    "several": ("Ruiz, Odell: Ferry ban is “unfair to us all”", "Ruiz, Odell"),
}  # fmt: skip

#: Headlines whose last quote nobody in them is shown to say.
NOBODY = {
    "something takes effect": "Ferry Protection Act Takes Effect Today: 'Please Bring Your Boats Back'",
    "a mood": "Ruiz's mood takes a foul turn: 'She is cross with nearly all of us'",
    "a war": "Civil war looms for dockers after defeats: 'This is just the beginning'",
    "a map": "Avalon Electoral Map: District moves to a true “toss up of sorts”",
    "news": "Bad News: Ruiz's big “new start for us all” speech",
    "a label": "Exclusive: 'The harbour is two-faced and cold.' It rains",
    "a request": "Meet the people who gave away their boats: 'It is not our money'",
    "an organisation acts": "Avalon Senate passes bill on ferries: 'Is that boat in the bay?'",
    "said of a group": "Families divided at the harbour: 'The worst rule we have ever seen'",
    "passive": "Ferry plan called 'the greatest mistake of the year' is out",
    "passive with a preposition": "Ana Ruiz attacked for comparing Odell to a “very small teenage boy”",
    "explained": "The harbour’s “top two of the year” chaos, explained",
    "a refusal": "Ana Ruiz's refusal to ever say 'we are sorry'",
    "negated": "No, Ana Ruiz did not tell dockers to 'swim in the cold bay'",
    "a question about somebody": "Minister Ana Ruiz: Does she plan to make firms “reopen in the bay”?",
    "a claim of a topic": "Election Day: No Ferry Pass In Avalon",
    "a claim of a phrase": "Hard Reality: No Ferry Law Would Have Stopped It",
    "it is": "It's official: Dockers will not sail",
}  # fmt: skip


@pytest.mark.parametrize("name", SPEAKERS)
def test_the_speaker_is_named_with_no_word_too_many(name: str):
    headline, expected = SPEAKERS[name]
    assert named(headline) == expected


@pytest.mark.parametrize("name", NOBODY)
def test_nobody_is_named_where_nobody_speaks(name: str):
    assert [one and one.text for one in speakers(NOBODY[name])][-1:] in ([], [None])


PEOPLE = st.sampled_from(["Ana Ruiz", "Ruiz", "Gov. Ana Ruiz", "Avalon dockers", "Ruiz and Odell", "Ferry workers"])
OCCASIONS = st.sampled_from(["on the ferry ban", "at a rally", "to critics", "after the vote", "in Avalon", ""])
FRAMES = (
    "{who} {where}: '{said}'",
    "{who} says '{said}'",
    "'{said}': {who} slams ferry ban before vote",
    "'{said},' {who} says",
)


def in_title_case(words: str) -> str:
    return re.sub(r"(?<![\w'])[a-z]", lambda letter: letter[0].upper(), words)


@example("Avalon dockers", "on the ferry ban", FRAMES[0])
@given(PEOPLE, OCCASIONS, st.sampled_from(FRAMES))
def test_capitals_do_not_change_who_speaks(who: str, where: str, frame: str):
    said = "we will never give in to you"
    plain = " ".join(frame.format(who=who, where=where, said=said).split()).replace(" :", ":")
    capitals = in_title_case(plain.replace(said, "@")).replace("@", said)
    assert named(plain) == who
    assert named(capitals) == in_title_case(who)


@given(
    st.lists(st.sampled_from(["says", "Ruiz", "as", "to", "the", "report", ":", "-", "'no, we will not'", "who", "'s"]))
)
def test_a_speaker_lies_outside_the_quote_and_in_one_clause(words: list[str]):
    headline = " ".join(words)
    quotes = find_quotes(headline, "headline")
    for quote, one in zip(quotes, speakers(headline), strict=True):
        if one is not None:
            assert one.end <= quote.start or one.start >= quote.end
            assert ":" not in one.text and " - " not in one.text
