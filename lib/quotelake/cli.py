"""The program ``quotelake``: its commands, what declares their arguments, and what runs them.

What runs a command is imported when it runs: importing Spark or torch takes longer than most answers.
"""

import inspect
import os
import sys
from argparse import ArgumentParser, HelpFormatter, RawDescriptionHelpFormatter
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Final

import quotelake
from quotelake import arguments
from quotelake.errors import InputError, exit_with
from quotelake.program import MOVED, STARTED_BY, command, program

#: Command → the function that declares its arguments, and the one that runs it.
COMMANDS: Final[dict[str, tuple[Callable[[ArgumentParser], None], str]]] = {
    "score": (arguments.score, "quotelake.commands.score:run"),
    "query": (arguments.query, "quotelake.commands.query:run"),
    "rank": (arguments.rank, "quotelake.commands.rank:run_rank"),
    "export": (arguments.export, "quotelake.commands.export:run"),
    "serve": (arguments.serve, "quotelake.commands.serve:run"),
    "check": (arguments.check, "quotelake.commands.check:run"),
    "find": (arguments.find, "quotelake.commands.find:run"),
    "lookup": (arguments.lookup, "quotelake.commands.lookup:run"),
    "report": (arguments.report, "quotelake.commands.starting:run_report"),
    "notify": (arguments.notify, "quotelake.commands.notify:run"),
    "review": (arguments.review, "quotelake.commands.starting:run_review"),
    "aliases": (arguments.aliases, "quotelake.commands.starting:run_aliases"),
    "forget": (arguments.forget, "quotelake.commands.score:run_forget"),
    "maintain": (arguments.maintain, "quotelake.commands.starting:run_maintain"),
    "digest": (arguments.digest, "quotelake.commands.starting:run_digest"),
    "cite": (arguments.cite, "quotelake.commands.cite:run"),
}


def main() -> None:
    """Run the command that the arguments of the program name, or list the commands."""
    started = Path(os.path.abspath(sys.argv[0]))  # not resolved: a link to the program is a fine way to type it
    os.environ[STARTED_BY] = "" if started.name == "__main__.py" else str(started)  # empty: python -m quotelake
    exit_with(_run_program)


def start(name: str) -> None:
    """Run a command whose arguments are those of this process, which is a file of ``jobs/``."""
    exit_with(partial(_run, name, Path(sys.argv[0]).name, sys.argv[1:]))


def _run_program() -> int | None:
    listed = ArgumentParser(
        prog=program(),
        usage=f"{program()} COMMAND [ARGUMENT …]",
        description="Find quotes in news and tweets, headlines that bend them, and how their topic varies by use.",
        epilog=f"{program()} COMMAND --help shows the arguments of a command.",
    )
    listed.add_argument("--version", action="version", version=f"quotelake {quotelake.__version__}")
    if sys.argv[1:2] and (now := MOVED.get(sys.argv[1])):
        raise InputError(f"{sys.argv[1]} is a command of the bench now: type {now}")
    commands = listed.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name in COMMANDS:
        commands.add_parser(name, help=summary_of(name).replace("%", "%%"), add_help=False)
    name = listed.parse_args(sys.argv[1:2]).command  # what follows are the arguments of the command
    if name is None:
        listed.print_help()
        return None
    return _run(name, command(name), sys.argv[2:])


def _run(name: str, shown: str, given: list[str]) -> int | None:
    declare, where = COMMANDS[name]
    text = (inspect.getdoc(declare) or "").replace("{command}", shown)
    style = RawDescriptionHelpFormatter if "\n" in text else HelpFormatter
    parser = ArgumentParser(prog=shown, description=text, formatter_class=style)
    declare(parser)
    given_arguments = parser.parse_args(given)
    module, _, function = where.partition(":")
    status: int | None = getattr(import_module(module), function)(given_arguments)
    return status


def summary_of(name: str) -> str:
    """What the list of commands says of one: the first line of its help."""
    return (inspect.getdoc(COMMANDS[name][0]) or "").partition("\n")[0]
