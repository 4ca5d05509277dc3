"""The command ``find``: the quotes of a text, and who said each of them; and the texts that arguments name."""

import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from quotelake import find_quotes, find_speakers
from quotelake.commands.console import make_console
from quotelake.errors import InputError, SettingsError
from quotelake.quotes.spans import Quote
from quotelake.quotes.speakers import Speaker
from quotelake.settings import load_settings
from quotelake.text.language import detect_language, normalise_language
from quotelake.text.printable import visible


def run(arguments: Namespace) -> None:
    """Read, find, print."""
    text = read_text(arguments.file, arguments.file, "a file with the text, or - to read the input")
    if arguments.language is None:
        ingest = load_settings().ingest
        language = detect_language(text, ingest.languages, ingest.language_confidence)
    else:
        language = stated_language(arguments.language)
    quotes = find_quotes(text, arguments.mode, language)
    speakers = find_speakers(text, quotes, arguments.mode, language)
    if arguments.json:
        found = [{**q._asdict(), "speaker": s and s._asdict()} for q, s in zip(quotes, speakers, strict=True)]
        print(json.dumps({"language": language, "mode": arguments.mode, "quotes": found}, ensure_ascii=False, indent=2))
        return
    show_quotes(quotes, speakers, make_console())
    print(f"language {language}: {len(quotes):,} quotes, {sum(map(bool, speakers)):,} with a speaker")


def show_quotes(quotes: Sequence[Quote], speakers: Sequence[Speaker | None], console: Console) -> None:
    """Print each quote with its kind and place, and the speaker; a quote inside another one is indented.

    The speaker is shown as written, without the apposition, with the full name in brackets if it stands elsewhere.
    """
    for quote, speaker in zip(quotes, speakers, strict=True):
        indent = "    " * quote.depth
        console.print(Text(f"{indent}“{' '.join(visible(quote.text).split())}”", style="bold"), soft_wrap=True)
        said = [quote.kind, f"characters {quote.start:,} to {quote.end:,}", *quote.flags]
        if speaker:
            head = " ".join(visible(speaker.text[: speaker.head_end - speaker.start]).split())
            elsewhere = speaker.name is not None and speaker.name not in speaker.text
            said.append(f"said by {head}" + (f" ({visible(speaker.name or '')})" if elsewhere else ""))
        console.print(Text(f"{indent}  {', '.join(said)}\n"), soft_wrap=True)


def read_text(name: str, shown: str, wanted: str) -> str:
    """Read a text in UTF-8 that is not blank from a file, or for ``-`` from standard input, without byte order mark.

    A message names the file as ``shown``, such as ``--body FILE``, and what is ``wanted`` instead of an unreadable one.

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
    """Language that ``--language`` states; raises a SettingsError if it is no code of ISO 639-1."""
    language = normalise_language(code)
    if language is None:
        raise SettingsError(f"--language {code!r} is no language code of ISO 639-1, such as en")
    return language
