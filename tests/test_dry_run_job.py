"""``score_corpus.py --check`` says in seconds what a run would read: without Spark, and before there is a lake."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.running import Done

from quotelake.spark import session

GOOD = {"id": "1", "title": "Bridge", "text": "It opened.", "published": "2024-05-01"}


@pytest.fixture
def check(run_job: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Done]:
    """Check one file of the source ``sample_news``; a session of Spark would be an error."""
    monkeypatch.setattr(session, "get_session", None)
    (tmp_path / "in.jsonl").write_text(json.dumps(GOOD) + "\n", "utf-8")

    def run(*arguments: str) -> Done:
        given = ("--input", f"sample_news={tmp_path}/*.jsonl") if "--input" not in arguments else ()
        return run_job("score_corpus", "--check", "--lake", tmp_path / "lake", *given, *arguments)

    return run


def test_a_source_that_can_be_read(check: Callable[..., Done], tmp_path: Path):
    done = check()
    assert done.code == 0
    for part in ("in.jsonl", "headline", "Bridge", "Nothing was written", "the byline stays empty"):
        assert part in done.out
    assert not (tmp_path / "lake").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--set", "sources.sample_news.date_format=%d/%m/%Y"), 3, "too many records of sample_news"),
        (("--set", "sources.sample_news.fields.body=txt"), 2, "sources.sample_news.fields.body = 'txt'"),
        (("--watch", "/nowhere/list.csv"), 2, "/nowhere/list.csv"),
        (("--set", "model.name=/nowhere/model"), 2, "/nowhere/model"),
        (("--set", "contextomy.detector=/nowhere/detector.json"), 2, "/nowhere/detector.json"),
        (
            ("--set", "report.export_duckdb=/dev/null/views.duckdb"),
            2,
            "report.export_duckdb /dev/null: /dev/null is a file",
        ),
        (("--set", f"report.export_duckdb={__file__}"), 2, "test_dry_run_job.py: cannot be written ("),
        (("--lake", "/dev/null/lake"), 2, "--lake /dev/null/lake: /dev/null is a file, not a directory; give --lake"),
        (("--input", "sample_news=/nowhere/*.jsonl"), 2, "/nowhere/*.jsonl: no such file"),
        (("--input", "mystery=x.jsonl"), 2, "no [sources.mystery] in the settings; declared are: all_the_news, "),
        (("--input", "x.jsonl"), 2, "expected NAME=GLOB"),
    ],
)
def test_what_would_go_wrong_is_one_message_and_the_status_of_the_run(
    check: Callable[..., Done], arguments: tuple[str, ...], code: int, said: str
):
    done = check(*arguments)
    assert (done.code, said in done.error, done.error.count("\n")) == (code, True, 1)
    assert ("more than the 20% of reject_share" in done.out) == ("sources." in arguments[1] and arguments[0] == "--set")


def test_the_sample_corpus_can_be_read(run_job: Callable[..., Done]):
    done = run_job("score_corpus", "--check")
    assert done.code == 0 and "news_broken.jsonl" in done.out and "absurd_date" in done.out
