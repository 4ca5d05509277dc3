"""Two names of one person are not told apart, and two people with a word in common neither: it only accuses if sure."""

import pytest

from quotelake.text.people import may_be_one, name_words, other_first_name


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
    assert may_be_one(one, other) is may_be_one(other, one) is same


def test_the_same_surname_with_another_first_name_is_another_person():
    ana, carl, andrea = (name_words(name) for name in ("Ana Ruiz", "Carl Ruiz", "Andrea Ruiz"))
    assert other_first_name(ana, carl)
    assert not other_first_name(ana, andrea)  # perhaps a short form
    assert not other_first_name(ana, ["ruiz"])
