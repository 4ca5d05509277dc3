"""DuckDB over Delta tables: what it answers, what it refuses, what it leaves behind."""

import io
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pyarrow as pa
import pytest
from deltalake import DeltaTable, write_deltalake
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from tests.query.lakes import DAY, complete, variants

import quotelake
from quotelab.benchmarks.counted import bytes_read
from quotelake.answers.statements import STATEMENTS, rows_by_id
from quotelake.commands.query import describe, run_statement, show
from quotelake.errors import InputError
from quotelake.lake.contracts import table_names
from quotelake.query.catalog import types_of, view_names
from quotelake.query.engines import _LOOK_UP, PAGE, Answer, AutoEngine, DuckEngine, open_engine
from quotelake.text.ids import content_id


def spark_stand_in() -> Mock:
    return Mock(**{"answer.return_value": Answer(("a",), [{"a": 1}])})


def write_variant(root: Path, text: str, version: int, **run: str) -> None:
    write_deltalake(str(root / "variants"), variants(text), mode="append")
    complete(root, f"r{version}", **run, variants=version)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A lake whose last run left one variant; a later one, not complete, added another."""
    place = tmp_path / "a lake, 50% 'odd' #1 é"
    write_variant(place, "first", 0)
    write_variant(place, "second", 1, stage="quotes")
    return place


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckEngine]:
    place = tmp_path_factory.mktemp("small")
    write_variant(place, "first", 0)
    with DuckEngine(str(place)) as engine:
        yield engine


def run_sql(root: Path, statement: str) -> list[dict[str, Any]]:
    with DuckEngine(str(root)) as engine:
        return engine.sql(statement)


FIRST = [{"canonical_text": "first"}]


def test_tables_are_those_of_the_last_complete_run_in_a_lake_of_any_name_and_on_any_disk(root: Path, tmp_path: Path):
    statement = "SELECT canonical_text FROM variants"
    assert run_sql(root, statement) == FIRST == quotelake.open(root).sql(statement)
    (root / "variants").rename(tmp_path / "elsewhere")
    (root / "variants").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "lake").symlink_to(root)
    assert run_sql(tmp_path / "lake", statement) == FIRST
    complete(root, "r2", variants=1)
    assert len(run_sql(root, statement)) == 2
    assert len(run_sql(root, "SELECT * FROM runs")) == 3, "runs are read as they are now"


def test_texts_found_by_the_pages_of_their_ids_are_those_of_any_statement(root: Path, monkeypatch: pytest.MonkeyPatch):
    """Protects: fifty bodies of 420,000 were read out of 1.1 GB each night, and the pages of them are 3 MB."""
    ids = ", ".join(f"'{each}'" for each in ("second", "none", *(f"n{number}" for number in range(50)), "first"))
    statement = STATEMENTS["wordings"].format(ids=ids)
    assert _LOOK_UP.fullmatch(STATEMENTS["bodies"].format(ids=ids).strip()), "both statements of texts are look-ups"
    for texts in (["first"], ["first", "second"]):
        with monkeypatch.context() as patch:
            patch.setattr(DuckEngine, "_execute", Mock(side_effect=AssertionError))
            found = sorted(run_sql(root, statement), key=str)
        assert found == sorted(run_sql(root, f"{statement} AND true"), key=str)
        assert [row["canonical_text"] for row in found] == texts, "of the last complete run"
        complete(root, "r2", variants=1)
    for file in (root / "variants").glob("*.parquet"):
        file.unlink()
    with pytest.raises(InputError, match="variants"):
        run_sql(root, statement)


def test_columns_are_those_of_the_contract_and_times_are_utc(small: DuckEngine):
    [row] = small.sql("SELECT * FROM variants")
    assert list(row) == ["variant_id", "canonical_text", "words", "run_id", "ingested_at"]
    assert row["words"] is None and row["ingested_at"] == DAY.replace(tzinfo=None)
    younger = small.answer("SELECT * FROM rejects")  # than the lake
    assert younger.rows == [] and "reason" in younger.names


def test_no_statement_is_run_about_no_rows():
    """Protects: the uses of no quotes were sought among those of all."""
    run_sql = Mock(return_value=[{"group_id": "a"}])
    assert rows_by_id(run_sql, "spread_uses", ()) == [] and not run_sql.called
    assert rows_by_id(run_sql, "spread_uses", ["a"]) == [{"group_id": "a"}]


def test_a_materialized_view_is_read_once(root: Path):
    statement = "SELECT run_id FROM run_summary ORDER BY run_id"
    with DuckEngine(str(root), materialized=["run_summary"]) as once, DuckEngine(str(root)) as engine:
        first = once.answer(statement)
        assert first == engine.answer(statement) and first.rows
        for file in (root / "runs").glob("*.parquet"):
            file.unlink()
        assert once.answer(statement) == first
        with pytest.raises(InputError, match="lacks 2 of its data files"):
            engine.answer(statement)


@pytest.mark.skipif(not Path("/proc/self/io").exists(), reason="only Linux counts the bytes that a process reads")
def test_statements_of_a_job_read_a_column_once(root: Path):
    """Protects: a dozen statements of summary and pages read ids of the same documents: of ten million 220 MB each."""
    ids = (content_id(str(number)) for number in range(50_000))
    write_deltalake(str(root / "variants"), variants(*ids), mode="append")
    complete(root, "r9", variants=2)
    with DuckEngine(str(root), materialized=["run_summary"]) as of_job:
        read = []
        for unlike in ("0", "f"):  # two statements
            before = bytes_read()
            of_job.sql(f"SELECT count(*) FROM variants WHERE NOT starts_with(canonical_text, '{unlike}')")
            read.append(bytes_read() - before)
    assert read[0] > 500_000 and read[1] * 10 < read[0]


def test_the_engine_of_a_job_has_a_bound_of_memory(root: Path):
    """Protects: the summary of a large lake, which would take gigabytes beside Java's."""
    statement = "SELECT current_setting('memory_limit') AS most"
    with DuckEngine(str(root), materialized=["run_summary"]) as of_job, DuckEngine(str(root)) as engine:
        assert of_job.answer(statement).rows == [{"most": "1.4 GiB"}] != engine.answer(statement).rows


def test_a_place_without_a_complete_run_is_said(tmp_path: Path):
    for place in (tmp_path / "none", tmp_path):
        with pytest.raises(InputError, match="holds no lake with a complete run"):
            quotelake.open(place)
    complete(tmp_path, "r1", stage="quotes")
    with pytest.raises(InputError, match="holds no lake with a complete run"):
        DuckEngine(str(tmp_path))


def test_a_table_that_asks_for_a_newer_reader_is_refused_and_statements_of_ours_go_to_spark(root: Path):
    DeltaTable(str(root / "variants")).alter.set_table_properties({"delta.enableDeletionVectors": "true"})
    complete(root, "r4", variants=2)
    with pytest.raises(InputError, match="reader version 3; ask with --engine spark"):
        run_sql(root, "SELECT * FROM variants")
    spark = spark_stand_in()
    engine = AutoEngine(str(root), lambda: spark)
    assert engine.sql("SELECT run_id FROM runs") and not spark.answer.called
    assert engine.sql("SELECT * FROM variants") == [{"a": 1}]
    spark.answer.assert_called_once_with("SELECT * FROM variants")


def test_null_has_the_place_that_spark_gives_it_and_pages_are_the_answer(small: DuckEngine):
    values = "FROM (VALUES (1), (NULL), (2)) AS t (a) ORDER BY a"
    assert [row["a"] for row in small.sql(f"SELECT a {values}")] == [None, 1, 2]
    assert [row["a"] for row in small.sql(f"SELECT a {values} DESC")] == [2, 1, None]
    pages = list(small.pages("SELECT range AS a FROM range(25000)"))
    assert max(map(len, pages)) <= PAGE and len(pages) > 1
    assert [row["a"] for page in pages for row in page] == [*range(25_000)]


def test_arrow_has_the_rows_of_the_answer_with_types_that_every_tool_knows(small: DuckEngine):
    statement = (
        "SELECT sum(range) AS total, TIMESTAMPTZ '2024-06-01 02:00+02' AS at, MAP {'a': 1} AS counts, "
        "[{'start': 1}] AS parts, NULL AS nothing FROM range(3)"
    )
    table = small.arrow(statement)
    assert table.to_pylist(maps_as_pydicts="strict") == [
        {"total": 3, "at": datetime(2024, 6, 1), "counts": {"a": 1}, "parts": [{"start": 1}], "nothing": None}
    ]
    assert (table.schema.field("total").type, table.schema.field("at").type) == (pa.int64(), pa.timestamp("us"))
    assert small.view("variants", "canonical_text = 'first'").to_pylist() == small.sql("SELECT * FROM variants")
    assert small.view("variants", "words > 99").num_rows == 0


def test_an_error_on_the_way_is_told_as_any_other(small: DuckEngine):
    late = "SELECT CAST(CASE WHEN range < 400000 THEN '1' ELSE 'x' END AS INT) AS a FROM range(500000)"
    batches = small.batches(late)  # binds it alone
    with pytest.raises(InputError, match="the statement failed at line 1, character 8: Could not convert string 'x'"):
        batches.read_all()


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("SELECT words FROM variants, documents d WHERE headlin = 1",
         'line 1, character 47: Referenced column "headlin" not found in FROM clause! Candidate bindings: "headline"'),
        ("SELECT 'é😀',\n\n nope\nFROM quotes q", 'line 3, character 2: Referenced column "nope" not found'),
        ("SELECT *\nFROM documnts", "line 2, character 6: no table or view documnts; did you mean documents or "),
        (" SELEC 1", 'line 1, character 2: syntax error at or near "SELEC"'),
        ("SELECT nosuch(1)", "line 1, character 8: DuckDB has no function nosuch; ask with --engine spark"),
        ("SELECT q.speaker.nam FROM quotes q", 'Could not find key "nam" in struct Candidate Entries: "name"'),
        ("SELECT error('a fault')", "the statement failed: a fault"),
        ("SELECT sum(text) FROM quotes", "No function matches"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_in_one_line_with_its_place_and_the_nearest_names(
    small: DuckEngine, statement: str, told: str
):
    with pytest.raises(InputError) as refused:
        small.sql(statement)
    said = str(refused.value)
    assert said.startswith("the statement failed") and told in said and len(said.splitlines()) == 1


@given(st.text(max_size=60))
def test_any_text_is_answered_or_refused(small: DuckEngine, text: str):
    try:
        small.answer(f"SELECT {text} FROM variants")
    except InputError as error:
        assert len(str(error).splitlines()) == 1


@pytest.mark.parametrize(
    "statement",
    [
        "COPY variants TO '{lake}/x.csv'", "COPY variants TO '{lake}/variants/x.parquet'", "EXPORT DATABASE '{lake}/x'",
        "EXPLAIN ANALYZE COPY variants TO '{lake}/x.csv'", "CREATE TABLE x AS SELECT 1 AS a", "ATTACH '{lake}/x.db'",
        "DROP VIEW runs", "SET memory_limit = '1GB'", "PRAGMA database_size", "INSTALL httpfs", "SELECT 1; SELECT 2",
        "SELECT * FROM read_csv('/etc/passwd')", "FROM '/etc/passwd'", "SELECT * FROM glob('/etc/*')",
        "", "PIVOT (FROM variants) ON words", "SELECT * FROM statement",
    ],
)  # fmt: skip
def test_a_question_writes_nothing_and_reads_the_lake_alone(root: Path, statement: str):
    before = sorted(root.rglob("*"))
    with pytest.raises(InputError):
        run_sql(root, statement.replace("{lake}", str(root).replace("'", "''")))
    assert sorted(root.rglob("*")) == before


def test_temporary_files_are_this_user_s_alone_and_are_removed(
    root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    names = set()
    for _ in range(2):
        with DuckEngine(str(root)) as engine:
            [[place]] = [list(row.values()) for row in engine.sql("SELECT current_setting('temp_directory')")]
            assert Path(place).parent == tmp_path and Path(place).stat().st_mode & 0o777 == 0o700
            names.add(place)
        assert not Path(place).exists()
    assert len(names) == 2, "nobody can foresee the name"
    with pytest.raises(InputError):
        DuckEngine(str(tmp_path / "none"))
    assert not list(tmp_path.glob("quotelake-*"))


def test_each_place_has_its_engine_and_one_may_be_asked_for(root: Path):
    spark = spark_stand_in()
    assert AutoEngine("s3a://bucket/lake", lambda: spark).sql("SELECT 1 AS a") == [{"a": 1}]
    assert open_engine("s3a://bucket/lake", lambda: spark) is spark is open_engine(str(root), lambda: spark, "spark")
    assert isinstance(open_engine(str(root), lambda: spark), DuckEngine)
    with pytest.raises(InputError, match="is an address"):
        open_engine("s3a://bucket/lake", lambda: spark, "duckdb")


@pytest.mark.parametrize(
    ("statement", "column"),
    [
        ("SHOW TABLES", "one row per"), ("show  tables;", "one row per"), ("SHOW VIEWS", "one row per"),
        ("\\d", "kind"),
        ("DESCRIBE Quotes", "what it holds"), ("desc headline_alerts;", "type"), ("\\d most_quoted", "type"),
        ("SHOW COLUMNS FROM runs", "type"), ("describe table runs", "type"),
    ],
)  # fmt: skip
def test_what_tables_there_are_and_hold_is_known_without_an_engine(
    statement: str, column: str, capsys: pytest.CaptureFixture[str]
):
    run_statement(Mock(spec=[]), "csv", statement)
    assert column in capsys.readouterr().out.splitlines()[0].split(",")


def test_the_list_begins_with_the_views_to_begin_with_and_has_each_table_and_view_once():
    listed = [row["name"] for row in describe("").rows]
    assert listed[:3] == ["alerts", "quotes_said", "ranking"]
    assert sorted(listed) == sorted([*view_names(), *table_names()])


def test_rows_that_do_not_fit_a_terminal_are_read_by_the_pager_of_the_person(monkeypatch: pytest.MonkeyPatch):
    """Protects: ``SELECT * FROM ranking`` at the prompt leaves its first rows in sight."""
    paged: list[str] = []
    monkeypatch.setattr("pydoc.pager", paged.append)
    for is_terminal, rows, style in (
        (True, 50, "table"), (True, 5, "table"), (False, 50, "table"), (True, 15, "vertical"), (True, 5, "vertical"),
    ):  # fmt: skip
        out = io.StringIO()
        console = Console(file=out, force_terminal=is_terminal, width=80, height=20)
        monkeypatch.setattr("quotelake.commands.query.make_console", lambda console=console: console)
        show(Answer(("a",), [{"a": number} for number in range(rows)]), style)
        assert bool(out.getvalue()) is not (is_terminal and rows > 5)
    assert len(paged) == 2 and "49" in paged[0] and "14" in paged[1], "15 rows, of two lines each"


def test_types_of_views_are_said_as_those_of_tables():
    assert types_of("quote_versions")["kinds"] == "STRING[]"
    assert {types_of("watch_movers")[name] for name in ("uses", "new_uses")} == {"BIGINT"}
    assert types_of("alerts")["priority"] == "DOUBLE" and types_of("alerts")["published_at"] == "TIMESTAMP"
