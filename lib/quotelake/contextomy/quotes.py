"""The two sides that are compared: a quote of the headline, and the body with its quotes. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Final

from quotelake.contextomy.nearly import Plain, plain
from quotelake.contextomy.speakers import Who
from quotelake.quotes.extract import Row
from quotelake.quotes.keys import match_key
from quotelake.quotes.lexicon import REPORTING_VERBS
from quotelake.text.fold import Folded, Span, fold, letter_spans
from quotelake.text.language import UNDETERMINED
from quotelake.text.wording import Wording, read_wording
from quotelake.text.words import sentences, words

#: ``body_status`` of bodies of which a part is missing; nothing missing in one counts against an outlet.
CUT: Final = frozenset({"truncated", "live_update"})
_WORD: Final = re.compile(r"\w")


@dataclass(frozen=True)
class Text:
    """A text; what rules read of it is read once, when the first of them asks for it."""

    text: str

    @cached_property
    def folded(self) -> Folded:
        """Its folded words."""
        return fold(self.text)

    @cached_property
    def spans(self) -> list[Span]:
        """Where each of its folded letters stands."""
        return letter_spans(self.text)

    def place(self, first: int, last: int) -> Span:
        """Where folded letters from ``first`` to before ``last`` stand."""
        return self.spans[first][0], self.spans[last - 1][1]

    @cached_property
    def sentences(self) -> list[Span]:
        """Its sentences."""
        return sentences(self.text)

    @cached_property
    def plain(self) -> Plain:
        """Its plain words, character references decoded."""
        return plain(self.text)

    @cached_property
    def wording(self) -> Wording:
        """The words that carry its statement."""
        return read_wording(self.text)


@dataclass(frozen=True)
class Quote(Text):
    """A quote as a headline or body has it, without marks."""

    match_key: str | None  #: for verbatim comparison
    kind: str = "direct"  #: see :data:`quotelake.quotes.kinds.KINDS`
    speaker: Who | None = None  #: who says it; None where the text names nobody
    start: int = 0  #: offset in the headline or body, in code points
    quote_id: str = ""

    @property
    def end(self) -> int:
        """One past its last character."""
        return self.start + len(self.text)

    @property
    def by(self) -> str | None:
        """The speaker as the view ``headline_quotes`` names them."""
        return None if self.speaker is None else self.speaker.shown


@dataclass(frozen=True)
class HeadlineQuote(Quote):
    """A quote of a headline, and the rest of the headline."""

    reason: str = ""  #: the rule behind its kind
    marks: str = ""  #: its opening and closing mark
    is_credited: bool = False  #: the headline plainly credits it to its speaker, see :func:`_is_credited`
    before: str = ""  #: the headline up to its opening mark, that included
    after: str = ""  #: the headline from its closing mark on

    @property
    def around(self) -> str:
        """The headline without it."""
        return f"{self.before} {self.after}"

    @cached_property
    def words(self) -> list[str]:
        """Its words in small letters."""
        return words(self.text)


@dataclass(frozen=True)
class BodyQuote(Quote):
    """A quote of the body; runs of spaces in its text stand for what is not quoted, see :func:`body_quotes`."""

    utterance_id: str = ""

    @property
    def said(self) -> str:
        """The text in its words alone, as encoders read it."""
        return " ".join(self.text.split())


@dataclass(frozen=True)
class Body(Text):
    """The text of an article without its headline, and its quotes."""

    status: str  #: complete, truncated, live_update or unknown
    quotes: Sequence[BodyQuote]  #: in order; one may lie inside another
    language: str = UNDETERMINED  #: ISO 639-1, or ``und``

    @cached_property
    def narration(self) -> Text:
        """The text without its quotes: as many spaces stand in their place."""
        pieces, at = [], 0
        for quote in self.quotes:
            pieces += [self.text[at : quote.start], " " * (quote.end - max(at, quote.start))]
            at = max(at, quote.end)
        return Text("".join([*pieces, self.text[at:]]))

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


def headline_quotes(document: Row, quotes: Sequence[Row]) -> list[HeadlineQuote]:
    """Select the quotes of a headline that are compared with its body, in its order: the outermost ones.

    A colon claim is left out: it stands in nobody's marks, so no body quote can be expected to carry it.
    """
    outermost = [
        row for row in quotes if row["field"] == "headline" and row["depth"] == 0 and row["kind"] != "colon_claim"
    ]
    headline = document["headline"]
    return [
        HeadlineQuote(
            *_fields(row),
            reason=row["reason"],
            marks=row["marks"],
            is_credited=_is_credited(headline, row["start"], row["end"], row["speaker"]),
            before=headline[: row["start"]],
            after=headline[row["end"] :],
        )
        for row in sorted(outermost, key=itemgetter("start", "end"))
    ]


def body_of(document: Row, quotes: Sequence[Row]) -> Body:
    """Make a body of a row of ``documents`` and all quotes of that, rows of ``quotes``."""
    parts = [BodyQuote(*_fields(row), row["utterance_id"]) for row in quotes if row["field"] == "body"]
    return Body(document["body"], document["body_status"], body_quotes(parts), document["language"])


def body_quotes(parts: Iterable[BodyQuote]) -> list[BodyQuote]:
    """Join the quotes that share an utterance: *"We lost," Ito said, "but we learned."*; in the order of the body.

    Where the reporting clause stood, the text has as many spaces, so that its offsets count from the first part's
    start in the body. The id is the first part's, the speaker the first known.

    >>> parts = [BodyQuote("We lost,", "", start=1), BodyQuote("but we learned.", "", start=22)]
    >>> [quote.said for quote in body_quotes(parts)]
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


def _fields(row: Row) -> tuple[str, str | None, str, Who | None, int, str]:
    """The fields of any quote from a row of ``quotes``."""
    speaker = row["speaker"]
    who = None if speaker is None else Who(*(speaker[name] for name in Who._fields))
    return row["text"], row["match_key"], row["kind"], who, row["start"], row["quote_id"]


def _is_credited(headline: str, start: int, end: int, speaker: Row | None) -> bool:
    """Whether a headline plainly credits its quote from ``start`` to ``end`` to the speaker found in it.

    Headlines put names everywhere: *Reyes on collision course with council: “…”* credits nobody, and in *Bell: Reyes
    found “…”* or *Bell calls it “…”, ally says* one person reports another. A statement that can be false is only there
    where name, reporting word and quote touch, the name opens the headline or follows the quote, and no other word of
    the headline reports.

    >>> bell = {"start": 0, "end": 4, "cue_start": 4, "cue_end": 5}
    >>> _is_credited("Bell: “We lost”", 7, 14, bell), _is_credited("Bell: report tells “We lost”", 20, 27, bell)
    (True, False)
    """
    if speaker is None or speaker["cue_start"] is None:
        return False
    name, cue = (speaker["start"], speaker["end"]), (speaker["cue_start"], speaker["cue_end"])
    if name[1] <= start:
        gaps = [(0, name[0]), (name[1], cue[0]), (cue[1], start)]
    else:
        first, second = sorted((name, cue))
        gaps = [(end, first[0]), (first[1], second[0])]
    if any(_WORD.search(headline, *gap) for gap in gaps):
        return False
    others = (headline[: cue[0]], headline[cue[1] : start], headline[max(end, cue[1]) :])
    return all(REPORTING_VERBS.isdisjoint(words(other)) for other in others)
