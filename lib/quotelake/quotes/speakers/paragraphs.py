"""The words around the quotes of a paragraph: behind each, in front of the next, and in front of the first.

Of a long stretch between two quotes only the sentences that touch a quote are read, and no more than :data:`REACH`
characters of them.
"""

import re
from itertools import pairwise
from typing import Final

from quotelake.quotes.languages import Language
from quotelake.quotes.spans import Quote
from quotelake.quotes.speakers.english.clauses import QUOTE, STOP, Clauses, sentence_end, sentence_start

#: Characters looked at on either side of a quote. In PolNeAR 96 % of the sources stand within 40 of a direct quote;
#: the rest of the sentence is needed to find the subject in front of it.
REACH: Final = 400
REACH_BEHIND: Final = 200
MARKS: Final = " \t\r\u00a0\"“”„«»'‘’`"
#: Behind a quote that ends in a full stop: its mark, then a sentence of its own.
_NEW_SENTENCE: Final = re.compile(r"[\"”»'’)\]]{0,3}\s{1,3}[^\W\d_a-z]")


class Paragraph:
    """Quotes of a paragraph, in order, with the words behind each; those in front of the first are read when asked for.

    Attributes:
        quotes: quotes that lie side by side, of whatever kind.
        c: the words around them.
        places: of each quote, its place among the words.
    """

    __slots__ = ("c", "language", "places", "quotes", "text")

    def __init__(self, text: str, quotes: list[Quote], high: int, language: Language) -> None:
        """Read up to ``high``, or the end of the line."""
        self.text = text
        self.quotes = quotes
        self.language = language
        self.c = Clauses(text)
        self.places: list[int] = []
        for quote, following in pairwise(quotes):
            self._add(quote)
            self._read_between(quote.end, following.start)
        self._add(quotes[-1])
        self._read_to_line_end(quotes[-1].end, high)

    def stop(self, n: int) -> int:
        """Place of the quote behind the ``n``-th, or the number of words."""
        return self.places[n + 1] if n + 1 < len(self.places) else len(self.c.words)

    def read_front(self, low: int) -> bool:
        """Read what stands in front of the first quote, back to ``low`` at most; tell whether that is nothing at all.

        A line of its own that ends in a colon introduces the paragraph below it.
        """
        text, language, quote = self.text, self.language, self.quotes[0].start
        front = Clauses(text)
        begin = max(low, quote - REACH)
        begin = max(begin, text.rfind("\n", begin, quote) + 1)
        words = text[begin:quote].rstrip(MARKS)
        alone = False
        if words:
            begin = sentence_start(language, text, begin, begin + len(words) - 1)
        else:
            floor = max(low, begin - REACH)
            above = text[floor:begin].rstrip()
            alone = above[-1:] != ":"
            if not alone:
                end = floor + len(above)
                line = text.rfind("\n", max(low, end - REACH), end) + 1
                front.read(language, max(low, end - REACH, line), end)
        front.read(language, begin, quote)
        shift = len(front.words)
        if shift:
            self.c.put_in_front(front)
            self.places = [place + shift for place in self.places]
        return alone

    def _add(self, quote: Quote) -> None:
        self.places.append(len(self.c.words))
        self.c.add(QUOTE, quote.start)

    def _ends_sentence(self, end: int) -> bool:
        """Whether the quote up to ``end`` ends a sentence, and another begins behind it; then note that."""
        if self.text[end - 1] != STOP or not _NEW_SENTENCE.match(self.text, end):
            return False
        self.c.add(STOP, end)
        return True

    def _read_between(self, start: int, end: int) -> None:
        """Read the sentence behind a quote, and the one in front of the next."""
        text, language, c = self.text, self.language, self.c
        self._ends_sentence(start)
        near = sentence_end(language, text, start, min(end, start + REACH_BEHIND))
        c.read(language, start, near)
        if near < end:
            low = max(near, end - REACH)
            front = text[low:end].rstrip(MARKS)
            far = sentence_start(language, text, low, low + len(front) - 1)
            if far > near + 1:
                c.add(STOP, near)
            c.read(language, far, end)

    def _read_to_line_end(self, start: int, high: int) -> None:
        """Read the rest of the sentence behind the last quote."""
        if self._ends_sentence(start):
            return
        end = min(high, start + REACH_BEHIND)
        line = self.text.find("\n", start, end)
        near = sentence_end(self.language, self.text, start, line if line >= 0 else end)
        self.c.read(self.language, start, near)
