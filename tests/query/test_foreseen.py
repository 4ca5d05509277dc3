"""What is told before Spark starts: sure mistakes, and what the contracts say; what Spark may read passes."""

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from tests.query.lakes import complete
from tests.running import Done

from quotelake.commands.query import run_statement
from quotelake.errors import InputError
from quotelake.query.ask import Answer, Engine
from quotelake.query.catalog import types_of, view_names, view_text
from quotelake.query.foreseen import LateEngine, foresee

QUERY = Path(__file__).parents[2] / "jobs" / "query.py"


class Sleeper(Engine):
    """Stands for Spark, and counts how often it is asked."""

    asked = 0

    def answer(self, statement: str) -> Answer:
        self.asked += 1
        return Answer(("a",), [{"a": 1}])

    def batches(self, statement: str) -> pa.RecordBatchReader:
        raise NotImplementedError


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("SELEC 1", 'line 1, character 1: syntax error at or near "SELEC"; did you mean SELECT?'),
        ("SELECT outlet\nFORM runs", 'line 2, character 6: syntax error at or near "runs"; did you mean FROM?'),
        ("SELECT 'é',\n d.outlt FROM documents d", "line 2, character 2: d has no column outlt"),
        ("SELECT 'é😀', headlin FROM documents", "line 1, character 14: no column headlin; did you mean headline?"),
        ("WITH a AS (SELECT 1 AS b) SELECT * FROM a\nJOIN quots ON 1", "line 2, character 6: no table or view quots"),
    ],
)  # fmt: skip
def test_a_sure_mistake_is_told_with_its_place_and_starts_nothing(statement: str, told: str):
    started: list[Sleeper] = []
    engine = LateEngine(lambda: started.append(Sleeper()) or started[0])
    with pytest.raises(InputError) as refused:
        engine.answer(statement)
    assert told in str(refused.value) and not started
    assert engine.answer("SELECT 1").rows and engine.answer(statement).rows, "once it runs, the engine itself says"
    assert started[0].asked == 2 and len(started) == 1


@pytest.mark.parametrize(
    "statement",
    [
        *(view_text(name)[1] for name in view_names()),
        "SELECT size(flags) FROM quotes LATERAL VIEW explode(flags) f AS flag", "SELECT nosuch(1)", "SHOW VIEWS",
        "SELECT id FROM range(3)", "SELECT col FROM (SELECT explode(map_keys(counts)) FROM runs)",
        "SELECT * FROM delta.`/lake/quotes`", "SELECT * FROM json.x", 'SELECT * FROM runs WHERE night = "nigt"',
        "CREATE TEMP VIEW mine AS SELECT 1 AS b", "SELECT transform(differences, d -> d.kind) FROM headline_quotes",
        "SELECT * FROM quotes joined LATERAL VIEW explode(flags) f AS g", "SELECT percentile(words, 0.5) FROM quotes",
        "SELECT count(*) FROM range(100000000000)", "SELECT ';", "", "SELECT 1; SELECT 2",
    ],
)  # fmt: skip
def test_what_spark_may_read_passes(statement: str):
    foresee(statement)


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
    engine = Sleeper()
    run_statement(engine, "csv", statement)
    assert column in capsys.readouterr().out.splitlines()[0].split(",") and not engine.asked


def test_types_of_views_are_said_as_those_of_tables():
    assert types_of("quote_versions")["kinds"] == "STRING[]"
    assert {types_of("watch_movers")[name] for name in ("uses", "new_uses")} == {"BIGINT"}
    assert types_of("alerts")["priority"] == "DOUBLE" and types_of("alerts")["published_at"] == "TIMESTAMP"


def test_mistakes_of_a_piped_session_start_no_spark(run_job: Callable[..., Done], tmp_path: Path, monkeypatch):
    monkeypatch.setattr("quotelake.commands.query._start_spark", lambda *_: pytest.fail("Spark was started"))
    complete(tmp_path, "r1")
    text = b"SHOW TABLES;\nSELECT * FROM quots;\nDESCRIBE quotes;\nSELECT headlin FROM documents;\n"
    done = run_job(QUERY, "--lake", tmp_path, "--engine", "spark", "--format", "csv", stdin=text)
    assert done.code == 2 and "no table or view quots" in done.error and "no column headlin" in done.error
    assert "quote_id,STRING" in done.out
