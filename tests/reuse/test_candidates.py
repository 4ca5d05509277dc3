"""Candidates hold every pair that the measures accept: held against brute force over all pairs."""

import random
from collections import Counter
from itertools import combinations, islice

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.reuse import candidates as module
from quotelake.reuse.candidates import Index, pairs_in
from quotelake.reuse.postings import listed, postings_of, shared_by_wording
from quotelake.reuse.verify import verify
from quotelake.reuse.words import Words, ranks, tokenize
from quotelake.spark.arrow import larger_batches

#: Few rare words and some common ones, so that texts of them are often near each other.
WORDS = st.sampled_from(
    [*["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel"], "the", "of", "and", "we", "…"]
)
TEXTS = st.lists(WORDS, min_size=1, max_size=14).map(" ".join)


def found(texts: dict[str, Words], new: set[str]) -> set[tuple[str, str]]:
    """Candidates among texts, of which some are new; the earlier ones are passed by the new ones in two parts."""
    earlier = [variant for variant in texts if variant not in new]
    tonight = postings_of(sorted(new), [texts[variant] for variant in sorted(new)])
    index = Index.of(tonight)
    parts = [postings_of(part, [texts[each] for each in part]) for part in (earlier[::2], earlier[1::2])]
    every = [pair for part in (index.pairs(), *map(index.pairs_with, parts)) for pair in pairs_of(part)]
    assert len(every) == len(set(every)), "each pair once"
    return set(every)


def pairs_of(found: pa.RecordBatch) -> list[tuple[str, str]]:
    return list(zip(*(side.to_pylist() for side in found.columns), strict=True))


def every_posting(rows: pa.RecordBatch) -> pa.Table:
    """The postings as Spark lists them, in any order."""
    postings = listed(rows)
    each = rows.select(["variant_id", "words", "signature"]).take(postings.column("variant").combine_chunks())
    for name in each.schema.names:
        postings = postings.append_column(name, each.column(name))
    order = random.Random(1).sample(range(len(postings)), len(postings))
    return postings.drop_columns(["variant"]).take(pa.array(order, pa.int64()))


@pytest.mark.parametrize("long", [module._LONG, 1])
@given(texts=st.lists(TEXTS, max_size=12, unique=True), data=st.data())
def test_no_pair_that_the_measures_accept_is_missed(texts: list[str], data: st.DataObject, long: int):
    words = {f"{number:032x}": tokenize(text) for number, text in enumerate(texts)}
    new = {variant for variant in words if data.draw(st.booleans())}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_LONG", long)  # from 1 on: all are looked at in blocks
        patch.setattr(module, "_BLOCK", 5)
        pairs = found(words, new)
    for a, b in combinations(sorted(words), 2):
        edge = verify(words[a], words[b])
        if edge is None or (edge.measure == "spelling" and not share_most(words[a], words[b])):
            continue
        assert ((a, b) in pairs) == bool({a, b} & new), (words[a], words[b], edge)


def share_most(a: Words, b: Words) -> bool:
    """Whether two texts share .6 of the words of the longer one: what a pair found by its spelling is promised for."""
    shared = (Counter(a.words) & Counter(b.words)).total()
    return shared >= shared_by_wording(max(len(a.words), len(b.words)))


@given(texts=st.lists(TEXTS, max_size=12, unique=True))
def test_a_stored_variant_is_no_pair_with_itself_and_pairs_do_not_depend_on_the_order_of_postings(texts: list[str]):
    words = {f"{number:032x}": tokenize(text) for number, text in enumerate(texts)}
    index = Index.of(rows := postings_of(list(words), list(words.values())))
    assert all(a < b for a, b in pairs_of(index.pairs_with(rows))), "none with itself"
    assert {*pairs_of(Index.of_tokens(every_posting(rows)).pairs())} == {*pairs_of(index.pairs())}


@given(st.lists(st.integers(0, 5), max_size=20), st.integers(1, 12))
def test_an_archive_of_any_size_is_compared_some_of_it_at_a_time(sizes: list[int], rows: int):
    """Protects: memory is bounded however large the archive is, and none of it is lost where it is cut."""
    numbers = iter(range(sum(sizes)))
    batches = [pa.record_batch({"n": pa.array([*islice(numbers, size)], pa.int64())}) for size in sizes]
    parts = list(larger_batches(batches, rows))
    assert [number for part in parts for number in part.column("n").to_pylist()] == [*range(sum(sizes))]
    assert all(rows <= part.num_rows < rows + 5 for part in parts[:-1])
    assert all(part.num_rows < rows + 5 for part in parts)


def test_a_word_of_all_variants_costs_no_pair():
    texts = [f"unrelated {number}a {number}b {number}c {number}d sentence" for number in range(300)]
    texts += ["a word of its own stands here", "a word of its own stood here"]
    words = {f"{number:032x}": tokenize(text) for number, text in enumerate(texts)}
    pairs = found(words, set(words))
    assert (f"{300:032x}", f"{301:032x}") in pairs
    assert len(pairs) < 300, "and pairs that cannot share enough are left out before they are verified"


def test_long_texts_of_everyday_words_are_told_apart_by_their_signatures(monkeypatch):
    """Protects: what a night verifies, which would grow with the archive: such pairs were 19 of 20."""
    rng = random.Random(5)
    everyday = list(ranks())[:600]
    words = {f"{number:032x}": tokenize(" ".join(rng.sample(everyday, 90))) for number in range(60)}
    tonight = set(list(words)[:30])
    assert len(found(words, set())) == 0
    told_apart = len(found(words, tonight))
    monkeypatch.setattr(module, "may_be_alike", lambda one, *_: np.ones(len(one), bool))
    assert told_apart * 5 < len(found(words, tonight)), "pairs with earlier texts too"


def test_postings_do_not_depend_on_the_company():
    texts = {"a": tokenize("we lost the vote on tuesday"), "b": tokenize("the vote the vote the vote we lost")}
    together = postings_of(list(texts), list(texts.values())).to_pylist()
    apart = [row for name, words in texts.items() for row in postings_of([name], [words]).to_pylist()]
    assert together == apart
    assert not postings_of(["c"], [tokenize("it is what it is")]).num_rows, "only common words"


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(-2, 5)), max_size=8), st.integers(1, 7))
def test_pairs_are_told_in_order_some_at_a_time(spans: list[tuple[int, int]], at_once: int):
    begin, end = (np.array(side, np.int64) for side in ([b for b, _ in spans], [b + n for b, n in spans]))
    expected = [(row, at) for row, (b, n) in enumerate(spans) for at in range(b, b + n)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_ROW_PAIRS", at_once)
        parts = [list(zip(one.tolist(), other.tolist(), strict=True)) for one, other in pairs_in(begin, end)]
    assert [pair for part in parts for pair in part] == expected
    assert all(len(part) <= at_once for part in parts)
