"""The command ``lookup``: known quotes near to a text, as text, JSON or CSV."""

import json
import os
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from rich.console import Console
from rich.text import Text

from quotelake.commands import command
from quotelake.errors import InputError
from quotelake.files.outputs import write_csv
from quotelake.query.lookup.find import Found, Lookup
from quotelake.query.lookup.meaning import Progress
from quotelake.query.lookup.opening import open_lookup
from quotelake.reporting.commands import spark_for
from quotelake.reporting.console import make_console
from quotelake.reporting.marking import visible

#: Columns of the CSV file: a row per use that is listed.
COLUMNS: Final = (
    "text", "position", "score", "how", "wording", "meaning", "quote", "variants", "uses", "documents", "outlets",
    "published_at", "kind", "outlet", "headline", "field", "text_as_used", "speaker", "context", "url", "wire_credit",
    "is_repost", "quote_kind", "start", "end", "doc_id", "native_key", "variant_id", "group_id",
)  # fmt: skip
_LONGEST = 300  # characters of a quote on the console
_TITLE = 70  # characters of a headline or tweet in a list
_INDENT = " " * 14
_LOG_SECONDS = 30.0


def run(arguments: Namespace) -> None:
    """Open the lake, look each text up, print what is found."""
    if not 0 < arguments.min_score <= 1:
        raise InputError(f"--min-score {arguments.min_score:g}: must be above 0 and at most 1")
    texts = _texts(arguments.text)

    lookup = open_lookup(
        arguments.lake,
        by_meaning=not arguments.no_meaning,
        index=arguments.index,
        progress=ShownProgress(Console(stderr=True)),
        spark=spark_for("find_quote", arguments.lake),
    )
    if arguments.format == "csv":
        write_csv(sys.stdout, COLUMNS, [])
    for text in texts:
        _answer(lookup, text, arguments)


def _answer(lookup: Lookup, text: str, arguments: Namespace) -> None:
    """Look one text up and print what is found."""
    found = lookup.find(text, arguments.top, arguments.min_score, arguments.uses)
    if arguments.format == "json":
        print(as_json(text, found, lines=arguments.text is None))
    elif arguments.format == "csv":
        write_csv(sys.stdout, COLUMNS, _rows(text, found), header=False)
    else:
        console = make_console()
        if arguments.text is None:
            console.rule(text, align="left")
        show_found(found, arguments.min_score, console)
    sys.stdout.flush()


def _texts(text: str | None) -> Iterator[str]:
    """The text, or each line of standard input that is not empty."""
    if text is not None:
        if not text.strip():
            raise InputError("the text to look up is empty")
        return iter([text])
    if "PYSPARK_GATEWAY_PORT" in os.environ:
        raise InputError(f"spark-submit passes no input on; for a text a line, run: {command('lookup')} --lake DIR")
    if sys.stdin.isatty():
        print("reading texts from the keyboard, one a line: Ctrl-D on a line of its own ends", file=sys.stderr)
    return _lines()


def _lines() -> Iterator[str]:
    for number, line in enumerate(sys.stdin.buffer, 1):
        try:
            text = line.decode("utf-8-sig").strip()
        except UnicodeDecodeError as error:
            raise InputError(f"standard input, line {number:,}: byte {error.start} is not UTF-8") from None
        if text:
            yield text


def show_found(found: Sequence[Found], least: float, console: Console) -> None:
    """Print each group: score, kind of nearness, the quote, counts, and its uses in the order of their dates."""
    for position, each in enumerate(found, 1):
        line = Text(f"{position:>2}  {each.score:.2f} {each.how:<8}", style="bold")
        console.print(line.append(f"“{_short(each.quote, _LONGEST)}”"), soft_wrap=True)
        console.print(Text(f"{_INDENT} {_counted(each)}"), soft_wrap=True)
        for use in each.listed or [each.first]:
            console.print(Text(f"{_INDENT} {_use_line(use)}"), soft_wrap=True)
        more = each.documents - len(each.listed)
        if each.listed and more:
            console.print(Text(f"{_INDENT} … and {more:,} more (--uses all)"))
    if not found:
        console.print(f"no known quote has a score of {least:g} or more", markup=False, highlight=False)


def as_json(text: str, found: Sequence[Found], *, lines: bool) -> str:
    """A text with what was found, as one JSON object; on one line if several texts follow one another."""
    entry = {"text": text, "found": [each._asdict() for each in found]}
    return json.dumps(entry, ensure_ascii=False, indent=None if lines else 2, default=str)


def _rows(text: str, found: Sequence[Found]) -> Iterator[dict[str, Any]]:
    for position, each in enumerate(found, 1):
        group = {name: value for name, value in each._asdict().items() if name not in ("first", "listed")}
        group |= {"text": text, "position": position, "variants": len(each.variants)}
        for use in each.listed or [each.first]:
            yield {**group, **use}


def _counted(found: Found) -> str:
    """Say how often and where a group is used.

    >>> _counted(Found("g", "q", "v", "same", 1.0, 1.0, None, ["q"], 3, 2, 1, {}, []))
    '3 uses in 2 documents, 1 outlet'
    """
    counts = [f"{_number(found.uses, 'use')} in {_number(found.documents, 'document')}"]
    counts += [_number(found.outlets, "outlet")] if found.outlets else []
    counts += [_number(len(found.variants), "variant")] if len(found.variants) > 1 else []
    return ", ".join(counts)


def _number(count: int, name: str) -> str:
    return f"{count:,} {name}" if count == 1 else f"{count:,} {name}s"


def _use_line(use: Mapping[str, Any]) -> str:
    date = use["published_at"].strftime("%Y-%m-%d") if use["published_at"] else "no date   "
    where = "tweet" if use["kind"] == "tweet" else use["outlet"] or "unknown outlet"
    title = use["headline"] if use["kind"] == "news" else use["context"]
    said = f"; said by {visible(use['speaker'])}" if use["speaker"] else ""
    return f"{date}  {visible(where)}: {_short(title or '(no headline)', _TITLE)}{said}"


def _short(text: str, most: int) -> str:
    words = " ".join(visible(text).split())
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"


class ShownProgress(Progress):
    """Says on a console how the vectors for looking up by meaning are brought up to date.

    Args:
        console: for messages, such as standard error: standard output is for answers.
        clock: seconds.
    """

    def __init__(self, console: Console, clock: Callable[[], float] = time.monotonic) -> None:
        self._console, self._clock = console, clock
        self._began = self._said = 0.0

    def damaged(self, records: int) -> None:
        """Say that some vectors are damaged."""
        self._say(f"quotelake: damaged: {_number(records, 'stored vector')}; what is missing is embedded again")

    def embedded(self, done: int, total: int) -> None:
        """Say how many texts are embedded: always on a terminal, else now and then."""
        now = self._clock()
        if not done:
            self._began = self._said = now
            self._say(f"embedding {_number(total, 'quote')}, once; --no-meaning does without")
            return
        rate = done / max(now - self._began, 1e-9)
        line = f"  {done:,} of {total:,} quotes, {rate:,.0f} quotes/s, {(total - done) / rate:.0f} s left"
        if self._console.is_terminal:
            self._console.print(line.ljust(60), end="\n" if done == total else "\r", markup=False, highlight=False)
        elif now - self._said >= _LOG_SECONDS:
            self._said = now
            self._say(line)

    def _say(self, line: str) -> None:
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)
