"""Labels come back as they were given: nothing is lost, guessed or counted twice."""

import csv
import io
import shutil
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from deltalake import write_deltalake
from hypothesis import given
from hypothesis import strategies as st
from pyspark.sql import SparkSession
from tests.query.test_new import write_lake
from tests.running import Done

from quotelake.answers.reviews import IDS, SHOWN, Label, Review, alerts_query, from_csv, new_reviews, to_csv
from quotelake.errors import InputError
from quotelake.files.outputs import csv_text
from quotelake.lake.tables import Lake
from quotelake.query.engines import DuckEngine

NOW = datetime(2024, 6, 1, tzinfo=UTC)
ROW: dict[str, Any] = dict.fromkeys(SHOWN) | {
    "quote_id": "a" * 32, "alert": "altered", "rule_version": "2-x", "detector_version": "d-1",
    "headline": "Mayor: “Farmers are the enemy”", "score": 0.9, "passage_start": None, "best_start": None,
    "best_end": None,
}  # fmt: skip


def cells(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def labelled(text: str, **labels: str) -> str:
    """The exported file with labels filled in by the first letter of the quote's id."""
    rows = [{**row, "label": labels.get(row["quote_id"][0], ""), "note": "n"} for row in cells(text)]
    return csv_text([*rows[0]], rows)


def read(text: str) -> list[Review]:
    return from_csv(text, "x.csv", "ann", NOW)


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=40))
def test_whatever_stands_in_a_headline_the_ids_come_back(headline: str):
    [review] = read(labelled(to_csv([{**ROW, "headline": headline}]), a="true"))
    assert [getattr(review, name) for name in IDS] == [ROW[name] for name in IDS]
    assert (review.label, review.note, review.reviewer, review.reviewed_at) == ("true", "n", "ann", NOW)


def test_reviewers_do_not_see_scores_and_get_alerts_in_no_order_of_theirs():
    high, low = {**ROW, "quote_id": "f" * 32, "score": 1.0}, {**ROW, "score": 0.1}
    text = to_csv([high, low])
    assert "score" not in text.partition("\n")[0] and [row["quote_id"][0] for row in cells(text)] == ["a", "f"]


@pytest.mark.parametrize(
    ("written", "label"), [("TRUE", "true"), (" False ", "false"), ("Bad body", "bad_body"), ("EXTRACTION_ERROR",) * 2]
)
def test_labels_are_read_as_spreadsheets_and_people_write_them(written: str, label: str):
    [review] = read(labelled(to_csv([ROW]), a=written))
    assert review.label == label.casefold()


LONG = "n" * (1 << 24 | 1)


def test_a_note_of_any_length_is_read_and_a_broken_file_is_named_by_its_line():
    text = labelled(to_csv([ROW]), a="true")
    for written, note in [("n" * 200_000, "n" * 200_000), ("'=n", "=n")]:  # the second was kept from being a formula
        [review] = read(text.replace("true,n", f"true,{written}"))
        assert review.note == note
    with pytest.raises(InputError, match=r"x\.csv, line 2: no CSV \(field larger than .*; save the file as CSV again"):
        read(text.replace("true,n", f"true,{LONG}"))
    with pytest.raises(InputError, match=r"x\.csv, line 1: no CSV \(field larger than"):
        read(LONG)


def test_every_fault_is_named_with_its_line_and_nothing_is_read():
    text = labelled(to_csv([{**ROW, "quote_id": letter * 32} for letter in "abcc"]), a="maybe", b="yes", c="true")
    with pytest.raises(InputError, match=r"(?s)line 2: label 'maybe'.*line 3: label 'yes'.*line 5: the alert is in"):
        read(text)
    with pytest.raises(InputError, match="no column quote_id"):
        read("a,b\n1,2\n")
    with pytest.raises(InputError, match="--reviewer"):
        from_csv(to_csv([ROW]), "x.csv", " ", NOW)


def new(found: list[Review], *archive: dict[str, Any]) -> list[Review]:
    """What is new of some reviews in a lake with one alert and these rows of reviews."""
    ids = {name: ROW[name] for name in IDS}
    return new_reviews(lambda statement: [ids] if "contextomy" in statement else [*archive], found)


def test_only_a_changed_mind_is_news():
    [review] = read(labelled(to_csv([ROW]), a="true"))
    first = {**asdict(review), "label": "true", "reviewed_at": NOW}
    second = {**first, "label": "false", "reviewed_at": NOW + timedelta(days=1)}

    assert new([review]) == [review]
    assert new([review], first) == []
    [again] = new([review], second)
    assert replace(again, reviewed_at=NOW) == review
    assert again.reviewed_at > second["reviewed_at"], "so it counts, though its clock is a day behind"
    assert new([review], {**first, "label": "false", "reviewed_at": NOW - timedelta(days=1)}) == [review]
    assert new([review], {**first, "reviewer": "bob"}) == [review]


NOTES = st.text(st.characters(codec="utf-8"), max_size=20).map(lambda note: note.strip() or None)


@given(NOTES, st.sampled_from(Label))
def test_labels_given_before_stand_in_the_file_and_read_back_unchanged_say_nothing_new(note: str | None, label: Label):
    given_before = Review(**{name: ROW[name] for name in IDS}, reviewer="ann", reviewed_at=NOW, label=label, note=note)
    text = to_csv([ROW, {**ROW, "quote_id": "b" * 32}], [given_before])
    found = from_csv(text, "x.csv", "ann", NOW + timedelta(days=1))
    assert [replace(review, reviewed_at=NOW) for review in found] == [given_before], "the other alert has no label"
    assert new(found, asdict(given_before)) == []


def test_an_export_is_of_all_alerts_or_of_those_that_nobody_labelled_with_one_reviewer_s_labels(
    run_job: Callable[..., Done], tmp_path: Path
):
    root, out = tmp_path / "lake", tmp_path / "out.csv"
    write_lake(root, [1, 2, 3])

    def export(*more: str) -> tuple[list[tuple[str, str]], Done]:
        done = run_job("review_alerts", "export", "--lake", root, "--out", out, *more)
        return [(row["quote_id"][-1], row["label"]) for row in cells(out.read_text("utf-8-sig"))], done

    def give(reviewer: str, label: str, *quotes: int) -> None:
        row = {"alert": "contextomized", "reviewer": reviewer, "label": label, "note": None, "rule_version": "2-a"}
        row |= {"detector_version": "d-1", "reviewed_at": NOW, "ingested_at": NOW, "run_id": "r"}
        table = pa.Table.from_pylist([row | {"quote_id": f"quote {n}"} for n in quotes])
        write_deltalake(str(root / "alert_reviews"), table, mode="append")

    assert export()[0] == [("1", ""), ("2", ""), ("3", "")]
    give("ann", "true", 1)
    shown, done = export()
    assert shown == [("1", "true"), ("2", ""), ("3", "")] and "filled in: the labels of ann" in done.out
    give("bob", "false", 1, 2)
    assert export("--unreviewed")[0] == [("3", "")]
    assert export("--reviewer", "bob")[0] == [("1", "false"), ("2", "false"), ("3", "")]
    shown, done = export()
    assert shown == [("1", ""), ("2", ""), ("3", "")] and "--reviewer says whose, ann, bob" in done.out
    assert export("--reviewer", "eve")[1].code == 2
    give("ann", "true", 2, 3)
    done = export("--unreviewed")[1]
    assert done.code == 2 and "has no alert that nobody labelled: nothing was written" in done.error


@pytest.mark.spark
@pytest.mark.slow
def test_labels_go_into_the_lake_once_and_give_precision_at_k(spark: SparkSession, sample_lake: str, tmp_path: Path):
    shutil.copytree(sample_lake, tmp_path / "lake")
    root = str(tmp_path / "lake")

    def run_sql(statement: str) -> list[dict[str, Any]]:
        with DuckEngine(root) as engine:  # made anew: it shows the labels as they are now
            return engine.answer(statement).rows

    rows = cells(to_csv(run_sql(alerts_query(3, "absent"))))
    assert len(rows) == 3 and {row["alert"] for row in rows} == {"absent"}

    def label(reviewer: str, when: datetime, *labels: str) -> int:
        given = [{**row, "label": label} for row, label in zip(rows, labels, strict=True)]
        new = new_reviews(run_sql, from_csv(csv_text([*rows[0]], given), "x.csv", reviewer, when))
        at = Lake(spark, root, f"r-{when:%d}", when)
        if new:
            at.append(at.frame([asdict(review) for review in new], "alert_reviews"), "alert_reviews")
        return len(new)

    assert label("ann", NOW, "true", "true", "false") == 3
    assert label("ann", NOW + timedelta(days=1), "true", "true", "false") == 0, "the same file again adds nothing"
    [reviewed] = [row for row in run_sql("SELECT * FROM alert_precision") if row["kind"] == "absent"]
    assert 3 <= reviewed["k"] == reviewed["n_first"] == reviewed["n_of_kind"] < 10, "there are no first ten"
    assert (reviewed["n_reviewed"], reviewed["n_true"], reviewed["n_false"]) == (3, 2, 1)
    assert reviewed["precision"] == pytest.approx(2 / 3)
    assert reviewed["precision_low"] == pytest.approx(0.2077, abs=1e-3)  # Wilson, 2 of 3, by hand
    assert reviewed["precision_high"] == pytest.approx(0.9385, abs=1e-3)

    assert label("bob", NOW + timedelta(days=2), "false", "true", Label.BAD_BODY) == 3
    assert label("ann", NOW + timedelta(days=3), "true", "false", "bad_body") == 2, "only what changed"
    [reviewed] = [row for row in run_sql("SELECT * FROM alert_precision") if row["kind"] == "absent"]
    # Ann and Bob disagree on the first two and agree that the third is a bad body.
    assert (reviewed["n_true"], reviewed["n_bad_body"], reviewed["n_disputed"], reviewed["precision"]) == (0, 1, 2, 0.0)

    rows[0]["quote_id"] = "f" * 32
    with pytest.raises(InputError, match=r"no such alert or check: f{32}"):
        label("ann", NOW + timedelta(days=4), "false", "false", "false")
    assert len(run_sql("SELECT * FROM alert_reviews")) == 8, "append-only, and a refused file writes nothing"
