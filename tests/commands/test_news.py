"""No news is lost or shown twice, wherever a run ends behind its last commit. Lakes without Spark, real pages."""

import json
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
from deltalake import DeltaTable
from tests.answers.test_morning import VERSIONS, night
from tests.commands.test_notify import webhook
from tests.query.lakes import STAMP, complete, write_rows
from tests.running import Done

from quotelake.commands import chain
from quotelake.commands.run_log import RunLog
from quotelake.errors import RejectShareError, SilentFeedError
from quotelake.lake import local
from quotelake.lake.page_state import PAGES, PageState, new_runs, page_state, state_before_run, write_state
from quotelake.lake.place import Files
from quotelake.lake.runs import SOURCES, Run
from quotelake.settings import load_settings
from quotelake.spark import session

#: Where a run may end: what is called next.
ENDS = ("read_report", "make_morning", "prepare", "complain")
SOURCE = (
    "sources.wire.kind=news",
    "sources.wire.format=jsonl",
    "sources.wire.fields.body=body",
    "sources.wire.fields.headline=headline",
)
SETTINGS = load_settings(overrides=["report.export_duckdb=views.duckdb", "run.lookup=true", *SOURCE])
#: Of a run whose records were rejected.
BROKEN = {"records": 9, "documents": 3, "rejects": 6, "unread_dates": 0, "not_numbers": 0}


class LakeWithoutSpark:
    """Stands for a lake of Spark: its tables as DuckDB reads them."""

    def __init__(self, spark: None, root: str, *_: object) -> None:
        self.root, self.storage = root, Files(root)

    def complete_runs(self) -> Any:
        return local.complete_runs(self.root)

    def small_rows(self, table: str, columns: tuple[str, ...]) -> Any:
        return local.rows_now(self.root, table, columns)


def add_run(lake: Path, run_id: str, *, brings: bool, broken: bool) -> None:
    """The rows of a run, alerts among them or none."""
    if brings:
        night(lake, run_id, [0.1, 0.2])
    else:
        tables = [at.parent for at in lake.glob("*/_delta_log")]
        complete(lake, run_id, night=run_id, **{table.name: DeltaTable(str(table)).version() for table in tables})
    place = local.complete_runs(str(lake))[-1].versions["runs"]  # all stages of a run have that of its end
    complete(lake, run_id, "documents", counts={"documents": 3 * brings}, runs=place)
    read = dict.fromkeys(BROKEN, 0) | {"documents": 3 * brings} | (BROKEN if broken else {})
    complete(lake, run_id, SOURCES, counts={f"wire.{what}": number for what, number in read.items()}, runs=place)


Night = Callable[..., None]


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    write_rows(tmp_path / "lake", "versions", [{**VERSIONS, **STAMP}])
    return tmp_path / "lake"


@pytest.fixture
def run_night(lake: Path, monkeypatch: pytest.MonkeyPatch) -> Night:
    """Run the chain: ``run_night(name, brings=…, broken=…)``."""
    for module, *names in (
        (session, "session_starter", "end_session"), (chain, "show_summary", "export_duckdb", "exporting", "prepare"),
    ):  # fmt: skip
        for name in names:
            monkeypatch.setattr(module, name, lambda *_, **__: None)
    monkeypatch.setattr(chain, "show_progress", lambda *_: nullcontext())
    monkeypatch.setattr(chain, "Lake", LakeWithoutSpark)

    def run(name: str, *, brings: bool, broken: bool = False, strict: bool = False) -> None:
        def process(_: Any, run: Run) -> list[str]:
            there = local.complete_runs(str(lake)) if (lake / "runs").exists() else []
            state_before_run(Files(lake), [each.run_id for each in there])
            run.run_id = name
            add_run(lake, name, brings=brings, broken=broken)
            return []

        inputs = [("wire", "in/*")] if strict else []
        chain.run_chain(str(lake), SETTINGS, inputs, process, RunLog(), None, strict=strict)

    return run


def alerts(lake: Path) -> set[str]:
    """Runs whose alerts the morning page shows as new."""
    return {row["quote_id"].split()[1] for row in json.loads((lake / "morning.json").read_text("utf-8"))["new_alerts"]}


@pytest.mark.parametrize(("end", "earlier"), [(end, False) for end in ENDS] + [("make_morning", True)])
def test_what_a_run_brought_that_ended_before_its_page_is_shown_by_the_next_command_and_no_more_after(
    end: str, earlier: bool, lake: Path, run_night: Night, monkeypatch: pytest.MonkeyPatch
):
    if earlier:
        run_night("r0", brings=True)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(chain, end, MagicMock(side_effect=KeyboardInterrupt))
        run_night("r1", brings=True)
    run_night("r2", brings=False)
    assert alerts(lake) == {"r1"}
    if earlier:  # what follows does not depend on where the run before the last one ended
        files = {path: path.read_bytes() for path in (lake / "morning.json", lake / "alerts.html")}
        run_night("r3", brings=False)
        assert files == {path: path.read_bytes() for path in files}, "nothing came: the page stays"


def test_two_runs_without_a_page_are_shown_together(lake: Path, run_night: Night, monkeypatch: pytest.MonkeyPatch):
    for name in ("r0", "r1"):
        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(chain, "read_report", MagicMock(side_effect=KeyboardInterrupt))
            run_night(name, brings=True)
    run_night("r2", brings=True)
    assert alerts(lake) == {"r0", "r1", "r2"}


def test_pages_that_a_deletion_removed_show_the_same_news_again(lake: Path, run_night: Night):
    run_night("r0", brings=True)
    run_night("r1", brings=True)
    for name in ("morning.json", "morning.html", "alerts.html"):
        (lake / name).unlink()
    run_night("r2", brings=False)
    assert alerts(lake) == {"r1"}


def test_the_exit_status_of_a_run_that_ended_before_it_is_that_of_the_next_command_and_then_no_more(
    run_night: Night, monkeypatch: pytest.MonkeyPatch
):
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(chain, "prepare", MagicMock(side_effect=KeyboardInterrupt))
        run_night("r0", brings=True, broken=True)
    with pytest.raises(RejectShareError, match="6 of 9"):
        run_night("r1", brings=False)
    run_night("r2", brings=False)


def test_a_night_that_brought_nothing_is_on_the_page_and_told(
    lake: Path, run_night: Night, run_job: Callable[..., Done]
):
    """Protects: a dead feed is no quiet success, on the second night too."""
    run_night("r0", brings=True, strict=True)
    with webhook() as (port, calls):
        for name in ("r1", "r2"):
            assert run_job("notify", "--lake", lake, "--to", f"json://127.0.0.1:{port}").code == 0
            with pytest.raises(SilentFeedError, match="nothing at all"):
                run_night(name, brings=False, strict=True)
        run_job("notify", "--lake", lake, "--to", f"json://127.0.0.1:{port}")
    assert "nothing at all" in (lake / "morning.html").read_text("utf-8") and alerts(lake) == {"r0"}
    titles = [call["title"].rpartition(": ")[2] for call in calls]
    assert titles == ["2 new alerts", "1 silent feed", "1 silent feed"], "no alert again"


def test_a_target_that_missed_a_night_is_told_of_both(
    lake: Path, run_night: Night, run_job: Callable[..., Done], tmp_path: Path
):
    with webhook() as (port, calls):
        target = f"json://127.0.0.1:{port}"
        for name in ("r0", "r1", "r2"):
            run_night(name, brings=True)
            if name != "r1":
                done = run_job("notify", "--lake", lake, "--to", target)
                assert done.code == 0, done.error
        assert run_job("notify", "--lake", lake, "--to", target).out == ""
    assert [call["title"].split(": ")[1].split(",")[0] for call in calls] == ["2 new alerts", "4 new alerts"]


def test_an_older_lake_has_shown_what_it_has(lake: Path, run_night: Night):
    for name in ("r0", "r1"):
        add_run(lake, name, brings=True, broken=False)
    assert new_runs(Files(lake), ["r0", "r1"]) == 1
    run_night("r2", brings=False)
    assert alerts(lake) == {"r1"}, "there was no page"
    run_night("r3", brings=True)
    assert alerts(lake) == {"r3"}


def test_of_a_damaged_note_or_of_another_lake_the_last_run_is_new(tmp_path: Path):
    files = Files(tmp_path)
    for text in ("{", "[]", '{"upto": "x", "other": 1}'):
        files.write(PAGES, text)
        assert page_state(files) is None and new_runs(files, ["a", "b"]) == 1
    write_state(files, PageState("gone", "gone", "gone"))
    assert new_runs(files, ["a", "b"]) == 1
    write_state(files, PageState("a"))
    assert new_runs(files, ["a", "b", "c"]) == 2 and new_runs(files, ["a", "b", "c"], since="b") == 1
    write_state(files, PageState())
    assert new_runs(files, ["a", "b"]) == 2
