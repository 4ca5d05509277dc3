"""The tables of TRoTR: thresholds, rankings, held-out texts, and the protocol over made-up files."""

import gzip
import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score
from tests.quotelab.protocols.trotr.made_up import TEXTS, encode, without_noise

from quotelab.labels.judged import Judged, Pair, Part, Use, read_judged
from quotelab.protocols.trotr import best_threshold, evaluate, measure, over_all, over_annotated, rank
from quotelab.protocols.trotr_settings import Contexts, cosine, hold_out, read_folds
from quotelake.errors import InputError
from quotelake.topics.head import Vectors

Labelled = st.lists(st.tuples(st.sampled_from([0.1, 0.2, 0.3, 0.4, 0.5]), st.integers(0, 1)), min_size=1, max_size=12)


@given(Labelled)
def test_no_threshold_is_better_than_the_chosen_one(rows: list[tuple[float, int]]):
    scores, labels = np.array([score for score, _ in rows]), np.array([label for _, label in rows])

    def weighted(threshold: float) -> float:
        return float(f1_score(labels, scores >= threshold, average="weighted", zero_division=0))

    chosen = best_threshold(scores, labels)
    assert weighted(chosen) == pytest.approx(max(map(weighted, np.arange(0.05, 0.6, 0.1))))
    found = measure(scores, Part(labels, labels, labels.astype(float), labels), chosen)
    assert found["weighted_f1"] == pytest.approx(weighted(chosen))


def identity(x: Vectors, *_: object) -> Vectors:
    return np.eye(x.shape[1], dtype=np.float32)


def test_masking_and_a_head_help_where_they_should(folder: Path):
    figures = evaluate(folder, encode, without_noise).figures
    assert figures["tric_spearman_head"] > figures["tric_spearman_mask"]
    assert figures["tric_f1_best"] >= figures["tric_f1_base"]
    assert figures["tric_all_spearman_head"] > figures["tric_all_spearman_base"]
    assert figures["trac_spearman_head_lto"] > 0.7
    assert figures["clear_pairs"] == figures["pairs"] == 90
    assert not any("published" in name for name in figures)


def test_a_held_out_text_is_never_trained_on(folder: Path):
    judged = read_judged(folder)
    seen: list[set[str]] = []

    def spy(x: Vectors, first: np.ndarray, *_: object) -> Vectors:
        seen.append({judged.uses[place].target for place in first.tolist()})
        return identity(x)

    hold_out(judged, Contexts(judged.uses, encode), spy, groups=6)
    heads, tuned = [each for each in seen if len(each) == 5], [each for each in seen if len(each) == 4]
    assert {*TEXTS} - set.union(*[{*TEXTS} - each for each in heads]) == set()
    assert len(heads) == 6 and len(tuned) == 18 and len(seen) == 24


def test_variation_over_all_pairs_is_that_of_every_pair(folder: Path):
    """The sum of vectors against the pairs one by one: here people judged all pairs."""
    judged = read_judged(folder)
    vectors = encode([use.context for use in judged.uses])
    one_by_one = over_annotated(judged, cosine(vectors)(*judged.part(judged.pairs)[:2]))
    assert over_all(judged, vectors) == pytest.approx(one_by_one, abs=1e-6)


def test_the_interval_of_a_ranking_holds_it():
    gold = {f"text {n}": n / 40 for n in range(40)}
    noise = np.random.default_rng(0).normal(size=40)
    ranked = rank({text: value + 0.2 * float(noise[n]) for n, (text, value) in enumerate(gold.items())}, gold)
    assert ranked["low"] < ranked["spearman"] < ranked["high"] and 0.02 < ranked["sd"] < 0.2
    assert np.isnan(rank({"text 1": 1.0}, gold)["spearman"])


def test_no_tested_pair_is_trained_or_tuned_on(tmp_path: Path):
    """In the published folds slices overlap by a pair."""
    uses = [Use(name, "", 0, 0, "t") for name in "abcde"]
    pairs = [Pair(one, one, other, "t", {"a": 1, "b": 1}) for one, other in pairwise("abcde")]
    fold = {"train": [["a"], ["b"], ["c"]], "dev": [["b"], ["d"]], "test": [["c"], ["d"]], "test.oov": [["d"]]}
    path = tmp_path / "folds.json.gz"
    path.write_bytes(gzip.compress(json.dumps({"folds": {"1": fold}}).encode()))
    (read,) = read_folds(path, Judged(uses, pairs))
    assert {name: part.first.tolist() for name, part in read.parts.items()} == {
        "train": [0], "dev": [1], "test": [2, 3], "test.oov": [3],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"folds": {"1": {"train": []}}}, "fold 1: found no pair in train, dev"),
        ({"folds": {"1": {"train": [7]}}}, "fold 1: found parts of another form"),
        ({"folds": {"one": {}}}, "fold one: found no number"),
        ({"folds": {"1": {part: [[part]] for part in ("train", "dev", "test", "test.oov")}}}, "the pair 'train'"),
        ({}, "no fold"),
    ],
)
def test_faulty_folds_are_refused(tmp_path: Path, content: object, message: str):
    path = tmp_path / "folds.json.gz"
    path.write_bytes(gzip.compress(json.dumps(content).encode()))
    with pytest.raises(InputError, match=message):
        read_folds(path, Judged([], [Pair("1", "a", "b", "t", {"a": 1})]))
