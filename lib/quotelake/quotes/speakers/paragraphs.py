"""Find the speakers paragraph by paragraph: by the words after a quote, then by those before it.

A quote without a reporting clause continues the speaker of the quote before.
"""

from itertools import pairwise, zip_longest
from typing import Final

from quotelake.quotes.lexicon import ENGLISH, tables_of
from quotelake.quotes.spans import Quote
from quotelake.quotes.speakers import attribution, headlines
from quotelake.quotes.speakers.clauses import MARKS, STOP, Clauses, Found, Paragraph, Speaker
from quotelake.quotes.speakers.names import resolve_names
from quotelake.quotes.speakers.people import speaker_type

_VERBS: Final = ENGLISH.cues.keys() - ENGLISH.lists["speaking"]
_BLANK: Final = MARKS + "\n"


def find_in_paragraphs(text: str, quotes: list[Quote], mode: str, language: str) -> list[Speaker | None]:
    """Speaker of each direct quote; see :func:`quotelake.quotes.speakers.find_speakers`."""
    reader = _Reader(text, quotes, mode, language)
    reader.read()
    names = resolve_names(text, quotes, reader.speakers, reader.table)
    spans = [one and names.get((one.start, one.end)) for one in reader.speakers]
    return [one.named(text, span) if one and span else one for one, span in zip(reader.speakers, spans, strict=True)]


class _Reader:
    """One pass over the quotes of a text."""

    def __init__(self, text: str, quotes: list[Quote], mode: str, language: str) -> None:
        self.text, self.quotes = text, quotes
        self.table = tables_of(language) or ENGLISH
        self.is_headline = mode == "headline" and not self.table.verb_first
        self._before = headlines.before if self.is_headline else attribution.before
        self.speakers: list[Speaker | None] = [None] * len(quotes)

    def read(self) -> None:
        """Read the outermost quotes, then those inside each quote, by the words inside it alone."""
        within: dict[int | None, list[tuple[int, Quote]]] = {}
        for i, quote in enumerate(self.quotes):
            within.setdefault(quote.parent, []).append((i, quote))
        for parent, children in within.items():
            low, high = (0, len(self.text)) if parent is None else self.quotes[parent][:2]
            previous: Speaker | None = None
            ended: Quote | None = None  # The last quote of the paragraph before.
            line: list[int] = []  # The quotes that begin on one.
            for (i, quote), following in zip_longest(children, children[1:]):
                line.append(i)
                if following is None or self.text.find("\n", quote.end, following[1].start) >= 0:
                    previous = self._read_paragraph(line, low, high, previous, ended)
                    ended, line = quote, []

    def _read_paragraph(
        self, indices: list[int], low: int, high: int, previous: Speaker | None, ended: Quote | None
    ) -> Speaker | None:
        """Speaker of the paragraph's last quote; ``previous``, ``ended``: speaker and last quote of the one before."""
        quotes = [self.quotes[i] for i in indices]
        direct = [n for n, quote in enumerate(quotes) if quote.kind in ("direct", "colon_claim")]
        if not direct:
            return None
        paragraph = Paragraph(self.text, quotes, None, high, self.table)
        first = quotes[0].start
        before: int | None = None  # The previous direct quote,
        last: Speaker | None = None  # its speaker,
        main: Speaker | None = None  # and the last one that was found.
        for n in direct:
            place = paragraph.at(n)
            found = self._behind(*place)
            has_other_subject = found is None and not self.is_headline and attribution.reports_behind(*place)
            if found is None and not has_other_subject:  # Words in front count only if those behind name nobody.
                if before is None:
                    paragraph = Paragraph(self.text, quotes, low, high, self.table)
                found = self._in_front(paragraph, n, before)
            c = paragraph.c
            speaker: Speaker | None = None
            if found and _can_be_named(c, found):
                speaker = self._speaker(c, found)
                shared = last is not None and found.how == "before" and speaker.cue_start == last.cue_start
                if before is not None and shared and c.words[paragraph.places[n] - 1] == ",":
                    # “We lost,” Ruiz said, “but we learned.”
                    speaker = self.speakers[indices[before]] = speaker._replace(how="inside")
                main = speaker
            elif has_other_subject:
                main = None
            elif before is None:
                speaker = self._speaker_of_clause_before(paragraph, n)
                if speaker is None and paragraph.alone and n == 0 and ended and previous:
                    line = self.text.find("\n", ended.end, first)
                    ahead = self.text[max(0, ended.start - 9) : ended.start].rstrip(_BLANK)
                    # A clause that introduced the quote before must end in a colon.
                    if not self.text[line:first].strip(_BLANK) and (previous.how != "before" or ahead[-1:] == ":"):
                        speaker = _continued(previous, "paragraph before")
            else:
                between = c.words[paragraph.places[before] : paragraph.places[n]]
                if attribution.is_reported(c, paragraph.places[n]):
                    speaker = _continued(last, "reported speech")
                elif between[-1] == STOP:
                    speaker = _continued(main, "new sentence")
                elif STOP not in between:
                    speaker = _continued(last, "same sentence")
            self.speakers[indices[n]] = last = speaker
            before = n
        for second, earlier in pairwise(reversed(direct)):  # “A” and “B,” Ruiz said
            behind = self.speakers[indices[second]]
            if behind is None or behind.how != "after" or self.speakers[indices[earlier]] is not None:
                continue
            if STOP not in c.words[paragraph.places[earlier] : paragraph.places[second]]:
                self.speakers[indices[earlier]] = behind._replace(rule="behind: later quote")
        return last

    def _behind(self, c: Clauses, place: int, stop: int, ending: str) -> Found | None:
        """Attribution directly after a quote, unless a new sentence begins there."""
        found = attribution.after(c, place, stop, ending)
        return (headlines.behind(c, found) or headlines.after_colon(c, place, stop)) if self.is_headline else found

    def _in_front(self, paragraph: Paragraph, n: int, before: int | None) -> Found | None:
        """Attribution between the direct quote ``before`` and this one, else later in the sentence or after a dash."""
        c, place, stop, _ = paragraph.at(n)
        floor = -1 if before is None else paragraph.places[before]
        low = c.sentence(place, place - attribution.SENTENCE)
        found = self._before(c, place, floor, low)
        if found:
            return found
        behind = attribution.later(c, place, low, stop) if floor < low else None
        behind = behind or attribution.after_dash(c, place, stop)
        return headlines.behind(c, behind) if self.is_headline else behind

    def _speaker_of_clause_before(self, paragraph: Paragraph, n: int) -> Speaker | None:
        """Speaker of the sentence before a quote that is itself a sentence (*Ruiz disagreed. “We won.”*)."""
        c, place = paragraph.c, paragraph.c.sentence(paragraph.places[n], 0)
        whole = not self.table.verb_first and place == paragraph.places[n]
        if place < 2 or not (whole or attribution.is_reported(c, paragraph.places[n])):
            return None
        low = c.sentence(place - 1, place - attribution.SENTENCE)
        found = self._before(c, place - 1, -1, low)
        return _continued(self._speaker(c, found), "sentence before") if found and found.cue is not None else None

    def _speaker(self, c: Clauses, found: Found) -> Speaker:
        phrase, cue = found.speaker, found.cue
        start, head_end, end = c.starts[phrase.start], c.ends[phrase.head - 1], c.ends[phrase.end - 1]
        cue_start, cue_end, lemma = None, None, None
        if cue is not None:
            cue_start, cue_end, lemma = c.starts[cue], c.ends[cue], self.table.cues.get(c.low[cue], c.low[cue])
        kind = speaker_type(tuple(c.words[phrase.start : phrase.head]), self.table)
        text, how, rule = self.text[start:end], found.how, found.rule
        return Speaker(start, end, text, head_end, cue_start, cue_end, lemma, how, kind, rule=rule)


def _can_be_named(c: Clauses, found: Found) -> bool:
    """Whether a phrase is no fragment of a sentence (*Let him*, *that report it*)."""
    start, head = found.speaker[:2]
    words = c.words[start : c.next_of({"who", "whom", "that"}, start + 1, head)]
    first = c.words[start]
    if first.islower() and first.endswith(("ed", "ing")) and all(word[0].islower() for word in c.words[start:head]):
        return False  # a letter, placed in the paper, called it “…”
    if len(words) == 1:
        return c.low[start] not in _VERBS
    return not ENGLISH.any_of((word.lower() for word in words if word not in ("WHO", "US")), "fragments")


def _continued(speaker: Speaker | None, rule: str) -> Speaker | None:
    """The same speaker for a later quote without a reporting clause."""
    return speaker and speaker._replace(how="continued", rule=f"continued: {rule}")
