r"""Query a lake in SQL: tables and views as the last complete run left them.

query.py --lake DIR "SELECT …" [--format table|vertical|csv|json]   # one statement
query.py --lake DIR                                           # a prompt: statements end by ; or a blank line,
                                                              # \d lists tables and views, \q or Ctrl-D ends

On a local lake statements are in DuckDB's SQL, and only read. --engine spark runs Spark's SQL, as does a lake at an
address such as s3a://bucket/lake.
"""

import argparse
import csv
import json
import logging
import os
import sys
from functools import partial

from quotelake.commands import command, job_parser
from quotelake.errors import InputError, exit_with
from quotelake.files.csv_files import text_cell
from quotelake.lake.contracts import contract, table_names
from quotelake.query.ask import Answer, Engine, open_engine
from quotelake.query.catalog import view_names, view_text
from quotelake.query.columns import columns_of
from quotelake.query.prompt import run_prompt, split
from quotelake.reporting.console import make_console, show_rows

#: Whether spark-submit started the job: then Spark is running, and standard error goes to the same place as output.
SUBMITTED = "PYSPARK_GATEWAY_PORT" in os.environ


def main() -> int:
    """Run one statement, or the statements of standard input; return the exit status."""
    arguments = _arguments()
    if arguments.sql is None and SUBMITTED:
        raise InputError(f"spark-submit passes no input on; for the prompt, run: {command('query')} --lake DIR")
    if arguments.sql is not None:
        _check_single(arguments.sql)
    engine = open_engine(arguments.lake, partial(_start_spark, arguments.lake), arguments.engine)
    handle = partial(run_statement, engine, arguments.format)
    if arguments.sql is not None:
        handle(arguments.sql)
        return 0
    return run_prompt(handle, interactive=sys.stdin.isatty())


def run_statement(engine: Engine, style: str, statement: str) -> None:
    r"""Answer one statement, or ``\d`` and ``\d NAME``, on standard output."""
    command, _, name = statement.partition(" ")
    if statement.lower() == "show tables":  # the engines would list those that were read before
        show(describe(engine, ""), style)
    elif command == "\\d":
        show(describe(engine, name.strip().lower()), style)
    elif command.startswith("\\"):
        raise InputError(f"{command}: commands are \\d, \\d NAME and \\q")
    else:
        show(engine.answer(statement), style)


def describe(engine: Engine, name: str) -> Answer:
    """Tables and views, or the columns of one."""
    if name in table_names():
        types = {column.name: column.type for column in contract(name).columns}
        rows = [{"column": c, "type": types[c], "what it holds": comment} for c, comment in columns_of(name).items()]
    elif name in view_names():
        rows = [{"column": column, "what it holds": comment} for column, comment in columns_of(name).items()]
    elif name:
        rows = [{"column": column} for column in engine.answer(f"SELECT * FROM {name} LIMIT 0").names]
    else:
        rows = [{"name": table, "kind": "table", "one row per": contract(table).description} for table in table_names()]
        rows += [{"name": view, "kind": "view", "one row per": view_text(view)[0]} for view in sorted(view_names())]
    return Answer(tuple(rows[0]), rows)


def show(answer: Answer, style: str) -> None:
    """Print rows."""
    if style == "json":
        print(json.dumps(answer.rows, ensure_ascii=False, indent=2, default=str))
    elif style == "csv":
        writer = csv.writer(sys.stdout)
        writer.writerow(map(text_cell, answer.names))
        writer.writerows([text_cell(row[name]) for name in answer.names] for row in answer.rows)
    else:
        show_rows(make_console(), answer.names, answer.rows, vertical=style == "vertical")
    sys.stdout.flush()


def _check_single(text: str) -> None:
    """Refuse several statements before Spark is started. A script between BEGIN and END is one statement."""
    statements, rest = split(text)
    if len(statements) + bool(rest) > 1 and not text.lower().startswith("begin"):
        raise InputError(
            "more than one statement: give them one at a time, or all on standard input: "
            f"{command('query')} --lake DIR < FILE.sql"
        )


def _start_spark(root: str) -> Engine:
    # Imported only here: importing Spark takes longer than most answers.
    from pyspark.sql import SparkSession

    from quotelake.embeddings.embed import register_embed_text
    from quotelake.lake.tables import Lake
    from quotelake.nightly.versions import active
    from quotelake.query.spark import start_engine

    def embed_text(lake: Lake) -> None:  # SELECT embed_text(headline) FROM documents
        versions = active(lake)
        if versions is not None:
            register_embed_text(lake.spark, versions.model, versions.dtype)

    engine = start_engine("query", root, {"embed_text": embed_text})
    # Errors are printed once, by this job, and not also by Spark's loggers in Python and Java with stack traces.
    logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL + 1)
    session = SparkSession.getActiveSession()
    if session is not None:
        session.sparkContext.setLogLevel("OFF")
    return engine


def _arguments() -> argparse.Namespace:
    parser = job_parser("query.py", __doc__)
    parser.add_argument("--lake", default="./lake", help="directory or address of the lake (default: ./lake)")
    example = '"SELECT alert, score, outlet, headline_quote FROM headline_alerts LIMIT 10"'
    parser.add_argument("sql", nargs="?", help=f"a statement, such as {example}; none: a prompt")
    parser.add_argument(
        "--format", choices=("table", "vertical", "csv", "json"), default="table",
        help="table (default): a line per row, or where its columns do not fit, as vertical: a line per column",
    )  # fmt: skip
    parser.add_argument(
        "--engine", choices=("auto", "duckdb", "spark"), default="auto",
        help="duckdb: DuckDB's SQL; spark: Spark's SQL; auto (default): duckdb on a local lake, spark at an address",
    )  # fmt: skip
    return parser.parse_args()


if __name__ == "__main__":
    exit_with(main)
