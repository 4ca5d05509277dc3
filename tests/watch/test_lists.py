"""A watch-list is read from either format alike, and what cannot be searched for is refused with its place."""

import json
from pathlib import Path

import pytest

from quotelake.errors import InputError
from quotelake.settings import load_settings
from quotelake.watch.lists import list_of, read_list

ROWS = [
    {"id": "truth", "text": "The truth will set you free", "variants": ["The truth shall make you free"]},
    {"id": 7, "text": "Yes, we can"},
    {"id": "ferry", "text": "#ferrytoo", "exact": True},
]


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def test_both_formats_and_the_settings_give_one_list(tmp_path: Path):
    lines = read_list(written(tmp_path, "list.jsonl", "".join(json.dumps({**row, "note": 1}) + "\n" for row in ROWS)))
    cells = (
        'id,text,variants,exact\ntruth,The truth will set you free,The truth shall make you free|,\n7,"Yes, we can",,\n'
        "ferry,#ferrytoo,,true\n"
    )
    assert read_list(written(tmp_path, "list.csv", "\ufeff" + cells)) == lines
    settings = load_settings(overrides=[
        'watch.texts=[{id="truth", text="The truth will set you free", variants=["The truth shall make you free"]}, '
        '{id=7, text="Yes, we can"}, {id="ferry", text="#ferrytoo", exact=true}]'
    ])  # fmt: skip
    assert list_of(settings.watch.texts) == lines
    assert [(text.watch_id, text.exact) for text in lines] == [("truth", False), ("7", True), ("ferry", True)]


def test_the_digest_is_of_the_words_and_the_id(tmp_path: Path):
    def digest(row: dict[str, str]) -> str:
        return read_list(written(tmp_path, "one.jsonl", json.dumps(row)))[0].digest

    same = {digest({"id": "a", "text": text}) for text in ("We won’t go", "we won't go!", "“WE WON'T, GO”")}
    assert len(same) == 1
    assert digest({"id": "b", "text": "We won't go"}) not in same
    assert digest({"id": "a", "text": "We won't go home"}) not in same


def test_an_empty_file_has_no_texts(tmp_path: Path):
    assert read_list(written(tmp_path, "none.jsonl", "\n")) == []
    assert read_list(written(tmp_path, "none.csv", "")) == []


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("l.jsonl", '{"id": "a", "text": "one two"}\n{"id"', r"l\.jsonl, line 2: found no JSON"),
        ("l.jsonl", '["a"]', r"l\.jsonl, line 1: found \[\"a\"\]; give a JSON object with id, text"),
        ("l.jsonl", '{"text": "one two"}', r"line 1: field id: found nothing"),
        ("l.jsonl", '{"id": "a", "text": ""}', r"line 1: field text: found \"\""),
        ("l.jsonl", '{"id": "a", "text": "Truth!"}', r"line 1: text: found 'Truth!'; give at least 2 words"),
        ("l.jsonl", '{"id": "a", "text": "…", "exact": true}', r"line 1: text: found '…'; give at least 2 words"),
        ("l.jsonl", '{"id": "a", "text": "Truth", "exact": "so"}', r"line 1: field exact: found \"so\""),
        ("l.jsonl", '{"id": "a", "text": "one two", "variants": "three"}', r"line 1: field variants"),
        ("l.jsonl", '{"id": "a", "text": "one two"}\n{"id": "a", "text": "two three"}', r"line 2: .*also in .*line 1"),
        ("l.jsonl", '{"id": "a", "text": "One, two"}\n{"id": "b", "text": "one two"}', r"line 2: .*also in .*line 1"),
        ("l.csv", "id,words\na,one two\n", r"l\.csv: no column text in its first line: it has id, words; name"),
        ("l.csv", "id,text\na,one two,three\n", r"line 2: more cells than columns; put"),
        ("l.csv", 'id,text\na,"one "two"\n', r"line 2: no CSV \("),
        ("missing.csv", None, r"missing\.csv: found a file that cannot be read"),
        ("missing.jsonl", None, r"missing\.jsonl: found a file that cannot be read"),
    ],
)
def test_what_cannot_be_searched_for_is_refused_with_its_place(
    tmp_path: Path, name: str, text: str | None, message: str
):
    path = tmp_path / name if text is None else written(tmp_path, name, text)
    with pytest.raises(InputError, match=message):
        read_list(path)
