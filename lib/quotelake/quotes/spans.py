"""Find the quotations of a text, in time linear in its length.

:mod:`~quotelake.quotes.marks` finds the marks, :mod:`~quotelake.quotes.pairing` pairs them; here the spans become
quotes with nesting, kind and flags. The flag ``quote_tweet`` is set on quotes in a quote tweet typed by hand: all text
after ``RT @x:`` (also MT, QT), or the text in marks of ``"@x: …"``, by the author of that tweet.
"""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from quotelake.errors import given_text
from quotelake.quotes.entities import unescape
from quotelake.quotes.flags import DENIED, mark_spans
from quotelake.quotes.kinds import classify, find_colon_claim
from quotelake.quotes.lexicon import ENGLISH, SENTENCE_END, Tables, tables_of
from quotelake.quotes.pairing import Span, pair_marks
from quotelake.text.words import WORD

MODES: Final = ("body", "headline", "tweet")
#: Most characters between the two parts, marks included: a name with its role and a verb.
_LONGEST_CLAUSE: Final = 120
_PAUSES: Final = frozenset(",-–—…")
_MARKS: Final = " \u00a0\"'“”‘’`«»„"
_BREAKS: Final = re.compile(r"[!?;:]")
_RETWEET: Final = re.compile(r"(?<![\w@#])(?:RT|MT|QT)\s?:?\s?@\w")
#: A user name has 15 characters at most.
_AUTHOR: Final = re.compile(r"@\w{1,15}\s?:\s*")


class Quote(NamedTuple):
    """A quotation. Offsets count code points of the raw text, white space and marks at the ends excluded."""

    start: int
    end: int
    text: str  #: ``raw[start:end]``, marks of continuation included
    segments: tuple[tuple[int, int], ...]  #: (start, end) of each part: several when it continues over paragraphs
    parent: int | None  #: index of the enclosing quote in the list
    depth: int  #: 0 for an outermost quote
    marks: str  #: opening and closing mark, decoded; the opening one alone if it was never closed; or a colon
    kind: str  #: one of :data:`quotelake.quotes.kinds.KINDS`
    #: of ``continued``, ``denied``, ``mixed_marks``, ``quote_tweet``, ``translated``, ``unclosed``, ``withdrawn``
    flags: tuple[str, ...]
    reason: str  #: the rule that decided its kind
    utterance: int  #: index of the first quote of its utterance: an earlier one if a reporting clause interrupts it

    @property
    def is_denied(self) -> bool:
        """Whether the text says that nobody said it, or a correction withdraws it."""
        return not DENIED.isdisjoint(self.flags)

    @property
    def joined(self) -> str:
        """The segments joined by a space, without breaks and marks of continuation: the text of which keys are made."""
        return " ".join(self.text[start - self.start : end - self.start] for start, end in self.segments)

    def moved(self, text: str, place: Callable[[int], int]) -> "Quote":
        """The same quote in another form of its text; ``place`` maps the offsets."""
        segments = tuple([(place(start), place(end)) for start, end in self.segments])
        start, end = segments[0][0], segments[-1][1]
        return self._replace(start=start, end=end, text=text[start:end], segments=segments)


def find_quotes(text: str | None, mode: str = "body", language: str | None = None) -> list[Quote]:
    """Find the quotations of a text, ordered by start, an enclosing quote before those inside it.

    Args:
        text: a raw field; None or empty gives no quote. Character references of HTML count as the marks they encode.
        mode: ``body``, ``headline`` (distinguishes claims from speech; without quotes, finds a colon claim) or
            ``tweet`` (flags quoted tweets).
        language: ISO 639-1 code, which decides kinds; one without a table, or None, counts as English.

    Raises:
        ValueError: for any other mode.
        InputError: the text is neither None nor a text, such as NaN.

    >>> [quote.text for quote in find_quotes('“We won,” Ito said, “narrowly.”')]
    ['We won,', 'narrowly.']
    """
    if mode not in MODES:
        raise ValueError(f"mode is {mode!r}; it must be one of {', '.join(MODES)}")
    if text is None or not given_text(text, "text"):
        return []
    read = unescape(text)
    if read is None:
        return quotes_in(text, mode, language)
    return [quote.moved(text, read.raw) for quote in quotes_in(read.text, mode, language)]


def whole_quote(text: str) -> list[Quote]:
    """A text as one quote without marks, white space at its ends excluded; empty for a blank text."""
    quote = text.strip()
    start = text.index(quote)
    end = start + len(quote)
    return [] if not quote else [Quote(start, end, quote, ((start, end),), None, 0, "", "direct", (), "stated", 0)]


def quotes_in(text: str, mode: str, language: str | None = None) -> list[Quote]:
    """:func:`find_quotes` of a text whose character references are decoded."""
    spans, table = pair_marks(text), tables_of(language) or ENGLISH
    mark_spans(text, spans, language)
    if mode == "tweet":
        spans = _mark_quote_tweets(text, spans)
    quotes: list[Quote] = []
    around: list[int] = []
    last: dict[int | None, Quote] = {}  # Of each parent, the quote found last; no utterance spans two paragraphs.
    for at, span in enumerate(sorted(spans, key=lambda span: span.segments[0])):
        segments = tuple(span.segments)
        start, end = segments[0][0], segments[-1][1]
        while around and quotes[around[-1]].end <= start:
            around.pop()
        parent = around[-1] if around else None
        before = last.get(parent)
        utterance = before.utterance if before and _interrupted(text, before.end, start, table) else at
        kind, reason = classify(text, start, end, span.marks, mode, language)
        flags = tuple(sorted(set(span.flags))) if span.flags else ()
        quote = Quote(
            start, end, text[start:end], segments, parent, len(around), span.marks, kind, flags, reason, utterance
        )
        quotes.append(quote)
        last[parent] = quote
        around.append(at)
    claim = find_colon_claim(text, language) if mode == "headline" and not spans else None
    if claim is not None:
        claimed = text[slice(*claim)]
        quotes.append(Quote(*claim, claimed, (claim,), None, 0, ":", "colon_claim", (), "speaker_colon", 0))
    return quotes


def _interrupted(text: str, end: int, start: int, table: Tables) -> bool:
    """Whether only a reporting clause is between two quotes (*"We lost," Ito said, "but we learned."*)."""
    if not 4 <= start - end <= _LONGEST_CLAUSE:
        return False
    clause = text[end:start].rstrip(_MARKS)
    if clause[-1:] not in _PAUSES or not (text[end - 1] in _PAUSES or clause.lstrip(_MARKS)[:1] in _PAUSES):
        return False
    words = WORD.findall(clause.lower())
    if not words or words[-1] in table.lists["leads"] or table.says.isdisjoint(words):
        return False
    return not _BREAKS.search(clause) and not SENTENCE_END.search(clause)


def _mark_quote_tweets(tweet: str, spans: list[Span]) -> list[Span]:
    """Flag the quotes of a quoted tweet, begin them after its author's name, and drop those with the name alone."""
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
            span.flags += ("quote_tweet",)
        kept.append(span)
    return kept
