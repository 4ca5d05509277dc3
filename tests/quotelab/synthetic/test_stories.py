"""The stream of stories: its truth holds, its numbers follow the plan, and its memory does not grow."""

import math
import random
from collections import Counter, defaultdict
from datetime import timedelta
from itertools import islice
from statistics import linear_regression

import pytest

from quotelab.synthetic.groups import MANY, ONE, SHIFT, GroupMaker, Plan
from quotelab.synthetic.mutations import OTHER, SAME
from quotelab.synthetic.stories import Story, stories
from quotelab.synthetic.wording import Phrasebook
from quotelake.errors import InputError
from quotelake.quotes.keys import canonical_text


@pytest.fixture(scope="module")
def many() -> list[Story]:
    """Stories of the usual plan."""
    return list(islice(stories(Plan()), 1500))


def test_no_text_stands_in_two_groups(many: list[Story]):
    groups = defaultdict(set)
    for quote in (each for story in many for article in story.articles for each in article.planted):
        groups[canonical_text(quote.text)].add(quote.group)
    assert {text: names for text, names in groups.items() if len(names) > 1} == {}
    assert len(groups) > 500


def test_every_kind_is_planted_and_only_the_first_use_is_the_base(many: list[Story]):
    kinds, uses = Counter(), Counter()
    for story in many:
        for quote in (each for each in story.articles[0].planted if each.field == "body"):
            kinds[quote.kind] += 1
            assert (quote.kind == "base") == (quote.kind in SAME and not uses[quote.group])
            uses[quote.group] += 1
    assert set(kinds) == {*SAME, *OTHER}


def test_topics_follow_the_behaviour_of_the_groups(many: list[Story]):
    topics = defaultdict(set)
    for story in many:
        first = story.articles[0]
        for group in story.groups:
            topics[group].add(first.topic)
            if group.behaviour == ONE:
                assert first.topic == group.topic
            elif group.behaviour == SHIFT:
                assert group.shift_at is not None
                assert first.topic == (group.later_topic if first.published >= group.shift_at else group.topic)
    assert max(len(found) for group, found in topics.items() if group.behaviour == MANY) > 5
    assert max(len(found) for group, found in topics.items() if group.behaviour == SHIFT) == 2


def test_wire_copies_have_the_same_quotes_in_other_outlets_within_two_days(many: list[Story]):
    copied = [story.articles for story in many if len(story.articles) > 1]
    assert len(copied) == pytest.approx(Plan().wire * len(many), rel=0.3)
    for first, *copies in copied:
        assert len({article.outlet for article in (first, *copies)}) == 1 + len(copies)
        for copy in copies:
            assert copy.story == first.id != copy.id and copy.topic == first.topic
            assert timedelta() <= copy.published - first.published <= timedelta(days=2)
            assert said(copy) == said(first)
            paragraphs, shorter = (article.body.count("\n\n") for article in (first, copy))
            assert shorter == paragraphs - 1


def said(article) -> list[tuple[str, str, str]]:
    """Quotes in the body of an article, wherever they stand."""
    return [(each.text, each.group, each.kind) for each in article.planted if each.field == "body"]


@pytest.mark.parametrize("exponent", [1.5, 2.0, 2.5, 3.0])
def test_uses_per_quote_follow_the_power_law(exponent: float):
    """The slope of log P(n) over log n, by least squares over n with enough draws."""
    maker, rng = GroupMaker(Phrasebook(1).wording, Plan(exponent=exponent)), random.Random(1)
    counts = Counter(maker.uses(rng) for _ in range(100_000))
    sizes = range(1, 9)
    line = linear_regression([math.log(n) for n in sizes], [math.log(counts[n]) for n in sizes])
    assert line.slope == pytest.approx(-exponent, abs=0.1)


def test_a_plan_out_of_bounds_is_refused():
    for name, value, bounds in (("copies_max", 0, "1"), ("other", 1.0, "0.0 to 0.9"), ("days", 0, "1 to 36500")):
        with pytest.raises(InputError, match=f"{name} is {value}: give a value from {bounds}"):
            next(stories(Plan()._replace(**{name: value})))
