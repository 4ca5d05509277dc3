"""Amounts: what they say, and which two cannot both be meant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.factuality.reading import Reading, amounts_of
from quotelake.text.numbers import all_differ, amount_of, differ


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ("two = 2; forty-one = 41; 500 thousand = 500,000; thirty = 30", False),
        ("2.5 million = 2,500,000; 30K = 30,000; thousands = 4,500; both = two", False),
        ("450 = 448; 10 = 9.8", False),  # rounded
        ("450 = 400; 10 = 8.9; two = three; 2.5 million = 2.5 billion; thousands = millions", True),
        ("2016 = 2018; 11 = 12; the third = the fourth; the nineties = the eighties", True),  # never rounded
        ("half of it = 1/2 of it; 25 percent = a quarter of it", False),
        ("half of it = a third of it; both = eleven", True),
    ],
)
def test_numbers_of_two_texts(pairs: str, expected: bool):
    for pair in pairs.split("; "):
        one, other = (amounts_of(Reading(text).tokens) for text in pair.split(" = "))
        assert one and other and all_differ(one, other) is all_differ(other, one) is expected, pair


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("each", "every", False), ("both", "two", False), ("all", "eleven", True), ("most", "all", True),
        ("few", "many", True), ("some", "many", False), ("several", "40", False),
    ],
)  # fmt: skip
def test_quantifiers_differ_where_they_are_far_apart(one: str, other: str, expected: bool):
    amounts = amount_of(one), amount_of(other)
    assert None not in amounts
    assert differ(*amounts) is differ(*amounts[::-1]) is expected  # type: ignore[arg-type]


@given(st.integers(0, 99))
def test_numbers_in_words_are_their_digits(number: int):
    ones = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    ones = [*ones.split(), "seventeen", "eighteen", "nineteen"]
    tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    words = [ones[number]] if number < 20 else [tens[number // 10 - 2], *([ones[number % 10]] if number % 10 else [])]
    [amount] = amounts_of(Reading("-".join(words)).tokens)
    assert amount == amount_of(str(number)) and amount.value == number


@pytest.mark.parametrize("word", ["all", "few", "most", "both", "two", "zero", "11", "40", "million", "hundreds"])
def test_an_amount_never_differs_from_itself(word: str):
    amount = amount_of(word)
    assert amount is not None and not differ(amount, amount)
