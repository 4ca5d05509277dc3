"""Captions are what people say: without their frame, each line once, with its speaker and the line of the file."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import quotelake
from quotelake.drafts.formats import read_plain

WORDS = ["we", "counted", "the", "budget", "twice", "and", "the", "harbour", "gets", "less", "money", "than", "before"]


def cues(arrow: str, *, number: bool, size: int = 4) -> str:
    lines = [" ".join(WORDS[at : at + size]) for at in range(0, len(WORDS), size)]
    return "\n\n".join(
        (f"{at + 1}\n" if number else "") + arrow.format(at, at + 1) + f"\n{line}" for at, line in enumerate(lines)
    )


FORMS = {
    "vtt": "WEBVTT - A title\n\nNOTE made by hand\n\n"
    + cues("00:00:0{}.000 --> 00:00:0{}.000 align:start", number=False),
    "short.vtt": "WEBVTT\n\n" + cues("00:0{}.000 --> 00:0{}.000", number=False),
    "named.vtt": "WEBVTT\n\nSTYLE\n::cue { color: red }\n\n" + cues("00:0{}.000 --> 00:0{}.000", number=True),
    "srt": cues("00:00:0{},000 --> 00:00:0{},000", number=True),
    "crlf.srt": cues("00:00:0{},000 --> 00:00:0{},000", number=True).replace("\n", "\r\n"),
    "sbv": cues("0:00:0{}.000,0:00:0{}.000", number=False),
    "txt": cues("00:00:0{},000 --> 00:00:0{},000", number=True),  # known by its lines
    "whisper.txt": "\n".join(
        f"[00:0{at}.000 --> 00:0{at + 1}.000]  {' '.join(WORDS[at * 4 : at * 4 + 4])}" for at in range(4)
    ),
    "copied.txt": "\n".join(f"0:0{at}\n{' '.join(WORDS[at * 3 : at * 3 + 3])}" for at in range(5)),
    "beside.txt": "\n".join(f"00:0{at} {' '.join(WORDS[at * 3 : at * 3 + 3])}" for at in range(5)),
    "styled.srt": cues("00:00:0{},000 --> 00:00:0{},000", number=True).replace(
        "we counted", "<i>{\\an8}we</i> counted"
    ),
    "words.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\n"
    + " ".join(f"<00:00:01.{at}00><c> {word}</c>" for at, word in enumerate(WORDS)),
    "scrolled.vtt": "WEBVTT\n\n"
    + "\n\n".join(
        f"00:0{at}.000 --> 00:0{at + 1}.000\n{' '.join(WORDS[max(at - 1, 0) * 4 : at * 4])}\n"
        + " ".join(WORDS[at * 4 : at * 4 + 4])
        for at in range(4)
    ).replace("\n\nwe", "\nwe"),
    "entities.vtt": "WEBVTT\n\n"
    + cues("00:0{}.000 --> 00:0{}.000", number=False).replace("we counted", "we&nbsp;counted"),
}


@pytest.mark.parametrize("name", FORMS)
def test_what_is_spoken_is_one_text(name: str):
    assert read_plain(FORMS[name], f"a.{name}").text.split() == WORDS


def test_speakers_begin_paragraphs():
    text = (
        "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ana Ruiz>We won\n\n00:02.000 --> 00:03.000\n<v Ana Ruiz>at last.\n\n"
        "00:03.000 --> 00:04.000\n<v.loud Tom Bell>No, we lost.</v>\n\n00:04.000 --> 00:05.000\n&gt;&gt; They left."
    )
    assert read_plain(text, "a.vtt").text == "Ana Ruiz: We won at last. \n\nTom Bell: No, we lost. \n\nThey left."


def test_turns_of_a_copied_transcript_stay_turns():
    raw = "0:01\nBELL: we lost it\n0:04\nand we know\n0:09\nOSEI: it rained\n0:12\nall day"
    turns = read_plain(raw, "a.txt").text.split("\n\n")
    assert [each.strip() for each in turns] == ["BELL: we lost it and we know", "OSEI: it rained all day"]


def test_each_word_has_the_line_of_its_file():
    found = read_plain(FORMS["srt"], "a.srt")
    lines = FORMS["srt"].split("\n")
    for word in WORDS:
        assert word in lines[found.line(found.text.index(word)) - 1]


def test_a_text_with_a_time_is_none_of_captions():
    for text in ("We met at 10:00, 11:00 and left.\n\nNobody came.", "10:00,11:00", ""):
        assert read_plain(text, "a.txt").text == text


@given(st.text(st.sampled_from("<v >\n-0:1.,[]a&;{\\"), max_size=60))
def test_no_text_fails(text: str):
    found = read_plain(f"WEBVTT\n\n00:01.000 --> 00:02.000\n{text}", "a.vtt")
    assert all(found.line(at) >= 1 for at in range(len(found.text)))


def test_a_draft_is_checked_against_captions():
    draft = "“We counted the budget twice and the harbour gets less money than before,” said Tom Bell."
    assert [one.is_flagged for one in quotelake.check_text(draft, {"a.srt": FORMS["srt"]})] == [False]
    wrong = draft.replace("twice", "once")
    assert [one.is_flagged for one in quotelake.check_text(wrong, {"a.srt": FORMS["srt"]})] == [True]
