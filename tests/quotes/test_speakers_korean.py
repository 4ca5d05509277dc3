"""Who is quoted in Korean: particles behind the quote, particles of the subject, and the forms of headlines."""

import pytest

from quotelake.quotes.spans import find_quotes
from quotelake.quotes.speakers import Speaker, find_speakers


def speakers(text: str, mode: str = "body") -> list[Speaker | None]:
    return find_speakers(text, find_quotes(text, mode), mode, "ko")


CASES = {
    "in front of the quote": ("김하늘 장관은 “이제 끝났다”고 말했다.", "김하늘 장관", "말하다", "before", "person"),
    "behind the quote": ("“이제 끝났다”고 김하늘 장관은 밝혔다.", "김하늘 장관", "밝히다", "after", "person"),
    "a pronoun": ("그는 기자들과 만나 “우리는 간다”라고 강조했다.", "그", "강조하다", "before", "person"),
    "words between subject and quote": (
        "이도담 대표가 어제 회의에서 “더는 못 참는다”라며 비판했다.", "이도담 대표", "비판하다", "before", "person",
    ),
    "a certain member": (
        "새봄당 한 의원은 “그럴 수 없다”고 주장했다.", "새봄당 한 의원", "주장하다", "before", "anonymous",
    ),
    "a document": ("보고서는 “물이 줄었다”고 지적했다.", "보고서", "지적하다", "before", "document"),
    "a crowd": ("주민들이 “못 간다”면서 외쳤다.", "주민들", "외치다", "before", "crowd"),
    "an organisation": ("한빛위원회는 “다시 세겠다”고 발표했다.", "한빛위원회", "발표하다", "before", "organisation"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_speaker_cue_place_and_type(name: str):
    text, phrase, lemma, how, kind = CASES[name]
    (speaker,) = speakers(text)
    assert speaker is not None
    assert (speaker.text, speaker.cue_lemma, speaker.how, speaker.type) == (phrase, lemma, how, kind)
    assert text[speaker.start : speaker.end] == phrase
    assert speaker.cue_start is not None
    assert text[speaker.cue_start : speaker.cue_end][0] == lemma[0]


def test_a_verb_behind_the_second_quote_serves_both():
    first, second = speakers("시청 관계자는 “보고 있다”며 “곧 알린다”고 전했다.")
    assert first and second
    assert (first.text, second.text, second.how) == ("시청 관계자", "시청 관계자", "continued")


def test_a_verb_inside_the_next_quote_reports_nothing():
    first, _ = speakers("시청 관계자는 “보고 있다”며 “곧 발표한다”고 전했다.")
    assert first and first.cue_lemma is None


@pytest.mark.parametrize(
    ("text", "how"), [("김하늘 장관 “이제 끝났다”", "before"), ("김하늘 장관: “이제 끝났다”", "colon")]
)
def test_headlines_name_the_speaker_without_particle(text: str, how: str):
    (speaker,) = speakers(text, "headline")
    assert speaker and (speaker.text, speaker.how) == ("김하늘 장관", how)


@pytest.mark.parametrize(
    "text", ["“이제 끝났다.”", "바람이 분다. “이제 끝났다.” 비가 온다.", "어제 “푸른 밤”을 보았다."]
)
def test_nobody_is_named(text: str):
    assert speakers(text) == [None]


def test_long_lines_of_quotes_take_linear_time():
    text = '김하늘 장관은 "가" ' * 4000
    assert len(speakers(text)) == 4000
