"""The ranking of a lake against scores by people: texts are matched by their words, and missing ones are counted."""

from pathlib import Path

import pytest

from quotelab.protocols.trac_lake import evaluate
from quotelake.errors import InputError


@pytest.fixture
def gold(jsonl) -> Path:
    return jsonl("lemma,topic_variation", "one,0.1", "two,0.2", "three,0.3", "four,0.9", name="gold.csv")


def rows(**variation: float | None) -> list[dict[str, object]]:
    return [
        {"quote": text, "variation": value, "variation_all": value, "variation_low": None, "n_distinct_contexts": 5}
        for text, value in variation.items()
    ]


def test_figures_are_of_the_texts_that_both_have(gold: Path):
    found = rows(one=0.5, two=0.6, three=0.4, other=0.1, four=None)
    figures = evaluate(gold, lambda statement: found).figures
    assert (figures["texts"], figures["missing"], figures["uses"]) == (4, 1, 15)
    assert figures["trac_spearman"] == pytest.approx(-0.5)
    assert figures["trac_spearman_low"] != figures["trac_spearman_low"], "no bound: not a number"


def test_a_lake_without_these_texts_is_refused(gold: Path):
    with pytest.raises(InputError, match="score the corpus with --watch"):
        evaluate(gold, lambda statement: rows(other=0.1))
