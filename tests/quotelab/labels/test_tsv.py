"""Rows of tab-separated files: long fields are read, and what cannot be read is named with its line."""

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from quotelab.labels import tables
from quotelake.errors import InputError


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
    with pytest.raises(InputError) as caught:
        list(tables.table_rows(tmp_path / "uses.tsv", ("id", "context"), quoted=False))
    assert said in str(caught.value)


@pytest.mark.parametrize("value", ["", "3", "3:3", "-1:2", "1:" + "9" * 5000])
def test_a_span_has_a_start_and_a_greater_end(value: str):
    with pytest.raises(InputError, match="give START:END"):
        tables.span_of("uses.tsv, line 2", value)
