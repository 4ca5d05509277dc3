"""The two sides that the rules compare: a quote of the headline, and the body with its quotes. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from quotelake.contextomy.nearly import plain_of
from quotelake.contextomy.plain import Plain
from quotelake.contextomy.speakers import Who
from quotelake.text.fold import Folded, Span, fold
from quotelake.text.language import UNDETERMINED
from quotelake.text.wording import Wording, read_wording

#: ``body_status`` of bodies of which a part is missing; nothing missing in one counts against an outlet.
CUT = frozenset({"truncated", "live_update"})


@dataclass(frozen=True, slots=True)
class HeadlineQuote:
    """A quote of a headline, as the table ``quotes`` has it, and the rest of the headline.

    Attributes:
        text: without marks.
        match_key: for verbatim comparison.
        kind: see :data:`quotelake.quotes.kinds.KINDS`.
        reason: the rule behind its kind.
        marks: its opening and closing mark.
        speaker: who the headline says it is by.
        is_credited: see :func:`.credit.is_credited`.
        before: the headline up to its opening mark, that included.
        after: the headline from its closing mark on.
    """

    text: str
    match_key: str | None
    kind: str
    reason: str = ""
    marks: str = ""
    speaker: Who | None = None
    is_credited: bool = False
    before: str = ""
    after: str = ""

    @property
    def around(self) -> str:
        """The headline without it."""
        return f"{self.before} {self.after}"


@dataclass(frozen=True, slots=True)
class BodyQuote:
    """A quote of the body: its id, its text without marks, its key for verbatim comparison, and its speaker.

    ``start`` counts code points of the body. Runs of spaces in the text stand for what is not quoted (see
    :func:`quotelake.contextomy.utterances.body_quotes`).
    """

    quote_id: str
    text: str
    match_key: str | None
    speaker: Who | None = None
    start: int = 0

    @property
    def end(self) -> int:
        """One past its last character in the body."""
        return self.start + len(self.text)

    @property
    def said(self) -> str:
        """The text in its words alone, as encoders read it."""
        return " ".join(self.text.split())


@dataclass(frozen=True)
class Body:
    """A body with its quotes; what rules derive from it is computed once, when the first of them asks for it.

    Attributes:
        text: of the article, without its headline.
        status: complete, truncated, live_update or unknown.
        quotes: its quotes in order; one may lie inside another.
        language: of the article, ISO 639-1 or ``und``.
    """

    text: str
    status: str
    quotes: Sequence[BodyQuote]
    language: str = UNDETERMINED

    @cached_property
    def folded(self) -> Folded:
        """The text, folded."""
        return fold(self.text)

    @cached_property
    def plain(self) -> Plain:
        """The text as plain words."""
        return plain_of(self.text)

    @cached_property
    def folded_quotes(self) -> list[Folded]:
        """The quotes, folded."""
        return [fold(quote.text) for quote in self.quotes]

    def wording(self, place: int) -> Wording:
        """A quote, word by word."""
        if place not in self._wordings:
            self._wordings[place] = read_wording(self.quotes[place].text)
        return self._wordings[place]

    @cached_property
    def _wordings(self) -> dict[int, Wording]:
        return {}

    @cached_property
    def narration(self) -> str:
        """The text without its quotes: as many spaces stand in their place."""
        pieces, at = [], 0
        for quote in self.quotes:
            pieces += [self.text[at : quote.start], " " * (quote.end - max(at, quote.start))]
            at = max(at, quote.end)
        return "".join([*pieces, self.text[at:]])

    def quotes_within(self, passage: Span) -> bool:
        """Whether a quote shares characters with a passage."""
        start, end = passage
        return any(quote.start < end and start < quote.end for quote in self.quotes)

    @property
    def is_cut(self) -> bool:
        """Whether a part of it is missing."""
        return self.status in CUT
