"""A wrong statement is one message, what, where, and the name that was meant; at the prompt it ends no session."""

from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.query.lakes import complete
from tests.running import Done

from quotelake.commands.query import run_prompt, split
from quotelake.query.spark import explain_spark_error

QUERY = Path(__file__).parents[2] / "jobs" / "query.py"
SPARK_ERRORS = {
    "\n[PARSE_SYNTAX_ERROR] Syntax error at or near 'FORM'. SQLSTATE: 42601 (line 2, pos 4)\n\n== SQL ==\nSELECT 1\n":
        " at line 2, character 5: Syntax error at or near 'FORM'.",
    "[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column with name `headlin` cannot be resolved. Did you mean one of the "
    "following? [`headline`, `body`]. SQLSTATE: 42703; line 1 pos 7;\n'Project ['headlin]\n+- Relation [a#1]":
        " at line 1, character 8: A column with name `headlin` cannot be resolved. Did you mean one of the following? "
        "[`headline`, `body`].",
    "[TABLE_OR_VIEW_NOT_FOUND] The table or view `embedings` cannot be found. SQLSTATE: 42P01; line 1 pos 14;":
        " at line 1, character 15: no table or view embedings; did you mean embeddings or readings?",
    "[TABLE_OR_VIEW_NOT_FOUND] The table or view `zzz` cannot be found. SQLSTATE: 42P01;":
        ": no table or view zzz; the nearest names are: watch_uses, watch_texts, watch_movers",
    "An error occurred while calling o1.collectToPython.\n: org.apache.spark.SparkException: [DIVIDE_BY_ZERO] Division "
    "by zero. SQLSTATE: 22012\n\tat org.apache.spark.X.y(X.scala:1)\n": ": Division by zero.",
    "": ": Spark gives no reason",
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), SPARK_ERRORS.items())
def test_the_message_its_place_and_the_nearest_table_are_kept_and_nothing_of_java(text: str, expected: str):
    assert explain_spark_error(text) == f"the statement failed{expected}"


@given(st.text())
def test_any_text_makes_one_line(text: str):
    message = explain_spark_error(text)
    assert message.startswith("the statement failed") and len(message.splitlines()) == 1


def test_two_statements_are_refused_before_a_lake_is_opened(run_job: Callable[..., Done], tmp_path: Path):
    done = run_job(QUERY, "--lake", tmp_path, "SELECT 1;\nDROP TABLE quotes;")
    assert (done.code, done.out) == (2, "")
    assert done.error.startswith("quotelake: more than one statement: ") and done.error.count("\n") == 1


def test_piped_statements_are_answered_one_after_the_other(run_job: Callable[..., Done], tmp_path: Path):
    complete(tmp_path, "r1")
    text = b"SELECT nope FROM runs; SELECT stage,\n\n night FROM runs;\n\\d runs\n\\x\nSELECT ';' AS last\n"
    done = run_job(QUERY, "--lake", tmp_path, "--format", "csv", stdin=text)
    assert done.code == 2, "a program that pipes statements learns that one failed"
    unknown, wrong_command = done.error.splitlines()
    assert 'column "nope" not found' in unknown and "commands are \\d" in wrong_command
    lines = done.out.splitlines()
    assert lines[:2] == ["stage,night", "run,"] and lines[-2:] == ["last", ";"] and "settings_fingerprint" in done.out


@pytest.mark.spark
def test_each_wrong_statement_is_one_message_and_the_right_ones_are_answered(
    run_job: Callable[..., Done], sample_lake: str
):
    wrong = {
        "SELEC 1": "line 1, character 1: Syntax error at or near 'SELEC'",
        "SELECT 1 LATERAL VEW": "line 1, character 18: Syntax error at or near 'VEW'",
        "SELECT 1\nFROM documnts": "no table or view documnts; did you mean documents or ",
        "SELECT headlin FROM documents": "character 8: A column, variable, or function parameter with name `headlin`",
        "SELECT 1,\n  q.speaker.nam FROM quotes q": "line 2, character 3: No such struct field `nam` in ",
        "SELECT nosuch(1)": "routine `nosuch`",
        "SELECT raise_error('a fault')": "a fault",
    }
    lines = "".join(f"{statement};\n" for statement in wrong) + "SELECT 7 AS seven;\n"
    done = run_job(QUERY, "--lake", sample_lake, "--engine", "spark", "--format", "csv", stdin=lines.encode())
    assert (done.code, done.out.split()) == (2, ["seven", "7"])
    said = [line for line in done.error.splitlines() if line.startswith("quotelake: ")]
    assert len(said) == len(wrong)
    for line, part in zip(said, wrong.values(), strict=True):
        assert part in line
    for word in ("\tat ", "java.", "org.apache", "Traceback", "SQLSTATE", "JVM"):
        assert word not in done.error


PIECES = st.lists(st.sampled_from(["SELECT 1", "'a;b'", '"c;"', "`d;`", " -- e;\n", "/* f; */", " ", "\n", "g"]))


@given(st.lists(PIECES.map("".join), max_size=4))
def test_semicolons_in_texts_and_comments_end_nothing(parts: list[str]):
    statements, rest = split(";".join([*parts, ""]))
    kept = [part.strip() for part in parts if part.replace("-- e;", "").replace("/* f; */", "").strip()]
    assert (statements, rest) == (kept, "")


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str | type[BaseException]) -> list[str]:
    """Statements that run when a person types these lines or presses Ctrl-C; the end of the input comes last."""
    monkeypatch.setattr("builtins.input", Mock(side_effect=[*lines, EOFError]))
    statements: list[str] = []
    assert run_prompt(statements.append, interactive=True) == 0
    return statements


def test_a_blank_line_ends_what_a_person_types_but_not_inside_a_text(monkeypatch: pytest.MonkeyPatch):
    assert typed(monkeypatch, "SELECT 1", "", "SELECT 'a", "", "b'", "", "") == ["SELECT 1", "SELECT 'a\n\nb'"]
    dropped = typed(monkeypatch, "SELECT 1", KeyboardInterrupt, "SELECT 2;", KeyboardInterrupt, "SELECT 3;")
    assert dropped == ["SELECT 2"] and typed(monkeypatch, "\\q", "SELECT 1;") == []
