"""Copies of an article are one story, and a page that holds several articles joins none of them."""

import random

from hypothesis import given
from hypothesis import strategies as st

from quotelake.reuse.clusters import A_IN_B, B_IN_A, NEITHER, Pair
from quotelake.reuse.stories.clusters import cluster_stories

WORDS = {"page": 800, "PAGE": 810, "A": 400, "a": 390, "b": 380, "c": 200}


def near(one: str, other: str) -> Pair:
    """Near copies."""
    a, b = sorted((one, other))
    return Pair(a, b, "wording", NEITHER, WORDS[a], WORDS[b])


def part(inner: str, outer: str) -> Pair:
    """One is a part of the other."""
    a, b = sorted((inner, outer))
    return Pair(a, b, "containment", A_IN_B if a == inner else B_IN_A, WORDS[a], WORDS[b])


def stories(*pairs: Pair) -> set[frozenset[str]]:
    """Texts of each story."""
    places = cluster_stories(pairs)
    return {frozenset(text for text in places if places[text].group_id == place.group_id) for place in places.values()}


def test_a_cut_copy_joins_the_article_and_its_copies():
    assert stories(part("c", "A")) == {frozenset("cA")}
    assert stories(near("a", "A"), part("c", "A"), part("c", "a")) == {frozenset("aAc")}


def test_a_page_that_holds_two_articles_joins_neither():
    assert stories(part("a", "page"), part("b", "page")) == {frozenset({text}) for text in ("page", "a", "b")}
    copied = (near("a", "A"), part("a", "page"), part("A", "page"))
    assert stories(*copied, part("b", "page")) == {frozenset({"page"}), frozenset("aA"), frozenset("b")}
    assert stories(near("A", "page"), part("b", "page")) == {frozenset({"A", "page"}), frozenset("b")}
    assert stories(*copied) == {frozenset({"page", "a", "A"})}


def test_two_versions_of_a_live_page_join_no_articles_that_both_hold():
    held = [part(article, page) for article in ("a", "b") for page in ("page", "PAGE")]
    assert stories(near("page", "PAGE"), *held) == {frozenset({"page", "PAGE"}), frozenset("a"), frozenset("b")}


def test_all_that_a_page_connects_is_one_component():
    places = cluster_stories([part("a", "page"), part("b", "page")])
    assert {place.component_id for place in places.values()} == {"a"}


@given(st.lists(st.tuples(st.sampled_from("Aabc"), st.sampled_from("Aabc"), st.booleans()), max_size=9), st.randoms())
def test_the_order_of_pairs_does_not_matter(drawn: list[tuple[str, str, bool]], rng: random.Random):
    by_texts = {
        frozenset((one, other)): part(min(one, other, key=WORDS.__getitem__), max(one, other, key=WORDS.__getitem__))
        if contained
        else near(one, other)
        for one, other, contained in drawn
        if one != other
    }
    pairs = list(by_texts.values())
    expected = cluster_stories(pairs)
    rng.shuffle(pairs)
    assert cluster_stories(pairs) == expected
