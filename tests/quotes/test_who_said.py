"""Kinds of sentences in which the words are easily given to the wrong person: who says each, or nobody."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from quotelake.quotes.spans import find_quotes
from quotelake.quotes.speakers import find_speakers

#: Kind (``de`` in German) | text (¶: a new paragraph) | beginning of the quote | who says it: one or several, - for
#: nobody, !X for not X.
CASES = Path(__file__).with_name("who_said.txt")
#: Occupations that no list of words has.
OCCUPATIONS = "goalkeeper lifeguard barista sommelier trombonist wicketkeeper cheesemaker volcanologist janitor juggler"


def cases() -> Iterator[tuple[str, str, str, str]]:
    for line in CASES.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            kind, text, begins, right = line.split(" | ")
            yield kind[1:].strip() or "en", text.replace("¶", "\n\n"), begins, right


def speaker_of(text: str, begins: str, language: str = "en") -> str:
    quotes = find_quotes(text, language=language)
    found = zip(quotes, find_speakers(text, quotes, language=language), strict=True)
    return next(speaker.text if speaker else "-" for quote, speaker in found if quote.text.startswith(begins))


@pytest.mark.parametrize(("language", "text", "begins", "right"), list(cases()))
def test_who_said_it(language: str, text: str, begins: str, right: str):
    found = speaker_of(text, begins, language)
    assert right[1:] not in found if right.startswith("!") else found in right.split("/")


@pytest.mark.parametrize("occupation", OCCUPATIONS.split())
@pytest.mark.parametrize("phrase", ["{} Ito", "the {}", "tiny {} Mira Ito", "47-year-old {} Ito", "{}s", "one {}"])
def test_a_verb_behind_a_quote_has_its_own_subject(occupation: str, phrase: str):
    subject = phrase.format(occupation)
    text = f"“We lost the vote,” said Ana Ruiz. “It rained all day long on the pier,” added {subject}."
    assert speaker_of(text, "It rained") == subject


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("Ana Ruiz never said “we will sell every boat”.", ("denied",)),
        ("Ana Ruiz was misquoted as saying “we will sell every boat”.", ("denied",)),
        ("Ana Ruiz refused to say “we will sell every boat”.", ("denied",)),
        ("Ana Ruiz spoke of “a boat sale”, but declined to say more.", ()),
        ("Correction: This article originally attributed “we will sell it” to Ruiz.", ("withdrawn",)),
        ("Correction: An earlier version of this article quoted Ruiz as saying “we will sell it”.", ("withdrawn",)),
        ("Ana Ruiz said “we will never sell a boat”.", ()),
        ("“I never said it,” said Ana Ruiz. “We will sell every boat.”", ()),
        ("Ana Ruiz, who never liked boats, said “we will sell every boat”.", ()),
    ],
)
def test_a_flag_says_that_nobody_said_it(text: str, flags: tuple[str, ...]):
    assert find_quotes(text)[-1].flags == flags
