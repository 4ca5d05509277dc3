"""Who said it: one invented sentence for each rule, then refusals and properties of any text."""

import re
from functools import partial

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.growth import assert_linear
from tests.quotes.rows import rows

from quotelab.benchmarks.fuzz import wrong_speakers
from quotelake.quotes.spans import MODES, find_quotes
from quotelake.quotes.speakers import Speaker, find_speakers
from quotelake.quotes.speakers.clauses import SPEAKER_TYPES


def speakers(text: str, mode: str = "body") -> list[Speaker | None]:
    """Of a text in English, or in Korean if it holds Hangul."""
    language = "ko" if re.search("[가-힣]", text) else "en"
    return find_speakers(text, find_quotes(text, mode), mode, language)


def named(text: str, mode: str = "body") -> str | None:
    found = speakers(text, mode)[-1:]
    return found[0].text if found and found[0] else None


#: Text | speaker of its last direct quote | cue, place and type.
BODIES = """
It is so. Ana Ruiz said “we lost.” | Ana Ruiz | say before person
“We lost it,” Ana Ruiz said. | Ana Ruiz | say after person
“We lost it,” she later told reporters. | she | tell after person
“We lost it,” said Mayor Ana Ruiz. | Mayor Ana Ruiz | say after person
“No,” campaign manager Lee Odell wrote. | campaign manager Lee Odell | write after person
“No,” a spokesman for the union said. | a spokesman for the union | say after anonymous
“We lost it,” said Ana Ruiz, the mayor of Avalon. | Ana Ruiz, the mayor of Avalon | say after person
“We lost it,” Ana Ruiz, the mayor of Avalon, said. | Ana Ruiz, the mayor of Avalon | say after person
“We lost it,” Ana Ruiz, after a pause, said. | Ana Ruiz | say after person
“We lost it,” Ana Ruiz (D-Avalon) said. | Ana Ruiz (D-Avalon) | say after person
“We lost it,” Ana Ruiz and Lee Odell said. | Ana Ruiz and Lee Odell | say after person
“We lost it,” according to Ana Ruiz. | Ana Ruiz | according after person
“We lost it all.” — Ana Ruiz | Ana Ruiz | None after person
“We lost it all.” ~ Ana Ruiz | Ana Ruiz | None after person
To speak of “a lost year for us” would be wrong, Ana Ruiz said. | Ana Ruiz | say after person
Ana Ruiz said, “We lost it.” | Ana Ruiz | say before person
On Monday, Ana Ruiz told the press: “We lost it.” | Ana Ruiz | tell before person
Ana Ruiz, 50, the mayor of Avalon, said: “We lost it.” | Ana Ruiz, 50, the mayor of Avalon | say before person
According to Ana Ruiz, “we lost it.” | Ana Ruiz | according before person
Ana Ruiz: “We lost it.” | Ana Ruiz | : colon person
No deal on the harbour - Ana Ruiz: “We lost it.” | Ana Ruiz | : colon person
As Lee Odell said, Ana Ruiz called it “a mess.” | Ana Ruiz | call before person
Lee Odell said the staff expect “a mess.” | Lee Odell | say before person
And last year she said: “We lost it.” | she | say before person
The port founder and Chairman Ana Ruiz said “we lost it.” | Chairman Ana Ruiz | say before person
It leaks, says Ana Ruiz, “and it will.” | Ana Ruiz | say before person
Ana Ruiz, who lost, told Lee Odell, “We lost it.” | Ana Ruiz, who lost | tell before person
Ana Ruiz used the visit to say “we lost it.” | Ana Ruiz | say before person
Ana Ruiz praised the staff and called it “a mess.” | Ana Ruiz | call before person
Ana Ruiz criticized the plan, calling it “a mess.” | Ana Ruiz | call before person
Ana Ruiz was quoted as saying “we lost it.” | Ana Ruiz | say before person
As Ana Ruiz put it, “we lost it.” | Ana Ruiz | put before person
He met the mayor, who called it “a mess.” | who | call before person
Because it rained, explained Ana Ruiz, “we lost it.” | Ana Ruiz | explain before person
Ana Ruiz told the press:¶“We lost it.” | Ana Ruiz | tell before person
Ana Ruiz disagreed. “We lost it all.” | Ana Ruiz | disagree continued person
“We lost,” Ana Ruiz said. “But we learned.” | Ana Ruiz | say continued person
Ana Ruiz said it was “a mess” and “a shame for us all.” | Ana Ruiz | say continued person
“We lost,” said Ana Ruiz, R-Wis., on Monday. “But we learned.” | Ana Ruiz, R-Wis. | say continued person
Ana Ruiz told the press:¶“We lost it.”¶“But we learned.” | Ana Ruiz | tell continued person
“We lost,” Ana Ruiz said.¶“But we learned.” | Ana Ruiz | say continued person
“Go home now,” protesters shouted. | protesters | shout after crowd
“It leaks,” the report said. | the report | say after document
“It leaks,” the Harbour Authority said. | the Harbour Authority | say after organisation
“It leaks,” one aide said. | one aide | say after anonymous
“It leaks,” the mayor said. | the mayor | say after person
김하늘 장관은 “이제 끝났다”고 말했다. | 김하늘 장관 | 말하다 before person
“이제 끝났다”고 김하늘 장관은 밝혔다. | 김하늘 장관 | 밝히다 after person
그는 기자들과 만나 “우리는 간다”라고 강조했다. | 그 | 강조하다 before person
새봄당 한 의원은 “그럴 수 없다”고 주장했다. | 새봄당 한 의원 | 주장하다 before anonymous
보고서는 “물이 줄었다”고 지적했다. | 보고서 | 지적하다 before document
주민들이 “못 간다”면서 외쳤다. | 주민들 | 외치다 before crowd
한빛위원회는 “다시 세겠다”고 발표했다. | 한빛위원회 | 발표하다 before organisation
"""
HEADLINES = """
김하늘 장관 “이제 끝났다” | 김하늘 장관 | None before person
김하늘 장관: “이제 끝났다” | 김하늘 장관 | : colon person
Mayor: 'We won't go' | Mayor | : colon person
'We won't go' - dockers | dockers | None after crowd
'We won't go', says mayor | mayor | say after person
Ana Ruiz Says 'We Lost It All Today' | Ana Ruiz | say before person
Bank chief: We will not cut rates | Bank chief | : colon person
"""
RULES = [(mode, *row) for mode, table in (("body", BODIES), ("headline", HEADLINES)) for row in rows(table)]


@pytest.mark.parametrize(("mode", "text", "phrase", "rest"), RULES)
def test_each_rule_tells_speaker_cue_place_and_type(mode: str, text: str, phrase: str, rest: str):
    speaker = speakers(text, mode)[-1]
    assert speaker is not None
    assert (speaker.text, f"{speaker.cue_lemma} {speaker.how} {speaker.type}") == (phrase, rest)
    cue = text[speaker.cue_start : speaker.cue_end].lower()
    assert speaker.cue_lemma is None or cue[0] == speaker.cue_lemma[0]


#: Headline | speaker of its last quote or claim, with no word too many.
OF_HEADLINES = """
Ruiz to Odell: 'You will not win this' | Ruiz
Ruiz to Odell: Stop using my name | Ruiz
Ana Ruiz Corrects Lee Odell: 'We Will Not Give In' | Ana Ruiz
Ruiz fires back at Odell: 'We will not give in' | Ruiz
Ruiz hits back at 'the worst of all our mayors' | Ruiz
Gov. Ana Ruiz to dockers: 'We will not give in' | Gov. Ana Ruiz
Avalon harbour official: 'We are deeply sorry' | Avalon harbour official
Avalon pediatrician on measles: 'We are deeply sorry' | Avalon pediatrician
Exclusive — Ana Ruiz warns dockers: 'We will not give in' | Ana Ruiz
Ana Ruiz accepts the award, says 'we will all gain from it' | Ana Ruiz
Ana Ruiz barnstorms Avalon amid ferry row, says she wants to 'give it back to the people' | Ana Ruiz
Dockers rise as Ana Ruiz calls the ban 'a gift to all of us' | Ana Ruiz
Ruiz downplays ferry report: 'It means little to us' | Ruiz
Ruiz Downplays Positive Ferry Report: 'It Means Little' | Ruiz
Ruiz: Dream of calm seas is ended by “Odell's fleet” | Ruiz
'We will not give in': Ana Ruiz slams the ferry ban | Ana Ruiz
'We will not give in': Ana Ruiz | Ana Ruiz
Ruiz campaign says 'we will all gain from it' | Ruiz campaign
Ana Ruiz agreed to hide 'a long list of misdeeds,' indictment alleges | indictment
Ana Ruiz falsely says Odell was 'proven to be a thief' | Ana Ruiz
Ruiz, Odell: Ferry ban is “unfair to us all” | Ruiz, Odell
"""


@pytest.mark.parametrize(("headline", "expected"), rows(OF_HEADLINES))
def test_the_speaker_of_a_headline(headline: str, expected: str):
    assert named(headline, "headline") == expected


NOBODY_IN_BODIES = """
“We lost it,” the said.
Ana Ruiz was asked, “Do you know why?”
It rained all day. “We lost it all.” Then it stopped.
She read “The Long Road Home” aloud.
The so-called “experts” said nothing.
He took up her claim that “we lost it all” again.
They count what some have dubbed “a very long list of towns.”
Ana Ruiz said “we lost.” It rained on a set of “very old and tired” benches.
Ana Ruiz called it “a mess of the worst kind.”¶“But we learned.”
His call for “a better and fairer town” was heard.
“We lost,” Ana Ruiz said.¶It rained.¶Then came a sign with “no entry for dogs.”
“이제 끝났다.”
바람이 분다. “이제 끝났다.” 비가 온다.
어제 “푸른 밤”을 보았다.
"""
#: Things that take effect or a turn, labels, requests, passives, negations, topics.
NOBODY_IN_HEADLINES = """
Ferry Protection Act Takes Effect Today: 'Please Bring Your Boats Back'
Ruiz's mood takes a foul turn: 'She is cross with nearly all of us'
Civil war looms for dockers after defeats: 'This is just the beginning'
Avalon Electoral Map: District moves to a true “toss up of sorts”
Bad News: Ruiz's big “new start for us all” speech
Exclusive: 'The harbour is two-faced and cold.' It rains
Meet the people who gave away their boats: 'It is not our money'
Ferry plan called 'the greatest mistake of the year' is out
Ana Ruiz attacked for comparing Odell to a “very small teenage boy”
The harbour’s “top two of the year” chaos, explained
Ana Ruiz's refusal to ever say 'we are sorry'
No, Ana Ruiz did not tell dockers to 'swim in the cold bay'
Election Day: No Ferry Pass In Avalon
Hard Reality: No Ferry Law Would Have Stopped It
It's official: Dockers will not sail
"""


@pytest.mark.parametrize(
    ("mode", "text"),
    [("body", text) for (text,) in rows(NOBODY_IN_BODIES)]
    + [("headline", text) for (text,) in rows(NOBODY_IN_HEADLINES)],
)
def test_nobody_is_named_where_nobody_speaks(mode: str, text: str):
    assert named(text, mode) is None


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
    assert named(plain, "headline") == who
    assert named(capitals, "headline") == in_title_case(who)


#: Text | speaker, place and cue of each of its quotes.
SEVERAL = """
“We lost,” Ana Ruiz said, “but we learned.” | Ana Ruiz inside say | Ana Ruiz inside say
Floods are “a crisis of our time” and “a shame for us,” Ruiz said. | Ruiz after say | Ruiz after say
“My friend said, ‘Run now or never,’ and I ran,” Ana Ruiz told us. | Ana Ruiz after tell | My friend before say
시청 관계자는 “보고 있다”며 “곧 알린다”고 전했다. | 시청 관계자 before None | 시청 관계자 continued None
시청 관계자는 “보고 있다”며 “곧 발표한다”고 전했다. | 시청 관계자 before None | 시청 관계자 continued None
"""


@pytest.mark.parametrize("row", rows(SEVERAL))
def test_who_says_each_of_several_quotes(row: list[str]):
    text, *expected = row
    assert [f"{one.text} {one.how} {one.cue_lemma}" if one else "nobody" for one in speakers(text)] == expected


def test_the_head_ends_where_the_apposition_begins():
    text = "“We lost it,” said Mayor Ana Ruiz, who built the harbour."
    (speaker,) = speakers(text)
    assert speaker and text[speaker.start : speaker.head_end] == "Mayor Ana Ruiz"


@pytest.mark.parametrize("code", ["xx", "de", None, "../en"])
def test_a_language_without_rules_finds_nobody(code: str | None):
    text = "“We lost it,” Ana Ruiz said."
    assert find_speakers(text, find_quotes(text), "body", code) == [None]


def test_character_references_do_not_hide_who_speaks():
    raw = "&quot;We lost &amp; learned,&quot; said Mayor Ren&eacute;e Ruiz. &#8220;All of it,&#8221; she added."
    first, second = speakers(raw)
    assert first is not None and second is not None
    assert (first.text, raw[first.start : first.end]) == ("Mayor Ren&eacute;e Ruiz", first.text)
    assert (second.text, second.name) == ("she", "Ren&eacute;e Ruiz")


WORDS = (
    "said|says|as|and|to|Ana Ruiz|Lee Odell|he|she|Mr.|the mayor|according to|calling|report|that|who|of|was told|U.S.|"
    "🙂|\ud800|’s|'no, we will not'"
)
PIECES = st.sampled_from([*"\"“”‘’',.:;!?—-()\n~ ", "\n\n", *WORDS.split("|")])


@settings(max_examples=400, deadline=None)
@given(st.lists(PIECES | st.text(max_size=5), max_size=40), st.sampled_from(["", " "]), st.sampled_from(MODES))
def test_offsets_reproduce_whatever_the_text(pieces: list[str], space: str, mode: str):
    text = space.join(pieces)
    quotes = find_quotes(text, mode)
    for code in ("en", "ko"):
        found = find_speakers(text, quotes, mode, code)
        assert wrong_speakers(text, quotes, found) is None
        for quote, one in zip(quotes, found, strict=True):
            if one is None:
                continue
            assert quote.kind in ("direct", "colon_claim") and one.text
            assert one.how in ("before", "after", "inside", "colon", "continued") and one.type in SPEAKER_TYPES
            if mode == "headline" and code == "en":
                assert one.end <= quote.start or one.start >= quote.end
                assert ":" not in one.text and " - " not in one.text


HOSTILE = [
    *('a "b" ', "and said to say saying ", 'and said to say "we won it all" ', "Ana Ruiz Lee Odell "),
    *('Ana, the, a, of, "we won it all," ', 'he said "we won it all." ', 'Ana ((((((((( said "we won it all" '),
    *('he said:\n"we won it all"\n', '"we won it all"' + " " * 40),
]


@pytest.mark.slow
@pytest.mark.parametrize("unit", HOSTILE)
def test_time_grows_with_the_length(unit: str):
    texts = {size: unit * (size // len(unit)) for size in (20_000, 200_000)}
    assert_linear(lambda size: partial(find_speakers, texts[size], find_quotes(texts[size])), 20_000)


def test_long_lines_of_korean_quotes_take_linear_time():
    text = '김하늘 장관은 "가" ' * 4000
    assert len(speakers(text)) == 4000
