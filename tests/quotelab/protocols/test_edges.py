"""Protocol edges: which pairs count as right, wrong, kept and absent; and the labels of this repository."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from quotelab.labels.texts import read_rows
from quotelab.protocols.edges import LabelledPair, evaluate
from quotelake.errors import InputError

LABELS = Path(__file__).parents[1] / "labels" / "edges.jsonl"
TEXTS = {
    f"{number:032x}": text
    for number, text in enumerate(
        (
            "the keeper mended the harbour lantern before winter",
            "yes the keeper mended the harbour lantern before winter",
            "the keeper will not leave the coast",
            "the keeper mended the harbour lantern before winter came to the coast and nobody saw the boats",
        )
    )
}
A, B, C, D = TEXTS


@pytest.fixture
def pairs(jsonl) -> Callable[..., Path]:
    """A file of pairs."""
    return lambda *rows: jsonl(*({"a": a, "b": b, "same": same} for a, b, same in rows))


def test_the_figures_count_edges_that_are_right_and_the_same_quotes_that_are_edges(pairs):
    path = pairs((A, B, True), (A, D, False), (A, C, True), (B, C, False), (A, "f" * 32, True))
    report = evaluate(path, lambda ids: {id_: TEXTS[id_] for id_ in ids if id_ in TEXTS})
    figures = report.figures
    assert (figures["pairs"], figures["absent"], figures["edges"]) == (5, 1, 2)
    assert (figures["precision"], figures["kept"]) == (0.5, 0.5)
    assert (figures["edges_wording"], figures["precision_wording"]) == (1, 1)
    assert (figures["edges_containment"], figures["precision_containment"]) == (1, 0)
    assert [(row["a"], row["b"], row["measure"]) for row in report.rows] == [(A, D, "containment"), (A, C, None)]


def test_a_lake_without_the_texts_is_an_error_that_says_so(pairs):
    with pytest.raises(InputError, match="2 pairs, none with both texts; name a lake"):
        evaluate(pairs((A, B, True), (A, C, False)), lambda ids: {A: TEXTS[A]})


def test_each_labelled_pair_is_there_once_and_in_order():
    pairs = [pair for _, pair in read_rows(LabelledPair, LABELS)]
    assert max(Counter(frozenset((pair.a, pair.b)) for pair in pairs).values()) == 1
    assert [(pair.a, pair.b) for pair in pairs] == sorted((pair.a, pair.b) for pair in pairs)
