"""Rules on quotes whose words stand in body quotes: the same, a part, or parts of two. Pure."""

from typing import NamedTuple

from quotelake.contextomy.comparison import Comparison
from quotelake.contextomy.judgement import Judgement, Outcome
from quotelake.text.align import find_parts
from quotelake.text.omissions import NO_OMISSIONS, Omissions, omissions

#: Words of each part of a quote that an ellipsis joins from two body quotes; a single one may stand anywhere [ours].
MIN_JOINED_WORDS = 2


class _Excerpted(NamedTuple):
    """The headline quote as an excerpt of a body quote: its place, and what is left out."""

    place: int
    left: Omissions


def identical(case: Comparison) -> Judgement | None:
    """Settle a quote whose words are those of a body quote, if possible one of the headline's speaker."""
    key = case.headline.match_key
    same = [place for place, quote in enumerate(case.body.quotes) if key is not None and quote.match_key == key]
    if not same:
        return None
    best = same[0] if len(same) == 1 else min(same, key=case.is_by_another)
    return case.judge(Outcome.IDENTICAL, "same words as a body quote", best)


def excerpt(case: Comparison) -> Judgement | None:
    """Prefer the body quote with the mildest differences, then the fewest omissions, then the headline's speaker's."""
    found = [each for place in range(len(case.body.quotes)) if (each := _excerpt_of(case, place)) is not None]

    def weight(each: _Excerpted) -> tuple[bool, int, bool, int]:
        held, quote = case.held.passage, case.body.quotes[each.place]
        is_held = held is not None and quote.start <= held.span[0] and held.span[1] <= quote.start + len(quote.text)
        letters = sum(end - start for start, end in each.left.spans)
        return not is_held, len(each.left.classes), case.is_by_another(each.place), letters

    if not found:
        return None
    best = found[0] if len(found) == 1 else min(found, key=weight)
    if not best.left.spans:
        return case.judge(Outcome.IDENTICAL, "same words as a body quote, other marks between them", best.place)
    return case.judge(Outcome.EXCERPT, "its words stand inside a longer body quote", best.place, omissions=best.left)


def _excerpt_of(case: Comparison, place: int) -> _Excerpted | None:
    quote, headline = case.body.quotes[place], case.headline
    kept = case.find(quote)
    if kept is None:
        return None
    is_fragment = headline.kind != "direct" and headline.reason != "predicate"  # it states nothing by itself
    left = omissions(quote.text, kept, headline.text, is_fragment=is_fragment, around=headline.around)
    return _Excerpted(place, left if left.spans else NO_OMISSIONS)


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
