"""Find the quotations of a text, in time linear in its length, whatever it holds.

The pattern of :mod:`~quotelake.quotes.marks` finds the marks, :mod:`~quotelake.quotes.roles` reads what each can do
where it stands, :mod:`~quotelake.quotes.pairing` pairs them; here the spans become quotes with nesting and kind.
"""

from dataclasses import dataclass
from typing import Final

from quotelake.quotes.kinds import classify
from quotelake.quotes.pairing import Span, pair_marks

MODES: Final = ("body", "headline", "tweet")


@dataclass(frozen=True, slots=True)
class Quote:
    """A quotation. Offsets count code points of the raw text, white space and marks at the ends excluded.

    Attributes:
        start: first character; ``text == raw[start:end]``.
        end: one past the last.
        text: the raw text between, marks of continuation included.
        segments: (start, end) of each part: one, or several when it continues over paragraphs.
        parent: index of the enclosing quote in the list, or None.
        depth: 0 for an outermost quote.
        marks: opening and closing mark as they stand; the opening alone when it was never closed.
        kind: one of :data:`quotelake.quotes.kinds.KINDS`.
        flags: of ``continued``, ``mixed_marks``, ``unclosed``, in this order.
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
    reason: str = ""

    @property
    def joined(self) -> str:
        """The segments joined by a space: the words without breaks and marks of continuation, as keys want them."""
        return " ".join(self.text[start - self.start : end - self.start] for start, end in self.segments)


def find_quotes(text: str | None, mode: str = "body") -> list[Quote]:
    """Find the quotations of a text, ordered by start, an enclosing quote before those inside it.

    Args:
        text: a raw field, not normalised in any way; None or empty gives no quote.
        mode: ``body``, ``headline`` or ``tweet``; it decides the kind only, marks mean the same everywhere.

    Raises:
        ValueError: for any other mode.

    >>> [quote.text for quote in find_quotes('“We won,” Ito said, “narrowly.”')]
    ['We won,', 'narrowly.']
    """
    if mode not in MODES:
        raise ValueError(f"mode is {mode!r}; it must be one of {', '.join(MODES)}")
    if not text:
        return []
    return _nest(text, pair_marks(text), mode)


def _nest(text: str, spans: list[Span], mode: str) -> list[Quote]:
    """Order spans, find what encloses what, and classify.

    Spans nest or are disjoint, for a stack found them, and no two start at one place: a mark stands between.
    """
    quotes: list[Quote] = []
    around: list[int] = []
    for span in sorted(spans, key=lambda span: span.segments[0][0]):
        start, end = span.segments[0][0], span.segments[-1][1]
        while around and quotes[around[-1]].end <= start:
            around.pop()
        parent = around[-1] if around else None
        kind, reason = classify(text, start, end, span.marks, mode)
        flags = tuple(sorted(span.flags))
        quote = Quote(start, end, text[start:end], tuple(span.segments), parent, len(around), span.marks, kind, flags, reason)
        quotes.append(quote)
        around.append(len(quotes) - 1)
    return quotes
