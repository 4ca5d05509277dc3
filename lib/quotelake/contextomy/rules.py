"""The rules that settle a headline quote by its strings alone, applied in the order of :data:`IN_ORDER`.

Each rule either settles the quote or leaves it to the next.
"""

from collections.abc import Callable
from typing import Final

from quotelake.contextomy import headline as headline_form
from quotelake.contextomy.comparison import Comparison
from quotelake.contextomy.differences import Kind
from quotelake.contextomy.judgement import Finding, Outcome, outcome_by_containment
from quotelake.contextomy.matching import SUPPORTS
from quotelake.factuality.statements import FINITE
from quotelake.text.language import dominant_script
from quotelake.text.words import PARAGRAPH_BREAK, omitted_spans

#: Kinds of quotes that nobody utters, so no body quote can be expected to have them.
NO_UTTERANCE: Final = frozenset({"title", "nickname", "scare"})
#: Words of each part of a quote that an ellipsis joins from two body quotes; a single one may be anywhere [ours].
_MIN_JOINED_WORDS: Final = 2
#: Share of its words of content from which a passage that says something else is the utterance behind it [ours].
_SAME_UTTERANCE: Final = 0.6
#: Words of a claim from which a passage with all of them says the same or the reverse.
_LEAST_OF_CLAIMS: Final = 5
#: Words of a body without quotes from which it is known not to have a quotation [ours].
_LEAST_BODY: Final = 100
#: What turns round a claim, of which the passage has all other words.
_OF_CLAIMS: Final = frozenset((Kind.NEGATION, Kind.NUMBER))
#: Kinds of differences of words alone.
_OF_WORDS: Final = frozenset((Kind.ALTERED, Kind.SPLICED))
#: Kinds of differences that are no change of words.
_NOTES: Final = frozenset((Kind.SCOPE, Kind.CONTRAST, Kind.ORDER, Kind.CREDIT))


def apply_rules(case: Comparison) -> Finding:
    """What the first rule that applies finds; its ``outcome`` is None where the detector must decide."""
    found = (finding for rule in IN_ORDER if (finding := rule(case)) is not None)
    return next(found, Finding(None, "left to the detector"))


def _without_words(case: Comparison) -> Finding | None:
    return None if case.headline.parts else Finding(Outcome.NOT_A_QUOTATION, "no words between the marks")


def _identical(case: Comparison) -> Finding | None:
    """Settle a quote whose words are those of a body quote, if possible one of the headline's speaker."""
    key = case.headline.match_key
    same = [place for place, quote in enumerate(case.body.quotes) if key is not None and quote.match_key == key]
    if not same:
        return None
    best = same[0] if len(same) == 1 else min(same, key=case.is_by_another)
    return Finding(Outcome.IDENTICAL, "same words as a body quote", best)


def _excerpt(case: Comparison) -> Finding | None:
    """Prefer the body quote with the mildest differences, then the headline's speaker's, then the shortest."""
    passage = case.match.passage

    def weight(place: int) -> tuple[bool, bool, int]:
        quote = case.body.quotes[place]
        has_match = passage is not None and quote.start <= passage.span[0] and passage.span[1] <= quote.end
        return not has_match, case.is_by_another(place), len(quote.folded.letters)

    found = {place: kept for place, quote in enumerate(case.body.quotes) if (kept := case.find(quote)) is not None}
    if not found:
        return None
    best = next(iter(found)) if len(found) == 1 else min(found, key=weight)
    omitted = omitted_spans(case.body.quotes[best].text, found[best])
    if not omitted:
        return Finding(Outcome.IDENTICAL, "same words as a body quote, other marks between them", best)
    return Finding(Outcome.EXCERPT, "its words stand inside a longer body quote", best, omitted)


def _joined_at_ellipsis(case: Comparison) -> Finding | None:
    """Each part between the ellipses is in a body quote; the best is that of the longest part."""
    parts, quotes = case.headline.parts, [passage.quotes[0] for passage in case.match.chain if passage.quotes]
    if len(quotes) < max(2, len(parts)) or any(len(part.words) < _MIN_JOINED_WORDS for part in parts):
        return None
    if len({quote.start for quote in quotes}) < 2:  # in one quote but in another order
        return None
    _, best = max(zip(parts, quotes, strict=True), key=lambda pair: len(pair[0].letters))
    reason = "its parts, an ellipsis between them, stand in two body quotes"
    return Finding(Outcome.JOINED, reason, case.body.quotes.index(best))


def _not_a_quotation(case: Comparison) -> Finding | None:
    if case.headline.kind not in NO_UTTERANCE:
        return None
    return Finding(Outcome.NOT_A_QUOTATION, f"{case.headline.kind}, found in no body quote")


def _changed(case: Comparison) -> Finding | None:
    """The passage behind it says something else, or other words, in nearly the same words."""
    passage = case.match.passage if case.is_read_by_words and not case.match.is_exact else None
    if passage is None:
        return None
    kinds = {each.kind for each in case.match.differences if each.is_sure and each.kind not in _NOTES}
    is_short = len(case.headline.words) < _LEAST_OF_CLAIMS and not FINITE.search(case.headline.text)
    is_short = is_short or passage.last - passage.first < 2  # a word of it may be anywhere
    numbers = {key for key in case.headline.reading.keys if key[0].isdigit()} if Kind.NUMBER in kinds else set()
    is_short = is_short and not (Kind.NUMBER in kinds and numbers.isdisjoint(case.body.reading.keys))
    if case.is_worded_by_newspaper and (is_short or case.match.share < 1 or not kinds <= _OF_CLAIMS):
        return None
    least = _SAME_UTTERANCE if passage.quotes else SUPPORTS
    if not kinds or not (case.match.share >= least or case.match.is_framed):
        return None
    outcome, reason = Outcome.CONTEXTOMIZED, "the passage behind it says something else"
    if kinds <= _OF_WORDS:  # whether they mean something else is not known
        outcome, reason = Outcome.MODIFIED, "the passage behind it has other words"
    if Kind.SPLICED in kinds:
        outcome, reason = Outcome.JOINED, "its words stand in two sentences of the body"
    if case.body.is_cut:  # what is cut off may carry it
        return Finding(Outcome.BODY_INCOMPLETE, f"{reason}, and the body is {case.body.status}")
    if not passage.quotes:
        return Finding(outcome, reason, passage=passage.span)
    return Finding(outcome, reason, case.body.quotes.index(passage.quotes[0]))


def _claim(case: Comparison) -> Finding | None:
    """Settle a claim: supported where the body has its words or a sentence says it, and does not deny it."""
    if not headline_form.is_claim(case.headline):
        return None
    found = case.find(case.body)
    if found:
        passage = found[0][0], found[-1][1]
        start, end = next(each for each in case.body.sentences if passage[0] < each[1])
        sentence, claim = case.body.text[start:end], case.headline
        if headline_form.is_denied(claim) or not headline_form.denies(sentence, claim.reading):
            return Finding(Outcome.CLAIM_SUPPORTED, "its words stand in the body", passage=passage)
    return _claim_by_sentence(case)


def _claim_by_sentence(case: Comparison) -> Finding:
    sentence = headline_form.supporting_sentence(case.headline, case.body)
    if sentence is not None:
        return Finding(Outcome.CLAIM_SUPPORTED, "a sentence of the body has its content words", passage=sentence)
    if case.body.is_cut:
        return Finding(Outcome.BODY_INCOMPLETE, f"claim not found, and the body is {case.body.status}")
    return Finding(Outcome.CLAIM_UNSUPPORTED, "no sentence of the body has its content words")


def _in_body_unquoted(case: Comparison) -> Finding | None:
    """Settle a quote whose words are in the body, but in none of its quotes, or only partly."""
    spans = [passage.span for passage in case.match.chain]
    # Parts from all over the article prove nothing: they must be in one paragraph, in their order.
    if not spans or spans != sorted(spans) or PARAGRAPH_BREAK.search(case.body.text, spans[0][1], spans[-1][0]):
        return None
    passage = spans[0][0], spans[-1][1]
    where = "partly in a quote of it" if case.body.quotes_within(passage) else "in no quote of it"
    return Finding(Outcome.IN_BODY_UNQUOTED, f"its words stand in the body, {where}", passage=passage)


def _nearly_the_same(case: Comparison) -> Finding | None:
    """A passage of the body has nearly the same words: in a quote of it the detector decides, outside marks this."""
    passage = case.match.passage
    if passage is None or not case.match.is_supported or case.body.quotes_within(passage.span):
        return None
    return Finding(Outcome.MODIFIED, "a sentence without marks has nearly the same words", passage=passage.span)


def _phrase(case: Comparison) -> Finding | None:
    """Words that name something are no quotation."""
    quote = case.headline
    may_name = quote.kind == "direct" and quote.script == "latin" and not case.match.is_supported
    mention = headline_form.mention_of(quote) if may_name else None
    return None if mention is None else Finding(Outcome.NOT_A_QUOTATION, f"{mention}, found in no body quote")


def _why_not_found(case: Comparison) -> Finding | None:
    """Neither found nor to be expected: the body is cut, without quotes or in another language."""
    body, script = case.body, case.headline.script
    if body.is_cut and not case.is_contained:
        return Finding(Outcome.BODY_INCOMPLETE, f"not found, and the body is {body.status}")
    if not body.quotes and not (case.is_read_by_words and len(body.words) >= _LEAST_BODY):
        return Finding(Outcome.NO_BODY_QUOTE, "the body has no quote, nor the words")
    if script is not None and body.quotes:
        if script not in {dominant_script(quote.folded.letters) for quote in body.quotes}:
            return Finding(Outcome.NOT_COMPARABLE, f"no body quote is in {script} script")
        if case.languages is not None and not case.is_contained:
            foreign = case.languages.foreign(case.headline.text, body.language)
            if foreign is not None:
                return Finding(Outcome.NOT_COMPARABLE, f"its language is {foreign}, that of the body {body.language}")
    if body.quotes:
        return None
    if case.match.passage is not None:
        return Finding(Outcome.NO_BODY_QUOTE, "the body has no quote, and something like the words")
    return Finding(Outcome.ABSENT, "the body has no quote, and no passage could be its source")


def _carried_by_cut_body(case: Comparison) -> Finding | None:
    """If what is left of a cut body supports the quote, settle it here: the detector must never judge cut bodies."""
    if not case.body.is_cut:
        return None
    outcome = outcome_by_containment(case.containment.in_best, case.containment.in_union)
    return Finding(outcome, f"carried by what there is of the body, which is {case.body.status}")


#: The rules in order; the first that applies, settles.
IN_ORDER: Final[tuple[Callable[[Comparison], Finding | None], ...]] = (
    _without_words,
    _identical,
    _excerpt,
    _joined_at_ellipsis,
    _not_a_quotation,
    _changed,
    _claim,
    _in_body_unquoted,
    _nearly_the_same,
    _phrase,
    _why_not_found,
    _carried_by_cut_body,
)
