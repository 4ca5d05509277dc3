"""A misspelt field name is told before a run, with the names that are there; a rare field is only a warning."""

from pathlib import Path

import pytest

from quotelake.errors import InputError
from quotelake.settings import load_settings
from quotelake.sources.files import InputFile, input_file
from quotelake.sources.preflight import check_mapping


def file(tmp_path: Path, data: bytes, source: str = "sample_news", name: str = "x.jsonl") -> InputFile:
    """A file of a source."""
    (tmp_path / name).write_bytes(data)
    return input_file(source, f"file:{tmp_path / name}", len(data), 0)


GOOD = b'{"id": 1, "title": "Bridge", "text": "It opened."}\n'


def test_a_wrong_body_field_is_an_error_that_names_file_setting_and_fields(tmp_path: Path):
    settings = load_settings(overrides=["sources.sample_news.fields.body=txt"])
    with pytest.raises(InputError) as caught:
        check_mapping([file(tmp_path, GOOD)], settings)
    message = str(caught.value)
    for part in (str(tmp_path), "sources.sample_news.fields.body = 'txt'", "id, title, text", "Set "):
        assert part in message


def test_news_without_any_headline_field_is_an_error_and_other_fields_are_warnings(tmp_path: Path):
    settings = load_settings()
    with pytest.raises(InputError, match="headline"):
        check_mapping([file(tmp_path, b'{"id": 1, "text": "It opened."}\n')], settings)
    warnings = check_mapping([file(tmp_path, GOOD)], settings)
    assert any("sources.sample_news.fields.updated_at = 'updated'" in warning for warning in warnings)
    assert not any("fields.body" in warning for warning in warnings)


def test_one_record_with_the_field_is_enough_and_null_counts_as_there(tmp_path: Path):
    data = b'broken\n{"id": 1, "title": null}\n{"text": null}\n'
    check_mapping([file(tmp_path, data)], load_settings())


def test_files_without_records_are_passed_over(tmp_path: Path):
    settings = load_settings(overrides=["sources.sample_news.fields.body=txt"])
    gone = input_file("sample_news", f"file:{tmp_path}/gone.jsonl", 1, 0)
    empty = file(tmp_path, b"", name="a.jsonl")
    broken = file(tmp_path, b"no gzip", name="b.jsonl.gz")
    assert check_mapping([gone, empty, broken], settings) == []
    with pytest.raises(InputError):
        check_mapping([gone, empty, broken, file(tmp_path, GOOD)], settings)


def test_fields_inside_others_are_found(tmp_path: Path):
    settings = load_settings(overrides=["sources.sample_tweets.fields.body=data.text"])
    check_mapping([file(tmp_path, b'{"data": {"text": "Open"}}\n', "sample_tweets")], settings)


def test_an_ending_that_says_nothing_is_told_before_the_run(tmp_path: Path):
    settings = load_settings(overrides=["sources.sample_news.format=auto"])
    with pytest.raises(InputError, match=r"y\.txt: the ending"):
        check_mapping([file(tmp_path, GOOD), file(tmp_path, GOOD, name="y.txt")], settings)
