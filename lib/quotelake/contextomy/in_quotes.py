"""Rules on quotes whose words are in body quotes: the same, a part, or parts of two. Pure."""

from collections.abc import Iterator
from typing import Final

from quotelake.contextomy.comparison import Comparison
from quotelake.contextomy.differences import Difference, Kind
from quotelake.contextomy.judgement import Finding, Outcome
from quotelake.text.align import find_parts
from quotelake.text.omissions import (
    NO_OMISSIONS,
    Omissions,
    cues_in,
    cues_left_out,
    omissions,
    script_of,
    sentences_with,
)

#: Words of each part of a quote that an ellipsis joins from two body quotes; a single one may be anywhere [ours].
MIN_JOINED_WORDS: Final = 2


def identical(case: Comparison) -> Finding | None:
    """Settle a quote whose words are those of a body quote, if possible one of the headline's speaker."""
    key = case.headline.match_key
    same = [place for place, quote in enumerate(case.body.quotes) if key is not None and quote.match_key == key]
    if not same:
        return None
    best = same[0] if len(same) == 1 else min(same, key=case.is_by_another)
    return Finding(Outcome.IDENTICAL, "same words as a body quote", best)


def excerpt(case: Comparison) -> Finding | None:
    """Prefer the body quote with the mildest differences, then the fewest omissions, then the headline's speaker's."""
    found = [(place, left) for place in range(len(case.body.quotes)) if (left := _left_out(case, place)) is not None]

    def weight(each: tuple[int, Omissions]) -> tuple[bool, int, bool, int]:
        (place, left), passage = each, case.match.passage
        quote, letters = case.body.quotes[place], sum(end - start for start, end in left.spans)
        has_match = passage is not None and quote.start <= passage.span[0] and passage.span[1] <= quote.end
        return not has_match, len(left.classes), case.is_by_another(place), letters

    if not found:
        return None
    best, left = found[0] if len(found) == 1 else min(found, key=weight)
    if not left.spans:
        return Finding(Outcome.IDENTICAL, "same words as a body quote, other marks between them", best)
    return Finding(Outcome.EXCERPT, "its words stand inside a longer body quote", best, left)


def _left_out(case: Comparison, place: int) -> Omissions | None:
    """What the headline quote leaves out of a body quote that has all its words; None if one is missing."""
    quote, headline = case.body.quotes[place], case.headline
    kept = case.find(quote)
    if kept is None:
        return None
    is_fragment = headline.kind != "direct" and headline.reason != "predicate"  # it states nothing by itself
    left = omissions(quote.text, kept, headline.text, is_fragment=is_fragment, around=headline.around.text)
    return left if left.spans else NO_OMISSIONS


def omission_differences(case: Comparison, finding: Finding) -> Iterator[Difference]:
    """What an excerpt leaves out and the headline lacks, by class: words around the cue, or the sentence asked."""
    if finding.best is None or not finding.omissions.classes:
        return
    quote, left = case.body.quotes[finding.best], finding.omissions
    kept = case.find(quote) or left.spans
    cues = {cue.name: cue.span for cue in reversed(cues_left_out(quote.text, kept, left.classes))}
    for name in left.classes:
        if name in cues and cues_in(name.upper(), case.headline.around.text, script_of(quote.text)):
            continue
        [(start, end, _), *_] = sentences_with(quote.text, [cues.get(name, kept[-1])])
        for first, last in left.spans if name in cues else ():
            if first <= cues[name][0] < last:
                start, end = max(start, first), min(end, last)
        yield Difference(Kind(name), " ".join(quote.text[start:end].split()))


def joined_at_ellipsis(case: Comparison) -> Finding | None:
    """Each part between the ellipses is in a body quote; the best is that of the longest part."""
    parts, places = case.headline.parts, []
    if len(parts) < 2 or any(len(part.words) < MIN_JOINED_WORDS for part in parts):
        return None
    for part in parts:
        having = [
            at for at, quote in enumerate(case.body.quotes) if find_parts([part], quote.folded, case.headline.script)
        ]
        places.append(min(having, key=case.is_by_another, default=None))
    if None in places or len(set(places)) < 2:  # not all quoted, or in one quote but in another order
        return None
    _, best = max(zip(parts, places, strict=True), key=lambda pair: len(pair[0].letters))
    return Finding(Outcome.JOINED, "its parts, an ellipsis between them, stand in two body quotes", best)
