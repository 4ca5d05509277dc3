"""Protocols watch and watch_spans: what is made, that the figures can fall, and their least values on real passages."""

import csv
from collections.abc import Callable
from pathlib import Path
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from quotelab.protocols import watch, watch_spans
from quotelab.protocols.watch import edited, lookalike, plant, restyled
from quotelake.watch.words import tokens

TEXT = "Seven ships never left the quiet harbour before the evening bell"
seeds = st.integers(0, 1 << 32).map(Random)


@given(seeds, st.sampled_from(watch.RATES))
def test_edits_spare_numbers_and_negations_and_styles_spare_words(rng: Random, rate: float):
    changed = tokens(edited(TEXT, rate, rng))
    assert {"seven", "never"} <= set(changed)
    assert (changed == tokens(TEXT)) == (rate == 0)
    assert tokens(restyled(TEXT, rng)) == tokens(TEXT)
    assert "never" not in tokens(lookalike("negated", TEXT, "", rng))
    made = plant(TEXT, rng)
    assert made.text[made.start : made.end] == TEXT


def test_changed_uses_are_found_and_lookalikes_are_not(jsonl):
    rows = [TEXT, "Bread and letters reach the island only when the old ferry runs", "Yes we can"]
    path = jsonl(*({"id": n, "text": row} for n, row in enumerate(rows)))
    report = watch.evaluate(path)
    assert report.figures["texts_exact_only"] == 1
    assert report.figures["recall_0.0"] == report.figures["spans_0.0"] == 1
    assert report.figures["recall_0.3"] >= 0.85 and report.figures["precision"] >= 0.98
    assert watch.evaluate(path) == report, "the seed is fixed"


def test_a_marked_use_counts_as_found_only_at_its_place(jsonl):
    use = f"They say: {TEXT}!"
    rows = [(use, TEXT, f"10:{10 + len(TEXT)}"), (use, TEXT, f"2:{10 + len(TEXT)}"), ("Nothing here", TEXT, "0:7")]
    report = watch_spans.evaluate(jsonl("context\tlemma\tindices_target_token", *map("\t".join, rows)))
    assert (report.figures["spans"], report.figures["overlapping"]) == (1 / 3, 2 / 3)
    assert [row["marked"] for row in report.rows] == [use[2 : 10 + len(TEXT)], "Nothing"]


def test_passages_in_real_tweets(data: Callable[[str], Path], jsonl):
    """98.5 % of the annotated spans: of 1,262, eight are annotated beside the passage."""
    path = data("trotr/uses.tsv")
    assert watch_spans.evaluate(path).figures["spans"] >= 0.985
    with path.open(encoding="utf-8", newline="") as file:
        passages = sorted({row["lemma"] for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)})
    figures = watch.evaluate(jsonl(*({"id": n, "text": text} for n, text in enumerate(passages)))).figures
    least = {"recall_0.0": 0.99, "recall_0.1": 0.97, "recall_0.2": 0.93, "recall_0.3": 0.85, "precision": 0.98}
    assert {name: figures[name] for name in least if figures[name] < least[name]} == {}
    assert figures["false_hits"] <= 0.02 * figures["lookalikes"]
