"""A negation or another number makes two alike texts two quotes; what is visibly left out does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.quotes.keys import canonical_text
from quotelake.reuse.verify import Edge, verify
from quotelake.reuse.words import tokenize
from quotelake.text.numbers import numbers


def compare(one: str, other: str) -> Edge | None:
    return verify(*(tokenize(canonical_text(text) or "") for text in (one, other)))


BASE = "The keeper will mend the harbour lantern before winter comes to the coast"
KOREAN = "등대지기는 겨울이 오기 전에 항구의 등불을"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (BASE, BASE.replace("will", "will not"), False),
        (BASE, BASE.replace("will", "won’t"), False),
        (BASE, BASE.replace("will", "wont"), False),
        (BASE, BASE.replace("will", "will never"), False),
        (BASE.replace("will", "won’t"), BASE.replace("will", "will not"), True),
        (BASE.replace("will", "won’t"), BASE.replace("will", "wont"), True),
        (BASE.replace("will", "cannot"), BASE.replace("will", "can’t"), True),
        ("Keepers will mend the harbour lantern", "No keepers will mend the harbour lantern", False),
        (BASE, f"No, {BASE}", True),  # an answer
        (BASE, f"The lantern is not lit. {BASE}", True),  # the beginning ends before the same word
        (BASE, f"{BASE}, nobody leaves the coast", True),
        (BASE, f"It is not true that {BASE}", True),  # a part that the shorter one does not quote
        (BASE, f"{BASE}, and nobody else will do it", True),
        ("Guilty of setting fire to the harbour lantern", "Not guilty of setting fire to the harbour lantern", False),
        (BASE.replace("will", "will …"), BASE.replace("will", "will not"), True),  # it shows that it leaves out a word
        (BASE.replace("will", "will [quickly]"), BASE.replace("will", "will not"), True),
        (BASE.replace("will", "will not"), BASE.replace("will mend", "will mend …"), False),  # but not there
        (f"{KOREAN} 고칠 것이다", f"{KOREAN} 안 고칠 것이다", False),
        (f"{KOREAN} 고쳤다", f"{KOREAN} 고치지 못했다", False),
        (f"{KOREAN} 고치지 않았다", f"{KOREAN} 고치지 못했다", True),
        (f"{KOREAN} 고쳤다", f"올 {KOREAN} 고쳤다", True),
    ],
)  # fmt: skip
def test_a_negation_of_one_text_alone(one: str, other: str, same: bool):
    assert (compare(one, other) is not None) is same
    assert (compare(other, one) is not None) is same


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("nine", "eleven", False),
        ("9", "nine", True),
        ("forty", "forty one", False),
        ("1,500", "1500", True),
        ("1.5", "15", False),
        ("1.5 million", "1,500,000", True),
        ("1.5 million", "1.5 billion", False),
        ("450", "448", False),
        ("$20", "20", True),
        ("10%", "10 percent", True),
        ("the second", "the third", False),
        ("the second", "the 2nd", True),
        ("two of eleven", "all eleven", False),
        ("many", "few", False),
        ("all", "every", True),
        ("some", "", True),
        ("nine", "", True),  # a number that one text just lacks
        ("nine of the", "those", True),
        ("3만", "3만", True),
        ("3만", "5만", False),
        ("3만", "3억", False),
    ],
)
def test_numbers_of_both_texts(one: str, other: str, same: bool):
    text = "before winter comes the {} lanterns of the old harbour at the coast must be mended by the keeper"
    assert (compare(text.format(one), text.format(other)) is not None) is same


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("the keeper mended nine lanterns before winter", "the keeper mended nine lanterns before winter 11", True),
        ("the keeper mended … lanterns at 10 this winter", "the keeper mended nine lanterns at 10 this winter", True),
        ("from 5 to 10 keepers mended the lanterns here", "from 10 to 15 keepers mended the lanterns here", False),
        ("on 3 days in 2016 they mended the old lanterns", "in 2018 they mended the old lanterns", False),
    ],
)  # fmt: skip
def test_numbers_elsewhere_in_the_texts(one: str, other: str, same: bool):
    assert (compare(one, other) is not None) is same


@given(st.integers(0, 10**7), st.sampled_from(["{:,}", "{}", "${:,}", "{}%", "-{}"]))
def test_a_number_has_its_value_however_it_is_written(value: int, style: str):
    text = canonical_text(f"we saw {style.format(value)} boats")
    assert text is not None
    [found] = numbers(text.split())
    assert found.value == value
