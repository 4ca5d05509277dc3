"""Walks: a document of commands with what they print, run again in an empty folder. No Spark in this process.

A block marked ``console`` holds commands, each behind ``$ `` and continued after a backslash, and below each what it
prints. A block with a file's name behind its language, as in ```` ```toml my.toml ````, is written to that file.

A test compares docs/FIRST_HOURS.md with what its commands print; run this when it fails for a change that is meant.
"""

import os
import re
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from quotelake.errors import InputError
from quotelake.files.outputs import write_atomically

_DOCUMENT = Path(__file__).parents[3] / "docs" / "FIRST_HOURS.md"
#: A block of the document: what opens it, its language, the name of a file, its lines, what ends it.
_BLOCK = re.compile(r"^(```(\S*) *(.*)\n)((?:(?!```).*\n)*)(```)", re.MULTILINE)
#: A command of a block, and the lines below it.
_COMMAND = re.compile(r"^\$ (?=.*\S)((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n|\$ +\n)*)", re.MULTILINE)
_STATUS = "(exit status {})"
_SHOWN_AS = "/home/you/quotelake"
_OF_JAVA = "WARNING: Using incubator modules"  # begins a line that some versions of Java print at every start
_WIDTH = 110  # columns of the terminal in which a walk is recorded: what fits a page
#: What differs from run to run, and what stands for it when two outputs are compared.
_MASKS = (
    (re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:\+00:00|Z)?"), "TIME"),
    (re.compile(r"\b\d{8}T\d{6}Z?-[0-9a-f]++\b"), "RUN"),
    (re.compile(r"\b\d++(?>(?:\.\d++)?)(?= ?(?:s|seconds|ms|records/s|documents/s|texts/s)\b)"), "N"),
    (re.compile(r"(?<=\d\.\d)\d\d++\b"), "N"),  # processors differ in the last digits of a model's figures
    (re.compile(r"[ ─━]+"), " "),
)


class Step(NamedTuple):
    """A command with what it printed, or the name of a file with what it holds; the other of the two is empty."""

    command: str
    file: str
    text: str


def steps(document: str) -> list[Step]:
    """Read the steps of a document, in order.

    >>> steps("```console\\n$ echo a\\na\\n```\\n")
    [Step(command='echo a', file='', text='a\\n')]
    """
    found: list[Step] = []

    def unchanged(step: Step) -> str:
        found.append(step)
        return step.text

    record(document, unchanged)
    return found


def record(document: str, printed_by: Callable[[Step], str]) -> str:
    """Make the same document with what ``printed_by``, called with each step in order, says that it prints now."""

    def command(found: re.Match[str]) -> str:
        return f"$ {found[1]}\n{printed_by(Step(found[1], '', found[2]))}"

    def block(found: re.Match[str]) -> str:
        opening, language, name, text, end = found.groups()
        if name:
            text = printed_by(Step("", name, text))
        elif language == "console":
            text = _COMMAND.sub(command, text)
        return opening + text + end

    if document.count("\n```") + document.startswith("```") != 2 * len(_BLOCK.findall(document)):
        raise ValueError("the last block of the document has no end")
    return _BLOCK.sub(block, document)


def do(step: Step, folder: Path) -> str:
    """Do a step in a folder; return what it printed, standard error included, and an exit status other than 0."""
    if step.file:
        (folder / step.file).write_text(step.text, "utf-8")
        return step.text
    clean = {"HOME": os.environ["HOME"], "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "dumb"}
    done = subprocess.run(
        ["bash", "-c", step.command], cwd=folder, env={**clean, "COLUMNS": str(_WIDTH)}, text=True, errors="replace",
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    printed = done.stdout.replace(str(folder), _SHOWN_AS).splitlines()
    lines = [line.rstrip() for line in printed if not line.startswith(_OF_JAVA)]
    if done.returncode:
        lines.append(_STATUS.format(done.returncode))
    return "".join(f"{line}\n" for line in lines)


@contextmanager
def folder_with_environment() -> Iterator[Path]:
    """An empty folder but for this Python's environment as ``.venv``, where ``make install`` puts it."""
    # As long as the name it is shown by, so that tables with its path keep their shape.
    with tempfile.TemporaryDirectory(prefix="walks-", dir="/tmp") as name:
        Path(name, ".venv").symlink_to(sys.prefix)
        yield Path(name)


def masked(text: str) -> str:
    """The text without what differs from run to run: times, seconds, later decimals, run names, padding."""
    for pattern, shown in _MASKS:
        text = pattern.sub(shown, text)
    return "\n".join(line.strip() for line in text.splitlines())


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("document", nargs="?", type=Path, default=_DOCUMENT, help=f"default: docs/{_DOCUMENT.name}")


def run(options: Namespace) -> None:
    """Run each step in order, in one folder, and write what it prints now into the document."""
    if not options.document.is_file():
        raise InputError(f"{options.document}: found no such document; name one with commands and what they print")
    with folder_with_environment() as folder:

        def printed_by(step: Step) -> str:
            print(f"$ {step.command}" if step.command else f"writes {step.file}", flush=True)
            return do(step, folder)

        write_atomically(options.document, record(options.document.read_text("utf-8"), printed_by))
