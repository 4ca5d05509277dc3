"""The two sides that are compared: a quote of the headline, and the body with its quotes. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Final

from quotelake.contextomy.speakers import SpeakerMention, is_credited
from quotelake.factuality.reading import SMALL, Reading
from quotelake.factuality.statements import is_in_english
from quotelake.quotes.extract import Row
from quotelake.quotes.flags import DENIED
from quotelake.quotes.keys import match_key
from quotelake.text.fold import Folded, Span, fold, plain_letters
from quotelake.text.language import UNDETERMINED, dominant_script
from quotelake.text.words import sentences, words

#: ``body_status`` of bodies of which a part is missing; nothing missing in one counts against an outlet.
CUT: Final = frozenset({"truncated", "live_update"})
#: An omission marked as such: three dots or more, spaced or not.
_ELLIPSIS: Final = re.compile(r"…|\.(?>(?:\s?\.){2,})")


@dataclass(frozen=True)
class Text:
    """A text, of which each kind of reading is made once, when it is first needed."""

    text: str

    @cached_property
    def plain(self) -> str:
        """The text as it is compared: without accents and marks of notes, every letter in its place."""
        return plain_letters(self.text)

    @cached_property
    def folded(self) -> Folded:
        """Its folded words."""
        return fold(self.plain)

    @cached_property
    def sentences(self) -> list[Span]:
        """Its sentences."""
        return sentences(self.text)

    @cached_property
    def content(self) -> frozenset[str]:
        """Keys of its words of content."""
        return frozenset(self.reading.keys) - SMALL

    @cached_property
    def words(self) -> list[str]:
        """Its words in small letters."""
        return words(self.text)

    @cached_property
    def reading(self) -> Reading:
        """Its words as they are compared."""
        return Reading(self.text)


@dataclass(frozen=True)
class Quote(Text):
    """A quote as a headline or body has it, without marks."""

    match_key: str | None  #: for verbatim comparison
    kind: str = "direct"  #: see :data:`quotelake.quotes.kinds.KINDS`
    speaker: SpeakerMention | None = None  #: who says it; None where the text names nobody
    start: int = 0  #: offset in the headline or body, in code points
    quote_id: str = ""
    is_denied: bool = False  #: its text says that nobody said it, see :mod:`quotelake.quotes.flags`

    @property
    def end(self) -> int:
        """One past its last character."""
        return self.start + len(self.text)

    @property
    def by(self) -> str | None:
        """The speaker as the view ``headline_quotes`` names them."""
        return None if self.speaker is None else self.speaker.display_name


@dataclass(frozen=True)
class HeadlineQuote(Quote):
    """A quote of a headline, and the rest of the headline."""

    reason: str = ""  #: the rule behind its kind
    marks: str = ""  #: its opening and closing mark
    is_credited: bool = False  #: the headline plainly credits it to its speaker, see :func:`.speakers.is_credited`
    before: str = ""  #: the headline up to its opening mark, that included
    after: str = ""  #: the headline from its closing mark on

    @cached_property
    def around(self) -> Text:
        """The headline without it."""
        return Text(f"{self.before} {self.after}")

    @cached_property
    def parts(self) -> list[Folded]:
        """Its parts: an ellipsis inside it separates two; none if it has no word."""
        pieces = _ELLIPSIS.split(self.plain)
        folded = [self.folded] if len(pieces) == 1 else map(fold, pieces)
        return [part for part in folded if part.words]

    @cached_property
    def script(self) -> str | None:
        """Its script, as :func:`~quotelake.text.language.dominant_script` names it."""
        return dominant_script("".join(part.letters for part in self.parts))

    @property
    def is_latin(self) -> bool:
        """Whether it is in Latin script, or in none."""
        return self.script in ("latin", None)


@dataclass(frozen=True)
class BodyQuote(Quote):
    """A quote of the body; runs of spaces in its text are in place of what is not quoted, see :func:`body_quotes`."""

    utterance_id: str = ""

    @property
    def text_without_gaps(self) -> str:
        """The text with single spaces, as encoders read it."""
        return " ".join(self.text.split())


@dataclass(frozen=True)
class Body(Text):
    """The text of an article without its headline, and its quotes."""

    status: str  #: complete, truncated, live_update or unknown
    quotes: Sequence[BodyQuote]  #: in order; one may lie inside another
    language: str = UNDETERMINED  #: ISO 639-1, or ``und``
    readings: dict[Span, Reading] = field(default_factory=dict, repr=False, compare=False)  #: of parts, made once

    @cached_property
    def without_reporting_clauses(self) -> Text:
        """The text with spaces in place of the reporting clauses inside its quotes, every character in its place."""
        clauses = [each for each in self.quotes if self.text[each.start : each.end] != each.text]
        if not clauses:
            return self
        characters = list(self.text)
        for quote in clauses:
            characters[quote.start : quote.end] = quote.text
        return Text("".join(characters))

    def as_printed(self, place: int | None) -> BodyQuote | None:
        """A quote with the reporting clauses between its parts; None without a place."""
        if place is None:
            return None
        quote = self.quotes[place]
        return replace(quote, text=self.text[quote.start : quote.end])

    def quotes_within(self, passage: Span) -> bool:
        """Whether a quote shares characters with a passage."""
        start, end = passage
        return any(quote.start < end and start < quote.end for quote in self.quotes)

    @property
    def is_cut(self) -> bool:
        """Whether a part of it is missing."""
        return self.status in CUT


def are_read_by_words(quote: HeadlineQuote, body: Body) -> bool:
    """Whether both are read word by word: in English, or in an unknown language in Latin script that may be it."""
    return quote.is_latin and is_in_english(body.language)


def headline_quotes(document: Row, quotes: Sequence[Row]) -> list[HeadlineQuote]:
    """The quotes of a headline that are compared with its body, in its order: the outermost between marks."""
    headline = document["headline"]
    rows = [row for row in quotes if row["field"] == "headline" and row["depth"] == 0 and row["kind"] != "colon_claim"]
    return [
        HeadlineQuote(
            *fields_of(row),
            reason=row["reason"],
            marks=row["marks"],
            is_credited=is_credited(headline, row["start"], row["end"], row["speaker"]),
            before=headline[: row["start"]],
            after=headline[row["end"] :],
        )
        for row in sorted(rows, key=itemgetter("start", "end"))
    ]


def body_of(document: Row, quotes: Sequence[Row]) -> Body:
    """The body of a row of ``documents``, with its quotes out of all rows of ``quotes`` of the document."""
    parts = [BodyQuote(*fields_of(row), row["utterance_id"]) for row in quotes if row["field"] == "body"]
    return Body(document["body"], document["body_status"], body_quotes(parts), document["language"])


def body_quotes(parts: Iterable[BodyQuote]) -> list[BodyQuote]:
    """Join the quotes that share an utterance: *"We lost," Ito said, "but we learned."*; in the order of the body.

    In place of the reporting clause the text has as many spaces. The id is the first part's, the speaker the first
    known.

    >>> parts = [BodyQuote("We lost,", "", start=1), BodyQuote("but we learned.", "", start=22)]
    >>> [quote.text_without_gaps for quote in body_quotes(parts)]
    ['We lost, but we learned.']
    """
    order = sorted(parts, key=attrgetter("utterance_id", "start"))
    quotes = []
    for _, utterance in groupby(order, key=attrgetter("utterance_id")):
        first, *others = utterance
        if others:
            text = first.text
            for part in others:
                text = text.ljust(part.start - first.start) + part.text
            key = match_key(" ".join(part.text for part in (first, *others)))
            speaker = next((part.speaker for part in (first, *others) if part.speaker is not None), None)
            first = replace(first, text=text, match_key=key, speaker=speaker)
        quotes.append(first)
    return sorted(quotes, key=attrgetter("start", "end"))


def fields_of(row: Row) -> tuple[str, str | None, str, SpeakerMention | None, int, str, bool]:
    """The fields of any quote from a row of ``quotes``."""
    speaker = row["speaker"]
    who = None if speaker is None else SpeakerMention(*(speaker[name] for name in SpeakerMention._fields))
    is_denied = not DENIED.isdisjoint(row["flags"])
    return row["text"], row["match_key"], row["kind"], who, row["start"], row["quote_id"], is_denied
