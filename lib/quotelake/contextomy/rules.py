"""The rules that settle a headline quote by its strings alone, applied in the order of :data:`IN_ORDER`.

Each rule either settles the quote or leaves it to the next. Those that look into body quotes are in
:mod:`quotelake.contextomy.in_quotes`, those that look into the rest of the body in
:mod:`quotelake.contextomy.outside_quotes`; here are those that say why nothing can be found. What no rule settles goes
to :mod:`quotelake.contextomy.decide`.
"""

from collections.abc import Callable

from quotelake.contextomy import in_quotes, outside_quotes
from quotelake.contextomy.comparable import not_whole
from quotelake.contextomy.comparison import Comparison
from quotelake.contextomy.judgement import Judgement, Outcome, carried_as
from quotelake.text.language import dominant_script

#: Kinds of quotes that nobody utters, so no body quote can be expected to carry them.
NO_UTTERANCE = frozenset({"title", "nickname", "scare"})


def settle(case: Comparison) -> Judgement:
    """Apply the rules in order to a headline quote; ``outcome`` is None where the detector must decide."""
    for rule in IN_ORDER:
        judgement = rule(case)
        if judgement is not None:
            return judgement
    return case.judge(None, "left to the detector")


def _without_words(case: Comparison) -> Judgement | None:
    return None if case.parts else case.judge(Outcome.NOT_A_QUOTATION, "no words between the marks")


def _not_a_quotation(case: Comparison) -> Judgement | None:
    if case.headline.kind not in NO_UTTERANCE:
        return None
    return case.judge(Outcome.NOT_A_QUOTATION, f"{case.headline.kind}, found in no body quote")


def _why_not_found(case: Comparison) -> Judgement | None:
    """Neither found nor to be expected: the body is cut, without quotes, in another language or another page's."""
    body = case.body
    if body.is_cut and not case.is_carried:
        return case.judge(Outcome.BODY_INCOMPLETE, f"not found, and the body is {body.status}")
    if not body.quotes:
        return case.judge(Outcome.NO_BODY_QUOTE, "the body has no quote, nor the words")
    if case.script is not None:
        if case.script not in {dominant_script(quote.folded.letters) for quote in body.quotes}:
            return case.judge(Outcome.NOT_COMPARABLE, f"no body quote is in {case.script} script")
        foreign = None
        if case.languages is not None and not case.is_carried:
            foreign = case.languages.foreign(case.headline.text, body.language)
        if foreign is not None:
            return case.judge(Outcome.NOT_COMPARABLE, f"its language is {foreign}, that of the body {body.language}")
    who = case.headline.speaker
    name = None if who is None or who.type != "person" else who.name
    sign = None if case.near.is_recognised else not_whole(case.headline.around, body, name)
    return None if sign is None else case.judge(Outcome.BODY_INCOMPLETE, f"not found, and {sign}")


def _carried_by_cut_body(case: Comparison) -> Judgement | None:
    """If what is left of a cut body carries the quote, settle it here: the detector must never judge cut bodies."""
    if not case.body.is_cut:
        return None
    outcome = carried_as(case.containment.in_best, case.containment.in_union, case.settings)
    return case.judge(outcome, f"carried by what there is of the body, which is {case.body.status}")


#: The rules in order; the first that rules, settles.
IN_ORDER: tuple[Callable[[Comparison], Judgement | None], ...] = (
    _without_words,
    in_quotes.identical,
    in_quotes.excerpt,
    in_quotes.joined_at_ellipsis,
    _not_a_quotation,
    in_quotes.contradicted,
    outside_quotes.claim,
    outside_quotes.in_body_unquoted,
    outside_quotes.stated_by_body,
    in_quotes.nearly_excerpt,
    outside_quotes.nearly_the_same,
    outside_quotes.phrase,
    _why_not_found,
    _carried_by_cut_body,
)
