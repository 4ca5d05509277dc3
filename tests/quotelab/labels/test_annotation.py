"""From a lake to people and back: what annotators are given, and what is made of their judgments."""

import gzip
import json
import random
import stat
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.running import Done

from quotelab.annotation.exporting import Choices, assign, read_export, sample_pairs, write_export
from quotelab.annotation.importing import GATE, PARTS, gate_results, make_folds, tutorial_gold, write_judged
from quotelab.annotation.lake import Tweets
from quotelab.labels import judged as folders
from quotelab.labels.judged import Judgment, Pair, Use, read_pairs, read_uses, write_judgments
from quotelab.labels.tables import table_rows, write_csv
from quotelake.errors import InputError

TOPICS = ("bread", "trains", "rain")


def uses(targets: int = 2, each: int = 8) -> list[Use]:
    return [Use(f"{t}-{n}", "some text", 0, 4, f"quote {t}") for t in range(targets) for n in range(each)]


def lake(targets: int = 13, each: int = 6) -> Callable[[str], list[dict[str, Any]]]:
    """Answers the statements of the export: tweets on three topics, and one copy and one second version of each quote's
    first."""
    bodies = {
        f"doc-{t}-{n}": f"@who{n} on {TOPICS[n % 3]} no. {n}: “so it goes {t}” they said to @Other_{n}"
        for t in range(targets)
        for n in range(each)
    }

    def row(t: int, n: int, **changed: Any) -> dict[str, Any]:
        body = bodies[f"doc-{t}-{n}"]
        return {
            "target_id": f"g{t}", "target": f"so it goes {t}", "kind": "tweet", "source": "s", "native_id": f"{t}{n}",
            "doc_id": f"doc-{t}-{n}", "start": body.index("so it"), "end": body.index("”"), "context_start": 0,
            "context_end": len(body), "context": body, "masked_hash": f"h{t}-{n}", "story": f"story-{t}-{n}", **changed,
        }  # fmt: skip

    def run_sql(statement: str) -> list[dict[str, Any]]:
        if "topic_variation_ranking" in statement:
            return [{"group_id": f"g{t}", "kind": "quote"} for t in range(targets)]
        if "FROM documents" in statement:
            return [{"doc_id": name, "body": body} for name, body in bodies.items()]
        rows = [row(t, n) for t in range(targets) for n in range(each) if f"'g{t}'" in statement]
        again = [{"doc_id": "x", "native_id": "x", "story": "x"}, {"masked_hash": "y", "story": "y"}]
        return rows + [row(0, 0, **changed) for changed in again if "'g0'" in statement]

    return run_sql


def judged(folder: Path, out: Path, wrong: dict[int, float]) -> list[Path]:
    """Files of simulated annotators: 4 for one topic, 1 for two, and anything as often as the annotator errs."""
    uses = read_uses(folder / "uses.tsv")
    topic = {use.use_id: use.context for use in uses}
    files = []
    for number, share in wrong.items():
        drawn = random.Random(number)
        said = []
        for name, pair in read_pairs(folder / f"annotator-{number}" / "instances.tsv", uses).items():
            one, other = (next(t for t in TOPICS if t in topic[use]) for use in (pair.first, pair.second))
            value = drawn.choice([1, 2, 3, 4]) if drawn.random() < share else 4 if one == other else 1
            said.append(Judgment(name, value, f"Anna {number}", "a remark"))
        files.append(out / f"anna{number}.tsv")
        write_judgments(said, files[-1])
    return files


@given(st.integers(1, 4), st.integers(2, 9), st.integers(1, 40), st.integers(0, 3))
def test_pairs_are_of_one_target_once_and_the_same_every_time(targets: int, each: int, most: int, seed: int):
    pairs = sample_pairs(uses(targets, each), 30, most, seed)
    assert len({frozenset((pair.first, pair.second)) for pair in pairs}) == len(pairs)
    assert Counter(pair.first.split("-")[0] for pair in pairs) == dict.fromkeys(
        map(str, range(targets)), min(most, each * (each - 1) // 2)
    )
    assert all(pair.first.split("-")[0] == pair.second.split("-")[0] != pair.first for pair in pairs)
    assert pairs == sample_pairs(uses(targets, each)[::-1], 30, most, seed)


@given(st.integers(2, 6), st.integers(2, 6), st.integers(1, 30))
def test_each_pair_gets_its_judgments_from_different_people_with_equal_loads(people: int, judgments: int, n: int):
    pairs = [Pair(f"p{number}", "a", "b", "t") for number in range(n)]
    if judgments > people:
        with pytest.raises(ValueError, match="annotators"):
            assign(pairs, people, judgments)
        return
    given_to = assign(pairs, people, judgments)
    counts = Counter(pair.pair_id for mine in given_to for pair in mine)
    assert counts == {pair.pair_id: judgments for pair in pairs}
    assert all(len({pair.pair_id for pair in mine}) == len(mine) for mine in given_to)
    assert max(map(len, given_to)) - min(map(len, given_to)) <= 1


@given(st.integers(5, 50), st.integers(1, 12), st.integers(0, 3))
def test_folds_hold_out_whole_targets_and_no_pair_is_in_two_parts(targets: int, each: int, seed: int):
    of_pair = {f"p{t}-{n}": f"t{t}" for t in range(targets) for n in range(each)}
    folds = make_folds(of_pair, seed=seed)
    assert len(folds) == min(10, targets // 4)
    for fold in folds:
        assert tuple(fold) == PARTS
        parts = [set(fold[part]) for part in ("train", "dev.iov", "dev.oov", "test.iov", "test.oov")]
        assert sum(map(len, parts)) == len(set.union(*parts)) == len(of_pair)
        seen, dev, test = ({of_pair[pair] for pair in fold[part]} for part in ("train", "dev.oov", "test.oov"))
        assert not seen & (dev | test) and not dev & test and min(len(dev), len(test)) >= 2
        assert set(fold["dev"]) == parts[1] | parts[2] and set(fold["test"]) == parts[3] | parts[4]
    held_out = [pair for fold in folds for part in ("dev.oov", "test.oov") for pair in fold[part]]
    assert sorted(held_out) == sorted(of_pair), "every target is held out once"


def test_the_gate_lets_pass_who_ranks_the_tutorial_nearly_as_its_gold(tmp_path: Path):
    said = []
    for n, (name, value) in enumerate(tutorial_gold().items()):
        given = {"right": value, "reversed": 5 - value, "coarse": min(value, 2) if n % 5 else 2}
        given |= {"lazy": value} if n < 12 else {}
        said += [Judgment(name, each, who) for who, each in given.items()]
    write_judgments(said, tmp_path / "said.tsv")
    passed = {who: result >= GATE for who, result in gate_results([tmp_path / "said.tsv"]).items()}
    assert passed == {"right": True, "reversed": False, "coarse": True, "lazy": False}


PASSED_ON = [(Tweets.HANDLES_MASKED, "@user on bread no. 0", "@who0"), (Tweets.IDS, "[tweet 00]", "bread")]


@pytest.mark.parametrize(("tweets", "holds", "lacks"), [*PASSED_ON, (Tweets.TEXTS, "@who0 on bread", "@user")])
def test_tweets_are_passed_on_as_chosen(tmp_path: Path, tweets: Tweets, holds: str, lacks: str):
    counts = write_export(lake(), Choices(tweets=tweets, contexts=2), tmp_path)
    assert counts == {"quotes": 13, "contexts": 78, "pairs": 195, "judgments": 390}, "copies and versions are left out"
    written = (tmp_path / "uses.tsv").read_text("utf-8")
    assert holds in written and lacks not in written
    if tweets is not Tweets.IDS:
        quotes = {use.context[use.start : use.end] for use in read_uses(tmp_path / "uses.tsv")}
        assert quotes == {f"so it goes {t}" for t in range(13)}
    assert stat.S_IMODE((tmp_path / "_annotator_key").stat().st_mode) == 0o600


def test_another_export_into_the_folder_never_deletes_what_annotators_put_there(tmp_path: Path):
    write_export(lake(), Choices(contexts=2), tmp_path)
    write_export(lake(), Choices(contexts=2, annotators=3), tmp_path)
    done = tmp_path / "annotator-3" / "judgments.tsv"
    done.write_text("hours of work")
    with pytest.raises(InputError, match=r"annotator-3: found more than the instances\.tsv .*; move it"):
        write_export(lake(), Choices(contexts=2), tmp_path)
    assert done.exists() and (tmp_path / "annotator-1" / "instances.tsv").exists()


def test_sheets_are_filled_in_by_hand_and_read_back_without_another_tool(tmp_path: Path):
    """Protects: whoever has a spreadsheet can judge; and hours of work in a sheet are never written over."""
    write_export(lake(), Choices(contexts=2), tmp_path)
    sheets = sorted(tmp_path.glob("annotator-*/sheet.csv"))
    texts = {use.use_id: use.context for use in read_uses(tmp_path / "uses.tsv")}
    for sheet in sheets:
        rows = [dict(row) for _, row in table_rows(sheet, ("instanceID",))]
        assert {row["context_1"].removeprefix("'") for row in rows} <= {*texts.values()}, "no cell is a formula"
        assert {row["label"] for row in rows} == {""}
        for number, row in enumerate(rows[:-1]):
            row["label"] = "-" if number == 0 else str(1 + number % 4)
        write_csv(sheet, list(rows[0]), [list(row.values()) for row in rows])
    found = folders.read_judgments(sheets)
    assert len(found) == 2 * 194 and {each.annotator for each in found} == {"annotator-1", "annotator-2"}
    assert gate_results([tmp_path / "annotator-1" / "tutorial.csv"]) == {}, "not yet begun"
    with pytest.raises(InputError, match="annotator-1: found more than the"):
        write_export(lake(), Choices(contexts=2), tmp_path)


def test_judgments_come_back_as_gold_folds_and_agreement(tmp_path: Path):
    write_export(lake(), Choices(annotators=3, contexts=2, tweets=Tweets.IDS), tmp_path / "out")
    hydrated = write_export(lake(), Choices(annotators=3, contexts=2), tmp_path / "shown")  # as annotators see it
    files = judged(tmp_path / "shown", tmp_path, {1: 0.0, 2: 0.1, 3: 1.0})
    tests = [
        Judgment(name, 5 - v if n == 3 else v, f"Anna {n}") for name, v in tutorial_gold().items() for n in (1, 2, 3)
    ]
    write_judgments(tests, tmp_path / "tutorial.tsv")
    exported = read_export(tmp_path / "out")
    (strict, remarks), (lenient, _) = (
        write_judged(exported, files, tutorials, lake(), tmp_path / folder, folds=10, seed=0)
        for folder, tutorials in (("gold", [tmp_path / "tutorial.tsv"]), ("all", []))
    )
    assert strict.figures["annotators"] == 2 and lenient.figures["annotators"] == 3
    assert strict.figures["alpha"] > lenient.figures["alpha"]
    assert any("Anna 3: left out" in remark for remark in remarks)
    written = (tmp_path / "gold" / "judgments.tsv").read_text("utf-8")
    assert "Anna" not in written and "a remark" in written
    passed, every = (
        {each.annotator for each in folders.read_judgments([tmp_path / name / "judgments.tsv"])}
        for name in ("gold", "all")
    )
    assert passed < every
    found = folders.read_judged(tmp_path / "all")
    assert len(found.pairs) == hydrated["pairs"] and "they said to" in found.uses[0].context, "texts come from the lake"
    assert found.uses[0].context[found.uses[0].start : found.uses[0].end] == found.uses[0].target
    folds = json.loads(gzip.decompress((tmp_path / "all" / "folds.json.gz").read_bytes()))
    assert len(folds["folds"]) == 3 and list(folds["folds"]["1"]) == list(PARTS)
    labels = {row[0]: row[4] for parts in folds["folds"].values() for rows in parts.values() for row in rows}
    assert labels == {pair.pair_id: pair.label for pair in found.clear}


def test_too_few_quotes_or_people_are_one_message(tmp_path: Path):
    with pytest.raises(InputError, match="found no quote with 10 distinct contexts"):
        write_export(lambda statement: [], Choices(), tmp_path)
    with pytest.raises(InputError, match="--judgments 1"):
        write_export(lake(), Choices(judgments=1), tmp_path)


@pytest.mark.spark
def test_the_job_exports_a_lake_and_takes_judgments_back(sample_lake: str, tmp_path: Path, lab: Callable[..., Done]):
    folder = tmp_path / "export"
    done = lab("annotate export --pairs 12 --tweets ids", "--lake", sample_lake, "--out", folder)
    assert done.code == 0, done.error
    found = read_uses(folder / "uses.tsv")
    named = enumerate(read_pairs(folder / "instances.tsv", found))
    said = [Judgment(name, 1 + 3 * (number % 2), who) for number, name in named for who in ("Anna", "Ben")]
    write_judgments(said, tmp_path / "said.tsv")
    arguments = ("--export", folder, "--judgments", tmp_path / "said.tsv", "--out", tmp_path / "gold")
    done = lab("annotate", "import", *arguments, "--lake", sample_lake)
    assert done.code == 0, done.error
    assert len({use.target for use in found}) == 10 and "2 of 10 folds" in done.out and "alpha" in done.out
    assert not any("[tweet" in use.context for use in read_uses(tmp_path / "gold" / "uses.tsv"))
    (tmp_path / "said.tsv").write_text("instanceID\tlabel\tcomment\tannotator\nx\t1\t\tAnna\n")
    done = lab("annotate", "import", *arguments)
    assert done.code == 2 and "said.tsv, line 2: field instanceID: found 'x'" in done.error


def test_tuples_are_written_for_annotators_to_fill_in(tmp_path: Path, lab: Callable[..., Done], jsonl):
    items, out = jsonl("PairID,Text", *(f"p{n},x" for n in range(12)), name="items.csv"), tmp_path / "tuples.csv"
    done = lab("annotate tuples", "--items", items, "--out", out)
    header = "Item1,Item2,Item3,Item4,BestItem,WorstItem"
    assert done.code == 0 and "24 tuples of 12 items" in done.out and out.read_text("utf-8").startswith(f"{header}\n")
    lab("annotate tuples --text Text", "--items", items, "--out", out)
    first, row, *_ = out.read_text("utf-8").splitlines()
    assert first == f"{header},Text1,Text2,Text3,Text4" and row.endswith(",,,x,x,x,x")
    done = lab("annotate tuples", "--items", jsonl("PairID", "p1", "p1", name="items.csv"), "--out", out)
    assert done.code == 2 and "items.csv" in done.error
