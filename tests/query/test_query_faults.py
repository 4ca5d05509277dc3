"""A wrong statement is one readable message on standard error, with nothing of Java; standard output has data only."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.running import Done

QUERY = Path(__file__).parents[2] / "jobs" / "query.py"


@pytest.mark.parametrize("statements", ["SELECT 1; SELECT 2", "SELECT 1;\nDROP TABLE quotes;"])
def test_two_statements_are_refused_before_a_lake_is_opened(
    run_job: Callable[..., Done], tmp_path: Path, statements: str
):
    done = run_job(QUERY, "--lake", tmp_path, statements)
    assert (done.code, done.out) == (2, "")
    assert done.error.startswith("quotelake: more than one statement: ") and done.error.count("\n") == 1


@pytest.mark.spark
def test_each_wrong_statement_is_one_message_and_the_right_ones_are_answered(
    run_job: Callable[..., Done], sample_lake: str
):
    wrong = {
        "SELEC 1": "line 1, character 1: Syntax error at or near 'SELEC'",
        "SELECT 1\nFROM documnts": "no table or view documnts; did you mean documents or ",
        "SELECT headlin FROM documents": "line 1, character 8: no column headlin; did you mean headline?",
        "SELECT 1,\n  q.speaker.nam FROM quotes q": "line 2, character 3: no field nam; did you mean name?",
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
