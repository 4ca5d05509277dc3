"""The words around quotes, as the rules of attribution read them: a quote and the end of a sentence are one word each.

A :class:`Clauses` holds the text of a paragraph outside its quotes, so that each stretch is split into words only once.
"""

import re
from bisect import bisect_left
from typing import Final, NamedTuple

from quotelake.text.lexicon import Language

#: Words that represent a quote, and the end of a sentence.
QUOTE: Final = "\0"
STOP: Final = "."
#: Words, with the full stops of abbreviations and initials, or any other sign but quotation marks. Signs from U+00A1 to
#: U+00BF occur inside words that were read in the wrong encoding.
_LETTERS: Final = r"0-9A-Za-z\xa1-\xaa\xac-\xba\xbc-\u02af\u0370-\u1fff"
_TOKEN: Final = re.compile(rf"[{_LETTERS}]++(?:['’.&/-][{_LETTERS}]++)*+\.?|[^\w\s\"“”„«»'‘’`]")
_POINTS: Final = frozenset(".!?…")
_STOP: Final = re.compile(r"[.!?…]")


def sentence_start(language: Language, text: str, low: int, high: int) -> int:
    """Start of the last sentence before ``high``, not before ``low``; in doubt an earlier one.

    >>> from quotelake.text.lexicon import load_language
    >>> sentence_start(load_language("en"), "It rained. Then Prof. Lee said", 0, 30)
    11
    """
    cut = text.rfind(". ", low, high)
    while cut > low and not _ends_sentence(language, text, cut):
        cut = text.rfind(". ", low, cut)
    return low if cut < low else cut + 2


def sentence_end(language: Language, text: str, low: int, high: int) -> int:
    """One past the full stop of the first sentence after ``low``, at most ``high``; in doubt a later one."""
    cut = text.find(". ", low, high)
    while cut >= 0 and not _ends_sentence(language, text, cut):
        cut = text.find(". ", cut + 1, high)
    return high if cut < 0 else cut + 1


def _ends_sentence(language: Language, text: str, point: int) -> bool:
    """Whether the full stop at ``point`` follows a word of at least three letters that is not an abbreviation."""
    word = text[max(0, point - 7) : point].rpartition(" ")[2]
    return len(word) > 2 and word.isalpha() and word.lower() not in language.words["abbreviations"]


class Phrase(NamedTuple):
    """A noun phrase, as positions of words: its first, one past its head, one past the apposition after it."""

    start: int
    head: int
    end: int


class Clauses:
    """Words of a text as written and in lower case, and which of them are :data:`STOP`.

    Offsets of words are computed only on demand: ``chunks`` holds, for each stretch that was read, the position of its
    first word and its offset in the text.
    """

    __slots__ = ("chunks", "low", "stops", "text", "words")

    def __init__(self, text: str) -> None:
        self.text = text
        self.words: list[str] = []
        self.low: list[str] = []
        self.stops: list[int] = []
        self.chunks: list[tuple[int, int]] = []

    def read(self, language: Language, start: int, end: int) -> None:
        """Append the words of a stretch of the text.

        >>> from quotelake.text.lexicon import load_language
        >>> clauses = Clauses('Mr. Lee of the U.N. left. "')
        >>> clauses.read(load_language("en"), 0, 27)
        >>> clauses.words
        ['Mr.', 'Lee', 'of', 'the', 'U.N.', 'left', '.']
        >>> clauses.places(1, 4, 6)
        [4, 15, 24]
        """
        words = _TOKEN.findall(self.text, start, end)
        if not words:
            return
        before = len(self.words)
        self.chunks.append((before, start))
        low = list(map(str.lower, words))
        points = [k for k, word in enumerate(words) if word[-1] in _POINTS]
        if points:
            abbreviations = language.words["abbreviations"]
            inserted = 0
            for point in points:
                k = point + inserted
                word = low[k][:-1]
                if not word:
                    words[k] = low[k] = STOP
                    self.stops.append(before + k)
                elif (
                    len(word) > 1
                    and "." not in word
                    and word.rpartition("-")[2] not in abbreviations
                    and words[k + 1 : k + 2] != [")"]
                ):
                    words[k : k + 1] = (words[k][:-1], STOP)
                    low[k : k + 1] = (word, STOP)
                    self.stops.append(before + k + 1)
                    inserted += 1
        self.words += words
        self.low += low

    def add(self, sign: str, at: int) -> None:
        """Append :data:`QUOTE` or :data:`STOP`."""
        if sign == STOP:
            self.stops.append(len(self.words))
        self.chunks.append((len(self.words), at))
        self.words.append(sign)
        self.low.append(sign)

    def put_in_front(self, front: "Clauses") -> None:
        """Prepend the words of ``front``."""
        shift = len(front.words)
        self.words = front.words + self.words
        self.low = front.low + self.low
        self.stops = front.stops + [stop + shift for stop in self.stops]
        self.chunks = front.chunks + [(first + shift, at) for first, at in self.chunks]

    def sentence(self, k: int, low: int = 0) -> int:
        """First word of the sentence before ``k``, at least ``low``."""
        low = max(low, 0)
        at = bisect_left(self.stops, k)
        return max(low, self.stops[at - 1] + 1) if at else low

    def next_stop(self, k: int) -> int:
        """Position of the end of the sentence at ``k``, or the number of words."""
        at = bisect_left(self.stops, k)
        return self.stops[at] if at < len(self.stops) else len(self.words)

    def places(self, *sought: int) -> list[int]:
        """Offsets in the text at which words begin; cheapest in ascending order.

        Within a stretch only characters that begin no word are between words, so the next occurrence of a word is it.
        """
        found = []
        text, words = self.text, self.words
        last, at, limit = 0, 0, -1
        for k in sought:
            if not last <= k < limit:
                chunk = bisect_left(self.chunks, (k + 1,)) - 1
                last, at = self.chunks[chunk]
                limit = self.chunks[chunk + 1][0] if chunk + 1 < len(self.chunks) else len(words)
                at = self._next(words[last], at)
            if last < k:
                behind = at + len(words[last])
                for word in words[last + 1 : k + 1]:
                    at = text.find(word, behind) if word != STOP else self._next(STOP, behind)
                    behind = at + len(word)
                last = k
            found.append(at)
        return found

    def _next(self, word: str, at: int) -> int:
        if word == QUOTE:
            return at
        if word == STOP:
            found = _STOP.search(self.text, at)
            return found.start() if found else at
        return self.text.find(word, at)


class Found(NamedTuple):
    """An attribution.

    Attributes:
        speaker: the speaker's words.
        cue: position of the cue, if there is one.
        how: as of the speaker.
        rule: the rule that found it: the side of the quote it reads, and what it reads there.
    """

    speaker: Phrase
    cue: int | None
    how: str
    rule: str
