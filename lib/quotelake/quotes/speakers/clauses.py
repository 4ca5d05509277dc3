"""The words around the quotes of a paragraph, for the rules of attribution.

A quote and the end of a sentence are one word each. Of a long text between two quotes only the sentences next to them
are read, and at most :data:`REACH` characters.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Set
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from quotelake.quotes.lexicon import ABBREVIATIONS
from quotelake.quotes.spans import Quote

#: Characters read before a quote and after it. In PolNeAR 96 % of the sources are within 40 characters of a direct
#: quote; the rest of the sentence is needed to find the subject before it.
REACH: Final = 400
REACH_BEHIND: Final = 200
MARKS: Final = " \t\r\u00a0\"“”„«»'‘’`"
POSSESSIVE: Final = ("'s", "’s")
#: Words that represent a quote, and the end of a sentence.
QUOTE: Final = "\0"
STOP: Final = "."
#: Words, with the full stops of abbreviations and initials, or any other sign but quotation marks. Signs from U+00A1 to
#: U+00BF occur in mojibake.
_LETTERS: Final = r"0-9A-Za-z_\xa1-\xaa\xac-\xba\xbc-\u02af\u0370-\u1fff"
#: A contracted auxiliary is a word (*he’d*); *’s* is one only behind a pronoun, else it is possessive.
_IS: Final = r"(?:(?<=\b[Hh]e['’])|(?<=\b[Ss]he['’])|(?<=\b[Ii]t['’])|(?<=\b[Ww]ho['’]))s"
_CONTRACTED: Final = rf"['’](?:d|ve|ll|re|m|{_IS})(?![{_LETTERS}])"
_TOKEN: Final = re.compile(
    rf"[{_LETTERS}]++(?>(?:(?!{_CONTRACTED})['’.&/-][{_LETTERS}]++)*)\.?|(?<=[A-Za-z]){_CONTRACTED}"
    rf"|[^\w\s\"“”„«»'‘’`]"
)
_POINTS: Final = frozenset(".!?…")
#: After a quote that ends in a full stop: its mark, then the start of a new sentence.
_NEW_SENTENCE: Final = re.compile(r"[\"”»'’)\]]{0,3}\s{1,3}[^\W\d_a-z]")


SPEAKER_TYPES: Final = ("person", "organisation", "document", "anonymous", "crowd")


class Phrase(NamedTuple):
    """Positions of a noun phrase: its first word, one past its head, one past its apposition."""

    start: int
    head: int
    end: int


class Found(NamedTuple):
    """An attribution: the speaker's phrase, the position of the cue if any, ``how`` and ``rule`` of the speaker."""

    speaker: Phrase
    cue: int | None
    how: str
    rule: str


class Speaker(NamedTuple):
    """Who says a quote. Offsets count code points of the raw text."""

    start: int  #: of the noun phrase with titles, roles and apposition
    end: int
    text: str  #: ``raw[start:end]``
    head_end: int  #: end of the phrase without the apposition; at most ``end``
    cue_start: int | None  #: of the cue, the word or colon that reports; None if there is none
    cue_end: int | None
    cue_lemma: str | None  #: the verb in its base form, the noun, ``according`` or ``:``
    #: Place relative to the quote: ``before``, ``after``, ``inside`` (between two parts of an utterance), ``colon`` or
    #: ``continued`` (taken over from the quote before).
    how: str
    type: str  #: one of :data:`SPEAKER_TYPES`
    #: Of a person's full name: in the phrase, or the last mention before a pronoun or surname that means nobody else.
    name_start: int | None = None
    name_end: int | None = None
    name: str | None = None  #: ``raw[name_start:name_end]``
    rule: str = ""  #: that found the speaker; no column of a table

    def moved(self, text: str, place: Callable[[int], int]) -> "Speaker":
        """The same speaker in another form of the text; ``place`` maps the offsets."""
        names = ("start", "end", "head_end", "cue_start", "cue_end", "name_start", "name_end")
        offsets: dict[str, Any] = {n: None if (at := getattr(self, n)) is None else place(at) for n in names}
        moved = self._replace(**offsets)
        name = None if self.name is None else text[moved.name_start : moved.name_end]
        return moved._replace(text=text[moved.start : moved.end], name=name)


class Clauses:
    """Words of a text as written and in lower case, the offset of each, and the positions of each :data:`STOP`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words: list[str] = []
        self.low: list[str] = []
        self.starts: list[int] = []
        self.stops: list[int] = []

    def read_words(self, start: int, end: int) -> None:
        """Append the words of a part of the text, and a :data:`STOP` behind each sentence."""
        found = list(_TOKEN.finditer(self.text, start, end))
        words, starts = [word[0] for word in found], [word.start() for word in found]
        before, low = len(self.words), list(map(str.lower, words))
        inserted = 0
        for point in [k for k, word in enumerate(words) if word[-1] in _POINTS]:
            k = point + inserted
            word = low[k][:-1]
            if not word:
                words[k] = low[k] = STOP
                self.stops.append(before + k)
            elif (
                len(word) > 1
                and "." not in word
                and word.rpartition("-")[2] not in ABBREVIATIONS
                and words[k + 1 : k + 2] != [")"]
            ):
                words[k : k + 1] = (words[k][:-1], STOP)
                low[k : k + 1] = (word, STOP)
                starts.insert(k + 1, starts[k] + len(words[k]))
                self.stops.append(before + k + 1)
                inserted += 1
        self.words += words
        self.low += low
        self.starts += starts

    def add(self, sign: str, at: int) -> None:
        """Append :data:`QUOTE` or :data:`STOP`."""
        if sign == STOP:
            self.stops.append(len(self.words))
        self.words.append(sign)
        self.low.append(sign)
        self.starts.append(at)

    def sentence(self, k: int, low: int) -> int:
        """First word of the sentence before ``k``, at least ``low``."""
        low = max(low, 0)
        at = bisect_left(self.stops, k)
        return max(low, self.stops[at - 1] + 1) if at else low

    def next_of(self, signs: Set[str], k: int, high: int) -> int:
        """Position of the first of some signs from ``k`` on, or ``high``."""
        while k < high and self.words[k] not in signs:
            k += 1
        return k

    def behind_last_of(self, signs: Set[str], k: int, low: int) -> int:
        """One past the position of the last of some signs before ``k``, at least ``low``."""
        while k > low and self.words[k - 1] not in signs:
            k -= 1
        return k


class Paragraph:
    """Quotes of one level, and the words around them."""

    def __init__(self, text: str, quotes: list[Quote], low: int | None, high: int) -> None:
        """Read from ``low`` to ``high`` at most; None: from the first quote on."""
        self.text = text
        self.quotes = quotes
        self.c = Clauses(text)
        self.alone = low is not None and self._read_front(low)  # Whether nothing precedes the first quote.
        self.places: list[int] = []  # Position of each quote among the words.
        for quote, following in zip_longest(quotes, quotes[1:]):
            self.places.append(len(self.c.words))
            self.c.add(QUOTE, quote.start)
            if following is not None:
                self._read_between(quote.end, following.start)
            elif not self._ends_sentence(quote.end):
                end = min(high, quote.end + REACH_BEHIND)
                line = text.find("\n", quote.end, end)
                self.c.read_words(quote.end, _sentence_end(text, quote.end, line if line >= 0 else end))

    def stop(self, n: int) -> int:
        """Position of the quote after the ``n``-th, or the number of words."""
        return self.places[n + 1] if n + 1 < len(self.places) else len(self.c.words)

    def _read_front(self, low: int) -> bool:
        """Read the text before the first quote, and a line above that ends in a colon; whether there is none."""
        text, quote = self.text, self.quotes[0].start
        begin = max(low, quote - REACH)
        begin = max(begin, text.rfind("\n", begin, quote) + 1)
        words = text[begin:quote].rstrip(MARKS)
        alone = False
        if words:
            begin = _sentence_start(text, begin, begin + len(words) - 1)
        else:
            floor = max(low, begin - REACH)
            above = text[floor:begin].rstrip()
            alone = above[-1:] != ":"
            if not alone:
                end = floor + len(above)
                least = max(low, end - REACH)
                self.c.read_words(max(least, text.rfind("\n", least, end) + 1), end)
        self.c.read_words(begin, quote)
        return alone

    def _ends_sentence(self, end: int) -> bool:
        """Whether the quote up to ``end`` ends a sentence and another begins after it; if so, add a stop."""
        if self.text[end - 1] != STOP or not _NEW_SENTENCE.match(self.text, end):
            return False
        self.c.add(STOP, end)
        return True

    def _read_between(self, start: int, end: int) -> None:
        text, c = self.text, self.c
        self._ends_sentence(start)
        near = _sentence_end(text, start, min(end, start + REACH_BEHIND))
        c.read_words(start, near)
        if near < end:
            low = max(near, end - REACH)
            far = _sentence_start(text, low, low + len(text[low:end].rstrip(MARKS)) - 1)
            if far > near + 1:
                c.add(STOP, near)
            c.read_words(far, end)


def _sentence_start(text: str, low: int, high: int) -> int:
    """Start of the last sentence before ``high``, not before ``low``; in doubt an earlier one."""
    cut = text.rfind(". ", low, high)
    while cut > low and not _ends_word(text, cut):
        cut = text.rfind(". ", low, cut)
    return low if cut < low else cut + 2


def _sentence_end(text: str, low: int, high: int) -> int:
    """One past the full stop of the first sentence after ``low``, at most ``high``; in doubt a later one."""
    cut = text.find(". ", low, high)
    while cut >= 0 and not _ends_word(text, cut):
        cut = text.find(". ", cut + 1, high)
    return high if cut < 0 else cut + 1


def _ends_word(text: str, point: int) -> bool:
    """Whether the full stop at ``point`` follows a word of at least three letters that is not an abbreviation."""
    word = text[max(0, point - 7) : point].rpartition(" ")[2]
    return len(word) > 2 and word.isalpha() and word.lower() not in ABBREVIATIONS
