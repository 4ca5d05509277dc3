"""Settings: what is mistyped is named, all of it at once, with what was found."""

from datetime import date
from pathlib import Path

import pytest

from quotelake.errors import SettingsError
from quotelake.settings import load_settings
from quotelake.source_settings import SourceSettings


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "my.toml"
    path.write_text(text, "utf-8")
    return path


def test_a_file_overrides_single_keys_and_set_has_the_last_word(tmp_path: Path):
    path = write(tmp_path, "\ufeff[topics]\nsample = 99\nexplained = 7\n")
    loaded = load_settings(path, ["topics.sample=12"])
    assert (loaded.topics.sample, loaded.topics.explained) == (12, 7)
    assert loaded.contextomy == load_settings().contextomy


def test_a_source_can_be_declared_with_set_alone():
    loaded = load_settings(overrides=["sources.mine.kind=tweet", 'sources.mine.fields={body="t"}'])
    assert loaded.sources["mine"].fields == {"body": "t"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[topics]\nsampel = 3\n", ["my.toml", "topics.sampel", "unknown key"]),
        ('[topics]\nsample = "many"\n', ["topics.sample", "valid integer", "'many'"]),
        ("[topics]\nsample = 1\n", ["topics.sample", "greater than or equal to 2", "found 1"]),
        ("[topics\n", ["my.toml", "is not TOML"]),
        ('[topics]\nsample = 1\nexplained = "x"\n[run]\nnope = 1\n', ["topics.sample", "topics.explained", "run.nope"]),
        ('[sources.x]\nkind = "news"\n[sources.x.fields]\nbdy = "t"\n', ["sources.x.fields.bdy"]),
        ('[sources.x]\nkind = "blog"\n[sources.x.fields]\nbody = "t"\n', ["sources.x.kind", "'blog'"]),
        ('[sources.x]\nkind = "news"\n[sources.x.fields]\nheadline = "t"\n', ["sources.x", "which field", "body"]),
        ('[sources.x]\nkind = "news"\ntimezone = "Mars"\n[sources.x.fields]\nbody = "t"\n', ["timezone", "'Mars'"]),
        (
            '[sources.x]\nkind = "news"\nfields = {body = "t", url = ""}\n',
            ["sources.x.fields.url: give the name", "found ''"],
        ),
        ('[sources.x]\nkind = "news"\ndate_format = "%Q"\nfields = {body = "t"}\n', ["date_format", "'%d/%m"]),
        ('[topics]\nsample = "64"\n', ["topics.sample", "valid integer", "found '64'"]),
        ('[model]\nlanguages = ["EN"]\n', ["model.languages.0", "'EN'"]),
        ('[reader]\nurl = "localhost:8000"\n', ["reader.url", "match pattern", "found 'localhost:8000'"]),
        ('[reader]\nwhich = "some"\ntasks = 999\n', ["reader.which", "reader.tasks", "found 999"]),
        ("[contextomy]\nthreshold = 2\n", ["  contextomy.threshold: give 'detector', or a score above 0", "found 2"]),
    ],
)
def test_a_fault_names_the_file_the_key_and_what_was_found(tmp_path: Path, text: str, expected: list[str]):
    with pytest.raises(SettingsError) as caught:
        load_settings(write(tmp_path, text))
    for part in expected:
        assert part in str(caught.value)


NEWS = {"kind": "news", "fields": {"body": "text"}}


@pytest.mark.parametrize(
    ("setting", "fault"),
    [
        ({"encoding": "latin-77"}, "'latin-77' is no encoding"),
        ({"encoding": "base64"}, "is no encoding"),
        ({"encoding": "cp1252", "format": "parquet"}, "encoding is not read with format = 'parquet'"),
        ({"encoding": "cp1252", "format": "warc"}, "encoding is not read with format = 'warc'"),
        ({"delimiter": ""}, "one character"),
        ({"delimiter": "\n"}, "one character"),
        ({"quote": "''"}, "one character"),
        ({"delimiter": '"'}, "another than the quote"),
        ({"fields": {"body": "{a} {b"}}, "braces must enclose the name of a field"),
        ({"keep": ["{a"]}, "braces must enclose"),
        ({"items": "data", "format": "csv"}, "items is read with JSON"),
        ({"deletion": {"where": {"op": "delete"}}}, "deletion needs an id"),
        ({"deletion": {"where": {}, "id": "x"}}, "at least 1"),
        ({"where": {"a": {"b": 1}}}, "give a value, a list of values, or true or false"),
        ({"fields": {"body": []}}, "give the name of a field, or a list of such"),
        ({"date_format": ["%Y", "%Q"]}, "no format of strptime"),
        ({"delimiter": ";", "format": "tsv"}, "format = 'csv', not with 'tsv'"),
        ({"kind": "tweet", "fields": {"body": "text", "headline": "title"}}, "a tweet has no headline"),
    ],
)
def test_what_a_source_cannot_be_is_told(setting: dict[str, object], fault: str):
    with pytest.raises(ValueError, match=fault):
        SourceSettings.model_validate(NEWS | setting)


def test_names_of_one_encoding_are_one_setting():
    names = {"UTF8": "utf-8", "utf-8-sig": "utf-8", "utf_8": "utf-8", "latin1": "iso8859-1"}
    assert {name: SourceSettings.model_validate(NEWS | {"encoding": name}).encoding for name in names} == names


def test_values_of_toml_have_the_types_of_the_settings(tmp_path: Path):
    text = """
        ingest = {earliest_date = 1700-01-01, languages = ["en"], language_confidence = 1}
        watch = {texts = [{id = 7, text = "A stitch in time", variants = ["A stitch"]}]}
    """
    loaded = load_settings(write(tmp_path, text), ["ingest.earliest_date=1800-01-01", "sources.bbc.outlets={}"])
    assert (loaded.ingest.earliest_date, loaded.ingest.language_confidence) == (date(1800, 1, 1), 1.0)
    assert [text.id for text in loaded.watch.texts] == ["7"]


def test_a_missing_file_and_a_set_without_a_value_say_what_to_do(tmp_path: Path):
    with pytest.raises(SettingsError, match=r"none\.toml does not exist.*base\.toml"):
        load_settings(tmp_path / "none.toml")
    with pytest.raises(SettingsError, match="expected key=value"):
        load_settings(overrides=["topics.sample"])


def test_the_fingerprint_changes_with_any_setting():
    assert load_settings().fingerprint == load_settings().fingerprint
    assert load_settings().fingerprint != load_settings(overrides=["topics.sample=12"]).fingerprint
