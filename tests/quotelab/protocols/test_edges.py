"""Protocol edges: which pairs count as right, wrong, kept and absent; and the labels of this repository."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quotelab.labels.texts import read_rows
from quotelab.protocols.edges import LabelledPair, evaluate
from quotelake.errors import InputError

LABELS = Path(__file__).parents[1] / "labels"
IDS = A, B, C, D = [f"{number:032x}" for number in range(4)]
MENDED = "the keeper mended the harbour lantern before winter"
LONGER = f"{MENDED} came to the coast and nobody saw the boats"
TEXTS = dict(zip(IDS, (MENDED, f"yes {MENDED}", "the keeper will not leave the coast", LONGER), strict=True))


def asked(variants: dict[str, tuple[str, str]]) -> Any:
    """A lake with the text and the group of variants."""
    rows = [{"variant_id": id_, "canonical_text": text, "group_id": group} for id_, (text, group) in variants.items()]
    return lambda statement: [row for row in rows if f"'{row['variant_id']}'" in statement]


@pytest.fixture
def pairs(jsonl) -> Callable[..., Path]:
    return lambda *rows: jsonl(*({"a": a, "b": b, "same": same} for a, b, same in rows))


def test_the_figures_count_edges_that_are_right_and_the_same_quotes_that_are_edges(pairs):
    path = pairs((A, B, True), (A, D, False), (A, C, True), (B, C, False), (A, "f" * 32, True))
    report = evaluate(path, asked({id_: (text, id_) for id_, text in TEXTS.items()}))
    expected = {"pairs": 5, "absent": 1, "edges": 2, "precision": 0.5, "kept": 0.5}
    expected |= {"edges_wording": 1, "precision_wording": 1, "edges_containment": 1, "precision_containment": 0}
    assert {name: report.figures[name] for name in expected} == expected
    assert [(row["a"], row["b"], row["measure"]) for row in report.rows] == [(A, D, "containment"), (A, C, None)]


def test_a_lake_without_the_texts_and_what_is_no_id_are_errors_that_say_so(pairs):
    with pytest.raises(InputError, match="line 1: field a"):
        evaluate(pairs(("x", B, True)), asked({}))
    with pytest.raises(InputError, match="2 pairs, none with both texts; name a lake"):
        evaluate(pairs((A, B, True), (A, C, False)), asked({A: (TEXTS[A], A)}))


def test_a_short_excerpt_is_an_edge_where_the_lake_has_both_in_one_group(pairs):
    said = "trying to cheat in the election"
    lake = {A: (said, B), B: (f"they continue {said}", B), C: (f"who is {said}", C)}
    figures = evaluate(pairs((A, B, True), (A, C, True)), asked(lake)).figures
    assert (figures["edges_excerpt"], figures["edges"], figures["kept"]) == (1, 1, 0.5)


@pytest.mark.parametrize("name", ["edges", "excerpts"])
def test_each_labelled_pair_is_there_once_and_in_order(name):
    pairs = [pair for _, pair in read_rows(LabelledPair, LABELS / f"{name}.jsonl")]
    assert max(Counter(frozenset((pair.a, pair.b)) for pair in pairs).values()) == 1
    assert [(pair.a, pair.b) for pair in pairs] == sorted((pair.a, pair.b) for pair in pairs)
