"""Rejects and undated documents are not for ever: other settings read their files again, and nothing is twice."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.conftest import TEST_TIME
from tests.nightly.batches import killed

from quotelake.lake.runs import Run, StageCounts
from quotelake.lake.tables import Lake
from quotelake.lake.upkeep import digests
from quotelake.nightly.intake import complaints, due, find_inputs, read_files
from quotelake.nightly.night import Night
from quotelake.settings import load_settings

pytestmark = pytest.mark.spark

#: A quote of seven words in two articles, so that the months of its contexts have a topic variation.
TEXT = 'The mayor spoke. "We shall rebuild the old stone bridge," she said, and then left for {} by the morning train.'
#: Settings that read every record of :func:`files`, and all their dates.
RIGHT = ("sources.sample_news.date_format=%d/%m/%Y", "sources.sample_news.encoding=cp1252")

#: The quote is watched too: a use of it is in the month of its article.
WATCHED = 'watch.texts=[{id="bridge", text="We shall rebuild the old stone bridge"}]'

INPUT = "sample_news"
#: What the shipped settings, and the right ones, make of each file: records, documents, rejects, unread dates.
WRONG_COUNTS = {"dates.jsonl": [2, 2, 0, 2], "latin.jsonl": [2, 1, 1, 1]}
RIGHT_COUNTS = {"dates.jsonl": [2, 2, 0, 0], "latin.jsonl": [2, 2, 0, 0]}
#: Writes of a run that reads files again, in their order: way, table, the how-manieth of this way into it.
KILLS = [("replace", "rejects", 1), ("correct", "watch_hits", 1), ("correct", "documents", 1), ("replace", "files", 2)]


def article(number: int, date: str, title: str = "Mayor: 'We shall rebuild'") -> str:
    town = ("Ostrow", "Bell")[number % 2]
    record = {"id": str(number), "title": title, "text": TEXT.format(town), "published": date}
    return json.dumps(record, ensure_ascii=False) + "\n"


@pytest.fixture
def files(tmp_path: Path) -> str:
    """Folder of a file whose days stand before the months, and of one that is in another encoding too."""
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "dates.jsonl").write_text(article(0, "31/05/2024") + article(1, "30/04/2024"), "utf-8")
    latin = article(2, "15/05/2024") + article(3, "16/05/2024", "Café: 'We shall rebuild'")
    (folder / "latin.jsonl").write_bytes(latin.encode("cp1252"))
    return str(folder)


def counted(lake: Lake) -> dict[str, list[int]]:
    """What became of the records of each file, by its row of ``files`` and by the tables themselves."""
    held = {
        table: {row["file_id"]: row["count"] for row in lake.read(table).groupBy("file_id").count().collect()}
        for table in ("documents", "rejects")
    }
    found = {}
    for row in lake.read("files").collect():
        assert row["records"] == row["documents"] + row["duplicates"] + row["rejects"] + row["filtered"]
        for table in held:
            assert row[table] == held[table].get(row["file_id"], 0), "files says what the tables hold"
        name = row["path"].rsplit("/", 1)[-1]
        assert name not in found, "one row a file"
        found[name] = [row[each] for each in ("records", "documents", "rejects", "unread_dates")]
    return found


def read(lake: Lake, files: str, *overrides: str, reread: tuple[str, ...] = ()) -> StageCounts:
    """The first stage of a run alone; returns what it counted, and says what it complains of."""
    settings = load_settings(overrides=overrides)
    run = Run("test-run", TEST_TIME, settings.fingerprint, None, print)
    night = Night(lake, run, settings, rules=None, versions=None, representation=None, now=run.started, rereads=False)
    stage = StageCounts("documents")
    todo = due(lake, find_inputs(lake, run, settings, [(INPUT, files)], reread), settings, reread)
    for line in complaints(lake, todo, read_files(night, todo, stage), settings):
        print(line)
    return stage


@pytest.mark.slow
@pytest.mark.crash
def test_rejects_are_read_again_under_other_settings_and_nothing_is_lost_or_twice(
    lake: Lake, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    latin, encoding = str(tmp_path / "latin.jsonl"), "sources.sample_news.encoding=cp1252"
    Path(latin).write_bytes((article(2, "2024-05-15") + article(3, "2024-05-16", "Café: 'No'")).encode("cp1252"))
    first = read(lake, latin)
    assert (first.counts["documents"], first.counts["rejects"]) == (1, 1)
    said = capsys.readouterr().out
    assert "1 of 2 records were rejected" in said and f"of file:{latin}: not UTF-8" in said
    assert "files_read_again" not in read(lake, latin, "sources.sample_news.outlets.X=Y").counts
    with killed("replace", table="rejects"):  # the file is noted by then
        read(lake, latin, encoding)
    assert read(lake, latin).counts["files_read_again"] == 1, "a reading that was killed is made good by any settings"
    again = read(lake, latin, encoding)
    names = ("files_read_again", "records", "documents", "duplicates", "rejects")
    assert [again.counts[name] for name in names] == [1, 2, 1, 1, 0], "one of the two was there before"
    assert lake.read("documents").count() == 2 and lake.read("rejects").count() == 0
    assert "files_read_again" not in read(lake, latin, encoding).counts, "once under these settings"
    capsys.readouterr()
    by_name = read(lake, latin, encoding, reread=(INPUT,))
    assert [by_name.counts[name] for name in names] == [1, 2, 0, 2, 0]
    assert "were rejected" not in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.crash
def test_a_file_that_grows_has_its_old_rejects_counted_and_not_stored_again(
    lake: Lake, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "grows.jsonl"
    path.write_text("no JSON\n" + article(1, "2024-05-01"), "utf-8")
    read(lake, str(path))
    with path.open("a", encoding="utf-8") as file:
        file.write(article(2, "2024-05-02") + "no JSON either\n[]\n")
    counts = read(lake, str(path)).counts
    assert [counts[name] for name in ("records", "documents", "duplicates", "rejects")] == [5, 1, 1, 3]
    assert "such as the record at 0 of" in capsys.readouterr().out.splitlines()[-1], "an old reject is the example"
    stored = lake.read("rejects").orderBy("position").collect()
    assert [row["raw"] for row in stored] == ["no JSON", "no JSON either", "[]"]
    path.write_text("another beginning\n" + article(1, "2024-05-01"), "utf-8")
    read(lake, str(path))
    assert lake.read("rejects").where("position = 0").count() == 2, "a file that was replaced has other records"


@pytest.mark.slow
def test_mended_settings_end_as_if_they_had_been_right_wherever_a_run_is_killed(
    score: Callable[..., Lake], files: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    inputs, root, right = [(INPUT, files)], tmp_path / "lake", (*RIGHT, WATCHED)
    whole = digests(score(tmp_path / "whole", inputs, right))
    assert counted(score(root, inputs, (WATCHED,))) == WRONG_COUNTS
    corrected, correct = list[str](), Lake.correct
    monkeypatch.setattr(Lake, "correct", lambda *given: corrected.append(given[2]) or correct(*given))
    for method, table, time in KILLS:
        with killed(method, table=table, time=time):
            score(root, inputs, right)
    first = ["contexts", "story_texts", "watch_hits"]
    assert corrected == [*first[:2], *first, *first, "documents"], "documents last"
    lake = score(root, inputs, right)
    assert lake.read("watch_hits").where("period IS NOT NULL").count() == 4
    assert counted(lake) == RIGHT_COUNTS
    assert digests(lake) == whole
    settings = load_settings(overrides=right)
    run = Run("again", TEST_TIME, settings.fingerprint, None, print)
    assert not due(lake, find_inputs(lake, run, settings, inputs), settings, ()).files, "once under these settings"
