"""Options that several commands share, types of their values, and the texts that they name."""

import sys
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Final

from quotelake.drafts.office import READERS, office_text
from quotelake.errors import InputError, SettingsError
from quotelake.files.outputs import ENDINGS
from quotelake.text.language import normalise_language

#: Exit status where there is a quotation to look at.
TO_LOOK_AT: Final = 3


def add_lake(parser: ArgumentParser, *, past: bool = False) -> None:
    """Declare ``--lake``, and ``--as-of`` where past nights can be read too."""
    parser.add_argument("--lake", default="./lake", help="directory or address of the lake (default: ./lake)")
    if past:
        as_of = "show the lake as the run of this night left it: its label (--night), or a run_id (default: the last)"
        parser.add_argument("--as-of", metavar="NIGHT", help=as_of)


def add_settings(parser: ArgumentParser) -> None:
    """Declare ``--config`` and ``--set``, as :func:`quotelake.settings.load_settings` takes them."""
    parser.add_argument("--config", metavar="FILE", help="TOML with settings that differ from those shipped")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="one setting; overrides FILE")


def at_least(least: int, option: str, why: str = "") -> Callable[[str], int]:
    """Type of an argument that is a whole number of ``least`` or more; ``why`` is the reason that its error gives."""

    def number(text: str) -> int:
        if int(text) < least:
            raise InputError(f"{option} {text}: {why or f'must be {least} or more'}")
        return int(text)

    return number


def add_answer_file(parser: ArgumentParser, meaning: str) -> None:
    """Declare ``--out``, a file whose ending names a format of :mod:`quotelake.files.answers`."""

    def file(text: str) -> Path:
        if Path(text).suffix not in ENDINGS:
            raise InputError(f"--out {text}: name a file that ends in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}")
        return Path(text)

    parser.add_argument("--out", type=file, metavar="FILE", help=f"{meaning}: {' '.join(ENDINGS)}")


def read_text(name: str, argument: str, wanted: str) -> str:
    """Read a text that is not blank from a file, or for ``-`` from standard input, without byte order mark.

    It is in UTF-8, or in a Word document or PDF file (:mod:`quotelake.drafts.office`).

    Raises:
        InputError: it cannot be read (``wanted`` names what can), is not UTF-8 or holds no text, named by ``argument``.
    """
    if name == "-" and sys.stdin.isatty():
        print("reading the text from the keyboard: Ctrl-D on a line of its own ends it", file=sys.stderr)
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        suffix = Path(name).suffix.lower()
        text = office_text(data, suffix, argument) if suffix in READERS else data.decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{argument}: {error.strerror}; give {wanted}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{argument}: byte {error.start} is not UTF-8; convert the file to UTF-8") from None
    if not text.strip():
        raise InputError(f"{argument}: holds no text")
    return text


def stated_language(code: str) -> str:
    """Language that ``--language`` states; raises a SettingsError if it is no code of ISO 639-1."""
    language = normalise_language(code)
    if language is None:
        raise SettingsError(f"--language {code!r} is no language code of ISO 639-1, such as en")
    return language
