"""Whose name a speaker's phrase gives: the speaker's, never that of the person whose aide, campaign or dog it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.quotes.spans import find_quotes
from quotelake.quotes.speakers import Speaker, find_speakers

#: Phrase of a speaker, after a sentence that names Ana Ruiz and Lee Odell in full; and the full name it gives.
PHRASES = {
    "Ruiz": "Ana Ruiz",
    "Mayor Ana Ruiz": "Ana Ruiz",
    "Mayor Ana Ruiz of Avalon": "Ana Ruiz",
    "Ana Ruiz at Harbour Watch": "Ana Ruiz",
    "Ana Ruiz Jr.": "Ana Ruiz",
    "Ruiz herself": "Ana Ruiz",
    "the harbour’s owner, Ana Ruiz,": "Ana Ruiz",
    "Odell lawyer Ana Ruiz": "Ana Ruiz",
    "Odell’s lawyer, Ana Ruiz,": "Ana Ruiz",
    "Editor in Chief Ana Ruiz": "Ana Ruiz",
    "one of the owners, Ana Ruiz,": "Ana Ruiz",
    "a Ruiz campaign official": None,
    "one Ruiz adviser": None,
    "the Ruiz supporter": None,
    "Ruiz’s lawyer": None,
    "Mayor Ana Ruiz’s chief of staff": None,
    "a spokesman for Ruiz": None,
    "a spokesman for Mayor Ana Ruiz": None,
    "a source close to Ruiz": None,
    "Ruiz and Odell": None,
    "Ana Ruiz and Lee Odell": None,
}


def speaker_of(phrase: str) -> Speaker:
    text = f"Ana Ruiz met Lee Odell. It rained. “We will sail on Monday,” {phrase} said."
    speaker = find_speakers(text, find_quotes(text))[-1]
    assert speaker is not None and speaker.text.startswith(phrase.rstrip(",")[:4])
    return speaker


@pytest.mark.parametrize("phrase", PHRASES)
def test_a_name_is_taken_only_where_it_is_the_speakers(phrase: str):
    assert speaker_of(phrase).name == PHRASES[phrase]


def test_a_speaker_with_a_full_name_is_a_person_however_the_phrase_begins():
    assert speaker_of("one of the owners, Ana Ruiz,").type == "person"
    assert speaker_of("one of the owners").type == "anonymous"


def test_a_pronoun_does_not_mean_the_one_whose_aide_spoke():
    text = "Lee Odell won. “We will sail on Monday,” an Odell aide said. “All of us will sail,” he added."
    assert [one and one.name for one in find_speakers(text, find_quotes(text))] == [None, None]


ROLES = st.sampled_from(["aide", "campaign official", "adviser", "lawyer", "spokesman", "supporter"])
OWNERS = st.sampled_from(["Ruiz", "Ana Ruiz", "Mayor Ana Ruiz"])
FRAMES = st.sampled_from(
    ["a {who} {role}", "a senior {who} {role}", "{who}’s {role}", "a {role} for {who}", "a {role} of {who}"]
)


@given(OWNERS, ROLES, FRAMES)
def test_nobody_is_the_role_somebody_has_for_them(who: str, role: str, frame: str):
    assert speaker_of(frame.format(who=who, role=role)).name is None
