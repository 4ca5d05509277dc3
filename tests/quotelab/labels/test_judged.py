"""Pairs of contexts and what people said of them: the files, and the gold labels that the paper's filters give."""

import csv
import gzip
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from quotelab.labels import judged, tables
from quotelab.labels.judged import Judgment, Pair, Use, gold_variation, read_judged, read_pairs, read_uses
from quotelab.protocols.agreement import evaluate
from quotelake.errors import InputError

USES = [
    Use("a-1", "They said: no\tway, twice.", 11, 17, "no way"),
    Use("a-2", '"No way" she wrote', 1, 7, "no way"),
    Use("b-1", "Never\nmind it", 0, 10, "never mind"),
]


def written(folder: Path) -> Path:
    judged.write_uses(USES, folder / "uses.tsv")
    judged.write_pairs([Pair("p1", "a-2", "a-1", "no way")], folder / "instances.tsv")
    judged.write_judgments([Judgment("p1", 4, "x"), Judgment("p1", None, "y", 'a "quote"')], folder / "judgments.tsv")
    return folder


def test_files_come_back_as_they_were_and_breaks_move_no_offset(tmp_path: Path):
    path = written(tmp_path) / "uses.tsv"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())  # as some editors save it
    uses = read_uses(path)
    assert [use.context[use.start : use.end] for use in uses] == ["no way", "No way", "Never mind"]
    assert read_pairs(tmp_path / "instances.tsv", uses) == {"p1": Pair("p1", "a-2", "a-1", "no way")}
    assert judged.read_judgments([tmp_path / "judgments.tsv"])[1] == Judgment("p1", None, "y", 'a "quote"')


@pytest.mark.parametrize(
    ("name", "row", "expected"),
    [
        ("uses.tsv", "a-1\tagain\t0:5\t0:5\tno way", "uses.tsv, line 5: field dataID: found 'a-1' again"),
        ("uses.tsv", "c-1\tshort\t0:99\t0:5\tno way", "line 5: found an end at 99; the context has 5 characters"),
        ("uses.tsv", "c-1\tshort", "line 5: found 2 fields; give"),
        ("instances.tsv", "p2\ta-1,b-1\t1,2,3,4\t-", "line 3: field dataIDs: found uses of different texts"),
        ("instances.tsv", "p2\ta-1,a-1\t1,2,3,4\t-", "line 3: field dataIDs: found 'a-1,a-1'"),
        ("instances.tsv", "p2\ta-1,z-9\t1,2,3,4\t-", "field dataIDs: found 'a-1,z-9'"),
        ("judgments.tsv", "p1\t5\t\tz", "judgments.tsv, line 4: field label: found '5'; give 1 to 4, or -"),
        ("judgments.tsv", "p9\t1\t\tz", "field instanceID: found 'p9'; list the pair in instances.tsv"),
        ("judgments.tsv", "p1\t1\t\tx", "a second judgment of 'p1' by 'x'"),
        ("judgments.tsv", "p1\t1\t\t ", "no annotator"),
    ],
)
def test_a_wrong_row_is_named_with_file_and_line(tmp_path: Path, name: str, row: str, expected: str):
    with (written(tmp_path) / name).open("a", encoding="utf-8") as file:
        file.write(f"{row}\n")
    with pytest.raises(InputError, match=re.escape(expected)):
        read_judged(tmp_path)


@pytest.mark.parametrize(
    ("expected", "given"),
    [
        (None, [[1, 1], [2, 2], [3, 3, 4], [1, 1, None]]),
        ("unclear", [[2, 3], [2, 2, 3]]),
        ("disagreement", [[1, 3]]),
        ("few", [[1], [4, 4, None, None]]),
    ],
)
def test_the_filters_of_the_paper(expected: str | None, given: list[list[int | None]]):
    for votes in given:
        assert Pair("p", "a", "b", "t", dict(zip("abcd", votes, strict=False))).dropped == expected


def test_a_target_that_people_do_not_agree_on_has_no_gold_variation():
    votes = {"x": [(4, 3), (1, 1)], "y": [(1, 1), (2, 2)], "z": [(1, 4), (4, 1)]}
    pairs = [Pair("", "", "", target, dict(zip("ab", each, strict=True))) for target in votes for each in votes[target]]
    assert gold_variation(pairs) == {"x": 0, "y": 1 - 1.5 / 2.25}


@pytest.mark.real_data
def test_the_gold_of_trotr_is_that_of_its_judgments(data: Callable[[str], Path]):
    """3,821 pairs with the labels of the authors' folds, and their published agreement."""
    judgments = data("trotr/judgments.tsv")
    figures = evaluate(judgments.parent).figures
    published = {"pairs_kept": 3821, "pairs_unrelated": 2621, "pairs_related": 1200, "targets_kept": 40}
    published |= {"alpha": 0.420, "spearman": 0.506, "alpha_kept": 0.709, "spearman_kept": 0.811}
    assert {name: round(figures[name], 3) for name in published} == published
    assert figures["trac_largest_difference"] < 1e-12
    with gzip.open(judgments.with_name("folds.json.gz"), "rt") as file:
        folds = json.load(file)["folds"]
    expected = {row[0]: row[4] for parts in folds.values() for rows in parts.values() for row in rows}
    assert {pair.pair_id: pair.label for pair in read_judged(judgments.parent).clear} == expected


@pytest.fixture(autouse=True)
def limit() -> Iterator[None]:
    """Leave the limit of fields, which is one for the process, as it was."""
    before = csv.field_size_limit()
    yield
    csv.field_size_limit(before)


def test_a_field_may_be_as_long_as_an_article(tmp_path: Path):
    path = tmp_path / "uses.tsv"
    path.write_text("id\tcontext\n1\t" + "a " * 100_000 + "\n", "utf-8")
    [(place, row)] = tables.table_rows(path, ("id", "context"), quoted=False)
    assert place == f"{path}, line 2" and len(row["context"]) == 200_000


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id\n1\n", "line 1: found the columns id; name columns id, context"),
        ("id\tcontext\tid\n1\ta\t2\n", "line 1: found two columns id"),
        ("id\tcontext\n1\ta\t\n2\ta\tb\n", "line 3: found 3 fields"),  # else what is behind a tab is lost
        ("id\tcontext\n1\ta\n2\n", "line 3: found 1 fields"),
        ("id\tcontext\n1\ta\n2\t" + "b" * 300 + "\n", "line 3: found a row that cannot be read"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, text: str, said: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tables, "LONGEST_FIELD", 200)
    (tmp_path / "uses.tsv").write_text(text, "utf-8")
    with pytest.raises(InputError, match=re.escape(said)):
        list(tables.table_rows(tmp_path / "uses.tsv", ("id", "context"), quoted=False))


def test_a_span_has_a_start_and_a_greater_end():
    for value in ("", "3", "3:3", "-1:2", "1:" + "9" * 5000):
        with pytest.raises(InputError, match="give START:END"):
            tables.span_of("uses.tsv, line 2", {"context": "They go", "indices_target_token": value})
