"""Forms of one word are compared by one key, and words that only look alike are not; names that may be of one."""

import pytest

from quotelake.factuality.reading import key_of
from quotelake.text.forms import base_form, may_be_same_person
from quotelake.text.lexicon import load_lexicon


@pytest.mark.parametrize(
    "forms",
    [
        "call calls called calling",
        "sell sells selling sold",
        "stop stops stopped stopping",
        "make makes making made",
        "see sees seeing saw seen",
        "use uses used using",
        "agree agrees agreed agreeing",
        "deny denies denied denying",
        "pass passes passed passing",
        "meeting meetings meet met",
        "movie movies",
        "difference differences",
        "centre centres center centers",
        "travelled traveled travelling traveling",
        "organises organized organising",
        "programme program programmes",
        "mislead misleads misleading misled",
        "rebuild rebuilt",
        *(f"{base} {forms}" for base, forms in load_lexicon("en")["forms"].items()),
    ],
)
def test_forms_of_a_word_are_one(forms: str):
    keys = {base_form(form) for form in forms.split()}
    assert len(keys) == 1


@pytest.mark.parametrize("words", ["use us", "see be", "here her", "red read", "bed be", "bring br", "us bus"])
def test_other_words_are_not(words: str):
    one, other = words.split()
    assert key_of(one) != key_of(other)


def test_what_is_no_english_word_stays():
    for word in ("다리", "straße", "1.5", "covid19", "ʔ"):
        assert base_form(word) == word


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Ana Ruiz", "Ms. Ana Ruiz", True),
        ("Ana Ruiz", "Carl Ruiz", True),
        ("Ana Ruiz", "Ana Bell", True),
        ("Dr. Ana Ruiz", "Dr. Tom Bell", False),  # a title is nobody's
        ("Ana Ruiz", "Tom of Bell", False),
    ],
)
def test_names_that_may_be_of_one_person(one: str, other: str, same: bool):
    assert may_be_same_person(one, other) is may_be_same_person(other, one) is same
