"""Look up where a text has been said before: the nearest known quotes of a lake, with first use and uses.

{command} --lake DIR "TEXT"
{command} --lake DIR --format json < FILE
{command} --lake DIR --prepare ["TEXT"]

The second looks each line up, and opens the lake once. The third first makes all vectors that looking up by meaning
needs. Without it up to 1,000 are made; if more are missing, the answer says how many quotes it lacks by meaning.

Quotes are found by wording and by meaning. Their score is the greater of two measures, each at most 1:

  wording   1 for the same words. Else the share of the words of the shorter text that need not change for it to
            be a part of the longer one, times .8 (much longer) to 1 (as long). A misspelt word counts as part of a
            word, and an ellipsis or a bracket stands for any words.
  meaning   cosine of the vectors that the lake's model gives to both texts. Quotes of at least 4 words have one.

How a quote is near to the text: same (the same wording), longer (the text is a part of it), shorter (it is a part
of the text), near (some words differ), meaning (other words of a similar meaning). A group of quotes is listed
once.
"""

import json
import os
import shlex
import sys
import time
from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import Any, Final

from rich.console import Console
from rich.text import Text

from quotelake.commands.console import make_console, pace, print_line
from quotelake.commands.lake_access import lake_engine, spark_starter
from quotelake.errors import InputError
from quotelake.files.outputs import write_csv
from quotelake.lake.place import is_local
from quotelake.program import command
from quotelake.query.lookup import MAX_TEXTS, LookupResult, open_lookup
from quotelake.query.vectors import Progress
from quotelake.text.words import shortened, visible

#: Columns of the CSV file: a row per use that is listed.
COLUMNS: Final = (
    "text", "position", "score", "how", "wording", "meaning", "quote", "variants", "uses", "documents", "outlets",
    "published_at", "kind", "outlet", "headline", "field", "text_as_used", "speaker", "context", "url", "wire_credit",
    "is_repost", "quote_kind", "start", "end", "doc_id", "native_key", "variant_id", "group_id",
)  # fmt: skip
_LONGEST = 300  # characters of a quote on the console
_TITLE = 70  # characters of a headline or tweet in a list
_INDENT = " " * 15
_LOG_SECONDS = 30.0


def run(arguments: Namespace) -> None:
    """Open the lake, look each text up, print what is found."""
    if not 0 < arguments.min_score <= 1:
        raise InputError(f"--min-score {arguments.min_score:g}: must be above 0 and at most 1")
    if arguments.text is not None and not arguments.text.strip():
        raise InputError("the text to look up is empty")
    is_list = arguments.text is None and not arguments.prepare
    if is_list and "PYSPARK_GATEWAY_PORT" in os.environ:
        raise InputError(f"spark-submit passes no input on; for a text a line, run: {command('lookup')} --lake DIR")
    errors = Console(stderr=True)
    lookup = open_lookup(
        arguments.lake, by_meaning=not arguments.no_meaning, index=arguments.index,
        max_texts=None if arguments.prepare else MAX_TEXTS, progress=show_embedding(errors),
        spark=spark_starter("find_quote", arguments.lake),
    )  # fmt: skip
    if lookup.without_vector:
        index = [] if arguments.index is None else ["--index", arguments.index]
        remedy = f"{command('lookup')} {shlex.join(['--lake', arguments.lake, *index, '--prepare'])}"
        lack = f"{_number(lookup.without_vector, 'known quote')} can be found by wording alone, for want of a vector"
        print_line(errors, f"{lack}; make the vectors with: {remedy}")
    if arguments.format == "csv":
        write_csv(sys.stdout, COLUMNS, [])
    for text in _lines() if is_list else filter(None, [arguments.text]):
        found = lookup.find(text, arguments.top, arguments.min_score, arguments.uses)
        if arguments.format == "json":  # on one line if several texts follow one another
            missing = None if arguments.no_meaning else lookup.without_vector
            entry = {"text": text, "found": [each._asdict() for each in found], "without_vector": missing}
            print(json.dumps(entry, ensure_ascii=False, indent=None if is_list else 2, default=str))
        elif arguments.format == "csv":
            write_csv(sys.stdout, COLUMNS, _rows(text, found), header=False)
        else:
            console = make_console()
            if is_list:
                console.rule(text, align="left")
            show_found(found, arguments.min_score, console)
        sys.stdout.flush()


def prepare(root: str, console: Console) -> None:
    """Make the vectors that are missing for looking up by meaning, of a local lake with quotes."""
    if not is_local(root):
        remedy = f"{command('lookup')} --index DIR --prepare"
        print_line(console, f"run.lookup: {root} is an address: vectors are kept by {remedy}")
    elif lake_engine("find_quote", root).sql("SELECT quote_id FROM quotes LIMIT 1"):
        open_lookup(root, progress=show_embedding(console), spark=spark_starter("find_quote", root))


def _lines() -> Iterator[str]:
    if sys.stdin.isatty():
        print("reading texts from the keyboard, one a line: Ctrl-D on a line of its own ends", file=sys.stderr)
    for number, line in enumerate(sys.stdin.buffer, 1):
        try:
            if text := line.decode("utf-8-sig").strip():
                yield text
        except UnicodeDecodeError as error:
            raise InputError(f"standard input, line {number:,}: byte {error.start} is not UTF-8") from None


def _rows(text: str, found: Sequence[LookupResult]) -> Iterator[dict[str, Any]]:
    for position, each in enumerate(found, 1):
        group = {**each._asdict(), "text": text, "position": position, "variants": len(each.variants)}
        for use in each.listed or [each.first]:
            yield {**group, **use}


def show_found(found: Sequence[LookupResult], least: float, console: Console) -> None:
    """Print each group: score, kind of nearness, the quote, counts, and its uses by date."""
    for position, each in enumerate(found, 1):
        line = Text(f"{position:>2}  {each.score:.2f} {each.how:<8}", style="bold")
        console.print(line.append(f"“{shortened(visible(each.quote), _LONGEST)}”"), soft_wrap=True)
        counts = [f"{_number(each.uses, 'use')} in {_number(each.documents, 'document')}"]
        counts += [_number(each.outlets, "outlet")] if each.outlets else []
        counts += [_number(len(each.variants), "variant")] if len(each.variants) > 1 else []
        print_line(console, f"{_INDENT}{', '.join(counts)}")
        for use in each.listed or [each.first]:
            date = use["published_at"].strftime("%Y-%m-%d") if use["published_at"] else "no date   "
            where = "tweet" if use["kind"] == "tweet" else use["outlet"] or "unknown outlet"
            title = (use["headline"] if use["kind"] == "news" else use["context"]) or "(no headline)"
            said = f"; said by {visible(use['speaker'])}" if use["speaker"] else ""
            print_line(console, f"{_INDENT}{date}  {visible(where)}: {shortened(visible(title), _TITLE)}{said}")
        more = each.documents - len(each.listed)
        if each.listed and more:
            print_line(console, f"{_INDENT}… and {more:,} more (--uses all)")
    if not found:
        print_line(console, f"no known quote has a score of {least:g} or more")


def _number(count: int, name: str) -> str:
    return f"{count:,} {name}" if count == 1 else f"{count:,} {name}s"


def show_embedding(console: Console) -> Progress:
    """Print the progress of embedding: all of it on a terminal, else a line now and then."""
    began = printed = time.monotonic()

    def show(done: int, total: int, is_damaged: bool) -> None:
        nonlocal began, printed
        now = time.monotonic()
        line = f"  {pace(done, total, 'quotes', now - began)}"
        if not done:
            began = printed = now
            if is_damaged:
                print_line(console, "quotelake: damaged: the stored vectors; removed, to be made anew")
            if total:
                print_line(console, f"embedding {_number(total, 'quote')}, once, for looking up by meaning")
        elif console.is_terminal:
            console.print(line.ljust(60), end="\n" if done == total else "\r", markup=False, highlight=False)
        elif now - printed >= _LOG_SECONDS:
            printed = now
            print_line(console, line)

    return show
