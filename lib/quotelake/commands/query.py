r"""Query a lake in SQL: tables and views as the last complete run left them, or with --as-of that of a past night.

{command} --lake DIR "SELECT …" [--format table|vertical|csv|json]
{command} --lake DIR "SELECT …" --out FILE.xlsx
{command} --lake DIR

The first prints the answer to one statement. The second writes it, of any size, as .csv, .json, .parquet or .xlsx;
a text is never a formula, and times are UTC. The third is a prompt: statements end by ; or a blank line, \d lists
tables and views, \q or Ctrl-D ends.

On a local lake statements are in DuckDB's SQL, and only read. --engine spark runs Spark's SQL, as does a lake at an
address such as s3a://bucket/lake.
"""

import json
import logging
import os
import pydoc
import re
import sys
from argparse import Namespace
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from sqlite3 import complete_statement
from typing import Final

from quotelake.commands.console import make_console, show_rows
from quotelake.errors import InputError, QuotelakeError, Status
from quotelake.files.outputs import write_csv
from quotelake.lake.contracts import table_names
from quotelake.program import command
from quotelake.query.catalog import FIRST_VIEWS, columns_of, description_of, types_of, view_names
from quotelake.query.engines import Answer, Engine, open_engine

#: A comment; group 1: the start of an unterminated one.
_COMMENT: Final = re.compile(r"--.*|/\*[\s\S]*?\*/|(/\*)[\s\S]*")
#: Statements for what ``\\d`` and ``\\d NAME`` print; the engines would list what was read before, and explain nothing.
_LISTED: Final = re.compile(r"(?i)(?:show\s+(?:tables|views)|\\d)[\s;]*")
_EXPLAINED: Final = re.compile(r"(?i)(\\d|desc|describe|show\s+columns\s+(?:from|in))\s+(?:table\s+)?(\w+)[\s;]*")


def run(arguments: Namespace) -> int:
    """Answer one statement, or the statements of standard input; return the exit status."""
    run_alone = f"{command('query')} --lake DIR"
    if arguments.sql is not None:
        statements, rest = split(arguments.sql)
        # A script between BEGIN and END is one statement.
        if len(statements) + bool(rest) > 1 and not arguments.sql.lower().startswith("begin"):
            remedy = f"give them one at a time, or all on standard input: {run_alone} < FILE.sql"
            raise InputError(f"more than one statement: {remedy}")
    elif "PYSPARK_GATEWAY_PORT" in os.environ:  # started by spark-submit
        raise InputError(f"spark-submit passes no input on; for the prompt, run: {run_alone}")
    elif arguments.out is not None:
        raise InputError(f"--out {arguments.out}: give the statement too, whose answer is written")
    start = partial(_start_spark, arguments.lake, arguments.as_of)
    engine = open_engine(arguments.lake, start, arguments.engine, arguments.as_of)
    if arguments.out is not None:
        from quotelake.files.answers import write_answer

        print(f"{write_answer(engine.batches(arguments.sql), arguments.out):,} rows written to {arguments.out}")
        return 0
    handle = partial(run_statement, engine, arguments.format)
    if arguments.sql is None:
        return run_prompt(handle, interactive=sys.stdin.isatty())
    handle(arguments.sql)
    return 0


def run_statement(engine: Engine, style: str, statement: str) -> None:
    r"""Answer one statement, or ``\d`` and ``\d NAME``, on standard output."""
    explained = _EXPLAINED.fullmatch(statement)
    if _LISTED.fullmatch(statement):
        show(describe(""), style)
    elif explained and (explained[1] == "\\d" or explained[2].lower() in (*table_names(), *view_names())):
        show(describe(explained[2].lower()), style)
    elif statement.startswith("\\"):
        raise InputError(f"{statement.split()[0]}: commands are \\d, \\d NAME and \\q")
    else:
        show(engine.answer(statement), style)


def describe(name: str) -> Answer:
    """Views, those to begin with first, and tables; or the columns of one."""
    if name:
        description_of(name)  # refuses what is neither
        types = types_of(name)
        rows = [{"column": c, "type": types[c], "what it holds": comment} for c, comment in columns_of(name).items()]
    else:
        views = [*FIRST_VIEWS, *sorted(set(view_names()).difference(FIRST_VIEWS))]
        kinds = {**dict.fromkeys(views, "view"), **dict.fromkeys(table_names(), "table")}
        rows = [{"name": n, "kind": kind, "one row per": description_of(n)} for n, kind in kinds.items()]
    return Answer(tuple(rows[0]), rows)


def show(answer: Answer, style: str) -> None:
    """Print rows."""
    if style == "json":
        print(json.dumps(answer.rows, ensure_ascii=False, indent=2, default=str))
    elif style == "csv":
        write_csv(sys.stdout, answer.names, answer.rows)
    else:
        console = make_console()
        with console.capture() as printed:
            show_rows(console, answer.names, answer.rows, vertical=style == "vertical")
        if console.is_terminal and printed.get().count("\n") >= console.height:
            os.environ.setdefault("LESS", "FRX")  # with colours, and on the screen behind its end, as git has it
            pydoc.pager(printed.get())  # that of the person (PAGER)
        else:
            console.file.write(printed.get())
    sys.stdout.flush()


def _start_spark(root: str, as_of: str | None) -> Engine:
    from pyspark.sql import SparkSession

    from quotelake.embeddings.embed import register_embed_text
    from quotelake.lake.tables import Lake
    from quotelake.nightly.versions import active
    from quotelake.query.spark import start_engine

    def embed_text(lake: Lake) -> None:  # SELECT embed_text(headline) FROM documents
        versions = active(lake)
        if versions is not None:
            register_embed_text(lake.spark, versions.model, versions.dtype)

    engine = start_engine("query", root, {"embed_text": embed_text}, as_of)
    # Errors are printed once, by this job, and not also by Spark's loggers in Python and Java with stack traces.
    logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL + 1)
    SparkSession.active().sparkContext.setLogLevel("OFF")
    return engine


def split(text: str) -> tuple[list[str], str]:
    r"""Cut text into the statements that end with a semicolon, and the rest after the last one.

    Semicolons in quoted text and in comments end nothing; comments alone are no statement.

    >>> split("SELECT ';' AS a; -- one; two\nSELECT 2")
    (["SELECT ';' AS a"], '-- one; two\nSELECT 2')
    """
    parts, start = list[str](), 0
    for semicolon in re.finditer(";", text):
        if complete_statement(text[start : semicolon.end()]):
            parts.append(text[start : semicolon.start()].strip())
            start = semicolon.end()
    *statements, rest = (part if _COMMENT.sub(r"\1", part).strip() else "" for part in [*parts, text[start:].lstrip()])
    return [statement for statement in statements if statement], rest


def run_prompt(run: Callable[[str], None], *, interactive: bool) -> int:
    """Run each statement of standard input until its end or ``\\q``; return the exit status.

    A statement ends at ``;``, and where a person types (``interactive``) also at a blank line outside quoted text and
    comments. A line that begins with a backslash is a command and goes to ``run`` unchanged. An error is one message on
    standard error, and the next statement is read.
    """
    status, pending = 0, ""
    if interactive:
        with suppress(ImportError):
            import readline  # noqa: F401  # input() then offers the lines typed before
    while True:
        try:
            line = _typed_line(pending) if interactive else sys.stdin.readline()
        except KeyboardInterrupt:
            if not interactive:
                raise
            line, pending = "\n" if pending else "", ""  # drops the statement; without one the prompt ends
        command = "" if pending else line.strip()
        if not line or command == "\\q":
            break
        pending += line
        ended = interactive and not line.strip() and complete_statement(f"{pending}\n;")
        statements, pending = ([pending], "") if ended or command.startswith("\\") else split(pending)
        for statement in statements:
            status = _run_one(run, statement) or status
    status = _run_one(run, pending) or status
    return 0 if interactive else status


def _run_one(run: Callable[[str], None], statement: str) -> int:
    try:
        if statement := statement.strip().rstrip(";"):
            run(statement)
    except QuotelakeError as error:
        print(f"quotelake: {error}", file=sys.stderr, flush=True)
        return error.exit_code
    except KeyboardInterrupt:
        print("quotelake: stopped", file=sys.stderr, flush=True)
        return Status.INTERRUPTED
    return 0


def _typed_line(pending: str) -> str:
    """The next line from a person, who has typed the ``pending`` part of a statement; empty at the end."""
    prompt = "        -> " if pending else "quotelake> "
    if not sys.stdout.isatty():  # standard output has data only
        print(prompt, end="", file=sys.stderr, flush=True)
        prompt = ""
    try:
        return f"{input(prompt)}\n"
    except EOFError:
        print(file=sys.stderr)
        return ""
