"""The answer on a headline quote: its outcome, why, and what that rests on; also as columns of ``contextomy``. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, NamedTuple

from quotelake.contextomy.differences import SEVERITY, Difference, Kind
from quotelake.contextomy.features import SUPPORT
from quotelake.contextomy.letters import Containment
from quotelake.contextomy.quotes import BodyQuote, HeadlineQuote
from quotelake.quotes.extract import Row
from quotelake.settings import ContextomySettings
from quotelake.text.fold import Span
from quotelake.text.omissions import NO_OMISSIONS, Omissions


class Outcome(StrEnum):
    """What a headline quote is to its body."""

    IDENTICAL = "identical"  #: its words are those of a body quote
    EXCERPT = "excerpt"  #: its words stand in order, at word boundaries, inside a longer body quote
    MODIFIED = "modified"  #: reworded, but a body quote carries it
    JOINED = "joined"  #: made from two body quotes, each of them needed
    CONTEXTOMIZED = "contextomized"  #: the body has the utterance behind it, and says something else
    ABSENT = "absent"  #: its words stand nowhere in a body that can be read, nor a passage that could be their source
    IN_BODY_UNQUOTED = "in_body_unquoted"  #: its words stand in the body, but in no quote of it, or only partly
    NO_BODY_QUOTE = "no_body_quote"  #: the body has no quote, nor the words
    CLAIM_SUPPORTED = "claim_supported"  #: a claim or words credited to nobody, which the body supports
    CLAIM_UNSUPPORTED = "claim_unsupported"  #: the same, but not supported by the body
    BODY_INCOMPLETE = "body_incomplete"  #: not found, in a body that is cut, still being written or another's
    NOT_A_QUOTATION = "not_a_quotation"  #: a title, a nickname, marks that name something; in no body quote
    #: No body quote is in its script, the body not in its language; or see :data:`.decide.MOST_QUOTES`.
    NOT_COMPARABLE = "not_comparable"


#: Outcomes in which body quotes say what the headline quote says, so that it matters who says it.
CARRIED = frozenset({Outcome.IDENTICAL, Outcome.EXCERPT, Outcome.MODIFIED, Outcome.JOINED})


#: Outcomes in which the body has the words, in quotes or not, so that it matters what it says of them.
SAID: Final = CARRIED | {Outcome.CONTEXTOMIZED, Outcome.IN_BODY_UNQUOTED, Outcome.CLAIM_SUPPORTED}


class Noted(NamedTuple):
    """A difference as it is shown."""

    kind: str  #: of :class:`.differences.Kind`
    tier: str  #: alert: a standards desk is shown it; note: it stands with the article
    severity: float  #: how much it changes what a reader believes, 0 to 1
    said: str  #: the body's words in which it shows; may be empty
    own: str  #: the headline's; may be empty
    phrase: str  #: it in words


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a headline quote was found to be, and what that rests on."""

    headline: HeadlineQuote
    outcome: Outcome | None  #: None where the detector must still decide
    reason: str  #: the rule that decided, in a few words
    alert: str | None = None  #: kind of the gravest difference that a standards desk is shown
    #: Of the detector, 0 to 1; None where a rule settled it.
    score: float | None = None
    severity: float | None = None  #: of an alert: how much the difference changes what a reader believes, 0 to 1
    #: Body quote that carries most of it, the reporting clauses inside included; None where a passage outside quotes
    #: decided, or none shares anything; and the one that adds most to it.
    best: BodyQuote | None = None
    second: BodyQuote | None = None
    passage: Span | None = None  #: where a rule found its words outside quotes, as offsets in the body
    body_quotes: int = 0  #: number of body quotes it was compared with
    #: Whether who says the best body quote is whom the headline names; None where it does not carry the words, or that
    #: cannot be told.
    speaker_match: bool | None = None
    two_speakers: bool = False  #: the best and the second are by two persons, and the headline names one speaker
    containment: Containment | None = None  #: how much of it stands where; None where it was not compared
    omissions: Omissions = NO_OMISSIONS  #: what an excerpt left out, as offsets in the best body quote
    #: Whether the utterance behind it is recognisable in the body; only where no rule settled it, as all that follows.
    recognised: bool | None = None
    difference: str | None = None  #: what the body says otherwise, in a phrase; only in scripts other than Latin
    support: Mapping[str, float] | None = None  #: each of :data:`quotelake.contextomy.features.SUPPORT`
    evidence: float | None = None  #: of the detector, before the cosine: the higher, the less supports it
    differences: tuple[Noted, ...] = ()  #: in what it differs from the body, the gravest first
    candidates: Sequence[str] = ()  #: texts of the body quotes to compare it with by cosine
    cosine_best: float | None = None  #: highest with one of them; None where the model does not know the language

    @property
    def matched(self) -> tuple[Span, ...]:
        """Its parts found in the best body quote, as (start, end) in code points of its text."""
        return () if self.containment is None else self.containment.matched

    def columns(self) -> Row:
        """The columns of ``contextomy`` between its ids and its run; spans are (start, end)."""
        shares = self.containment
        start, end = self.passage or (None, None)
        row: Row = {name: getattr(self, name) for name in _SAME}
        for name, quote in (("best", self.best), ("second", self.second)):
            for part in ("quote_id", "start", "end"):
                row[f"{name}_{part}"] = None if quote is None else getattr(quote, part)
        for name in ("best", "union"):
            row[f"containment_{name}"] = None if shares is None else getattr(shares, f"in_{name}")
        return row | {
            "matched": self.matched,
            "omitted": self.omissions.spans,
            "recognised": self.recognised,
            "difference": self.difference,
            "differences": self.differences,
            "body_start": start,
            "body_end": end,
            **(self.support or dict.fromkeys(SUPPORT)),
        }

    def to_row(self) -> Row:
        """The columns with spans as structs."""
        row = self.columns()
        for name in _SPANS:
            row[name] = [{"start": start, "end": end} for start, end in row[name]]
        return row | {"differences": [each._asdict() for each in self.differences]}

    def as_dict(self) -> Row:
        """All of it as plain values, which JSON and frames take: the texts and speakers, then the columns.

        Spans are lists of start and end, in code points; a difference is a dict; what is missing is None.
        """
        row = self.columns() | {"outcome": self.outcome and self.outcome.value}
        row |= {name: [list(span) for span in row[name]] for name in _SPANS}
        row |= {"differences": [each._asdict() for each in self.differences]}
        quotes = {"headline": self.headline, "best_body": self.best, "second_body": self.second}
        said = {
            f"{name}_{part}": quote and value
            for name, quote in quotes.items()
            for part, value in (("quote", quote and quote.text), ("speaker", quote and quote.by))
        }
        place = {f"headline_{part}": getattr(self.headline, part) for part in ("start", "end", "kind")}
        return {**said, **place, **row}


#: Columns that are attributes of a judgement, and those that are spans.
_SAME: Final = (
    "outcome", "alert", "score", "severity", "reason", "body_quotes", "speaker_match", "two_speakers", "cosine_best",
    "evidence",
)  # fmt: skip
_SPANS: Final = ("matched", "omitted")
#: Least share of a joined headline quote that two body quotes together contain, and least part of it that the second
#: one adds [ours]. Below 1, because n-grams across the seam of two quotes are always missing.
JOINED_CONTAINMENT: Final = 0.75
JOINED_GAIN: Final = 0.15


def other_speaker(outcome: Outcome | None, speaker_match: bool | None, *, two_speakers: bool) -> Difference | None:
    """Say that others say the words than the headline names, where that is so and body quotes carry it."""
    if outcome is Outcome.JOINED and two_speakers:
        return Difference(Kind.CREDITED, "two speakers")
    if outcome in CARRIED and speaker_match is False:
        return Difference(Kind.CREDITED)
    return None


def noted(differences: Iterable[Difference], settings: ContextomySettings) -> tuple[Noted, ...]:
    """Rank differences, those of alerts first, then by severity; kinds that are off in the settings are left out."""
    found = []
    for each in differences:
        tier = getattr(settings.kinds, each.kind)
        if tier != "off":
            tier = tier if each.is_sure else "note"
            found.append(Noted(str(each.kind), tier, SEVERITY[each.kind], each.said, each.own, each.phrase))
    return tuple(sorted(dict.fromkeys(found), key=lambda one: (one.tier != "alert", -one.severity)))


def ranked(judgement: Judgement, differences: Iterable[Difference], settings: ContextomySettings) -> Judgement:
    """A judgement with its differences: the gravest of those that are alerts is its alert, and its reason names it."""
    found = noted(differences, settings)
    alerts = [each for each in found if each.tier == "alert"]
    if not alerts:
        return replace(judgement, differences=found)
    reason = "; ".join([*(each.phrase for each in alerts), judgement.reason])
    alert, severity = alerts[0].kind, alerts[0].severity
    return replace(judgement, differences=found, reason=reason, alert=alert, severity=severity)


def carried_as(in_best: float | None, in_union: float | None) -> Outcome:
    """Say how body quotes carry a headline quote that they do carry: as one reworded, or joined from two.

    Joined: two together hold at least :data:`JOINED_CONTAINMENT` of it, of which the second adds :data:`JOINED_GAIN`.

    Args:
        in_best: containment in the best body quote, 0 to 1.
        in_union: containment in the best two together.
    """
    best, union = in_best or 0.0, in_union or 0.0
    joined = union >= JOINED_CONTAINMENT and union - best >= JOINED_GAIN
    return Outcome.JOINED if joined else Outcome.MODIFIED
