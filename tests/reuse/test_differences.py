"""What a use omits or changes: each word of the reference is kept or in a difference, of the kind that it is.

An omission counts against an outlet only if it bears on what is kept and the article does not tell it beside.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.reuse.differences import LONGEST, RISKY, Kind, align, article_has_omission, is_carried

WORDS = ["dam", "rain", "not", "if", "may", "but", "the", "7", "eight", "boats"]
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=14).map(" ".join)

REFERENCE = "I think the old dam will not hold if it rains for 40 days, but we will mend it."


def kinds(reference: str, text: str) -> list[str]:
    return [one.kind.value for one in align(reference, text).differences]


@pytest.mark.parametrize(
    ("reference", "text", "expected"),
    [
        ("We will not sell the mill.", "We will sell the mill", ["omitted_negation"]),
        ("We will not sell, but we may rent it.", "We will sell", ["omitted_negation", "omitted_contrast"]),
        ("We won’t sell the mill.", "We will sell the mill", ["omitted_negation"]),
        ("We cannot sell the mill.", "We can sell the mill", ["omitted_negation"]),
        ("We will sell the mill.", "We will not sell the mill", ["negation_changed"]),
        ("We will not sell the mill.", "We won't sell the mill", []),  # a contraction is no other wording
        ("We will never sell the mill.", "We will not sell the mill", []),  # nor is another negation
        ("We sail at dawn if the wind turns.", "We sail at dawn", ["omitted_condition"]),
        ("We may sail at dawn.", "We sail at dawn", ["omitted_hedge"]),
        ("We may sail at dawn.", "We might sail at dawn", []),  # the same possibility
        ("We sail at dawn, but the crew stays.", "We sail at dawn", ["omitted_contrast"]),
        ("Although the crew stays, we sail at dawn.", "we sail at dawn", ["omitted_contrast"]),
        ("But the crew sails at dawn.", "the crew sails at dawn", ["omitted"]),  # set against words before the quote
        ("Is the old mill sold?", "the old mill sold", ["omitted", "omitted_question"]),
        ("We lost 45 boats in one night", "We lost 35 boats in one night", ["number_changed"]),
        ("We lost forty boats in one night", "We lost 40 boats in one night", []),  # a word or digits
        ("We lost boats in one night", "We lost many boats in one night", ["added"]),
        ("We lost the boats that night", "We lost the ships that night", ["wording_changed"]),
        ("The dam of the valley holds", "The mill at the harbour fell", ["wording_changed"]),  # no word but articles
        ("The mill is old. We never sail.", "The mill is old", ["omitted"]),  # another sentence
        ("We sold the mill", "“We [sold] the mill,”", []),  # marks and brackets are no words
    ],
)
def test_kinds(reference: str, text: str, expected: list[str]):
    assert kinds(reference, text) == expected


def test_other_languages_are_compared_by_their_cues():
    found = align("Wir werden die Mühle nicht verkaufen", "Wir werden die Mühle verkaufen", "de").differences
    assert [one.kind.value for one in found] == ["omitted_negation"]


def test_an_omission_with_cues_of_two_kinds_has_a_difference_of_each():
    found = align("We sail at dawn, but only if it rains.", "We sail at dawn").differences
    kinds = [(one.kind, one.cue) for one in found]
    assert kinds == [(Kind.OMITTED_CONDITION, (17, 20)), (Kind.OMITTED_CONTRAST, (17, 20))]
    assert {one.reference for one in found} == {(17, 37)}


def test_of_several_cues_of_a_class_the_one_next_to_the_kept_words_counts():
    reference = "It was probably the shock that perhaps the worst fear of ours came true"
    [omitted] = align(reference, "the worst fear of ours came true").differences
    assert omitted.cue is not None and reference[slice(*omitted.cue)] == "perhaps"


def test_offsets_are_code_points_of_the_texts_as_they_are():
    reference, text = "“𝒲e sold «no» boats – at dawn!”", "We  sold boats,  at DAWN"
    [omitted] = align(reference, text).differences
    assert reference[slice(*omitted.reference)] == "no"
    assert text[omitted.span[0] :].startswith("boats")


def test_texts_of_pages_are_not_compared():
    page = "We sail at dawn. " * (LONGEST // 4 + 1)
    assert align(page, "We sail at dawn").kept == ()


@given(texts)
def test_a_text_does_not_differ_from_itself(text: str):
    found = align(text, text)
    assert found.differences == ()
    assert len(found.kept) == len(text.split())


@given(texts, texts)
def test_every_word_of_the_reference_is_kept_or_in_a_gap(reference: str, text: str):
    found = align(reference, text)
    gaps = {one.reference for one in found.differences if one.kind is not Kind.OMITTED_QUESTION}
    place = 0
    for word in reference.split():
        start = reference.index(word, place)
        place = start + len(word)
        holders = [gap for gap in gaps if gap[0] <= start and place <= gap[1]]
        assert (len(holders) == 1) != ((start, place) in found.kept), word
    for one in found.differences:
        assert 0 <= one.span[0] <= one.span[1] <= len(text)
        assert (one.cue is not None) == (one.kind in RISKY.values())
        assert one.cue is None or (one.reference[0] <= one.cue[0] and one.cue[1] <= one.reference[1])


@given(st.permutations(["dam", "rain", "mill", "boats", "crew", "wind"]), st.integers(0, 5), st.integers(1, 6))
def test_a_cut_of_plain_words_only_omits(words: list[str], first: int, size: int):
    cut = words[first : first + size]
    if cut != words:
        assert set(kinds(" ".join(words), " ".join(cut))) == {"omitted"}


def test_who_has_the_cue_without_the_words_beside_it_carries_nothing():
    cut = align(REFERENCE, "the old dam will not hold").differences
    [condition] = [one for one in cut if one.kind is Kind.OMITTED_CONDITION]
    assert is_carried(condition, align(REFERENCE, "the old dam will not hold if it rains for 40 days"))
    assert not is_carried(condition, align(REFERENCE, "if it rains for 40 days, but we will mend it"))
    assert not is_carried(condition, align(REFERENCE, "the old dam will not hold"))


def bearing(reference: str, text: str) -> list[str]:
    return [one.kind.value for one in align(reference, text).differences if one.kind in RISKY.values()]


@pytest.mark.parametrize(
    ("reference", "text", "expected"),
    [
        ("I do not believe the dam will hold", "the dam will hold", ["omitted_negation"]),
        (
            "We can never say in the whole of this long year the dam will hold",
            "the dam will hold",
            ["omitted_negation"],
        ),
        ("Why don't they go back and mend the dam?", "go back and mend the dam", []),  # a proposal
        ("Shouldn't we mend the dam now?", "we mend the dam now", []),  # a question
        ("It's not been the case, that's not been an aim", "It's not been an aim", []),  # said twice
        ("I think that the dam will hold", "the dam will hold", ["omitted_hedge"]),
        ("I think that she ought to go and mend the dam", "go and mend the dam", ["omitted_hedge"]),
        ("The dam will hold and perhaps the mill too", "The dam will hold", []),
        ("I think this is the biggest dam ever", "the biggest dam ever", ["omitted_hedge"]),
        ("The dam may hold this year", "The dam hold this year", ["omitted_hedge"]),
        ("The dam will hold if it is dry", "The dam will hold", ["omitted_condition"]),
        ("If it is dry, the dam will hold", "the dam will hold", ["omitted_condition"]),
        ("If it is dry, then I do say that we all mend the old dam", "the old dam", []),  # of other words
        ("If we like the old dam, the dam will hold", "the dam will hold", ["omitted_condition"]),
        ("The dam will hold -- for if it breaks, we all drown", "The dam will hold", []),  # another clause
        ("If you ask me, the dam will hold", "the dam will hold", []),  # a turn of speech
        ("When I saw it, the dam was dry", "the dam was dry", []),  # a time
        ("We have been provided a dam of stone", "a dam of stone", []),  # a verb
        ("The dam will hold, but only for this one year", "The dam will hold", ["omitted_contrast"]),
        ("By the rules, however, the dam will hold", "By the rules the dam will hold", []),  # a connective
    ],
)
def test_what_bears_on_the_words_that_are_kept(reference: str, text: str, expected: list[str]):
    assert bearing(reference, text) == expected


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("He said: “", "”. Nobody asked.", False),
        ("He said: “", ",” and sat down. “But only if the rain stays away this year.”", True),  # the rest follows
        ("He said that if the year is dry “", "”.", True),  # in other words, outside the marks
        ("If it is wet we sail. He said: “", "”.", False),  # another sentence
    ],
)
def test_what_the_article_tells_beside_a_use(before: str, after: str, told: bool):
    reference = "The dam will hold if the rain stays away"
    [omission] = align(reference, "The dam will hold").differences
    assert article_has_omission(reference, omission, before, "The dam will hold", after) is told
