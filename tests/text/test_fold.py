"""Folding: what two texts are compared by."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.text.align import find_parts
from quotelake.text.fold import fold
from quotelake.text.language import dominant_script


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("We won’t pay", "we won't PAY"),
        ("We do n't pay", "We don't pay"),
        ("e-mail", "email"),
        ("[W]e will [not] go", "We will not go"),
        ("£1,000", "1000"),
        ("a\u00a0b\u200bc", "a bc"),
        ("ﬁne", "fine"),
        (unicodedata.normalize("NFD", "café 한국"), "CAFÉ 한국"),
    ],
)
def test_marks_case_and_spelling_of_characters_do_not_count_but_what_means_something_else(one: str, other: str):
    assert fold(one).letters == fold(other).letters
    for text, another in (("1.5", "15"), ("can", "can't"), ("½", "12"), ("हिन्दी", "हनद")):
        assert fold(text).letters != fold(another).letters


@given(st.text())
def test_every_letter_knows_where_it_stood(text: str):
    folded = fold(text)
    spans = folded.spans
    assert len(spans) == len(folded.letters)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert spans == sorted(spans)
    assert "".join(folded.words) == folded.letters and "" not in folded.words
    for letter, (start, end) in zip(folded.letters, spans, strict=True):
        # Marks are letters only behind one, so a place that holds nothing else is looked at behind an "x".
        assert letter in fold("x" + text[start:end]).letters


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("welost", "latin"),
        ("мыпроиграли", "cyrillic"),
        ("خسرنا", "arabic"),
        ("졌다", "hangul"),
        ("負けた", "cjk"),
        ("fta찬성", "hangul"),  # two syllables beside an acronym
        ("samsungandlgof한국", "latin"),
        ("2024", None),
        ("", None),
    ],
)
def test_dominant_script(text: str, expected: str | None):
    assert dominant_script(text) == expected


@pytest.mark.parametrize(
    ("part", "text", "found"),
    [
        ("we can", "Yes, we can do it", True),
        ("we can", "Yes, we can’t", False),
        ("we can", "Yes, we cannot", False),
        ("cut", "We will cut[s] it", False),
        ("5 million", "1.5 million", False),
        ("homme de paix", "l’homme de paix", True),
        ("over", "Moreover, it is over", True),  # the first occurrence is inside a word, the second is one
        ("가능하다", "이것은 가능하다고 말했다", True),  # a particle may follow
        ("가능하다", "이것은 불가능하다", False),  # no prefix may stand before
        ("可能", "这是可能的", True),
    ],
)
def test_words_are_found_at_word_boundaries(part: str, text: str, found: bool):
    folded = fold(part)
    assert (find_parts([folded], fold(text), dominant_script(folded.letters)) is not None) == found


def test_parts_must_follow_one_another():
    text = fold("first this, then that")
    for parts, found in (("this that", True), ("that this", False), ("this this", False)):
        assert (find_parts(list(map(fold, parts.split())), text, "latin") is not None) == found


@given(st.lists(st.sampled_from(["aa", "ab", "b", "ba", "cab"]), min_size=1, max_size=9), st.data())
def test_finds_exactly_the_runs_of_whole_words(words: list[str], data: st.DataObject):
    wanted = data.draw(st.lists(st.sampled_from(["aa", "ab", "b", "ba", "cab"]), min_size=1, max_size=3))
    letters = "".join(wanted)
    runs = {"".join(words[i:j]) for i in range(len(words)) for j in range(i + 1, len(words) + 1)}
    assert (find_parts([fold(" ".join(wanted))], fold(" ".join(words)), "latin") is not None) == (letters in runs)
