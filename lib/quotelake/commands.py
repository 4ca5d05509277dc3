"""How the commands of ``quotelake`` and ``quotelab`` are typed in the shell in use, and the arguments they share."""

import os
import re
import shlex
import sys
from argparse import ArgumentParser, ArgumentTypeError, HelpFormatter, RawDescriptionHelpFormatter
from collections.abc import Callable
from pathlib import Path
from typing import Final

from quotelake.errors import InputError

#: The commands of ``quotelake``, in the order of the list that it prints.
COMMANDS: Final = ("score", "query", "rank", "check", "find", "lookup", "report", "review", "maintain", "digest")
#: Command of an earlier release → what is typed now: they are the bench's.
MOVED: Final = {
    "evaluate": "quotelab evaluate",
    "papers": "quotelab papers",
    "label": "quotelab label",
    "annotate": "quotelab annotate",
    "train": "quotelab train contextomy",
    "train-quotecse": "quotelab train quotecse",
    "train-topic-head": "quotelab train topic-head",
}
#: Environment variable in which the program says where it lies.
STARTED_BY: Final = "QUOTELAKE_PROGRAM"


def program() -> str:
    """The program as a shell finds it without anything activated: relative if it lies below the working directory.

    It is the program that was started, else the one installed beside the running Python. Where none is installed,
    the module is named.
    """
    path, here = Path(os.environ.get(STARTED_BY) or Path(sys.executable).with_name("quotelake")), Path.cwd()
    if not path.exists():
        return f"{shlex.quote(sys.executable)} -m quotelake"
    if here == path.parent:
        return f"./{path.name}"
    below = path.is_relative_to(here) and here != Path(here.anchor)
    return shlex.quote(str(path.relative_to(here) if below else path))


def command(name: str) -> str:
    """One of :data:`COMMANDS` as it is typed in a shell, such as ``.venv/bin/quotelake query``."""
    if name not in COMMANDS:
        raise KeyError(f"no command {name!r}; there are: {', '.join(COMMANDS)}")
    return f"{program()} {name}"


def parser_of(shown: str, text: str) -> ArgumentParser:
    """Parser of the arguments of a command.

    Args:
        shown: how the command was started, such as ``.venv/bin/quotelake query`` or ``query.py``.
        text: its help; ``{command}`` stands for ``shown``, and a text of several lines is printed as it stands.
    """
    style = RawDescriptionHelpFormatter if "\n" in text else HelpFormatter
    return ArgumentParser(prog=shown, description=_aligned(text.replace("{command}", shown)), formatter_class=style)


def lake_argument(parser: ArgumentParser) -> None:
    """Declare ``--lake``."""
    parser.add_argument("--lake", default="./lake", help="directory or address of the lake (default: ./lake)")


def settings_arguments(parser: ArgumentParser) -> None:
    """Declare ``--config`` and ``--set``, as :func:`quotelake.settings.load_settings` takes them."""
    parser.add_argument("--config", metavar="FILE", help="TOML over conf/base.toml")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="one setting; overrides FILE")


def at_least(least: int, option: str, why: str = "") -> Callable[[str], int]:
    """Type of an argument that is a whole number of ``least`` or more; ``why`` says in its error why it must be."""

    def number(text: str) -> int:
        if not re.fullmatch(r"[+-]?\d+", text.strip()):
            raise ArgumentTypeError(f"invalid int value: {text!r}")
        if int(text) < least:
            raise InputError(f"{option} {text}: {why or f'must be {least} or more'}")
        return int(text)

    return number


def _aligned(text: str) -> str:
    """Set the comments behind commands below one another again, after the commands became longer.

    >>> print(_aligned("longer --x  # one\\nshort   # two\\n        # more"))
    longer --x  # one
    short       # two
                # more
    """
    rows = [re.split(r"(?:^|(?<=\S)) {2,}(?=# )", line, maxsplit=1) for line in text.split("\n")]
    width = max((len(row[0]) for row in rows if len(row) > 1), default=0)
    return "\n".join(f"{row[0]:<{width}}  {row[1]}" if len(row) > 1 else row[0] for row in rows)
