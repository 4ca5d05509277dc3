"""The chain, again and again: whatever happens in between, a lake ends with the content its input stands for."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame
from tests.nightly.batches import killed

from quotelake.errors import VersionError
from quotelake.lake.tables import Lake
from quotelake.lake.upkeep import digests
from quotelake.quotes.keys import variant_id
from quotelake.sample import sample_path

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.crash]

Score = Callable[..., Lake]

#: Seconds after which a run that hangs is given up; no run takes so long, however busy the machine.
_GUARD = 1800

#: A reused quote, and an excerpt of it.
QUOTE = "keep the lanterns burning on the eastern pier as long as one boat is still out"
PART = "keep the lanterns burning on the eastern pier"

#: Tables in the order in which a night writes them; those of one line may be written side by side.
ORDER = [
    {"documents", "rejects"},
    {"files"},
    {"quotes", "variants", "contexts"},
    {"variant_postings", "variant_edges", "group_lineage", "story_edges"},
    {"contextomy", "topic_variation", "topic_details", "quote_comparisons", "embeddings"},
    {"variant_groups", "stories", "story_texts"},
    {"runs"},
]

#: Runs the chain in a process of its own: kills itself with SIGKILL just before the given table is written, or where
#: none is given says that it is ready, and begins when it is told to.
DRIVER = """
import os, signal, sys
from quotelake.lake.runs import new_run
from quotelake.nightly.intake import find_inputs
from quotelake.nightly.plan import score_corpus
from quotelake.spark.session import get_session
from quotelake.settings import load_settings
from quotelake.lake.tables import Lake

root, fatal, key, *inputs = sys.argv[1:]
spark = get_session("driver", spark__master="local[2]", spark__driver__host="127.0.0.1",
    spark__driver__bindAddress="127.0.0.1")
settings = load_settings(overrides=[key])
if not fatal:
    print("ready", flush=True)
    sys.stdin.readline()
run = new_run(settings.fingerprint, None, lambda line: print(line, flush=True))
lake = Lake(spark, root, run.run_id, run.started)
append = Lake.append

def append_or_die(self, df, table, txn=None):
    if table == fatal:
        os.kill(os.getpid(), signal.SIGKILL)
    append(self, df, table, txn)

Lake.append = append_or_die
score_corpus(lake, run, settings, find_inputs(lake, run, settings, [tuple(text.split("=", 1)) for text in inputs]))
"""


def lines(path: str, first: int, last: int) -> str:
    return "".join(Path(path).read_text("utf-8").splitlines(keepends=True)[first:last])


def tweets_with(quote: str, night: int) -> str:
    topics = ("the ferry to the islands", "an exam in the old gymnasium", "our goalkeeper this season")
    tweets = [
        {
            "id": f"reuse-{night}-{number}",
            "user": f"u{number}",
            "text": f"About {topic} I can only say “{quote}” once more.",
        }
        for number, topic in enumerate(topics)
    ]
    return "".join(json.dumps(tweet) + "\n" for tweet in tweets)


def copy_of(path: str, line: int, number: int) -> str:
    """An article of a sample file as another outlet prints it: under another id, with a paragraph more."""
    article = json.loads(lines(path, line, line + 1))
    article |= {"id": f"copy-{number}", "outlet": f"Copy {number}", "url": f"https://copy.example/{number}"}
    article["text"] += f"\n\nOutlet number {number} printed it too."
    return json.dumps(article) + "\n"


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A small corpus in two nights, the second with earlier dates, a duplicate and a reject among its records.

    Of a quote the first night knows an excerpt only, whose group the second night's whole quote takes over. Of a story
    each night has two articles.
    """
    folder = tmp_path_factory.mktemp("nights")
    news, tweets = sample_path("news.jsonl"), sample_path("tweets.jsonl")
    broken = '{"id": "x", "title": "cut'
    parts = {
        "news_1": lines(news, 20, 40) + copy_of(news, 0, 1) + copy_of(news, 0, 3),
        "tweets_1": lines(tweets, 60, 245) + tweets_with(PART, 1),
        "news_2": lines(news, 0, 22) + copy_of(news, 0, 2) + broken + "\n",
        "tweets_2": lines(tweets, 0, 62) + tweets_with(QUOTE, 2),
    }
    for name, text in parts.items():
        (folder / f"{name}.jsonl").write_text(text, "utf-8")
    return {name: folder / f"{name}.jsonl" for name in parts}


def same_key(nights: dict[str, Path]) -> str:
    """Setting that hashes authors alike in every lake, so that their content can be compared."""
    return f"ingest.author_key_file={nights['news_1'].parent / 'author_key'}"


def inputs(nights: dict[str, Path], *numbers: int) -> list[tuple[str, str]]:
    return [(f"sample_{kind}", str(nights[f"{kind}_{n}"])) for n in numbers for kind in ("news", "tweets")]


@pytest.fixture(scope="module")
def full(score: Score, nights: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Lake:
    """Both nights in one run, the other way round, in small batches and pieces and on more partitions."""
    overrides = (same_key(nights), "run.batch_bytes=150000", "run.score_bytes=150000", "ingest.split_bytes=20000")
    return score(tmp_path_factory.mktemp("full") / "lake", list(reversed(inputs(nights, 1, 2))), overrides)


@pytest.fixture(scope="module")
def first_night(score: Score, nights: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("first") / "lake"
    score(root, inputs(nights, 1), (same_key(nights),))
    return root


def write_noted(write: Callable[..., None], tables: list[str]) -> Callable[..., None]:
    def noted(lake: Lake, df: DataFrame, table: str, *others: object, **named: Any) -> None:
        tables.append(table)
        write(lake, df, table, *others, **named)

    return noted


def test_two_nights_hold_what_one_run_in_other_batches_holds_and_the_same_again_changes_nothing(
    score: Score,
    nights: dict[str, Path],
    full: Lake,
    first_night: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    root, key = tmp_path / "lake", (same_key(nights),)
    shutil.copytree(first_night, root)
    first = Lake(full.spark, str(root), "reader", full.started).versions()
    tables: list[str] = []
    with monkeypatch.context() as patch:
        for way in ("append", "append_new", "merge"):
            patch.setattr(Lake, way, write_noted(getattr(Lake, way), tables))
        second = score(root, inputs(nights, 2), key)
    places = [next(at for at, side_by_side in enumerate(ORDER) if table in side_by_side) for table in tables]
    assert [place for place, _ in groupby(places)] == list(range(len(ORDER))), tables
    commits = {table: version - first[table] for table, version in second.versions().items()}
    assert max(commits.values()) == 1, f"of a night of one batch, in which a group moves: {commits}"
    before = digests(second)
    assert before == digests(full)
    [change] = second.read("group_lineage").collect()
    assert (change["change"], change["variants"]) == ("renamed", 1)
    assert (change["old_group_id"], change["group_id"]) == (variant_id(PART), variant_id(QUOTE))
    lake = Lake(full.spark, str(root), "reader", full.started)
    versions = {table: v for table, v in lake.versions().items() if table != "runs"}
    again = score(root, inputs(nights, 1, 2), key)
    assert {table: v for table, v in again.versions().items() if table != "runs"} == versions
    assert digests(again) == before
    other = (*key, "contextomy.threshold=0.7")
    with pytest.raises(VersionError, match="detector_version"):
        score(root, inputs(nights, 1, 2), other)
    after = digests(score(root, inputs(nights, 1, 2), other, activate=True))
    assert after.pop("contextomy")[0] == 2 * before.pop("contextomy")[0], "beside the old rows"
    assert after == before, "another detector finds no other quotes, and none twice"


def drive(root: Path, fatal: str, nights: dict[str, Path], *numbers: int) -> subprocess.Popen[str]:
    given = [f"{name}={path}" for name, path in inputs(nights, *numbers)]
    arguments = [sys.executable, "-c", DRIVER, str(root), fatal, same_key(nights), *given]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return subprocess.Popen(arguments, text=True, env=os.environ, **pipes)


def test_a_killed_run_is_taken_up_again_by_two_started_at_once(
    score: Score, nights: dict[str, Path], full: Lake, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    root = tmp_path / "lake"
    killed = drive(root, "contextomy", nights, 1, 2)
    output = killed.communicate(timeout=_GUARD)[0]
    assert killed.returncode == -signal.SIGKILL, output
    lake = Lake(full.spark, str(root), "reader", full.started)
    assert lake.read("quotes").count() > 0, "killed between two tables of one batch"
    assert lake.read("contextomy").count() == 0
    other = drive(root, "", nights, 1, 2)
    assert other.stdin is not None and other.stdout is not None
    said = [other.stdout.readline()]
    while said[-1] not in ("ready\n", ""):
        said.append(other.stdout.readline())
    assert said[-1], said
    capsys.readouterr()
    other.stdin.write("begin\n")
    other.stdin.flush()
    score(root, inputs(nights, 1, 2), (same_key(nights),))
    outputs = [capsys.readouterr().out, other.communicate(timeout=_GUARD)[0]]
    assert other.returncode == 0, outputs
    assert sum("taking over" in output for output in outputs) == 1, outputs
    assert sum("waiting for run" in output for output in outputs) == 1, outputs
    assert digests(lake) == digests(full)


def test_counts_add_up_and_are_kept(full: Lake, nights: dict[str, Path]):
    counted = {row["path"].rsplit("/", 1)[-1]: row for row in full.read("files").collect()}
    assert set(counted) == {path.name for path in nights.values()}
    for path in nights.values():
        assert counted[path.name]["records"] == len(path.read_text("utf-8").splitlines())
    assert sum(row["documents"] for row in counted.values()) == full.read("documents").count()
    assert sum(row["duplicates"] for row in counted.values()) == 2 + 2 + 4, (
        "two articles and two tweets stand in both nights, four tweets twice in the corpus"
    )
    run = full.read("runs").where("stage = 'documents'").first()
    assert run is not None
    for name in ("records", "documents", "duplicates", "rejects"):
        assert run["counts"][name] == sum(row[name] for row in counted.values()), name
    by_source = full.read("runs").where("stage = 'sources'").first()
    assert by_source is not None
    for source in {row["source"] for row in counted.values()}:
        documents = sum(row["documents"] for row in counted.values() if row["source"] == source)
        assert by_source["counts"][f"{source}.documents"] == documents, source
    [reject] = full.read("rejects").where("reason = 'malformed'").collect()
    assert reject["raw"] == '{"id": "x", "title": "cut'


def test_groups_that_two_broken_nights_had_begun_to_change_end_as_in_one_run(
    score: Score, nights: dict[str, Path], full: Lake, first_night: Path, tmp_path: Path
):
    root, key = tmp_path / "lake", (same_key(nights),)
    shutil.copytree(first_night, root)
    for write, fatal in (("append", "variant_edges"), ("merge", "variant_groups")):
        with killed(write, table=fatal):
            score(root, inputs(nights, 2), key)
    assert digests(score(root, inputs(nights, 2), key)) == digests(full)
