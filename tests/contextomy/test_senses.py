"""The same words, and what contradicts them: a negation, an opposite, an amount; and all that does not."""

from itertools import zip_longest

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.growth import assert_linear

from quotelake.contextomy.quotes import Text
from quotelake.contextomy.senses import Sense, Turned, senses
from quotelake.text.wording import SMALL

NEGATION, OPPOSITE, AMOUNT, ORDER = Turned
SAME = "same"


def compare(headline: str, body: str) -> list[Sense]:
    return senses(Text(headline), Text(body))


@pytest.mark.parametrize(
    ("headline", "body", "expected"),
    [
        # a negation on one side
        ("We will sell the mill", "We will not sell the mill this year", NEGATION),
        ("We will not sell the mill", "Of course we will sell the mill", NEGATION),
        ("We sell the mill", "We don’t sell the mill", NEGATION),
        ("We sell the mill", "We do not sell the mill", NEGATION),
        ("We can sell the mill", "We cannot sell the mill", NEGATION),
        ("We can sell the mill", "We ca n't sell the mill", NEGATION),
        ("We promise a pay rise", "We can't promise a pay rise", NEGATION),
        ("will be safe", "The water will not be safe", NEGATION),
        ("The old ferry will always be safe", "The old ferry was never safe", NEGATION),
        ("We deserved to lose", "We didn't deserve to lose", NEGATION),  # a negation changes the form of the verb
        ("We took the old mill", "We never took the old mill", NEGATION),
        ("I stole the money", "I did not steal the money", NEGATION),
        ("Wir verkaufen die Mühle", "Wir verkaufen nicht die Mühle", NEGATION),
        ("Nous vendons le moulin", "Nous ne vendons pas le moulin", NEGATION),
        # on both, whatever stands between it and what it negates
        ("We will not sell the mill", "We won't sell the mill, ever", SAME),
        ("Not one boat was lost", "And not one boat was lost that day", SAME),
        ("not safe in three years", "It will not be safe in three years unless we act", SAME),
        ("not safe in three years", "It has never been safe in three years", SAME),
        ("isn't safe in winter", "The bridge is not really very safe in winter", SAME),
        ("The bridge is no longer safe in winter", "The bridge isn't safe in winter any more", SAME),
        ("The bridge isn’t safe in winter", "The bridge will no longer be safe in winter", SAME),
        ("do not sail at dawn again", "They never do sail at dawn again", SAME),
        ("It is not only safe in winter", "It is safe in winter", SAME),
        # farther ahead in the clause: it may govern the words, so it contradicts neither
        ("one boat was lost", "Not one boat was lost", SAME),  # an excerpt: what stands before it is for the omissions
        ("The bridge is not safe for lorries", "I don't think the bridge is safe for lorries", SAME),
        ("The bridge will be safe for lorries", "I don't think the bridge is safe for lorries", SAME),
        ("The bridge is not safe for lorries", "It is not old, and the bridge is safe for lorries", NEGATION),
        ("Nobody wants to close the mill", "I don't know anybody who wants to close the mill", SAME),
        # the same in another order: two differences
        ("Two for the crew and five for the owners", "Five for the owners and two for the crew", None),
        ("We raise the crew and cut the owners", "We cut the owners and raise the crew", None),
        # not asserted
        ("The bridge is not safe for lorries", "Is the bridge safe for lorries? Ask them", None),
        ("The bridge is not safe for lorries", "They ask whether the bridge is safe for lorries", None),
        # an opposite
        ("The old bridge is dangerous", "The old bridge is safe", OPPOSITE),
        ("Prices will fall by winter", "Prices rose by winter", OPPOSITE),
        ("The mayor is fit for office", "The mayor is unfit for office", OPPOSITE),
        ("The old bridge is dangerous", "The old bridge is not safe", SAME),
        ("The old bridge is unsafe", "The old bridge is dangerous", SAME),
        ("We bought the mill", "We will not sell the mill", SAME),  # hardly: but no contradiction
        ("He likes the old bridge", "He disliked the old bridge", OPPOSITE),
        # an amount
        ("We mended all eleven cables", "We mended two of the eleven cables", AMOUNT),
        ("We mended all the cables", "We mended two of the cables", AMOUNT),
        ("We mended 12 cables", "We mended eleven cables", AMOUNT),
        ("Most farmers want it", "Few farmers want it", AMOUNT),
        ("Millions of euros are gone", "Thousands of euros are gone", AMOUNT),
        ("We mended eleven cables", "We mended all 11 cables", SAME),
        ("Both boats are gone", "The two boats are gone", SAME),
        ("Most farmers want it", "Not all farmers want it, but most do", None),  # not all is no amount
        ("We found 450 cables", "We found some 448 cables", SAME),
        ("Four-star admirals came late", "The five four-star admirals came late", SAME),
        # with other words between, in one clause
        ("We promise nurses a pay rise", "We can't promise the nurses of this town a pay rise", NEGATION),
        ("The water will be safe for children", "The water will not be safe to drink for children", NEGATION),
        ("We mended all eleven cables of the bridge", "We mended two of the eleven cables of the old bridge", AMOUNT),
        ("We will not sell the old mill", "We refuse to sell the old mill", SAME),  # a word between may negate
        ("We can't afford to lose the mill", "We can ill afford to lose the mill", SAME),
        ("We will sell the old mill", "We will not hesitate to sell the old mill", SAME),  # or be negated
        ("We promise nurses a pay rise", "We promise nurses, but never teachers, a pay rise", None),
        ("We promise a pay rise", "We are not the ones to promise what you call a pay of any use, or a rise", None),
        # two words exchanged
        (
            "We would rather strike for a month than talk for a day",
            "We would rather talk for a month than strike for a day",
            ORDER,
        ),
        ("We walk by the old pier at the mill", "We walk at the old pier by the mill", None),  # no words of weight
        ("Farmers and sailors want the old bridge", "Sailors and farmers want the old bridge", None),
        # other words
        ("No, we will sail at dawn", "We will sail at dawn", None),  # an answer is a word like any other
        ("We bought the mill", "We will not burn the mill", None),
        ("will be safe", "The water was not safe", None),  # of so few words the small ones count
        ("Not me", "Me", None),
        ("", "", None),
    ],
)
def test_how_a_body_quote_stands_to_a_headline_quote(headline: str, body: str, expected: str | None):
    found = compare(headline, body)
    assert [sense.kind or SAME for sense in found] == ([] if expected is None else [expected])


OPPOSITE_SAID = "an opposite: “safe” in the body, “dangerous” in the headline"
AMOUNT_SAID = "an amount: “two of the eleven” in the body, “all eleven” in the headline"


@pytest.mark.parametrize(
    ("headline", "body", "turned", "difference"),
    [
        ("We sell the mill", "Today we do not sell the mill", "n", "a negation"),
        ("We do not sell the mill", "Today we sell the mill", "", "a negation"),
        ("The old bridge is dangerous", "The old bridge is safe", "safe", OPPOSITE_SAID),
        ("We mended all eleven cables", "We mended two of the eleven cables", "two of the eleven", AMOUNT_SAID),
    ],
)
def test_a_contradiction_is_named_and_placed(headline: str, body: str, turned: str, difference: str):
    [sense] = compare(headline, body)
    assert sense.difference == difference
    assert "".join(body[start:end] for start, end in sense.turned) == turned


def test_each_passage_is_compared_and_is_the_words_with_what_negates_them():
    found = compare("The NHS is broken", "The NHS is not broken, but many say the NHS is broken")
    assert [sense.kind for sense in found] == [NEGATION, None]
    body = "It will not be safe in three years unless we act"
    [sense] = compare("not safe in three years", body)
    assert body[slice(*sense.span)] == "not be safe in three years"


WORDS = st.lists(
    st.sampled_from(["mill", "harbour", "ferry", "sail", "old", "bell"]), min_size=3, max_size=6, unique=True
)
SMALLS = st.lists(st.sampled_from(sorted(SMALL)), max_size=2)


@given(WORDS, st.data())
def test_small_words_between_never_make_a_negation_of_one_that_both_have(words: list[str], data: st.DataObject):
    """Auxiliaries and the like, put anywhere on both sides, leave what is negated on both sides alike."""
    negated = data.draw(st.none() | st.integers(0, len(words) - 1))

    def spread() -> str:
        gaps = [data.draw(SMALLS) for _ in words]
        if negated is not None:
            place = data.draw(st.integers(0, len(gaps[negated])))
            gaps[negated].insert(place, data.draw(st.sampled_from(["not", "never"])))
        return " ".join(word for gap, last in zip_longest(gaps, words) for word in [*gap, last])

    headline, body = spread(), f"Yesterday {spread()} tomorrow"
    assert [sense.kind for sense in compare(headline, body)] == [None]


@given(WORDS, st.integers(0, 5), st.booleans(), st.data())
def test_a_negation_on_one_side_is_found_wherever_it_stands(words: list[str], at: int, mine: bool, data: st.DataObject):
    at = 1 + at % (len(words) - 1)
    turned = " ".join([*words[:at], *data.draw(SMALLS), "not", *data.draw(SMALLS), *words[at:]])
    sides = (turned, " ".join(words)) if mine else (" ".join(words), turned)
    assert [sense.kind for sense in compare(*sides)] == [NEGATION]


@given(st.text("abn't notI don.,?! 12 of all", max_size=60), st.text("abn't notI don.,?! 12 of all", max_size=60))
def test_for_any_two_texts_passages_lie_in_the_body(headline: str, body: str):
    for sense in compare(headline, body):
        assert 0 <= sense.span[0] < sense.span[1] <= len(body)
        assert all(0 <= start < end <= len(body) for start, end in sense.turned)
        assert (sense.kind is None) == (sense.difference is None)


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit", ["we sail old ", "not ", "all ", "all of ", "two hundred ", "we, ", "? ", "n't ", "is "]
)
def test_a_hostile_body_takes_linear_time(unit: str):
    assert_linear(lambda length: lambda: compare("we sail old all 12 boats", unit * (length // len(unit))), 20_000)
