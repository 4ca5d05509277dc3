"""The tables of TRoTR over made-up files, and the page of the papers' tables."""

import gzip
import json
from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score
from tests.running import Done

from quotelab.labels import judged as files
from quotelab.labels.judged import Judged, Judgment, Pair, Part, Use, read_judged
from quotelab.papers import tables
from quotelab.papers.making import Section, as_markdown
from quotelab.papers.tables import Table, Written
from quotelab.protocols import quotecse, trotr_settings
from quotelab.protocols.trotr import best_threshold, evaluate, measure, over_all, over_annotated, rank
from quotelab.protocols.trotr_settings import Contexts, cosine, cross_validate, read_folds
from quotelab.statistics import spearman
from quotelab.training.topic_head import train_weights
from quotelake.embeddings.encoder import Encoder
from quotelake.embeddings.models import DEFAULT
from quotelake.errors import InputError
from quotelake.topics.head import Vectors, unit

TOPICS = ("wedding", "match", "bank")
TEXTS = tuple(f"quote {letter}" for letter in "abcdef")
Labelled = st.lists(st.tuples(st.sampled_from([0.1, 0.2, 0.3, 0.4, 0.5]), st.integers(0, 1)), min_size=1, max_size=12)
#: Of each table as short a report as there can be.
STR = {
    "figures": {"pairs": 90, "dice": 0.5, "encoder": 0.7, "best": 0.8, "best_sd": 0.01},
    "rows": [{"kind": "source", "source": "STS", "dice": 0.4, "encoder": 0.6, "best": None}],
}
BWS = {"figures": {"split_half": 0.9, "split_half_sd": 0.01, "repetitions": 1000}, "rows": []}
MEASURED = {f"{name}{end}": 0.8125 for name in ("f1", "auc_hard", "auc", "brier") for end in ("", "_se")}
QUOTECSE = {
    "figures": {},
    "rows": [
        {"detector": "transfer", **MEASURED},
        {"detector": "QuoteCSE", "published": True, "f1": quotecse.PUBLISHED["QuoteCSE"][0], "auc_hard": 0.768},
    ],
}


def encode(texts: Sequence[str]) -> Vectors:
    """A number for each topic, the quote as written as loud as it, and noise of the whole text."""
    rows = []
    for text in texts:
        noise = np.random.default_rng(list(text.encode())).normal(size=8)
        rows.append([*(float(topic in text) for topic in TOPICS), *(float(quote in text) for quote in TEXTS), *noise])
    return unit(np.array(rows))


def without_noise(x: Vectors, *_: object) -> Vectors:
    """What a head would learn: the topics count, nothing else does."""
    return np.diag([1.0] * len(TOPICS) + [0.01] * (x.shape[1] - len(TOPICS))).astype(np.float32)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Judged pairs of six texts of six uses each, from one topic to three; one fold that tests on two unseen texts."""
    uses, pairs, judgments = [], [], []
    fold: dict[str, list[list[str]]] = {"train": [], "dev": [], "test": [], "test.oov": []}
    for number, quote in enumerate(TEXTS):
        topics = [TOPICS[use % (1 + number % 3)] for use in range(6)]
        said = [f"{topic} no {use}: " for use, topic in enumerate(topics)]
        uses += [Use(f"{number}-{n}", each + quote, len(each), len(each + quote), quote) for n, each in enumerate(said)]
        for a, b in combinations(range(6), 2):
            name = f"{number}-{a}-{b}"
            pairs.append(Pair(name, f"{number}-{a}", f"{number}-{b}", quote))
            judgments += [Judgment(name, 4 if topics[a] == topics[b] else 1, who) for who in ("ann1", "ann2")]
            for part in ("train",) if number < 3 else ("dev",) if number == 3 else ("test", "test.oov"):
                fold[part].append([name])
    fold["dev"] += fold["train"][-4:]  # ranks need pairs of both kinds in each part
    files.write_uses(uses, tmp_path / "uses.tsv")
    files.write_pairs(pairs, tmp_path / "instances.tsv")
    files.write_judgments(judgments, tmp_path / "judgments.tsv")
    gold = [f"{quote},{(number % 3) / 3}" for number, quote in enumerate(TEXTS)]
    (tmp_path / "trac_gold_scores.csv").write_text("\n".join(["lemma,topic_variation", *gold]), "utf-8")
    folds_file(tmp_path, {"folds": {"1": fold}})
    return tmp_path


def folds_file(folder: Path, content: object) -> Path:
    path = folder / "folds.json.gz"
    path.write_bytes(gzip.compress(json.dumps(content).encode()))
    return path


@given(Labelled)
def test_no_threshold_is_better_than_the_chosen_one(rows: list[tuple[float, int]]):
    scores, labels = np.array([score for score, _ in rows]), np.array([label for _, label in rows])

    def weighted(threshold: float) -> float:
        return float(f1_score(labels, scores >= threshold, average="weighted", zero_division=0))

    chosen = best_threshold(scores, labels)
    assert weighted(chosen) == pytest.approx(max(map(weighted, np.arange(0.05, 0.6, 0.1))))
    found = measure(scores, Part(labels, labels, labels.astype(float), labels), chosen)
    assert found["weighted_f1"] == pytest.approx(weighted(chosen))


ENCODER: Any = SimpleNamespace(encode=encode, model=DEFAULT)


def test_masking_and_a_head_help_where_they_should(folder: Path):
    figures = evaluate(folder, ENCODER, without_noise).figures
    assert figures["tric_spearman_head"] > figures["tric_spearman_mask"]
    assert figures["tric_f1_best"] >= figures["tric_f1_base"]
    assert figures["tric_all_spearman_head"] > figures["tric_all_spearman_base"]
    assert figures["trac_spearman_head_lto"] > 0.7
    assert figures["clear_pairs"] == figures["pairs"] == 90


def test_a_held_out_text_is_never_trained_on(folder: Path):
    judged = read_judged(folder)
    seen: list[set[str]] = []

    def spy(x: Vectors, first: np.ndarray, *_: object) -> Vectors:
        seen.append({judged.uses[place].target for place in first.tolist()})
        return np.eye(x.shape[1], dtype=np.float32)

    cross_validate(judged, Contexts(judged.uses, encode), spy, groups=6)
    heads, tuned = [each for each in seen if len(each) == 5], [each for each in seen if len(each) == 4]
    assert {*TEXTS} - set.union(*[{*TEXTS} - each for each in heads]) == set()
    assert len(heads) == 6 and len(tuned) == 18 and len(seen) == 24


def test_variation_over_all_pairs_is_that_of_every_pair(folder: Path):
    """The sum of vectors against the pairs one by one: here people judged all pairs."""
    judged = read_judged(folder)
    vectors = encode([use.context for use in judged.uses])
    one_by_one = over_annotated(judged, cosine(vectors)(*judged.part(judged.pairs)[:2]))
    assert over_all(judged, vectors) == pytest.approx(one_by_one, abs=1e-6)


def test_the_interval_of_a_ranking_holds_it():
    gold = {f"text {n}": n / 40 for n in range(40)}
    noise = np.random.default_rng(0).normal(size=40)
    ranked = rank({text: value + 0.2 * float(noise[n]) for n, (text, value) in enumerate(gold.items())}, gold)
    assert ranked["low"] < ranked["spearman"] < ranked["high"] and 0.02 < ranked["sd"] < 0.2
    assert np.isnan(rank({"text 1": 1.0}, gold)["spearman"])


def test_no_tested_pair_is_trained_or_tuned_on(tmp_path: Path):
    """In the published folds slices overlap by a pair."""
    uses = [Use(name, "", 0, 0, "t") for name in "abcde"]
    pairs = [Pair(one, one, other, "t", {"a": 1, "b": 1}) for one, other in pairwise("abcde")]
    fold = {"train": [["a"], ["b"], ["c"]], "dev": [["b"], ["d"]], "test": [["c"], ["d"]], "test.oov": [["d"]]}
    (read,) = read_folds(folds_file(tmp_path, {"folds": {"1": fold}}), Judged(uses, pairs))
    assert {name: part.first.tolist() for name, part in read.parts.items()} == {
        "train": [0], "dev": [1], "test": [2, 3], "test.oov": [3],
    }  # fmt: skip


def test_faulty_folds_are_refused(tmp_path: Path):
    unknown = {part: [[part]] for part in ("train", "dev", "test", "test.oov")}
    faults = [({"1": {"train": []}}, "fold 1: found no pair in train, dev"), ({"1": unknown}, "the pair 'train'")]
    faults += [({"1": {"train": [7]}}, "field folds.1.train.0: found 7"), ({"one": {}}, "field folds.one")]
    for content, message in (*faults, (None, "field folds: found null")):
        with pytest.raises(InputError, match=message):
            read_folds(folds_file(tmp_path, {"folds": content}), Judged([], [Pair("1", "a", "b", "t", {"a": 1})]))


@pytest.fixture
def report(folder: Path, tmp_path: Path) -> Written:
    """The report of the made-up pairs, read back from JSON."""
    evaluate(folder, ENCODER, without_noise).write(tmp_path / "report.json")
    written: Written = json.loads((tmp_path / "report.json").read_text("utf-8"))
    return written


def test_every_row_has_a_cell_for_each_column(report: Written):
    for table in (*tables.trotr(report), *tables.relatedness(STR), *tables.scaling(BWS), *tables.quotecse(QUOTECSE)):
        assert table.rows, table.title
        assert {len(row) for row in table.rows} <= {len(table.columns)}, table.title


def test_our_figures_stand_beside_the_published_ones(report: Written):
    pairs = tables.trotr(report)[0]
    ours = next(row for row in pairs.rows if row[0] == tables.SETTINGS["mask"])
    assert ours[1] == "1" and ours[4].startswith(f"{report['figures']['tric_spearman_mask']:.3f}".lstrip("0"))
    assert ("published: best +FT", "10", ".72", ".61", ".68", ".54") in pairs.rows
    assert tables.quotecse(QUOTECSE)[0].rows[1][:2] == ("published: QuoteCSE", ".770")


def test_what_was_skipped_says_why_and_names_are_escaped():
    paper = Section("A paper", "a command", [Table("T", ("a|b",), [("<i>",)])])
    markdown = as_markdown([paper, Section("B", "c", skipped="no file")])
    assert "Not computed: no file." in markdown and "a\\|b" in markdown


def test_the_job_writes_a_page_of_what_is_there(lab: Callable[..., Done], tmp_path: Path):
    data, out = tmp_path / "data", tmp_path / "out"
    data.mkdir()
    done = lab("papers", "--data", data, "--out", out, "--work", tmp_path / "work")
    assert done.code == 0, done.error
    assert (out / "PAPERS.md").read_text("utf-8").count("Not computed") == 5
    done = lab("papers", "--data", tmp_path / "nowhere")
    assert done.code == 2 and "found no such folder" in done.error


def test_a_kept_report_of_something_else_is_named(lab: Callable[..., Done], tmp_path: Path):
    (tmp_path / "data" / "trotr").mkdir(parents=True)
    for kept in ("{", '{"protocol": "bws"}'):
        (tmp_path / "trotr.json").write_text(kept, "utf-8")
        done = lab("papers", "--data", tmp_path / "data", "--out", tmp_path / "out", "--work", tmp_path)
        assert done.code == 2 and "trotr.json: found no report of trotr" in done.error


@pytest.mark.slow
@pytest.mark.real_data
def test_published_rows_are_reproduced_and_a_head_ranks_better(data: Callable[[str], Path]):
    """What the authors publish, and the least that a head must add."""
    folder = data("trotr")
    judged = read_judged(folder)
    assert (len(judged.uses), len(judged.pairs), len(judged.clear)) == (1262, 6300, 3821)
    folds = read_folds(folder / trotr_settings.FOLDS, judged)
    rows = json.loads((folder / "published_all-MiniLM-L6-v2.json").read_text())
    published = {("mask" if row["model"].endswith("_mask") else "base", row["fold"]): row for row in rows}
    contexts = Contexts(judged.uses, Encoder(dtype="float32").encode)
    for name, relatedness in (("base", cosine(contexts.raw)), ("mask", cosine(contexts.masked))):
        for fold in folds:
            theirs = published[name, fold.number]
            for part in trotr_settings.TESTED:
                pairs = fold.parts[part]
                ours = measure(relatedness(pairs.first, pairs.second), pairs, 1 - theirs["threshold"])
                for said in ("spearman", "weighted_f1", "precision_0", "recall_1"):
                    assert ours[said] == pytest.approx(theirs[f"{part}_{said}"], abs=1e-3), (name, fold.number, part)
    gold = files.read_variation(folder / files.TRAC_GOLD)
    assert files.gold_variation(judged.pairs) == pytest.approx(gold)
    ranked = [rank(over_all(judged, contexts.blend(weight)), gold)["spearman"] for weight in (0, 0.2)]
    assert ranked == pytest.approx([0.820, 0.845], abs=2e-3)
    # Two of the ten folds stand for all: each costs six trainings.
    found = {name: [] for name in ("mask", "head", "best")}
    for fold in folds[:2]:
        for name, relatedness, _ in trotr_settings.settings_of(contexts, fold, train_weights):
            if name in found:
                found[name].append(spearman(relatedness(*fold.parts["test"][:2]), fold.parts["test"].scores))
    mask, head, best = (float(np.mean(values)) for values in found.values())
    assert head > mask + 0.02 and best > mask + 0.02
