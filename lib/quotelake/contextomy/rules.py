"""The rules that settle a headline quote by its strings alone, applied in the order of :data:`IN_ORDER`.

Each rule either settles the quote or leaves it to the next. What none settles goes to
:mod:`quotelake.contextomy.decide`.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from quotelake.compare.folding import Folded, Span, dominant_script, find_parts, fold, letter_spans
from quotelake.compare.omissions import Omissions, last_clause, omissions, sentences_with
from quotelake.compare.wording import read_wording
from quotelake.contextomy.belonging import not_whole
from quotelake.contextomy.case import Case
from quotelake.contextomy.claim_support import denies, supporting_sentence
from quotelake.contextomy.comparable import Languages
from quotelake.contextomy.containment import Containment
from quotelake.contextomy.match import Match, Outcome, carried_as
from quotelake.contextomy.mention import mention_of
from quotelake.contextomy.operators import RESTORES_HEDGE, SEVERITY, Operator
from quotelake.contextomy.ruling import Ruling, to_match
from quotelake.contextomy.scope import governing
from quotelake.contextomy.senses import Sense, Turned, senses
from quotelake.contextomy.sides import Body, HeadlineQuote
from quotelake.language import UNDETERMINED
from quotelake.settings import ContextomySettings
from quotelake.text import paragraphs, words

__all__ = ["IN_ORDER", "OUTCOMES_VERSION", "Match", "Outcome", "settle"]

#: Number of the rules below; raise it with any change of what they settle.
OUTCOMES_VERSION = 7
#: Kinds of quotes that nobody utters, so no body quote can be expected to carry them.
NO_UTTERANCE = frozenset({"title", "nickname", "scare"})
#: Words of each part of a quote that an ellipsis joins from two body quotes; a single one may stand anywhere [ours].
MIN_JOINED_WORDS = 2
#: Beginning of a speaker's line in a transcript.
_TRANSCRIPT = re.compile(r"[ \t>*]{0,8}[A-Z][A-Z.’' -]{1,40}(?:\([^)\n]{1,40}\))?:")
#: Reasons of an excerpt.
INSIDE = "its words stand inside a longer body quote"
NEARLY_INSIDE = "its words, but for auxiliaries and articles, stand inside a longer body quote"


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
    best = same[0] if len(same) == 1 else min(same, key=case.is_by_another)
    return Ruling(Outcome.IDENTICAL, "same words as a body quote", best)


def _excerpt(case: Case) -> Ruling | None:
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
        operators = operators or [Operator("negation", "the quote says them with a negation too", SEVERITY["negation"])]
    return _excerpt_as(INSIDE, place, left, operators)


def _excerpt_as(reason: str, place: int, left: Omissions, operators: Sequence[Operator]) -> Ruling:
    """An excerpt; or, if its speaker only reports what others say, words put into the speaker's mouth."""
    outcome = Outcome.CONTEXTOMIZED if any(one.kind == "others" for one in operators) else Outcome.EXCERPT
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


def _joined_at_ellipsis(case: Case) -> Ruling | None:
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


def _not_a_quotation(case: Case) -> Ruling | None:
    if case.headline.kind not in NO_UTTERANCE:
        return None
    return Ruling(Outcome.NOT_A_QUOTATION, f"{case.headline.kind}, found in no body quote")


def _contradicted(case: Case) -> Ruling | None:
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


def _nearly_excerpt(case: Case) -> Ruling | None:
    """A body quote says the same but for small words, and leaves out something risky; else the detector decides."""
    if case.script != "latin" or case.is_claim:
        return None
    rulings = []
    for place, quote in enumerate(case.body.quotes):
        same = next((sense for sense in case.senses(place) if sense.kind is None and sense.is_whole), None)
        if same is not None:
            left = omissions(quote.text, [same.span], case.headline.text, around=case.headline.around)
            operators = _operators(case, quote.text, [same.span], left) or _weakened(case, quote.text, same)
            rulings.append(_excerpt_as(NEARLY_INSIDE, place, left, operators))
    if not rulings or not all(ruling.operators for ruling in rulings):
        return None
    return rulings[0]


def _weakened(case: Case, text: str, same: Sense) -> list[Operator]:
    """A possibility of the body quote that the headline states as a fact."""
    if same.weakened is None or RESTORES_HEDGE.search(case.headline.around):
        return []
    return [Operator("hedge", text[slice(*same.weakened)], SEVERITY["hedge"])]


def _claim(case: Case) -> Ruling | None:
    if not case.is_claim:
        return None
    found = find_parts(case.parts, case.body.folded, case.script)
    if found:
        passage = _passage(case.body.text, found)
        [(start, end, _), *_] = sentences_with(case.body.text, [passage])
        if case.is_denied or not denies(case.body.text[start:end], case.headline.text):
            return Ruling(Outcome.CLAIM_SUPPORTED, "its words stand in the body", passage=passage)
    return _claim_by_sentence(case)


def _claim_by_sentence(case: Case) -> Ruling:
    share = case.settings.claim_containment
    sentence = supporting_sentence(case.headline.text, case.body.text, share, is_denied=case.is_denied)
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
            passage = (start + first, start + last)
            where = "partly in a quote of it" if case.body.quotes_within(passage) else "in no quote of it"
            return Ruling(Outcome.IN_BODY_UNQUOTED, f"its words stand in the body, {where}", passage=passage)
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


def _nearly_the_same(case: Case) -> Ruling | None:
    """A passage of the body has nearly the same words: in a quote of it the detector decides, outside marks this."""
    span = case.near.span
    if not case.near.is_carried or span is None:
        return None
    if case.body.quotes_within(span):
        return None
    where = "a speaker's line in a transcript" if _in_transcript(case.body.text, span) else "a sentence without marks"
    return Ruling(Outcome.MODIFIED, f"{where} has nearly the same words", passage=span)


def _in_transcript(text: str, span: Span) -> bool:
    """Whether the line of a passage begins with a name in capitals and a colon, as transcripts do."""
    begin = text.rfind("\n", 0, span[0]) + 1
    return _TRANSCRIPT.match(text, begin) is not None


def _phrase(case: Case) -> Ruling | None:
    """Words that name something: supported if a sentence has them, else no quotation."""
    fills = case.is_impersonal and not words(case.headline.around)
    if case.is_claim_after_subject or fills:
        return _claim_by_sentence(case)
    is_read = case.headline.kind == "direct" and case.script == "latin" and not case.near.is_carried
    mention = mention_of(case.headline, case.body.text) if is_read else None
    if mention is None and not case.is_phrase:
        return None
    ruling = _claim_by_sentence(case)
    if ruling.outcome is Outcome.CLAIM_SUPPORTED and case.is_phrase:
        return ruling
    return Ruling(Outcome.NOT_A_QUOTATION, f"{mention or 'a few words credited to nobody'}, found in no body quote")


def _body_incomplete(case: Case) -> Ruling | None:
    if not case.body.is_cut or _carried_by_cut_body(case, case.containment()) is not None:
        return None
    return Ruling(Outcome.BODY_INCOMPLETE, f"not found, and the body is {case.body.status}")


def _not_its_body(case: Case) -> Ruling | None:
    """Not found, with a sign that the body is another page's, or begins in the middle."""
    who = case.headline.speaker
    name = None if who is None or who.type != "person" else who.name
    sign = None if case.near.is_recognised else not_whole(case.headline.around, case.body.text, name)
    return None if sign is None else Ruling(Outcome.BODY_INCOMPLETE, f"not found, and {sign}")


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


#: The rules in order; the first that rules, settles.
IN_ORDER: tuple[Callable[[Case], Ruling | None], ...] = (
    _without_words,
    _identical,
    _excerpt,
    _joined_at_ellipsis,
    _not_a_quotation,
    _contradicted,
    _claim,
    _in_body_unquoted,
    _stated_by_body,
    _nearly_excerpt,
    _nearly_the_same,
    _phrase,
    _body_incomplete,
    _no_body_quote,
    _not_comparable,
    _not_its_body,
)


def _carried_by_cut_body(case: Case, held: Containment) -> Ruling | None:
    """If what is left of a cut body carries the quote, settle it here: the detector must never judge cut bodies."""
    if not case.body.is_cut or (held.in_union or 0.0) < case.settings.joined_containment:
        return None
    outcome = carried_as(held.in_best, held.in_union, case.settings)
    return Ruling(outcome, f"carried by what there is of the body, which is {case.body.status}")
