"""What a headline quote is to its body: the outcomes, and a quote's evidence as a row."""

from dataclasses import dataclass
from enum import StrEnum

from quotelake.contextomy.folding import Span
from quotelake.settings import ContextomySettings


class Outcome(StrEnum):
    """What a headline quote is to its body."""

    IDENTICAL = "identical"  #: its words are those of a body quote
    EXCERPT = "excerpt"  #: its words stand in order, at word boundaries, inside a longer body quote
    MODIFIED = "modified"  #: reworded, but a body quote carries it
    JOINED = "joined"  #: made from two body quotes, each of them needed
    CONTEXTOMIZED = "contextomized"  #: no body quote carries it
    IN_BODY_UNQUOTED = "in_body_unquoted"  #: its words stand in the body, but in no quote of it
    NO_BODY_QUOTE = "no_body_quote"  #: the body has no quote, nor the words
    CLAIM_SUPPORTED = "claim_supported"  #: a short claim in single marks, in no body quote, that the body supports
    CLAIM_UNSUPPORTED = "claim_unsupported"  #: a short claim in single marks whose words do not
    BODY_INCOMPLETE = "body_incomplete"  #: not found, in a body that is cut or still being written
    NOT_A_QUOTATION = "not_a_quotation"  #: a title, nickname or scare quote, found in no body quote; or without words
    NOT_COMPARABLE = "not_comparable"  #: no body quote is in its script


@dataclass(frozen=True, slots=True)
class Match:
    """A headline quote and its evidence; the columns of ``contextomy`` between its ids and its run.

    ``outcome`` is None where the detector must decide. Offsets are code points: ``matched`` in the headline quote,
    ``omitted`` in the best body quote. ``body_quotes`` counts the quotes it was compared with.
    """

    outcome: Outcome | None
    alert: str | None
    score: float | None
    reason: str
    best_quote_id: str | None
    second_quote_id: str | None
    body_quotes: int
    containment_best: float | None
    containment_second: float | None
    containment_union: float | None
    containment_body: float | None
    cosine_best: float | None
    matched: tuple[Span, ...]
    omitted: tuple[Span, ...]
    omitted_negation: bool
    omitted_condition: bool
    omitted_hedge: bool
    omitted_question: bool
    coverage: float | None = None
    coverage_loose: float | None = None
    matched_letters: float | None = None
    numbers: float | None = None
    evidence: float | None = None


def carried_as(best: float | None, union: float | None, settings: ContextomySettings) -> Outcome:
    """Say how body quotes carry a headline quote that they do carry: as one reworded, or joined from two.

    Joined: two together hold at least ``joined_containment`` of it, of which the second adds ``joined_gain`` or more.
    """
    best, union = best or 0.0, union or 0.0
    joined = union >= settings.joined_containment and union - best >= settings.joined_gain
    return Outcome.JOINED if joined else Outcome.MODIFIED
