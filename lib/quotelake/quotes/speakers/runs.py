"""The capitalised words of an article that can tell who its speakers are; the others need not be read.

What a speaker is called shows in the words around it, its *window*, and in what else the article says of anybody with a
surname from one of the windows. So of the text between windows only runs of several words that may hold such a surname
are wanted: a surname alone adds nothing to what is known of its owner.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Final

from quotelake.quotes.spans import Quote
from quotelake.quotes.speakers.people import NameReader

#: An empty alternative and possessive repetition ask the engine for less than ``?`` and ``*`` do.
_CAPITALISED: Final = r"[A-Z\u00c0-\u00de][\w'’-]*+(?:\.(?= [A-Z])|)"
#: Capitalised words in a row, over points of titles, initials and sentences. Every word is tried once.
_RUN: Final = re.compile(rf"{_CAPITALISED}(?: {_CAPITALISED})*+")
#: Shorter than this, the last word of a run may be a suffix (*Jr*), behind the surname.
_SHORTEST: Final = 4

#: Where a run begins, and its words.
Run = tuple[int, str]


def find_runs(
    text: str, quotes: Iterable[Quote], windows: list[tuple[int, int]], end: int, reader: NameReader
) -> Iterator[Run]:
    """Find the runs outside quotes that can matter, in order.

    Args:
        text: the article.
        quotes: its quotes, the outermost of which are left out.
        windows: (start, end) of what is wanted whole, in order of ``start``; they may overlap.
        end: where reading ends, even within a run.
        reader: knows the surnames.
    """
    if not windows:
        return
    line = text.find("\n", max(high for _, high in windows), end)  # No run goes over lines.
    outside = _outside(quotes, line if line >= 0 else end)
    found = [(run.start(), run[0]) for begin, stop in outside for run in _RUN.finditer(text, begin, stop)]
    last = 0
    stretches = []
    for low, high in windows:
        first = max(last, bisect_left(found, (low,)) - 1)  # The run before may go on into the window.
        behind = bisect_left(found, (high,), first)
        if first < behind:
            stretches.append((last, first, behind))
            last = behind
    surnames = set(_surnames([words for _, first, last in stretches for _, words in found[first:last]], reader))
    for before, first, last in stretches:
        for run in found[before:first]:
            if " " in run[1] and _may_name(run[1], surnames):
                yield run
        yield from found[first:last]


def _outside(quotes: Iterable[Quote], end: int) -> Iterator[tuple[int, int]]:
    """Stretches between the outermost quotes, up to ``end``."""
    begin = 0
    for quote in quotes:
        if quote.depth == 0:
            if quote.start >= end:
                break
            yield begin, quote.start
            begin = quote.end
    yield begin, end


def _surnames(runs: Iterable[str], reader: NameReader) -> Iterator[str]:
    """Whatever can be a surname in the runs of a window."""
    for run in runs:
        if " " in run:
            for name in reader.read(run):
                yield name.surname
        else:
            yield run


def _may_name(run: str, surnames: set[str]) -> bool:
    """Whether a run of several words may name somebody with one of the surnames; in doubt it may, for reading tells.

    A run without points is one sentence, and a longer word of letters alone is its surname as it stands.
    """
    last = run[run.rfind(" ") + 1 :]
    return last in surnames or len(last) < _SHORTEST or "." in run or not last.isalpha()
