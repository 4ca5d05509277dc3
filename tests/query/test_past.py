"""A past night is shown as its run left it, as long as its files are there; then a message says what there is."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from deltalake import DeltaTable
from tests.query.lakes import STAMP, complete, make_lake, use, write_rows

import quotelake
from quotelake.errors import InputError
from quotelake.lake.runs import SNAPSHOTS, WHOLE
from quotelake.query.engines import DuckEngine

REVIEW = {"quote_id": "q", "alert": "negation", "reviewer": "Ana", "label": "true", "rule_version": "1", **STAMP}


#: Tables that are read at a version, as they are now, and cut; and views of each kind.
NAMES = ("quotes", "alert_reviews", "runs", "run_summary", "active_version", "document_versions", "alert_precision")


def shown(root: Path, as_of: str | None = None) -> dict[str, list[str]]:
    with DuckEngine(str(root), as_of=as_of) as engine:
        return {name: sorted(map(repr, engine.sql(f"SELECT * FROM {name}"))) for name in NAMES}


def finish(root: Path, run_id: str, night: str) -> dict[str, list[str]]:
    """Complete a run; returns what is shown then."""
    tables = [path.parent for path in root.glob("*/_delta_log")]
    complete(root, run_id, night=night, **{path.name: DeltaTable(str(path)).version() for path in tables})
    return shown(root)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, list[str]]]]:
    """A lake, and what was shown after each of three nights; the first two have one label."""
    root = make_lake(
        tmp_path_factory.mktemp("made") / "lake", [use("We will rebuild the pier.", group="pier")], ends=False
    )
    seen = [finish(root, "one", "monday")]  # it has no table alert_reviews yet
    make_lake(root, [use("It is a disgrace to us all.")], ends=False)
    write_rows(root, "alert_reviews", [{**REVIEW, "note": "first"}])
    seen.append(finish(root, "two", "monday"))
    make_lake(root, [use("We rebuild the pier.", group="pier")], ends=False)
    seen.append(finish(root, "three", "tuesday"))
    write_rows(root, "alert_reviews", [{**REVIEW, "note": "after the last run"}])
    return root, seen


@pytest.fixture
def nights(made: tuple[Path, list[dict[str, list[str]]]], tmp_path: Path) -> tuple[Path, list[dict[str, list[str]]]]:
    """A copy of the lake, which a test may change."""
    return Path(shutil.copytree(made[0], tmp_path / "lake")), made[1]


def test_all_tables_and_views_are_those_of_the_night(
    nights: tuple[Path, list[dict[str, list[str]]]], caplog: pytest.LogCaptureFixture
):
    root, seen = nights
    assert [len(each["quotes"]) for each in seen] == [1, 2, 3]
    assert [len(each["alert_reviews"]) for each in seen] == [0, 1, 1] and len(shown(root)["alert_reviews"]) == 2
    for run_id, then in zip(("one", "two", "three"), seen, strict=True):
        assert shown(root, run_id) == then
    assert not caplog.text
    assert shown(root, "tuesday") == seen[2] and shown(root, "monday") == seen[1]
    assert "2 runs have the label monday: the last of them, two, is shown" in caplog.text
    assert quotelake.open(root, as_of="one").sql("SELECT nth FROM run_summary WHERE run_id = 'one'") == [{"nth": 1}]


def test_a_night_that_is_not_known_names_the_nearest(nights: tuple[Path, Any]):
    with pytest.raises(
        InputError, match=r"the label or id tusday; the nearest: tuesday, .*; all are listed by: .* query"
    ):
        DuckEngine(str(nights[0]), as_of="tusday")


@pytest.mark.parametrize("gone", ["data", "log"])
def test_what_is_gone_is_said_with_the_nights_that_were_exported(nights: tuple[Path, Any], gone: str):
    root, seen = nights
    for folder, run_id in (("whole", "two"), ("killed", None)):
        shutil.copytree(root, root / SNAPSHOTS / folder, ignore=shutil.ignore_patterns(SNAPSHOTS))
        if run_id:
            (root / SNAPSHOTS / folder / WHOLE).write_text(run_id, "utf-8")
    [first] = DeltaTable(str(root / "quotes"), version=0).file_uris()
    lost = Path(first) if gone == "data" else root / "quotes" / "_delta_log" / f"{0:020}.json"
    if gone == "log":
        DeltaTable(str(root / "quotes")).create_checkpoint()  # the last version stays readable
    lost.unlink()
    with DuckEngine(str(root), as_of="one") as engine:
        assert len(engine.sql("SELECT * FROM variants")) == 1, "other tables are there"
        with pytest.raises(InputError, match=r"table quotes as run one \(night monday\) .* 90 days.*nights: whole; a"):
            engine.sql("SELECT * FROM quotes")
    assert shown(root, "two") == seen[1], "it was exported"
