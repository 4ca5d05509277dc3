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
from typing import Final

from quotelake.quotes.lexicon import FOREIGN_LANGUAGES, REPORTING_VERBS, SENTENCE_END
from quotelake.quotes.pairing import Span
from quotelake.text.lexicon import word_set
from quotelake.text.words import PARAGRAPH_BREAK, WORD

TRANSLATED: Final = "translated"
QUOTE_TWEET: Final = "quote_tweet"
#: Most characters between a cue and its quote: a reporting clause with a role and a place.
_REACH: Final = 120
#: Characters before *in Spanish* that are searched for its verb.
_VERB_REACH: Final = 60
#: Begins with literal text, which the engine finds as fast as a plain search. ``str.find`` finds the stems below.
_LANGUAGE: Final = re.compile(rf" in (?=[A-Z])(?:{'|'.join(sorted(FOREIGN_LANGUAGES))})(?!\w)")
_TRANSLATION: Final = re.compile(r"ranslat(?:ed from|ed by|ed as|or|ion)")
_INTERPRETER: Final = re.compile(r"hrough (?:an|a|his|her|their) (?:\w+ )?interpreter")
_STEMS: Final = (("ranslat", 0, _TRANSLATION), ("interpreter", 24, _INTERPRETER))
_OTHER_VERBS: Final = word_set("speaking spoke speaks chanting shouting praying sang sings singing reading")


def find_translations(text: str) -> list[tuple[int, int]]:
    """Find the cues of a translation in a text: (start, end) of each, in order."""
    cues = []
    for stem, before, pattern in _STEMS:
        place = text.find(stem)
        while place >= 0:
            cue = pattern.search(text, max(0, place - before), place + _REACH)
            if cue:
                cues.append(cue.span())
            place = text.find(stem, place + len(stem))
    for cue in _LANGUAGE.finditer(text):
        low = max(0, cue.start() - _VERB_REACH)
        for gap in PARAGRAPH_BREAK.finditer(text, low, cue.start()):
            low = gap.end()  # a verb in the paragraph before belongs to another sentence
        words = {word.lower() for word in WORD.findall(text, low, cue.start())}
        if not words.isdisjoint(REPORTING_VERBS) or not words.isdisjoint(_OTHER_VERBS):
            cues.append(cue.span())
    return sorted(cues)


def mark_translated(text: str, spans: list[Span], cues: list[tuple[int, int]]) -> None:
    """Flag the spans to which a cue refers.

    Args:
        text: the text.
        spans: quotes of it, at least one and all those of their paragraphs; their flags are changed.
        cues: from :func:`find_translations`.
    """
    low = bisect_left(cues, (min(map(_begin, spans)) - _REACH, 0))
    high = bisect_left(cues, (max(map(_end, spans)) + _REACH, 0))
    if low == high:
        return
    by_end, by_start = sorted(spans, key=_end), sorted(spans, key=_begin)
    for start, end in cues[low:high]:
        before = bisect_right(by_end, start, key=_end) - 1
        if before >= 0 and _one_sentence(text, by_end[before].closed_at, start):
            _flag(by_end[before])
        behind = bisect_left(by_start, end, key=_begin)
        if behind < len(by_start) and _one_sentence(text, end, by_start[behind].opened_at):
            _flag(by_start[behind])


def _one_sentence(text: str, start: int, end: int) -> bool:
    """Whether two places are near each other, with no end of a sentence between them."""
    return end - start <= _REACH and not SENTENCE_END.search(text, start, end + 1)


def _flag(span: Span) -> None:
    if TRANSLATED not in span.flags:
        span.flags = (*span.flags, TRANSLATED)


def _end(span: Span) -> int:
    return span.closed_at


def _begin(span: Span) -> int:
    return span.opened_at


_RETWEET: Final = re.compile(r"(?<![\w@#])(?:RT|MT|QT)\s?:?\s?@\w")
#: A user name has 15 characters at most.
_AUTHOR: Final = re.compile(r"@\w{1,15}\s?:\s*")


def find_retweet(tweet: str) -> int | None:
    """Offset at which a tweet begins to repeat another one; None if it does not.

    >>> find_retweet("So true. RT @ana: We won")
    9
    """
    found = _RETWEET.search(tweet)
    return found and found.start()


def mark_quote_tweets(tweet: str, spans: list[Span], retweet: int | None) -> list[Span]:
    """Flag the quotes that belong to a quoted tweet, and let them begin after the name of its author.

    A quote that holds nothing but the name is dropped.

    Args:
        tweet: the text.
        spans: quotes of it; they are changed.
        retweet: from :func:`find_retweet`.

    Returns:
        The spans that remain, in the same order.
    """
    kept = []
    for span in spans:
        start, end = span.segments[0]
        author = _AUTHOR.match(tweet, start, end)
        if author is not None:
            if author.end() == end:
                continue
            span.segments[0] = (author.end(), end)
        if author is not None or (retweet is not None and retweet < start):
            span.flags = (*span.flags, QUOTE_TWEET)
        kept.append(span)
    return kept
