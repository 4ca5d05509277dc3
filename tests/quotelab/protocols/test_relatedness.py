"""The protocol of STR-2022 on pairs written for this test: figures, and the job as a person starts it."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.running import Done

from quotelab.labels.sentences import SentencePair, read_sentence_pairs
from quotelab.labels.tables import write_csv
from quotelab.protocols.relatedness import correlate
from quotelab.training import relatedness

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
        pairs.append(SentencePair("AB"[number % 2], *sentences, float(score)))
    return pairs


def test_figures_are_means_over_folds_overall_and_of_each_source():
    pairs = written()
    scores = np.array([pair.score for pair in pairs])
    asked: list[tuple[int, int]] = []

    def learn(train, test):
        assert not set(train) & set(test)
        asked.append((len(train), len(test)))
        return {"head": ("known", scores[test]), "best": ("reversed", -scores[test])}

    report = correlate(pairs, {"noise": np.arange(120.0)}, learn)
    assert asked == [(96, 24)] * 5
    assert report.figures["head"] == pytest.approx(1) and report.figures["best"] == pytest.approx(-1)
    assert abs(report.figures["noise"]) < 0.3
    assert [row["kind"] for row in report.rows] == ["fold"] * 5 + ["source"] * 2
    assert abs(report.rows[-1]["noise"]) < 0.3 and np.isnan(report.rows[-1]["best"]), "of 12 pairs a fold: too few"


def test_the_job_ranks_pairs_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lab: Callable[..., Done]):
    few = {"cosine": relatedness.cosine, "cosine+overlap": relatedness.with_overlap}  # the others take a minute
    monkeypatch.setattr(relatedness, "candidates", lambda: few)
    rows = ([place, pair.source, f"{pair.first}\n{pair.second}", pair.score] for place, pair in enumerate(written()))
    write_csv(tmp_path / "str.csv", ("Index", "SourceID", "Text", "Score"), rows)
    done = lab("evaluate", "relatedness", "--data", tmp_path / "str.csv", "--json", tmp_path / "out.json")
    assert done.code == 0, done.error
    figures = json.loads((tmp_path / "out.json").read_text("utf-8"))["figures"]
    assert {"dice", "encoder", "head", "best", "best_sd"} <= set(figures)
    assert figures["best"] > 0.6 and figures["dice"] > 0.6


PAIR = SentencePair("STS", 'The cat said "no".', "A dog, too, was there", 0.25)


@pytest.mark.parametrize(
    "content",
    [
        'Index,SourceID,SubsetID,PairID,Text,Score\n0,STS,low,p1,"The cat said ""no"".\nA dog, too, was there",0.25\n',
        '\ufeffScore,text,pairid,SOURCEID,SubsetID\r\n0.25,"The cat said ""no"".\r\nA dog, too, was there",p1,STS,low',
        'PairID;DocID;SubsetID;Text;Score\np1;STS;low;"The cat said ""no"".\\nA dog, too, was there";0.25\n\n',
    ],
)  # fmt: skip
def test_a_pair_is_read_as_exports_differ(tmp_path: Path, content: str):
    (tmp_path / "str.csv").write_bytes(content.encode())
    assert read_sentence_pairs(tmp_path / "str.csv") == [PAIR]
