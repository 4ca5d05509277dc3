"""Rules on quotes whose words stand in body quotes: the same, a part, parts of two, or turned round. Pure."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from quotelake.contextomy.comparison import Comparison
from quotelake.contextomy.headline import is_claim
from quotelake.contextomy.judgement import Judgement, Outcome
from quotelake.contextomy.operators import RESTORES_HEDGE, Operator, operator
from quotelake.contextomy.scope import governing
from quotelake.contextomy.senses import Turned, senses
from quotelake.text.align import find_parts
from quotelake.text.fold import Span
from quotelake.text.language import UNDETERMINED
from quotelake.text.omissions import NO_OMISSIONS, Omissions, negates, omissions

#: Words of each part of a quote that an ellipsis joins from two body quotes; a single one may stand anywhere [ours].
MIN_JOINED_WORDS = 2
#: Reasons of an excerpt.
INSIDE = "its words stand inside a longer body quote"
NEARLY_INSIDE = "its words, but for auxiliaries and articles, stand inside a longer body quote"


class _Excerpted(NamedTuple):
    """The headline quote as an excerpt of a body quote: its place, what is left out, and what of that governs it."""

    place: int
    reason: str
    left: Omissions
    operators: Sequence[Operator]


def identical(case: Comparison) -> Judgement | None:
    """Settle a quote whose words are those of a body quote, if possible one of the headline's speaker."""
    key = case.headline.match_key
    same = [place for place, quote in enumerate(case.body.quotes) if key is not None and quote.match_key == key]
    if not same:
        return None
    best = same[0] if len(same) == 1 else min(same, key=case.is_by_another)
    return case.judge(Outcome.IDENTICAL, "same words as a body quote", best)


def excerpt(case: Comparison) -> Judgement | None:
    """Prefer the mildest and fewest risky omissions, then the headline's speaker, then the fewest omitted letters."""
    found = [each for place in range(len(case.body.quotes)) if (each := _excerpt_of(case, place)) is not None]

    def weight(each: _Excerpted) -> tuple[float, int, bool, int]:
        gravest = each.operators[0].severity if each.operators else 0.0
        letters = sum(end - start for start, end in each.left.spans)
        return gravest, len(each.left.classes), case.is_by_another(each.place), letters

    if not found:
        return None
    best = found[0] if len(found) == 1 else min(found, key=weight)
    if not best.left.spans:
        return case.judge(Outcome.IDENTICAL, "same words as a body quote, other marks between them", best.place)
    return _judge_excerpt(case, best)


def _excerpt_of(case: Comparison, place: int) -> _Excerpted | None:
    quote, headline = case.body.quotes[place], case.headline
    kept = case.find(quote)
    if kept is None:
        return None
    is_fragment = headline.kind != "direct" and headline.reason != "predicate"  # it states nothing by itself
    left = omissions(quote.text, kept, headline.text, is_fragment=is_fragment, around=headline.around)
    if not left.spans:
        return _Excerpted(place, INSIDE, NO_OMISSIONS, ())
    operators = _operators(case, quote.text, kept, left)
    if case.script == "latin" and any(sense.kind is Turned.NEGATION for sense in senses(headline, quote)):
        operators = operators or [operator("negation")]
        reason = f"{INSIDE}, which says them with a negation too"
        return _Excerpted(place, reason, replace(left, negation=True), operators)
    return _Excerpted(place, INSIDE, left, operators)


def _judge_excerpt(case: Comparison, found: _Excerpted) -> Judgement:
    """An excerpt; or, if its speaker only reports what others say, words put into the speaker's mouth."""
    is_of_others = any(each.kind == "others" for each in found.operators) and not case.body.is_cut
    outcome = Outcome.CONTEXTOMIZED if is_of_others else Outcome.EXCERPT
    return case.judge(outcome, found.reason, found.place, omissions=found.left, operators=found.operators)


def _operators(case: Comparison, text: str, kept: Sequence[Span], left: Omissions) -> list[Operator]:
    """What governs an excerpt and is left out; in other languages than English, all that is left out and risky."""
    if case.script not in ("latin", None) or case.body.language not in ("en", UNDETERMINED):
        return [operator(name) for name in left.classes]
    return governing(text, kept, case.headline)


def joined_at_ellipsis(case: Comparison) -> Judgement | None:
    """Each part between the ellipses stands in a body quote; the best is that of the longest part."""
    if len(case.parts) < 2 or any(len(part.words) < MIN_JOINED_WORDS for part in case.parts):
        return None
    places = []
    for part in case.parts:
        holding = [at for at, quote in enumerate(case.body.quotes) if find_parts([part], quote.folded, case.script)]
        places.append(min(holding, key=case.is_by_another, default=None))
    if None in places or len(set(places)) < 2:  # not all quoted, or in one quote but in another order
        return None
    _, best = max(zip(case.parts, places, strict=True), key=lambda pair: len(pair[0].letters))
    return case.judge(Outcome.JOINED, "its parts, an ellipsis between them, stand in two body quotes", best)


def contradicted(case: Comparison) -> Judgement | None:
    """Accuse if a body quote says the reverse with the same words, and nothing in the body says the same."""
    if case.script != "latin":
        return None
    found = [(place, sense) for place, said in enumerate(case.senses) for sense in said]
    if not found or any(sense.kind is None for _, sense in found):
        return None
    if case.find(case.body) or any(sense.kind is None for sense in senses(case.headline, case.body.narration)):
        return None
    place, sense = found[0]
    where = "the same words" if sense.is_whole else "its words, with others between,"
    reason = f"a body quote has {where} but for {sense.difference}"
    if case.body.is_cut:  # what is cut off may carry it
        return case.judge(Outcome.BODY_INCOMPLETE, f"{reason}, and the body is {case.body.status}")
    return case.judge(Outcome.CONTEXTOMIZED, reason, place)


def nearly_excerpt(case: Comparison) -> Judgement | None:
    """A body quote says the same but for small words, and leaves out something risky; else the detector decides."""
    if case.script != "latin" or is_claim(case.headline):
        return None
    text, around = case.headline.text, case.headline.around
    found = []
    for place, quote in enumerate(case.body.quotes):
        same = next((each for each in case.senses[place] if each.kind is None and each.is_whole), None)
        if same is None:
            continue
        left = omissions(quote.text, [same.span], text, around=around)
        operators = _operators(case, quote.text, [same.span], left)
        if not operators and same.weakened and not RESTORES_HEDGE.search(around):  # a possibility stated as a fact
            operators = [operator("hedge", quote.text[slice(*same.weakened)])]
        if negates(text) and not negates(quote.text[slice(*same.span)]):
            operators = [each for each in operators if each.kind != "negation"]  # nothing is said, not a thing is
        found.append(_Excerpted(place, NEARLY_INSIDE, left, operators))
    if not found or not all(each.operators for each in found):
        return None
    return _judge_excerpt(case, found[0])
