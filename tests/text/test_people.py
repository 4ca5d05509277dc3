"""Two names of one person are not told apart, and two people with a word in common neither: it only accuses if sure."""

import pytest

from quotelake.text.people import may_be_one


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
