"""Pairs by meaning are those of brute force, in any order of nights; no negation passes, and meanings never chain."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.embeddings.nearest import nearest
from quotelake.reuse.clusters import NEITHER, Pair, cluster
from quotelake.reuse.semantic import NEIGHBOURS, alike

WORDS = ["the", "keeper", "mended", "a", "lantern", "of", "our", "harbour", "before", "winter", "came"]


def unit(rows: int, seed: int, spread: float = 0.3) -> np.ndarray:
    """Vectors of unit length around a few directions."""
    rng = np.random.default_rng(seed)
    made = np.eye(8)[rng.integers(0, 8, rows)] + spread * rng.normal(size=(rows, 8))
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)


def texts(ids: list[str]) -> dict[str, str]:
    return {each: " ".join(WORDS) + f" {chr(97 + int(each))}" for each in ids}


@given(st.integers(2, 30), st.integers(0, 5), st.integers(1, 30))
def test_nights_find_the_pairs_of_brute_force(number: int, seed: int, cut: int):
    ids, vectors = [f"{n:02}" for n in range(number)], unit(number, seed)
    cosines = vectors @ vectors.T
    wanted = {(ids[a], ids[b]) for a in range(number) for b in range(a + 1, number) if cosines[a, b] >= 0.9}
    whole = alike(ids, vectors, range(number), texts(ids), 0.9)
    assert {pair[:2] for pair in whole.pairs} == wanted and not whole.crowded
    first = min(cut, number)
    nights = alike(ids[:first], vectors[:first], range(first), texts(ids), 0.9).pairs
    nights += alike(ids, vectors, range(first, number), texts(ids), 0.9).pairs
    assert sorted(nights) == whole.pairs


def test_a_variant_with_more_neighbours_than_are_looked_at_is_counted():
    ids = [f"{n:02}" for n in range(NEIGHBOURS + 2)]
    vectors = np.tile(np.eye(1, 8, dtype=np.float32), (len(ids), 1))
    assert alike(ids, vectors, [0], texts(ids), 0.9).crowded == 1
    assert alike(ids[:-1], vectors[:-1], [0], texts(ids), 0.9).crowded == 1
    assert alike(ids[:-2], vectors[:-2], [0], texts(ids), 0.9).crowded == 0


@pytest.mark.parametrize(
    ("other", "same"), [("we shall leave by the gate", True), ("we shall not go by the gate", False)]
)
def test_a_negation_or_a_number_keeps_texts_apart_whatever_their_vectors(other: str, same: bool):
    vectors = np.tile(np.eye(1, 8, dtype=np.float32), (2, 1))
    found = alike(["a", "b"], vectors, [0, 1], {"a": "we shall go by the gate", "b": other}, 0.9)
    assert bool(found.pairs) is same


def test_the_inverted_file_finds_what_comparing_all_finds():
    vectors = unit(3000, 1)
    exact, indexed = nearest(vectors[:50], vectors, 1), nearest(vectors[:50], vectors, 1, exact=100)
    assert (exact.rows == indexed.rows).mean() > 0.95
    again = nearest(vectors[:50], vectors, 1, exact=100)
    assert (again.rows == indexed.rows).all() and (again.cosines == indexed.cosines).all()


def means(a: str, b: str) -> Pair:
    return Pair(a, b, "semantic", NEITHER, 9, 9)


def test_meanings_join_groups_by_their_anchors_and_never_chain():
    chain = [means(a, b) for a, b in zip("abcde", "bcdef", strict=True)]
    groups = {variant: place.group_id for variant, place in cluster(chain).items()}
    assert all(
        any({variant, group} <= {pair.a, pair.b} for pair in chain)
        for variant, group in groups.items()
        if variant != group
    )
    assert len(set(groups.values())) > 1
    # m means what n means, but is anchored to k by its words: the pair joins nothing.
    worded = Pair("k", "m", "wording", NEITHER, 12, 9)
    apart = cluster([worded, means("m", "n")])
    assert apart["m"].group_id == "k" and apart["n"].group_id == "n"
    # Where the pair is of the anchors, both groups are one.
    assert {place.group_id for place in cluster([worded, means("k", "n")]).values()} == {"k"}
