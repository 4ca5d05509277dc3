"""Amounts: what they say, and which two cannot both be meant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.text.fold import fold
from quotelake.text.numbers import Amount, amount_of, differ, is_amount


def amount(text: str) -> Amount:
    return amount_of([word for word in fold(text.replace("-", " ")).words if is_amount(word)])


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ("two = 2; forty-one = 41; two hundred and forty = 240; half a million = 500,000", False),
        ("2.5 million = 2,500,000; some 450 = 450; thousands = 4,500", False),
        ("450 = 448; 10 = 9.8", False),  # rounded
        ("450 = 400; 10 = 8.9; two = three; 2.5 million = 2.5 billion; thousands = millions", True),
        ("2016 = 2018; 11 = 12", True),  # years and small numbers are never rounded
        ("all eleven = eleven; both = two; each = every", False),
        ("all = eleven; all eleven = two", True),
        ("most = all; few = many", True),
        ("some = many; several = 40", False),
    ],
)
def test_two_amounts(pairs: str, expected: bool):
    for pair in pairs.split("; "):
        one, other = map(amount, pair.split(" = "))
        assert differ(one, other) is differ(other, one) is expected, pair


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
