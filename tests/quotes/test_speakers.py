"""Who said it, in English: one invented sentence for each rule, then names, refusals and properties of any text."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.growth import assert_linear

from quotelake.quotes.spans import MODES, find_quotes
from quotelake.quotes.speakers import Speaker, find_speakers


def speakers(text: str, mode: str = "body") -> list[Speaker | None]:
    return find_speakers(text, find_quotes(text, mode), mode)


def shown(speaker: Speaker | None) -> tuple[str, str | None, str, str] | None:
    return speaker and (speaker.text, speaker.cue_lemma, speaker.how, speaker.type)


#: Text, and (speaker, cue, where, type) of its last direct quote.
RULES = {
    # behind the quote
    "name, verb": ("“We lost it,” Ana Ruiz said.", ("Ana Ruiz", "say", "after", "person")),
    "verb, name": ("“We lost it,” said Ana Ruiz.", ("Ana Ruiz", "say", "after", "person")),
    "pronoun": ("“We lost it,” she later told reporters.", ("she", "tell", "after", "person")),
    "title in front": ("“We lost it,” said Mayor Ana Ruiz.", ("Mayor Ana Ruiz", "say", "after", "person")),
    "role in front": (
        "“No,” campaign manager Lee Odell wrote.",
        ("campaign manager Lee Odell", "write", "after", "person"),
    ),
    "role of": ("“No,” a spokesman for the union said.", ("a spokesman for the union", "say", "after", "anonymous")),
    "apposition, verb in front": (
        "“We lost it,” said Ana Ruiz, the mayor of Avalon.",
        ("Ana Ruiz, the mayor of Avalon", "say", "after", "person"),
    ),
    "apposition, verb behind": (
        "“We lost it,” Ana Ruiz, the mayor of Avalon, said.",
        ("Ana Ruiz, the mayor of Avalon", "say", "after", "person"),
    ),
    "adverbial aside": ("“We lost it,” Ana Ruiz, after a pause, said.", ("Ana Ruiz", "say", "after", "person")),
    "party in brackets": ("“We lost it,” Ana Ruiz (D-Avalon) said.", ("Ana Ruiz (D-Avalon)", "say", "after", "person")),
    "two who speak": (
        "“We lost it,” Ana Ruiz and Lee Odell said.",
        ("Ana Ruiz and Lee Odell", "say", "after", "person"),
    ),
    "day between": ("“We lost it,” Ruiz on Monday said.", ("Ruiz", "say", "after", "person")),
    "according to": ("“We lost it,” according to Ana Ruiz.", ("Ana Ruiz", "according", "after", "person")),
    "dash": ("“We lost it all.” — Ana Ruiz", ("Ana Ruiz", None, "after", "person")),
    "tilde": ("“We lost it all.” ~ Ana Ruiz", ("Ana Ruiz", None, "after", "person")),
    "end of the sentence": (
        "To speak of “a lost year for us” would be wrong, Ana Ruiz said.",
        ("Ana Ruiz", "say", "after", "person"),
    ),
    # in front of the quote
    "verb and comma": ("Ana Ruiz said, “We lost it.”", ("Ana Ruiz", "say", "before", "person")),
    "verb and colon": ("On Monday, Ana Ruiz told the press: “We lost it.”", ("Ana Ruiz", "tell", "before", "person")),
    "apposition": (
        "Ana Ruiz, 50, the mayor of Avalon, said: “We lost it.”",
        ("Ana Ruiz, 50, the mayor of Avalon", "say", "before", "person"),
    ),
    "according to, in front": ("According to Ana Ruiz, “we lost it.”", ("Ana Ruiz", "according", "before", "person")),
    "colon alone": ("Ana Ruiz: “We lost it.”", ("Ana Ruiz", ":", "colon", "person")),
    "label behind a dash": ("No deal on the harbour - Ana Ruiz: “We lost it.”", ("Ana Ruiz", ":", "colon", "person")),
    "appraisal": ("Ana Ruiz called the plan “a mess of the worst kind.”", ("Ana Ruiz", "call", "before", "person")),
    "partial quote": ("Ana Ruiz said the plan was “a mess.”", ("Ana Ruiz", "say", "before", "person")),
    "nearest clause": ("As Lee Odell said, Ana Ruiz called it “a mess.”", ("Ana Ruiz", "call", "before", "person")),
    "clause in what somebody says": (
        "Lee Odell said the staff expect “a mess.”",
        ("Lee Odell", "say", "before", "person"),
    ),
    "time and conjunction in front": ("And last year she said: “We lost it.”", ("she", "say", "before", "person")),
    "after a role and and": (
        "The port founder and Chairman Ana Ruiz said “we lost it.”",
        ("Chairman Ana Ruiz", "say", "before", "person"),
    ),
    "inverted, between commas": ("It leaks, says Ana Ruiz, “and it will.”", ("Ana Ruiz", "say", "before", "person")),
    "who is told": (
        "Ana Ruiz, who lost, told Lee Odell, “We lost it.”",
        ("Ana Ruiz, who lost", "tell", "before", "person"),
    ),
    "infinitive": ("Ana Ruiz used the visit to say “we lost it.”", ("Ana Ruiz", "say", "before", "person")),
    "coordinated": ("Ana Ruiz praised the staff and called it “a mess.”", ("Ana Ruiz", "call", "before", "person")),
    "participle": ("Ana Ruiz criticized the plan, calling it “a mess.”", ("Ana Ruiz", "call", "before", "person")),
    "passive of quote": ("Ana Ruiz was quoted as saying “we lost it.”", ("Ana Ruiz", "say", "before", "person")),
    "statement": ("In a statement, Ana Ruiz said “we lost it.”", ("Ana Ruiz", "say", "before", "person")),
    "as somebody put it": ("As Ana Ruiz put it, “we lost it.”", ("Ana Ruiz", "put", "before", "person")),
    "relative": ("He met the mayor, who called it “a mess.”", ("who", "call", "before", "person")),
    "said, then": ("Because it rained, explained Ana Ruiz, “we lost it.”", ("Ana Ruiz", "explain", "before", "person")),
    "line above": ("Ana Ruiz told the press:\n\n“We lost it.”", ("Ana Ruiz", "tell", "before", "person")),
    "introduced by its sentence": (
        "Ana Ruiz disagreed. “We lost it all.”",
        ("Ana Ruiz", "disagree", "continued", "person"),
    ),
    # from quote to quote
    "interrupted": ("“We lost,” Ana Ruiz said, “but we learned.”", ("Ana Ruiz", "say", "inside", "person")),
    "second sentence": ("“We lost,” Ana Ruiz said. “But we learned.”", ("Ana Ruiz", "say", "continued", "person")),
    "second part": (
        "Ana Ruiz said it was “a mess” and “a shame for us all.”",
        ("Ana Ruiz", "say", "continued", "person"),
    ),
    "said of a party": (
        "“We lost,” said Ana Ruiz, R-Wis., on Monday. “But we learned.”",
        ("Ana Ruiz, R-Wis.", "say", "continued", "person"),
    ),
    "paragraph behind a colon": (
        "Ana Ruiz told the press:\n\n“We lost it.”\n\n“But we learned.”",
        ("Ana Ruiz", "tell", "continued", "person"),
    ),
    "next paragraph": ("“We lost,” Ana Ruiz said.\n\n“But we learned.”", ("Ana Ruiz", "say", "continued", "person")),
    # who they are
    "crowd": ("“Go home now,” protesters shouted.", ("protesters", "shout", "after", "crowd")),
    "document": ("“It leaks,” the report said.", ("the report", "say", "after", "document")),
    "organisation": (
        "“It leaks,” the Harbour Authority said.",
        ("the Harbour Authority", "say", "after", "organisation"),
    ),
    "unnamed": ("“It leaks,” one aide said.", ("one aide", "say", "after", "anonymous")),
    "known by role": ("“It leaks,” the mayor said.", ("the mayor", "say", "after", "person")),
}  # fmt: skip


@pytest.mark.parametrize("name", RULES)
def test_rules(name: str):
    text, expected = RULES[name]
    assert shown(speakers(text)[-1]) == expected


HEADLINES = {
    "colon": ("Mayor: 'We won't go'", ("Mayor", ":", "colon", "person")),
    "dash": ("'We won't go' - dockers", ("dockers", None, "after", "crowd")),
    "verb behind": ("'We won't go', says mayor", ("mayor", "say", "after", "person")),
    "verb in front": ("Ana Ruiz says 'we lost it all today'", ("Ana Ruiz", "say", "before", "person")),
    "appraisal": ("Mayor calls plan 'a mess of the worst kind'", ("Mayor", "call", "before", "person")),
    "capitals": ("Ana Ruiz Says 'We Lost It All Today'", ("Ana Ruiz", "say", "before", "person")),
    "claim without marks": ("Bank chief: We will not cut rates", ("Bank chief", ":", "colon", "person")),
}


@pytest.mark.parametrize("name", HEADLINES)
def test_headlines(name: str):
    text, expected = HEADLINES[name]
    assert shown(speakers(text, "headline")[-1]) == expected


NOBODY = {
    "passive": "Ana Ruiz was asked, “Do you know why?”",
    "no clause": "It rained all day. “We lost it all.” Then it stopped.",
    "title": "She read “The Long Road Home” aloud.",
    "scare quote": "The so-called “experts” said nothing.",
    "noun of saying": "He took up her claim that “we lost it all” again.",
    "clause in what nobody says": "They count what some have dubbed “a very long list of towns.”",
    "quote in another sentence": "Ana Ruiz said “we lost.” It rained on a set of “very old and tired” benches.",
    "paragraph behind a clause": "Ana Ruiz called it “a mess of the worst kind.”\n\n“But we learned.”",
    "a noun that looks like a verb": "His call for “a better and fairer town” was heard.",
    "paragraph between": "“We lost,” Ana Ruiz said.\n\nIt rained.\n\nThen came a sign with “no entry for dogs.”",
}  # fmt: skip


@pytest.mark.parametrize("name", NOBODY)
def test_nobody_is_named(name: str):
    assert speakers(NOBODY[name])[-1] is None


def test_parts_of_one_utterance_are_both_inside():
    first, second = speakers("“We lost,” Ana Ruiz said, “but we learned.”")
    assert first and second and (first.how, second.how) == ("inside", "inside")


def test_a_clause_behind_the_last_part_serves_the_first():
    first, second = speakers("Floods are “a crisis of our time” and “a shame for us,” Ana Ruiz proclaimed.")
    assert first and second and first.text == second.text == "Ana Ruiz"


def test_a_nested_quote_has_its_own_speaker_or_none():
    outer, inner = speakers("“My friend said, ‘Run now or never,’ and I ran,” Ana Ruiz told us.")
    assert shown(outer) == ("Ana Ruiz", "tell", "after", "person")
    assert inner and inner.text == "My friend"
    outer, inner = speakers("“She told us of ‘a new and better day’ often,” Ana Ruiz said.")
    assert inner is None or inner.text != "Ana Ruiz"


def test_the_head_ends_where_the_apposition_begins():
    text = "“We lost it,” said Mayor Ana Ruiz, who built the harbour."
    (speaker,) = speakers(text)
    assert speaker and text[speaker.start : speaker.head_end] == "Mayor Ana Ruiz"


def test_a_language_without_rules_finds_nobody():
    text = "“We lost it,” Ana Ruiz said."
    for code in ("xx", "de", None, "../en"):
        assert find_speakers(text, find_quotes(text), "body", code) == [None]


def test_character_references_do_not_hide_who_speaks():
    raw = "&quot;We lost &amp; learned,&quot; said Mayor Ren&eacute;e Ruiz. &#8220;All of it,&#8221; she added."
    first, second = find_speakers(raw, find_quotes(raw))
    assert first is not None and second is not None
    assert (first.text, raw[first.start : first.end]) == ("Mayor Ren&eacute;e Ruiz", first.text)
    assert (second.text, second.name) == ("she", "Ren&eacute;e Ruiz")


#: Text, and the full name of its last quote's speaker, None where it must be left open.
NAMES = {
    "surname": ("Ana Ruiz came. “No,” Ruiz said.", "Ana Ruiz"),
    "title and surname": ("Ana B. Ruiz came. “No,” Mayor Ruiz said.", "Ana B. Ruiz"),
    "the full name itself": ("“No,” said Ana Ruiz, the mayor.", "Ana Ruiz"),
    "he who spoke last": ("“No,” said Lee Odell. It rained.\n\n“Never,” he added.", "Lee Odell"),
    "unquoted speech counts": ("Lee Odell said it rained.\n\n“Never again,” he added.", "Lee Odell"),
    "subject of the sentence": ("Lee Odell rose from his chair. “Never again,” he said.", "Lee Odell"),
    "a pronoun's title tells": (
        "Ms. Ruiz met Lee Odell. Ana Ruiz sat. Mr. Odell rose. “Never again,” he said.",
        "Lee Odell",
    ),
    "object of a preposition": (
        "“No,” said Lee Odell. It was a bad day for Max Moran.\n\n“Never,” he added.",
        "Lee Odell",
    ),
    "owner": ("“No,” said Lee Odell. It was Max Moran’s day.\n\n“Never,” he added.", "Lee Odell"),
    "couple, told apart by title": ("Mary Odell and John Odell came. “No,” Mrs. Odell said.", "Mary Odell"),
    "other gender between": ("“No,” said John Odell. Mary Moran smiled.\n\n“Never,” he added.", "John Odell"),
    "couple": ("Lee Odell and Max Odell came. “No,” Odell said.", None),
    "two who compete": ("“No,” said Lee Odell. Then Max Moran left.\n\n“Never,” he added.", None),
    "the mayor in between": ("Lee Odell left. “No,” the mayor said. “Never,” he added.", None),
    "a name inside a quote": ("“Lee Odell was there,” she said.", None),
    "full name only later": ("“No,” Odell said. Lee Odell left.", None),
    "many": ("Ana Ruiz left. “No,” they said.", None),
    "an organisation": ("The Avalon Times was sold. “No,” it said.", None),
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_names(name: str):
    text, expected = NAMES[name]
    speaker = speakers(text)[-1]
    assert speaker is not None
    assert speaker.name == expected
    if speaker.name_start is not None:
        assert text[speaker.name_start : speaker.name_end] == expected
        assert speaker.name_start <= speaker.start or speaker.end > speaker.name_start


#: A full name in forms whose last word is not the surname as it stands, or with words of another sentence behind it.
FULL_NAMES = {
    "plain": ("Ana Odell left.", "Ana Odell"),
    "possessive": ("Ana Odell's dog left.", "Ana Odell"),
    "suffix": ("Ana Odell Jr left.", "Ana Odell"),
    "next sentence": ("They thanked Ana Odell. The Avalon Times was sold.", "Ana Odell"),
    "double surname": ("Ana Odell-Lee left.", None),
    "two of the surname": ("Ana Odell and Max Odell left.", None),
}


@pytest.mark.parametrize("form", FULL_NAMES)
@pytest.mark.parametrize("between", [0, 100])
def test_a_full_name_counts_however_far_in_front_and_whatever_stands_around_it(form: str, between: int):
    text, expected = FULL_NAMES[form]
    speaker = speakers(text + " Then Harbour Watch closed the old harbour." * between + " “No,” Odell said.")[-1]
    assert speaker is not None
    assert speaker.name == expected


PIECES = st.sampled_from(
    [*'"“”‘’\',.:;!?—-()\n~', "\n\n", " ", "said", "say", "and", "to", "Ana Ruiz", "Lee Odell", "he", "she", "Mr.",
     "the mayor", "according to", "calling", "that", "who", "of", "was told", "U.S.", "🙂", "\ud800", "claim", "’s"]
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.lists(PIECES | st.text(max_size=5), max_size=40), st.sampled_from(["", " "]), st.sampled_from(MODES))
def test_offsets_reproduce_whatever_the_text(pieces: list[str], space: str, mode: str):
    text = space.join(pieces)
    quotes = find_quotes(text, mode)
    for code in ("en", "ko"):
        found = find_speakers(text, quotes, mode, code)
        assert len(found) == len(quotes)
        for quote, one in zip(quotes, found, strict=True):
            if one is None:
                continue
            assert quote.kind in ("direct", "colon_claim")
            assert one.text and text[one.start : one.end] == one.text
            assert one.start < one.head_end <= one.end
            assert (one.cue_start is None) == (one.cue_end is None) == (one.cue_lemma is None)
            assert (one.name is None) == (one.name_start is None)
            assert one.name_start is None or text[one.name_start : one.name_end] == one.name
            assert one.how in ("before", "after", "inside", "colon", "continued")
            assert one.type in ("person", "organisation", "document", "anonymous", "crowd")


HOSTILE = {
    "quotes in one line": 'a "b" ',
    "verbs": "and said to say saying ",
    "verbs and quotes": 'and said to say "we won it all" ',
    "names": "Ana Ruiz Lee Odell ",
    "commas": 'Ana, the, a, of, "we won it all," ',
    "pronouns": 'he said "we won it all." ',
    "brackets": 'Ana ((((((((( said "we won it all" ',
    "lines": 'he said:\n"we won it all"\n',
    "spaces": '"we won it all"' + " " * 40,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_time_grows_with_the_length(name: str):
    def work(size: int) -> Callable[[], object]:
        text = HOSTILE[name] * (size // len(HOSTILE[name]))
        quotes = find_quotes(text)
        return lambda: find_speakers(text, quotes)

    assert_linear(work, 20_000)
