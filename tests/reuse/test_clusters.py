"""Groups depend on which pairs there are and on nothing else, and no phrase joins two quotes that it stands in."""

import random
from collections import Counter, defaultdict
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelab.grouping import group_texts
from quotelake.reuse.clusters import Change, Place, group_changes, group_pairs, parts_of_components
from quotelake.reuse.verify import Pair


def by_group(places: Mapping[str, Place]) -> dict[str, set[str]]:
    groups: dict[str, set[str]] = defaultdict(set)
    for variant, place in places.items():
        groups[place.group_id].add(variant)
    return dict(groups)


def pair(a: str, b: str, measure: str = "wording", inner: str = "", words: dict[str, int] | None = None) -> Pair:
    """A pair in the order of ids; ``inner`` is part of the other."""
    first, second = sorted((a, b))
    sizes = words or {}
    return Pair(first, second, measure, inner or None, sizes.get(first, 10), sizes.get(second, 10))


VARIANTS = "abcdefghijkl"


@st.composite
def pairs(draw: st.DrawFn) -> list[Pair]:
    """Pairs of up to a dozen variants of different lengths; the contained one is never the longer one."""
    words = {variant: draw(st.integers(4, 9)) for variant in VARIANTS}
    found = {}
    for a, b in draw(st.lists(st.tuples(st.sampled_from(VARIANTS), st.sampled_from(VARIANTS)), max_size=25)):
        if a != b:
            shorter = min(a, b, key=lambda variant: (words[variant], variant))
            measure = draw(st.sampled_from(["wording", "spelling", "containment"]))
            inner = shorter if measure == "containment" or draw(st.booleans()) else ""
            found[tuple(sorted((a, b)))] = pair(a, b, measure, inner, words)
    return list(found.values())


@given(pairs(), st.randoms(use_true_random=False))
def test_the_order_of_pairs_does_not_matter(found: list[Pair], rng: random.Random):
    shuffled = found.copy()
    rng.shuffle(shuffled)
    assert group_pairs(shuffled) == group_pairs(found)


@given(pairs())
def test_a_component_is_clustered_alike_alone_and_with_others(found: list[Pair]):
    whole = group_pairs(found)
    for component in {place.component_id for place in whole.values()}:
        own = [each for each in found if whole[each.a].component_id == component]
        assert group_pairs(own) == {
            variant: place for variant, place in whole.items() if place.component_id == component
        }


@given(pairs(), st.integers(1, 6))
def test_components_dealt_into_parts_are_clustered_as_all_at_once(found: list[Pair], per_part: int):
    """Protects: a large first load, which is placed part by part, and parts that do not grow with it."""
    numbers = {variant: 7 * number for number, variant in enumerate(VARIANTS)}
    a, b = (np.array([numbers[getattr(each, side)] for each in found], np.int64) for side in ("a", "b"))
    part = dict(zip(*(each.tolist() for each in parts_of_components(a, b, per_part)), strict=True))
    dealt = defaultdict(list)
    for each in found:
        assert part[numbers[each.a]] == part[numbers[each.b]]
        dealt[part[numbers[each.a]]].append(each)
    whole = group_pairs(found)
    assert {variant: place for each in dealt.values() for variant, place in group_pairs(each).items()} == whole
    largest = max(Counter(whole[each.a].component_id for each in found).values(), default=0)
    assert all(len(each) < per_part + largest for each in dealt.values())


@given(pairs())
def test_every_variant_is_a_few_pairs_from_its_anchor(found: list[Pair]):
    near: dict[str, set[str]] = {}
    for each in found:
        near.setdefault(each.a, set()).add(each.b)
        near.setdefault(each.b, set()).add(each.a)
    for group, members in by_group(group_pairs(found)).items():
        reached = {group}
        for _ in range(3):
            reached |= {other for variant in reached for other in near[variant]} & members
        assert group in members
        assert reached == members


def test_a_phrase_joins_none_of_the_quotes_it_stands_in():
    long = {"speech": 40, "letter": 30, "phrase": 5}
    found = [pair("phrase", quote, "containment", "phrase", long) for quote in ("speech", "letter")]
    places = group_pairs(found)
    assert places["speech"].group_id != places["letter"].group_id
    assert places["phrase"].group_id == "speech", "of quotes that hold it as often, the longest"


@pytest.mark.parametrize("typo", ["20201", "220", "2002"])
def test_a_typo_that_makes_a_number_another_one_takes_no_excerpt_from_the_quote(typo: str):
    """The two spellings are two quotes by their numbers, and both hold the excerpt."""
    quote = "In 2020 the keepers of the harbour mended every lantern before the winter storms came"
    others = [quote.replace("mended", "repaired"), "the keepers of the harbour mended every lantern before the winter"]
    first, misspelt, *found = group_texts([quote, quote.replace("2020", typo), *others])
    assert first != misspelt
    assert found == [first, first]


def test_an_excerpt_does_not_join_a_quote_to_its_denial():
    sizes = {"quote": 10, "denied": 11, "excerpt": 8, "reworded": 10}
    found = [
        pair("excerpt", "quote", "wording", "excerpt", sizes),
        pair("excerpt", "denied", "wording", "excerpt", sizes),
        pair("quote", "reworded", "wording", "", sizes),
    ]
    places = group_pairs(found)
    assert {variant for variant in sizes if places[variant].group_id == places["quote"].group_id} == {
        "quote", "excerpt", "reworded",
    }  # fmt: skip


def test_chains_of_pairs_make_no_giant():
    chain = [pair(f"{number:03}", f"{number + 1:03}") for number in range(200)]
    groups = by_group(group_pairs(chain))
    assert max(map(len, groups.values())) <= 3
    assert len({place.component_id for place in group_pairs(chain).values()}) == 1


def test_groups_are_renamed_merged_and_split():
    before = {"a": "a", "b": "a", "c": "c", "d": "d", "e": "d", "f": "f"}
    after = {"a": "n", "b": "n", "c": "d", "d": "d", "e": "e", "f": "f"}
    assert group_changes(Counter(zip(before.values(), after.values(), strict=True))) == [
        Change("a", "n", "renamed", 2),
        Change("c", "d", "merged", 1),
        Change("d", "e", "split", 1),
    ]
    assert group_changes(Counter(zip(before.values(), before.values(), strict=True))) == []
