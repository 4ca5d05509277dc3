"""What a headline quote is to its body: the outcomes, and a quote's evidence as a row."""

from dataclasses import dataclass
from enum import StrEnum

from quotelake.compare.folding import Span
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
    NOT_COMPARABLE = "not_comparable"  #: no body quote is in its script, or the body in its language


@dataclass(frozen=True, slots=True)
class Match:
    """A headline quote and its evidence; the columns of ``contextomy`` between its ids and its run.

    ``outcome`` is None where the detector must decide. Offsets are code points: ``matched``, ``matched_second`` and
    ``unmatched`` in the headline quote, ``omitted`` from the start of the best body quote, all others in the
    body. ``body_quotes`` counts the quotes it was compared with. What has a default is there only
    where no rule settled it, ``body_start`` and ``body_end`` only where a rule found the words outside quotes.
    """

    outcome: Outcome | None
    alert: str | None
    score: float | None
    reason: str
    best_quote_id: str | None
    best_start: int | None
    best_end: int | None
    second_quote_id: str | None
    second_start: int | None
    second_end: int | None
    body_quotes: int
    speaker_match: bool | None
    containment_best: float | None
    containment_second: float | None
    containment_union: float | None
    containment_body: float | None
    cosine_best: float | None
    matched: tuple[Span, ...]
    matched_second: tuple[Span, ...]
    unmatched: tuple[Span, ...]
    omitted: tuple[Span, ...]
    omitted_negation: bool
    omitted_condition: bool
    omitted_hedge: bool
    omitted_question: bool
    body_start: int | None = None
    body_end: int | None = None
    tiled: float | None = None
    blocks: int | None = None
    longest_block: int | None = None
    inversions: int | None = None
    negation_differs: bool | None = None
    coverage: float | None = None
    matched_letters: float | None = None
    in_order: float | None = None
    last_word: float | None = None
    numbers: float | None = None
    marks: float | None = None
    clauses: float | None = None
    evidence: float | None = None


def reason_with(reason: str, speaker_match: bool | None) -> str:
    """A reason, and what it says of the speaker where that is another one."""
    return f"{reason}; said by another speaker than the headline names" if speaker_match is False else reason


def carried_as(best: float | None, union: float | None, settings: ContextomySettings) -> Outcome:
    """Say how body quotes carry a headline quote that they do carry: as one reworded, or joined from two.

    Joined: two together hold at least ``joined_containment`` of it, of which the second adds ``joined_gain`` or more.
    """
    best, union = best or 0.0, union or 0.0
    joined = union >= settings.joined_containment and union - best >= settings.joined_gain
    return Outcome.JOINED if joined else Outcome.MODIFIED
