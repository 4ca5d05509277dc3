"""The full names of speakers: whose name a phrase gives, and whom a surname or pronoun means."""

import pytest
from tests.quotes.rows import rows

from quotelake.quotes.lexicon import ENGLISH
from quotelake.quotes.spans import find_quotes
from quotelake.quotes.speakers import Speaker, find_speakers
from quotelake.quotes.speakers.people import People, read_names


def last_speaker(text: str) -> Speaker:
    speaker = find_speakers(text, find_quotes(text))[-1]
    assert speaker is not None
    return speaker


#: Text | full name of its last quote's speaker, None where it must be left open.
NAMES = """
Ana Ruiz came. “No,” Ruiz said. | Ana Ruiz
Ana B. Ruiz came. “No,” Mayor Ruiz said. | Ana B. Ruiz
“No,” said Ana Ruiz, the mayor. | Ana Ruiz
Lee Odell rose from his chair. “Never again,” he said. | Lee Odell
Ms. Ruiz met Lee Odell. Ana Ruiz sat. Mr. Odell rose. “Never again,” he said. | Lee Odell
“No,” said Lee Odell. It was a bad day for Max Moran.¶“Never,” he added. | Lee Odell
“No,” said Lee Odell. It was Max Moran’s day.¶“Never,” he added. | Lee Odell
Mary Odell and John Odell came. “No,” Mrs. Odell said. | Mary Odell
“No,” said John Odell. Mary Moran smiled.¶“Never,” he added. | John Odell
Lee Odell and Max Odell came. “No,” Odell said. | None
“No,” said Lee Odell. Then Max Moran left.¶“Never,” he added. | Max Moran
Lee Odell left. “No,” the mayor said. “Never,” he added. | None
“Lee Odell was there,” she said. | None
“No,” Odell said. Lee Odell left. | None
Ana Ruiz left. “No,” they said. | None
The Avalon Times was sold. “No,” it said. | None
“No,” said Bill Ruiz. “Never,” Ruiz added. | Bill Ruiz
“No,” said Steve King. | Steve King
“No,” said Avalon College's Ana Ruiz. | Ana Ruiz
“No,” said Ana de la Ruiz. | Ana de la Ruiz
Mayor Ana Ruiz came late. “No,” the mayor said. | Ana Ruiz
Mayor Ana Ruiz and Mayor Lee Odell came. “No,” the mayor said. | None
Vice President Ana Ruiz came. “No,” the president said. | None
They heard Ana Ruiz, who said “we lost it.” | Ana Ruiz
“No,” said the mayor, Ana Ruiz. | Ana Ruiz
“No,” said the mayor of Avalon, Dr. Ana Ruiz. | Ana Ruiz
“No,” said Avalon’s principal cornet, Ana Ruiz, who came late. | Ana Ruiz
“No,” said an aide to the mayor, Ana Ruiz. | None
“No,” said the mother, whose son Max Moran left. | None
“No,” said Ana I. Ruiz. “Never,” Ms. Ruiz said. | Ana I. Ruiz
“No,” said Senate Majority Whip John Odell. | John Odell
Added Pia Ruiz: “No.” | Pia Ruiz
"""


@pytest.mark.parametrize(("text", "expected"), rows(NAMES))
def test_names(text: str, expected: str):
    speaker = last_speaker(text)
    assert str(speaker.name) == expected
    if speaker.name_start is not None:
        assert text[speaker.name_start : speaker.name_end] == expected
        assert speaker.name_start <= speaker.start or speaker.end > speaker.name_start


#: A full name in forms whose last word is not the surname as it stands, or with words of another sentence behind it.
FULL_NAMES = """
Ana Odell's dog left. | Ana Odell
Ana Odell Jr left. | Ana Odell
They thanked Ana Odell. The Avalon Times was sold. | Ana Odell
Ana Odell-Lee left. | None
Ana Odell and Max Odell left. | None
"""


@pytest.mark.parametrize(("text", "expected"), rows(FULL_NAMES))
@pytest.mark.parametrize("between", [0, 100])
def test_a_full_name_counts_however_far_in_front_and_whatever_stands_around_it(text: str, expected: str, between: int):
    speaker = last_speaker(text + " Then Harbour Watch closed the old harbour." * between + " “No,” Odell said.")
    assert str(speaker.name) == expected


#: Phrase of a speaker, after a sentence that names Ana Ruiz and Lee Odell in full | the full name it gives.
PHRASES = """
Mayor Ana Ruiz of Avalon | Ana Ruiz
Ana Ruiz at Harbour Watch | Ana Ruiz
Ana Ruiz Jr. | Ana Ruiz
Ruiz herself | Ana Ruiz
the harbour’s owner, Ana Ruiz, | Ana Ruiz
Odell lawyer Ana Ruiz | Ana Ruiz
Odell’s lawyer, Ana Ruiz, | Ana Ruiz
Editor in Chief Ana Ruiz | Ana Ruiz
one of the owners, Ana Ruiz, | Ana Ruiz
a Ruiz campaign official | None
Ruiz’s lawyer | None
Mayor Ana Ruiz’s chief of staff | None
a spokesman for Ruiz | None
a spokesman for Mayor Ana Ruiz | None
a source close to Ruiz | None
a spokeswoman of Ana Ruiz | None
Ruiz and Odell | None
Ana Ruiz and Lee Odell | None
"""


def speaker_of(phrase: str) -> Speaker:
    speaker = last_speaker(f"Ana Ruiz met Lee Odell. It rained. “We will sail on Monday,” {phrase} said.")
    assert speaker.text.startswith(phrase.rstrip(",")[:4])
    return speaker


@pytest.mark.parametrize(("phrase", "expected"), rows(PHRASES))
def test_a_name_is_taken_only_where_it_is_the_speakers(phrase: str, expected: str):
    assert str(speaker_of(phrase).name) == expected


def test_a_speaker_with_a_full_name_is_a_person_however_the_phrase_begins():
    assert speaker_of("one of the owners, Ana Ruiz,").type == "person"
    assert speaker_of("one of the owners").type == "anonymous"


def test_a_pronoun_does_not_mean_the_one_whose_aide_spoke():
    text = "Lee Odell won. “We will sail on Monday,” an Odell aide said. “All of us will sail,” he added."
    assert [one and one.name for one in find_speakers(text, find_quotes(text))] == [None, None]


def test_a_namesake_too_many_is_still_named_by_the_full_name():
    people = People(frozenset(), ENGLISH)
    given_names = [f"Q{'abcdefghij'[n // 10]}{'abcdefghij'[n % 10]}" for n in range(100)]
    for name in given_names:
        (mention,) = people.read(f"{name} Odell", f"{name} Odell", 0)
        assert mention.persons[0].full == (0, len(name) + 6)
    assert 1 < len(people.by_surname["Odell"]) < len(given_names)


def test_a_long_run_of_capitals_is_nobody_and_is_not_remembered():
    remembered = read_names.cache_info().currsize
    run = "Ana Ruiz " * 10_000 + "Odell"
    assert list(People(frozenset(), ENGLISH).read(run, run, 0)) == []
    assert read_names.cache_info().currsize == remembered
