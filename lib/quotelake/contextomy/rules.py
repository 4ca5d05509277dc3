"""The rules that settle a headline quote by its strings alone, applied in the order of :data:`IN_ORDER`.

Each rule either settles the quote or leaves it to the next. What none settles goes to
:mod:`quotelake.contextomy.decide`.
"""

from collections.abc import Callable, Sequence

from quotelake.compare.folding import Span, dominant_script, find_parts, fold, letter_spans
from quotelake.contextomy.case import Case
from quotelake.contextomy.claim_support import supporting_sentence
from quotelake.contextomy.comparable import Languages
from quotelake.contextomy.containment import Containment
from quotelake.contextomy.match import Match, Outcome, carried_as
from quotelake.contextomy.negation import same_but_negation
from quotelake.contextomy.omissions import omissions
from quotelake.contextomy.ruling import Ruling, to_match
from quotelake.contextomy.sides import Body, HeadlineQuote
from quotelake.settings import ContextomySettings
from quotelake.text import paragraphs

__all__ = ["IN_ORDER", "OUTCOMES_VERSION", "Match", "Outcome", "settle"]

#: Number of the rules below; raise it with any change of what they settle.
OUTCOMES_VERSION = 4
#: Kinds of quotes that nobody utters, so no body quote can be expected to carry them.
NO_UTTERANCE = frozenset({"title", "nickname", "scare"})


def settle(
    headline: HeadlineQuote, body: Body, settings: ContextomySettings, languages: Languages | None = None
) -> Match:
    """Apply the rules in order to a headline quote; ``outcome`` is None where the detector must decide.

    Args:
        headline: the quote of the headline.
        body: the body with its quotes.
        settings: thresholds.
        languages: those that can be told apart and compared; None: all are taken for comparable.
    """
    case = Case(headline, body, settings, languages)
    for rule in IN_ORDER:
        ruling = rule(case)
        if ruling is not None:
            return to_match(case, ruling, case.containment(ruling.best))
    held = case.containment()
    return to_match(case, _carried_by_cut_body(case, held) or Ruling(None, "left to the detector"), held)


def _without_words(case: Case) -> Ruling | None:
    return None if case.parts else Ruling(Outcome.NOT_A_QUOTATION, "no words between the marks")


def _identical(case: Case) -> Ruling | None:
    key = case.headline.match_key
    same = [place for place, quote in enumerate(case.body.quotes) if key is not None and quote.match_key == key]
    if not same:
        return None
    best = same[0] if len(same) == 1 else min(same, key=lambda place: case.speaker_match(place) is False)
    return Ruling(Outcome.IDENTICAL, "same words as a body quote", best)


def _excerpt(case: Case) -> Ruling | None:
    """Prefer the fewest risky omissions, then the headline's speaker, then the fewest omitted characters."""
    rulings = [found for place in range(len(case.body.quotes)) if (found := _excerpt_of(case, place)) is not None]
    if len(rulings) < 2:
        return rulings[0] if rulings else None

    def weight(ruling: Ruling) -> tuple[int, bool, int]:
        classes, letters = _left_out(ruling)
        return classes, ruling.best is not None and case.speaker_match(ruling.best) is False, letters

    return min(rulings, key=weight)


def _excerpt_of(case: Case, place: int) -> Ruling | None:
    found = find_parts(case.parts, case.body.folded_quotes[place], case.script)
    if found is None:
        return None
    text = case.body.quotes[place].text
    spans = letter_spans(text)
    kept = [(spans[start][0], spans[end - 1][1]) for start, end in found]
    quote = case.headline
    left = omissions(text, kept, quote.text, is_fragment=case.is_fragment, around=quote.around)
    if not left.spans:
        return Ruling(Outcome.IDENTICAL, "same words as a body quote, other marks between them", place)
    reason = "its words stand inside a longer body quote"
    if left.classes:
        reason += "; left out of its sentence: " + ", ".join(left.classes)
    return Ruling(Outcome.EXCERPT, reason, place, left)


def _left_out(ruling: Ruling) -> tuple[int, int]:
    """Number of risky omissions, and of omitted characters."""
    left = ruling.omissions
    return len(left.classes), sum(end - start for start, end in left.spans)


def _not_a_quotation(case: Case) -> Ruling | None:
    if case.headline.kind not in NO_UTTERANCE:
        return None
    return Ruling(Outcome.NOT_A_QUOTATION, f"{case.headline.kind}, found in no body quote")


def _claim(case: Case) -> Ruling | None:
    if not case.is_claim:
        return None
    found = find_parts(case.parts, case.body.folded, case.script)
    if found:
        return Ruling(Outcome.CLAIM_SUPPORTED, "its words stand in the body", passage=_passage(case.body.text, found))
    sentence = supporting_sentence(case.headline.text, case.body.text, case.settings.claim_containment)
    if sentence is not None:
        return Ruling(Outcome.CLAIM_SUPPORTED, "a sentence of the body has its content words", passage=sentence)
    if case.body.is_cut:
        return Ruling(Outcome.BODY_INCOMPLETE, f"claim not found, and the body is {case.body.status}")
    return Ruling(Outcome.CLAIM_UNSUPPORTED, "no sentence of the body has its content words")


def _in_body_unquoted(case: Case) -> Ruling | None:
    if not all(part.letters in case.body.folded.letters for part in case.parts):
        return None
    # Parts from all over the article prove nothing: one paragraph must hold them.
    stretches = [(0, len(case.body.text))] if len(case.parts) == 1 else list(paragraphs(case.body.text))
    for start, end in stretches:
        text = case.body.text[start:end]
        found = find_parts(
            case.parts, case.body.folded if end - start == len(case.body.text) else fold(text), case.script
        )
        if found:
            first, last = _passage(text, found)
            reason = "its words stand in the body, in no quote of it"
            return Ruling(Outcome.IN_BODY_UNQUOTED, reason, passage=(start + first, start + last))
    return None


def _stated_by_body(case: Case) -> Ruling | None:
    """A statement without a speaker, such as a headline all in single marks, is the paper's own.

    So what the paper says outside quotes may support it.
    """
    if not case.is_impersonal:
        return None
    sentence = supporting_sentence(case.headline.text, case.body.narration, case.settings.claim_containment)
    if sentence is None:
        return None
    return Ruling(
        Outcome.CLAIM_SUPPORTED, "a sentence of the body, outside quotes, has its content words", passage=sentence
    )


def _passage(text: str, found: Sequence[Span]) -> Span:
    """Where parts found in the letters of a text stand in the text."""
    letters = letter_spans(text)
    return letters[found[0][0]][0], letters[found[-1][1] - 1][1]


def _body_incomplete(case: Case) -> Ruling | None:
    if not case.body.is_cut or _carried_by_cut_body(case, case.containment()) is not None:
        return None
    return Ruling(Outcome.BODY_INCOMPLETE, f"not found, and the body is {case.body.status}")


def _no_body_quote(case: Case) -> Ruling | None:
    return None if case.body.quotes else Ruling(Outcome.NO_BODY_QUOTE, "the body has no quote, nor the words")


def _not_comparable(case: Case) -> Ruling | None:
    if case.script is None:
        return None
    if case.script not in {dominant_script(quote.letters) for quote in case.body.folded_quotes}:
        return Ruling(Outcome.NOT_COMPARABLE, f"no body quote is in {case.script} script")
    if case.languages is None or (case.containment().in_union or 0.0) >= case.settings.joined_containment:
        return None
    foreign = case.languages.foreign(case.headline.text, case.body.language)
    if foreign is None:
        return None
    return Ruling(Outcome.NOT_COMPARABLE, f"its language is {foreign}, that of the body {case.body.language}")


def _negation_turned(case: Case) -> Ruling | None:
    if case.script != "latin":
        return None
    same = [same_but_negation(case.headline.text, quote.text) for quote in case.body.quotes]
    if False not in same or True in same:
        return None
    reason = "a body quote has the same words but for a negation"
    if case.body.is_cut:  # what is cut off may carry it
        return Ruling(Outcome.BODY_INCOMPLETE, f"{reason}, and the body is {case.body.status}")
    return Ruling(Outcome.CONTEXTOMIZED, reason, same.index(False))


#: The rules in order; the first that rules, settles.
IN_ORDER: tuple[Callable[[Case], Ruling | None], ...] = (
    _without_words,
    _identical,
    _excerpt,
    _not_a_quotation,
    _claim,
    _in_body_unquoted,
    _stated_by_body,
    _body_incomplete,
    _no_body_quote,
    _not_comparable,
    _negation_turned,
)


def _carried_by_cut_body(case: Case, held: Containment) -> Ruling | None:
    """If what is left of a cut body carries the quote, settle it here: the detector must never judge cut bodies."""
    if not case.body.is_cut or (held.in_union or 0.0) < case.settings.joined_containment:
        return None
    outcome = carried_as(held.in_best, held.in_union, case.settings)
    return Ruling(outcome, f"carried by what there is of the body, which is {case.body.status}")
