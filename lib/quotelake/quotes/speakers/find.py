"""Find the speaker of each direct quote, if the text names one.

The text is read paragraph by paragraph (a line is one). The rules of a language
(:mod:`~quotelake.quotes.speakers.attribution`) read what follows a quote, then what precedes it. A quote
without a reporting clause keeps the speaker of the quote before. The cost is linear: each stretch between two quotes is
split into words once, and of a long one only its ends (:mod:`~quotelake.quotes.speakers.paragraphs`).
"""

from itertools import pairwise
from typing import Final

from quotelake.quotes.colon_claims import find_colon_claim
from quotelake.quotes.entities import Unescaped, unescape
from quotelake.quotes.spans import Quote
from quotelake.quotes.speakers.attribution import Attribution, load_attribution
from quotelake.quotes.speakers.clauses import STOP, Clauses, Found
from quotelake.quotes.speakers.korean import find_korean
from quotelake.quotes.speakers.names import resolve_names
from quotelake.quotes.speakers.noun_phrases import POSSESSIVE
from quotelake.quotes.speakers.paragraphs import MARKS, REACH, REACH_BEHIND, Paragraph
from quotelake.quotes.speakers.speaker import Speaker, speaker_type

__all__ = ("Speaker", "find_speakers")

#: Most words of a sentence before a quote that are read.
_SENTENCE: Final = 100
#: A quote on the first line with a smaller offset may be in a headline that was put above the text.
_TITLE: Final = 200
_BLANK: Final = MARKS + "\n"
#: Verbs whose subject stays the speaker in the next sentence, even in a subordinate clause.
_INTRODUCING: Final = frozenset(("say", "tell", "add", "write"))


def find_speakers(
    text: str, quotes: list[Quote], mode: str = "body", language: str | None = "en"
) -> list[Speaker | None]:
    """Find who says each quote.

    Args:
        text: the raw field the quotes were found in.
        quotes: what :func:`~quotelake.quotes.spans.find_quotes` returned for it.
        mode: ``body``, ``headline`` or ``tweet``; in headlines verbs may be capitalised.
        language: ISO 639-1 code of the text's language; without rules for it nobody is found.

    Returns:
        A list parallel to ``quotes``: None for other kinds than ``direct`` and ``colon_claim``, and where the text
        names nobody.

    >>> from quotelake.quotes.spans import find_quotes
    >>> text = "“We lost,” said Mayor Ana Ruiz."
    >>> find_speakers(text, find_quotes(text))[0].text
    'Mayor Ana Ruiz'
    """
    read = unescape(text)
    if read is None:
        return speakers_in(text, quotes, mode, language)
    found = speakers_in(read.text, [_as_read(quote, read) for quote in quotes], mode, language)
    return [speaker and speaker.in_raw(text, read) for speaker in found]


def speakers_in(text: str, quotes: list[Quote], mode: str, language: str | None) -> list[Speaker | None]:
    """Find who says each quote of a text whose character references are decoded, as :func:`find_speakers` does."""
    if not quotes or not language:
        return [None] * len(quotes)
    if language == "ko":
        return find_korean(text, quotes, mode)
    attribution = load_attribution(language)
    if attribution is None:
        return [None] * len(quotes)
    reader = _Reader(text, quotes, attribution, language, mode)
    reader.read()
    names = resolve_names(text, quotes, reader.speakers, language)
    return [speaker and _named(text, speaker, names.get((speaker.start, speaker.end))) for speaker in reader.speakers]


def _as_read(quote: Quote, read: Unescaped) -> Quote:
    """A quote of the raw field with its offsets in the decoded text."""
    segments = tuple([(read.read(start), read.read(end)) for start, end in quote.segments])
    start, end = segments[0][0], segments[-1][1]
    return quote._replace(start=start, end=end, text=read.text[start:end], segments=segments)


def _named(text: str, speaker: Speaker, span: tuple[int, int] | None) -> Speaker:
    return speaker.named(text, start=span[0], end=span[1]) if span else speaker


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
        """Read the outermost quotes, then the quotes inside each quote, which use nothing outside it."""
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
        find, quotes = self.text.find, self.quotes
        previous: Speaker | None = None
        ended: Quote | None = None  # The last quote of the paragraph before.
        paragraph: list[int] = []
        end = 0
        for i in indices:
            quote = quotes[i]
            if paragraph and find("\n", end, quote.start) >= 0:
                previous = self._read_paragraph(paragraph, low, high, previous, ended)
                ended = quotes[paragraph[-1]]
                paragraph = []
            paragraph.append(i)
            end = quote.end
        self._read_paragraph(paragraph, low, high, previous, ended)

    def _read_paragraph(
        self, indices: list[int], low: int, high: int, previous: Speaker | None, ended: Quote | None
    ) -> Speaker | None:
        """Read the quotes of a paragraph; return the speaker of the last, who may continue in the next paragraph.

        Quotes that are not direct count as ordinary words. ``previous`` and ``ended`` are the speaker and the last
        quote of the paragraph before.
        """
        quotes = [self.quotes[i] for i in indices]
        direct = [n for n, quote in enumerate(quotes) if quote.kind == "direct"]
        if not direct:
            return None
        paragraph = Paragraph(self.text, quotes, high, self.language)
        title = self.mode == "headline" or (indices[0] == 0 and self._in_title(quotes[0].start))
        alone = False  # Whether nothing precedes the first direct quote.
        before: int | None = None  # The previous direct quote,
        last: Speaker | None = None  # its speaker,
        main: Speaker | None = None  # and the last speaker outside a subordinate clause.
        for n in direct:
            found = self._behind(paragraph, n, title)
            if found is None and before is None:  # The text before the first quote is read only if it is needed.
                alone = paragraph.read_front(low) and n == 0
            found = found or self._in_front(paragraph, n, before, title)
            speaker: Speaker | None
            if found:
                speaker = self._speaker(paragraph.c, found)
                if before is not None and last and self._interrupts(paragraph, n, found, speaker, last):
                    speaker = self.speakers[indices[before]] = speaker.inside()
                if main is None or found.how != "before" or speaker.cue_lemma in _INTRODUCING:
                    main = speaker
            elif before is None:
                speaker = self._said_before(paragraph, n, title)
                if speaker is None and alone and previous and ended and self._goes_on(previous, ended, quotes[n].start):
                    speaker = previous.continued("paragraph before")
            else:
                speaker = self._same_paragraph(paragraph, before, n, main, last)
            self.speakers[indices[n]] = last = speaker
            before = n
        self._share_clause_behind(paragraph, indices, direct)
        return last

    def _same_paragraph(
        self, paragraph: Paragraph, before: int, n: int, main: Speaker | None, last: Speaker | None
    ) -> Speaker | None:
        """Speaker of a quote without a clause: ``main`` if it begins a sentence, ``last`` within the same sentence."""
        if paragraph.quotes[n].start - paragraph.quotes[n - 1].end > REACH_BEHIND:
            return None
        between = paragraph.c.words[paragraph.places[before] : paragraph.places[n]]
        if between[-1] == STOP:
            return main and main.continued("new sentence")
        return last.continued("same sentence") if last and STOP not in between else None

    def _interrupts(self, paragraph: Paragraph, n: int, found: Found, speaker: Speaker, last: Speaker) -> bool:
        """Whether a clause interrupts an utterance between two quotes (*“We lost,” Ruiz said, “but we learned.”*)."""
        shared = found.how == "before" and speaker.cue_start == last.cue_start
        return shared and paragraph.c.words[paragraph.places[n] - 1] == ","

    def _share_clause_behind(self, paragraph: Paragraph, indices: list[int], direct: list[int]) -> None:
        """Apply a clause after several quotes of a sentence to each of them (*“A” and “B,” Ruiz said*)."""
        for second, first in pairwise(reversed(direct)):
            behind = self.speakers[indices[second]]
            if behind is None or behind.how != "after" or self.speakers[indices[first]] is not None:
                continue
            if STOP not in paragraph.c.words[paragraph.places[first] : paragraph.places[second]]:
                self.speakers[indices[first]] = behind._replace(rule="behind: later quote")

    def _goes_on(self, speaker: Speaker, quote: Quote, start: int) -> bool:
        """Whether the speaker of a quote may speak the paragraph that begins at ``start``.

        The paragraphs must follow each other, and if a clause introduced the quote, it must end in a colon.
        """
        if start - quote.end > REACH or self.text[self.text.find("\n", quote.end, start) : start].strip(_BLANK):
            return False
        before = self.text[max(0, quote.start - 9) : quote.start].rstrip(_BLANK)
        return speaker.how != "before" or before[-1:] == ":"

    def _in_title(self, at: int) -> bool:
        return at < _TITLE and self.text.find("\n", 0, at) < 0

    def _behind(self, paragraph: Paragraph, n: int, title: bool) -> Found | None:
        """Attribution directly after a quote, unless a new sentence begins there."""
        c, place, stop = paragraph.c, paragraph.places[n], paragraph.stop(n)
        ending = self.text[paragraph.quotes[n].end - 1]
        if ending == STOP and c.words[place + 1 : place + 2] == [STOP]:
            return None
        found = self.rules.after(c, place, stop, ending == ",", title)
        if self.mode != "headline":
            return found
        headlines = self.rules.headlines
        return headlines.behind(c, found) or headlines.after_colon(c, place, stop)

    def _in_front(self, paragraph: Paragraph, n: int, before: int | None, title: bool) -> Found | None:
        """Attribution between the direct quote ``before`` and this one; else later in the sentence, or after a dash."""
        c, quote, place, stop = paragraph.c, paragraph.quotes[n], paragraph.places[n], paragraph.stop(n)
        floor = -1 if before is None else paragraph.places[before]
        low = c.sentence(place, place - _SENTENCE)
        full = self.text[quote.start].isupper() and self.text[quote.end - 1] in ".?!,"
        found = self._before(c, place, floor, low, full, title)
        if found:
            return found
        behind = self.rules.later(c, place, stop) if floor < low else None
        behind = behind or self.rules.after_dash(c, place, stop)
        return self.rules.headlines.behind(c, behind) if self.mode == "headline" else behind

    def _before(self, c: Clauses, place: int, floor: int, low: int, full: bool, title: bool) -> Found | None:
        """Attribution before the word at ``place``, by the rules of headlines or of sentences."""
        if self.mode == "headline":
            return self.rules.headlines.before(c, place, floor, low)
        return self.rules.before(c, place, floor, low, full, title)

    def _said_before(self, paragraph: Paragraph, n: int, title: bool) -> Speaker | None:
        """Speaker of the sentence before a quote that is itself a sentence (*Ruiz disagreed. “We won.”*)."""
        c, place = paragraph.c, paragraph.places[n]
        if place < 2 or c.words[place - 1] != STOP or not self.text[paragraph.quotes[n].start].isupper():
            return None
        low = c.sentence(place - 1, place - _SENTENCE)
        found = self._before(c, place - 1, -1, low, full=False, title=title)
        return self._speaker(c, found).continued("sentence before") if found and found.cue is not None else None

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
        names = (None, None, None)
        return tuple.__new__(
            Speaker, (start, end, text, head_end, cue_start, cue_end, lemma, found.how, kind, *names, found.rule)
        )

    def _of_claim(self, quote: Quote) -> Speaker | None:
        """Speaker of a claim without marks, as the rule that found the claim names it."""
        text = self.text
        found = find_colon_claim(text)
        if found is None or found[1] != (quote.start, quote.end):
            return None
        start, end = found[0]
        name, colon = text[start:end], text.rfind(":", end, quote.start)
        kind = speaker_type(tuple(name.split()), self.code)
        return Speaker(start, end, name, end, colon, colon + 1, ":", "colon", kind, rule="colon claim")
