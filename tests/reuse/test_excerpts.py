"""A short excerpt joins the group of the texts that hold it, and by no order of nights another one."""

import random
from collections.abc import Collection, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelab.grouping import group_texts
from quotelake.reuse.clusters import MOST_HOLDERS, Decision, UseOf, decide, group_pairs, month_of
from quotelake.reuse.verify import EXCERPT_PAIR, Pair

#: Texts as intervals of one long text: one holds another if it covers it, as holding is transitive.
SPANS = {f"{start}-{end}": (start, end) for start in range(6) for end in range(start + 1, 7)}


def pair(a: str, b: str, measure: str, inner: str = "") -> Pair:
    a, b = sorted((a, b))
    sizes = ((end - start) for start, end in (SPANS.get(a, (0, 9)), SPANS.get(b, (0, 9))))
    return Pair(a, b, measure, inner or None, *sizes)


def holds(outer: str, inner: str) -> bool:
    (start, end), (first, last) = SPANS[outer], SPANS[inner]
    return outer != inner and start <= first and last <= end


@st.composite
def corpora(draw: st.DrawFn) -> tuple[list[Pair], dict[str, set[UseOf]]]:
    """Texts, of which the short ones are excerpts of those that cover them and some long ones are alike; their uses."""
    texts = draw(st.lists(st.sampled_from(sorted(SPANS)), unique=True, min_size=2))
    short = [text for text in texts if SPANS[text][1] - SPANS[text][0] <= 3]
    pairs = [pair(inner, outer, EXCERPT_PAIR, inner) for inner in short for outer in texts if holds(outer, inner)]
    others = [(a, b) for a in texts for b in texts if a < b and not holds(a, b) and not holds(b, a)]
    pairs += [pair(a, b, "wording") for a, b in others if draw(st.booleans())]
    use = st.builds(
        UseOf, st.sampled_from("xyz"), st.sampled_from([None, 1, 2, 9]), st.sampled_from([None, "Rita Bell"])
    )
    return pairs, {text: draw(st.sets(use, max_size=2)) for text in texts}


def groups_of(pairs: Collection[Pair]) -> dict[str, str]:
    """Groups without excerpts that join."""
    alone = {variant: variant for each in pairs for variant in (each.a, each.b)}
    places = group_pairs(each for each in pairs if each.measure != EXCERPT_PAIR)
    return alone | {variant: place.group_id for variant, place in places.items()}


@given(corpora(), st.randoms(use_true_random=False))
def test_the_order_of_pairs_and_uses_does_not_matter(
    found: tuple[list[Pair], dict[str, set[UseOf]]], rng: random.Random
):
    pairs, uses = found
    shuffled = rng.sample(pairs, len(pairs))
    mixed = {variant: rng.sample(sorted(uses[variant], key=str), len(uses[variant])) for variant in uses}
    assert decide(shuffled, groups_of(pairs), mixed) == decide(pairs, groups_of(pairs), uses)


@given(corpora(), st.randoms(use_true_random=False))
def test_nights_that_decide_what_they_touch_leave_what_one_night_leaves(
    found: tuple[list[Pair], dict[str, set[UseOf]]], rng: random.Random
):
    """Protects: an excerpt is looked at again only if it or a text that holds it is used or is in a component that
    grows. A text of a component that grows may keep its group and be an excerpt that no longer stands alone."""
    pairs, uses = found
    events = [(variant, use) for variant, its in uses.items() for use in (*sorted(its, key=str), None)]
    rng.shuffle(events)
    there: dict[str, set[UseOf]] = {}
    final: dict[str, str] = {}
    for variant, use in events:
        is_new = variant not in there
        there.setdefault(variant, set()).update([use] if use else [])
        now = [each for each in pairs if each.a in there and each.b in there]
        core = {each: each for each in there} | groups_of(now)
        places = group_pairs(each for each in now if each.measure != EXCERPT_PAIR)
        grown = places[variant].component_id if is_new and variant in places else None
        moved = {variant, *(each for each, place in places.items() if place.component_id == grown)}
        held = [each for each in now if each.measure == EXCERPT_PAIR]
        touched = {each.part_and_whole[0] for each in held if not moved.isdisjoint((each.a, each.b))}
        final |= {each: core[each] for each in moved}
        parts = {each: each.part_and_whole[:1] if each.measure == EXCERPT_PAIR else (each.a, each.b) for each in now}
        of_touched = [each for each in now if not touched.isdisjoint(parts[each])]
        known = final | {each: core[each] for each in touched}
        final |= {each: found.group_id for each, found in decide(of_touched, known, there).items()}
    whole = {each: each for each in there} | groups_of(pairs)
    assert final == whole | {each: found.group_id for each, found in decide(pairs, whole, uses).items()}


BELL, REED = "Rita Bell", "Tom Reed"
EARLY, LATE = month_of("2024-02"), month_of("2024-09")


@pytest.mark.parametrize(
    ("own", "others", "joins"),
    [
        ({UseOf("a")}, {UseOf("a")}, True),
        ({UseOf("a", EARLY)}, {UseOf("b", LATE)}, False),
        ({UseOf("a", EARLY)}, {UseOf("b", month_of("2024-03"))}, True),
        ({UseOf("a", EARLY, BELL)}, {UseOf("b", LATE, "Rita B. Bell")}, True),
        ({UseOf("a", EARLY, BELL)}, {UseOf("b", LATE, REED)}, False),
        ({UseOf("a", EARLY, BELL)}, {UseOf("b", EARLY, REED)}, False),
        ({UseOf("a", EARLY, BELL)}, {UseOf("b", EARLY)}, True),
        ({UseOf("a", EARLY, BELL)}, {UseOf("a", EARLY, REED)}, True),
        ({UseOf("a", EARLY)}, {UseOf("b")}, False),
        (set(), {UseOf("b", LATE)}, True),
    ],
)
def test_an_excerpt_of_one_group_joins_it_if_a_use_agrees(own: set[UseOf], others: set[UseOf], joins: bool):
    found = decide(
        [pair("part", "whole", EXCERPT_PAIR, "part")], {"part": "part", "whole": "g"}, {"part": own, "whole": others}
    )
    assert found == {"part": Decision("g", "joined") if joins else Decision("part", None)}


@pytest.mark.parametrize(
    ("own", "joins"),
    [
        ({UseOf("a", EARLY)}, True),
        ({UseOf("a", EARLY), UseOf("c", EARLY)}, False),
        ({UseOf("a", EARLY), UseOf("b", EARLY)}, False),
        (set(), False),
    ],
)
def test_an_excerpt_of_two_groups_joins_one_only_if_every_use_is_beside_it(own: set[UseOf], joins: bool):
    pairs = [pair("part", other, EXCERPT_PAIR, "part") for other in ("one", "other")]
    uses: Mapping[str, set[UseOf]] = {"part": own, "one": {UseOf("a", EARLY)}, "other": {UseOf("b", EARLY)}}
    found = decide(pairs, {"part": "part", "one": "one", "other": "other"}, uses)
    assert found["part"] == (Decision("one", "joined") if joins else Decision("part", None))


def test_an_excerpt_that_other_texts_gather_around_joins_nothing():
    pairs = [pair("part", "whole", EXCERPT_PAIR, "part"), pair("part", "near", "wording")]
    assert decide(pairs, {"part": "part", "whole": "whole", "near": "part"}, {})["part"] == Decision("part", None)


def test_what_very_many_texts_hold_is_a_phrase():
    pairs = [pair("part", f"w{number}", EXCERPT_PAIR, "part") for number in range(MOST_HOLDERS + 1)]
    groups = {each: "g" for pair in pairs for each in (pair.a, pair.b)} | {"part": "part"}
    assert decide(pairs[1:], groups, {})["part"] == Decision("g", "joined")
    assert decide(pairs, groups, {})["part"] == Decision("part", "phrase")


def test_texts_alone_join_the_only_quote_that_holds_them_and_another_one_withdraws_them():
    whole = "They will try it, and they will continue trying to cheat in the election, as the mayor knows very well"
    part = "trying to cheat in the election"
    other = f"I saw nobody there who was {part} of our board"
    found = group_texts([part, whole])
    assert found[0] == found[1]
    found = group_texts([part, whole, other])
    assert len(set(found)) == 3
