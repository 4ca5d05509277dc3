"""Flags of outlets that use one quote: who trimmed it, who credits it to somebody else; the same in any order."""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.growth import assert_linear

from quotelake.reuse.comparisons import MAX_NAMES, Use, certain_speaker, compare, use_of

FULL = "The old dam of the valley will hold for another ten years if nobody builds on it"
CUT = "The old dam of the valley will hold for another ten years"
BASE = Use("q0", "a0", "Herald", "v0", 17, FULL, speaker="Ana Ruiz")


def use(number: int, **changes: Any) -> Use:
    """A use that differs from BASE as stated: an article and an outlet of its own."""
    made = replace(BASE, quote_id=f"q{number}", article=f"a{number}", outlet=f"Outlet {number}")
    return replace(made, **(({"words": len(changes["text"].split())} if "text" in changes else {}) | changes))


def trimmed(*uses: Use, least_carriers: int = 2) -> list[str]:
    return [one.use.quote_id for one in compare(uses, least_carriers) if one.trimmed]


def credited_otherwise(*uses: Use) -> dict[str, str]:
    return {one.use.quote_id: one.credited_elsewhere for one in compare(uses) if one.credited_elsewhere is not None}


CUTTER = use(9, text=CUT, variant_id="v9")


def test_a_use_is_trimmed_if_two_other_outlets_carry_what_it_omits():
    assert trimmed(use(1), use(2), CUTTER) == ["q9"]
    assert trimmed(use(1), CUTTER) == []
    assert trimmed(use(1), use(2, outlet="Outlet 1"), CUTTER) == []  # two articles of one outlet
    assert trimmed(use(1), use(2, outlet=CUTTER.outlet), CUTTER) == []  # an outlet is not another one than itself
    assert trimmed(use(1), CUTTER, least_carriers=1) == ["q9"]
    assert trimmed(use(1), use(2), CUTTER, least_carriers=3) == []


def test_an_article_that_has_it_in_another_place_has_trimmed_nothing():
    assert trimmed(use(1), use(2), CUTTER, use(3, article=CUTTER.article, outlet=CUTTER.outlet)) == []
    assert trimmed(use(1), use(2), replace(CUTTER, after=",” she said, “if nobody builds on it.”")) == []


@pytest.mark.parametrize(
    ("words", "of_others", "of_this", "flagged"),
    [
        ("Reservoirs throughout all neighbouring municipalities remain undisturbed afterwards", None, None, True),
        ("Reservoirs throughout all neighbouring municipalities remain undisturbed", None, None, False),  # 7
        ("so far it is as dry as it was", None, None, False),  # 29 characters
        ("The dam will hold", None, None, False),  # few words are said by many
        ("The old dam will hold", "Ana Ruiz", "Ana Ruiz", True),  # of one speaker they are one utterance
        ("The old dam will hold", "Ana Ruiz", "Tom Bell", False),
    ],
)
def test_words_in_a_row_and_their_characters_make_one_utterance(
    words: str, of_others: str | None, of_this: str | None, flagged: bool
):
    others = [use(number, text=f"{words} if it is dry", variant_id="v1", speaker=of_others) for number in (1, 2)]
    assert trimmed(*others, use(9, text=words, variant_id="v9", speaker=of_this)) == (["q9"] if flagged else [])


@pytest.mark.parametrize(
    ("said", "moved"),
    [
        ("I don't believe we have yet felt the weight of winter", "We have not yet felt the weight of winter"),
        ("I think the weight of this long winter is clear", "The weight of this long winter, I think, is clear"),
    ],
)
def test_a_cue_in_another_place_is_none_omitted(said: str, moved: str):
    others = [use(number, text=said, variant_id="v1") for number in (1, 2)]
    assert trimmed(*others, use(9, text=moved, variant_id="v9")) == []
    without = moved.replace("not ", "").replace(", I think,", "")
    assert trimmed(*others, use(9, text=without, variant_id="v9")) == ["q9"]


def test_another_speaker_is_told_with_the_name_that_most_others_give():
    bell = use(9, speaker="Tom Bell")
    assert credited_otherwise(use(1), use(2), bell) == {"q9": "Ana Ruiz"}
    assert credited_otherwise(use(1), bell) == {"q1": "Tom Bell", "q9": "Ana Ruiz"}  # who is right, nobody can tell
    assert credited_otherwise(use(1), bell, use(2, speaker="Tom B. Bell")) == {"q1": "Tom B. Bell"}


@pytest.mark.parametrize(
    "other",
    [
        use(9, speaker=None),
        use(9, speaker="Ana B. Ruiz"),
        use(9, speaker="Ana Bell"),  # perhaps married
        use(9, speaker="Tom Bell", outlet="Outlet 1"),  # the same outlet
        use(9, speaker="Tom Bell", before="Ruiz's words were repeated by Bell: “"),  # it names the other too
        use(9, speaker="Tom Bell", text="The old dam of the valley", variant_id="v9"),  # many say that
        use(9, speaker="Tom Bell", text=f"Ruiz wrote: “{FULL}”", variant_id="v9"),  # he quotes her
    ],
)
def test_doubt_credits_nobody_otherwise(other: Use):
    assert credited_otherwise(use(1), other) == {}


def test_the_surname_of_the_other_in_a_sentence_before_is_no_doubt():
    bell = use(9, speaker="Tom Bell", before="Ruiz had left by then. Bell said: “")
    assert credited_otherwise(use(1), bell) == {"q1": "Tom Bell", "q9": "Ana Ruiz"}


def test_what_many_people_say_is_credited_otherwise_by_nobody():
    names = [f"{first} {last}" for first, last in zip("ABCDEFGHIJKLM", "NOPQRSTUVWXYZ", strict=True)]
    uses = [use(number, speaker=name) for number, name in enumerate(names)]
    assert len(credited_otherwise(*uses[:MAX_NAMES])) == MAX_NAMES
    assert credited_otherwise(*uses) == {}


@pytest.mark.parametrize("of", [3, 10_000])
def test_thousands_of_uses_take_linear_time_however_many_wordings_they_have(of: int):
    def work(n: int) -> Callable[[], object]:
        speakers = "Ana Ruiz", "Tom Bell"
        texts = [f"{CUT} of {at % of} storms" + " if it rains" * (at % 3 == 0) for at in range(n)]
        uses = [use(at, text=text, variant_id=f"v{at % of}", speaker=speakers[at % 2]) for at, text in enumerate(texts)]
        return lambda: compare(uses, 2, 10)

    assert_linear(work, 100)


def test_the_wordings_of_most_outlets_are_compared_first():
    others = [use(at, text=f"{CUT} if it rains for {at} days", variant_id="v", words=30) for at in range(20, 40)]
    carrying = [use(at, text=f"{CUT} if it rains now", variant_id="v", words=20) for at in range(3)]
    cutter = use(9, text=CUT, variant_id="v9")
    [found] = [one for one in compare([*others, *carrying, cutter], 2, 2) if one.use is cutter]
    assert found.trimmed and max(outlets for _, outlets in found.differences) == 4  # three, and one that was chosen
    own = [
        use(9, quote_id=f"own{at}", text=f"{CUT} if it rains {at} times", variant_id="v", words=9) for at in range(9)
    ]
    [found] = [one for one in compare([*others, *carrying, *own, cutter], 2, 2) if one.use is cutter]
    assert not found.trimmed  # its own article is always asked


def test_the_reference_has_most_words_whatever_stands_first():
    shorter = use(1, text=CUT, variant_id="a")
    assert {one.reference.quote_id for one in compare([shorter, use(2), use(3, variant_id="u")])} == {"q3"}


@given(st.randoms(use_true_random=False), st.integers(2, 9))
def test_the_order_of_uses_does_not_matter(shuffler: random.Random, n: int):
    words = FULL.split()
    uses = [
        use(number, text=" ".join(words[shuffler.randrange(4) : shuffler.randrange(9, 18)]), variant_id=f"v{number}")
        for number in range(n)
    ]
    mixed = shuffler.sample(uses, n)

    def found(uses: list[Use]) -> dict[str, tuple[Any, ...]]:
        compared = compare(uses)
        return {one.use.quote_id: (one.reference.quote_id, one.rows(), one.credited_elsewhere) for one in compared}

    assert found(mixed) == found(uses)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "Ana Ruiz"),
        ({"text": "Ruiz"}, "Ana Ruiz"),
        ({"text": "she"}, None),  # whom a pronoun means is not sure enough
        ({"how": "continued"}, None),
        ({"type": "organisation"}, None),
        ({"name": None}, None),
        ({"name": "Ruiz"}, None),  # many share a surname
        ({"name": "Ana ReyesBell", "text": "Ana ReyesBell"}, None),  # a page that ran two names together
    ],
)
def test_who_is_certain(changes: dict[str, Any], expected: str | None):
    ruiz = {"text": "Mayor Ana Ruiz", "type": "person", "name": "Ana Ruiz", "how": "after"}
    assert certain_speaker(ruiz | changes) == expected


def test_a_row_becomes_a_use_with_the_words_of_its_variant():
    row = {
        "quote_id": "q", "native_key": "a", "outlet": "o", "variant_id": "v", "text": "We [the town] … won 1.5",
        "before": "", "after": "", "speaker": None, "language": "en",
    }  # fmt: skip
    assert use_of(row) == Use("q", "a", "o", "v", 3, "We [the town] … won 1.5")
