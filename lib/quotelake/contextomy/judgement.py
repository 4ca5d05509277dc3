"""The answer on a headline quote: its outcome, why, and what that rests on; also as columns of ``contextomy``. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import attrgetter
from typing import Any, Final, NamedTuple

from quotelake.contextomy.budget import kinds_within
from quotelake.contextomy.differences import Difference, Kind
from quotelake.contextomy.features import SUPPORT
from quotelake.contextomy.letters import Containment
from quotelake.contextomy.quotes import BodyQuote, HeadlineQuote
from quotelake.quotes.extract import Row
from quotelake.settings import ContextomySettings
from quotelake.text.fold import Span


class Outcome(StrEnum):
    """What a headline quote is to its body."""

    IDENTICAL = "identical"  #: its words are those of a body quote
    EXCERPT = "excerpt"  #: its words are, in order and at word boundaries, inside a longer body quote
    MODIFIED = "modified"  #: reworded, but a body quote supports it
    JOINED = "joined"  #: made from two body quotes, each of them needed
    CONTEXTOMIZED = "contextomized"  #: the body has the utterance behind it, and says something else
    ABSENT = "absent"  #: a body that can be read has neither its words nor a passage that could be their source
    IN_BODY_UNQUOTED = "in_body_unquoted"  #: its words are in the body, but in no quote of it, or only partly
    NO_BODY_QUOTE = "no_body_quote"  #: the body has no quote, nor the words
    CLAIM_SUPPORTED = "claim_supported"  #: a claim or words credited to nobody, which the body supports
    CLAIM_UNSUPPORTED = "claim_unsupported"  #: the same, but not supported by the body
    BODY_INCOMPLETE = "body_incomplete"  #: not found, in a body that is cut or still being written
    NOT_A_QUOTATION = "not_a_quotation"  #: a title, a nickname, marks that name something; in no body quote
    #: No body quote is in its script, the body not in its language; or see :data:`.decide.MOST_QUOTES`.
    NOT_COMPARABLE = "not_comparable"


#: Outcomes in which body quotes support the headline quote, so that it matters who says them.
SUPPORTED_OUTCOMES: Final = frozenset({Outcome.IDENTICAL, Outcome.EXCERPT, Outcome.MODIFIED, Outcome.JOINED})
#: Outcomes in which the body has the words, in quotes or not, so that it matters what governs them there.
TEXT_FOUND_OUTCOMES: Final = SUPPORTED_OUTCOMES | {
    Outcome.CONTEXTOMIZED,
    Outcome.IN_BODY_UNQUOTED,
    Outcome.CLAIM_SUPPORTED,
}
#: Least share of a joined headline quote that two body quotes together contain, and least part of it that the second
#: one adds [ours]. Below 1, because n-grams across the seam of two quotes are always missing.
JOINED_CONTAINMENT: Final = 0.75
JOINED_GAIN: Final = 0.15


class Finding(NamedTuple):
    """What a rule found of a headline quote."""

    outcome: Outcome | None  #: None: no rule settles it, so the detector must decide
    reason: str  #: the rule, in a few words
    best: int | None = None  #: place of the body quote that decided
    omitted: tuple[Span, ...] = ()  #: what is left out of that quote
    passage: Span | None = None  #: where the words are outside quotes, as offsets in the body


#: Lists of differences, the first to be read first, and what each promises.
TIERS: Final = {
    "alert": "the headline gives its reader another sense than the body does",
    "check": "these words do not stand in the body as printed between the marks",
    "note": "shown with the article, on no list",
}


class RankedDifference(NamedTuple):
    """A difference as the column ``differences`` has it."""

    kind: str  #: of :class:`.differences.Kind`
    tier: str  #: a key of :data:`TIERS`
    severity: float  #: how much it changes what a reader believes, 0 to 1
    said: str  #: the body's words in which it shows; may be empty
    own: str  #: the headline's; may be empty
    phrase: str  #: the difference as a phrase

    @property
    def place(self) -> int:
        """Place of its list among :data:`TIERS`."""
        return list(TIERS).index(self.tier)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a headline quote was found to be, and what that rests on."""

    headline: HeadlineQuote
    outcome: Outcome | None  #: None where the detector must still decide
    reason: str  #: the rule that decided, in a few words
    alert: str | None = None  #: kind of its gravest alert
    to_check: str | None = None  #: kind of its gravest check
    score: float | None = None  #: of the detector, 0 to 1; None where a rule settled it
    severity: float | None = None  #: of the alert, else of the check, 0 to 1
    #: Body quote that contains most of it, the reporting clauses inside included; None where a passage outside quotes
    #: decided, or none shares anything; and the one that adds most to it.
    best: BodyQuote | None = None
    second: BodyQuote | None = None
    passage: Span | None = None  #: where a rule found its words outside quotes, as offsets in the body
    body_quotes: int = 0  #: number of body quotes it was compared with
    speaker_match: bool | None = None  #: whether headline and best body quote name the same speaker; None if undecided
    two_speakers: bool = False  #: the best and the second are by two persons, and the headline names one speaker
    containment: Containment | None = None  #: how much of it body quotes have; None where it was not compared
    omitted: tuple[Span, ...] = ()  #: what an excerpt left out, as offsets in the best body quote
    #: Whether the utterance behind it is recognisable in the body; only where no rule settled it, as all that follows.
    recognised: bool | None = None
    difference: str | None = None  #: a phrase for another statement; only in scripts other than Latin
    support: Mapping[str, float] | None = None  #: each of :data:`quotelake.contextomy.features.SUPPORT`
    evidence: float | None = None  #: of the detector, before the cosine: the higher, the less supports it
    differences: tuple[RankedDifference, ...] = ()  #: in what it differs from the body, the gravest first
    candidates: Sequence[str] = ()  #: texts of the body quotes to compare it with by cosine
    cosine_best: float | None = None  #: highest with one of them; None where the model does not know the language

    @property
    def check(self) -> str | None:
        """Kind of its gravest check; the column is ``to_check``, because *check* is a word of SQL."""
        return self.to_check

    @property
    def matched(self) -> tuple[Span, ...]:
        """Its parts found in the best body quote, as (start, end) in code points of its text."""
        return () if self.containment is None else self.containment.matched

    def columns(self) -> Row:
        """The columns of ``contextomy`` between its ids and its run; spans are (start, end)."""
        row: Row = {name: getattr(self, name) for name in _SAME}
        for name, quote in (("best", self.best), ("second", self.second)):
            for part in ("quote_id", "start", "end"):
                row[f"{name}_{part}"] = None if quote is None else getattr(quote, part)
        for name in ("best", "union"):
            row[f"containment_{name}"] = None if self.containment is None else getattr(self.containment, f"in_{name}")
        row |= {"matched": self.matched, "omitted": self.omitted}
        row |= {name: getattr(self, name) for name in ("recognised", "difference", "differences")}
        row["body_start"], row["body_end"] = self.passage or (None, None)
        return row | (dict(self.support) if self.support else dict.fromkeys(SUPPORT))

    def to_row(self) -> Row:
        """The columns with spans and differences as structs."""
        row = self.columns()
        for name in _SPANS:
            row[name] = [{"start": start, "end": end} for start, end in row[name]]
        return row | {"differences": [each._asdict() for each in self.differences]}

    def as_dict(self) -> Row:
        """All of it as plain values, for JSON and frames: spans are lists of start and end, a difference is a dict."""
        row: Row = {}
        for name, quote in (("headline", self.headline), ("best_body", self.best), ("second_body", self.second)):
            row |= {f"{name}_quote": quote and quote.text, f"{name}_speaker": quote and quote.by}
        row |= {f"headline_{part}": getattr(self.headline, part) for part in ("start", "end", "kind")}
        row |= self.columns() | {"outcome": self.outcome and self.outcome.value}
        row |= {name: [list(span) for span in row[name]] for name in _SPANS}
        return row | {"differences": [each._asdict() for each in self.differences]}


#: Columns that are attributes of a judgement, and those that are spans.
_SAME: Final = (
    "outcome", "alert", "to_check", "score", "severity", "reason", "body_quotes", "speaker_match", "two_speakers",
    "cosine_best", "evidence",
)  # fmt: skip
_SPANS: Final = ("matched", "omitted")


def other_speaker(outcome: Outcome | None, speaker_match: bool | None, *, two_speakers: bool) -> Difference | None:
    """The difference that body quotes support the headline quote and others say it than the headline names."""
    if outcome is Outcome.JOINED and two_speakers:
        return Difference(Kind.CREDITED, "two speakers")
    return Difference(Kind.CREDITED) if outcome in SUPPORTED_OUTCOMES and speaker_match is False else None


def rank_differences(differences: Iterable[Difference], settings: ContextomySettings) -> tuple[RankedDifference, ...]:
    """Rank differences by their list, then by severity; kinds that are off go, those beyond the budget are notes."""
    found, allowed = [], kinds_within(settings.alerts_per_1000)
    for each in differences:
        kind, tier = each.kind, getattr(settings.kinds, each.kind)
        if tier != "off":
            is_note = not each.is_sure or (tier == "alert" and kind not in allowed)
            tier, words = "note" if is_note else tier, (each.body_words, each.headline_words)
            found.append(RankedDifference(str(kind), tier, kind.severity, *words, each.phrase))
    return tuple(sorted(dict.fromkeys(found), key=lambda one: (one.place, -one.severity)))


def listed(ranked: Sequence[RankedDifference], rule: str) -> dict[str, Any]:
    """What ranked differences make of a judgement: its alert and check, their severity, and a reason with the rule."""
    ranked = sorted(ranked, key=attrgetter("place"))  # stable
    shown = [each for each in ranked if each.tier != "note"]
    kinds = {tier: next((each.kind for each in shown if each.tier == tier), None) for tier in ("alert", "check")}
    reason = "; ".join([*dict.fromkeys(each.phrase for each in shown), rule])
    severity = shown[0].severity if shown else None
    return {
        "alert": kinds["alert"], "to_check": kinds["check"], "severity": severity, "reason": reason,
        "differences": tuple(ranked),
    }  # fmt: skip


def outcome_by_containment(in_best: float | None, in_union: float | None) -> Outcome:
    """The outcome of a headline quote that body quotes support: one rewords it, or two are joined."""
    best, union = in_best or 0.0, in_union or 0.0
    joined = union >= JOINED_CONTAINMENT and union - best >= JOINED_GAIN
    return Outcome.JOINED if joined else Outcome.MODIFIED
