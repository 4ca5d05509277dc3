"""Watched texts are found at their exact place, whatever their punctuation and case, and whatever else is watched."""

from functools import partial
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.growth import assert_linear

from quotelake.watch import find
from quotelake.watch.find import Finder, Hit, Index
from quotelake.watch.words import TOKEN, min_shared_words, pattern_of, tokens

TEXTS = [
    "The truth will set you free",
    "Rome wasn't built in a day, said the mason",
    "We choose to go to the Moon in this decade and do the other things, not because they are easy",
    "ask not what your country can do for you",
    "Four score and seven years ago our fathers brought forth a new nation",
    "La libertad no se mendiga de rodillas",
    "인생은 짧고 예술은 길다 기회는 달아난다",
]
#: Words of no watched text.
FILLING = ["kettle", "Ferry,", "and", "the", "“orchard”", "#violin", "–", "[carpet]", "glacier.", "\n\n", "…", "🙂"]
filling = st.lists(st.sampled_from(FILLING), max_size=12).map(" ".join)
gaps = st.sampled_from([" ", ", ", "  ", " – ", " “", "\n", "; "])


@st.composite
def spellings(draw: st.DrawFn, text: str) -> str:
    """The words of a text in any case, with any punctuation between them."""
    words = [draw(st.sampled_from([str, str.upper, str.lower, str.title]))(found) for found in TOKEN.findall(text)]
    return "".join(word + draw(gaps) for word in words[:-1]) + words[-1]


def test_one_word_and_unchanged_words_are_found_where_they_are_asked_for():
    finder = Finder([["#FerryToo", "Ferry 2"], ["The truth will set you free"], ["Rome was built here"]], {0, 1})
    text = (
        "ferrytoo! The truth shall set you free, and “the TRUTH will set you free” #ferrytoo ferry, rome was built here"
    )
    assert [(hit.entry, text[hit.start : hit.end], hit.score, hit.sure) for hit in finder.find(text)] == [
        (0, "ferrytoo", 1.0, True),
        (1, "the TRUTH will set you free", 1.0, True),
        (0, "ferrytoo", 1.0, True),
        (2, "rome was built here", 1.0, True),
    ]


@given(st.data())
def test_a_planted_text_is_found_at_its_place_whatever_its_punctuation_and_case(data: st.DataObject):
    entry = data.draw(st.integers(0, len(TEXTS) - 1))
    spelling = data.draw(spellings(TEXTS[entry]))
    before, after = data.draw(filling), data.draw(filling)
    text = f"{before} ({spelling}) {after}"
    start = len(before) + 2
    assert Finder([[each] for each in TEXTS]).find(text) == [Hit(entry, start, start + len(spelling), 1.0)]


@given(
    st.lists(st.sampled_from(TEXTS), unique=True, min_size=1), st.lists(st.sampled_from([*TEXTS, *FILLING])), st.data()
)
def test_all_texts_together_are_found_as_one_by_one_in_any_order_of_the_list(
    watched: list[str], parts: list[str], data: st.DataObject
):
    text = ". ".join(parts)
    alone = {(each, hit.start, hit.end, hit.score) for each in watched for hit in Finder([[each]]).find(text)}
    mixed = data.draw(st.permutations(watched))
    together = Finder([[each] for each in mixed]).find(text)
    assert {(mixed[hit.entry], hit.start, hit.end, hit.score) for hit in together} == alone
    assert len(together) == len(alone)


LONG = [
    "one", "two", "three", "red", "green", "blue", "lamp", "desk", "door", "window",
    "glass", "stone", "river", "cloud", "field", "horse", "paper", "ink", "bread",
]  # fmt: skip


@given(st.lists(st.sampled_from(LONG), unique=True, min_size=4), st.randoms(use_true_random=False), st.data())
def test_the_index_proposes_every_wording_of_whose_words_enough_stand_in_order(
    words: list[str], rng: Random, data: st.DataObject
):
    """By brute force: a text of half of the words, in order, with at most one other between two; all are bounded."""
    pattern = pattern_of(0, " ".join(words))
    kept = sorted(rng.sample(pattern.content, min_shared_words(len(pattern.content)))) if pattern.content else []
    text = [word for at in kept for word in ["kettle"] * data.draw(st.integers(0, 1)) + [pattern.words[at]]]
    index = Index([pattern, *(pattern_of(1, each) for each in TEXTS)])
    if not pattern.exact:
        found = [(first, last) for number, first, last in index.candidates(text) if number == 0]
        assert found and found[0][0] == 0 and found[-1][1] >= len(text)


BRACKETED = "the truth [Senator Bell] will [Governor Ruiz] set you free"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("They say the truth shall set you free, always", "the truth shall set you free"),
        ("“[T]he truth … will [really] set you free”", "T]he truth … will [really] set you free"),
        ("the truth and only the truth will set you free", "the truth will set you free"),
        ("Truths will set us free", "Truths will set us free"),
        ("THE #TRUTH WILL SET YOU FREE!!!", "THE #TRUTH WILL SET YOU FREE"),
        (BRACKETED, BRACKETED),
        (BRACKETED.replace("[", "").replace("]", ""), None),
        ("the truth will not set you free", None),
        ("The truth will set", None),
        ("you free set truth the will", None),
        ("the truth about Jane, who will set out and keep you free of charge", None),
    ],
)
def test_changed_wordings(text: str, found: str | None):
    hits = Finder([["The truth will set you free"]]).find(text)
    assert [text[hit.start : hit.end] for hit in hits] == ([] if found is None else [found])
    assert all(0 < hit.score <= 1 for hit in hits)


@pytest.mark.parametrize(
    ("watched", "text"),
    [
        ("Seven ships left the harbour", "nine ships left the harbour"),
        ("Judge not, that ye be not judged in court", "judge, that ye be not judged in court"),
        ("Nobody leaves this house hungry tonight", "leaves this house hungry tonight"),
    ],
)
def test_another_number_and_a_lost_negation_are_another_text(watched: str, text: str):
    assert Finder([[watched]]).find(watched) and not Finder([[watched]]).find(text)


def test_a_text_that_says_too_little_is_found_by_its_unchanged_words_only():
    finder = Finder([["Yes we can"], ["turn the other cheek"]])
    assert [hit.entry for hit in finder.find("YES, we can! – turn … the other cheek")] == [0, 1]
    assert not finder.find("Yes, maybe we can; turn the cheek")


def test_of_overlapping_uses_of_one_text_the_best_is_kept_and_other_texts_stay():
    wordings = [
        ["rivers run slowly to the sea", "rivers run slowly to the sea at night"],
        ["slowly to the sea at night"],
    ]
    text = "So rivers run slowly to the sea at night."
    twice = f"{TEXTS[0]} {TEXTS[0]}"
    assert [(hit.start, hit.end) for hit in Finder([[TEXTS[0]]]).find(twice)] == [(0, 27), (28, 55)]
    assert [(hit.entry, text[hit.start : hit.end], hit.score) for hit in Finder(wordings).find(text)] == [
        (0, "rivers run slowly to the sea at night", 1.0),
        (1, "slowly to the sea at night", 1.0),
    ]


@given(
    st.text(st.sampled_from("aB9é'’]_- \u200b漢ßЖ\n𝐌🙂ﬁ一ᄀ가ー・"), max_size=60) | st.text("aB9'’]_- £“", max_size=60)
)
def test_a_text_has_the_words_that_one_pattern_finds_whichever_reads_it(text: str):
    found = tokens(text)
    read = find._Text(text)
    assert [read.span(word) for word in range(len(found))] == [token.span() for token in TOKEN.finditer(text)]
    assert read.words == found
    assert read.stretch(0, len(found)).words == found


@pytest.mark.parametrize(
    ("watched", "text", "sure"),
    [
        ("another day, another dollar", "another day, another dollar", True),
        ("another day, another dollar", "another day, another party", False),
        ("another day, another dollar", "Another day, another dollars", True),
        ("Four score and seven years ago our fathers came", "Four score and seven years ago our mothers came", True),
    ],
)
def test_a_changed_use_is_sure_if_its_words_tell_enough_or_all_stand(watched: str, text: str, sure: bool):
    assert [hit.sure for hit in Finder([[watched]]).find(text)] == [sure]


def test_time_grows_with_the_text_and_not_faster():
    finder = Finder([[text] for text in TEXTS])
    piece = "the truth will set you not free, ask what country "
    assert_linear(lambda n: partial(finder.find, piece * n), 20)
