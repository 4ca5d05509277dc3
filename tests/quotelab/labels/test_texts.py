"""Label files: the right text for every row, and a message that can be acted on for every fault."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quotelab.labels.texts import Labels, LabelSpan, read_labels, text_hash
from quotelake.errors import InputError

Write = Callable[..., str]


class Marked(Labels):
    spans: tuple[LabelSpan, ...] = ()


@pytest.fixture
def write(jsonl: Callable[..., Path]) -> Write:
    return lambda name, *rows: str(jsonl(*rows, name=name))


def test_the_hash_tells_which_of_two_corpora_is_meant(write: Write):
    corpora = [write("a.jsonl", {"ID": 7, "text": "Rain."}), write("b.jsonl", {"id": "7", "text": "Snow."})]
    labels = write("labels.jsonl", {"id": "7", "text_sha256": text_hash("Snow.")})
    assert [row.text for row in read_labels([labels], Marked, corpora)] == ["Snow."]
    assert [row.text for row in read_labels([labels], Marked, reversed(corpora))] == ["Snow."]


def test_a_headline_is_the_title_of_its_record(write: Write):
    corpus = write("a.jsonl", {"id": 1, "title": "Rain", "text": "It rained."})
    rows = [{"id": 1, "mode": "headline", "text_sha256": text_hash("Rain")}]
    rows.append({"id": 1, "mode": "body", "text_sha256": text_hash("It rained.")})
    assert [row.text for row in read_labels([write("l.jsonl", *rows)], Marked, [corpus])] == ["Rain", "It rained."]


@pytest.mark.parametrize("field", ["part", "split"])
def test_a_part_is_taken_alone(write: Write, field: str):
    path = write("a.jsonl", {"text": "a", field: "dev"}, {"text": "b", field: "test"}, {"text": "c"})
    assert [row.text for row in read_labels([path], Marked, part="test")] == ["b"]
    with pytest.raises(InputError, match=r"the parts of these files are: \(none\), dev, test"):
        read_labels([path], Marked, part="tset")


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("{broken", ["bad.jsonl, line 2", "no JSON", "column 2"]),
        ({"text": "a", "mode": "title"}, ["line 2: field mode", '"title"', "'headline'"]),
        ({"text": "a", "spans": [[3, 1]]}, ["line 2: field spans.0", "[3, 1]", "start < end"]),
        ({"text": "a", "spans": [[-1, 1]]}, ["line 2: field spans.0", "0 <= start"]),
        ({"text": "a", "spans": [["0", 1]]}, ["line 2: field spans.0.0", '"0"', "integer"]),
        ({"text": "short", "spans": [[2, 6]]}, ["field spans: found [2, 6]; the text has 5 characters"]),
        ({"text": "a", "text_sha256": "0" * 16}, ["line 2: field text_sha256", "0000", text_hash("a")]),
        ({"spans": []}, ["line 2: field text", "neither it nor id and text_sha256"]),
        ({"id": 5}, ["line 2: field text", "text_sha256"]),
        ({"id": 9, "text_sha256": "0" * 16}, ["line 2: text 9", "no record with this id", "corpus.jsonl"]),
        ({"id": 5, "mode": "headline", "text_sha256": "0" * 16}, ["line 2: text 5", "and a title in"]),
        ({"source": "daily", "id": 5, "text_sha256": "0" * 16}, ["text daily 5", text_hash("Rain."), "that version"]),
    ],
)
def test_a_fault_is_named_with_its_place_and_remedy(write: Write, row: Any, expected: list[str]):
    corpus = write("corpus.jsonl", {"id": 5, "text": "Rain."})
    with pytest.raises(InputError) as raised:
        read_labels([write("bad.jsonl", {"text": "fine"}, row)], Marked, [corpus])
    assert [part for part in expected if part not in str(raised.value)] == []


def test_files_that_cannot_be_read_are_named(write: Write, tmp_path: Path):
    with pytest.raises(InputError, match=r"--data .*nowhere.*no such file"):
        read_labels([str(tmp_path / "nowhere*")], Marked)
    with pytest.raises(InputError, match="no row"):
        read_labels([write("empty.jsonl")], Marked)
    with pytest.raises(InputError, match="--texts FILE"):
        read_labels([write("ids.jsonl", {"id": 5, "text_sha256": "0" * 16})], Marked)
