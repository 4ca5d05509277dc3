"""Texts and languages that the arguments of a command name."""

import sys
from pathlib import Path

from quotelake.errors import InputError, SettingsError
from quotelake.text.language import normalise_language


def read_text(name: str, shown: str, wanted: str) -> str:
    """Read a text in UTF-8 that is not blank; a byte order mark is left out.

    Args:
        name: of the file; ``-`` reads standard input.
        shown: how a message names it, such as ``--body FILE``.
        wanted: what to give instead of a file that cannot be read.

    Raises:
        InputError: the file cannot be read, is not UTF-8 or holds no text.
    """
    if name == "-" and sys.stdin.isatty():
        print("reading the text from the keyboard: Ctrl-D on a line of its own ends it", file=sys.stderr)
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{shown}: {error.strerror}; give {wanted}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{shown}: byte {error.start} is not UTF-8; convert the file to UTF-8") from None
    if not text.strip():
        raise InputError(f"{shown}: holds no text")
    return text


def stated_language(code: str) -> str:
    """Language that ``--language`` states, as :func:`quotelake.text.language.normalise_language` writes it.

    Raises:
        SettingsError: it is no ISO 639-1 code.
    """
    language = normalise_language(code)
    if language is None:
        raise SettingsError(f"--language {code!r} is no language code of ISO 639-1, such as en")
    return language
