"""Flag quotes that are not their writer's own words: translated ones, and those of a quoted tweet.

The flag ``translated`` (*he said in Spanish*, *through an interpreter*) is set on the nearest quote before the cue and
the nearest after it, each only if it is in the sentence of the cue. Cues are English. Quoted words in another language
are no translation and get no flag.

The flag ``quote_tweet`` is set on quotes in quote tweets typed by hand: they are by the author of the quoted tweet.
There are two forms: ``RT @x: …`` (also MT, QT), where all text after it is the quoted tweet, and ``"@x: …"``, where the
marks enclose it.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from operator import attrgetter
from typing import Final

from quotelake.quotes.lexicon import FOREIGN_LANGUAGES, REPORTING_VERBS, SENTENCE_END
from quotelake.quotes.pairing import Span
from quotelake.text.lexicon import word_set
from quotelake.text.words import PARAGRAPH_BREAK, WORD

#: Most characters between a cue and its quote: a reporting clause with a role and a place.
_REACH: Final = 120
#: Characters before *in Spanish* that are searched for its verb.
_VERB_REACH: Final = 60
#: Begins with literal text, which the engine finds fast.
_LANGUAGE: Final = re.compile(rf" in (?=[A-Z])(?:{'|'.join(sorted(FOREIGN_LANGUAGES))})(?!\w)")
_TRANSLATION: Final = re.compile(r"ranslat(?:ed from|ed by|ed as|or|ion)")
_INTERPRETER: Final = re.compile(r"hrough (?=.{0,17}interpreter)(?:an|a|his|her|their) (?:\w+ )?interpreter")
_START, _END = attrgetter("opened_at"), attrgetter("closed_at")
_OTHER_VERBS: Final = word_set("speaking spoke speaks chanting shouting praying sang sings singing reading")


def mark_translated(text: str, spans: list[Span]) -> None:
    """Flag the quotes of a text that the text says are translated."""
    cues = list(_translations(text))
    if not cues:
        return
    by_end, by_start = sorted(spans, key=_END), sorted(spans, key=_START)
    for start, end in cues:
        before = bisect_right(by_end, start, key=_END) - 1
        if before >= 0 and _one_sentence(text, by_end[before].closed_at, start):
            _flag(by_end[before])
        behind = bisect_left(by_start, end, key=_START)
        if behind < len(by_start) and _one_sentence(text, end, by_start[behind].opened_at):
            _flag(by_start[behind])


def _translations(text: str) -> Iterator[tuple[int, int]]:
    """The cues of a translation: (start, end) of each."""
    for stem, pattern in (("ranslat", _TRANSLATION), ("interpreter", _INTERPRETER)):
        if stem in text:
            yield from (cue.span() for cue in pattern.finditer(text))
    for cue in _LANGUAGE.finditer(text):
        low = max(0, cue.start() - _VERB_REACH)
        for gap in PARAGRAPH_BREAK.finditer(text, low, cue.start()):
            low = gap.end()  # a verb in the paragraph before belongs to another sentence
        words = {word.lower() for word in WORD.findall(text, low, cue.start())}
        if not words.isdisjoint(REPORTING_VERBS) or not words.isdisjoint(_OTHER_VERBS):
            yield cue.span()


def _one_sentence(text: str, start: int, end: int) -> bool:
    """Whether two places are near each other, with no end of a sentence between them."""
    return end - start <= _REACH and not SENTENCE_END.search(text, start, end + 1)


def _flag(span: Span) -> None:
    if "translated" not in span.flags:
        span.flags = (*span.flags, "translated")


_RETWEET: Final = re.compile(r"(?<![\w@#])(?:RT|MT|QT)\s?:?\s?@\w")
#: A user name has 15 characters at most.
_AUTHOR: Final = re.compile(r"@\w{1,15}\s?:\s*")


def mark_quote_tweets(tweet: str, spans: list[Span]) -> list[Span]:
    """Flag the quotes that belong to a quoted tweet, and let them begin after the name of its author.

    A quote that holds nothing but the name is left out of the list returned.
    """
    retweet = _RETWEET.search(tweet)
    kept = []
    for span in spans:
        start, end = span.segments[0]
        author = _AUTHOR.match(tweet, start, end)
        if author is not None:
            if author.end() == end:
                continue
            span.segments[0] = (author.end(), end)
        if author is not None or (retweet is not None and retweet.start() < start):
            span.flags = (*span.flags, "quote_tweet")
        kept.append(span)
    return kept
