"""Find the quotes of a text, and who said each of them. No Spark.

find_quotes.py article.txt
curl … | find_quotes.py --json
find_quotes.py --mode headline headline.txt

The text is in UTF-8. With --json, the entries are those of docs/PYTHON.md; offsets count code points from 0.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from quotelake import find_quotes, find_speakers
from quotelake.commands import job_parser
from quotelake.errors import InputError, SettingsError, exit_with
from quotelake.quotes.spans import MODES, Quote
from quotelake.quotes.speakers import Speaker
from quotelake.reporting.console import make_console
from quotelake.reporting.marking import visible
from quotelake.settings import load_settings
from quotelake.text.language import detect_language, normalise_language


def main() -> None:
    """Read, find, print."""
    arguments = _arguments()
    text = _read(arguments.file)
    language = _language(text, arguments.language)
    quotes = find_quotes(text, arguments.mode)
    speakers = find_speakers(text, quotes, arguments.mode, language)
    if arguments.json:
        found = [{**q._asdict(), "speaker": s and s._asdict()} for q, s in zip(quotes, speakers, strict=True)]
        print(json.dumps({"language": language, "mode": arguments.mode, "quotes": found}, ensure_ascii=False, indent=2))
        return
    show_quotes(quotes, speakers, make_console())
    print(f"language {language}: {len(quotes):,} quotes, {sum(map(bool, speakers)):,} with a speaker")


def show_quotes(quotes: Sequence[Quote], speakers: Sequence[Speaker | None], console: Console) -> None:
    """Print each quote with its kind and place, and the speaker; a quote inside another one is indented."""
    for quote, speaker in zip(quotes, speakers, strict=True):
        indent = "    " * quote.depth
        words = " ".join(visible(quote.text).split())
        console.print(Text(f"{indent}“{words}”", style="bold"), soft_wrap=True)
        said = [quote.kind, f"characters {quote.start:,} to {quote.end:,}", *quote.flags]
        said += [f"said by {_named(speaker)}"] if speaker else []
        console.print(Text(f"{indent}  {', '.join(said)}\n"), soft_wrap=True)


def _named(speaker: Speaker) -> str:
    """The speaker as written, without the apposition, and the full name in brackets if it is elsewhere."""
    head = " ".join(visible(speaker.text[: speaker.head_end - speaker.start]).split())
    return head if speaker.name is None or speaker.name in speaker.text else f"{head} ({visible(speaker.name)})"


def _language(text: str, stated: str | None) -> str:
    if stated is None:
        ingest = load_settings().ingest
        return detect_language(text, ingest.languages, ingest.language_confidence)
    language = normalise_language(stated)
    if language is None:
        raise SettingsError(f"--language {stated!r} is no language code of ISO 639-1, such as en")
    return language


def _read(name: str) -> str:
    if name == "-" and sys.stdin.isatty():
        print("reading the text from the keyboard: Ctrl-D on a line of its own ends it", file=sys.stderr)
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{name}: {error.strerror}; give a file with the text, or - to read the input") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: byte {error.start} is not UTF-8; convert the text to UTF-8") from None
    if not text.strip():
        raise InputError(f"{name}: holds no text")
    return text


def _arguments() -> argparse.Namespace:
    parser = job_parser("find_quotes.py", __doc__)
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="the text; - or nothing reads the input")
    parser.add_argument("--mode", choices=MODES, default="body", help="what the text is (default: body)")
    parser.add_argument("--language", metavar="CODE", help="ISO 639-1, such as en (default: detected)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser.parse_args()


if __name__ == "__main__":
    exit_with(main)
