"""Quotes of two groups are never nearly the same: otherwise the truth of the corpus would be open to doubt."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelab.synthetic import wording
from quotelab.synthetic.mutations import ELIDED, LEAST_KEPT
from quotelab.synthetic.wording import HIGHEST, LIST_SIZE, SLOTS, Phrasebook, codeword, vocabulary
from quotelake.text.words import words

SLOT_WORDS = {f"{{{slot}}}" for slot in SLOTS}


def jaccard(one: str, other: str) -> float:
    """Token Jaccard index of two texts."""
    a, b = set(words(one)), set(words(other))
    return len(a & b) / len(a | b)


def test_lists_are_of_seventeen_words_and_no_word_stands_in_two():
    words = vocabulary()
    places = dict.fromkeys((*words.substitutes, *words.other_numbers.values()), "the general lists")
    for topic, slots in words.lists.items():
        for slot, each in slots.items():
            assert len({*each}) == len(each) == LIST_SIZE, (topic, slot)
            place = slot if slot in wording.SLOTS[5:] else f"{topic}, {slot}"
            assert {places.setdefault(word, place) for word in each} == {place}


@given(st.integers(1, len(SLOTS)).flatmap(lambda k: st.tuples(st.just(k), *[st.integers(0, LIST_SIZE**k - 1)] * 2)))
def test_two_numbers_with_k_digits_share_fewer_than_k_slots(case: tuple[int, int, int]):
    digits, one, other = case
    same = sum(a == b for a, b in zip(codeword(one), codeword(other), strict=True))
    assert one == other or same < digits


def test_a_number_without_a_codeword_is_refused():
    for number in (-1, HIGHEST + 1):
        with pytest.raises(ValueError, match=f"quote number {number}: must be from 0 to {HIGHEST}"):
            codeword(number)


def test_templates_keep_guaranteed_distance_whatever_a_variant_leaves_out():
    """Quotes that share 3 slots differ in what any truncated, elided or half text keeps, and by the Jaccard index."""
    for template in wording.TEMPLATES:
        tokens = template.replace("{no}", "").replace(",", "").split()
        slots = [token in SLOT_WORDS for token in tokens]
        assert sorted(token for token in tokens if token in SLOT_WORDS) == sorted(SLOT_WORDS)
        kept, half = math.ceil(LEAST_KEPT * len(tokens)), len(tokens) // 2
        assert min(sum(slots[:kept]), sum(slots[-kept:]), len(SLOTS) - ELIDED[1]) > 3
        assert min(sum(slots[:half]), sum(slots[half:])) > 2
        others = len({token.lower() for token in tokens} - SLOT_WORDS)
        assert (others + 3) / (others + 3 + 2 * 5) < 0.6


@given(st.integers(0, 99), st.integers(0, LIST_SIZE**4 - 1), st.integers(0, LIST_SIZE**4 - 1), st.data())
def test_two_quotes_are_further_apart_than_variants_of_one(seed: int, one: int, other: int, data: st.DataObject):
    phrases, topics = Phrasebook(seed), st.sampled_from(vocabulary().topics)
    topic, second = data.draw(topics), data.draw(topics)
    if (topic, one) != (second, other):
        assert jaccard(phrases.wording(topic, one).text, phrases.wording(second, other).text) < 0.6


@given(st.sampled_from(vocabulary().topics), st.integers(0, HIGHEST))
def test_negated_and_renumbered_texts_differ_in_one_word(topic: str, number: int):
    made = Phrasebook(3).wording(topic, number)
    plain, negated, renumbered = (text.split() for text in made)
    assert len(negated) == len(plain) + 1 and negated.count("not") == 1 and "not" not in plain
    assert [word for word in negated if word != "not"] == plain
    changed = [pair for pair in zip(plain, renumbered, strict=True) if pair[0] != pair[1]]
    assert len(changed) == 1 and all(word.isdigit() for word in changed[0])
    assert changed[0][1] not in vocabulary().lists[topic]["number"]
