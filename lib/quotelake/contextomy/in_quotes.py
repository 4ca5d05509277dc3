"""Rules on quotes whose words stand in body quotes: the same, a part, parts of two, or turned round. Pure."""

from collections.abc import Sequence
from dataclasses import replace

from quotelake.contextomy.comparison import Case
from quotelake.contextomy.judgement import Outcome
from quotelake.contextomy.operators import RESTORES_HEDGE, SEVERITY, Operator
from quotelake.contextomy.ruling import Ruling
from quotelake.contextomy.scope import governing
from quotelake.contextomy.senses import Sense, Turned, senses
from quotelake.text.align import find_parts
from quotelake.text.fold import Folded, Span, letter_spans
from quotelake.text.language import UNDETERMINED
from quotelake.text.omissions import Omissions, cues_in, last_clause, omissions
from quotelake.text.wording import read_wording

#: Words of each part of a quote that an ellipsis joins from two body quotes; a single one may stand anywhere [ours].
MIN_JOINED_WORDS = 2
#: Reasons of an excerpt.
INSIDE = "its words stand inside a longer body quote"
NEARLY_INSIDE = "its words, but for auxiliaries and articles, stand inside a longer body quote"


def identical(case: Case) -> Ruling | None:
    """Settle a quote whose words are those of a body quote, if possible one of the headline's speaker."""
    key = case.headline.match_key
    same = [place for place, quote in enumerate(case.body.quotes) if key is not None and quote.match_key == key]
    if not same:
        return None
    best = same[0] if len(same) == 1 else min(same, key=case.is_by_another)
    return Ruling(Outcome.IDENTICAL, "same words as a body quote", best)


def excerpt(case: Case) -> Ruling | None:
    """Prefer the mildest and fewest risky omissions, then the headline's speaker, then the fewest omitted letters."""
    rulings = [found for place in range(len(case.body.quotes)) if (found := _excerpt_of(case, place)) is not None]
    if len(rulings) < 2:
        return rulings[0] if rulings else None

    def weight(ruling: Ruling) -> tuple[float, int, bool, int]:
        classes, letters = _left_out(ruling)
        gravest = ruling.operators[0].severity if ruling.operators else 0.0
        return gravest, classes, ruling.best is not None and case.is_by_another(ruling.best), letters

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
    operators = _operators(case, text, kept, left)
    if case.script == "latin" and any(sense.kind is Turned.NEGATION for sense in case.senses(place)):
        left = replace(left, negation=True)
        operators = operators or [Operator("negation", "", SEVERITY["negation"])]
        return _excerpt_as(case, f"{INSIDE}, which says them with a negation too", place, left, operators)
    return _excerpt_as(case, INSIDE, place, left, operators)


def _excerpt_as(case: Case, reason: str, place: int, left: Omissions, operators: Sequence[Operator]) -> Ruling:
    """An excerpt; or, if its speaker only reports what others say, words put into the speaker's mouth."""
    is_of_others = any(one.kind == "others" for one in operators) and not case.body.is_cut
    outcome = Outcome.CONTEXTOMIZED if is_of_others else Outcome.EXCERPT
    return Ruling(outcome, reason, place, left, operators=operators)


def _operators(case: Case, text: str, kept: Sequence[Span], left: Omissions) -> list[Operator]:
    """What governs an excerpt and is left out; in other languages than English, all that is left out and risky."""
    if case.script not in ("latin", None) or case.body.language not in ("en", UNDETERMINED):
        return [Operator(name, "", SEVERITY[name]) for name in left.classes]
    start, end = last_clause(text, 0, kept[0][0])
    return governing(text, kept, case.excerpt_at(text[start:end]))


def _left_out(ruling: Ruling) -> tuple[int, int]:
    """Number of risky omissions, and of omitted characters."""
    left = ruling.omissions
    return len(left.classes), sum(end - start for start, end in left.spans)


def joined_at_ellipsis(case: Case) -> Ruling | None:
    """Each part between the ellipses stands in a body quote; the best is that of the longest part."""
    if len(case.parts) < 2 or any(len(part.words) < MIN_JOINED_WORDS for part in case.parts):
        return None
    places = [_place_of(case, part) for part in case.parts]
    if None in places or len(set(places)) < 2:  # not all quoted, or in one quote but in another order
        return None
    _, best = max(zip(case.parts, places, strict=True), key=lambda pair: len(pair[0].letters))
    return Ruling(Outcome.JOINED, "its parts, an ellipsis between them, stand in two body quotes", best)


def _place_of(case: Case, part: Folded) -> int | None:
    """The first body quote that holds a part of the headline quote, if possible one of the headline's speaker."""
    quotes = case.body.folded_quotes
    places = [at for at, quote in enumerate(quotes) if find_parts([part], quote, case.script)]
    return min(places, key=case.is_by_another, default=None)


def contradicted(case: Case) -> Ruling | None:
    """Accuse if a body quote says the reverse with the same words, and nothing in the body says the same."""
    if case.script != "latin":
        return None
    found = [(place, sense) for place in range(len(case.body.quotes)) for sense in case.senses(place)]
    if not found or any(sense.kind is None for _, sense in found) or _is_told(case):
        return None
    place, sense = found[0]
    where = "the same words" if sense.is_whole else "its words, with others between,"
    reason = f"a body quote has {where} but for {sense.difference}"
    if case.body.is_cut:  # what is cut off may carry it
        return Ruling(Outcome.BODY_INCOMPLETE, f"{reason}, and the body is {case.body.status}")
    return Ruling(Outcome.CONTEXTOMIZED, reason, place)


def _is_told(case: Case) -> bool:
    """Whether the body has the words anywhere, or says them outside quotes."""
    if find_parts(case.parts, case.body.folded, case.script):
        return True
    told = senses(case.wording, read_wording(case.body.narration))
    return any(sense.kind is None for sense in told)


def nearly_excerpt(case: Case) -> Ruling | None:
    """A body quote says the same but for small words, and leaves out something risky; else the detector decides."""
    if case.script != "latin" or case.is_claim:
        return None
    rulings = []
    for place, quote in enumerate(case.body.quotes):
        same = next((sense for sense in case.senses(place) if sense.kind is None and sense.is_whole), None)
        if same is not None:
            left = omissions(quote.text, [same.span], case.headline.text, around=case.headline.around)
            operators = _operators(case, quote.text, [same.span], left) or _weakened(case, quote.text, same)
            if _negates(case.headline.text) and not _negates(quote.text[slice(*same.span)]):
                operators = [one for one in operators if one.kind != "negation"]  # nothing is said, not a thing is said
            rulings.append(_excerpt_as(case, NEARLY_INSIDE, place, left, operators))
    if not rulings or not all(ruling.operators for ruling in rulings):
        return None
    return rulings[0]


def _negates(text: str) -> bool:
    return bool(cues_in("NEGATION", text, "latin"))


def _weakened(case: Case, text: str, same: Sense) -> list[Operator]:
    """A possibility of the body quote that the headline states as a fact."""
    if same.weakened is None or RESTORES_HEDGE.search(case.headline.around):
        return []
    return [Operator("hedge", text[slice(*same.weakened)], SEVERITY["hedge"])]
