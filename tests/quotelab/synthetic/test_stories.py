"""The stream of stories: its truth holds, its numbers follow the plan, and its memory does not grow."""

import gc
import math
import random
from collections import Counter, defaultdict
from datetime import date, timedelta
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quotelab.synthetic.groups import MANY, ONE, SHIFT, Group, PowerLaw
from quotelab.synthetic.mutations import OTHER, SAME
from quotelab.synthetic.stories import Plan, Story, stories
from quotelake.errors import InputError
from quotelake.quotes.keys import canonical_text
from quotelake.quotes.spans import find_quotes


@pytest.fixture(scope="module")
def many() -> list[Story]:
    """Stories of the usual plan."""
    return list(islice(stories(Plan()), 1500))


@pytest.mark.parametrize("number", [1, 60])
def test_the_same_plan_gives_the_same_stories_and_more_begin_with_fewer(many: list[Story], number: int):
    again = [story.articles for story in islice(stories(Plan()), number)]
    assert again == [story.articles for story in many[:number]]
    other = [story.articles for story in islice(stories(Plan(seed=8)), number)]
    assert other != again


def test_the_kernel_finds_the_planted_quotes_and_no_others(many: list[Story]):
    fields = 0
    for article in (article for story in many[:700] for article in story.articles):
        for field, text in (("headline", article.text.headline), ("body", article.text.body)):
            planted = [(each.start, each.end, each.text) for each in article.text.planted if each.field == field]
            found = find_quotes(text, field)
            assert [(each.start, each.end, each.text) for each in found] == planted
            assert {each.kind for each in found} <= {"direct"}
            fields += bool(planted)
    assert fields > 1000


def test_no_text_stands_in_two_groups(many: list[Story]):
    groups = defaultdict(set)
    for quote in (each for story in many for article in story.articles for each in article.text.planted):
        groups[canonical_text(quote.text)].add(quote.group)
    assert {text: names for text, names in groups.items() if len(names) > 1} == {}
    assert len(groups) > 500


def test_every_kind_is_planted_and_only_the_first_use_is_the_base(many: list[Story]):
    kinds, uses = Counter(), Counter()
    for story in many:
        for quote in (each for each in story.articles[0].text.planted if each.field == "body"):
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


def test_a_story_quotes_a_group_once(many: list[Story]):
    assert all(len({id(group) for group in story.groups}) == len(story.groups) for story in many)


def test_wire_copies_have_the_same_quotes_in_other_outlets_within_two_days(many: list[Story]):
    copied = [story.articles for story in many if len(story.articles) > 1]
    assert len(copied) == pytest.approx(Plan().wire * len(many), rel=0.3)
    for first, *copies in copied:
        assert len({article.outlet for article in (first, *copies)}) == 1 + len(copies)
        for copy in copies:
            assert copy.story == first.id != copy.id and copy.topic == first.topic
            assert timedelta() <= copy.published - first.published <= timedelta(days=2)
            assert said(copy) == said(first)
            paragraphs, shorter = (article.text.body.count("\n\n") for article in (first, copy))
            assert shorter == paragraphs - 1


def said(article) -> list[tuple[str, str, str]]:
    """Quotes in the body of an article, wherever they stand."""
    return [(each.text, each.group, each.kind) for each in article.text.planted if each.field == "body"]


def test_dates_lie_in_the_period():
    plan = Plan(start=date(2020, 2, 1), days=10, wire=0.0)
    days = Counter(story.articles[0].published.date() for story in islice(stories(plan), 500))
    assert sorted(days) == [plan.start + timedelta(days=day) for day in range(10)]


@pytest.mark.parametrize("exponent", [1.5, 2.0, 2.5, 3.0])
def test_uses_per_quote_follow_the_power_law(exponent: float):
    """The slope of log P(n) over log n, by least squares over n with enough draws."""
    law, rng = PowerLaw(exponent, 10_000), random.Random(1)
    counts = Counter(law.draw(rng) for _ in range(100_000))
    points = [(math.log(n), math.log(counts[n])) for n in range(1, 9)]
    mean_x, mean_y = (sum(values) / len(points) for values in zip(*points, strict=True))
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)
    assert slope == pytest.approx(-exponent, abs=0.1)


@given(st.floats(0, 10), st.integers(1, 2000), st.floats(0, 1, exclude_max=True))
def test_no_draw_leaves_the_bounds(exponent: float, most: int, point: float):
    class Fixed(random.Random):
        def random(self) -> float:
            return point

    assert 1 <= PowerLaw(exponent, most).draw(Fixed()) <= most


def test_groups_made_have_planned_uses_of_that_law(many: list[Story]):
    planned = [group.planned for group in {group.name: group for story in many for group in story.groups}.values()]
    singles = 1 / sum(n**-2.0 for n in range(1, 10_001))
    assert planned.count(1) / len(planned) == pytest.approx(singles, abs=0.06)


@settings(max_examples=10)
@given(st.integers(0, 1000), st.integers(1, 30), st.sampled_from([0.0, 0.5, 1.0]))
def test_no_quote_is_used_more_often_than_planned(seed: int, most: int, changed: float):
    plan = Plan(seed=seed, copies_max=most, exponent=0.5, changed=changed)
    uses, kinds = Counter(), Counter()
    groups: dict[str, Group] = {}
    for story in islice(stories(plan), 150):
        groups |= {group.name: group for group in story.groups}
        for _, group, kind in said(story.articles[0]):
            uses[group] += kind in SAME
            kinds[kind] += 1
    assert all(uses[name] == group.planned - group.left <= most for name, group in groups.items())
    assert changed or not {*kinds} - {"base", "copy", *OTHER}
    assert changed < 1 or not kinds["copy"]


def test_groups_in_memory_do_not_grow_with_the_stories():
    def alive(number: int) -> int:
        stream = stories(Plan(seed=3))
        last = next(islice(stream, number, None))
        gc.collect()
        found = sum(type(each) is Group for each in gc.get_objects())
        assert last.groups
        stream.close()
        return found

    gc.freeze()  # all that other tests hold is passed over, above all models
    try:
        few, more = alive(200), alive(1500)
    finally:
        gc.unfreeze()
    assert 0 < few <= more <= 80


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"exponent": -1.0}, "exponent is -1.0: give a value from 0.0 to 10.0"),
        ({"copies_max": 0}, "copies_max is 0"),
        ({"changed": 1.5}, "changed is 1.5"),
        ({"other": 1.0}, "other is 1.0: give a value from 0.0 to 0.9"),
        ({"days": 0}, "days is 0"),
        ({"start": date(9999, 12, 31)}, "start is 9999-12-31: give a value from 1900-01-01 to 2100-01-01"),
    ],
)
def test_a_plan_out_of_bounds_is_refused(change: dict[str, object], told: str):
    with pytest.raises(InputError, match=told):
        next(stories(Plan()._replace(**change)))
