"""The program ``quotelake``: lists its commands and runs one.

A command is a module of :mod:`quotelake.commands` with ``run(arguments)``; ``arguments.toml`` lists them. Its docstring
is its help, in which ``{command}`` stands for the command as it was started, also by a file of ``jobs/`` for
``spark-submit``. It is imported when it runs: the list of commands needs no library.
"""

import os
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from functools import partial
from importlib import import_module, resources
from pathlib import Path
from typing import Final

import quotelake
from quotelake.errors import exit_with
from quotelake.program import STARTED_BY, command, program

#: Commands in the order of the list, each the name of its module.
COMMANDS: Final = (
    "score", "query", "rank", "export", "serve", "check", "find", "lookup", "report", "notify", "review", "aliases",
    "forget", "maintain", "digest", "cite", "mcp",
)  # fmt: skip


def main() -> None:
    """Run the command that the arguments of the program name, or list the commands."""
    started = Path(os.path.abspath(sys.argv[0]))  # not resolved: a link to the program is a fine way to type it
    os.environ[STARTED_BY] = "" if started.name == "__main__.py" else str(started)  # empty: python -m quotelake
    exit_with(_run_program)


def start(name: str) -> None:
    """Run a command whose arguments are those of this process, which is a file of ``jobs/``."""
    exit_with(partial(run_command, f"quotelake.commands.{name}", Path(sys.argv[0]).name, sys.argv[1:]))


def run_command(module: str, typed: str, words: Sequence[str]) -> int | None:
    """Run the command of a module by the words that follow it, and return its exit status; help shows it as typed."""
    found = import_module(module)
    text = (found.__doc__ or "").replace("{command}", typed)
    parser = ArgumentParser(prog=typed, description=text, formatter_class=RawDescriptionHelpFormatter)
    if hasattr(found, "configure"):  # of the bench
        found.configure(parser)
    else:
        import_module("quotelake.commands.options").declare(parser, module.rpartition(".")[2])
    status: int | None = found.run(parser.parse_args(words))
    return status


def _run_program() -> int | None:
    listed = ArgumentParser(
        prog=program(),
        usage=f"{program()} COMMAND [ARGUMENT …]",
        description="Find quotes in news and tweets, headlines that bend them, and how their topic varies by use.",
        epilog=f"{program()} COMMAND --help shows the arguments of a command.",
    )
    listed.add_argument("--version", action="version", version=f"quotelake {quotelake.__version__}")
    commands = listed.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name in COMMANDS:
        commands.add_parser(name, help=summary_of(name).replace("%", "%%"), add_help=False)
    name = listed.parse_args(sys.argv[1:2]).command  # what follows are the arguments of the command
    if name is None:
        listed.print_help()
        return None
    return run_command(f"quotelake.commands.{name}", command(name), sys.argv[2:])


def summary_of(name: str) -> str:
    """First line of the help of a command, read from its file, which is not imported."""
    file = resources.files("quotelake.commands").joinpath(f"{name}.py")
    return file.read_text("utf-8").partition("\n")[0].removeprefix("r").strip('"')
