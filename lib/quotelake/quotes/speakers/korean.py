"""Find the speakers in Korean: a particle after the quote (“…”라고), the verb at the end, a subject before either."""

import re
from collections.abc import Iterable
from typing import Final

from quotelake.quotes.spans import Quote
from quotelake.quotes.speakers.clauses import Speaker
from quotelake.text.lexicon import load_lexicon, reporting

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


def _longest_first(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(words, key=lambda word: (-len(word), word)))


_WORDS: Final = {name: tuple(words.split()) for name, words in load_lexicon("ko")["words"].items()}
_CUES: Final = reporting("ko")
_CUE: Final = re.compile("|".join(_longest_first(_CUES)))
_PARTICLE: Final = re.compile(
    rf"[{_MARKS}\s]{{0,2}}(?:{'|'.join(_longest_first(_WORDS['particles_of_quoting']))})(?![가-힣])"
)
_SUBJECTS: Final = _longest_first(_WORDS["particles_of_subject"])
_OTHERS: Final = _WORDS["particles_of_others"]
_ORGANISATIONS: Final = tuple(word for word in _WORDS["organisations"] if len(word) > 1)


def find_korean(text: str, quotes: list[Quote], mode: str) -> list[Speaker | None]:
    """Speaker of each direct quote; see :func:`quotelake.quotes.speakers.find_speakers`."""
    found: list[Speaker | None] = []
    floor = 0
    previous: Speaker | None = None
    outer = [quote.start for quote in quotes if quote.depth == 0]
    ceilings = dict(zip(outer, [*outer[1:], len(text)], strict=True))
    for quote in quotes:
        speaker = None
        if quote.depth == 0:
            speaker = _find(text, quote, floor, ceilings[quote.start], mode)
            same_line = text.find("\n", floor, quote.start) < 0
            if speaker is None and previous and same_line and _PARTICLE.match(text, quote.end):
                speaker = previous._replace(how="continued", rule="continued: quote before")
            previous, floor = speaker or (previous if same_line else None), quote.end
        found.append(speaker if quote.kind in ("direct", "colon_claim") else None)
    return found


def _find(text: str, quote: Quote, floor: int, ceiling: int, mode: str) -> Speaker | None:
    """Speaker by the clause around a quote; before a colon; in headlines also by a bare name before the quote."""
    least = max(floor, quote.start - _BEFORE)
    if quote.kind == "colon_claim" or text[floor : quote.start].rstrip(_MARKS + " ").endswith(":"):
        colon = text.rfind(":", least, quote.start)
        words = _words(text, max(least, text.rfind("\n", least, max(colon, least)) + 1), colon)
        if not 0 < len(words) <= _HEADLINE_WORDS:
            return None
        return _speaker(text, words[0].start(), words[-1].end(), (colon, colon + 1), ":", "colon")
    particle = _PARTICLE.match(text, quote.end)
    if particle:
        low = particle.end()
        high = min(low + _AFTER, ceiling)
        cut = _SENTENCE_END.search(text, low, high)
        cue = _CUE.search(text, low, cut.start() if cut else high)
        if cue or (high == ceiling and not cut):  # Without a cue the verb must be after the next quote.
            span, lemma = (cue.span(), _CUES[cue.group()]) if cue else (None, None)
            subject = _subject(_words(text, low, cue.start())) if cue else None
            if subject:
                return _speaker(text, *subject, span, lemma, "after")
            begin = max([least, *(found.end() for found in _SENTENCE_END.finditer(text, least, quote.start))])
            subject = _subject(_words(text, begin, quote.start))
            return _speaker(text, *subject, span, lemma, "before") if subject else None
    if mode != "headline":
        return None
    # A bare noun phrase before the quote, from the headline's beginning or last punctuation on (김 장관 “…”).
    front = text[least : quote.start].rstrip(_MARKS + " ")
    sign = max((front.rfind(sign) for sign in ",.…·[]()“”\"'‘’\n"), default=-1) + 1
    words = _words(text, least + sign, least + len(front))
    if not 0 < len(words) <= _HEADLINE_WORDS or words[-1][0].endswith((*_OTHERS, ",")):
        return None
    return _speaker(text, words[0].start(), words[-1].end(), None, None, "before")


def _words(text: str, low: int, high: int) -> list[re.Match[str]]:
    return list(_WORD.finditer(text, low, high))


def _subject(words: list[re.Match[str]]) -> tuple[int, int] | None:
    """The last noun phrase with a particle of the subject, without the particle."""
    for k in range(len(words) - 1, -1, -1):
        word = words[k][0]
        ending = next((particle for particle in _SUBJECTS if word.endswith(particle)), None)
        if ending is None or word in _WORDS["modifying"] or len(word) <= len(ending):
            continue
        if word in _WORDS["pronouns"] or len(word) - len(ending) > 1 or k:
            first = k
            for modifier in reversed(words[max(0, k - _MODIFIERS) : k]):  # Nouns without a particle.
                ahead = modifier[0]
                ends = ahead[-1] in ",)" or ahead in _WORDS["modifying"] or ahead.endswith(_OTHERS)
                if ends or (len(ahead) > 1 and ahead.endswith((*_SUBJECTS, *_ADNOMINAL))):
                    break
                first -= 1
            return words[first].start(), words[k].end() - len(ending)
    return None


def _speaker(text: str, start: int, end: int, cue: tuple[int, int] | None, lemma: str | None, how: str) -> Speaker:
    name = text[start:end]
    head = name.split()[-1]
    kinds = (("crowd", "crowd"), ("anonymous", "anonymous"), ("document", "documents"))
    other = "organisation" if head.endswith(_ORGANISATIONS) or head in _WORDS["organisations"] else "person"
    kind = next((kind for kind, words in kinds if head in _WORDS[words]), other)
    if " 한 " in f" {name} ":  # some, a certain
        kind = "anonymous"
    cue_start, cue_end = cue or (None, None)
    return Speaker(start, end, name, end, cue_start, cue_end, lemma, how, kind)
