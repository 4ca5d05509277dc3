"""Select the capitalised words of an article that can tell who its speakers are; the others need not be read.

The name of a speaker depends on the words around the speaker, the *window*, and on other mentions of people with a
surname from a window. So between windows only runs of several words that may hold such a surname are needed: a surname
alone adds nothing to what is known of the person.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Final

from quotelake.quotes.spans import Quote
from quotelake.quotes.speakers.people import NameReader, plain

#: An empty alternative and possessive repetition cost the engine less than ``?`` and ``*``.
_CAPITALISED: Final = r"[A-Z\u00c0-\u00de][\w'’-]*+(?:\.(?= [A-Z])|)"
#: Capitalised words in a row, also across full stops of titles, initials and sentences. Each word is tried once.
_RUN: Final = re.compile(rf"{_CAPITALISED}(?: {_CAPITALISED})*+")
#: A last word of fewer letters may be a suffix (*Jr*) after the surname.
_SHORTEST: Final = 4

#: Start of a run, and its words.
Run = tuple[int, str]


def find_runs(
    text: str,
    quotes: Iterable[Quote],
    windows: list[tuple[int, int]],
    end: int,
    speaking: frozenset[str],
    reader: NameReader,
) -> list[Run]:
    """Find the runs outside quotes that can matter, in order.

    Args:
        text: the article.
        quotes: its quotes; the text of the outermost ones is left out.
        windows: (start, end) of the text that is read in full, in order of ``start``; they may overlap.
        end: where reading ends, even within a run.
        speaking: surnames that occur as speakers without a given name.
        reader: reads the names in runs.
    """
    if not windows:
        return []
    line = text.find("\n", max(high for _, high in windows), end)  # No run crosses a line break.
    outside = _outside(quotes, line if line >= 0 else end)
    found = [(run.start(), run[0]) for begin, stop in outside for run in _RUN.finditer(text, begin, stop)]
    stretches = _stretches(found, windows)
    near = {words for _, first, behind in stretches for _, words in found[first:behind]}
    names = {words: reader.read(words) for words in near if " " in words}
    surnames = near.difference(names).union([name.surname for read in names.values() for name in read])
    runs: list[Run] = []
    for before, first, behind in stretches:
        runs += [run for run in found[before:first] if " " in run[1] and _may_name(run[1], surnames)]
        runs += found[first:behind]
    names |= {words: reader.read(words) for _, words in runs if " " in words and words not in names}
    # A surname alone names somebody only if a run has it with a given name or title, or it is a speaker.
    naming = {words for words, read in names.items() if read}
    naming |= {name.surname for read in names.values() for name in read} | speaking
    return [run for run in runs if run[1] in naming]


def _stretches(found: list[Run], windows: list[tuple[int, int]]) -> list[tuple[int, int, int]]:
    """Indices in ``found`` for each window: (first after the window before, first in it, first after it)."""
    last = 0
    stretches = []
    for low, high in windows:
        first = max(last, bisect_left(found, (low,)) - 1)  # The run before may reach into the window.
        behind = bisect_left(found, (high,), first)
        if first < behind:
            stretches.append((last, first, behind))
            last = behind
    return stretches


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


def _may_name(run: str, surnames: set[str]) -> bool:
    """Whether a run of several words may name somebody with one of the surnames; true in doubt, as it is then read.

    A run without full stops is one sentence; if its last word is longer and all letters, that word is the surname.
    Otherwise any word may be the surname, without its possessive ending or full stop.
    """
    last = run[run.rfind(" ") + 1 :]
    if last in surnames:
        return True
    if len(last) >= _SHORTEST and "." not in run and last.isalpha():
        return False
    return any(word[: len(plain(word))] in surnames for word in run.split(" "))
