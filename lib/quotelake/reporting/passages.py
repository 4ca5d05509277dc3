"""Passages of a body around a quote: cut at words, widened to sentences. Pure."""

import re
from typing import Final

from quotelake.text.fold import Span
from quotelake.text.sentences import sentences
from quotelake.text.words import paragraphs

#: Characters of the view's passage after the best body quote, where the body has as many (see ``headline_quotes``).
MARGIN: Final = 400
#: Most characters of a cut word; a longer run without a space is a script that writes none, and is cut anywhere.
_LONGEST_WORD: Final = 40
_FIRST_WORD: Final = re.compile(rf"\S{{0,{_LONGEST_WORD}}}\s+")
_LAST_WORD: Final = re.compile(rf"\s+\S{{0,{_LONGEST_WORD}}}\Z")


def whole_words(passage: str, quote: Span, *, cut_before: bool, cut_after: bool) -> Span:
    """Leave out the parts of words at the ends of a passage: (start, end) of what is left; the quote always is.

    Args:
        passage: part of a text.
        quote: (start, end) in the passage.
        cut_before: text was cut off before it.
        cut_after: text was cut off after it.

    >>> text = "ter the vote. “We won,” she sa"
    >>> text[slice(*whole_words(text, (15, 22), cut_before=True, cut_after=True))]
    'the vote. “We won,” she'
    """
    start, end = 0, len(passage)
    first = _FIRST_WORD.match(passage) if cut_before else None
    if first is not None and first.end() <= quote[0]:
        start = first.end()
    last = _LAST_WORD.search(passage, max(quote[1], end - 2 * _LONGEST_WORD)) if cut_after else None
    if last is not None:
        end = last.start()
    return start, end


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


def passage_of(passage: str, passage_start: int, quote: Span) -> str:
    """The passage of the view ``headline_quotes``, from a word to the end of a word; ``…`` where the body goes on.

    Args:
        passage: column of that name.
        passage_start: column of that name.
        quote: ``best_start`` and ``best_end``, offsets in the body.
    """
    start, end = quote[0] - passage_start, quote[1] - passage_start
    before, after = passage_start > 0, len(passage) >= end + MARGIN
    first, last = whole_words(passage, (start, end), cut_before=before, cut_after=after)
    return f"{'… ' if before else ''}{passage[first:last]}{' …' if after else ''}"
