"""Sets of uses without articles: their truth holds, and their numbers are those asked for."""

from collections import defaultdict
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quotelab.synthetic.groups import Use
from quotelab.synthetic.mutations import OTHER, SAME
from quotelab.synthetic.texts import LEAST_WORDS, changed, everyday, mixed, substitutions
from quotelake.errors import InputError

Stream = Callable[..., Iterator[Use]]


@pytest.fixture(scope="module", params=[mixed, everyday])
def stream(request: pytest.FixtureRequest) -> Stream:
    made: Stream = request.param
    return made


@pytest.fixture(scope="module")
def many(stream: Stream) -> list[Use]:
    return list(stream(4_000))


@pytest.mark.parametrize("rows", [1, 700])
def test_more_rows_begin_with_the_same_ones_and_another_seed_gives_others(stream: Stream, many: list[Use], rows: int):
    assert list(stream(rows)) == many[:rows]
    assert list(stream(rows, 8)) != many[:rows]


def test_all_kinds_are_there_and_a_text_that_is_not_the_quote_has_a_group_of_its_own(many: list[Use]):
    assert {use.kind for use in many} == {*SAME, *OTHER}
    kinds = defaultdict(set)
    for use in many:
        kinds[use.group].add(use.kind)
    assert all(len(each) == 1 or each <= set(SAME) for each in kinds.values())


def test_quotes_are_changed_in_every_way_that_their_words_allow_and_stay_the_quote():
    long = "We will not rebuild the old harbour bridge before the third winter, whatever my neighbours think about it"
    uses = list(changed([long, long.upper(), "Far too short for this"], 10))
    assert {"base", "copy", "truncated", "elided"} <= {use.kind for use in uses} <= {*SAME}
    assert len({use.group for use in uses}) == 1, "the same words are one quote, and five are too few"
    assert all("not" in use.text.lower().split() for use in uses if use.kind in ("dropped", "substituted"))
    assert list(changed([long], 10)) == list(changed([long], 10)) and not list(changed([long], 0))


@given(lengths=st.lists(st.integers(LEAST_WORDS, 30), min_size=1, max_size=3, unique=True), pairs=st.integers(1, 5))
@settings(max_examples=20)
def test_a_pair_differs_in_one_inner_word_of_as_many_as_its_kind_says(lengths: list[int], pairs: int):
    uses = list(substitutions(lengths, pairs))
    assert len(uses) == 2 * pairs * len(lengths)
    for base, other in zip(uses[::2], uses[1::2], strict=True):
        words, others = base.text.split(), other.text.split()
        assert (base.kind, base.group) == ("base", other.group)
        assert other.kind == f"substituted_{len(words)}" == f"substituted_{len(others)}"
        differing = [at for at, pair in enumerate(zip(words, others, strict=True)) if pair[0] != pair[1]]
        assert len(differing) == 1 and 0 < differing[0] < len(words) - 1
        assert len({*words} & {*others}) == len(words) - 1 == len({*words}) - 1


def test_a_number_that_is_too_small_is_named():
    for made in (mixed(0), substitutions([3], 1), substitutions([7], 0)):
        with pytest.raises(InputError, match="or more"):
            next(made)
