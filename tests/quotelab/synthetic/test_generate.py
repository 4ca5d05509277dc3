"""The corpus as files: what the engine reads, beside a truth that describes exactly that."""

import gzip
import json
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from tests.running import Done

from quotelab.synthetic import generate as module
from quotelab.synthetic.generate import generate
from quotelab.synthetic.groups import Plan
from quotelab.synthetic.mutations import OTHER, SAME
from quotelake.errors import InputError
from quotelake.quotes.spans import find_quotes
from quotelake.settings import load_settings
from quotelake.sources.check import check_source
from quotelake.sources.files import list_files
from quotelake.sources.parse import Parser
from quotelake.sources.rejects import RawRecord

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ARTICLES = 450


def make(out: Path, articles: int = ARTICLES, shard_rows: int = 200, **plan: Any) -> Path:
    generate(Plan(**plan), articles, out, shard_rows, lambda done: None)
    return out


def lines(folder: Path, name: str) -> list[dict[str, Any]]:
    """Rows of the files of a name, in order."""
    paths = sorted(folder.glob(f"{name}*.jsonl.gz"))
    return [json.loads(line) for path in paths for line in gzip.decompress(path.read_bytes()).splitlines()]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("synthetic") / "corpus")


def test_the_same_arguments_give_the_same_bytes(corpus: Path, tmp_path: Path):
    again = make(tmp_path / "again")
    assert [path.name for path in sorted(again.iterdir())] == [path.name for path in sorted(corpus.iterdir())]
    assert all(path.read_bytes() == (corpus / path.name).read_bytes() for path in again.iterdir())
    assert {path.read_bytes()[4:8] for path in again.glob("*.gz")} == {bytes(4)}, "gzip notes the time there"
    assert lines(make(tmp_path / "other", 1, seed=8), "news-") != lines(corpus, "news-")[:1]


@pytest.mark.parametrize("articles", [1, 200, 333])
def test_a_larger_corpus_begins_with_the_smaller_one(corpus: Path, tmp_path: Path, articles: int):
    fewer = make(tmp_path / "fewer", articles)
    for name in ("news-", "truth-articles", "truth-quotes"):
        rows = lines(fewer, name)
        assert rows == lines(corpus, name)[: len(rows)]
    assert len(lines(fewer, "news-")) == len(lines(fewer, "truth-articles")) == articles


def test_the_declared_source_reads_every_article(corpus: Path):
    checked = check_source("synthetic", list_files("synthetic", f"{corpus}/news-*"), load_settings(), NOW, find_quotes)
    assert checked.counts["documents"] == checked.counts["records"] == ARTICLES
    assert not checked.unmapped and checked.faults == []


def test_truth_offsets_are_those_of_the_quotes_in_the_documents(corpus: Path):
    settings = load_settings()
    parser = Parser("synthetic", settings.sources["synthetic"], settings.ingest, author_key=b"", now=NOW)
    truth: dict[tuple[str, str], list[tuple[int, int, str]]] = {}
    for row in lines(corpus, "truth-quotes"):
        truth.setdefault((row["article"], row["field"]), []).append((row["start"], row["end"], row["text"]))
    for record in lines(corpus, "news-"):
        document = parser.document(RawRecord(0, record))
        assert isinstance(document, dict)
        for field in ("headline", "body"):
            quotes = find_quotes(document[field], field)
            assert [quote[:3] for quote in quotes] == truth.pop((record["id"], field), [])
            assert {quote.kind for quote in quotes} <= {"direct"}
    assert truth == {}


def test_the_rows_of_groups_count_what_the_other_files_hold(corpus: Path):
    wire = {row["id"]: row["wire_copy"] for row in lines(corpus, "truth-articles")}
    bodies = [row for row in lines(corpus, "truth-quotes") if row["field"] == "body"]
    groups = {row["group"]: row for row in lines(corpus, "truth-groups")}
    assert len(groups) == len(lines(corpus, "truth-groups"))
    articles = Counter(row["group"] for row in bodies)
    uses = Counter(row["group"] for row in bodies if not wire[row["article"]])
    counted = {name: (row["articles"], row["uses"]) for name, row in groups.items()}
    assert counted == {name: (articles[name], uses[name]) for name in articles}
    for row in bodies:
        assert (row["kind"] in SAME) == (groups[row["group"]]["kind"] == "base")
    texts = {row["group"]: row["text"].rstrip(",.") for row in bodies if row["kind"] in ("base", *OTHER)}
    assert all(groups[name]["text"] == text for name, text in texts.items())


def test_viral_quotes_have_the_uses_that_were_asked_for(tmp_path: Path):
    """Copies per quote below the largest draw of the power law say little: sizes for a measurement are given."""
    rows = lines(make(tmp_path / "viral", 700, copies_max=1, wire=0.0, viral=(2, 150, 60)), "truth-groups")
    large = [(row["uses"], row["planned"], row["behaviour"]) for row in rows if row["planned"] not in (1, None)]
    assert sorted(large) == [(2, 2, "many"), (60, 60, "many"), (150, 150, "many")]


def test_nothing_is_overwritten_and_an_interrupted_run_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for there in ("corpus", "corpus.part"):
        (tmp_path / there).mkdir()
        with pytest.raises(InputError, match=rf"{there} exists: name another folder, or delete it"):
            make(tmp_path / "corpus", 1)
        (tmp_path / there).rmdir()
    monkeypatch.setattr(module, "PROGRESS_STEP", 50)
    with pytest.raises(KeyboardInterrupt):
        generate(Plan(), 100, tmp_path / "corpus", 10, Mock(side_effect=KeyboardInterrupt))
    assert list(tmp_path.iterdir()) == []


def test_the_command_says_what_it_wrote(tmp_path: Path, lab: Callable[..., Done]):
    done = lab("generate", "--out", tmp_path / "corpus", "--articles", 120, "--wire", 0)
    assert done.code == 0, done.error
    assert "articles" in done.out and "120" in done.out and "news-*.jsonl.gz" in done.out
    assert len(lines(tmp_path / "corpus", "news-")) == 120


def test_a_bad_argument_is_one_message(tmp_path: Path, lab: Callable[..., Done]):
    faults = {"--articles=0": "articles is 0: give 1 or more", "--shard-rows=0": "shard_rows is 0: give 1 or more"}
    faults |= {"--viral=60,0": "viral is 0: give a value from 1", "--start=soon": "--start"}
    for argument, told in faults.items():
        done = lab("generate", "--out", tmp_path / "corpus", argument)
        assert done.code == 2 and told in done.error and "Traceback" not in done.error
    assert list(tmp_path.iterdir()) == []
