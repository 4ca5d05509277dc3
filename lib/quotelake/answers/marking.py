"""Texts cut into marked pieces, which a terminal and a page both render: matched, missing, left out. Pure.

Marks explain a verdict and never change it. They cover whole words: a word counts as found if a matched run covers it,
or if the other quote has the same word.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from quotelake.answers.words import ENGLISH
from quotelake.text.fold import Span, fold
from quotelake.text.language import SYLLABIC, UNSPACED, dominant_script
from quotelake.text.words import paragraphs, sentences

#: A text and its mark: one of :data:`MARKS`, or empty.
Piece = tuple[str, str]
#: Meaning of each mark, in the order in which they are explained.
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
    marked = groupby(zip(text, marks, strict=True), key=itemgetter(1))
    return [("".join(letter for letter, _ in same), name) for name, same in marked]


def mark_headline_quote(
    text: str, matched: Sequence[Span], best: str | None, second: str | None, differing: Iterable[str] = ()
) -> list[Piece]:
    """Mark the words of a headline quote: found in the best body quote, only in the second, missing, or different.

    ``matched`` are its parts found in the best body quote, in code points; a ``second`` is given where it adds to it;
    ``differing`` are the headline's words in which the two differ, each marked at its first place.

    >>> mark_headline_quote("We love it", [(0, 2)], "We made it.", None)
    [('We', 'found'), (' ', ''), ('love', 'missing'), (' ', ''), ('it', 'found')]
    """
    in_best, in_second, in_run = _is_word_of(best), _is_word_of(second), _covered(text, matched)
    marked: dict[str, list[Span]] = {"found": [], "second": [], "missing": []}
    for word in _WORD.finditer(text):
        found = all(in_run[slice(*word.span())]) or in_best(word[0])
        marked["found" if found else "second" if in_second(word[0]) else "missing"].append(word.span())
    layers = [(name, _joined(text, spans)) for name, spans in marked.items()]
    return mark(text, [*layers, ("risky", _places_of_each(differing, text, bytearray(len(text))))])


def mark_body_quote(text: str, headline_quote: str, omitted: Sequence[Span], differing: Iterable[str]) -> list[Piece]:
    """Mark the words of a body quote: taken over by the headline, left out by an excerpt, or different there.

    ``omitted`` are the parts an excerpt leaves out, in code points, empty where it is no excerpt; ``differing`` the
    words of the body in which the two differ, each marked at its first place, in an omitted part if there is one.

    >>> [piece for piece in mark_body_quote("We won't go, said", "We go", [(3, 8), (13, 17)], ["won't"]) if piece[1]]
    [('We', 'found'), ("won't", 'risky'), ('go', 'found'), ('said', 'omitted')]
    """
    words = [found.span() for found in _WORD.finditer(text)]
    in_headline, is_omitted = _is_word_of(headline_quote), _covered(text, omitted)
    kept = [(start, end) for start, end in words if not any(is_omitted[start:end]) and in_headline(text[start:end])]
    risky = _places_of_each(differing, text, is_omitted)
    return mark(text, [("found", _joined(text, kept)), ("omitted", omitted), ("risky", risky)])


def places_of(words: str, text: str) -> list[Span]:
    """Places of words in a text, which may have them in several lines; none of no words."""
    spaced = r"\s+".join(map(re.escape, words.split()))
    pattern = re.compile(rf"(?<!\w){spaced}(?!\w)" if words[:1].isalnum() else spaced)
    return [found.span() for found in pattern.finditer(text)] if spaced else []


def _places_of_each(differing: Iterable[str], text: str, is_omitted: bytearray) -> list[Span]:
    """The first place of each of some words, preferably in an omitted part, as whole words."""
    first = [
        min(places, key=lambda span: (not any(is_omitted[slice(*span)]), span))
        for each in differing
        if (places := places_of(each, text))
    ]
    is_risky = _covered(text, first)
    return [*first, *(word.span() for word in _WORD.finditer(text) if any(is_risky[slice(*word.span())]))]


def _is_word_of(text: str | None) -> Callable[[str], bool]:
    """A test whether a text has a word; in syllabic scripts, where endings vary, inside a longer word too."""
    folded = fold(text or "")
    words = frozenset(folded.words)
    by_word = dominant_script(folded.letters) not in SYLLABIC | UNSPACED

    def contains(word: str) -> bool:
        sought = fold(word)
        if not sought.words or not words:
            return False
        return words.issuperset(sought.words) if by_word else sought.letters in folded.letters

    return contains


def _covered(text: str, spans: Sequence[Span]) -> bytearray:
    """1 for each character inside a span."""
    covered = bytearray(len(text))
    for start, end in spans:
        covered[start:end] = b"\1" * len(covered[start:end])
    return covered


def _joined(text: str, spans: Sequence[Span]) -> list[Span]:
    """Neighbouring words as one span, with what is between them."""
    joined: list[Span] = []
    for start, end in spans:
        if joined and not _WORD.search(text, joined[-1][1], start):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def text_around(passage: str, quote: Span, *, cut_before: bool, cut_after: bool) -> tuple[str, str]:
    """Text before and behind a quote in a passage: where it was cut off, a ``…`` in place of a part of a word.

    >>> text_around("ter the vote. “We won,” she sa", (15, 22), cut_before=True, cut_after=True)
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


def widen_to_sentences(passage: str, quote: Span) -> Span:
    """Widen a quote to the sentences around it, within its paragraphs: (start, end) in the passage.

    >>> text = "It rained. “We won,” he said. All left."
    >>> text[slice(*widen_to_sentences(text, (12, 18)))]
    '“We won,” he said.'
    """
    start, end = first, last = quote
    for begin, stop in paragraphs(passage):
        for opening, closing in sentences(passage[begin:stop]) if start < stop and begin < end else ():
            if opening + begin < end and start < closing + begin:
                first, last = min(first, opening + begin), max(last, closing + begin)
    trimmed = passage[first:last]
    return first + len(trimmed) - len(trimmed.lstrip()), first + len(trimmed.rstrip())


def sentences_with(words: str, body: str, near: int) -> str | None:
    """The sentences of a body with the place of words nearest to an offset; None where it does not have the words.

    >>> sentences_with("no", "There is no plan. He left. It has no end.", 30)
    'It has no end.'
    """
    place = min(places_of(words, body), key=lambda span: abs(span[0] - near), default=None)
    return None if place is None else body[slice(*widen_to_sentences(body, place))]


def deciding_span(row: Mapping[str, Any]) -> Span:
    """Span, in the passage of a row of ``headline_quotes``, of the words that decided: a body quote, or others."""
    name = "body" if row["best_start"] is None else "best"
    return row[f"{name}_start"] - row["passage_start"], row[f"{name}_end"] - row["passage_start"]


def passage_in_whole_words(row: Mapping[str, Any]) -> str | None:
    """The passage of a row of the view ``headline_quotes``, in whole words; ``…`` where the body goes on."""
    passage = row["passage"]
    if passage is None:
        return None
    start, end = deciding_span(row)
    cut_after = len(passage) >= end + MARGIN
    before, after = text_around(passage, (start, end), cut_before=row["passage_start"] > 0, cut_after=cut_after)
    return f"{before}{passage[start:end]}{after}"
