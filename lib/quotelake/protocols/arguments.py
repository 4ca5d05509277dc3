"""What protocols share: their one file, and lines of progress."""

import argparse
import sys
from pathlib import Path

from quotelake.errors import InputError


def only_file(arguments: argparse.Namespace, *, parts: bool = False, folders: bool = False) -> Path:
    """The one file of a protocol that reads one, with the texts in it, or the folder of one that may read a folder."""
    if len(arguments.data) != 1 or arguments.texts or (arguments.part is not None and not parts):
        raise InputError(
            f"{arguments.protocol}: reads one file that holds its texts; give --data PATH and nothing else"
        )
    path = Path(arguments.data[0])
    if not path.is_file() and not (folders and path.is_dir()):
        raise InputError(f"--data {path}: found no such file; check the path")
    return path


def say(line: str) -> None:
    """Progress, apart from the figures."""
    print(line, file=sys.stderr, flush=True)
