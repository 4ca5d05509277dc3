"""What protocols share: their one file, and lines of progress."""

import argparse
import sys
from pathlib import Path
from typing import Final

from quotelake.errors import InputError

#: Option → the protocols that read it; all read ``--data`` and ``--json``.
READ_BY: Final = {
    "texts": "spans speakers headline_speakers headlines alerts context_pairs shifts",
    "lake": "edges trac_lake",
    "part": "spans polnear speakers headline_speakers headlines",
    "model": "contextomy headlines alerts quotecse quotecse_pairs trotr relatedness context_pairs shifts",
    "no_model": "contextomy headlines alerts",
    "word_vectors": "relatedness",
    "sts": "relatedness",
    "fine_tune": "trotr relatedness",
    "rates": "trotr relatedness",
    "epochs": "trotr relatedness",
    "work": "trotr relatedness",
    "folds": "trotr",
    "cross_encoder": "trotr",
}


def check_options(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Refuse an option that the protocol would not read: else figures would not be of what was asked.

    Raises:
        InputError: there is one; or an option is out of its range.
    """
    if arguments.epochs < 1:
        raise InputError(f"--epochs {arguments.epochs}: must be 1 or more")
    for rate in arguments.rates or ():
        if not 0 < rate < float("inf"):
            raise InputError(f"--rates {rate:g}: must be above 0, such as 2e-5")
    for name, protocols in READ_BY.items():
        if getattr(arguments, name) != parser.get_default(name) and arguments.protocol not in protocols.split():
            readers = protocols.replace(" ", ", ")
            option = name.replace("_", "-")
            raise InputError(
                f"--{option}: {arguments.protocol} reads no such option; leave it out (it is of {readers})"
            )


def only_file(arguments: argparse.Namespace, *, folders: bool = False) -> Path:
    """The one file of a protocol that reads one, with the texts in it, or the folder of one that may read a folder."""
    if len(arguments.data) != 1:
        raise InputError(f"{arguments.protocol}: reads one file that holds its texts; give one --data PATH")
    path = Path(arguments.data[0])
    if not path.is_file() and not (folders and path.is_dir()):
        raise InputError(f"--data {path}: found no such file; check the path")
    return path


def say(line: str) -> None:
    """Progress, apart from the figures."""
    print(line, file=sys.stderr, flush=True)
