"""What Spark says of a wrong statement becomes one message: what, where, and the name that was meant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.query.faults import say_fault

NAMES = ["documents", "quotes", "headline_alerts"]
PARSE = (
    "\n[PARSE_SYNTAX_ERROR] Syntax error at or near 'FORM'. SQLSTATE: 42601 (line 2, pos 4)\n\n== SQL ==\nSELECT 1\n"
    "x FORM\n----^^^\n"
)
COLUMN = (
    "[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column, variable, or function parameter with name `headlin` cannot be "
    "resolved. Did you mean one of the following? [`headline`, `body`]. SQLSTATE: 42703; line 1 pos 7;\n"
    "'Project ['headlin]\n+- Relation [a#1]"
)
FIELD = "[FIELD_NOT_FOUND] No such struct field `nam` in `text`, `start`, `name`. SQLSTATE: 42704; line 1 pos 7;\n"
RUNTIME = (
    "An error occurred while calling o1.collectToPython.\n: org.apache.spark.SparkException: [DIVIDE_BY_ZERO] Division "
    "by zero. SQLSTATE: 22012\n\tat org.apache.spark.X.y(X.scala:1)\n"
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (PARSE, "the statement failed at line 2, character 5: Syntax error at or near 'FORM'."),
        (COLUMN, "the statement failed at line 1, character 8: no column headlin; did you mean headline?"),
        (FIELD, "the statement failed at line 1, character 8: no field nam; did you mean name?"),
        (RUNTIME, "the statement failed: Division by zero."),
        ("java.lang.IllegalStateException: no\n\tat java.lang.X.y(X.java:1)", "the statement failed: no"),
        ("", "the statement failed: Spark does not say why"),
    ],
)
def test_the_message_and_its_place_are_kept_and_nothing_of_java(text: str, expected: str):
    assert say_fault(text, NAMES) == expected


def test_the_nearest_table_is_named_or_the_nearest_few():
    text = "[TABLE_OR_VIEW_NOT_FOUND] The table or view `{}` cannot be found. Verify. SQLSTATE: 42P01; line 1 pos 14;"
    assert say_fault(text.format("documnts"), NAMES).endswith("no table or view documnts; did you mean documents?")
    assert say_fault(text.format("zzz"), NAMES).endswith("the nearest names are: quotes, headline_alerts, documents")


@given(st.text())
def test_any_text_makes_one_line(text: str):
    said = say_fault(text, NAMES)
    assert said.startswith("the statement failed") and len(said.splitlines()) == 1
