"""The protocol of STR-2022 on pairs written for this test: figures, and the job as a person starts it."""

import csv
import json
import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.running import Done

from quotelab.labels.sentence_pairs import SentencePair
from quotelab.protocols.relatedness import evaluate
from quotelab.training.overlap import dice, mean_vector_cosines, read_word_vectors, tokens
from quotelab.training.relatedness import choice, models

WHO = ["the baker", "a nurse", "our mayor", "the goalkeeper", "a sailor"]
WHAT = ["sold bread before dawn", "crossed the bridge", "spoke about rain", "lost the key", "painted a door", "sang"]


def written(n: int = 120) -> list[SentencePair]:
    """Pairs of two corpora that share who, what, both or nothing."""
    drawn = np.random.default_rng(0)
    pairs = []
    for number in range(n):
        who, what = drawn.integers(len(WHO), size=2), drawn.integers(len(WHAT), size=2)
        sentences = [f"{WHO[w]} {WHAT[d]}" for w, d in zip(who, what, strict=True)]
        score = 0.3 * (who[0] == who[1]) + 0.5 * (what[0] == what[1]) + 0.1 * drawn.uniform()
        pairs.append(SentencePair(f"p{number}", "AB"[number % 2], "low", *sentences, float(score)))
    return pairs


def test_figures_are_means_over_folds_and_a_source_is_also_predicted_from_the_others():
    pairs = written()
    scores = np.array([pair.score for pair in pairs])
    asked: list[tuple[int, int, list[str] | None]] = []

    def learn(train, test, groups):
        assert not set(train) & set(test)
        asked.append((len(train), len(test), groups and sorted(set(groups))))
        return {"head": ("known", scores[test]), "best": ("reversed", -scores[test])}

    report = evaluate(pairs, {"noise": np.arange(120.0)}, learn)
    assert asked == [(96, 24, None)] * 5 + [(60, 60, ["B"]), (60, 60, ["A"])]
    assert report.figures["head"] == pytest.approx(1) and report.figures["best_other_sources"] == pytest.approx(-1)
    assert abs(report.figures["noise"]) < 0.3
    assert [row["kind"] for row in report.rows] == ["fold"] * 5 + ["source"] * 2 + ["subset"] * 2


def test_a_source_is_not_predicted_from_a_handful_of_others():
    pairs = [replace(pair, source="B" if number < 4 else "A") for number, pair in enumerate(written(24))]
    report = evaluate(pairs, {}, lambda train, test, groups: {"head": (f"of {len(train)}", np.arange(len(test)) * 1.0)})
    asked = {row["source"]: row.get("head_chosen") for row in report.rows if row["kind"] == "source"}
    assert asked == {"A": None, "B": "of 20"}


def test_overlap_is_that_of_sets_of_lower_cased_tokens():
    assert dice(set(tokens("The the rain")), set(tokens("RAIN falls"))) == 0.5


@pytest.mark.parametrize("name", ["v.txt", "v.bin"])
def test_word_vectors_are_read_in_both_formats(tmp_path: Path, name: str):
    vectors = {"rain": (1.0, 0.0), "Door": (0.0, 1.0), "unused": (1.0, 1.0)}
    if name == "v.txt":
        data = b"3 2\n" + b"".join(f"{word} {a} {b}\n".encode() for word, (a, b) in vectors.items())
    else:
        data = b"3 2\n" + b"".join(f"{word} ".encode() + struct.pack("<2f", *v) + b"\n" for word, v in vectors.items())
    (tmp_path / name).write_bytes(data)
    found = read_word_vectors(tmp_path / name, {"Rain", "Door"})
    assert {word: tuple(vector) for word, vector in found.items()} == {"rain": (1.0, 0.0), "Door": (0.0, 1.0)}
    pairs = [SentencePair("p", "", "", "Rain, Door", "rain", 0.5), SentencePair("q", "", "", "Door", "so", 0.5)]
    assert mean_vector_cosines(pairs, tmp_path / name) == pytest.approx([np.sqrt(0.5), np.nan], nan_ok=True)


def test_the_job_ranks_pairs_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lab: Callable[..., Done]
) -> None:
    monkeypatch.setattr(
        choice, "candidates", lambda: {"cosine": models.cosine, "cosine+overlap": models.with_overlap}
    )  # the others take a minute
    with (tmp_path / "str.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["Index", "SourceID", "SubsetID", "PairID", "Text", "Score"])
        for place, pair in enumerate(written()):
            rows.writerow([place, pair.source, pair.subset, pair.pair_id, f"{pair.first}\n{pair.second}", pair.score])
    done = lab("evaluate", "relatedness", "--data", tmp_path / "str.csv", "--json", tmp_path / "out.json")
    assert done.code == 0, done.error
    figures = json.loads((tmp_path / "out.json").read_text("utf-8"))["figures"]
    assert {"dice", "encoder", "head", "best", "best_other_sources"} <= set(figures)
    assert figures["best"] > 0.6 and figures["dice"] > 0.6
