"""Find the quotations of a text, in time linear in its length, whatever it holds.

:mod:`~quotelake.quotes.marks` finds the marks and what each can do in its place, :mod:`~quotelake.quotes.pairing` pairs
them; here the spans become quotes with nesting, kind and flags. A quote goes on with the utterance of the one before if
only a reporting clause is between them (*"We lost," Ito said, "but we learned."*).
"""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from quotelake.quotes import lexicon as en
from quotelake.quotes.entities import unescape
from quotelake.quotes.flags import mark_quote_tweets, mark_translated
from quotelake.quotes.kinds import classify
from quotelake.quotes.pairing import pair_marks
from quotelake.text.lexicon import word_set
from quotelake.text.words import WORD

MODES: Final = ("body", "headline", "tweet")


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

    def moved(self, text: str, place: Callable[[int], int]) -> "Quote":
        """The same quote in the raw or decoded form of its text, whose offsets ``place`` gives."""
        segments = tuple([(place(start), place(end)) for start, end in self.segments])
        start, end = segments[0][0], segments[-1][1]
        return self._replace(start=start, end=end, text=text[start:end], segments=segments)


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
    return [quote.moved(text, read.raw) for quote in quotes_in(read.text, mode)]


def quotes_in(text: str, mode: str) -> list[Quote]:
    """Find the quotations of a text whose character references are decoded, as :func:`find_quotes` does."""
    spans = pair_marks(text)
    if not spans:
        found = find_colon_claim(text) if mode == "headline" else None
        if found is None:
            return []
        start, end = found[1]
        claim = text[start:end]
        return [Quote(start, end, claim, ((start, end),), None, 0, ":", "colon_claim", (), "speaker_colon", 0)]
    mark_translated(text, spans)
    if mode == "tweet":
        spans = mark_quote_tweets(text, spans)
    quotes: list[Quote] = []
    around: list[int] = []
    last: dict[int | None, Quote] = {}  # Of each parent, the quote found last; no utterance spans two paragraphs.
    # Spans nest or are disjoint, because a stack found them, and no two have the same start: a mark is between.
    for span in sorted(spans, key=lambda span: span.segments[0]):
        segments = tuple(span.segments)
        start, end = segments[0][0], segments[-1][1]
        while around and quotes[around[-1]].end <= start:
            around.pop()
        parent = around[-1] if around else None
        kind, reason = classify(text, start, end, span.marks, mode)
        flags = tuple(sorted(span.flags))
        at = len(quotes)
        before = last.get(parent)
        utterance = before.utterance if before is not None and interrupted(text, before.end, start) else at
        quote = Quote(
            start, end, text[start:end], segments, parent, len(around), span.marks, kind, flags, reason, utterance
        )
        quotes.append(quote)
        last[parent] = quote
        around.append(at)
    return quotes


#: Most characters between the two parts, marks included: a name with its role and a verb.
_LONGEST_CLAUSE: Final = 120
_PAUSES: Final = frozenset(",-–—…")
_MARKS: Final = " \u00a0\"'“”‘’`«»„"
_BREAKS: Final = re.compile(r"[!?;:]")
#: Words between two quotes that show that the writer's sentence links them: *"a mess", he said, and "a shame"*.
_LINKS: Final = word_set("and or but that as of a an the to is was")
_NO_SUBJECTS: Final = en.FUNCTION_WORDS - {"he", "they", "we", "i"}


def interrupted(text: str, end: int, start: int) -> bool:
    """Whether the quote from ``start`` continues the sentence of the quote before it, which ended at ``end``."""
    if not 4 <= start - end <= _LONGEST_CLAUSE:
        return False
    clause = text[end:start].rstrip(_MARKS)
    if not clause or clause[-1] not in _PAUSES:
        return False
    if text[end - 1] not in _PAUSES and clause.lstrip(_MARKS)[:1] not in _PAUSES:
        return False
    words = WORD.findall(clause.lower())
    if (
        not words
        or words[-1] in _LINKS
        or (words[0] in en.FUNCTION_WORDS and words[0] not in ("he", "they", "we", "i"))
    ):
        return False
    return (
        not en.REPORTING_VERBS.isdisjoint(words) and not _BREAKS.search(clause) and not en.SENTENCE_END.search(clause)
    )


#: Most words of a left side that can be a speaker (*Author of original act*).
_MAX_SPEAKER_WORDS: Final = 6
_MAX_NAME_WORDS: Final = 3
_MIN_CLAIM_WORDS: Final = 2
_COLON: Final = re.compile(r":\s+(?=\S)")
#: *Union to mayor*, *Critics on tolls*: the speaker is in front of this.
_ADDRESSED: Final = re.compile(r"\s(?:(?P<told>[Tt]o)\s(?=[A-Z])|[Oo]n\s)")
#: With one of these the left side is a sentence or a phrase and no speaker; *of* may be part of a title of office.
_NO_SPEAKER: Final = (en.FUNCTION_WORDS | en.REPORTING_VERBS | {"no", "gets", "goes", "calls", "it's"}) - {
    "of",
    "and",
    "off",
    "reports",
}


def find_colon_claim(headline: str) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Find the speaker and the claim of a headline without marks: *Bank chief: We will not cut rates*.

    The part before the first colon must be a speaker: a role, an organisation or document that speaks (*police*,
    *report*), or a name. A name looks like a topic (*Hurricane Irma: Florida reopens*), so after a name the claim must
    show that somebody speaks: by a first or second person, a modal verb or a request, unless the name addresses
    another. Labels (*Opinion:*, *Live:*) are never speakers. Whether a body supports a claim in single marks is another
    question: :mod:`quotelake.contextomy.outside_quotes`.

    Returns:
        (start, end) of the speaker and of the claim, in code points of the headline, or None.

    >>> find_colon_claim("Bank chief: We will not cut rates")
    ((0, 10), (12, 33))
    >>> find_colon_claim("Opinion: We should not cut rates") is None
    True
    """
    colon = _COLON.search(headline)
    if colon is None:
        return None
    left, claim = headline[: colon.start()], headline[colon.end() :].rstrip()
    speaker = left.strip()
    addressed = _ADDRESSED.search(speaker)
    if addressed:
        speaker = speaker[: addressed.start()]
    words = WORD.findall(speaker)
    lower = [word.lower().replace("’", "'") for word in words]
    said = [word.lower().replace("’", "'") for word in WORD.findall(claim)]
    if not 0 < len(words) <= _MAX_SPEAKER_WORDS or len(said) < _MIN_CLAIM_WORDS:
        return None
    if not _NO_SPEAKER.isdisjoint(lower) or lower[0] in en.HEADLINE_LABELS or lower[-1] in en.TOPIC_NOUNS:
        return None
    if "," in speaker or speaker[-1] in "!?" or (said[0] in en.QUESTION_WORDS and said[1] not in ("i", "we")):
        return None
    if not (lower[-1] in en.SPEAKING_NOUNS or lower[0] in en.HONORIFICS):
        named = len(words) <= _MAX_NAME_WORDS and all(word[0].isupper() for word in words)
        shown = (addressed is not None and addressed["told"] is not None) or not en.CLAIM_CUES.isdisjoint(said)
        if not (named and shown and en.COMMON_WORDS.isdisjoint(lower)):  # Hard reality: …
            return None
    start = len(left) - len(left.lstrip())
    return (start, start + len(speaker)), (colon.end(), colon.end() + len(claim))
