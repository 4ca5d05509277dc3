"""The chain, again and again: whatever happens in between, a lake ends with the content its input stands for."""

import json
import shutil
import signal
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame
from tests.nightly.batches import killed
from tests.nightly.killing import Started, kill_at, until

from quotelake.lake.lease import read
from quotelake.lake.place import Files
from quotelake.lake.tables import Lake
from quotelake.lake.upkeep import digests
from quotelake.quotes.keys import variant_id
from quotelake.sample import sample_path

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.crash]

Score = Callable[..., Lake]

#: A reused quote, and an excerpt of it.
QUOTE = "keep the lanterns burning on the eastern pier as long as one boat is still out"
PART = "keep the lanterns burning on the eastern pier"

#: Tables in the order in which a night writes them; those of one line may be written side by side.
ORDER = [
    {"documents", "rejects"},
    {"files"},
    {"quotes", "variants", "contexts"},
    {"variant_edges", "group_lineage", "story_edges"},
    {"contextomy", "topic_variation", "quote_comparisons", "embeddings"},
    {"variant_groups", "variant_postings", "stories", "story_texts"},
    {"runs"},
]


def two_nights(folder: Path) -> dict[str, Path]:
    """Write a small corpus in two nights, the second with earlier dates, duplicates and a reject among its records.

    Of a quote the first night knows an excerpt only, whose group the second night's whole quote takes over. Of a story
    each night has two articles.
    """
    news, tweets = (Path(sample_path(f"{name}.jsonl")).read_text("utf-8").splitlines() for name in ("news", "tweets"))

    def copy(number: int) -> str:
        """The first article as another outlet prints it: under another id, with a paragraph more."""
        article = json.loads(news[0])
        article |= {"id": f"copy-{number}", "outlet": f"Copy {number}", "url": f"https://copy.example/{number}"}
        return json.dumps(article | {"text": f"{article['text']}\n\nOutlet number {number} printed it too."})

    def reuse(quote: str, night: int) -> list[str]:
        topics = ("the ferry to the islands", "an exam in the old gymnasium", "our goalkeeper this season")
        texts = [f"About {topic} I can only say “{quote}” once more." for topic in topics]
        named = [{"id": f"reuse-{night}-{n}", "user": f"u{n}", "text": text} for n, text in enumerate(texts)]
        return [json.dumps(tweet) for tweet in named]

    parts = {
        "news_1": [*news[20:28], copy(1), copy(3)],
        "tweets_1": [*tweets[140:165], *reuse(PART, 1)],
        "news_2": [*news[:4], *news[26:30], copy(2), '{"id": "x", "title": "cut'],
        "tweets_2": [*tweets[120:142], *reuse(QUOTE, 2)],
    }
    for name, lines in parts.items():
        (folder / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return {name: folder / f"{name}.jsonl" for name in parts}


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return two_nights(tmp_path_factory.mktemp("nights"))


@pytest.fixture(scope="module")
def key(nights: dict[str, Path]) -> str:
    """Setting that hashes authors alike in every lake, so that their content can be compared."""
    return f"ingest.author_key_file={nights['news_1'].parent / 'author_key'}"


def inputs(nights: dict[str, Path], *numbers: int) -> list[tuple[str, str]]:
    return [(f"sample_{kind}", str(nights[f"{kind}_{n}"])) for n in numbers for kind in ("news", "tweets")]


@pytest.fixture(scope="module")
def full(score: Score, nights: dict[str, Path], key: str, tmp_path_factory: pytest.TempPathFactory) -> Lake:
    """Both nights in one run, the other way round, in small batches and pieces and on more partitions."""
    overrides = (key, "run.batch_bytes=20000", "run.score_bytes=10000", "ingest.split_bytes=4000")
    return score(tmp_path_factory.mktemp("full") / "lake", list(reversed(inputs(nights, 1, 2))), overrides)


@pytest.fixture(scope="module")
def first_night(score: Score, nights: dict[str, Path], key: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(score(tmp_path_factory.mktemp("first") / "lake", inputs(nights, 1), (key,)).root)


def test_two_nights_hold_what_one_run_in_other_batches_holds_and_the_same_again_changes_nothing(
    score: Score, nights: dict[str, Path], key: str, full: Lake, first_night: Path, tmp_path: Path
):
    root = Path(shutil.copytree(first_night, tmp_path / "lake"))
    first, tables = Lake(full.spark, str(root), "reader", full.started).versions(), list[str]()

    def noted(write: Callable[..., None]) -> Callable[..., None]:
        def note(lake: Lake, df: DataFrame, table: str, *others: object, **named: Any) -> None:
            tables.append(table)
            write(lake, df, table, *others, **named)

        return note

    with pytest.MonkeyPatch.context() as patch:
        for way in ("append", "append_new", "replace"):
            patch.setattr(Lake, way, noted(getattr(Lake, way)))
        complete = Lake.complete
        patch.setattr(Lake, "complete", lambda lake, run: (complete(lake, run), tables.append("runs")))
        second = score(root, inputs(nights, 2), (key,))
    places = [next(at for at, side_by_side in enumerate(ORDER) if table in side_by_side) for table in tables]
    assert [place for place, _ in groupby(places)] == list(range(len(ORDER))), tables
    left = second.versions()
    commits = {table: left[table] - first[table] for table in left}
    assert max(commits.values()) == 1, f"of a night of one batch, in which a group moves: {commits}"
    assert full.version("quotes") > 1, "one run in several batches"
    assert digests(second) == digests(full)
    [change] = second.read("group_lineage").collect()
    assert (change["change"], change["variants"]) == ("renamed", 1)
    assert (change["old_group_id"], change["group_id"]) == (variant_id(PART), variant_id(QUOTE))
    again = score(root, inputs(nights, 1, 2), (key,)).versions()
    assert [table for table in left if left[table] != again[table]] == ["runs"], "the same records change nothing"


def test_a_night_that_was_killed_twice_is_taken_up_by_two_started_at_once(
    score: Score, nights: dict[str, Path], key: str, full: Lake, first_night: Path, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
):  # fmt: skip
    """By SIGKILL between two tables of one batch, while it writes pairs; and when a group is about to move."""
    root = Path(shutil.copytree(first_night, tmp_path / "lake"))
    lake = Lake(full.spark, str(root), "reader", full.started)
    given = [part for name, path in inputs(nights, 2) for part in ("--input", f"{name}={path}")]
    command = ["score_corpus.py", "--lake", str(root), "--set", key, *given]
    judged = lake.version("contextomy")
    status, said = kill_at("variant_edges", "", command, root, tmp_path / "temporary")
    assert status == -signal.SIGKILL and lake.version("contextomy") == judged, said
    with killed("replace", table="variant_groups"):
        score(root, inputs(nights, 2), (key,))
    assert "taking over" in capsys.readouterr().out
    other = Started(command, tmp_path / "temporary")
    until(lambda: other.poll() is not None or getattr(read(Files(root)), "pid", None) == other.pid)
    score(root, inputs(nights, 2), (key,))
    outputs = [capsys.readouterr().out, other.end(0)]
    assert ["waiting for run" in output for output in outputs] == [True, False], outputs
    assert digests(lake) == digests(full)


def test_counts_add_up_and_are_kept(full: Lake, nights: dict[str, Path]):
    counted = {Path(row["path"]).name: row for row in full.read("files").collect()}
    for path in nights.values():
        assert counted[path.name]["records"] == len(path.read_text("utf-8").splitlines())
    assert sum(row["documents"] for row in counted.values()) == full.read("documents").count()
    assert sum(row["duplicates"] for row in counted.values()) == 2 + 2 + 1, (
        "two articles and two tweets stand in both nights, one tweet twice in the corpus"
    )
    runs = {row["stage"]: row["counts"] for row in full.read("runs").collect()}
    for name in ("records", "documents", "duplicates", "rejects"):
        assert runs["documents"][name] == sum(row[name] for row in counted.values()), name
    for source in ("sample_news", "sample_tweets"):
        documents = sum(row["documents"] for row in counted.values() if row["source"] == source)
        assert runs["sources"][f"{source}.documents"] == documents, source
    [reject] = full.read("rejects").where("reason = 'malformed'").collect()
    assert reject["raw"] == '{"id": "x", "title": "cut'
