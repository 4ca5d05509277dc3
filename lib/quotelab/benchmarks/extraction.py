"""Measure the kernel that finds quotes: MB of text per second on one core, and time per character as a text grows.

Of quotes by persons it also prints the share whose person is known by a full name.

--texts FILE holds news: one JSON object per line, with the text in the field ``text``; without it the sample corpus is
used, repeated as needed. MB are millions of bytes of UTF-8. Throughput is by wall time, growth by processor time. The
calls of a measurement take turns, so that other load affects all alike, and the best round of each counts.
"""

import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from quotelab.benchmarks.timing import best_of
from quotelab.report import positive, show
from quotelake.errors import InputError
from quotelake.files.jsonl import json_lines
from quotelake.quotes.spans import find_quotes
from quotelake.quotes.speakers import find_speakers
from quotelake.sample import sample_path

#: Bytes of text in a measurement, at least.
_LEAST: Final = 2_000_000
_SMALLEST: Final = 10_000  # bytes
GOAL: Final = 1.3  # ratio of the time per character, largest text to smallest
_MARKS: Final = ('"', "“", "'")


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add("--texts", type=Path, metavar="FILE", help="JSONL with the field text; may be gzipped")
    add("--rounds", type=positive, default=3, help="number of rounds; the best one counts (default: 3)")
    add("--largest", type=int, default=10_000_000, metavar="BYTES", help="largest text of the growth (10 MB)")


def run(options: Any) -> None:
    """Print the tables."""
    if options.largest < 10 * _SMALLEST:
        raise InputError(f"--largest must be {10 * _SMALLEST:,} at least")
    texts = news(options.texts)
    sizes = [_SMALLEST]
    while sizes[-1] * 10 <= options.largest:
        sizes.append(sizes[-1] * 10)
    rows = []
    for name in (*_MARKS, "news"):
        pieces = {size: cut(name, "\n\n".join(texts), size, sizes[-1]) for size in sizes}
        calls = {size: partial(_find_all, pieces[size]) for size in sizes}
        found = best_of(calls, options.rounds)
        spent = [found[size][0] / sum(map(len, pieces[size])) * 1e9 for size in sizes]
        ratio = spent[-1] / spent[0]
        rows.append((name, *(f"{each:.1f}" for each in spent), f"{ratio:.2f}{'' if ratio <= GOAL else ' (!)'}"))
    show("Nanoseconds per character", ("text", *(f"{size / 1e6:g} MB" for size in sizes), "ratio"), rows)
    speakers = [one for text in texts for one in find_speakers(text, find_quotes(text)) if one and one.type == "person"]
    known = sum(one.name is not None for one in speakers) / max(1, len(speakers))
    show("Quotes by persons", ("quotes", "whose full name is known"), [(f"{len(speakers):,}", f"{known:.3f}")])
    rates = throughput(texts, options.rounds)
    title = f"Throughput on one core: {len(texts):,} texts, {size_of(texts) / 1e6:.1f} MB"
    show(title, ("call", "MB/s"), [(name, f"{rate:.1f}") for name, rate in rates.items()])


def _find_all(texts: Sequence[str]) -> None:
    for text in texts:
        find_quotes(text)


def cut(name: str, text: str, size: int, largest: int) -> list[str]:
    """Make texts of ``size`` bytes: of a repeated mark, at least 1 MB in all; or ``largest`` bytes of news."""
    if name != "news":
        return [name * (size // len(name.encode()))] * max(1, 1_000_000 // size)
    per_byte = len(text) / size_of([text])
    length, wanted = round(size * per_byte), round(largest * per_byte)
    whole = (text * (wanted // len(text) + 1))[:wanted]
    return [whole[start : start + length] for start in range(0, wanted - length + 1, length)]


def throughput(texts: Sequence[str], rounds: int) -> dict[str, float]:
    """MB/s of the kernel, without and with speakers."""
    calls: dict[str, Callable[[], object]] = {
        "find_quotes": lambda: _find_all(texts),
        "find_quotes and find_speakers": lambda: [
            len(find_speakers(text, find_quotes(text), "body", "en")) for text in texts
        ],
    }
    found = best_of(calls, rounds, time.perf_counter)
    return {name: size_of(texts) / 1e6 / seconds for name, (seconds, _) in found.items()}


def news(path: Path | None = None) -> list[str]:
    """Texts of the articles of a file, or of the sample corpus, repeated up to 2 MB."""
    records = [record for _, record in json_lines(path or Path(sample_path("news.jsonl"))) if isinstance(record, dict)]
    texts = [text for record in records if isinstance(text := record.get("text"), str) and text]
    if not texts:
        raise InputError(f"{path}: found no record with a field text; name a JSON Lines file of news")
    return texts * (1 if path else -(-_LEAST // size_of(texts)))


def size_of(texts: Iterable[str]) -> int:
    """Size of texts in bytes of UTF-8."""
    return sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
