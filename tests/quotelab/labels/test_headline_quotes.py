"""Labelled rows: a bad one is named by file and line."""

import gzip
from pathlib import Path

import pytest

from quotelab.labels.headlines import digest, read_labelled
from quotelake.errors import InputError

GOOD = '{"headline_quote": "We go", "body_quotes": ["We go home"], "label": 0, "place": "left alone"}'


def test_rows_are_read_and_empty_lines_passed_over(tmp_path: Path):
    path = tmp_path / "rows.jsonl.gz"
    path.write_bytes(gzip.compress(f"{GOOD}\n\n{GOOD}\n".encode()))
    assert [row.label for row in read_labelled(path)] == [0, 0]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2: found no JSON"),
        ('{"headline_quote": "a", "body_quotes": [], "label": 2}', "line 2: field label"),
        ('{"headline_quote": "a", "body_quotes": [], "label": true}', "line 2: field label"),
        ('{"headline_quote": "a", "body_quotes": "b", "label": 1}', "line 2: field body_quotes"),
        ('{"headline_quote": "a", "body_quotes": [1], "label": 1}', "line 2: field body_quotes.0"),
        ('{"body_quotes": [], "label": 1}', "line 2: field headline_quote"),
        ("[]", r"line 2: field \(row\)"),
    ],
)
def test_a_bad_row_is_named(tmp_path: Path, line: str, message: str):
    path = tmp_path / "rows.jsonl"
    path.write_text(f"{GOOD}\n{line}\n", "utf-8")
    with pytest.raises(InputError, match=message):
        read_labelled(path)


@pytest.mark.parametrize(("content", "message"), [(b"", "no row"), (b"\xff\n", "line 1: found bytes")])
def test_a_useless_file_is_named(tmp_path: Path, content: bytes, message: str):
    path = tmp_path / "rows.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_labelled(path)


def test_the_digest_is_of_what_is_learned_from(tmp_path: Path):
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    one.write_text(GOOD, "utf-8")
    other.write_text(GOOD.replace("left alone", "elsewhere"), "utf-8")
    assert digest(read_labelled(one)) == digest(read_labelled(other))
    other.write_text(GOOD.replace('"label": 0', '"label": 1'), "utf-8")
    assert digest(read_labelled(one)) != digest(read_labelled(other))
