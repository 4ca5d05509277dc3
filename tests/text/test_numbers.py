"""Amounts: what they say, and which two cannot both be meant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.text.numbers import Amount, amount_of, continues, differ, is_amount
from quotelake.text.wording import read_wording


def amount(text: str) -> Amount:
    """The only amount of a text."""
    [found] = [word.amount for word in read_wording(text).words if word.amount is not None]
    return found


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("two", "2", False),
        ("two", "three", True),
        ("forty-one", "41", False),
        ("two hundred and forty", "240", False),
        ("2.5 million", "2,500,000", False),
        ("2.5 million", "2.5 billion", True),
        ("half a million", "500,000", False),
        ("450", "448", False),  # rounded
        ("450", "400", True),
        ("10", "9.8", False),
        ("10", "8.9", True),
        ("2016", "2018", True),  # years are not
        ("11", "12", True),  # nor are small numbers
        ("thousands", "millions", True),
        ("thousands", "4,500", False),
        ("some 450", "450", False),
        ("all eleven", "eleven", False),
        ("all", "eleven", True),
        ("both", "two", False),
        ("two of the eleven", "all eleven", True),
        ("two of the eleven", "two", False),
        ("eleven of the eleven", "all eleven", False),
        ("all of the eleven", "all eleven", False),
        ("most", "all", True),
        ("few", "many", True),
        ("some", "many", False),
        ("several", "40", False),
        ("each of the forty", "every", False),
    ],
)
def test_two_amounts(one: str, other: str, expected: bool):
    first, second = (next(word.amount for word in read_wording(text).words if word.amount) for text in (one, other))
    assert differ(first, second) is expected
    assert differ(second, first) is expected


def test_numbers_that_make_no_one_amount_stay_apart():
    """A general's stars are not the number of generals."""
    found = [word.amount for word in read_wording("five four-star generals").words if word.amount]
    assert [each.value for each in found] == [5, 4]
    assert [word.key for word in read_wording("all and some").words] == ["#", "and", "#"]
    assert continues("forty", "one") and not continues("five", "four")


@given(st.integers(0, 99))
def test_numbers_in_words_are_their_digits(number: int):
    ones = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    ones = [*ones.split(), "seventeen", "eighteen", "nineteen"]
    tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    words = [ones[number]] if number < 20 else [tens[number // 10 - 2], *([ones[number % 10]] if number % 10 else [])]
    assert all(map(is_amount, words))
    assert amount("-".join(words)).value == amount_of([str(number)]).value == number


@given(st.lists(st.sampled_from(["all", "few", "most", "both", "two", "11", "40", "million", "hundreds"]), min_size=1))
def test_an_amount_never_differs_from_itself(words: list[str]):
    assert not differ(amount_of(words), amount_of(words))
