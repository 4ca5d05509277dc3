"""Pairs of contexts and what people said of them: the files, and the gold labels that the paper's filters give."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from quotelab.labels.context_pairs.gold import gold_labels, gold_variation, reason_dropped
from quotelab.labels.phitag import (
    Judgment,
    UsePair,
    by_pair,
    read_judgments,
    read_pairs,
    write_judgments,
    write_pairs,
    write_uses,
)
from quotelab.labels.trotr import Use, read_uses
from quotelab.protocols.agreement import evaluate
from quotelake.errors import InputError

USES = [
    Use("a-1", "They said: no\tway, twice.", 11, 17, "no way"),
    Use("a-2", '"No way" she wrote', 1, 7, "no way"),
    Use("b-1", "Never\nmind it", 0, 10, "never mind"),
]


def written(folder: Path) -> Path:
    write_uses(USES, folder / "uses.tsv")
    write_pairs([UsePair("p1", "a-2", "a-1")], folder / "instances.tsv")
    write_judgments([Judgment("p1", 4, "x"), Judgment("p1", None, "y", 'a "quote"')], folder / "judgments.tsv")
    return folder


def test_files_come_back_as_they_were_and_breaks_move_no_offset(tmp_path: Path):
    path = written(tmp_path) / "uses.tsv"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())  # as some editors save it
    uses = read_uses(path)
    assert [use.context[use.start : use.end] for use in uses] == ["no way", "No way", "Never mind"]
    assert read_pairs(tmp_path / "instances.tsv", {use.use_id: use.target for use in uses}) == {
        "p1": UsePair("p1", "a-2", "a-1")
    }
    assert read_judgments([tmp_path / "judgments.tsv"])[1] == Judgment("p1", None, "y", 'a "quote"')


@pytest.mark.parametrize(
    ("name", "row", "expected"),
    [
        ("uses.tsv", "a-1\tagain\t0:5\t0:5\tno way", "uses.tsv, line 5: field dataID: found 'a-1' again"),
        (
            "uses.tsv",
            "c-1\tshort\t0:99\t0:5\tno way",
            "uses.tsv, line 5: found an end at 99; the context has 5 characters",
        ),
        ("uses.tsv", "c-1\tshort", "line 5: found 2 fields; give"),
        (
            "instances.tsv",
            "p2\ta-1,b-1\t1,2,3,4\t-",
            "instances.tsv, line 3: field dataIDs: found uses of different texts",
        ),
        ("instances.tsv", "p2\ta-1,a-1\t1,2,3,4\t-", "line 3: field dataIDs: found 'a-1,a-1'"),
        ("instances.tsv", "p2\ta-1,z-9\t1,2,3,4\t-", "field dataIDs: found 'z-9'"),
        ("judgments.tsv", "p1\t5\t\tz", "judgments.tsv, line 4: field label: found '5'; give 1 to 4, or -"),
        ("judgments.tsv", "p9\t1\t\tz", "field instanceID: found 'p9'; list the pair in instances.tsv"),
        ("judgments.tsv", "p1\t1\t\tx", "a second judgment of 'p1' by 'x'"),
        ("judgments.tsv", "p1\t1\t\t ", "no annotator"),
    ],
)
def test_a_wrong_row_is_named_with_file_and_line(tmp_path: Path, name: str, row: str, expected: str):
    with (written(tmp_path) / name).open("a", encoding="utf-8") as file:
        file.write(f"{row}\n")
    with pytest.raises(InputError) as caught:
        targets = {use.use_id: use.target for use in read_uses(tmp_path / "uses.tsv")}
        pairs = read_pairs(tmp_path / "instances.tsv", targets)
        read_judgments([tmp_path / "judgments.tsv"], pairs)
    assert expected in str(caught.value)


@pytest.mark.parametrize(
    ("votes", "expected"),
    [
        ([1, 1], None), ([2, 2], None), ([2, 3], "unclear"), ([2, 2, 3], "unclear"), ([3, 3, 4], None),
        ([1, 3], "disagreement"), ([1], "few"), ([1, 1, None], None), ([4, 4, None, None], "few"),
    ],
)  # fmt: skip
def test_the_filters_of_the_paper(votes: list[int | None], expected: str | None):
    assert reason_dropped(dict(zip("abcd", votes, strict=False))) == expected


def test_a_target_that_people_do_not_agree_on_has_no_gold_variation():
    votes = {"p": {"a": 4, "b": 3}, "q": {"a": 1, "b": 1}, "r": {"a": 1, "b": 4}}
    found = gold_variation(votes, {"p": "x", "q": "y", "r": "z"}, {"x": 0.15, "y": 0.9, "z": 0.149})
    assert found == {"x": 0, "y": 1 - 1 / 3.5}


@pytest.mark.real_data
def test_the_gold_of_trotr_is_that_of_its_judgments(data: Callable[[str], Path]):
    """3,821 pairs with the labels of the authors' folds, and their published agreement."""
    judgments = data("trotr/judgments.tsv")
    figures = evaluate(judgments.parent).figures
    names = ("pairs_kept", "pairs_unrelated", "pairs_related", "targets_kept")
    assert [figures[name] for name in names] == [3821, 2621, 1200, 40]
    published = {"alpha": 0.420, "spearman": 0.506, "alpha_kept": 0.709, "spearman_kept": 0.811}
    assert {name: round(figures[name], 3) for name in published} == published
    assert figures["trac_largest_difference"] < 1e-12
    with gzip.open(judgments.with_name("folds.json.gz"), "rt") as file:
        folds = json.load(file)["folds"]
    expected = {row[0]: row[4] for parts in folds.values() for rows in parts.values() for row in rows}
    gold = gold_labels(by_pair(read_judgments([judgments])))
    assert {each.instance_id: each.label for each in gold} == expected
