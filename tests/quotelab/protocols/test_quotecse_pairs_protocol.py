"""Agreement with published pairs: what counts as agreement, and what is said of a broken file."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from quotelab.protocols.quotecse_pairs import evaluate
from quotelab.training.quotecse.articles import assign, by_containment
from quotelake.errors import InputError

ROW = {"headline_quote": "we won", "body_quotes": ["we won", "they lost", "we won"], "positive": 0, "negative": 1}


def write(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return path


def always(positive: int, negative: int):
    def rule(headline: str, quotes: Sequence[str], key: str) -> tuple[int, int]:
        return positive, negative

    return rule


def test_places_and_texts_are_compared(tmp_path: Path):
    path = write(tmp_path / "rows.jsonl", ROW, ROW | {"positive": 1, "negative": 0})
    figures = evaluate(path, always(0, 1)).figures
    assert figures["articles"] == 2
    assert figures["positive_agreement"] == 0.5 and figures["negative_agreement"] == 0.5
    assert figures["negative_admissible"] == 0.5
    # The same positive: two others to draw from. Different ones: of two each, one in common.
    assert figures["negative_by_chance"] == pytest.approx((1 / 2 + 1 / 4) / 2)
    other = evaluate(path, always(2, 1))
    assert other.figures["positive_agreement"] == 0 and other.figures["positive_same_text"] == 0.5
    assert other.rows[0] == {"place": f"{path}, line 1", "body_quotes": 3, "theirs": 0, "ours": 2}


def test_our_rule_fits_the_protocol(tmp_path: Path):
    path = write(tmp_path / "rows.jsonl", ROW | {"body_quotes": ["they lost", "and we won", "hm"], "positive": 1})

    def rule(headline: str, quotes: Sequence[str], key: str) -> tuple[int, int]:
        return assign(by_containment(headline, quotes), key)

    assert evaluate(path, rule).figures["positive_agreement"] == 1


@pytest.mark.parametrize(
    "change",
    [{"body_quotes": ["one"]}, {"positive": -1}, {"negative": 3}, {"headline_quote": None}, {"positive": "0"}],
)
def test_a_broken_row_is_named(tmp_path: Path, change: dict[str, Any]):
    path = write(tmp_path / "rows.jsonl", ROW, ROW | change)
    with pytest.raises(InputError, match="line 2"):
        evaluate(path, always(0, 1))
