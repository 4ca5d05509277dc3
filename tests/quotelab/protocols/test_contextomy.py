"""Protocols ``contextomy`` and ``quotecse``: what they count, and that nothing of the test part is seen in training."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from quotelab.labels.headlines import digest, read_labelled
from quotelab.protocols import quotecse
from quotelab.protocols.contextomy import evaluate
from quotelake.contextomy.detector import load


def write(folder: Path, *rows: tuple[str, list[str], int]) -> Path:
    lines = (json.dumps({"headline_quote": h, "body_quotes": q, "label": label}) + "\n\n" for h, q, label in rows)
    (folder / "x.jsonl.gz").write_bytes(gzip.compress("".join(lines).encode()))
    return folder / "x.jsonl.gz"


SAID = ("We will rebuild the bridge", ["We will rebuild the old bridge in May", "Nobody asked"], 0)
NEVER = ("The harbour belongs to the bank", ["We will rebuild the old bridge in May", "Nobody asked"], 1)


def test_the_shipped_detector_is_measured_at_its_threshold(tmp_path: Path):
    report = evaluate(write(tmp_path, SAID, NEVER, (*NEVER[:2], 0)))
    expected = {"rows": 3, "contextomized": 1, "auc": 0.75, "f1": 2 / 3, "precision": 0.5, "recall": 1}
    assert {name: report.figures[name] for name in expected} == pytest.approx(expected)
    assert report.rows[0]["score"] == round(load().score(SAID[0], SAID[1]), 6)


def test_cosines_count_only_in_languages_the_model_knows(tmp_path: Path):
    path = write(tmp_path, SAID, NEVER, ("물가를 잡겠다", ["물가를 잡겠다고 약속한다"], 0))
    asked: list[str] = []

    def encode(texts):
        asked.extend(texts)
        return np.ones((len(texts), 1), np.float32)

    report = evaluate(path, encode)
    assert report.figures["with_cosine"] == 2 and not any("물가" in text for text in asked)
    assert report.rows[0]["score"] == round(load().score(SAID[0], SAID[1], 1.0), 6)


def test_the_digest_is_of_what_is_learned_from(jsonl):
    row = {"headline_quote": "We go", "body_quotes": ["We go home"], "label": 0}
    one, other, third = (
        digest(read_labelled(jsonl(each))) for each in (row, {**row, "place": "left alone"}, {**row, "label": 1})
    )
    assert one == other != third


ROWS = [(f"quote {place}", ["other words"], place % 2) for place in range(50)]


def test_the_splits_are_those_of_the_paper_and_training_sees_no_test_row(tmp_path: Path):
    seen: list[tuple[int, int]] = []

    def oracle(train, test):
        assert not {row.headline_quote for row in train} & {row.headline_quote for row in test}
        seen.append((len(train), len(test)))
        return np.array([row.label * 0.8 + 0.1 for row in test])

    report = quotecse.evaluate(write(tmp_path, *ROWS), {"oracle": oracle})
    assert seen == [(40, 10)] * 15
    expected = {"f1": 1, "auc_hard": 1, "auc": 1, "brier": 0.01, "ece": 0.1, "f1_over_published": 0.23}
    assert {name: report.figures[f"oracle_{name}"] for name in expected} == pytest.approx(expected)
    assert any(row["detector"] == "QuoteCSE" and row.get("published") for row in report.rows)


def test_hard_auc_differs_from_that_of_the_probabilities(tmp_path: Path):
    """A detector that ranks rightly and calls nothing is worth .5 to the authors' code."""
    shy = {"shy": lambda _, test: np.array([row.label * 0.4 for row in test])}
    figures = quotecse.evaluate(write(tmp_path, *ROWS), shy).figures
    assert [figures[f"shy_{name}"] for name in ("auc", "auc_hard", "f1")] == [1, 0.5, 0]


@pytest.mark.real_data
@pytest.mark.slow
def test_the_published_figures_are_beaten(data: Callable[[str], Path]):
    """The goals set for the 1,600 articles; about 20 s."""
    figures = quotecse.evaluate(data("contextomy/korean_1600.jsonl")).figures
    least = {"f1": 0.832, "auc_hard": 0.830, "auc": 0.899, "f1_over_published": 0, "auc_hard_over_published": 0}
    assert {name: figures[f"transfer_{name}"] for name in least if figures[f"transfer_{name}"] < least[name]} == {}
    assert figures["transfer_brier"] <= 0.125 and figures["transfer_ece"] <= 0.025
