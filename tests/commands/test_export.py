"""What other tools see of a lake is what ``quotelake query`` answers: DuckDB, Arrow, Polars."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import polars
import pyarrow as pa
import pytest
from tests.query.lakes import complete, make_lake, use
from tests.running import Done

import quotelake
from quotelake.commands.export import export_duckdb, export_parquet
from quotelake.errors import InputError
from quotelake.query.catalog import columns_of, description_of, view_names
from quotelake.query.engines import DuckEngine

PROGRAM = Path(__file__).parents[2] / "lib" / "quotelake" / "__main__.py"
Rows = list[dict[str, Any]]


def alike(rows: Rows) -> list[str]:
    """Rows in no order, with maps as Arrow has them."""
    return sorted(repr({name: _plain(value) for name, value in row.items()}) for row in rows)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        if value and isinstance(value[0], dict) and {*value[0]} == {"key", "value"}:
            return {each["key"]: each["value"] for each in value}
        return [_plain(each) for each in value]
    return value


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A lake with a reused quote; its second run, the night of monday, added a use."""
    root = make_lake(tmp_path / "lake", [use("We will rebuild the pier."), use("It is a disgrace to us all.")])
    return make_lake(root, [use("We will rebuild the pier.", outlet="Calder Times")])


@pytest.fixture
def run(run_job: Callable[..., Done], root: Path) -> Callable[..., Done]:
    return lambda *given: run_job(PROGRAM, "export", "--lake", root, *given)


def rows_of(path: Path, statement: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(str(path), read_only=True) as file:
        return file.execute(statement).fetchall()


def test_a_duckdb_file_has_the_views_chosen_or_all_with_comments_and_is_written_anew(
    run: Callable[..., Done], root: Path, tmp_path: Path
):
    path = tmp_path / "new" / "views.duckdb"
    done = run("--duckdb", path, "--views", "quotes,quote_uses")
    assert (done.code, done.error) == (0, "") and f"2 views, {path.stat().st_size:,} bytes" in done.out
    names = "SELECT table_name, comment FROM duckdb_tables() ORDER BY ALL"
    assert rows_of(path, names) == [(name, description_of(name)) for name in ("quote_uses", "quotes")]
    columns = rows_of(path, "SELECT column_name, comment FROM duckdb_columns() WHERE table_name = 'quote_uses'")
    assert dict(columns) == columns_of("quote_uses")
    with duckdb.connect(str(path), read_only=True) as reader:  # a tool that only reads does not stand in the way
        before = reader.execute("SELECT count(*) FROM quotes").fetchall()
        assert run("--duckdb", path).code == 0
        assert reader.execute("SELECT count(*) FROM quotes").fetchall() == before
    assert {name for name, _ in rows_of(path, names)} == {*view_names(), "documents", "quotes"}
    texts = rows_of(path, "SELECT d.body, q.text FROM quotes q JOIN documents d USING (doc_id)")
    assert texts and all(text in body for body, text in texts), "what a view does not have is found in these"
    assert [*path.parent.iterdir()] == [path]


def test_an_outlet_that_no_document_has_is_said_and_the_nearest_named(run_job: Callable[..., Done], root: Path):
    """Protects: a misspelt outlet does not read as one whose quotes nobody reuses."""
    outlets = ("Calder Time", "Calder Times")
    wrong, right = (run_job("rank_topics", "--lake", root, "--outlet", outlet) for outlet in outlets)
    assert (wrong.code, wrong.out) == (2, "") and "--outlet 'Calder Time': no document has it" in wrong.error
    assert "Calder Times" in wrong.error and (right.code, right.error) == (0, "") and "(--outlet)" in right.out


def test_an_export_is_of_the_last_complete_run_or_of_a_past_night(run: Callable[..., Done], root: Path, tmp_path: Path):
    last = make_lake(root, [use("We never said so to anybody.")], ends=False)
    run("--parquet", tmp_path / "now", "--views", "quotes")
    run("--parquet", tmp_path / "then", "--views", "quotes", "--as-of", "r0")
    counts = [polars.read_parquet(tmp_path / folder / "quotes.parquet").height for folder in ("now", "then")]
    assert counts == [3, 2] and last == root
    complete(root, "r9", night="monday", documents=2, quotes=2, variants=2, variant_groups=2, versions=2)
    run("--duckdb", tmp_path / "monday.duckdb", "--views", "quotes", "--as-of", "monday")
    assert rows_of(tmp_path / "monday.duckdb", "SELECT count(*) FROM quotes") == [(4,)]


def test_what_cannot_be_written_is_one_message_and_leaves_what_is_there(run: Callable[..., Done], tmp_path: Path):
    other, kept, folder = tmp_path / "notes.txt", tmp_path / "open.duckdb", tmp_path / "folder"
    other.write_text("mine")
    folder.mkdir()
    written = duckdb.connect(str(kept))
    written.execute("CREATE TABLE mine AS SELECT 1 AS a")
    for given, told in (
        ((), "give --duckdb FILE, --parquet DIR, or both"),
        (("--duckdb", other), "notes.txt: cannot be written (IO Error"),
        (("--duckdb", kept), "open.duckdb: cannot be written ("),
        (("--duckdb", folder), "folder: cannot be written (IO Error"),
        (("--duckdb", "/proc/none/a.duckdb"), "name a file in a directory you may write to"),
        (("--parquet", other), "notes.txt"),
        (("--parquet", folder, "--views", "headline_alert"), "no table or view headline_alert; did you mean headline_"),
        (("--parquet", folder, "--as-of", "never"), "no complete run has the label or id never"),
    ):
        done = run(*given)
        assert (done.code, done.out) == (2, "") and told in done.error and done.error.count("\n") == 1, done.error
    assert other.read_text() == "mine" and not [*folder.iterdir()]
    assert written.execute("FROM mine").fetchall() == [(1,)]
    written.close()


def test_an_export_that_fails_on_its_way_leaves_what_was_there(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    engine, folder = DuckEngine(str(root)), tmp_path / "views"
    export_duckdb(engine, folder / "a.duckdb", ["quotes"])
    export_parquet(engine, folder, ["quotes"])
    before = {path: path.read_bytes() for path in folder.iterdir()}
    whole = engine.batches

    def broken(statement: str) -> pa.RecordBatchReader:
        def batches() -> Iterator[pa.RecordBatch]:
            yield from whole(statement)
            if "quote_uses" in statement:
                raise InputError("gone")

        return pa.RecordBatchReader.from_batches(whole(statement).schema, batches())

    monkeypatch.setattr(engine, "batches", broken)
    make_lake(root, [use("Another one.")])
    for export, place in ((export_duckdb, folder / "a.duckdb"), (export_parquet, folder)):
        with pytest.raises(InputError, match="gone"):
            export(engine, place, ["quotes", "quote_uses"])
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.spark
def test_every_view_of_the_sample_is_the_same_in_each_tool(
    sample_lake: str, run_job: Callable[..., Done], tmp_path: Path
):
    given = ("--duckdb", tmp_path / "views.duckdb", "--parquet", tmp_path / "views")
    assert run_job(PROGRAM, "export", "--lake", sample_lake, *given).code == 0
    lake = quotelake.open(sample_lake)
    for view in view_names():
        rows = alike(lake.sql(f"SELECT * FROM {view}"))
        with duckdb.connect(str(tmp_path / "views.duckdb"), read_only=True) as file:
            found = file.execute(f"FROM {view}")
            names = [column[0] for column in found.description or ()]
            assert alike([dict(zip(names, row, strict=True)) for row in found.fetchall()]) == rows, view
        assert alike(polars.read_parquet(tmp_path / "views" / f"{view}.parquet").rows(named=True)) == rows, view
        assert alike(lake.view(view).to_pylist(maps_as_pydicts="strict")) == rows, view
