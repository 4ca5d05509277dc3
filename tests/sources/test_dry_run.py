"""A dry run says of the first records what the run itself would say of them, and what a field goes to."""

import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from quotelake.errors import InputError
from quotelake.reporting.score import show_dry_run
from quotelake.sample import sample_path
from quotelake.settings import Settings, load_settings
from quotelake.sources import check as dry_run
from quotelake.sources.check import Checked, check_source
from quotelake.sources.files import InputFile, list_files

NOW = datetime(2024, 6, 1, tzinfo=UTC)
GOOD = {"id": "1", "title": "Bridge", "text": "It opened.", "published": "2024-05-01T10:00:00+02:00", "lang": "en"}


def check(folder: Path, records: list[Any], *overrides: str) -> tuple[Checked, Settings]:
    settings = load_settings(overrides=overrides)
    path = folder / "x.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return check_source("sample_news", list_files("sample_news", str(path)), settings, NOW), settings


def told(checked: Checked, settings: Settings) -> str:
    console = Console(width=200, record=True, file=io.StringIO())
    show_dry_run([checked], settings, console)
    return console.export_text()


def test_columns_fields_and_examples(tmp_path: Path):
    bad = {**GOOD, "text": None, "title": "Of a reject", "extra": {"a": 1}}
    undated = {**GOOD, "published": "soon"}
    checked, settings = check(tmp_path, [bad, undated, GOOD, {**GOOD, "byline": ""}, undated])
    by_column = {each.column: (each.field, each.records, each.example) for each in checked.mapped}
    assert by_column["headline"] == ("title", 5, "Bridge"), "the example is of a record that is kept"
    assert by_column["published_at"] == ("published", 5, datetime(2024, 5, 1, 8, tzinfo=UTC))
    assert by_column["byline"] == ("byline", 0, None)
    assert checked.unmapped == {"extra": {"a": 1}}
    text = told(checked, settings)
    for part in ("headline", "Bridge", "2024-05-01 08:00:00+00:00", "extra ({'a': 1})", "missing_text", "rejected"):
        assert part in text


def test_counts_are_those_of_the_run_and_faults_say_what_becomes_of_them(settings: Settings):
    files = [f for name in ("news.jsonl", "news_broken.jsonl") for f in list_files("sample_news", sample_path(name))]
    checked = check_source("sample_news", files, settings, NOW)
    assert dict(checked.counts) == {"records": 95, "documents": 88, "rejects": 7, "unread_dates": 2}
    assert checked.exceeds == []
    text = told(checked, settings)
    assert "field NULL" in text and "rejected" in text and "'not a date'" in text


@pytest.mark.parametrize(
    ("overrides", "exceeds"),
    [
        ((), []),
        (("sources.sample_news.date_format=%d/%m/%Y",), ["unread_dates"]),
        (("sources.sample_news.date_format=%d/%m/%Y", "sources.sample_news.reject_share=1.0"), []),
        (("sources.sample_news.fields.body=txt",), ["rejects"]),
    ],
)
def test_a_source_that_would_exceed_its_share_is_told(tmp_path: Path, overrides: tuple[str, ...], exceeds: list[str]):
    checked, settings = check(tmp_path, [GOOD] * 3, *overrides)
    assert checked.exceeds == exceeds
    assert ("more than the 20% of reject_share" in told(checked, settings)) == bool(exceeds)


def test_a_file_that_cannot_be_opened_is_a_fault_and_many_files_are_opened_in_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "a.jsonl.gz").write_bytes(b"no gzip")
    gone = InputFile("f", "sample_news", f"file:{tmp_path}/gone.jsonl", 9, datetime(9999, 1, 1, tzinfo=UTC))
    files = [*list_files("sample_news", str(tmp_path)), gone]
    checked = check_source("sample_news", files, load_settings(), NOW)
    assert {fault.reason for fault in checked.faults} == {"broken_file", "unreadable_file"}
    monkeypatch.setattr(dry_run, "FILES", 1)
    assert [looked.file for looked in check_source("sample_news", files, load_settings(), NOW).looked] == [gone]


def test_an_ending_that_says_nothing_is_told(tmp_path: Path):
    (tmp_path / "x.txt").write_text("{}")
    settings = load_settings(overrides=["sources.sample_news.format=auto"])
    with pytest.raises(InputError, match="the ending does not say"):
        check_source("sample_news", list_files("sample_news", str(tmp_path)), settings, NOW)
