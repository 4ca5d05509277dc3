"""The program ``quotelake``: runs a job of ``jobs/`` in any shell, with no environment activated.

The job replaces this process, so signals reach it and its exit status is the program's. A job that needs Spark starts
the one of its environment by itself.
"""

import os
import sys
from argparse import ArgumentParser
from pathlib import Path

import quotelake
from quotelake.commands import COMMANDS, STARTED_BY, job_of, program, summary_of
from quotelake.errors import exit_with


def main() -> None:
    """Run the command that the arguments name, or list the commands."""
    exit_with(_run)


def _run() -> None:
    started = Path(os.path.abspath(sys.argv[0]))  # not resolved: a link to the program is a fine way to type it
    os.environ[STARTED_BY] = "" if started.name == Path(__file__).name else str(started)  # empty: python -m quotelake
    parser = _parser()
    name = parser.parse_args(sys.argv[1:2]).command  # what follows is the job's
    if name is None:
        parser.print_help()
        return
    os.execv(sys.executable, [sys.executable, str(job_of(name)), *sys.argv[2:]])


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog=program(),
        usage=f"{program()} COMMAND [ARGUMENT …]",
        description="Find quotes in news and tweets, headlines that bend them, and how their topic varies from use to "
        "use.",
        epilog=f"{program()} COMMAND --help shows the arguments of a command.",
    )
    parser.add_argument("--version", action="version", version=f"quotelake {quotelake.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name in COMMANDS:
        commands.add_parser(name, help=summary_of(job_of(name)).replace("%", "%%"), add_help=False)
    return parser


if __name__ == "__main__":
    main()
