"""Who is quoted: the speaker of each direct quote where the text names one, and how that shows.

The text is read paragraph by paragraph (a line is one). In each, :mod:`~quotelake.quotes.speakers.attribution` looks
behind a quote and in front of it; a quote without a clause of its own goes on with the speaker before it. The cost is
linear: every stretch between two quotes is split into words once, and of a long one only :data:`REACH` characters at
its ends.
"""

import re
from typing import Final

from quotelake.quotes.entities import Unescaped, unescape
from quotelake.quotes.languages import load_language
from quotelake.quotes.spans import Quote
from quotelake.quotes.speakers.attribution import Attribution, Found, load_attribution
from quotelake.quotes.speakers.clauses import QUOTE, STOP, Clauses, sentence_end, sentence_start
from quotelake.quotes.speakers.korean import find_korean
from quotelake.quotes.speakers.names import resolve_names
from quotelake.quotes.speakers.phrases import POSSESSIVE
from quotelake.quotes.speakers.speaker import Speaker, in_raw
from quotelake.quotes.speakers.speaker_type import speaker_type

__all__ = ("Speaker", "find_speakers")

#: Characters looked at on either side of a quote. In PolNeAR 96 % of the sources stand within 40 of a direct quote;
#: the rest of the sentence is needed to find the subject in front of it.
REACH: Final = 400
REACH_BEHIND: Final = 200
#: Words of a sentence in front of a quote that are looked at.
_SENTENCE: Final = 100
#: A quote as near to the beginning, on the first line, may stand in a headline set above the text.
_TITLE: Final = 200
#: Verbs whose speaker goes on in the next sentence, wherever they stand.
_INTRODUCING: Final = frozenset(("say", "tell", "add", "write"))
_MARKS: Final = " \t\r\u00a0\"“”„«»'‘’`"
#: Behind a quote that ends in a full stop: its mark, then a sentence of its own.
_NEW_SENTENCE: Final = re.compile(r"[\"”»'’)\]]{0,3}\s{1,3}[^\W\d_a-z]")


def find_speakers(
    text: str, quotes: list[Quote], mode: str = "body", language: str | None = "en"
) -> list[Speaker | None]:
    """Find who says each quote.

    Args:
        text: the raw field the quotes were found in.
        quotes: what :func:`~quotelake.quotes.spans.find_quotes` gave for it.
        mode: ``body``, ``headline`` or ``tweet``; in headlines verbs may be capitalised.
        language: code of the text's language; without rules for it nobody is found.

    Returns:
        A list parallel to ``quotes``: None for other kinds than ``direct`` and ``colon_claim``, and where the text
        names nobody.

    >>> from quotelake.quotes.spans import find_quotes
    >>> text = "“We lost,” said Mayor Ana Ruiz."
    >>> find_speakers(text, find_quotes(text))[0].text
    'Mayor Ana Ruiz'
    """
    if not quotes or not language or load_language(language) is None:
        return [None] * len(quotes)
    read = unescape(text)
    if read is None:
        return _find(text, quotes, mode, language)
    found = _find(read.text, [_as_read(quote, read) for quote in quotes], mode, language)
    return [one and in_raw(one, text, read) for one in found]


def _find(text: str, quotes: list[Quote], mode: str, language: str) -> list[Speaker | None]:
    if language == "ko":
        return find_korean(text, quotes, mode)
    attribution = load_attribution(language)
    if attribution is None:
        return [None] * len(quotes)
    reader = _Reader(text, quotes, attribution, language, mode)
    reader.read()
    names = resolve_names(text, quotes, reader.speakers, language)
    return [one and _named(text, one, names[one.start, one.end]) for one in reader.speakers]


def _as_read(quote: Quote, read: Unescaped) -> Quote:
    """A quote of the raw field with its offsets in the text whose character references are read."""
    segments = tuple([(read.read(start), read.read(end)) for start, end in quote.segments])
    start, end = segments[0][0], segments[-1][1]
    return quote._replace(start=start, end=end, text=read.text[start:end], segments=segments)


def _named(text: str, speaker: Speaker, span: tuple[int, int] | None) -> Speaker:
    return Speaker._make((*speaker[:-3], *span, text[span[0] : span[1]])) if span else speaker


class _Reader:
    """One pass over the quotes of a text."""

    def __init__(self, text: str, quotes: list[Quote], rules: Attribution, code: str, mode: str) -> None:
        self.text = text
        self.quotes = quotes
        self.rules = rules
        self.code = code
        self.language = rules.language
        self.mode = mode
        self.speakers: list[Speaker | None] = [None] * len(quotes)

    def read(self) -> None:
        """Go through the outermost quotes, then through those inside each quote, which know nothing of the outside."""
        within: dict[int | None, list[int]] = {}
        for i, quote in enumerate(self.quotes):
            if quote.kind == "colon_claim":
                self.speakers[i] = self._of_claim(quote)
            else:
                within.setdefault(quote.parent, []).append(i)
        for parent, children in within.items():
            if parent is None:
                self._read_between(children, 0, len(self.text))
            else:
                self._read_between(children, self.quotes[parent].start, self.quotes[parent].end)

    def _read_between(self, indices: list[int], low: int, high: int) -> None:
        """Read quotes of one level, paragraph by paragraph."""
        previous: Speaker | None = None
        paragraph: list[int] = []
        for i in indices:
            end = self.quotes[paragraph[-1]].end if paragraph else low
            if paragraph and self.text.find("\n", end, self.quotes[i].start) >= 0:
                previous = self._read_paragraph(paragraph, low, high, previous)
                if previous and not self._adjoins(end, self.quotes[i].start):
                    previous = None
                paragraph = []
            paragraph.append(i)
        self._read_paragraph(paragraph, low, high, previous)

    def _read_paragraph(self, indices: list[int], low: int, high: int, previous: Speaker | None) -> Speaker | None:
        """Read the quotes of a paragraph; give the speaker of the last, who may go on in the next paragraph.

        Quotes of other kinds than direct are words like others.
        """
        direct = [n for n, i in enumerate(indices) if self.quotes[i].kind == "direct"]
        if not direct:
            return None
        c = Clauses(self.text)
        places = [self._read_quote(c, indices, n, high) for n in range(len(indices))]
        title = self.mode == "headline" or (indices[0] == 0 and self._in_title(self.quotes[0].start))
        alone = False
        floor = -1  # Place of the direct quote before
        last: Speaker | None = None  # its speaker
        main: Speaker | None = None  # that of the last one outside a subordinate clause
        for k, n in enumerate(direct):
            quote, place = self.quotes[indices[n]], places[n]
            stop = places[n + 1] if n + 1 < len(indices) else len(c.words)
            found = self._behind(c, quote, place, stop, title)
            if found is None and floor < 0:
                front = Clauses(self.text)
                alone = self._read_front(front, self.quotes[indices[0]].start, low) and n == 0
                shift = len(front.words)
                if shift:
                    c.put_in_front(front)
                    places = [one + shift for one in places]
                    place, stop = place + shift, stop + shift
            found = found or self._in_front(c, quote, place, floor, stop, title)
            speaker: Speaker | None = None
            if found:
                speaker = self._speaker(c, found)
                shared = found.how == "before" and last is not None and speaker.cue_start == last.cue_start
                if shared and c.words[place - 1] == ",":  # “We lost,” Ruiz said, “but we learned.”
                    speaker = self.speakers[indices[direct[k - 1]]] = speaker.shown("inside")
                if main is None or found.how != "before" or speaker.cue_lemma in _INTRODUCING:
                    main = speaker
            else:
                if floor < 0:
                    speaker = self._said_before(c, quote, place, title) or (previous if alone else None)
                elif quote.start - self.quotes[indices[n - 1]].end <= REACH_BEHIND:
                    speaker = main if c.words[place - 1] == STOP else last
                if speaker and speaker.how != "continued":
                    speaker = speaker.shown("continued")
            self.speakers[indices[n]] = last = speaker
            floor = place
        for k in range(len(direct) - 1, 0, -1):  # “A” and “B,” Ruiz said
            first, second = direct[k - 1], direct[k]
            behind = self.speakers[indices[second]]
            open_still = behind is not None and behind.how == "after" and self.speakers[indices[first]] is None
            if open_still and STOP not in c.words[places[first] : places[second]]:
                self.speakers[indices[first]] = behind
        return last

    def _adjoins(self, end: int, start: int) -> bool:
        """Whether the paragraphs of two quotes follow each other."""
        if start - end > REACH:
            return False
        return len([line for line in self.text[end:start].split("\n") if line.strip(_MARKS)]) <= 1

    def _in_title(self, at: int) -> bool:
        return at < _TITLE and self.text.find("\n", 0, at) < 0

    def _behind(self, c: Clauses, quote: Quote, place: int, stop: int, title: bool) -> Found | None:
        """Attribution right behind a quote, unless a new sentence begins there."""
        ending = self.text[quote.end - 1]
        if ending == STOP and c.words[place + 1 : place + 2] == [STOP]:
            return None
        return self.rules.after(c, place, stop, ending == ",", title)

    def _in_front(self, c: Clauses, quote: Quote, place: int, floor: int, stop: int, title: bool) -> Found | None:
        """Attribution in front of a quote, else further behind it."""
        low = c.sentence(place, place - _SENTENCE)
        full = self.text[quote.start].isupper() and self.text[quote.end - 1] in ".?!,"
        found = self.rules.before(c, place, floor, low, full, title)
        if found is None and floor < low:
            found = self.rules.later(c, place, stop)
        return found or self.rules.after_dash(c, place, stop)

    def _said_before(self, c: Clauses, quote: Quote, place: int, title: bool) -> Speaker | None:
        """Speaker of the sentence in front of a quote that is a sentence itself (*Ruiz disagreed. “We won.”*)."""
        if place < 2 or c.words[place - 1] != STOP or not self.text[quote.start].isupper():
            return None
        found = self.rules.before(c, place - 1, -1, c.sentence(place - 1, place - _SENTENCE), False, title)
        return self._speaker(c, found) if found and found.cue is not None else None

    def _read_front(self, c: Clauses, quote: int, low: int) -> bool:
        """Read what stands in front of a paragraph's first quote; tell whether that is nothing at all.

        A line of its own that ends in a colon introduces the paragraph below it.
        """
        text, language = self.text, self.language
        begin = max(low, quote - REACH)
        begin = max(begin, text.rfind("\n", begin, quote) + 1)
        front = text[begin:quote].rstrip(_MARKS)
        if front:
            begin = sentence_start(language, text, begin, begin + len(front) - 1)
        else:
            above = text[max(low, begin - REACH) : begin].rstrip()
            if above.endswith(":"):
                front = ":"
                end = max(low, begin - REACH) + len(above)
                line = text.rfind("\n", max(low, end - REACH), end) + 1
                c.read(language, max(low, end - REACH, line), end)
        c.read(language, begin, quote)
        return not front

    def _read_quote(self, c: Clauses, indices: list[int], n: int, high: int) -> int:
        """Append a quote and the sentences that touch it and the next one; give its place."""
        text, language, start = self.text, self.language, self.quotes[indices[n]].end
        place = len(c.words)
        c.add(QUOTE, self.quotes[indices[n]].start)
        last = n + 1 == len(indices)
        end = min(high, start + REACH_BEHIND) if last else self.quotes[indices[n + 1]].start
        if last:
            line = text.find("\n", start, end)
            end = line if line >= 0 else end
        if text[start - 1] == STOP and _NEW_SENTENCE.match(text, start):
            c.add(STOP, start)
            if last:
                return place
        near = sentence_end(language, text, start, min(end, start + REACH_BEHIND))
        c.read(language, start, near)
        if near < end and not last:
            front = text[max(near, end - REACH) : end].rstrip(_MARKS)
            far = end - REACH if end - REACH > near else near
            far = sentence_start(language, text, far, far + len(front) - 1)
            if far > near + 1:
                c.add(STOP, near)
            c.read(language, far, end)
        return place

    def _speaker(self, c: Clauses, found: Found) -> Speaker:
        """Turn words into offsets."""
        phrase, cue = found.speaker, found.cue
        cue_start = cue_end = lemma = None
        if cue is None:
            start, head_end, end = c.places(phrase.start, phrase.head - 1, phrase.end - 1)
        else:
            if cue < phrase.start:
                cue_start, start, head_end, end = c.places(cue, phrase.start, phrase.head - 1, phrase.end - 1)
            else:
                start, head_end, end, cue_start = c.places(phrase.start, phrase.head - 1, phrase.end - 1, cue)
            cue_end = cue_start + len(c.words[cue])
            lemma = self.language.cues.get(c.low[cue], c.low[cue])
        head_end += len(c.words[phrase.head - 1])
        end += len(c.words[phrase.end - 1])
        if head_end - 2 > start and self.text[head_end - 2 : head_end] in POSSESSIVE:  # Ruiz's claim
            end = end - 2 if end == head_end else end
            head_end -= 2
        kind = speaker_type(tuple(c.words[phrase.start : phrase.head]), self.code)
        text = self.text[start:end]
        return Speaker(start, end, text, head_end, cue_start, cue_end, lemma, found.how, kind, None, None, None)

    def _of_claim(self, quote: Quote) -> Speaker | None:
        """Speaker of a claim without marks: what stands in front of its colon."""
        text = self.text
        low = max(0, quote.start - REACH)
        colon = text.rfind(":", low, quote.start)
        begin = max(low, text.rfind("\n", low, max(colon, low)) + 1)
        name = text[begin:colon].strip() if colon > begin else ""
        if not name:
            return None
        start = text.index(name, begin)
        end = start + len(name)
        kind = speaker_type(tuple(name.split()), self.code)
        return Speaker(start, end, name, end, colon, colon + 1, ":", "colon", kind, None, None, None)
