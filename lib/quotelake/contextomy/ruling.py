"""What a rule says of a headline quote, and the row of evidence that comes of it."""

from dataclasses import asdict, dataclass, replace

from quotelake.compare.folding import Span
from quotelake.contextomy.case import Case
from quotelake.contextomy.containment import BodyQuote, Containment
from quotelake.contextomy.match import Match, Outcome, reason_with
from quotelake.contextomy.omissions import Omissions
from quotelake.contextomy.shared_blocks import blocks_of


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a rule found: the outcome, why, and what it rests on.

    That is a body quote (its place) and what is left out of it, or a passage of the body outside quotes.
    """

    outcome: Outcome | None
    reason: str
    best: int | None = None
    omissions: Omissions | None = None
    passage: Span | None = None


def to_match(case: Case, ruling: Ruling, evidence: Containment) -> Match:
    """Make a row of a ruling and the evidence; blocks are for those that no rule settled."""
    left = ruling.omissions
    turned = ruling.outcome is Outcome.CONTEXTOMIZED
    speaker_match = _speaker_match(case, evidence)
    best, second = case.quote(evidence.best), case.quote(evidence.second)
    best_quote_id, best_start, best_end = _place(best)
    second_quote_id, second_start, second_end = _place(second)
    match = Match(
        outcome=ruling.outcome,
        alert="contextomized" if turned else "risky_excerpt" if left is not None and left.classes else None,
        score=1.0 if turned else None,
        reason=reason_with(ruling.reason, speaker_match),
        best_quote_id=best_quote_id,
        best_start=best_start,
        best_end=best_end,
        second_quote_id=second_quote_id,
        second_start=second_start,
        second_end=second_end,
        body_quotes=len(case.quotes),
        speaker_match=speaker_match,
        containment_best=evidence.in_best,
        containment_second=evidence.in_second,
        containment_union=evidence.in_union,
        containment_body=evidence.in_body,
        cosine_best=None,
        matched=evidence.matched,
        matched_second=evidence.matched_second,
        unmatched=evidence.unmatched,
        omitted=left.spans if left is not None else (),
        omitted_negation=left is not None and left.negation,
        omitted_condition=left is not None and left.condition,
        omitted_hedge=left is not None and left.hedge,
        omitted_question=left is not None and left.question,
    )
    if ruling.passage is not None:
        return replace(match, body_start=ruling.passage[0], body_end=ruling.passage[1])
    if ruling.outcome is not None or best is None:
        return match
    return replace(match, **asdict(blocks_of(case.headline.text, best.text, None if second is None else second.text)))


def _place(quote: BodyQuote | None) -> tuple[str | None, int | None, int | None]:
    return (None, None, None) if quote is None else (quote.quote_id, quote.start, quote.end)


def _speaker_match(case: Case, evidence: Containment) -> bool | None:
    """Whether who says it in the body is whom the headline names; only where a body quote carries the words."""
    if evidence.best is None or (evidence.in_best or 0.0) < case.settings.joined_containment:
        return None
    return case.speaker_match(evidence.best)
