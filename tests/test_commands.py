"""The program and its jobs: every job is reachable, names itself as it was typed, and names only what works."""

import ast
import os
import re
import subprocess
import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import get_args

import pytest
from tests.query.lakes import make_lake, use
from tests.running import Done

from quotelake import cli
from quotelake.cli import COMMANDS, run_command
from quotelake.commands.options import declare
from quotelake.contextomy.differences import Kind
from quotelake.program import STARTED_BY, command, program
from quotelake.settings import Which

ROOT = Path(__file__).parents[1]
LIB = ROOT / "lib" / "quotelake"
#: For whoever changes Quotelake: run by the Python of the environment, and not listed.
TOOLS = {"evaluate", "write_docs"}
#: Command → the file in ``jobs/`` that starts it too.
JOBS = {
    found[1]: path.name
    for path in sorted((ROOT / "jobs").glob("*.py"))
    if (found := re.search(r'^    start\("(\w+)"\)$', path.read_text("utf-8"), re.MULTILINE))
}
#: What the string of a message may not name: a file of jobs/, or a program that a clean shell does not find.
UNFIT = re.compile("|".join([r"\b(?:spark-submit|python3?) jobs", *(rf"\b{job}\b" for job in JOBS.values())]))
OF_CHECKOUT = re.compile(r"\b(?:docs|jobs|schemas|conf)/\w|\bREADME\b|\bmake [a-z]+`|\.venv/")


#: Lists the commands, queries a lake, declares the arguments of each, and runs others that must be light.
LIGHT = """
import sys
from argparse import ArgumentParser
from importlib import import_module

from quotelake.cli import COMMANDS, run_command, summary_of
from quotelake.commands.options import declare

assert all(map(summary_of, COMMANDS)) and not {"rich", "duckdb"} & {*sys.modules}, "the list needs no library"
run_command("quotelake.commands.query", "query", ["--lake", "lake", "SELECT 'the price of bread' AS a FROM variants"])
heavy = {"pyspark", "delta", "py4j", "torch", "sentence_transformers", "pandas", "matplotlib"}
assert not (heavy | {"pyarrow", "pydantic"}) & {*sys.modules}, heavy & {*sys.modules}
for name in COMMANDS:
    import_module(f"quotelake.commands.{name}")
    declare(ArgumentParser(), name)
assert not heavy & {*sys.modules}, heavy & {*sys.modules}
for name, *words in (
    ("find", "a.txt"), ("check", "--headline", "“price of bread”", "--body", "a.txt"),
    ("check", "--text", "a.txt", "--lake", "lake"), ("lookup", "--lake", "lake", "--no-meaning", "the price of bread"),
):
    assert not run_command(f"quotelake.commands.{name}", name, words), name
assert {*sys.modules} & heavy <= {"pandas"}, "which DuckDB imports"
"""


def module_of(name: str) -> ModuleType:
    return import_module(f"quotelake.commands.{name}")


@cache
def options_of(name: str) -> frozenset[str]:
    """Long options of a command, and those of its actions."""
    parsers = [ArgumentParser()]
    declare(parsers[0], name)
    for parser in parsers:
        for action in parser._actions:
            parsers += action.choices.values() if isinstance(action, _SubParsersAction) else ()
    return frozenset(option for parser in parsers for option in parser._option_string_actions)


def test_models_of_a_reader_can_read_what_the_settings_name():
    parser = ArgumentParser()
    declare(parser, "score")
    [which] = [action.choices for action in parser._actions if action.dest == "activate_reader"]
    assert tuple(which) == get_args(Which)


def test_an_unknown_kind_of_alert_is_refused_with_the_kinds_there_are(capsys):
    with pytest.raises(SystemExit):
        run_command("quotelake.commands.review", "review", ["export", "--out", "a.csv", "--alert", "negtion"])
    said = capsys.readouterr().err
    assert "negtion" in said and all(kind in said for kind in (*Kind, "reader"))
    parser = ArgumentParser()
    declare(parser, "review export")
    [kinds] = [action.choices for action in parser._actions if action.dest == "alert"]
    assert kinds == [*Kind, "reader"]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that started this process, in a folder of its own."""
    path = tmp_path / "my env" / "bin" / "quotelake"
    path.parent.mkdir(parents=True)
    path.touch()
    monkeypatch.setenv(STARTED_BY, str(path))
    return path


def test_every_job_is_a_command_or_a_tool_and_every_command_is_a_job():
    assert {path.stem for path in (ROOT / "jobs").glob("*.py")} == {*TOOLS, *(Path(job).stem for job in JOBS.values())}
    assert sorted(JOBS) == sorted(COMMANDS)


def test_the_list_says_of_each_command_the_first_line_of_its_help_and_others_are_refused(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv(STARTED_BY, "")  # which the program sets
    monkeypatch.setattr(sys, "argv", ["quotelake"])
    cli.main()
    listed = capsys.readouterr().out
    for name in COMMANDS:
        assert re.search(rf"^    {name}\s+{re.escape(cli.summary_of(name))}$", listed, re.MULTILINE), name
    monkeypatch.setattr(sys, "argv", ["quotelake", "qurey"])
    with pytest.raises(SystemExit, match="2"):
        cli.main()
    said = capsys.readouterr().err
    assert "qurey" in said and re.search(r"\bquery\b", said)  # some Pythons write choices in marks


@pytest.mark.process
def test_help_queries_and_commands_on_texts_import_neither_spark_nor_torch_nor_pandas(tmp_path: Path):
    make_lake(tmp_path / "lake", [use("Nobody knows the price of bread")])
    (tmp_path / "a.txt").write_text("“Nobody knows the price of bread,” said Bell.", "utf-8")
    done = subprocess.run([sys.executable, "-c", LIGHT], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.count("Nobody knows the price of bread") >= 3
    assert not (tmp_path / "lake" / "_lookup").exists()


def test_a_command_gets_its_arguments_as_they_are(monkeypatch):
    ran: list[Namespace] = []
    monkeypatch.setattr("quotelake.commands.digest.run", ran.append)
    monkeypatch.setattr(sys, "argv", ["/somewhere/bin/quotelake", "digest", "--lake", "a b '%'"])
    monkeypatch.setenv(STARTED_BY, "")
    cli.main()
    assert [given.lake for given in ran] == ["a b '%'"]
    assert os.environ[STARTED_BY] == "/somewhere/bin/quotelake"


def test_the_program_is_named_so_that_a_shell_finds_it(installed: Path, tmp_path: Path, monkeypatch):
    for here, expected in (
        (tmp_path, "'my env/bin/quotelake'"),
        (tmp_path / "my env", "bin/quotelake"),
        (installed.parent, "./quotelake"),  # without a folder the shell would look on its PATH
        (Path("/"), f"'{installed}'"),
        (LIB, f"'{installed}'"),
    ):
        monkeypatch.chdir(here)
        assert program() == expected
    installed.unlink()
    assert program() == f"{sys.executable} -m quotelake"
    monkeypatch.delenv(STARTED_BY)  # started by nobody: the one beside Python
    (tmp_path / "quotelake").touch()
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert command("rank") == f"{tmp_path}/quotelake rank"


@pytest.mark.parametrize("name", COMMANDS)
def test_a_job_starts_its_command_by_the_same_arguments(
    name: str, installed: Path, monkeypatch: pytest.MonkeyPatch, run_job: Callable[..., Done]
):
    monkeypatch.chdir("/")
    monkeypatch.setenv("COLUMNS", "300")
    typed = run_job(LIB / "__main__.py", name, "--help").out
    started = run_job(ROOT / "jobs" / JOBS[name], "--help").out
    assert not UNFIT.search(typed)
    for shown, text in ((rf".*quotelake {name}", typed), (JOBS[name], started)):
        found = re.match(rf"usage: ({shown}) \[-h\]", text)
        assert found and text.count(found[1]) == 1 + (module_of(name).__doc__ or "").count("{command}")
    assert started.split("options:")[1] == typed.split("options:")[1]


def test_messages_name_neither_what_a_clean_shell_lacks_nor_files_of_a_checkout():
    """``docs/…`` is nowhere where a wheel was installed; ``shipped`` says where the page is."""
    files = [*LIB.rglob("*.py"), *(ROOT / "lib/quotelab").rglob("*.py"), *(ROOT / "jobs").glob("*.py")]
    found = []
    for path, text in ((path, path.read_text("utf-8")) for path in files):
        if not UNFIT.search(text) and not OF_CHECKOUT.search(text):
            continue
        for node in messages(ast.parse(text)):
            unfit = UNFIT.search(node.value) and node.value not in JOBS.values()  # names of files, which benchmarks run
            is_shipped = f"shipped({node.value!r})" in text.replace('"', "'")
            lost = path.is_relative_to(LIB) and OF_CHECKOUT.search(node.value) and not is_shipped
            found += [f"{path.relative_to(ROOT)}:{node.lineno}"] if unfit or lost else []
    shown = [*(LIB / "pages" / "templates").iterdir(), *(ROOT / "notebooks").glob("*.ipynb")]
    assert found + [path.name for path in shown if UNFIT.search(path.read_text("utf-8"))] == []


def test_every_command_that_a_message_names_is_one():
    texts = [path.read_text("utf-8") for path in (ROOT / "lib").rglob("*.py")]
    assert {*re.findall(r"""\bcommand\(["'](\w+)["']\)""", "".join(texts))} <= {*COMMANDS}


def messages(tree: ast.Module) -> list[ast.Constant]:
    """Strings of a file that are no docstrings."""
    documented = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    strings = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return [node for node in strings if id(node) not in documented]


PAGES = ["README.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))]


@pytest.mark.parametrize("page", PAGES)
def test_documents_name_commands_and_options_that_exist(page: str):
    text = (ROOT / page).read_text("utf-8").replace("\\\n", " ")
    for name, arguments in re.findall(r"(?:`|bin/)quotelake ([a-z][a-z-]*)([^`\n]*)", text):
        assert name in COMMANDS, f"quotelake {name}"
        unknown = {*re.findall(r"--[a-z][a-z-]+", arguments.partition(" #")[0])} - options_of(name)
        assert not unknown, f"quotelake {name} {unknown}"

    assert not re.search(r"(?:\bsource|\.) \S*activate", text), "nothing needs to be activated"
    alone = (ROOT / page).read_text("utf-8").partition("## On a cluster")[0]  # there spark-submit is given the jobs
    assert not re.search(r"^(?:spark-submit|python3?) ", alone, re.MULTILINE)
    assert not re.search(r"(?<!/)\b(?:spark-submit|python3?) jobs/", alone)
