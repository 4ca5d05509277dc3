"""What a rule says of a headline quote, and the match that comes of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from quotelake.contextomy.comparison import Case
from quotelake.contextomy.containment import Containment
from quotelake.contextomy.judgement import Match, Outcome, Verdict, verdict_with_speakers
from quotelake.contextomy.operators import Operator
from quotelake.contextomy.quotes import Body, BodyQuote
from quotelake.contextomy.tiling import Blocks, blocks_of
from quotelake.text.fold import Span
from quotelake.text.omissions import NO_OMISSIONS, Omissions


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a rule found: the outcome, why, and what it rests on.

    That is a body quote (its place), what is left out of it and which of that governs it; or a passage of the body
    outside quotes.
    """

    outcome: Outcome | None
    reason: str
    best: int | None = None
    omissions: Omissions = NO_OMISSIONS
    passage: Span | None = None
    operators: Sequence[Operator] = ()


def to_match(case: Case, ruling: Ruling, held: Containment) -> Match:
    """Make a match of a ruling and of what stands where; blocks are for quotes that no rule settled.

    Where a passage outside quotes decided, or none shares anything, no body quote is the best: any would mislead.
    """
    is_outside = ruling.passage is not None or (ruling.outcome is not None and not held.in_best)
    best, second = (None, None) if is_outside else (case.quote(held.best), case.quote(held.second))
    speaker_match, two_speakers = _speaker_match(case, held), case.two_speakers(held.best, held.second)
    return Match(
        verdict=verdict_with_speakers(_verdict(ruling), speaker_match, two_speakers=two_speakers),
        body_quotes=len(case.body.quotes),
        best=best,
        second=second,
        speaker_match=speaker_match,
        two_speakers=two_speakers,
        containment=held,
        omissions=ruling.omissions,
        passage=ruling.passage,
        blocks=_blocks(case, best, second) if ruling.outcome is None else None,
        near=case.near if ruling.outcome is None else None,
    )


def not_compared(body: Body, reason: str) -> Match:
    """Make a match of a headline quote that was not compared with its body."""
    return Match(Verdict(Outcome.NOT_COMPARABLE, reason), body_quotes=len(body.quotes))


def _verdict(ruling: Ruling) -> Verdict:
    reason = "; ".join([*(one.phrase for one in ruling.operators), ruling.reason])
    if ruling.outcome is Outcome.CONTEXTOMIZED:
        return Verdict(ruling.outcome, reason, alert="contextomized", score=1.0, severity=1.0)
    if not ruling.operators:
        return Verdict(ruling.outcome, reason)
    return Verdict(ruling.outcome, reason, alert="risky_excerpt", severity=ruling.operators[0].severity)


def _blocks(case: Case, best: BodyQuote | None, second: BodyQuote | None) -> Blocks | None:
    if best is None:
        return None
    return blocks_of(case.headline.text, best.text, None if second is None else second.text)


def _speaker_match(case: Case, held: Containment) -> bool | None:
    """Whether who says it in the body is whom the headline names; only where a body quote carries the words."""
    if held.best is None or (held.in_best or 0.0) < case.settings.joined_containment:
        return None
    match = case.speaker_match(held.best)
    return None if match is False and not case.is_by_none_but_another(held.best) else match
