"""Arguments of the commands, which ``arguments.toml`` lists, types of their values, and the texts that they name."""

import re
import sys
import tomllib
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

from quotelake.drafts.office import READERS, office_text
from quotelake.errors import InputError, SettingsError
from quotelake.files.outputs import ENDINGS
from quotelake.text.language import normalise_language

#: Exit status where there is a quotation to look at.
TO_LOOK_AT: Final = 3


@cache
def _lists() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads(resources.files("quotelake.commands").joinpath("arguments.toml").read_text("utf-8"))


def declare(parser: ArgumentParser, command: str) -> None:
    """Declare the arguments of a command, and of its actions."""
    if actions := _lists()["actions"].get(command):
        parsers = parser.add_subparsers(dest="action", required=True)
        for action, summary in actions.items():
            declare(parsers.add_parser(action, help=summary), f"{command} {action}")
    either = None
    for name, given in _lists().get(command, {}).items():
        keywords = dict(_lists()["shared"][name] if given is True else given)
        if is_alternative := keywords.pop("either", False):
            either = either or parser.add_mutually_exclusive_group()
        if "least" in keywords:
            keywords["type"] = at_least(keywords.pop("least"), name, keywords.pop("why", ""))
        elif "type" in keywords:
            keywords["type"] = _TYPES[keywords["type"]]
        (either if is_alternative and either else parser).add_argument(name, **keywords)


def at_least(least: int, option: str, why: str = "") -> Callable[[str], int]:
    """Type of an argument that is a whole number of ``least`` or more; ``why`` is the reason that its error gives."""

    def number(text: str) -> int:
        if int(text) < least:
            raise InputError(f"{option} {text}: {why or f'must be {least} or more'}")
        return int(text)

    return number


def _answer_file(text: str) -> Path:
    """A file whose ending names a format of :mod:`quotelake.files.answers`."""
    if Path(text).suffix not in ENDINGS:
        raise InputError(f"--out {text}: name a file that ends in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}")
    return Path(text)


def _period(text: str) -> str:
    if text not in ("all", "month") and not re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])", text):
        raise ArgumentTypeError(f"{text!r}: expected all, month or a month such as 2024-03")
    return text


def _share(text: str) -> float:
    share = float(text)
    if not 0 < share <= 1:
        raise InputError(f"--accept {text}: must be more than 0 and at most 1, such as 0.95")
    return share


def _uses(text: str) -> int | None:
    if text == "all":
        return None
    if not re.fullmatch(r"\d{1,9}", text):
        raise ArgumentTypeError(f"{text!r}: expected a number from 0 on, or all")
    return int(text)


def stated_language(code: str) -> str:
    """Language that ``--language`` states; raises a SettingsError if it is no code of ISO 639-1."""
    language = normalise_language(code)
    if language is None:
        raise SettingsError(f"--language {code!r} is no language code of ISO 639-1, such as en")
    return language


_TYPES: Final[Mapping[str, Callable[[str], Any]]] = {
    "answer_file": _answer_file, "float": float, "int": int, "language": stated_language, "path": Path,
    "period": _period, "reader": "reader.url={}".format, "share": _share, "uses": _uses,
}  # fmt: skip


def read_text(name: str, argument: str, wanted: str) -> str:
    """Read a text that is not blank from a file, or for ``-`` from standard input, without byte order mark.

    It is in UTF-8, or in a Word document or PDF file (:mod:`quotelake.drafts.office`). An InputError, which names the
    ``argument``: it cannot be read (``wanted`` names what can), is not UTF-8 or holds no text.
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
