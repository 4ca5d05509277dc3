"""Clusters, words and pairs of a group: bounded, and the same whatever order contexts came in."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.topics.details import choose_pairs, clusters, details, keywords
from quotelake.topics.variation import Group, Use, to_fixed

NAMES = ("doc_id", "start", "context_start", "context_end")


@given(st.sets(st.integers(0, 2**64 - 1), min_size=2, max_size=30), st.integers(0, 60))
def test_pairs_are_all_or_a_bounded_sample_that_depends_on_the_contexts_alone(numbers: set[int], most: int):
    hashes = sorted(f"{number:016x}{0:016x}" for number in numbers)
    chosen = choose_pairs(hashes, most)
    assert len(set(chosen)) == len(chosen) == min(most, len(hashes) * (len(hashes) - 1) // 2)
    assert all(a < b for a, b in chosen)
    # A context more changes which pairs are chosen only by its own pairs.
    fewer = hashes[:-1]
    kept = {(hashes[a], hashes[b]) for a, b in chosen if b < len(fewer)}
    assert kept <= {(fewer[a], fewer[b]) for a, b in choose_pairs(fewer, most)}


def test_a_sample_of_pairs_is_of_contexts_all_over_the_group():
    hashes = sorted(f"{number * 7919:016x}{0:016x}" for number in range(40))
    assert len({context for pair in choose_pairs(hashes, 40) for context in pair}) > 25


def test_clusters_part_what_is_apart_and_their_words_name_them():
    rng = np.random.default_rng(5)
    rows = rng.normal(size=(12, 8)) * 0.2
    rows[:7, 0] += 1
    rows[7:, 3] += 1
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    found = clusters(rows, 0.3)
    assert [each.contexts for each in found] == [list(range(7)), list(range(7, 12))]
    inside = rows[:7] @ rows[:7].T
    assert found[0].typical == np.argsort(-inside.sum(axis=1), kind="stable")[:2].tolist()
    texts = [f"the harbour and ship {row}" for row in range(7)], [f"the choir and song {row}" for row in range(5)]
    found = keywords(texts, {"the", "and"}.__contains__)
    assert [words[:2] for words in found] == [["harbour", "ship"], ["choir", "song"]]


@pytest.mark.parametrize(("least", "number"), [(0.59, 1), (0.61, 2)])
def test_two_contexts_are_one_cluster_from_the_least_cosine_on(least: float, number: int):
    assert len(clusters(np.array([[1.0, 0.0], [0.6, 0.8]]), least)) == number


def test_of_words_that_are_as_frequent_in_a_class_the_one_of_this_class_alone_comes_first():
    choir = ["the boat of a choir", "the boat and bread", "a choir and bread"]
    assert keywords([choir, ["a boat at sea", "the sea"]], {"the", "and"}.__contains__)[0] == ["bread", "choir", "boat"]


def test_a_group_is_explained_by_vectors_before_and_after_the_head():
    plain = np.eye(4)[[0, 0, 1]] * 1.0
    mapped = np.eye(4)[[0, 1, 1]] * 1.0
    uses = [Use(row, "2024-01", "news", None, str(row), 1) for row in range(3)]
    where = [dict.fromkeys(NAMES, row) | {"masked_hash": f"{row:032x}"} for row in range(3)]
    group, words = Group(to_fixed(mapped), uses), ["one", "two", "six"]
    row = details(group, plain, where, words, {"the"}.__contains__, has_head=True)
    assert [(pair["cosine"], pair["head_score"], pair["label"]) for pair in row["pairs"]] == [
        (1.0, 0.0, "different"), (0.0, 0.0, "different"), (0.0, 1.0, "same"),
    ]  # fmt: skip
    assert [cluster["n_contexts"] for cluster in row["clusters"]] == [2, 1]
    assert row["clusters"][1]["second"] is None
