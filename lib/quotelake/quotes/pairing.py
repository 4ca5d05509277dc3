"""Pair the marks of a text by a small automaton, paragraph by paragraph.

Recovery from missing marks never reaches beyond a paragraph and those that continue its quote:

* An opening mark while the same mark is open continues the quote at a paragraph break, also a lost one: ``continued``,
  one span of at most :data:`MAX_SEGMENTS` segments. Elsewhere it ends the open quote: ``unclosed``.
* A quote open at the end of a paragraph and not continued is ``unclosed`` and ends with its line. Single marks and
  guillemets have other uses (apostrophes, arrows): they continue only behind the end of a sentence, and where nothing
  closes or continues them they give no quote, as marks inside a closed quote.
* A closing mark of the same family but another shape closes a quote: ``mixed_marks``.
"""

import re
from dataclasses import dataclass
from typing import Final

from quotelake.quotes.lexicon import EN
from quotelake.quotes.marks import CLOSING, OPENING, PROPER, Mark, read_paragraphs

#: Most segments of a continued quote: without a limit a forgotten mark would make the rest of an article a quote.
MAX_SEGMENTS: Final = 12
#: Most marks open at once; real text nests three deep.
MAX_DEPTH: Final = 6
#: Families whose quotes count even if they are never closed.
_KEPT_UNCLOSED: Final = frozenset({"double", "corner", "white corner"})
#: Required end of the part before a reopening mark: within a line that of a sentence, before a break all but a colon.
_SENTENCE_ENDED: Final = re.compile(r"[.!?…][)\]'’]?\Z")
_BROKEN_OFF: Final = re.compile(r"[^:\s]\Z")
#: A reporting clause at the end of a paragraph: the quote before it ended without its closing mark.
_ATTRIBUTION_AT_END: Final = re.compile(
    rf"[,?!][\"'”’]?\s(?:[\w.’'-]+\s){{0,5}}(?:{'|'.join(sorted(EN['reporting_verbs']))})(?:\s[\w.’'-]+){{0,6}}[.:]?\Z"
)
#: Characters before a reopening mark that are read.
_TAIL: Final = 100


@dataclass(slots=True)
class _Open:
    """A quote not closed yet: its opening mark, the start of its current segment, and its earlier segments."""

    mark: Mark
    start: int
    first_child: int
    segments: tuple[tuple[int, int], ...] = ()


@dataclass(slots=True)
class Span:
    """A quote found."""

    opened_at: int  # offset of its opening mark
    closed_at: int  # one past its closing mark, or the end of an unclosed quote
    segments: list[tuple[int, int]]  # (start, end) of its parts, without marks and white space; never empty
    marks: str  # opening and closing mark
    flags: tuple[str, ...]  # of ``continued``, ``mixed_marks``, ``unclosed``


def pair_marks(text: str) -> list[Span]:
    """Spans of the marks of a text in the order of their ends; any two are nested or disjoint."""
    pairing = _Pairing(text)
    for marks, end, reopens in read_paragraphs(text):
        pairing.take(marks, end, reopens)
    if pairing.pending is not None:
        pairing.close_unmatched(*pairing.pending)
    return pairing.spans


class _Pairing:
    """The automaton: a stack of open quotes, emptied at every paragraph, and the spans found."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.spans: list[Span] = []
        self.stack: list[_Open] = []
        self.pending: tuple[_Open, int] | None = None  # The quote left open, and the end of its paragraph.

    def take(self, marks: list[Mark], end: int, reopens: bool) -> None:
        """Pair the marks of the next paragraph; see :func:`~quotelake.quotes.marks.read_paragraphs`."""
        if self.pending is not None:
            opened, limit = self.pending
            self.pending = None
            same = reopens and marks[0].char == opened.mark.char and marks[0].role != "close"
            ending = _BROKEN_OFF if opened.mark.family in _KEPT_UNCLOSED else _SENTENCE_ENDED
            if same and self._may_continue(opened, limit, ending):
                self._continue(opened, limit, marks[0])
                marks = marks[1:]
            else:
                self.close_unmatched(opened, limit)
        for mark in marks:
            self._pair(mark)
        if self.stack:  # Most paragraphs close what they open.
            kept = next((opened for opened in self.stack if opened.mark.family in _KEPT_UNCLOSED), self.stack[0])
            self.pending = (kept, end)
            self.stack.clear()

    def _pair(self, mark: Mark) -> None:
        if mark.family == "single":  # Only with the innermost quote: a lone apostrophe must not end a double one.
            inside = bool(self.stack) and self.stack[-1].mark.family == "single"
            if inside and mark.role == "close":
                self._close(len(self.stack) - 1, mark)
            elif mark.role != "close":
                if inside:
                    self.stack.pop()
                self._open(mark)
            return
        index = len(self.stack) - 1  # of the innermost open quote of its family
        while index >= 0 and self.stack[index].mark.family != mark.family:
            index -= 1
        if index < 0:
            if _opens_alone(mark):
                self._open(mark)
            return
        match _act(mark, self.stack[index].mark):
            case "close":
                self._close(index, mark)
            case "reopen" if mark.curly_closes <= sum(opened.mark.char == mark.char for opened in self.stack):
                self._reopen(index, mark)
            case "open" | "reopen":  # an inner quote, if enough marks to close both are still to come
                self._open(mark)

    def _open(self, mark: Mark) -> None:
        if len(self.stack) < MAX_DEPTH:
            self.stack.append(_Open(mark, mark.end, len(self.spans)))

    def _close(self, index: int, mark: Mark) -> None:
        """Close an open quote and drop the unclosed quotes inside it."""
        opened = self.stack[index]
        del self.stack[index:]
        mixed = () if (opened.mark.char, mark.char) in PROPER else ("mixed_marks",)
        self._emit(opened, mark.start, mark.end, opened.mark.char + mark.char, mixed)

    def _reopen(self, index: int, mark: Mark) -> None:
        """Continue an open quote if the new mark continues it; else end it, and let the mark open another."""
        opened = self.stack[index]
        del self.stack[index:]
        # The text may have lost a paragraph break: "It rained. "Then it snowed," he said.
        if self._may_continue(opened, mark.start, _SENTENCE_ENDED):
            self._continue(opened, mark.start, mark)
        else:
            self.close_unmatched(opened, mark.start)
            self._open(mark)

    def _may_continue(self, opened: _Open, limit: int, ending: re.Pattern[str]) -> bool:
        """Whether a quote left open at ``limit`` can continue: ``ending`` matches, and no reporting clause ends it."""
        tail = self.text[max(opened.start, limit - _TAIL) : limit].rstrip()
        if len(opened.segments) + 1 >= MAX_SEGMENTS:
            return False
        return ending.search(tail) is not None and not _ATTRIBUTION_AT_END.search(tail)

    def _continue(self, opened: _Open, limit: int, mark: Mark) -> None:
        segments = (*opened.segments, (opened.start, limit))
        self.stack.append(_Open(opened.mark, mark.end, len(self.spans), segments))

    def close_unmatched(self, opened: _Open, limit: int) -> None:
        """End an unclosed quote with its line, or the line of the last quote inside it; not later than ``limit``."""
        if opened.mark.family not in _KEPT_UNCLOSED and not opened.segments:
            return
        end = _line_end(self.text, opened.start, limit)
        for child in self.spans[opened.first_child :]:
            if child.opened_at < end < child.closed_at:
                end = _line_end(self.text, child.closed_at, limit)
        self._emit(opened, end, end, opened.mark.char, ("unclosed",))

    def _emit(self, opened: _Open, end: int, closed_at: int, marks: str, flags: tuple[str, ...]) -> None:
        if self.text[opened.mark.start - 1 : opened.mark.start] == "=":  # An attribute of markup: <a rel="next">
            return
        parts = [_trim(self.text, *part) for part in (*opened.segments, (opened.start, end))]
        segments = [part for part in parts if part[0] < part[1]]
        if len(segments) > 1:
            flags = ("continued", *flags)
        if segments:
            self.spans.append(Span(opened.mark.start, closed_at, segments, marks, flags))


def _opens_alone(mark: Mark) -> bool:
    """Whether a mark opens a quote when none of its family is open: »Wir gehen«; but 55" is a length."""
    can_open = mark.char not in CLOSING and mark.role == "either" and not mark.after_digit
    return mark.char in OPENING or mark.role == "open" or can_open


def _act(mark: Mark, opened: Mark) -> str:
    """Action of a mark while one of its family is open: close, open (inside), reopen, or ignore."""
    if mark.char in CLOSING:
        return "close"
    if mark.char in OPENING:
        if mark.role == "close" or (mark.role != "open" and (opened.char, mark.char) in PROPER):
            return "close"
        return "open" if mark.char != opened.char else "reopen"
    if opened.char == mark.char:
        return "reopen" if mark.role == "open" and not mark.before_lower else "close"  # "We will go, "he said.
    if mark.role == "open":
        return "open"
    return "ignore" if mark.after_digit and mark.role == "close" and opened.char in OPENING else "close"


def _line_end(text: str, start: int, limit: int) -> int:
    newline = text.find("\n", start, limit)
    return limit if newline < 0 else newline


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    part = text[start:end].lstrip()
    start = end - len(part)
    return start, start + len(part.rstrip())
