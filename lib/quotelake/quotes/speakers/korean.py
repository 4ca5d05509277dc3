"""Find who is quoted in Korean: a particle after the quote (“…”라고), the verb at the end, a subject with 은/는/이/가.

Only a fixed number of characters on either side of a quote is read, so the cost is linear.
"""

import re
from functools import cache
from typing import Final, NamedTuple

from quotelake.quotes.spans import Quote
from quotelake.quotes.speakers.speaker import Speaker
from quotelake.text.lexicon import Language, load_language

#: Characters read before a quote and after it.
_BEFORE: Final = 120
_AFTER: Final = 60
#: Most words of a noun phrase before its head.
_MODIFIERS: Final = 3
_HEADLINE_WORDS: Final = 4
#: Endings of verbs before a noun, and of dates.
_ADNOMINAL: Final = ("한", "된", "던", "린", "간", "해", "서", "년", "일")
_MARKS: Final = "\"“”'‘’「」『』"
_SENTENCE_END: Final = re.compile(r"[.!?…\n]")
_WORD: Final = re.compile(r"[^\s,·…\"“”'‘’「」『』()\[\]]+[,)]?")


class _Word(NamedTuple):
    start: int
    end: int
    text: str


def find_korean(text: str, quotes: list[Quote], mode: str) -> list[Speaker | None]:
    """Find who says each direct quote; see :func:`quotelake.quotes.speakers.find_speakers`."""
    rules = _load_rules()
    found: list[Speaker | None] = []
    floor = 0
    previous: Speaker | None = None
    outer = [quote.start for quote in quotes if quote.depth == 0]
    ceilings = dict(zip(outer, [*outer[1:], len(text)], strict=True))
    for quote in quotes:
        speaker = None
        if quote.depth == 0:
            speaker = rules.find(text, quote, floor, ceilings[quote.start], mode)
            same_line = text.find("\n", floor, quote.start) < 0
            if speaker is None and previous and same_line and rules.is_quoted(text, quote):
                speaker = previous.continued("quote before")
            previous, floor = speaker or (previous if same_line else None), quote.end
        found.append(speaker if quote.kind in ("direct", "colon_claim") else None)
    return found


class _Rules:
    """The lists of ``ko.toml`` as the rules need them."""

    def __init__(self, language: Language) -> None:
        words = language.words
        longest_first = sorted(words["particles_of_quoting"], key=lambda word: (-len(word), word))
        self.particle = re.compile(rf"[{_MARKS}\s]{{0,2}}(?:{'|'.join(longest_first)})(?![가-힣])")
        stems = sorted(language.cues, key=lambda stem: (-len(stem), stem))
        self.cue = re.compile("|".join(stems))
        self.cues = language.cues
        self.subjects = tuple(sorted(words["particles_of_subject"], key=lambda word: (-len(word), word)))
        self.others = tuple(words["particles_of_others"])
        self.modifying = words["modifying"]
        self.lists = words

    def is_quoted(self, text: str, quote: Quote) -> bool:
        """Whether a particle of quoting directly follows the quote."""
        return self.particle.match(text, quote.end) is not None

    def find(self, text: str, quote: Quote, floor: int, ceiling: int, mode: str) -> Speaker | None:
        """Speaker by the clause around a quote; in headlines also a bare name before it."""
        if quote.kind == "colon_claim" or text[floor : quote.start].rstrip(_MARKS + " ").endswith(":"):
            return self._of_colon(text, quote, floor)
        particle = self.particle.match(text, quote.end)
        if particle:
            low = particle.end()
            high = min(low + _AFTER, ceiling)
            cut = _SENTENCE_END.search(text, low, high)
            cue = self.cue.search(text, low, cut.start() if cut else high)
            if cue or (high == ceiling and not cut):  # Without a cue the verb must be after the next quote.
                return self._of_clause(text, quote, floor, low, cue)
        return self._of_headline(text, quote, floor) if mode == "headline" else None

    def _of_clause(self, text: str, quote: Quote, floor: int, low: int, cue: re.Match[str] | None) -> Speaker | None:
        """Subject between quote and verb, else the last one in the sentence before the quote."""
        span, lemma = (cue.span(), self.cues[cue.group()]) if cue else (None, None)
        subject = self._subject(_words(text, low, cue.start())) if cue else None
        if subject:
            return self._speaker(text, subject, span, lemma, "after")
        low = max(floor, quote.start - _BEFORE)
        low = max([low, *(found.end() for found in _SENTENCE_END.finditer(text, low, quote.start))])
        subject = self._subject(_words(text, low, quote.start))
        return self._speaker(text, subject, span, lemma, "before") if subject else None

    def _of_colon(self, text: str, quote: Quote, floor: int) -> Speaker | None:
        """The text between the beginning of the line and a colon."""
        low = max(floor, quote.start - _BEFORE)
        colon = text.rfind(":", low, quote.start)
        begin = max(low, text.rfind("\n", low, max(colon, low)) + 1)
        words = _words(text, begin, colon) if colon > begin else []
        if not 0 < len(words) <= _HEADLINE_WORDS:
            return None
        return self._speaker(text, (words[0].start, words[-1].end), (colon, colon + 1), ":", "colon")

    def _of_headline(self, text: str, quote: Quote, floor: int) -> Speaker | None:
        """Bare noun phrase before a quote, from the headline's beginning or last punctuation on (*김 장관 “…”*)."""
        low = max(floor, quote.start - _BEFORE)
        front = text[low : quote.start].rstrip(_MARKS + " ")
        cut = max((front.rfind(sign) for sign in ",.…·[]()“”\"'‘’\n"), default=-1) + 1
        words = _words(text, low + cut, low + len(front))
        if not 0 < len(words) <= _HEADLINE_WORDS or words[-1].text.endswith(self.others) or words[-1].text[-1] == ",":
            return None
        return self._speaker(text, (words[0].start, words[-1].end), None, None, "before")

    def _subject(self, words: list[_Word]) -> tuple[int, int] | None:
        """The last noun phrase with a particle of the subject, without the particle."""
        for k in range(len(words) - 1, -1, -1):
            word = words[k]
            ending = next((one for one in self.subjects if word.text.endswith(one)), None)
            if ending is None or word.text in self.modifying or len(word.text) <= len(ending):
                continue
            if word.text in self.lists["pronouns"] or len(word.text) - len(ending) > 1 or k:
                first = k
                while first > max(0, k - _MODIFIERS) and self._modifies(words[first - 1].text):
                    first -= 1
                return words[first].start, word.end - len(ending)
        return None

    def _modifies(self, word: str) -> bool:
        """Whether a word belongs to the noun phrase that follows it: a noun without a particle."""
        if word[-1] in ",)" or word in self.modifying or word.endswith(self.others):
            return False
        return len(word) == 1 or not word.endswith((*self.subjects, *_ADNOMINAL))

    def _speaker(
        self, text: str, span: tuple[int, int], cue: tuple[int, int] | None, lemma: str | None, how: str
    ) -> Speaker:
        start, end = span
        cue_start, cue_end = cue or (None, None)
        return Speaker(
            start=start,
            end=end,
            text=text[start:end],
            head_end=end,
            cue_start=cue_start,
            cue_end=cue_end,
            cue_lemma=lemma,
            how=how,
            type=self._type(text[start:end]),
        )

    def _type(self, phrase: str) -> str:
        head = phrase.split()[-1]
        if " 한 " in f" {phrase} ":  # some, a certain
            return "anonymous"
        for kind, name in (("crowd", "crowd"), ("anonymous", "anonymous"), ("document", "documents")):
            if head in self.lists[name]:
                return kind
        endings = tuple(word for word in self.lists["organisations"] if len(word) > 1)
        return "organisation" if head.endswith(endings) or head in self.lists["organisations"] else "person"


def _words(text: str, low: int, high: int) -> list[_Word]:
    return [_Word(found.start(), found.end(), found.group()) for found in _WORD.finditer(text, low, high)]


@cache
def _load_rules() -> _Rules:
    language = load_language("ko")
    if language is None:
        raise FileNotFoundError("languages/ko.toml is missing: the package is installed incompletely")
    return _Rules(language)
