"""The check of inputs: a misspelt field is told before a run, and a dry run says what the run itself would say."""

import io
import json
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from tests.sources.reading import HANDLE, NOW, OF_AUTHOR, write_bad_tweets

from quotelake.commands.score import show_source
from quotelake.errors import InputError
from quotelake.quotes.spans import find_quotes
from quotelake.sample import sample_path
from quotelake.settings import load_settings
from quotelake.sources import check as module
from quotelake.sources.check import HIDDEN, LEAST, SourceCheck, check_mapping, check_source
from quotelake.sources.files import InputFile, input_file, list_files
from quotelake.sources.records import read_file
from quotelake.sources.rejects import exceeded

RECORD = {"id": "1", "title": "Bridge", "text": "It opened.", "published": "2024-05-01T10:00:00+02:00", "lang": "en"}
GOOD = b'{"id": 1, "title": "Bridge", "text": "It opened."}\n'
BAD = b'{"id": 1, "headline": "Bridge", "content": "It opened."}\n'


def file(folder: Path, data: bytes, source: str = "sample_news", name: str = "x.jsonl", modified: int = 0) -> InputFile:
    (folder / name).write_bytes(data)
    return input_file(source, f"file:{folder / name}", len(data), modified)


def warnings(files: list[InputFile], *overrides: str) -> list[str]:
    return check_mapping(files, load_settings(overrides=overrides), find_quotes)


@pytest.mark.parametrize(
    ("setting", "name", "data", "found"),
    [
        ("fields.body=txt", "x.jsonl", GOOD,
         r"x\.jsonl: .*sources\.sample_news\.fields\.body = 'txt'; fields found: id, title, text\. Set "),
        ('fields.body=["full", "txt"]', "x.jsonl", GOOD, r"fields\.body = 'full or txt'; fields found: id"),
        ("fields.body=text", "x.jsonl", b'{"id": 1, "text": "It opened."}\n', "headline"),
        ("format=csv", "x.csv", b"id;title;text\n1;Bridge;It opened.\n",
         "delimiter if ',' does not separate the cells"),
        ("format=auto", "y.txt", GOOD, r"y\.txt: the ending"),
    ],
)  # fmt: skip
def test_a_field_that_no_record_has_is_an_error_that_names_file_setting_and_fields(
    tmp_path: Path, setting: str, name: str, data: bytes, found: str
):
    with pytest.raises(InputError, match=found):
        warnings([file(tmp_path, data, name=name)], f"sources.sample_news.{setting}")


def test_other_fields_that_no_record_has_are_warnings(tmp_path: Path):
    said = " ".join(warnings([file(tmp_path, GOOD)]))
    assert "sources.sample_news.fields.updated_at = 'updated'" in said and "fields.body" not in said
    # One record with the field is enough, null counts as there, and a field may stand inside another.
    warnings([file(tmp_path, b'broken\n{"id": 1, "title": null}\n{"text": null}\n')])
    nested = file(tmp_path, b'{"data": {"text": "Open"}}\n', "sample_tweets")
    warnings([nested], "sources.sample_tweets.fields.body=data.text")


def test_files_without_records_are_passed_over(tmp_path: Path):
    wrong = "sources.sample_news.fields.body=txt"
    gone = input_file("sample_news", f"file:{tmp_path}/4.jsonl", 1, 4)
    nothing = [gone, file(tmp_path, b"", name="3.jsonl", modified=3), file(tmp_path, b"no gzip", name="2.jsonl.gz")]
    assert warnings(nothing, wrong) == []
    with pytest.raises(InputError, match=r"1\.jsonl"):
        warnings([*nothing, file(tmp_path, GOOD, name="1.jsonl")], wrong)


@pytest.mark.parametrize("turn", [1, -1])
def test_the_newest_of_files_alike_is_looked_at_and_not_the_first_by_name(tmp_path: Path, turn: int):
    old = file(tmp_path, GOOD, name="us_2024-01-01.jsonl", modified=1)
    new = file(tmp_path, BAD, name="us_2024-01-02.jsonl", modified=2)
    with pytest.raises(InputError, match=r"us_2024-01-02\.jsonl"):
        warnings([old, new][::turn])
    warnings([old, new, file(tmp_path, GOOD, name="us_2024-01-03.jsonl", modified=3)][::turn])


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("uk_2024-01-01.jsonl", BAD),
        ("us_2024-01-01.json", b"[" + BAD + b"]"),
        ("us_2024-01-01.csv", b"id,content\n1,It opened.\n"),
    ],
)
def test_each_shape_of_a_source_is_looked_at(tmp_path: Path, name: str, data: bytes):
    files = [file(tmp_path, data, name=name, modified=1), file(tmp_path, GOOD, name="us_2024-01-02.jsonl", modified=2)]
    for order in (files, files[::-1]):
        with pytest.raises(InputError, match=name):
            warnings(order, "sources.sample_news.format=auto")


def test_a_field_that_another_shape_has_gives_no_warning(tmp_path: Path):
    with_byline = file(tmp_path, GOOD.replace(b"{", b'{"byline": "Ana Bell", ', 1), name="us_2024-01-01.jsonl")
    without = file(tmp_path, GOOD, name="uk_2024-01-01.jsonl")
    said = [" ".join(warnings(files)) for files in ([with_byline, without], [without])]
    assert ["fields.byline" in text for text in said] == [False, True]


def test_numbers_and_hashes_in_names_make_no_shape(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    names = [f"part-{number:05}-{number * 7919:08x}4c1-c000.jsonl" for number in range(30)]
    opened: list[str] = []
    monkeypatch.setattr(module, "read_file", lambda path, *given: opened.append(path) or read_file(path, *given))
    warnings([file(tmp_path, GOOD, name=name) for name in names])
    assert len(opened) == 1, "a night of many files costs no more than one"


@pytest.mark.parametrize(
    ("setting", "named"),
    [("where.lnag=en", "where"), ("items=data", "items"), ("explode=quotes", "explode")],
)
def test_settings_that_leave_out_all_records_are_told(tmp_path: Path, setting: str, named: str):
    assert warnings([file(tmp_path, GOOD)], f"sources.sample_news.{setting}") == [
        f"sample_news: none of the first records becomes a document; look at {named} of sources.sample_news"
    ]


def write(folder: Path, records: list[dict[str, Any]], source: str = "sample_news") -> list[InputFile]:
    return [file(folder, b"".join(json.dumps(record).encode() + b"\n" for record in records), source)]


def check(files: list[InputFile], *overrides: str, source: str = "sample_news") -> tuple[SourceCheck, str]:
    """What the check of files finds, and what it prints."""
    settings, console = load_settings(overrides=overrides), Console(width=200, record=True, file=io.StringIO())
    checked = check_source(source, files, settings, NOW, find_quotes)
    show_source(checked, settings, console)
    return checked, console.export_text()


def test_columns_fields_and_examples(tmp_path: Path):
    bad = {**RECORD, "text": None, "title": "Of a reject", "extra": {"a": 1}}
    undated = {**RECORD, "published": "soon", "extra": {"a": 2}}
    later = {**RECORD, "byline": "", "title": "Later"}
    checked, text = check(write(tmp_path, [bad, undated, RECORD, undated, later]))
    assert (checked.stated["headline"], checked.examples["headline"]) == (5, "Bridge"), "of a record that is kept"
    assert (checked.stated["published_at"], checked.stated["byline"]) == (5, 0)
    assert checked.examples["published_at"] == datetime(2024, 5, 1, 8, tzinfo=UTC)
    assert checked.unmapped == {"extra": {"a": 1}}
    for part in ("headline", "Bridge", "2024-05-01 08:00:00+00:00", "extra ({'a': 1})", "missing_text", "rejected"):
        assert part in text


def test_a_day_is_shown_without_a_time_that_nobody_stated(tmp_path: Path):
    checked, text = check(write(tmp_path, [{**RECORD, "published": "2024-05-01"}]))
    assert checked.examples["published_at"] == date(2024, 5, 1)
    assert "2024-05-01" in text and "00:00" not in text


def test_counts_are_those_of_the_run_and_faults_say_what_becomes_of_them():
    files = [f for name in ("news.jsonl", "news_broken.jsonl") for f in list_files("sample_news", sample_path(name))]
    checked, text = check(files)
    quotes = {name: checked.counts[name] for name in ("quotes", "with_quotes")}
    assert checked.counts == {"records": 95, "documents": 88, "rejects": 7, "unread_dates": 2} | quotes
    assert exceeded("sample_news", checked.counts, load_settings()) == []
    assert "field NULL" in text and "rejected" in text and "'not a date'" in text


def test_no_handle_of_an_author_is_printed(tmp_path: Path):
    write_bad_tweets(tmp_path)
    for path in sorted(tmp_path.iterdir()):
        files = list_files("sample_tweets", str(path))
        checked, text = check(files, *OF_AUTHOR, "ingest.max_record_bytes=1000", source="sample_tweets")
        assert checked.faults and HANDLE not in text, path.name
        if checked.counts["documents"]:
            assert (checked.examples["author"], checked.examples["body"]) == (HIDDEN, "Open."), path.name


def test_a_file_that_cannot_be_opened_is_a_fault_and_many_files_are_opened_in_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    gone = input_file("sample_news", f"file:{tmp_path}/gone.jsonl", 9, 9)
    files = [gone, file(tmp_path, b"no gzip", name="a.jsonl.gz")]
    assert {fault.reason for fault in check(files)[0].faults} == {"broken_file", "unreadable_file"}
    monkeypatch.setattr(module, "FILES", 1)
    assert list(check(files)[0].by_file) == [gone]


def test_quotations_are_counted_and_their_absence_is_told(tmp_path: Path):
    plain = [RECORD | {"id": str(n)} for n in range(LEAST)]
    files = write(tmp_path, plain)
    *others, said = sorted(warnings(files), key=lambda line: "no quotation" in line)
    assert f"no quotation in the bodies of the first {LEAST} records" in said and "sample_news.quoted" in said
    assert warnings(files, "sources.sample_news.quoted=true") == others
    quoting = RECORD | {"id": "q", "title": "“Done”", "text": "“It opened,” she said, “at last.”"}
    files = write(tmp_path, [*plain, quoting])
    assert len(warnings(files)) == len(others)
    checked, text = check(files)
    assert (checked.counts["quotes"], checked.counts["with_quotes"]) == (3, 1)
    assert f"Quotations: 3, in 1 of {LEAST + 1} documents" in text


def test_fields_of_fallbacks_and_templates_are_mapped_fields(tmp_path: Path):
    fields = 'sources.sample_news.fields={body=["full", "text"], headline="{title} {none}", native_id="{id}/{lang}"}'
    checked, text = check(write(tmp_path, [RECORD]), fields, 'sources.sample_news.keep=["published"]')
    assert (checked.examples["native_id"], checked.examples["body"]) == ("1/en", "It opened.")
    assert checked.unmapped == {} and "full or text" in text


def test_a_file_of_requests_to_forget_passes_every_check(tmp_path: Path):
    deletion = "sources.sample_tweets.deletion=delete.status.id"
    files = write(tmp_path, [{"delete": {"status": {"id": 77}}}] * 9, "sample_tweets")
    assert warnings(files, deletion) == []
    for overrides, over in (([deletion], []), ([], ["rejects"])):
        checked, _ = check(files, *overrides, source="sample_tweets")
        assert checked.counts["rejects"] == 9 and bool(checked.faults) == bool(over)
        assert exceeded("sample_tweets", checked.counts, load_settings()) == over
