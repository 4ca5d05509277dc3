"""What becomes of a headline quote by strings and rules alone, in the order of :data:`RULES`.

Each rule either settles the quote or leaves it to the next; what none settles carries its evidence to
:mod:`quotelake.contextomy.decide`.
"""

from collections.abc import Callable, Sequence

from quotelake.compare.folding import Span, dominant_script, find_parts, fold, letter_spans
from quotelake.contextomy.case import Case
from quotelake.contextomy.claim_support import supporting_sentence
from quotelake.contextomy.comparable import Languages
from quotelake.contextomy.containment import BodyQuote, Containment, HeadlineQuote
from quotelake.contextomy.match import Match, Outcome, carried_as
from quotelake.contextomy.negation import same_but_negation
from quotelake.contextomy.omissions import omissions
from quotelake.contextomy.ruling import Ruling, to_match
from quotelake.language import UNDETERMINED
from quotelake.settings import ContextomySettings
from quotelake.text import paragraphs

__all__ = ["OUTCOMES_VERSION", "RULES", "Match", "Outcome", "settle"]

#: Number of the rules below; raise it with any change of what they settle.
OUTCOMES_VERSION = 3
#: Kinds of quotes that say nothing a body quote could carry.
NO_UTTERANCE = frozenset({"title", "nickname", "scare"})


def settle(
    headline: HeadlineQuote,
    body: str,
    body_status: str,
    body_quotes: Sequence[BodyQuote],
    settings: ContextomySettings,
    language: str = UNDETERMINED,
    languages: Languages | None = None,
) -> Match:
    """Apply the rules in order to a headline quote; ``outcome`` is None where the detector must decide.

    Args:
        headline: the quote of the headline.
        body: the article's text.
        body_status: complete, truncated, live_update or unknown.
        body_quotes: the quotes of the body in order.
        settings: thresholds.
        language: of the article, ISO 639-1 or ``und``.
        languages: those that can be told apart and compared; None: all are taken for comparable.
    """
    case = Case(headline, body, body_status, body_quotes, settings, language, languages)
    for rule in RULES:
        ruling = rule(case)
        if ruling is not None:
            return to_match(case, ruling, case.containment(ruling.best))
    evidence = case.containment()
    return to_match(case, _carried_by_cut_body(case, evidence) or Ruling(None, "left to the detector"), evidence)


def _without_words(case: Case) -> Ruling | None:
    return None if case.parts else Ruling(Outcome.NOT_A_QUOTATION, "no words between the marks")


def _identical(case: Case) -> Ruling | None:
    key = case.headline.match_key
    same = [place for place, quote in enumerate(case.quotes) if key is not None and quote.match_key == key]
    if not same:
        return None
    best = same[0] if len(same) == 1 else min(same, key=lambda place: case.speaker_match(place) is False)
    return Ruling(Outcome.IDENTICAL, "same words as a body quote", best)


def _excerpt(case: Case) -> Ruling | None:
    """Of all body quotes that hold its words, the one that leaves out least of weight; of its speaker; then least."""
    rulings = [found for place in range(len(case.quotes)) if (found := _excerpt_of(case, place)) is not None]
    if len(rulings) < 2:
        return rulings[0] if rulings else None

    def weight(ruling: Ruling) -> tuple[int, bool, int]:
        classes, letters = _left_out(ruling)
        return classes, ruling.best is not None and case.speaker_match(ruling.best) is False, letters

    return min(rulings, key=weight)


def _excerpt_of(case: Case, place: int) -> Ruling | None:
    found = find_parts(case.parts, case.folded_quotes[place], case.script)
    if found is None:
        return None
    text = case.quotes[place].text
    spans = letter_spans(text)
    kept = [(spans[start][0], spans[end - 1][1]) for start, end in found]
    own = case.headline
    left = omissions(text, kept, own.text, is_fragment=case.is_fragment, around=own.around)
    if not left.spans:
        return Ruling(Outcome.IDENTICAL, "same words as a body quote, other marks between them", place)
    reason = "its words stand inside a longer body quote"
    if left.classes:
        reason += "; left out of its sentence: " + ", ".join(left.classes)
    return Ruling(Outcome.EXCERPT, reason, place, left)


def _left_out(ruling: Ruling) -> tuple[int, int]:
    """Classes of weight, and characters."""
    left = ruling.omissions
    return (0, 0) if left is None else (len(left.classes), sum(end - start for start, end in left.spans))


def _not_a_quotation(case: Case) -> Ruling | None:
    if case.headline.kind not in NO_UTTERANCE:
        return None
    return Ruling(Outcome.NOT_A_QUOTATION, f"{case.headline.kind}, found in no body quote")


def _claim(case: Case) -> Ruling | None:
    if not case.is_claim:
        return None
    found = find_parts(case.parts, case.folded_body, case.script)
    if found:
        return Ruling(Outcome.CLAIM_SUPPORTED, "its words stand in the body", passage=_passage(case.body, found))
    sentence = supporting_sentence(case.headline.text, case.body, case.settings.claim_containment)
    if sentence is not None:
        return Ruling(Outcome.CLAIM_SUPPORTED, "a sentence of the body has its content words", passage=sentence)
    if case.is_cut:
        return Ruling(Outcome.BODY_INCOMPLETE, f"claim not found, and the body is {case.body_status}")
    return Ruling(Outcome.CLAIM_UNSUPPORTED, "no sentence of the body has its content words")


def _in_body_unquoted(case: Case) -> Ruling | None:
    if not all(part.letters in case.folded_body.letters for part in case.parts):
        return None
    # Parts from all over the article would be no evidence: one paragraph must hold them.
    stretches = [(0, len(case.body))] if len(case.parts) == 1 else list(paragraphs(case.body))
    for start, end in stretches:
        text = case.body[start:end]
        found = find_parts(case.parts, case.folded_body if end - start == len(case.body) else fold(text), case.script)
        if found:
            first, last = _passage(text, found)
            reason = "its words stand in the body, in no quote of it"
            return Ruling(Outcome.IN_BODY_UNQUOTED, reason, passage=(start + first, start + last))
    return None


def _stated_by_body(case: Case) -> Ruling | None:
    """A statement by nobody, such as a headline all in single marks, is the paper's: its own words may support it."""
    if not case.is_impersonal:
        return None
    sentence = supporting_sentence(case.headline.text, case.narration, case.settings.claim_containment)
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
    if not case.is_cut or _carried_by_cut_body(case, case.containment()) is not None:
        return None
    return Ruling(Outcome.BODY_INCOMPLETE, f"not found, and the body is {case.body_status}")


def _no_body_quote(case: Case) -> Ruling | None:
    return None if case.quotes else Ruling(Outcome.NO_BODY_QUOTE, "the body has no quote, nor the words")


def _not_comparable(case: Case) -> Ruling | None:
    if case.script is None:
        return None
    if case.script not in {dominant_script(quote.letters) for quote in case.folded_quotes}:
        return Ruling(Outcome.NOT_COMPARABLE, f"no body quote is in {case.script} script")
    if case.languages is None or (case.containment().in_union or 0.0) >= case.settings.joined_containment:
        return None
    foreign = case.languages.foreign(case.headline.text, case.language)
    if foreign is None:
        return None
    return Ruling(Outcome.NOT_COMPARABLE, f"its language is {foreign}, that of the body {case.language}")


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
    _stated_by_body,
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
