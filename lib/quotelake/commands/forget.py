"""Forget documents: take them out of every table, as if they had never come, and keep them out.

{command} --lake DIR --ids FILE      documents by doc_id, or articles and tweets by native id; one a line
{command} --lake DIR --author NAME   all that the author of tweets wrote, and will write
{command} --lake DIR --url URL …     articles and tweets by address

What the tables held on earlier nights can no longer be read afterwards.
"""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from quotelake.commands.chain import run_chain
from quotelake.commands.options import add_lake, add_settings, read_text
from quotelake.commands.run_log import RunLog
from quotelake.errors import InputError
from quotelake.settings import load_settings
from quotelake.spark.installation import check_environment

if TYPE_CHECKING:
    from quotelake.lake.runs import Run
    from quotelake.lake.tables import Lake


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    add_lake(parser)
    parser.add_argument("--ids", type=Path, metavar="FILE", help="doc_id or native id of a document, one a line")
    parser.add_argument("--author", action="append", default=[], metavar="NAME", help="handle of an author of tweets")
    parser.add_argument("--url", action="extend", nargs="+", default=[], metavar="URL", help="address of a document")
    parser.add_argument("--night", help="label of this run, kept in its rows of runs")
    add_settings(parser)


def run(arguments: Namespace) -> None:
    """Run the chain without inputs: at its end the documents go."""
    file, lines = arguments.ids, list[str]()
    if file is not None:
        lines = read_text(str(file), f"--ids {file}", "ids, one a line").splitlines()
    ids = list(dict.fromkeys(filter(None, map(str.strip, lines))))
    if not (ids or arguments.url or arguments.author):
        raise InputError("nothing to forget: give --ids FILE, --author NAME or --url URL")
    check_environment()
    settings = load_settings(arguments.config, arguments.set)

    def process(lake: "Lake", run: "Run") -> list[str]:
        from quotelake.nightly.forget_requests import ForgetRequest
        from quotelake.nightly.plan import score_corpus

        if not lake.exists("runs"):
            raise InputError(f"{arguments.lake} holds no lake; name one that exists")
        return score_corpus(lake, run, settings, (), forget_request=ForgetRequest(ids, arguments.url, arguments.author))

    run_chain(arguments.lake, settings, (), process, RunLog(), arguments.night)
