"""The arguments of each command of the program ``quotelake``, and its help.

A command is described by the function that declares its arguments: the docstring is its help, in which ``{command}``
stands for the command as it was started, also by a file of ``jobs/`` for ``spark-submit``.
"""

import re
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable
from pathlib import Path

from quotelake.errors import InputError
from quotelake.files.outputs import ENDINGS


def score(parser: ArgumentParser) -> None:
    """The main job: new files in, scored Delta tables out. Without arguments: the sample corpus into ./lake."""
    lake_argument(parser)
    parser.add_argument("--input", action="append", default=[], metavar="NAME=GLOB", help="files of a declared source")
    only_check = "only say what would be read and how; writes nothing, needs no Spark"
    parser.add_argument("--check", action="store_true", help=only_check)
    reread = "read the files of this --input again"
    parser.add_argument("--reread", action="append", default=[], metavar="NAME", help=reread)
    retry = "process documents again that were set aside, because the program failed on them"
    parser.add_argument("--retry-set-aside", action="store_true", help=retry)
    watch = "texts to find in every document, JSON Lines or CSV: id, text, variants"
    parser.add_argument("--watch", type=Path, metavar="FILE", help=watch)
    parser.add_argument("--night", help="label of this run, kept in its rows of runs")
    strict = "end with status 4 if a source or outlet brought nothing, or far less than usual"
    parser.add_argument("--strict", action="store_true", help=strict)
    log = "append a line of JSON on the run, also if it fails; - writes it to standard output"
    parser.add_argument("--log-json", metavar="FILE", help=log)
    metrics = "write figures of the run for Prometheus' textfile collector"
    parser.add_argument("--metrics", type=Path, metavar="FILE.prom", help=metrics)
    settings_arguments(parser)
    activate = "let changed rules or another model read the archive anew"
    parser.add_argument("--activate", action="store_true", help=activate)


def query(parser: ArgumentParser) -> None:
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
    lake_argument(parser, past=True)
    example = '"SELECT alert, score, outlet, headline_quote FROM headline_alerts LIMIT 10"'
    parser.add_argument("sql", nargs="?", help=f"a statement, such as {example}; none: a prompt")
    style = "table (default): a line per row, or where its columns do not fit, as vertical: a line per column"
    parser.add_argument("--format", choices=("table", "vertical", "csv", "json"), default="table", help=style)
    out = f"write the answer to a file instead: {' '.join(ENDINGS)}"
    parser.add_argument("--out", type=_answer_file, metavar="FILE", help=out)
    engine = "duckdb: DuckDB's SQL; spark: Spark's SQL; auto (default): duckdb on a local lake, spark at an address"
    parser.add_argument("--engine", choices=("auto", "duckdb", "spark"), default="auto", help=engine)


def rank(parser: ArgumentParser) -> None:
    """Rank reused quotes by how much their topic varies from use to use (TRaC); print the ranking or write it.

    Groups are ranked by the lower bound of their interval, ties by id. --kind ranks the uses in news or in tweets
    alone; --outlet keeps the quotes that one outlet uses, by all of their uses. A file is written as it is read, of any
    size.
    """
    lake_argument(parser, past=True)
    period = "over all time (default), month by month, or one month"
    parser.add_argument("--period", type=_period, default="all", metavar="all|month|YYYY-MM", help=period)
    parser.add_argument("--kind", choices=("all", "news", "tweet"), default="all", help="uses in these sources alone")
    parser.add_argument("--outlet", metavar="NAME", help="only quotes that this outlet uses")
    needed = "distinct contexts needed (default: 10)"
    contexts = _at_least(3, "--min-contexts", "an interval needs at least 3 contexts")
    parser.add_argument("--min-contexts", type=contexts, default=10, metavar="N", help=needed)
    top = "groups shown per period (default: 20)"
    parser.add_argument("--top", type=_at_least(1, "--top"), default=20, metavar="K", help=top)
    out = f"write the whole ranking: {' '.join(ENDINGS)}"
    parser.add_argument("--out", type=_answer_file, metavar="FILE", help=out)


def export(parser: ArgumentParser) -> None:
    """Export the views for other tools: as tables of a DuckDB file, as a Parquet file each, or both.

    What is whole takes the place of what is there. Times are UTC, without a time zone. The setting
    report.export_duckdb names a DuckDB file that each run writes.
    """
    lake_argument(parser, past=True)
    parser.add_argument("--duckdb", type=Path, metavar="FILE", help="DuckDB file that is written anew")
    parser.add_argument("--parquet", type=Path, metavar="DIR", help="folder of a file for each view, VIEW.parquet")
    parser.add_argument("--views", metavar="VIEW,…", help="only these views or tables (default: all views)")


def serve(parser: ArgumentParser) -> None:
    """Serve the views to other programs of this machine, by JDBC and Spark Connect, until Ctrl-C.

    They are shown as the last complete run left them when the command was started. It listens on loopback alone, and
    asks for no password: every user of this machine may read what you may.
    """
    lake_argument(parser, past=True)
    parser.add_argument("--port", type=int, default=10000, metavar="N", help="of jdbc:hive2 (default: 10000)")
    parser.add_argument("--connect-port", type=int, default=15002, metavar="N", help="of sc:// (default: 15002)")


def check(parser: ArgumentParser) -> None:
    """Check the quotes of a headline against its article, or those of any text against its sources. No Spark.

    {command} --headline 'Mayor: "We will rebuild"' --body article.txt
    curl … | {command} --headline TEXT --body - --json
    {command} --text DRAFT --sources FILE… [--lake DIR] [--html OUT.html]

    The last holds every quotation of a draft, a summary or a press release against transcripts, articles and a lake.
    The suffix of a file says its format: .md, .html, or else plain text. Exit status 0: each quotation stands in a
    source, verbatim or as a fair excerpt; 3: there is something to look at.
    """
    parser.add_argument("--headline", metavar="TEXT", help="headline of the article")
    parser.add_argument("--body", metavar="FILE", help="file with its text in UTF-8; - reads the input")
    parser.add_argument("--text", metavar="FILE", help="text whose quotations are checked, in UTF-8; - reads the input")
    parser.add_argument("--sources", action="extend", nargs="+", default=[], metavar="FILE", help="its sources")
    parser.add_argument("--lake", metavar="DIR", help="look up in this lake what the sources do not have")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write one page with both sides")
    parser.add_argument("--language", metavar="CODE", help="of the article, ISO 639-1, such as en (default: detected)")
    parser.add_argument("--model", metavar="NAME", help="model instead of the one in the settings: name or directory")
    parser.add_argument("--no-model", action="store_true", help="judge by the strings alone")
    parser.add_argument("--json", action="store_true", help="print JSON")
    settings_arguments(parser)


def find(parser: ArgumentParser) -> None:
    """Find the quotes of a text, and who said each of them. No Spark.

    {command} article.txt
    curl … | {command} --json
    {command} --mode headline headline.txt

    The text is in UTF-8. With --json, the entries are those of docs/PYTHON.md; offsets count code points from 0.
    """
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="the text; - or nothing reads the input")
    mode = "what the text is (default: body)"
    parser.add_argument("--mode", choices=("body", "headline", "tweet"), default="body", help=mode)
    parser.add_argument("--language", metavar="CODE", help="ISO 639-1, such as en (default: detected)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def lookup(parser: ArgumentParser) -> None:
    """Look up where a text has been said before: the nearest known quotes of a lake, with first use and uses.

    {command} --lake DIR "TEXT"
    {command} --lake DIR --format json < FILE
    {command} --lake DIR --prepare ["TEXT"]

    The second looks each line up, and opens the lake once. The third first makes all vectors that looking up by meaning
    needs. Without it up to 1,000 are made; if more are missing, the answer says how many quotes it lacks by meaning.

    Quotes are found by wording and by meaning. Their score is the greater of two measures, each at most 1:

      wording   1 for the same words. Else the share of the words of the shorter text that need not change for it to
                be a part of the longer one, times .8 (much longer) to 1 (as long). A misspelt word counts as part of a
                word, and an ellipsis or a bracket stands for any words.
      meaning   cosine of the vectors that the lake's model gives to both texts. Quotes of at least 4 words have one.

    How a quote is near to the text: same (the same wording), longer (the text is a part of it), shorter (it is a part
    of the text), near (some words differ), meaning (other words of a similar meaning). A group of quotes is listed
    once.
    """
    lake_argument(parser)
    parser.add_argument("text", nargs="?", metavar="TEXT", help="a quote; none: each line of standard input is one")
    top = "groups found at most (default: 10)"
    parser.add_argument("--top", type=_at_least(1, "--top"), default=10, metavar="K", help=top)
    parser.add_argument("--min-score", type=float, default=0.6, metavar="S", help="least score, 0 to 1 (default: 0.6)")
    uses = "uses listed of each group, or all; 0: the first only (default: 3)"
    parser.add_argument("--uses", type=_uses, default=3, metavar="N", help=uses)
    parser.add_argument("--format", choices=("table", "json", "csv"), default="table", help="default: table")
    no_meaning = "look up by wording alone: at once, also the first time"
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--no-meaning", action="store_true", help=no_meaning)
    prepare = "first make all vectors that are missing; without TEXT, that is all"
    either.add_argument("--prepare", action="store_true", help=prepare)
    index = "where the vectors of known quotes are kept (default: _lookup in the lake)"
    parser.add_argument("--index", metavar="DIR", help=index)


def forget(parser: ArgumentParser) -> None:
    """Forget documents: take them out of every table, as if they had never come, and keep them out.

    {command} --lake DIR --ids FILE      documents by doc_id, or articles and tweets by native id; one a line
    {command} --lake DIR --author NAME   all that the author of tweets wrote, and will write
    {command} --lake DIR --url URL …     articles and tweets by address

    What the tables held on earlier nights can no longer be read afterwards.
    """
    lake_argument(parser)
    parser.add_argument("--ids", type=Path, metavar="FILE", help="doc_id or native id of a document, one a line")
    parser.add_argument("--author", action="append", default=[], metavar="NAME", help="handle of an author of tweets")
    parser.add_argument("--url", action="extend", nargs="+", default=[], metavar="URL", help="address of a document")
    parser.add_argument("--night", help="label of this run, kept in its rows of runs")
    settings_arguments(parser)


def report(parser: ArgumentParser) -> None:
    """Write the alert page, one self-contained HTML file with the alerts and their evidence, and a CSV beside it.

    In the lake itself the morning page is written too.
    """
    lake_argument(parser, past=True)
    out = "file to write (default: alerts.html in the lake; of a past night alerts-NIGHT.html)"
    parser.add_argument("--out", type=Path, metavar="FILE.html", help=out)
    limit = "alerts on the page (default: 500)"
    parser.add_argument("--limit", type=_at_least(1, "--limit"), default=500, metavar="N", help=limit)
    settings_arguments(parser)


def notify(parser: ArgumentParser) -> None:
    """Tell by mail, chat or webhook what the last run brought: new alerts, silent feeds, watched texts used again.

    {command} --lake DIR --to 'mailto://USER:PASSWORD@example.org?to=desk@example.org'
    QUOTELAKE_NOTIFY='slack://… msteams://…' {command} --lake DIR

    Targets are URLs of apprise. Others on the machine can read arguments: URLs with passwords are better given in the
    environment, white space between them. Each target is told once of each run, and not at all where nothing is new.
    Exit status 75: one could not be reached, all others were told; the same command tries that one again.
    """
    lake_argument(parser)
    parser.add_argument("--to", action="append", default=[], metavar="URL", help="whom to tell; may be given again")
    parser.add_argument("--again", action="store_true", help="tell also those that were told of this run")
    parser.add_argument("--dry-run", action="store_true", help="print the message, and send nothing")


def review(parser: ArgumentParser) -> None:
    """Label alerts: write them as CSV, read the labels back into alert_reviews, show precision at k.

    {command} export --lake DIR --out FILE.csv [--alert KIND] [--first K] [--unreviewed] [--reviewer NAME]
    {command} import --lake DIR --labels FILE.csv --reviewer NAME
    {command} show   --lake DIR
    """
    actions = parser.add_subparsers(dest="action", required=True)
    write = actions.add_parser("export", help="write alerts to be labelled")
    write.add_argument("--out", type=Path, required=True, metavar="FILE.csv")
    write.add_argument("--alert", metavar="KIND", help="only this kind, such as negation")
    first = "only the first K of each class, by priority"
    write.add_argument("--first", type=_at_least(1, "--first"), metavar="K", help=first)
    write.add_argument("--unreviewed", action="store_true", help="only alerts that nobody labelled")
    whose = "fill in the labels that this reviewer gave (default: the only one who gave some)"
    write.add_argument("--reviewer", metavar="NAME", help=whose)
    read = actions.add_parser("import", help="read labels back")
    read.add_argument("--labels", type=Path, required=True, metavar="FILE.csv")
    read.add_argument("--reviewer", required=True, metavar="NAME", help="who labelled the file")
    show = actions.add_parser("show", help="show precision at k")
    for action in (write, read, show):
        lake_argument(action)


def aliases(parser: ArgumentParser) -> None:
    """Say who the names of speakers are, so that one person's quotes are counted together: as CSV out and in.

    {command} export --lake DIR --out FILE.csv [--first N]
    {command} import --lake DIR --names FILE.csv

    The file has the names of persons as texts give them, most quoted first, each with a proposed full name. Fill in
    canonical, the name that stands for the person, and wikidata_id (Q42) where you know it; - in canonical withdraws
    what was said before. The last row of a name counts.
    """
    actions = parser.add_subparsers(dest="action", required=True)
    write = actions.add_parser("export", help="write the names of persons, to be filled in")
    write.add_argument("--out", type=Path, required=True, metavar="FILE.csv")
    write.add_argument("--first", type=_at_least(1, "--first"), metavar="N", help="only the N most quoted names")
    read = actions.add_parser("import", help="read the file back")
    read.add_argument("--names", type=Path, required=True, metavar="FILE.csv")
    for action in (write, read):
        lake_argument(action)


def maintain(parser: ArgumentParser) -> None:
    """Maintain a lake: compact its small files, sorted, and delete files that no run of the last 90 days needs."""
    lake_argument(parser)
    export = "keep the tables as of this night for good, as a lake in _snapshots; by its label or a run_id"
    parser.add_argument("--export", metavar="NIGHT", help=export)
    parser.add_argument("--dry-run", action="store_true", help="print what would be done, and do nothing")
    settings_arguments(parser)


def digest(parser: ArgumentParser) -> None:
    """Print one digest of the content of each table, to compare two lakes, or a lake before and after a run."""
    lake_argument(parser)


def cite(parser: ArgumentParser) -> None:
    """Print what to cite: versions, settings and counts of a lake, as a paragraph or in BibTeX with the papers."""
    lake_argument(parser, past=True)
    style = "text: a paragraph for a methods section (default); bibtex: entries of it and of the papers"
    parser.add_argument("--format", choices=("text", "bibtex"), default="text", help=style)


def lake_argument(parser: ArgumentParser, *, past: bool = False) -> None:
    """Declare ``--lake``, and ``--as-of`` where past nights are shown too."""
    parser.add_argument("--lake", default="./lake", help="directory or address of the lake (default: ./lake)")
    if past:
        as_of = "show the lake as the run of this night left it: its label (--night), or a run_id (default: the last)"
        parser.add_argument("--as-of", metavar="NIGHT", help=as_of)


def settings_arguments(parser: ArgumentParser) -> None:
    """Declare ``--config`` and ``--set``, as :func:`quotelake.settings.load_settings` takes them."""
    parser.add_argument("--config", metavar="FILE", help="TOML with settings that differ from those shipped")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="one setting; overrides FILE")


def _at_least(least: int, option: str, why: str = "") -> Callable[[str], int]:
    """Type of an argument that is a whole number of ``least`` or more; ``why`` says in its error why it must be."""

    def number(text: str) -> int:
        given = int(text)
        if given < least:
            raise InputError(f"{option} {text}: {why or f'must be {least} or more'}")
        return given

    return number


def _period(text: str) -> str:
    if text not in ("all", "month") and not re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])", text):
        raise ArgumentTypeError(f"{text!r}: expected all, month or a month such as 2024-03")
    return text


def _answer_file(text: str) -> Path:
    if Path(text).suffix not in ENDINGS:
        raise InputError(f"--out {text}: name a file that ends in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}")
    return Path(text)


def _uses(text: str) -> int | None:
    if text == "all":
        return None
    if not re.fullmatch(r"\d{1,9}", text):
        raise ArgumentTypeError(f"{text!r}: expected a number from 0 on, or all")
    return int(text)
