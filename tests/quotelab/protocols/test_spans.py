"""Protocol spans on invented texts, the figures worked out by hand."""

from collections.abc import Callable
from typing import Any

import pytest

from quotelab.protocols.spans import evaluate
from quotelab.report import Report

TEXT = "“We won,” Ito said, “narrowly.”"  # quotes at 1-8 and 21-30


@pytest.fixture
def report(jsonl) -> Callable[..., Report]:
    """Evaluate rows, each :data:`TEXT` with its two quotes unless it says otherwise."""
    base: dict[str, Any] = {"text": TEXT, "mode": "body", "spans": [[1, 8], [21, 30]]}
    return lambda *rows: evaluate([str(jsonl(*({**base, **row} for row in rows)))])


def test_all_right_is_one_and_leaves_no_rows(report: Callable[..., Report]):
    result = report({})
    assert [result.figures[name] for name in ("precision", "recall", "f1")] == [1, 1, 1]
    assert result.rows == []
    assert not any("colon" in name for name in result.figures), "nobody looked for colon claims in these rows"


def test_missed_and_extra_spans_count_and_are_shown(report: Callable[..., Report]):
    wrong = {"id": "x", "spans": [[1, 8], [21, 29], [10, 13]]}
    result = report({}, wrong, {"text": "No quote.", "spans": []})
    expected = {"texts": 3, "texts_exact": 2, "labelled": 5, "found": 4, "matched": 3, "precision": 3 / 4}
    assert result.figures == pytest.approx({**expected, "recall": 3 / 5, "f1": 6 / 9})
    (row,) = result.rows
    assert (row["id"], row["missed"], row["extra"]) == ("x", [[10, 13], [21, 29]], [[21, 30]])
    assert row["place"].endswith("line 2")


def test_colon_claims_are_measured_apart(report: Callable[..., Report]):
    claim = {"text": "Bank chief: We will not cut rates", "mode": "headline", "spans": []}
    right, wrong = {**claim, "colon_claim": [[0, 10], [12, 33]]}, {**claim, "colon_claim": None}
    result = report(right, wrong, claim)
    assert (result.figures["found"], result.figures["texts_exact"]) == (0, 3), "a claim is no quoted span"
    assert result.figures["colon_claims_found"] == 2, "the row that nobody judged does not count"
    assert (result.figures["colon_claim_precision"], result.figures["colon_claim_recall"]) == (0.5, 1)
    (row,) = result.rows
    assert (row["missed_claims"], row["extra_claims"]) == ([], [[12, 33]])
