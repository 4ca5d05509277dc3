"""Rules on quotes whose words stand in body quotes: the same, a part, parts of two, or turned round. Pure."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from quotelake.contextomy.comparison import Comparison
from quotelake.contextomy.headline import is_claim, is_fragment
from quotelake.contextomy.judgement import Judgement, Outcome
from quotelake.contextomy.operators import RESTORES_HEDGE, SEVERITY, Operator
from quotelake.contextomy.scope import governing
from quotelake.contextomy.senses import Sense, Turned, senses
from quotelake.text.align import find_parts
from quotelake.text.fold import Folded, Span, letter_spans
from quotelake.text.language import UNDETERMINED
from quotelake.text.omissions import NO_OMISSIONS, Omissions, cues_in, omissions
from quotelake.text.wording import read_wording

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
    found = case.find_in_quote(place)
    if found is None:
        return None
    text, quote = case.body.quotes[place].text, case.headline
    spans = letter_spans(text)
    kept = [(spans[start][0], spans[end - 1][1]) for start, end in found]
    left = omissions(text, kept, quote.text, is_fragment=is_fragment(quote), around=quote.around)
    if not left.spans:
        return _Excerpted(place, INSIDE, NO_OMISSIONS, ())
    operators = _operators(case, text, kept, left)
    if case.script == "latin" and any(sense.kind is Turned.NEGATION for sense in case.senses(place)):
        operators = operators or [Operator("negation", "", SEVERITY["negation"])]
        reason = f"{INSIDE}, which says them with a negation too"
        return _Excerpted(place, reason, replace(left, negation=True), operators)
    return _Excerpted(place, INSIDE, left, operators)


def _judge_excerpt(case: Comparison, found: _Excerpted) -> Judgement:
    """An excerpt; or, if its speaker only reports what others say, words put into the speaker's mouth."""
    is_of_others = any(operator.kind == "others" for operator in found.operators) and not case.body.is_cut
    outcome = Outcome.CONTEXTOMIZED if is_of_others else Outcome.EXCERPT
    return case.judge(outcome, found.reason, found.place, omissions=found.left, operators=found.operators)


def _operators(case: Comparison, text: str, kept: Sequence[Span], left: Omissions) -> list[Operator]:
    """What governs an excerpt and is left out; in other languages than English, all that is left out and risky."""
    if case.script not in ("latin", None) or case.body.language not in ("en", UNDETERMINED):
        return [Operator(name, "", SEVERITY[name]) for name in left.classes]
    return governing(text, kept, case.headline)


def joined_at_ellipsis(case: Comparison) -> Judgement | None:
    """Each part between the ellipses stands in a body quote; the best is that of the longest part."""
    if len(case.parts) < 2 or any(len(part.words) < MIN_JOINED_WORDS for part in case.parts):
        return None
    places = [_place_of(case, part) for part in case.parts]
    if None in places or len(set(places)) < 2:  # not all quoted, or in one quote but in another order
        return None
    _, best = max(zip(case.parts, places, strict=True), key=lambda pair: len(pair[0].letters))
    return case.judge(Outcome.JOINED, "its parts, an ellipsis between them, stand in two body quotes", best)


def _place_of(case: Comparison, part: Folded) -> int | None:
    """The first body quote that holds a part of the headline quote, if possible one of the headline's speaker."""
    quotes = case.body.folded_quotes
    places = [at for at, quote in enumerate(quotes) if find_parts([part], quote, case.script)]
    return min(places, key=case.is_by_another, default=None)


def contradicted(case: Comparison) -> Judgement | None:
    """Accuse if a body quote says the reverse with the same words, and nothing in the body says the same."""
    if case.script != "latin":
        return None
    found = [(place, sense) for place in range(len(case.body.quotes)) for sense in case.senses(place)]
    if not found or any(sense.kind is None for _, sense in found) or _body_says_so(case):
        return None
    place, sense = found[0]
    where = "the same words" if sense.is_whole else "its words, with others between,"
    reason = f"a body quote has {where} but for {sense.difference}"
    if case.body.is_cut:  # what is cut off may carry it
        return case.judge(Outcome.BODY_INCOMPLETE, f"{reason}, and the body is {case.body.status}")
    return case.judge(Outcome.CONTEXTOMIZED, reason, place)


def _body_says_so(case: Comparison) -> bool:
    """Whether the body has the words anywhere, or says them outside quotes."""
    if find_parts(case.parts, case.body.folded, case.script):
        return True
    return any(sense.kind is None for sense in senses(case.wording, read_wording(case.body.narration)))


def nearly_excerpt(case: Comparison) -> Judgement | None:
    """A body quote says the same but for small words, and leaves out something risky; else the detector decides."""
    if case.script != "latin" or is_claim(case.headline):
        return None
    found = []
    for place, quote in enumerate(case.body.quotes):
        same = next((sense for sense in case.senses(place) if sense.kind is None and sense.is_whole), None)
        if same is not None:
            left = omissions(quote.text, [same.span], case.headline.text, around=case.headline.around)
            operators = _operators(case, quote.text, [same.span], left) or _weakened(case, quote.text, same)
            if _negates(case.headline.text) and not _negates(quote.text[slice(*same.span)]):
                operators = [each for each in operators if each.kind != "negation"]  # nothing is said, not a thing is
            found.append(_Excerpted(place, NEARLY_INSIDE, left, operators))
    if not found or not all(each.operators for each in found):
        return None
    return _judge_excerpt(case, found[0])


def _negates(text: str) -> bool:
    return bool(cues_in("NEGATION", text, "latin"))


def _weakened(case: Comparison, text: str, same: Sense) -> list[Operator]:
    """A possibility of the body quote that the headline states as a fact."""
    if same.weakened is None or RESTORES_HEDGE.search(case.headline.around):
        return []
    return [Operator("hedge", text[slice(*same.weakened)], SEVERITY["hedge"])]
