"""What a headline quote is to its body: the outcomes, and all that was found of one headline quote."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from quotelake.contextomy.containment import Containment
from quotelake.contextomy.nearly import Near
from quotelake.contextomy.quotes import BodyQuote
from quotelake.contextomy.tiling import Blocks
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
    NOT_COMPARABLE = (
        "not_comparable"  #: no body quote is in its script, the body in its language; or see judge.MOST_QUOTES
    )


#: Classes of alerts; of two that fit, a quote gets the first.
ALERTS = ("contextomized", "wrong_speaker", "risky_excerpt")
#: Severity of words that another said than the headline names [ours].
MISATTRIBUTED = 0.8
#: Outcomes in which body quotes say what the headline quote says, so that it matters who says it.
CARRIED = frozenset({Outcome.IDENTICAL, Outcome.EXCERPT, Outcome.MODIFIED, Outcome.JOINED})


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a headline quote was found to be.

    Attributes:
        outcome: None where the detector must still decide.
        reason: the rule that decided, in a few words.
        alert: one of :data:`ALERTS` or None: what a standards desk is shown.
        score: of the detector, 0 to 1; 1 where a body quote says the reverse with the same words, None where a rule
            settled it otherwise.
        severity: of an alert: how much the difference changes what a reader believes, 0 to 1; None without an alert.
    """

    outcome: Outcome | None
    reason: str
    alert: str | None = None
    score: float | None = None
    severity: float | None = None


@dataclass(frozen=True, slots=True)
class Weighed:
    """What the detector made of the strings.

    Attributes:
        support: value of each feature of :data:`quotelake.contextomy.features.SUPPORT`.
        evidence: their weighted sum, before the cosine: the higher, the less supports the headline quote.
    """

    support: Mapping[str, float]
    evidence: float


@dataclass(frozen=True, slots=True)
class Unsettled:
    """What decides over a headline quote that no rule settled, beside its cosine.

    Attributes:
        evidence: see :class:`Weighed`; None if nothing weighed it.
        in_best: containment in the best body quote, 0 to 1.
        in_union: containment in the best and the second together.
        speaker_match: whether who says it in the body is whom the headline names; None where that cannot be told.
        two_speakers: whether the best and the second are by two persons, and the headline names one speaker.
        negation_differs: see :class:`~quotelake.contextomy.tiling.Blocks`.
        lacks_number: whether a number of the headline quote is in no body quote.
        recognised: whether the utterance behind it is recognisable in the body.
        difference: what the nearest passage of the body says otherwise, in a phrase.
    """

    evidence: float | None
    in_best: float | None
    in_union: float | None
    speaker_match: bool | None
    two_speakers: bool = False
    negation_differs: bool = False
    lacks_number: bool = False
    recognised: bool = True
    difference: str | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """A headline quote held against its body; :mod:`quotelake.contextomy.flat` makes a row of ``contextomy`` of it.

    Attributes:
        verdict: what it was found to be.
        body_quotes: number of body quotes it was compared with.
        best: body quote that carries most of it; None where a passage outside quotes decided, or none shares anything.
        second: body quote that adds most to the best one.
        speaker_match: whether who says the best body quote is whom the headline names; None where it does not carry
            the words, or that cannot be told.
        two_speakers: whether the best and the second are by two persons, and the headline names one speaker.
        containment: how much of it stands where; None where it was not compared.
        omissions: what an excerpt left out, as offsets in the best body quote.
        passage: where a rule found its words outside quotes, as offsets in the body.
        blocks: blocks of words shared with the best two; only where no rule settled it.
        weighed: what the detector made of the strings; only where no rule settled it.
        cosine: highest cosine with a body quote; None where the model does not know the language.
        near: the passage of the body nearest to it; only where no rule settled it.
    """

    verdict: Verdict
    body_quotes: int
    best: BodyQuote | None = None
    second: BodyQuote | None = None
    speaker_match: bool | None = None
    two_speakers: bool = False
    containment: Containment | None = None
    omissions: Omissions = NO_OMISSIONS
    passage: Span | None = None
    blocks: Blocks | None = None
    weighed: Weighed | None = None
    cosine: float | None = None
    near: Near | None = None

    @property
    def outcome(self) -> Outcome | None:
        """That of the verdict."""
        return self.verdict.outcome

    @property
    def alert(self) -> str | None:
        """That of the verdict."""
        return self.verdict.alert

    @property
    def unsettled(self) -> Unsettled:
        """What decides over it where no rule settled it."""
        held = self.containment
        return Unsettled(
            evidence=None if self.weighed is None else self.weighed.evidence,
            in_best=None if held is None else held.in_best,
            in_union=None if held is None else held.in_union,
            speaker_match=self.speaker_match,
            two_speakers=self.two_speakers,
            negation_differs=self.blocks is not None and self.blocks.negation_differs,
            lacks_number=self.weighed is not None and self.weighed.support["numbers"] < 1,
            recognised=self.near is None or self.near.is_recognised,
            difference=None if self.near is None else self.near.difference,
        )


def verdict_with_speakers(verdict: Verdict, speaker_match: bool | None, *, two_speakers: bool) -> Verdict:
    """Add to a verdict that others say the words than the headline names, where that is so and body quotes carry it."""
    reason = ""
    if verdict.outcome is Outcome.JOINED and two_speakers:
        reason = "said by two speakers, and the headline names one"
    elif verdict.outcome in CARRIED and speaker_match is False:
        reason = "said by another speaker than the headline names"
    if not reason:
        return verdict
    return replace(verdict, reason=f"{verdict.reason}; {reason}", alert="wrong_speaker", severity=MISATTRIBUTED)


def carried_as(best: float | None, union: float | None, settings: ContextomySettings) -> Outcome:
    """Say how body quotes carry a headline quote that they do carry: as one reworded, or joined from two.

    Joined: two together hold at least ``joined_containment`` of it, of which the second adds ``joined_gain`` or more.
    """
    best, union = best or 0.0, union or 0.0
    joined = union >= settings.joined_containment and union - best >= settings.joined_gain
    return Outcome.JOINED if joined else Outcome.MODIFIED
