"""The prompt: where statements end, and that one wrong statement does not end the session."""

import io
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.errors import InputError
from quotelake.query import prompt
from quotelake.query.prompt import run_prompt, split

PIECES = st.lists(st.sampled_from(["SELECT 1", "'a;b'", '"c;"', "`d;`", " -- e;\n", "/* f; */", " ", "\n", "g"]))


@given(st.lists(PIECES.map("".join), max_size=4))
def test_semicolons_in_texts_and_comments_end_nothing(parts: list[str]):
    statements, rest = split(";".join([*parts, ""]))
    kept = [part.strip() for part in parts if part.replace("-- e;", "").replace("/* f; */", "").strip()]
    assert (statements, rest) == (kept, "")


def piped(monkeypatch: pytest.MonkeyPatch, text: str, handle: Callable[[str], None]) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    return run_prompt(handle, interactive=False)


def test_piped_statements_run_in_turn_and_a_wrong_one_is_one_message(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    seen = []

    def handle(statement: str) -> None:
        seen.append(statement)
        if "wrong" in statement:
            raise InputError("no such thing")

    status = piped(monkeypatch, "SELECT 1; SELECT\n\nwrong;\n\\d quotes\nSELECT ';'\n", handle)
    assert seen == ["SELECT 1", "SELECT\n\nwrong", "\\d quotes", "SELECT ';'"]
    assert status == 2, "whoever pipes statements learns that one failed"
    out = capsys.readouterr()
    assert out.out == "" and out.err == "quotelake: no such thing\n"


def test_nothing_after_q_is_run(monkeypatch: pytest.MonkeyPatch):
    seen: list[str] = []
    assert piped(monkeypatch, "SELECT 1;\n\\q\nSELECT 2;\n", seen.append) == 0
    assert seen == ["SELECT 1"]


def test_a_blank_line_ends_what_a_person_types_but_not_inside_a_text(monkeypatch: pytest.MonkeyPatch):
    lines = iter(["SELECT 1", "", "SELECT 'a", "", "b'", "", ""])
    monkeypatch.setattr(prompt, "_typed", lambda going_on: next((f"{line}\n" for line in lines), ""))
    monkeypatch.setattr(prompt, "_HISTORY", "/nonexistent/history")
    seen: list[str] = []
    assert run_prompt(seen.append, interactive=True) == 0
    assert seen == ["SELECT 1", "SELECT 'a\n\nb'"]
