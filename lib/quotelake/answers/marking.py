"""Texts cut into marked pieces, which a terminal and a page both render: what is matched, missing, left out. Pure.

Marks explain a verdict and never change it. They cover whole words: a word counts as found if a matched run covers it,
or if the other quote has the same word.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from quotelake.answers.words import ENGLISH
from quotelake.text.fold import Span, fold
from quotelake.text.language import SYLLABIC, UNSPACED, dominant_script
from quotelake.text.words import paragraphs, sentences

#: A text and its mark: one of :data:`MARKS`, or empty.
Piece = tuple[str, str]
#: What a mark says, in the order in which they are explained.
MARKS: Final = {
    name: ENGLISH.named("marks", name) for name in ("quote", "found", "second", "missing", "omitted", "risky")
}
_WORD: Final = re.compile(r"\w+(?:['’.,\-]\w+)*")
#: Characters of the view's passage after the words that decided, where the body has as many (see ``headline_quotes``).
MARGIN: Final = 400
#: Most characters of a cut word; a longer run without a space is a script that writes none, and is cut anywhere.
_LONGEST_WORD: Final = 40
_FIRST_WORD: Final = re.compile(rf"\S{{0,{_LONGEST_WORD}}}\s+")
_LAST_WORD: Final = re.compile(rf"\s+\S{{0,{_LONGEST_WORD}}}\Z")


def mark(text: str, layers: Iterable[tuple[str, Sequence[Span]]]) -> list[Piece]:
    """Cut a text into pieces of one mark each; where layers overlap, the later one shows.

    >>> mark("We never won", [("omitted", [(3, 12)]), ("risky", [(3, 8)])])
    [('We ', ''), ('never', 'risky'), (' won', 'omitted')]
    """
    marks = [""] * len(text)
    for name, spans in layers:
        for start, end in spans:
            marks[start:end] = [name] * len(marks[start:end])
    pieces, start = [], 0
    for name, same in groupby(marks):
        end = start + sum(1 for _ in same)
        pieces.append((text[start:end], name))
        start = end
    return pieces


def mark_headline_quote(text: str, matched: Sequence[Span], best: str | None, second: str | None) -> list[Piece]:
    """Mark the words of a headline quote: found in the best body quote, only in the second, or missing from both.

    ``matched`` are its parts found in the best body quote, in code points; a ``second`` is given where it adds to it.

    >>> mark_headline_quote("We love it", [(0, 2)], "We made it.", None)
    [('We', 'found'), (' ', ''), ('love', 'missing'), (' ', ''), ('it', 'found')]
    """
    in_best, in_second, in_run = _is_word_of(best), _is_word_of(second), _covered(text, matched)
    marked: dict[str, list[Span]] = {"found": [], "second": [], "missing": []}
    for start, end in _words(text):
        found = all(in_run[start:end]) or in_best(text[start:end])
        name = "found" if found else "second" if in_second(text[start:end]) else "missing"
        marked[name].append((start, end))
    return mark(text, [(name, _joined(text, spans)) for name, spans in marked.items()])


def mark_body_quote(text: str, headline_quote: str, omitted: Sequence[Span], said: Iterable[str]) -> list[Piece]:
    """Mark the words of a body quote: taken over by the headline, left out by an excerpt, or said otherwise.

    ``omitted`` are the parts an excerpt leaves out, in code points, empty where it is no excerpt; ``said`` the words of
    the body in which the two differ, each marked where it stands first, in a part left out if it stands in one.

    >>> [piece for piece in mark_body_quote("We won't go, said", "We go", [(3, 8), (13, 17)], ["won't"]) if piece[1]]
    [('We', 'found'), ("won't", 'risky'), ('go', 'found'), ('said', 'omitted')]
    """
    words, wanted, left = _words(text), _is_word_of(headline_quote), _covered(text, omitted)
    kept = [(start, end) for start, end in words if not any(left[start:end]) and wanted(text[start:end])]
    differing = [place for each in said if (place := _place(each, text, left))]
    inside = _covered(text, differing)
    differing += [(start, end) for start, end in words if any(inside[start:end])]
    return mark(text, [("found", _joined(text, kept)), ("omitted", omitted), ("risky", differing)])


def _place(said: str, text: str, left: bytearray) -> Span | None:
    """Where words of a body stand in a quote of it, which may have them in several lines."""
    words = r"\s+".join(map(re.escape, said.split()))
    pattern = re.compile(rf"(?<!\w){words}(?!\w)" if said[:1].isalnum() else words)
    places = [found.span() for found in pattern.finditer(text)]
    return min(places, key=lambda place: (not any(left[slice(*place)]), place)) if said and places else None


def _is_word_of(text: str | None) -> Callable[[str], bool]:
    """Whether a text has a word; in syllabic scripts, where endings vary, inside a longer word too."""
    folded = fold(text or "")
    words = frozenset(folded.words)
    by_word = dominant_script(folded.letters) not in SYLLABIC | UNSPACED

    def has(word: str) -> bool:
        asked = fold(word)
        if not asked.words or not words:
            return False
        return words.issuperset(asked.words) if by_word else asked.letters in folded.letters

    return has


def _words(text: str) -> list[Span]:
    return [found.span() for found in _WORD.finditer(text)]


def _covered(text: str, spans: Sequence[Span]) -> bytearray:
    """1 for each character inside a span."""
    covered = bytearray(len(text))
    for start, end in spans:
        covered[start:end] = b"\1" * len(covered[start:end])
    return covered


def _joined(text: str, spans: Sequence[Span]) -> list[Span]:
    """Neighbouring words as one span: what stands between them is part of it."""
    joined: list[Span] = []
    for start, end in spans:
        if joined and not _WORD.search(text, joined[-1][1], start):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def passage_around(passage: str, quote: Span, *, cut_before: bool, cut_after: bool) -> tuple[str, str]:
    """What stands before and behind a quote in a passage: where text was cut off, a ``…`` in place of a part of a word.

    >>> passage_around("ter the vote. “We won,” she sa", (15, 22), cut_before=True, cut_after=True)
    ('… the vote. “', '” she …')
    """
    before, after = passage[: quote[0]], passage[quote[1] :]
    if cut_before:
        first = _FIRST_WORD.match(before)
        before = f"… {before[first.end() :] if first else before}"
    if cut_after:
        last = _LAST_WORD.search(after, max(0, len(after) - 2 * _LONGEST_WORD))
        after = f"{after[: last.start()] if last else after} …"
    return before, after


def body_sentences(passage: str, quote: Span) -> Span:
    """Widen a quote to the sentences around it, within its paragraphs: (start, end) in the passage.

    >>> text = "It rained. “We won,” he said. All left."
    >>> text[slice(*body_sentences(text, (12, 18)))]
    '“We won,” he said.'
    """
    start, end = quote
    first, last = start, end
    for begin, stop in paragraphs(passage):
        if stop <= start or begin >= end:
            continue
        for opening, closing in sentences(passage[begin:stop]):
            if opening + begin < end and start < closing + begin:
                first, last = min(first, opening + begin), max(last, closing + begin)
    trimmed = passage[first:last]
    return first + len(trimmed) - len(trimmed.lstrip()), first + len(trimmed.rstrip())


def place_of(row: Mapping[str, Any]) -> Span:
    """Where the words that decided stand in the passage of a row of ``headline_quotes``: in a body quote or outside."""
    name = "body" if row["best_start"] is None else "best"
    return row[f"{name}_start"] - row["passage_start"], row[f"{name}_end"] - row["passage_start"]


def passage_of(row: Mapping[str, Any]) -> str | None:
    """The passage of a row of the view ``headline_quotes``, in whole words; ``…`` where the body goes on."""
    passage = row["passage"]
    if passage is None:
        return None
    start, end = place_of(row)
    cut_after = len(passage) >= end + MARGIN
    before, after = passage_around(passage, (start, end), cut_before=row["passage_start"] > 0, cut_after=cut_after)
    return f"{before}{passage[start:end]}{after}"
