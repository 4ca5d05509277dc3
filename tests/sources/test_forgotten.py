"""Records of what was forgotten, and records that ask to forget: told from all others."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.sources.reading import read

from quotelake.quotes.spans import find_quotes
from quotelake.settings import Settings, load_settings
from quotelake.sources.check import check_mapping, check_source
from quotelake.sources.files import list_files
from quotelake.sources.keyed_hashes import KINDS, forgotten_mark, is_forgotten
from quotelake.sources.parse import Parser
from quotelake.sources.rejects import Reason, exceeded

KEY, NOW = b"key" * 11, datetime(2024, 6, 1, tzinfo=UTC)
ASKS = {"delete": {"status": {"id": 77}}}


def settings() -> Settings:
    return load_settings(overrides=["sources.sample_tweets.deletion=delete.status.id"])


def parser(loaded: Settings) -> Parser:
    source = loaded.sources["sample_tweets"]
    return Parser("sample_tweets", source, loaded.ingest, author_key=KEY, now=NOW)


def made(record: dict[str, Any]) -> Any:
    [raw] = read(json.dumps(record).encode())
    return parser(settings()).document(raw)


@pytest.mark.parametrize("kind", KINDS)
def test_a_document_is_known_by_each_kind_of_mark_under_the_secret_of_its_lake_alone(kind: str):
    document = {"doc_id": "d", "native_key": "n", "url": "u", "author_key": "a"}
    marks = {forgotten_mark(kind, document[kind], KEY)}
    assert is_forgotten(document, marks, KEY)
    assert not is_forgotten(document, marks, b"other" * 7)
    assert not is_forgotten(document | {kind: "x"}, marks, KEY)
    assert not is_forgotten(document | {kind: None}, marks, KEY)
    others = {forgotten_mark(other, document[kind], KEY) for other in KINDS if other != kind}
    assert not is_forgotten(document, others, KEY), "a value of another kind"


def test_a_record_that_asks_to_forget_is_no_document_and_says_nothing_of_what_it_names():
    reason, detail = made(ASKS | {"text": "Its words stand here too."})
    assert reason is Reason.DELETION and "77" not in detail
    assert parser(settings()).deleted_id(ASKS) == "77"
    assert parser(load_settings()).deleted_id(ASKS) is None, "the source has no such records"
    assert made({"id": "1", "user": "u", "text": "Open.", "delete": None})["body"] == "Open."
    assert made({"delete": {"status": {"id": {"of": 1}}}})[0] is Reason.WRONG_TYPE


def test_a_file_of_requests_alone_passes_every_check(tmp_path: Path):
    (tmp_path / "asks.jsonl").write_text(f"{json.dumps(ASKS)}\n" * 9, "utf-8")
    files, loaded = list_files("sample_tweets", str(tmp_path)), settings()
    assert check_mapping(files, loaded, find_quotes) == []
    checked = check_source("sample_tweets", files, loaded, NOW, find_quotes)
    assert (checked.faults, checked.counts["rejects"]) == ([], 9)
    assert exceeded("sample_tweets", checked.counts, loaded) == []
    unset = load_settings()
    assert exceeded("sample_tweets", check_source("sample_tweets", files, unset, NOW, find_quotes).counts, unset) == [
        "rejects"
    ]
