"""What becomes of a headline quote by strings and rules alone, in the order of :data:`RULES`.

Each rule either settles the quote or leaves it to the next; what none settles carries its evidence to
:mod:`quotelake.contextomy.detector`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from quotelake.contextomy.claims import supporting_sentence
from quotelake.contextomy.evidence import BodyQuote, Containment, HeadlineQuote, containment, parts
from quotelake.contextomy.folding import Folded, dominant_script, find_parts, fold, letter_spans
from quotelake.contextomy.match import Match, Outcome, carried_as
from quotelake.contextomy.omissions import Omissions, omissions
from quotelake.contextomy.polarity import same_but_negation
from quotelake.settings import ContextomySettings
from quotelake.text import paragraphs

__all__ = ["OUTCOMES_VERSION", "RULES", "Match", "Outcome", "settle"]

#: Bodies that are not all there; nothing missing in one counts against an outlet.
CUT = frozenset({"truncated", "live_update"})
#: Number of the rules below; raise it with any change of what they settle.
OUTCOMES_VERSION = 2
#: Kinds of quotes that say nothing a body quote could carry.
NO_UTTERANCE = frozenset({"title", "nickname", "scare"})


@dataclass(frozen=True)
class Case:
    """A headline quote and its article; what rules share is folded once, and the body only if a rule asks for it."""

    headline: HeadlineQuote
    body: str
    body_status: str
    quotes: Sequence[BodyQuote]
    settings: ContextomySettings

    @cached_property
    def parts(self) -> list[Folded]:
        """The headline quote between its ellipses."""
        return parts(self.headline.text)

    @cached_property
    def script(self) -> str | None:
        """Script of the headline quote."""
        return dominant_script("".join(part.letters for part in self.parts))

    @cached_property
    def folded_quotes(self) -> list[Folded]:
        """The body quotes, folded."""
        return [fold(quote.text) for quote in self.quotes]

    @cached_property
    def folded_body(self) -> Folded:
        """The body, folded."""
        return fold(self.body)

    @property
    def is_claim(self) -> bool:
        """Whether it claims something in single marks instead of quoting an utterance."""
        return self.headline.kind == "claim"

    @property
    def is_cut(self) -> bool:
        """Whether the body is not all there."""
        return self.body_status in CUT


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a rule found: the outcome, why, and the body quote (its place) and omissions it rests on."""

    outcome: Outcome | None
    reason: str
    best: int | None = None
    omissions: Omissions | None = None


def settle(
    headline: HeadlineQuote,
    body: str,
    body_status: str,
    body_quotes: Sequence[BodyQuote],
    settings: ContextomySettings,
) -> Match:
    """Apply the rules in order to a headline quote; ``outcome`` is None where the detector must decide.

    Args:
        headline: the quote of the headline.
        body: the article's text.
        body_status: complete, truncated, live_update or unknown.
        body_quotes: the quotes of the body in order.
        settings: thresholds.
    """
    case = Case(headline, body, body_status, body_quotes, settings)
    for rule in RULES:
        ruling = rule(case)
        if ruling is not None:
            return _match(case, ruling, _containment(case, ruling.best))
    evidence = _containment(case)
    return _match(case, _carried_by_cut_body(case, evidence) or Ruling(None, "left to the detector"), evidence)


def _without_words(case: Case) -> Ruling | None:
    return None if case.parts else Ruling(Outcome.NOT_A_QUOTATION, "no words between the marks")


def _identical(case: Case) -> Ruling | None:
    key = case.headline.match_key
    keys = [quote.match_key for quote in case.quotes]
    if key is None or key not in keys:
        return None
    return Ruling(Outcome.IDENTICAL, "same words as a body quote", keys.index(key))


def _excerpt(case: Case) -> Ruling | None:
    """Of all body quotes that hold its words, the one that leaves out least of weight, then least."""
    rulings = [found for place in range(len(case.quotes)) if (found := _excerpt_of(case, place)) is not None]
    return min(rulings, key=_weight_left_out) if rulings else None


def _excerpt_of(case: Case, place: int) -> Ruling | None:
    found = find_parts(case.parts, case.folded_quotes[place], case.script)
    if found is None:
        return None
    text = case.quotes[place].text
    spans = letter_spans(text)
    left = omissions(text, [(spans[start][0], spans[end - 1][1]) for start, end in found], case.headline.text)
    if not left.spans:
        return Ruling(Outcome.IDENTICAL, "same words as a body quote, other marks between them", place)
    reason = "its words stand inside a longer body quote"
    if left.classes:
        reason += "; left out of its sentence: " + ", ".join(left.classes)
    return Ruling(Outcome.EXCERPT, reason, place, left)


def _weight_left_out(ruling: Ruling) -> tuple[int, int]:
    left = ruling.omissions
    return (0, 0) if left is None else (len(left.classes), sum(end - start for start, end in left.spans))


def _not_a_quotation(case: Case) -> Ruling | None:
    if case.headline.kind not in NO_UTTERANCE:
        return None
    return Ruling(Outcome.NOT_A_QUOTATION, f"{case.headline.kind}, found in no body quote")


def _claim(case: Case) -> Ruling | None:
    if not case.is_claim:
        return None
    if find_parts(case.parts, case.folded_body, case.script):
        return Ruling(Outcome.CLAIM_SUPPORTED, "its words stand in the body")
    if supporting_sentence(case.headline.text, case.body, case.settings.claim_containment) is not None:
        return Ruling(Outcome.CLAIM_SUPPORTED, "a sentence of the body has its content words")
    if case.is_cut:
        return Ruling(Outcome.BODY_INCOMPLETE, f"claim not found, and the body is {case.body_status}")
    return Ruling(Outcome.CLAIM_UNSUPPORTED, "no sentence of the body has its content words")


def _in_body_unquoted(case: Case) -> Ruling | None:
    if not all(part.letters in case.folded_body.letters for part in case.parts):
        return None
    texts = [case.folded_body]
    if len(case.parts) > 1:  # parts from all over the article would be no evidence: one paragraph must hold them
        texts = [fold(case.body[start:end]) for start, end in paragraphs(case.body)]
    if any(find_parts(case.parts, text, case.script) for text in texts):
        return Ruling(Outcome.IN_BODY_UNQUOTED, "its words stand in the body, in no quote of it")
    return None


def _body_incomplete(case: Case) -> Ruling | None:
    if not case.is_cut or _carried_by_cut_body(case, _containment(case)) is not None:
        return None
    return Ruling(Outcome.BODY_INCOMPLETE, f"not found, and the body is {case.body_status}")


def _no_body_quote(case: Case) -> Ruling | None:
    return None if case.quotes else Ruling(Outcome.NO_BODY_QUOTE, "the body has no quote, nor the words")


def _not_comparable(case: Case) -> Ruling | None:
    if case.script is None or case.script in {dominant_script(quote.letters) for quote in case.folded_quotes}:
        return None
    return Ruling(Outcome.NOT_COMPARABLE, f"no body quote is in {case.script} script")


def _negation_turned(case: Case) -> Ruling | None:
    if case.script != "latin":
        return None
    same = [same_but_negation(case.headline.text, quote.text) for quote in case.quotes]
    if False not in same or True in same:
        return None
    reason = "a body quote has the same words but for a negation"
    if case.is_cut:  # what is cut off may carry it
        return Ruling(Outcome.BODY_INCOMPLETE, f"{reason}, and the body is {case.body_status}")
    return Ruling(Outcome.CONTEXTOMIZED, reason, same.index(False))


#: The rules in order; the first that rules, settles.
RULES: tuple[Callable[[Case], Ruling | None], ...] = (
    _without_words,
    _identical,
    _excerpt,
    _not_a_quotation,
    _claim,
    _in_body_unquoted,
    _body_incomplete,
    _no_body_quote,
    _not_comparable,
    _negation_turned,
)


def _carried_by_cut_body(case: Case, evidence: Containment) -> Ruling | None:
    """Settle what is left of a cut body carries nearly whole: the detector, which may accuse, never sees one."""
    if not case.is_cut or (evidence.in_union or 0.0) < case.settings.joined_containment:
        return None
    outcome = carried_as(evidence.in_best, evidence.in_union, case.settings)
    return Ruling(outcome, f"carried by what there is of the body, which is {case.body_status}")


def _containment(case: Case, best: int | None = None) -> Containment:
    return containment(case.headline.text, case.folded_quotes, lambda: case.folded_body, best)


def _match(case: Case, ruling: Ruling, evidence: Containment) -> Match:
    left = ruling.omissions
    turned = ruling.outcome is Outcome.CONTEXTOMIZED
    return Match(
        outcome=ruling.outcome,
        alert="contextomized" if turned else "risky_excerpt" if left is not None and left.classes else None,
        score=1.0 if turned else None,
        reason=ruling.reason,
        best_quote_id=None if evidence.best is None else case.quotes[evidence.best].quote_id,
        second_quote_id=None if evidence.second is None else case.quotes[evidence.second].quote_id,
        body_quotes=len(case.quotes),
        containment_best=evidence.in_best,
        containment_second=evidence.in_second,
        containment_union=evidence.in_union,
        containment_body=evidence.in_body,
        cosine_best=None,
        matched=evidence.matched,
        omitted=left.spans if left is not None else (),
        omitted_negation=left is not None and left.negation,
        omitted_condition=left is not None and left.condition,
        omitted_hedge=left is not None and left.hedge,
        omitted_question=left is not None and left.question,
    )
