"""Documents that are forgotten: the lake is as if they had never come, and no file of it holds anything of them."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyspark.sql import functions as F
from tests.lake.rows import contents
from tests.nightly.batches import killed
from tests.running import Done

from quotelake.lake.runs import SNAPSHOTS
from quotelake.lake.tables import Lake
from quotelake.lake.upkeep import digests, purge
from quotelake.nightly.forget_requests import HISTORY_DUE, PENDING, ForgetRequest
from quotelake.settings import WatchedText
from quotelake.sources.keyed_hashes import hash_author
from quotelake.watch.lists import list_of

pytestmark = [pytest.mark.spark, pytest.mark.slow]

Score = Callable[..., Lake]

HALVES = ("we shall carry every stone of the old bridge up the hill", "until the river forgets that it was ever here")
WHOLE = ", ".join(HALVES)
WATCHED = "the lighthouse keeper counts the geese twice"
HANDLE = "GrumpyHeronOfTheEstuary"
SECRET = bytes(range(32))


def article(number: int, text: str, headline: str = "Council met on Tuesday", **others: str) -> dict[str, Any]:
    paper = {"id": f"n-{number}", "outlet": f"Paper {number % 4}", "title": headline, "text": text}
    return paper | {"url": f"https://paper.example/{number}", "published": f"2024-03-{number + 1:02}"} | others


def tweet(number: int, text: str, user: str = "someone") -> dict[str, Any]:
    return {"id": f"t-{number}", "user": user, "text": text, "created_at": f"2024-04-{number + 1:02}"}


def told(what: str) -> str:
    return " ".join(f"The {what} number {n} was seen near gate {n * 7} by {n + 3} guards on duty." for n in range(12))


ONE, OTHER = told("heron"), told("tractor")
NEWS = [
    *(article(n, f"{told(f'boat {n}')}\n\n“{HALVES[n % 2]}”, said the mayor of town {n}.") for n in range(4)),
    article(4, ONE),
    article(5, OTHER),
    article(6, f"{told('lantern')} “A plain unshared remark on kites”, he said.", f"Mayor: “{HALVES[0]}”"),
    article(7, f"{told('anvil')} “The choir will sing it again on Sunday, whatever the bishop says”, he said."),
    article(8, f"{told('ladle')} “Sing it again on Sunday”, wrote somebody on the wall."),
    article(21, f"{told('spoon')} “Nobody has asked whether they sing it again on Sunday in our town”, said she."),
    article(20, f"{ONE}\n\n{OTHER}\n\n“{WHOLE}”, said she. {WATCHED.capitalize()}.", "“We will not pay”, says Ito"),
]  # fmt: skip
TWEETS = [
    *(tweet(n, f"Up on pier {n} we all say “{HALVES[0]}” again and again, {'x' * n}") for n in range(3)),
    tweet(4, f"Somebody told us that {WATCHED}, at the {'far' * 3} end of the harbour wall"),
    tweet(5, f"“{HALVES[1]}” is what I tell my plumber about pipes of lead", HANDLE),
    tweet(6, "Nobody but me has ever said “purple umbrellas make terrible anchors for boats”", HANDLE),
]
GONE = {"n-20", "n-21", "t-5", "t-6"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("forget")
    (place / "secret").write_bytes(SECRET)
    return place


@pytest.fixture(scope="module")
def fill(score: Score, folder: Path) -> Callable[..., Lake]:
    """Score records, some of each source, into a lake: ``fill(name, keep, forget_request=…)``."""

    def fill_lake(root: Path, keep: Callable[[str], bool] | None = None, **others: Any) -> Lake:
        inputs = others.pop("inputs", [])
        for name, records in (("sample_news", NEWS), ("sample_tweets", TWEETS)) if keep else ():
            path = folder / f"{name}-{sum(keep(record['id']) for record in records)}.jsonl"
            path.write_text("".join(json.dumps(each) + "\n" for each in records if keep(each["id"])), "utf-8")
            inputs.append((name, str(path)))
        overrides = (f"ingest.author_key_file={folder / 'secret'}", *others.pop("overrides", ()))
        watched = list_of([WatchedText(id="geese", text=WATCHED)]) if keep else None
        return score(root, inputs, overrides, watched=watched, **others)

    return fill_lake


@pytest.fixture(scope="module")
def without(fill: Callable[..., Lake], folder: Path) -> Lake:
    """The lake that the documents never came to."""
    return fill(folder / "without", lambda record: record not in GONE)


@pytest.fixture(scope="module")
def full(fill: Callable[..., Lake], folder: Path) -> Path:
    """A lake with all documents."""
    return Path(fill(folder / "full", lambda record: True).root)


REQUEST = ForgetRequest(
    ["never-came"], ["https://paper.example/20", "https://paper.example/21"], [f"@{HANDLE.lower()}"]
)


def equal(lake: Lake, without: Lake) -> None:
    """Vectors of texts of other documents may be left that only the forgotten ones called for."""
    found, expected = ({**digests(each), "embeddings": None, "rejects": None} for each in (lake, without))
    assert found == expected
    assert without.read("embeddings").join(lake.read("embeddings"), ["fingerprint", "text_hash"], "left_anti").isEmpty()


def traces(lake: Lake) -> dict[str, bytes]:
    """Bytes by which a forgotten document could be told: of a lake that has it."""
    rows = [row for row in lake.read("documents").collect() if row["native_id"] in GONE]
    assert len(rows) == len(GONE)
    found = {f"{name} of {row['native_id']}": row[name].encode() for row in rows for name in ("doc_id", "native_key")}
    texts = {"watched": WATCHED.capitalize(), "whole": WHOLE, "quote": "purple umbrellas", "handle": HANDLE}
    texts |= {"headline": "We will not pay", "small": HANDLE.lower(), "author": hash_author(HANDLE, SECRET)}
    found |= {name: text.encode() for name, text in texts.items()}
    contexts, of_these = lake.read("contexts"), F.col("doc_id").isin([row["doc_id"] for row in rows])
    others = contexts.where(~of_these).select("masked_hash")
    own = contexts.where(of_these).join(others, "masked_hash", "left_anti").selectExpr("masked_hash AS text_hash")
    vectors = lake.rows_of("embeddings", own).collect()
    assert vectors
    return found | {f"vector {n}": np.asarray(v["vector"], np.float32).tobytes() for n, v in enumerate(vectors)}


def test_a_lake_after_a_user_and_a_source_asked_is_one_without_the_documents_and_holds_no_byte_of_them(
    fill: Callable[..., Lake], full: Path, without: Lake, tmp_path: Path
):
    root = tmp_path / "lake"
    shutil.copytree(full, root)
    before = Lake(without.spark, str(root), "reader", without.started)
    names = ["Ito", "the mayor of town 0"]  # of these the first speaks in a document to be forgotten alone
    rows = [
        {"name": name, "canonical": f"{name} Lee", "wikidata_id": None, "imported_at": before.started} for name in names
    ]
    before.append(before.frame(rows, "speaker_aliases"), "speaker_aliases")
    sought, hits = traces(before) | {"alias": b"Ito Lee"}, before.read("watch_hits").count()
    held = list(contents(root))
    there = {name for name, trace in sought.items() if any(trace in data for _, data in held)}
    assert sought.keys() - there == {"handle", "small"}, "a handle is in no file, the rest was"
    pages = ("alerts.html", "alerts-monday.csv", "alerts.atom", "morning.html", "morning.json", "morning/x.html")
    for shown in (*pages, "_lookup/index", f"{SNAPSHOTS}/monday/x", "topic_details/x"):
        (root / shown).parent.mkdir(parents=True, exist_ok=True)
        (root / shown).write_text(WHOLE, "utf-8")
    joined = F.col("excerpt") == "joined"
    assert before.read("variant_groups").where(joined).isEmpty(), "two quotes hold the excerpt"
    asks, later = tmp_path / "asks.jsonl", tmp_path / "later.jsonl"
    asks.write_text("".join(json.dumps({"gone": {"id": each}}) + "\n" for each in ("t-5", 77, "t-5")), "utf-8")
    later.write_text(json.dumps(tweet(7, "It came later") | {"id": "77"}) + "\n", "utf-8")
    asking = {"inputs": [("sample_tweets", str(asks))], "overrides": ("sources.sample_tweets.deletion=gone.id",)}
    after = fill(root, forget_request=REQUEST, **asking)
    assert before.read("watch_hits").count() == hits - 1
    assert after.read("variant_groups").where(joined).count() == 1, "one of the two is forgotten"
    equal(after, without)
    assert [row["name"] for row in after.read("speaker_aliases").collect()] == names[1:]
    held = list(contents(root))
    found = {name: [str(path) for path, data in held if trace in data] for name, trace in sought.items()}
    assert found == {name: [] for name in sought}
    assert not [path for path, data in held if b'"77"' in data or b'"t-5"' in data]
    [run] = after.read("runs").where("stage = 'forget'").collect()
    asked = {name: run["counts"][name] for name in ("asked", "not_in_the_lake", "documents")}
    assert asked == {"asked": 4 + 1, "not_in_the_lake": 1, "documents": 4}, "of 77 there is a mark alone"
    again = fill(root, lambda record: record != "n-0", inputs=[("sample_tweets", str(later))])
    rejects = again.read("rejects").groupBy("reason", "raw").count().collect()
    assert sorted(map(tuple, rejects)) == [("deletion", None, 3), ("forgotten", None, 4 + 1)], "read from another file"
    equal(again, without)
    again.check(thorough=True)


def test_a_source_that_asks_deletes_tonight_and_leaves_history_to_maintain_and_an_unknown_id_is_a_mark_alone(
    fill: Callable[..., Lake], full: Path, folder: Path, tmp_path: Path, run_job: Callable[..., Done]
):
    root, asks = Path(shutil.copytree(full, tmp_path / "lake")), tmp_path / "asks.jsonl"
    before = fill(root)
    quotes, versions = before.read("quotes").count(), before.versions()
    asking = {"overrides": ("sources.sample_tweets.deletion=gone.id",), "inputs": [("sample_tweets", str(asks))]}
    asks.write_text(json.dumps({"gone": {"id": "never-came"}}) + "\n", "utf-8")
    after = fill(root, **dict(asking, inputs=[*asking["inputs"]]))
    assert after.read("forgotten").count() == 1
    touched = {table for table, version in after.versions().items() if version != versions[table]}
    assert touched - {"documents"} == {"forgotten", "files", "rejects", "runs"}, "no step of a deletion was done"
    asks.write_text("".join(json.dumps({"gone": {"id": each}}) + "\n" for each in ("t-5", "other")), "utf-8")
    after = fill(root, **dict(asking, inputs=[*asking["inputs"]]))
    assert after.read("documents").where("native_id = 't-5'").isEmpty()
    assert after.read("quotes").count() == quotes - 1
    assert not after.read("documents", versions["documents"]).where("native_id = 't-5'").isEmpty(), "as of that night"
    sought = {"doc_id": WHOLE.encode(), "quote": b"plumber about pipes"}
    assert [name for name, trace in sought.items() if any(trace in data for _, data in contents(root))]
    assert (root / HISTORY_DUE).exists()
    done = run_job("maintain", "--lake", root)
    assert done.code == 0, done.error
    assert not (root / HISTORY_DUE).exists()
    assert not [path for path, data in contents(root) if b"plumber about pipes" in data]
    fill(root).check(thorough=True)


#: Writes of a run that forgets, in their order.
KILLS = [
    ("append_new", "forgotten"), ("delete", "quotes"), ("replace", "variant_groups"), ("delete", "documents"),
    ("complete", None),
]  # fmt: skip


def test_runs_that_are_killed_one_after_the_other_while_they_forget_end_as_one_that_is_not(
    fill: Callable[..., Lake], full: Path, without: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    root, purged = Path(shutil.copytree(full, tmp_path / "lake")), list[str]()
    sought = traces(Lake(without.spark, str(root), "reader", without.started))

    def purge_or_die(lake: Lake, table: str) -> None:
        if len(purged) > 3:
            raise RuntimeError("killed here")
        purged.append(table)
        purge(lake, table)

    for number, (way, table) in enumerate(KILLS):
        with killed(way, table=table):
            fill(root, forget_request=None if number else REQUEST)
        assert (root / PENDING).exists()
    with monkeypatch.context() as patch, pytest.raises(RuntimeError, match="killed here"):
        patch.setattr("quotelake.nightly.forget_past.purge", purge_or_die)
        fill(root)
    after = fill(root)
    equal(after, without)
    assert not (root / PENDING).exists()
    assert not [name for name, trace in sought.items() if any(trace in data for _, data in contents(root))]
