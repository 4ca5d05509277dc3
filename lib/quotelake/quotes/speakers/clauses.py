"""The words around the quotes of a paragraph, for the rules of attribution.

A quote and the end of a sentence are one word each. Of a long text between two quotes only what is next to them is
read, at most :data:`REACH` characters.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Set
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from quotelake.quotes.lexicon import Tables
from quotelake.quotes.spans import Quote

#: Characters read before a quote and after it. In PolNeAR 96 % of the sources are within 40 characters of a quote.
REACH: Final = 400
REACH_BEHIND: Final = 200
MARKS: Final = " \t\r\u00a0\"“”„«»'‘’`"
POSSESSIVE: Final = ("'s", "’s")
#: Words that represent a quote, and the end of a sentence.
QUOTE: Final = "\0"
STOP: Final = "."
#: Signs that end a part of a sentence.
SIGNS: Final = frozenset((",", ";", ":", "—", "–", STOP, QUOTE))
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
#: In other languages an elided word is one by itself (*l’|imputato*), and so is the first half of two compounds.
_WORD: Final = re.compile(
    rf"[{_LETTERS}]++(?>(?:[/&-][{_LETTERS}]++|\.[a-z0-9][{_LETTERS}]*+)*)(?:['’](?=\w)|-(?=\s)|\.)?"
    rf"|[^\w\s\"“”„«»'‘’`]"
)
_POINTS: Final = frozenset(".!?…")
#: After a quote that ends in a full stop: its mark, then the start of a new sentence.
_NEW_SENTENCE: Final = re.compile(r"[\"”“»«'’)\]]{0,3}\s{1,3}[^\W\d_a-z]")
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

    def named(self, text: str, span: tuple[int, int]) -> "Speaker":
        """The speaker with a full name, and so a person."""
        return self._replace(type="person", name_start=span[0], name_end=span[1], name=text[slice(*span)])

    def moved(self, text: str, place: Callable[[int], int]) -> "Speaker":
        """The same speaker in another form of the text; ``place`` maps the offsets."""
        names = ("start", "end", "head_end", "cue_start", "cue_end", "name_start", "name_end")
        offsets: dict[str, Any] = {n: None if (at := getattr(self, n)) is None else place(at) for n in names}
        moved = self._replace(**offsets)
        name = None if self.name is None else text[moved.name_start : moved.name_end]
        return moved._replace(text=text[moved.start : moved.end], name=name)


class Clauses:
    """Words of a text as written and in lower case, start and end of each, and the positions of each :data:`STOP`."""

    def __init__(self, text: str, table: Tables) -> None:
        self.text = text
        self.table = table
        self.lists = table.lists
        self.words, self.low = list[str](), list[str]()
        self.starts, self.ends, self.stops = list[int](), list[int](), list[int]()

    def read_words(self, start: int, end: int) -> None:
        """Append the words of a part of the text, and a :data:`STOP` behind each sentence."""
        found = list((_WORD if self.table.verb_first else _TOKEN).finditer(self.text, start, end))
        words, starts = [word[0] for word in found], [word.start() for word in found]
        ends, low = [word.end() for word in found], list(map(str.lower, words))
        abbreviations, before, inserted = self.lists["abbreviations"], len(self.words), 0
        for point in [k for k, word in enumerate(words) if word[-1] in _POINTS]:
            k = point + inserted
            word = low[k][:-1]
            goes_on = k + 1 < len(words) and (words[k + 1][0].islower() or words[k + 1] == ")")
            if not word:
                words[k] = low[k] = STOP
                self.stops.append(before + k)
            elif len(word) > 1 and "." not in word and word.rpartition("-")[2] not in abbreviations and not goes_on:
                words[k : k + 1] = (words[k][:-1], STOP)
                low[k : k + 1] = (word, STOP)
                starts.insert(k + 1, ends[k] - 1)
                ends.insert(k, ends[k] - 1)
                self.stops.append(before + k + 1)
                inserted += 1
        self.words += words
        self.low += low
        self.starts += starts
        self.ends += ends

    def add(self, word: str, start: int, end: int) -> None:
        """Append a word, :data:`QUOTE` or :data:`STOP`."""
        if word == STOP:
            self.stops.append(len(self.words))
        self.words.append(word)
        self.low.append(word.lower())
        self.starts.append(start)
        self.ends.append(end)

    def is_beside_verb(self, k: int) -> bool:
        """Whether a word is an auxiliary or adverb, or ends in lower case as English adverbs do."""
        adverb = self.words[k][-2:] == "ly" and self.words[k][0].islower()
        return adverb or self.low[k] in self.lists["beside_verbs"]

    def sentence(self, k: int, low: int) -> int:
        """First word of the sentence before ``k``, at least ``low``."""
        low = max(low, 0)
        at = bisect_left(self.stops, k)
        return max(low, self.stops[at - 1] + 1) if at else low

    def skip(self, k: int, high: int, name: str, *, signs: bool = False) -> int:
        """Position of the first word from ``k`` on that a list lacks, ``signs`` aside if so asked, or ``high``."""
        while k < high and (self.low[k] in self.lists[name] or (signs and not self.words[k][0].isalnum())):
            k += 1
        return k

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
    """Quotes of one level that begin on a line, and the words around them."""

    def __init__(self, text: str, quotes: list[Quote], low: int | None, high: int, table: Tables) -> None:
        """Read from ``low`` to ``high`` at most; None: from the first quote on."""
        self.text = text
        self.quotes = quotes
        self.c = Clauses(text, table)
        self.alone = low is not None and self._read_front(low)  # Whether nothing precedes the first quote.
        self.places: list[int] = []  # Position of each quote among the words.
        for quote, following in zip_longest(quotes, quotes[1:]):
            self.places.append(len(self.c.words))
            start = quote.end
            if quote.kind == "direct" or not table.verb_first:
                self.c.add(QUOTE, quote.start, start)
            else:  # A name in marks counts as one capitalised word: die „Abendpost“.
                marks = len(quote.marks) // 2
                self.c.add(quote.text[:1].upper() + quote.text[1:], quote.start - marks, start + marks)
            is_end = text[start - 1] in (_POINTS if table.verb_first else STOP) and _NEW_SENTENCE.match(text, start)
            if is_end:
                self.c.add(STOP, start, start)
            if following is not None:
                end = following.start
            else:
                end = start if is_end else min(high, start + REACH_BEHIND)
                end = end if (line := text.find("\n", start, end)) < 0 else line
            near = min(end, start + REACH_BEHIND)
            self.c.read_words(start, near)
            if near < end:  # Of a long text between two quotes what is next to them.
                far = max(near, end - REACH)
                if far > near:
                    self.c.add(STOP, near, near)
                self.c.read_words(far, end)

    def at(self, n: int) -> tuple[Clauses, int, int, str]:
        """The words, the positions of the ``n``-th quote and of the next one or the end, and its last character."""
        stop = next((k for k in self.places[n + 1 :] if self.c.words[k] == QUOTE), len(self.c.words))
        return self.c, self.places[n], stop, self.text[self.quotes[n].end - 1]

    def _read_front(self, low: int) -> bool:
        """Read the text before the first quote, and a line above that ends in a colon; whether there is none."""
        text, quote = self.text, self.quotes[0].start
        begin = max(low, quote - REACH)
        begin = max(begin, text.rfind("\n", begin, quote) + 1)
        alone = not text[begin:quote].rstrip(MARKS)
        above = text[max(low, begin - REACH) : begin].rstrip() if alone else ""
        if above[-1:] == ":":
            end = max(low, begin - REACH) + len(above)
            self.c.read_words(end - len(above.rpartition("\n")[2]), end)
        self.c.read_words(begin, quote)
        return alone and above[-1:] != ":"
