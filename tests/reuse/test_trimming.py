"""An omission counts against an outlet only if it bears on what is kept and the article does not tell it beside."""

import pytest

from quotelake.reuse.differences import LISTS, align
from quotelake.reuse.trimming import bears, is_said_beside


def bearing(reference: str, text: str) -> list[str]:
    return [one.kind.value for one in align(reference, text).differences if one.kind in LISTS and bears(reference, one)]


@pytest.mark.parametrize(
    ("reference", "text", "expected"),
    [
        ("I do not believe the dam will hold", "the dam will hold", ["omitted_negation"]),
        ("We can never say in the whole of this long year the dam will hold", "the dam will hold", []),  # far
        ("Why don't they go back and mend the dam", "go back and mend the dam", []),  # a proposal
        ("Shouldn't we mend the dam now?", "we mend the dam now", []),  # a question
        ("It's not been the case, that's not been an aim", "It's not been an aim", []),  # said twice
        ("I think that the dam will hold", "the dam will hold", ["omitted_hedge"]),
        ("I think that she ought to go and mend the dam", "go and mend the dam", []),  # of other words
        ("The dam will hold and perhaps the mill too", "The dam will hold", []),
        ("I think this is the biggest dam ever", "the biggest dam ever", []),
        ("The dam may hold this year", "The dam hold this year", ["omitted_hedge"]),
        ("The dam will hold if it is dry", "The dam will hold", ["omitted_condition"]),
        ("If it is dry, the dam will hold", "the dam will hold", ["omitted_condition"]),
        ("If it is dry, then I do say that we all mend the old dam", "the old dam", []),  # of other words
        ("If you like the old dam, the dam will hold", "the dam will hold", ["omitted_condition"]),
        ("The dam will hold -- for if it breaks, we all drown", "The dam will hold", []),  # another clause
        ("If you ask me, the dam will hold", "the dam will hold", []),  # a turn of speech
        ("When I saw it, the dam was dry", "the dam was dry", []),  # a time
        ("We have been provided a dam of stone", "a dam of stone", []),  # a verb
        ("I think that falls under the fact that the dam is old", "the dam is old", []),  # German *falls*
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
    assert is_said_beside(reference, omission, before, after) is told
