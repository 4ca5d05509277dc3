"""Each quotation of a text compared with its sources, as headline quotes are compared with their article. Pure.

A headline may name, claim and shorten; a text that quotes speech may not make it up. So what no source has is absent,
whatever excuses it in a headline, and words that no source has as written are altered, however few; only scare quotes,
titles and nicknames are left alone then.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from quotelake.article import Article
from quotelake.contextomy.comparison import Comparison, Languages, languages_of
from quotelake.contextomy.decide import judgement_of
from quotelake.contextomy.differences import Difference, Kind
from quotelake.contextomy.headline import MOST_PHRASE
from quotelake.contextomy.judgement import Finding, Judgement, Outcome, RankedDifference, listed, rank_differences
from quotelake.contextomy.matching import SUPPORTS, match_quote
from quotelake.contextomy.passages import uttered
from quotelake.contextomy.quotes import Body, HeadlineQuote, fields_of
from quotelake.contextomy.rules import NO_UTTERANCE, apply_rules
from quotelake.drafts.formats import Plain, unformatted
from quotelake.drafts.turns import source_body
from quotelake.factuality.reading import is_number, words_of
from quotelake.factuality.statements import FINITE
from quotelake.quotes.extract import quotes_of_document
from quotelake.reader.answers import Reading
from quotelake.reader.instruction import question_of
from quotelake.settings import ReaderSettings, Settings
from quotelake.text.align import common_blocks, gaps
from quotelake.text.fold import Span
from quotelake.text.language import detect_language
from quotelake.text.words import sentences

#: Quotations of a text that are checked, and characters of the longest; characters of all sources together that
#: they are compared with: a minute at most [measured].
MAX_QUOTES: Final = 1000
MAX_LENGTH: Final = 10_000
MAX_READ: Final = 50_000_000
#: Characters of a sentence that are read on each side of a quotation, and shown of its source.
_AROUND: Final = 400
#: Outcomes of a source that has nothing of a quotation, the mildest first.
_NOT_FOUND: Final = (Outcome.NOT_A_QUOTATION, Outcome.NOT_COMPARABLE, Outcome.ABSENT)
#: Outcomes by which rules excuse a headline for words that its article lacks.
_EXCUSES: Final = frozenset((
    Outcome.NO_BODY_QUOTE, Outcome.BODY_INCOMPLETE, Outcome.CLAIM_SUPPORTED, Outcome.CLAIM_UNSUPPORTED,
    Outcome.NOT_A_QUOTATION,
))  # fmt: skip
#: Sources of the archive that may have a quotation.
Archive = Callable[[str], Sequence[Plain]]


@dataclass(frozen=True, slots=True)
class Found:
    """Where a source has a quotation, or a passage near to it; offsets count code points of the source."""

    source: str  #: its name
    start: int
    end: int
    line: int  #: from 1
    speaker: str | None
    passage: str  #: the sentences around
    omitted: tuple[Span, ...]  #: what an excerpt leaves out of it, as (start, end) in the passage


@dataclass(frozen=True, slots=True)
class Checked:
    """A quotation of a text, and the nearest passage of its sources. Grain: an outermost quotation."""

    quote: HeadlineQuote  #: with ``start`` and ``end``, code points of the text, and its speaker ``by``
    line: int  #: of the text, from 1
    outcome: Outcome  #: ``not_comparable``: it was not checked
    reason: str  #: why it was not checked; else empty
    alert: str | None = None  #: kind of its gravest alert
    check: str | None = None  #: kind of its gravest check
    severity: float | None = None  #: of the alert, else of the check, 0 to 1
    differences: tuple[RankedDifference, ...] = ()  #: the gravest first
    found: Found | None = None  #: None: no source has anything like it
    reading: Reading | None = None  #: what a language model says of it; None: none was asked

    @property
    def is_flagged(self) -> bool:
        """Whether somebody should look at it."""
        misleads = self.reading is not None and self.reading.verdict == "misleading"
        return self.kind is not None or self.outcome is Outcome.NOT_COMPARABLE or misleads

    @property
    def kind(self) -> str | None:
        """Kind of its gravest difference, alert or check: of a text every word counts."""
        return self.alert or self.check

    @property
    def text(self) -> str:
        """Its words."""
        return self.quote.text


def check(
    draft: Plain,
    sources: Sequence[Plain],
    settings: Settings,
    archive: Archive | None = None,
    reader: ReaderSettings | None = None,
) -> list[Checked]:
    """Check every outermost quotation of a text, in its order.

    The best judgement of all sources counts: one with nothing to look at, else the mildest. The parts of an utterance
    around a reporting clause are quotations of their own. One that would read more than :data:`MAX_READ` characters of
    sources, or is beyond the other limits, is not checked, and its reason says so. ``archive`` gives more sources of
    direct speech for which the others leave something to look at. The model of ``reader`` reads each quotation that one
    of the ``sources`` has, or a passage near to it, after the rules.
    """
    read = _Sources(settings, languages_of(settings, ()))
    different = list({source.text: source for source in reversed(sources)}.values())[::-1] or [unformatted("", "")]
    checked = []
    for place, quote in enumerate(_quotations(draft, settings)):
        line, limit, best = draft.line(quote.start), None, None
        if place >= MAX_QUOTES:
            limit = f"behind the first {MAX_QUOTES:,} quotations of the text"
        elif len(quote.text) > MAX_LENGTH:
            limit = f"longer than {MAX_LENGTH:,} characters"
        else:
            best = read.best(quote, line, different)
        if best is not None and best.kind and archive is not None and _is_speech(quote):
            others = read.best(quote, line, archive(quote.text) or [unformatted("", "")])
            best = None if others is None else min(best, others, key=_rank)
        limit = limit or f"all before it took {MAX_READ:,} characters of sources to read"
        checked.append(best or Checked(quote, line, Outcome.NOT_COMPARABLE, limit))
    if reader is None:
        return checked
    from quotelake.reader.client import Reader

    texts = {source.name: source.text for source in sources}
    found = {at: one.found for at, one in enumerate(checked) if one.found is not None and one.found.source in texts}
    asked = [question_of(checked[at].quote, texts[it.source], (it.start, it.end)) for at, it in found.items()]
    readings = dict(zip(found, Reader(reader).read_all(asked), strict=True))
    return [replace(one, reading=readings.get(at)) for at, one in enumerate(checked)]


def _rank(one: Checked) -> tuple[int, bool, float, int, bool]:
    """What speaks against a quotation: found with nothing to look at is least, found nowhere most."""
    missing = _NOT_FOUND.index(one.outcome) + 1 if one.outcome in _NOT_FOUND else 0
    return missing, one.found is None, one.severity or 0.0, len(one.differences), one.outcome is not Outcome.IDENTICAL


def _language(text: str, settings: Settings) -> str:
    return detect_language(text, settings.ingest.languages, settings.ingest.language_confidence)


def _quotations(draft: Plain, settings: Settings) -> Iterator[HeadlineQuote]:
    """The outermost quotations of a text, each with the rest of its sentence, the other parts of its utterance too."""
    text = draft.text
    document = Article("", text, _language(text, settings), "complete").document
    rows = [row for row in quotes_of_document(document, rule_version="") if row["depth"] == 0]
    spans = sentences(text)
    ends = [stop for _, stop in spans]
    for row in sorted(rows, key=lambda row: row["start"]):
        start, end, speaker = row["start"], row["end"], row["speaker"]
        first = spans[min(bisect_right(ends, start), len(spans) - 1)][0]
        last = ends[min(bisect_left(ends, end + len(row["marks"])), len(spans) - 1)]
        yield HeadlineQuote(
            *fields_of(row),
            marks="“”",  # single ones mean a claim in headlines only
            is_credited=speaker is not None and speaker["how"] != "continued" and speaker["type"] == "person",
            before=text[max(first, start - _AROUND) : start],
            after=text[end : min(last, end + _AROUND)],
        )


class _Sources:
    """Sources that are read once each, up to :data:`MAX_READ`."""

    def __init__(self, settings: Settings, languages: Languages) -> None:
        self.settings, self.languages, self._read = settings, languages, 0
        self._body = cache(lambda text: source_body(text, _language(text, settings)))

    def best(self, quote: HeadlineQuote, line: int, sources: Iterable[Plain]) -> Checked | None:
        """What of the sources speaks least against a quotation; None where an accusing one is all that may be read."""
        best = None
        for source in sources:
            self._read += len(source.text)
            if self._read > MAX_READ:
                return best if best is not None and best.kind is None else None
            one = self._judge(quote, line, source, self._body(source.text))
            best = one if best is None else min(best, one, key=_rank)
            if best.outcome is Outcome.IDENTICAL and not best.differences:
                break
        return best

    def _judge(self, quote: HeadlineQuote, line: int, source: Plain, body: Body) -> Checked:
        """Judge a quotation by one source alone."""
        rules, reason, quote = self.settings.contextomy, "", _named(quote, body)
        case = Comparison(quote, body, match_quote(quote, body), self.languages)
        finding = apply_rules(case)
        # A source has nearly the same words, and rules found no difference to accuse.
        near = case.match.passage is not None and case.match.share >= SUPPORTS
        if finding.outcome is None and (near if case.is_read_by_words else case.is_contained):
            finding = Finding(Outcome.MODIFIED, "")
        elif finding.outcome is None or finding.outcome in _EXCUSES:
            finding = Finding(Outcome.ABSENT, "")
            if not quote.parts or not _is_speech(quote):
                name = quote.kind if quote.kind in NO_UTTERANCE else "a few words credited to nobody"
                finding, reason = Finding(Outcome.NOT_A_QUOTATION, ""), f"{name}, in no source"
            elif self.languages.foreign(quote.text, body.language) is not None:
                finding = Finding(Outcome.NOT_COMPARABLE, "")
        one = judgement_of(case, finding, rules)
        differences = list(one.differences)
        whole = one.best.text if one.outcome is Outcome.IDENTICAL and one.best is not None else ""
        if whole[:1].isupper() and FINITE.search(whole):  # who has a sentence or more of a source leaves nothing out
            differences = [each for each in differences if each.kind in (Kind.CREDITED, Kind.CREDIT)]
        elif one.outcome is Outcome.MODIFIED and (reworded := _reworded(case)) is not None:
            others = [each for each in differences if each.kind != Kind.ALTERED]
            differences = [*rank_differences([reworded], rules), *others]
        # A headline may leave out a condition.
        counted = [each._replace(tier="alert") if each.kind == Kind.CONDITION else each for each in differences]
        one = replace(one, **listed(counted, ""))
        if one.outcome is Outcome.NOT_COMPARABLE:
            reason = "not in the language of its sources"
        spans = _spans(case, one)
        found = _found(spans, one, source, body) if spans else None
        outcome = one.outcome or Outcome.ABSENT
        return Checked(quote, line, outcome, reason, one.alert, one.check, one.severity, one.differences, found)


def _named(quote: HeadlineQuote, body: Body) -> HeadlineQuote:
    """A quotation of *the mayor* with the one speaker of a transcript who has this title: *MAYOR DELGADO*."""
    role = quote.speaker.head.casefold().removeprefix("the ") if quote.is_credited and quote.speaker else ""
    labels = {each.speaker for each in body.quotes if each.speaker and each.speaker.how == "colon"}
    found = [label for label in labels if label.text.casefold().startswith(f"{role} ")]
    return replace(quote, speaker=found[0]) if len(found) == 1 else quote


def _found(spans: Sequence[Span], one: Judgement, source: Plain, body: Body) -> Found:
    start, end, text = spans[0][0], spans[-1][1], source.text
    around = [each for each in body.sentences if each[0] < end and start < each[1]]
    first, last = max(around[0][0], start - _AROUND), min(around[-1][1], end + _AROUND)
    first += len(text[first:last]) - len(text[first:last].lstrip())
    last = first + len(text[first:last].rstrip())
    moved, size = (one.best.start if one.best else 0) - first, last - first
    left_out = ((max(begin + moved, 0), min(stop + moved, size)) for begin, stop in one.omitted)
    omitted = [(begin, stop) for begin, stop in left_out if begin < stop]
    by = one.best.by if one.best else None
    return Found(source.name, start, end, source.line(start), by, text[first:last], tuple(omitted))


def _is_speech(quote: HeadlineQuote) -> bool:
    """Whether quotation marks around these words claim that somebody spoke them."""
    return quote.kind not in NO_UTTERANCE and (quote.speaker is not None or len(quote.words) > MOST_PHRASE)


def _reworded(case: Comparison) -> Difference | None:
    """The first words of a quotation that its source does not have as written; numbers may be words or digits."""
    passage = case.match.passage
    if passage is None or not case.is_read_by_words:
        return Difference(Kind.ALTERED)
    ours, theirs = case.headline.text, passage.reading
    own, said = uttered(case.headline), theirs.tokens[passage.first : passage.last + 1]
    written = [[each.key if is_number(each.key) else each.form for each in side] for side in (own, said)]
    for changed, instead in gaps(common_blocks(*written), len(own), len(said)):
        words = said[instead.start : instead.stop]
        if changed.start == instead.stop == 0:  # what stands in the place of its first words
            start = max(passage.first - len(changed), theirs.sentences[passage.first][0])
            words = theirs.tokens[start : passage.first]
        return Difference(Kind.ALTERED, words_of(words, theirs.text), words_of(own[changed.start : changed.stop], ours))
    return None


def _spans(case: Comparison, one: Judgement) -> Sequence[Span]:
    """Spans of the source that decided, part by part; empty where it has none."""
    if one.passage is not None:
        return [one.passage]
    if one.outcome in (Outcome.NOT_COMPARABLE, Outcome.NOT_A_QUOTATION):
        return ()
    best, passage = one.best, case.match.passage
    if one.outcome is Outcome.EXCERPT and best is not None and (kept := case.find(best)):
        return [(best.start + start, best.start + end) for start, end in kept]
    if passage is not None and one.outcome is not Outcome.IDENTICAL:
        return [passage.span]
    return () if best is None or one.outcome is Outcome.ABSENT else [(best.start, best.end)]
