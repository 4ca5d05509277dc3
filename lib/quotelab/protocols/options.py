"""What protocols share of their command: the options that each reads, its one file, and the encoder."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

from quotelake.errors import InputError

if TYPE_CHECKING:
    from quotelake.embeddings.encoder import Encoder

#: Option → the protocols that read it; all read ``--data`` and ``--json``.
READ_BY: Final = {
    "texts": "spans speakers headline_speakers headlines alerts context_pairs shifts",
    "lake": "edges trac_lake",
    "part": "spans polnear speakers headline_speakers headlines",
    "model": "contextomy headlines alerts quotecse quotecse_pairs trotr relatedness context_pairs shifts",
    "no_model": "contextomy headlines alerts",
    "word_vectors": "relatedness",
    "fine_tune": "trotr relatedness",
    "rates": "trotr relatedness",
    "epochs": "trotr relatedness",
    "work": "trotr relatedness",
    "folds": "trotr",
    "cross_encoder": "trotr",
}


def check_options(options: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Refuse an option that the protocol would not read: else figures would not be of what was asked.

    Raises:
        InputError: there is one; or an option is out of its range.
    """
    if options.epochs < 1:
        raise InputError(f"--epochs {options.epochs}: must be 1 or more")
    for rate in options.rates or ():
        if not 0 < rate < float("inf"):
            raise InputError(f"--rates {rate:g}: must be above 0, such as 2e-5")
    for name, protocols in READ_BY.items():
        readers = protocols.split()
        if getattr(options, name) != parser.get_default(name) and options.protocol not in readers:
            option = f"--{name.replace('_', '-')}: {options.protocol} reads no such option"
            raise InputError(f"{option}; leave it out (it is of {', '.join(readers)})")
        if name == "lake" and options.lake is None and options.protocol in readers:
            raise InputError(f"{options.protocol}: reads a lake; give --lake DIR")


def only_file(options: argparse.Namespace, *, folders: bool = False) -> Path:
    """The one file of a protocol that reads one, with the texts in it, or the folder of one that may read a folder."""
    if len(options.data) != 1:
        raise InputError(f"{options.protocol}: reads one file that holds its texts; give one --data PATH")
    path = Path(options.data[0])
    if not path.is_file() and not (folders and path.is_dir()):
        raise InputError(f"--data {path}: found no such file; check the path")
    return path


def encoder_of(options: argparse.Namespace) -> "Encoder":
    """The encoder that is asked for, in float32; the default one if none is."""
    from quotelake.embeddings.encoder import Encoder
    from quotelake.embeddings.models import DEFAULT

    return Encoder(options.model or DEFAULT, dtype="float32")
