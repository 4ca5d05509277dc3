"""Find the quotes of a text, and who said each of them. No Spark.

{command} article.txt
curl … | {command} --json
{command} --mode headline headline.txt

The text is in UTF-8. With --json, the entries are those of docs/PYTHON.md; offsets count code points from 0.
"""

import json
from argparse import Namespace

from rich.text import Text

from quotelake import find_quotes, find_speakers
from quotelake.commands.console import make_console
from quotelake.commands.options import read_text
from quotelake.settings import load_settings
from quotelake.text.language import detect_language
from quotelake.text.words import visible


def run(arguments: Namespace) -> None:
    """Read, find, print."""
    text = read_text(arguments.file, arguments.file, "a file with the text, or - to read the input")
    language = arguments.language
    if language is None:
        ingest = load_settings().ingest
        language = detect_language(text, ingest.languages, ingest.language_confidence)
    quotes = find_quotes(text, arguments.mode, language)
    speakers = find_speakers(text, quotes, arguments.mode, language)
    if arguments.json:
        found = [{**q._asdict(), "speaker": s and s._asdict()} for q, s in zip(quotes, speakers, strict=True)]
        print(json.dumps({"language": language, "mode": arguments.mode, "quotes": found}, ensure_ascii=False, indent=2))
        return
    console = make_console()
    for quote, speaker in zip(quotes, speakers, strict=True):
        indent = "    " * quote.depth
        console.print(Text(f"{indent}“{' '.join(visible(quote.text).split())}”", style="bold"), soft_wrap=True)
        said = [quote.kind, f"characters {quote.start:,} to {quote.end:,}", *quote.flags]
        if speaker:  # with a full name from elsewhere
            head = " ".join(visible(speaker.text[: speaker.head_end - speaker.start]).split())
            elsewhere = speaker.name is not None and speaker.name not in speaker.text
            said.append(f"said by {head}" + (f" ({visible(speaker.name or '')})" if elsewhere else ""))
        console.print(Text(f"{indent}  {', '.join(said)}\n"), soft_wrap=True)
    print(f"language {language}: {len(quotes):,} quotes, {sum(map(bool, speakers)):,} with a speaker")
