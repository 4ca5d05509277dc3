"""Texts cut into marked pieces, which a terminal and a page both render: what is matched, missing, left out. Pure.

Marks explain a verdict and never change it. They cover whole words: a word counts as found if a matched run covers it,
or if the other quote has the same word.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from quotelake.contextomy.quotes import Text
from quotelake.contextomy.senses import senses
from quotelake.text.fold import Span, fold
from quotelake.text.language import SYLLABIC, UNSPACED, dominant_script
from quotelake.text.omissions import cues_in, script_of, sentences_with
from quotelake.text.words import paragraphs, sentences

#: A text and its mark: one of :data:`MARKS`, or empty.
Piece = tuple[str, str]
#: What a mark says, in the order in which they are explained.
MARKS: Final = {
    "quote": "the quote",
    "found": "in the best body quote",
    "second": "only in the second body quote",
    "missing": "in neither body quote",
    "omitted": "left out by the headline",
    "risky": "left out or changed, and it turns or weakens the sentence",
}
_WORD: Final = re.compile(r"\w+(?:['’.,\-]\w+)*")
_QUESTION: Final = re.compile(r"[?？؟]")
#: Characters of the view's passage after the best body quote, where the body has as many (see ``headline_quotes``).
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


def mark_body_quote(text: str, headline_quote: str, omitted: Sequence[Span], classes: Sequence[str]) -> list[Piece]:
    """Mark the words of a body quote: taken over by the headline, or left out by an excerpt.

    ``omitted`` are the parts an excerpt leaves out, in code points, empty where it is no excerpt; ``classes`` the risky
    ones among them: ``negation``, ``condition``, ``hedge``, ``question``.

    >>> [piece for piece in mark_body_quote("We won't go, said", "We go", [(3, 8), (13, 17)], ["negation"]) if piece[1]]
    [('We', 'found'), ("won't", 'risky'), ('go', 'found'), ('said', 'omitted')]
    """
    words, wanted, left = _words(text), _is_word_of(headline_quote), _covered(text, omitted)
    kept = [(start, end) for start, end in words if not any(left[start:end]) and wanted(text[start:end])]
    risky = _risky(text, omitted, left, classes) if classes else []
    for sense in senses(Text(headline_quote), Text(text)):
        risky += sense.turned  # a negation, opposite or amount that the headline has otherwise
    inside = _covered(text, risky)
    risky += [(start, end) for start, end in words if any(inside[start:end])]
    return mark(text, [("found", _joined(text, kept)), ("omitted", omitted), ("risky", risky)])


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


def _risky(text: str, omitted: Sequence[Span], left: bytearray, classes: Sequence[str]) -> list[Span]:
    """Cues of the classes of risky omissions, only in sentences that are left out in part."""
    gaps = {(start, end): inside for start, end, inside in sentences_with(text, omitted)}
    partly = [
        (start, end)
        for start, end in sentences(text)
        if not all(all(left[slice(*found.span())]) for found in _WORD.finditer(text, start, end))
    ]
    left_out = [gap for sentence in partly for gap in gaps.get(sentence, [])]
    cues: list[Span] = []
    for name in classes:
        if name == "question":  # its mark counts whether or not it is left out
            cues += [found.span() for place in partly for found in _QUESTION.finditer(text, *place)]
        else:
            cues += cues_in(name.upper(), text, script_of(text), left_out)
    return cues


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


def passage_of(row: Mapping[str, Any]) -> str | None:
    """The passage of a row of the view ``headline_quotes``, in whole words; ``…`` where the body goes on."""
    passage = row["passage"]
    if passage is None or row["best_start"] is None:
        return None
    start, end = row["best_start"] - row["passage_start"], row["best_end"] - row["passage_start"]
    cut_after = len(passage) >= end + MARGIN
    before, after = passage_around(passage, (start, end), cut_before=row["passage_start"] > 0, cut_after=cut_after)
    return f"{before}{passage[start:end]}{after}"
