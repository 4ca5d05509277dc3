"""Find the quotations of a text, in time linear in its length, whatever it holds.

:mod:`~quotelake.quotes.marks` finds the marks and what each can do in its place, :mod:`~quotelake.quotes.pairing` pairs
them; here the spans become quotes with nesting, kind and flags. A quote goes on with the utterance of the one before if
only a reporting clause is between them (*"We lost," Ito said, "but we learned."*).
"""

import re
from typing import Final, NamedTuple

from quotelake.quotes.colon_claims import find_colon_claim
from quotelake.quotes.entities import Unescaped, unescape
from quotelake.quotes.flags import find_retweet, find_translations, mark_quote_tweets, mark_translated
from quotelake.quotes.kinds import classify
from quotelake.quotes.lexicon import FUNCTION_WORDS, REPORTING_VERBS, SENTENCE_END
from quotelake.quotes.pairing import Span, pair_marks
from quotelake.text.lexicon import word_set
from quotelake.text.words import WORD

MODES: Final = ("body", "headline", "tweet")
_new: Final = tuple.__new__


class Quote(NamedTuple):
    """A quotation. Offsets count code points of the raw text, white space and marks at the ends excluded.

    Attributes:
        start: first character; ``text == raw[start:end]``.
        end: one past the last.
        text: the raw text between, marks of continuation included.
        segments: (start, end) of each part: one, or several when it continues over paragraphs.
        parent: index of the enclosing quote in the list, or None.
        depth: 0 for an outermost quote.
        marks: opening and closing mark, character references decoded; the opening mark alone if it was never closed; a
            colon for a colon claim.
        kind: one of :data:`quotelake.quotes.kinds.KINDS`.
        reason: the rule that decided its kind, see :mod:`quotelake.quotes.kinds`.
        flags: of ``continued``, ``mixed_marks``, ``quote_tweet``, ``translated``, ``unclosed``, in this order.
        utterance: index in the list of the first quote of its utterance: of an earlier quote if a reporting clause
            interrupts the sentence, else of this one.
    """

    start: int
    end: int
    text: str
    segments: tuple[tuple[int, int], ...]
    parent: int | None
    depth: int
    marks: str
    kind: str
    flags: tuple[str, ...]
    reason: str
    utterance: int

    @property
    def joined(self) -> str:
        """The segments joined by a space, without breaks and marks of continuation: the text of which keys are made."""
        return " ".join(self.text[start - self.start : end - self.start] for start, end in self.segments)

    def in_raw(self, raw: str, read: Unescaped) -> "Quote":
        """The same quote with the offsets and the text of the raw field."""
        segments = tuple([(read.raw(start), read.raw(end)) for start, end in self.segments])
        start, end = segments[0][0], segments[-1][1]
        return self._replace(start=start, end=end, text=raw[start:end], segments=segments)


def find_quotes(text: str | None, mode: str = "body") -> list[Quote]:
    """Find the quotations of a text, ordered by start, an enclosing quote before those inside it.

    Args:
        text: a raw field, not normalised in any way; None or empty gives no quote. Character references of HTML count
            as the marks they encode; offsets refer to the raw field.
        mode: ``body``, ``headline`` (distinguishes claims from speech; without any quote, looks for a colon claim) or
            ``tweet`` (flags quoted tweets). Marks mean the same in all three.

    Raises:
        ValueError: for any other mode.

    >>> [quote.text for quote in find_quotes('“We won,” Ito said, “narrowly.”')]
    ['We won,', 'narrowly.']
    """
    if mode not in MODES:
        raise ValueError(f"mode is {mode!r}; it must be one of {', '.join(MODES)}")
    if not text:
        return []
    read = unescape(text)
    if read is None:
        return quotes_in(text, mode)
    return [quote.in_raw(text, read) for quote in quotes_in(read.text, mode)]


def quotes_in(text: str, mode: str) -> list[Quote]:
    """Find the quotations of a text whose character references are decoded, as :func:`find_quotes` does."""
    quotes: list[Quote] = []
    translations: list[tuple[int, int]] | None = None
    retweet = find_retweet(text) if mode == "tweet" else None
    for spans in pair_marks(text):
        if translations is None:  # Only texts with quotes are searched; most tweets have none.
            translations = find_translations(text)
        if translations:
            mark_translated(text, spans, translations)
        _nest(text, mark_quote_tweets(text, spans, retweet) if mode == "tweet" else spans, mode, quotes)
    return _colon_claims(text) if mode == "headline" and not quotes else quotes


def _nest(text: str, spans: list[Span], mode: str, quotes: list[Quote]) -> None:
    """Order the next spans, find the enclosing quote of each, classify them, and append them to ``quotes``.

    Spans nest or are disjoint, because a stack found them, and no two have the same start: a mark is between.
    """
    around: list[int] = []
    last: dict[int | None, Quote] = {}  # Of each parent, the quote found last; no utterance spans two paragraphs.
    for span in sorted(spans, key=_first):
        segments = tuple(span.segments)
        start, end = segments[0][0], segments[-1][1]
        while around and quotes[around[-1]].end <= start:
            around.pop()
        parent = around[-1] if around else None
        kind, reason = classify(text, start, end, span.marks, mode)
        flags = tuple(sorted(span.flags)) if len(span.flags) > 1 else span.flags
        at = len(quotes)
        before = last.get(parent)
        utterance = before.utterance if before is not None and interrupted(text, before.end, start) else at
        # Takes a third of the time of the constructor, which passes each field by name.
        quote = _new(
            Quote,
            (start, end, text[start:end], segments, parent, len(around), span.marks, kind, flags, reason, utterance),
        )
        quotes.append(quote)
        last[parent] = quote
        around.append(at)


def _colon_claims(headline: str) -> list[Quote]:
    found = find_colon_claim(headline)
    if found is None:
        return []
    start, end = found[1]
    return [
        Quote(start, end, headline[start:end], ((start, end),), None, 0, ":", "colon_claim", (), "speaker_colon", 0)
    ]


def _first(span: Span) -> tuple[int, int]:
    return span.segments[0]


#: Most characters between the two parts, marks included: a name with its role and a verb.
_LONGEST_CLAUSE: Final = 120
_PAUSES: Final = frozenset(",-–—…")
_MARKS: Final = " \u00a0\"'“”‘’`«»„"
_BREAKS: Final = re.compile(r"[!?;:]")
#: Words between two quotes that show that the writer's sentence links them: *"a mess", he said, and "a shame"*.
_LINKS: Final = word_set("and or but that as of a an the to is was")


def interrupted(text: str, end: int, start: int) -> bool:
    """Whether the quote from ``start`` continues the sentence of the quote before it, which ended at ``end``.

    Args:
        text: the field with both quotes.
        end: one past the last character of the first quote, without its mark.
        start: first character of the second quote, without its mark.

    >>> text = '"We lost," Ito said, "but we learned."'
    >>> interrupted(text, 9, 22)
    True
    """
    if not 4 <= start - end <= _LONGEST_CLAUSE:
        return False
    clause = text[end:start].rstrip(_MARKS)
    if not clause or clause[-1] not in _PAUSES:
        return False
    if text[end - 1] not in _PAUSES and clause.lstrip(_MARKS)[:1] not in _PAUSES:
        return False
    words = WORD.findall(clause.lower())
    if not words or words[-1] in _LINKS or (words[0] in FUNCTION_WORDS and words[0] not in ("he", "they", "we", "i")):
        return False
    return not REPORTING_VERBS.isdisjoint(words) and not _BREAKS.search(clause) and not SENTENCE_END.search(clause)
