"""The rules that settle a headline quote by its strings alone, applied in the order of :data:`IN_ORDER`.

Each rule either settles the quote or leaves it to the next. Those that look into body quotes are in
:mod:`quotelake.contextomy.in_quotes`; here are those on claims and on words that are, or nearly, outside quotes, and
those that say why nothing can be found. What no rule settles goes to :mod:`quotelake.contextomy.decide`.
"""

import re
from collections.abc import Callable
from typing import Final

from quotelake.contextomy import headline as headline_form
from quotelake.contextomy import in_quotes
from quotelake.contextomy.comparison import Comparison, not_whole
from quotelake.contextomy.differences import Kind
from quotelake.contextomy.factuality import Clause, factuality
from quotelake.contextomy.judgement import Finding, Outcome, outcome_by_containment
from quotelake.contextomy.passages import Near, nearest
from quotelake.contextomy.quotes import HeadlineQuote, Text
from quotelake.contextomy.reading import Reading
from quotelake.text.fold import Span, fold
from quotelake.text.language import SYLLABIC, dominant_script
from quotelake.text.lexicon import NOT, table
from quotelake.text.omissions import sentences_with
from quotelake.text.words import paragraphs

#: Kinds of quotes that nobody utters, so no body quote can be expected to have them.
NO_UTTERANCE: Final = frozenset({"title", "nickname", "scare"})
#: Function words, which are no content of a claim [ours]; a claim of nothing else is compared by all its words.
_FUNCTION_WORDS: Final = table("claim_function", room="quotelake.contextomy")
#: Least share of the 3-grams of its words of content in one body sentence that supports a short claim: of 272 claims of
#: BBC headlines 76 % are supported by their article, 5 % by another article of the same section [measured].
CLAIM_CONTAINMENT: Final = 0.67
#: Share of its words of content from which a passage that says something else is the utterance behind it [ours].
_SAME_UTTERANCE: Final = 0.6
#: Words of a claim from which a passage with all of them says the same or the reverse.
_LEAST_OF_CLAIMS: Final = 5
#: What turns round a claim, of which the passage has all other words.
_OF_CLAIMS: Final = frozenset((Kind.NEGATION, Kind.NUMBER))
#: Kinds of differences that are no change of words.
_NOTES: Final = frozenset((Kind.SCOPE, Kind.CONTRAST, Kind.ORDER, Kind.CREDIT))
#: Beginning of a speaker's line in a transcript.
_TRANSCRIPT: Final = re.compile(r"[ \t>*]{0,8}[A-Z][A-Z.’' -]{1,40}(?:\([^)\n]{1,40}\))?:")


def apply_rules(case: Comparison) -> Finding:
    """What the first rule that applies finds; its ``outcome`` is None where the detector must decide."""
    found = (finding for rule in IN_ORDER if (finding := rule(case)) is not None)
    return next(found, Finding(None, "left to the detector"))


def _without_words(case: Comparison) -> Finding | None:
    return None if case.headline.parts else Finding(Outcome.NOT_A_QUOTATION, "no words between the marks")


def _not_a_quotation(case: Comparison) -> Finding | None:
    if case.headline.kind not in NO_UTTERANCE:
        return None
    return Finding(Outcome.NOT_A_QUOTATION, f"{case.headline.kind}, found in no body quote")


def _two_places(case: Comparison) -> Finding | None:
    """A quote made from the words of two sentences, without a mark of omission."""
    passage = case.match.passage if case.is_read_by_words else None
    if passage is None or not case.match.is_spliced:
        return None
    return Finding(Outcome.JOINED, "its words stand in two sentences of the body", passage=passage.span)


def _changed(case: Comparison) -> Finding | None:
    """Accuse if the passage behind it says something else in nearly the same words."""
    passage = case.match.passage if case.is_read_by_words and not case.match.is_exact else None
    if passage is None:
        return None
    kinds = {each.kind for each in case.match.differences if each.is_sure and each.kind not in _NOTES}
    is_short = len(case.headline.words) < _LEAST_OF_CLAIMS and not headline_form.FINITE.search(case.headline.text)
    is_short = is_short or passage.last - passage.first < 2  # a word of it may be anywhere
    is_short = is_short and not (Kind.NUMBER in kinds and _has_other_numbers(case))
    if case.is_worded_by_newspaper and (is_short or case.match.share < 1 or not kinds <= _OF_CLAIMS):
        return None
    if not kinds or case.match.share < _SAME_UTTERANCE:
        return None
    reason = "the passage behind it says something else"
    if case.body.is_cut:  # what is cut off may carry it
        return Finding(Outcome.BODY_INCOMPLETE, f"{reason}, and the body is {case.body.status}")
    quotes = passage.quotes(case.body)
    if not quotes:
        return Finding(Outcome.CONTEXTOMIZED, reason, passage=passage.span)
    return Finding(Outcome.CONTEXTOMIZED, reason, case.body.quotes.index(quotes[0]))


def _has_other_numbers(case: Comparison) -> bool:
    """Whether the body has none of a quote's numbers."""
    numbers = {key for key in case.headline.reading.keys if key[0].isdigit()}
    return numbers.isdisjoint(case.body.reading.keys)


def _claim(case: Comparison) -> Finding | None:
    """Settle a claim: supported where the body has its words or a sentence says it, and does not deny it."""
    if not headline_form.is_claim(case.headline):
        return None
    found = case.find(case.body)
    if found:
        passage = found[0][0], found[-1][1]
        [(start, end, _), *_] = sentences_with(case.body.text, [passage])
        if headline_form.is_denied(case.headline) or not denies(case.body.text[start:end], case.headline.reading):
            return Finding(Outcome.CLAIM_SUPPORTED, "its words stand in the body", passage=passage)
    return _claim_by_sentence(case)


def _claim_by_sentence(case: Comparison) -> Finding:
    sentence = supporting_sentence(case.headline, case.body)
    if sentence is not None:
        return Finding(Outcome.CLAIM_SUPPORTED, "a sentence of the body has its content words", passage=sentence)
    if case.body.is_cut:
        return Finding(Outcome.BODY_INCOMPLETE, f"claim not found, and the body is {case.body.status}")
    return Finding(Outcome.CLAIM_UNSUPPORTED, "no sentence of the body has its content words")


def _in_body_unquoted(case: Comparison) -> Finding | None:
    """Settle a quote whose words are in the body, but in none of its quotes, or only partly."""
    body, parts = case.body, case.headline.parts
    if not all(part.letters in body.folded.letters for part in parts):
        return None
    # Parts from all over the article prove nothing: they must be in one paragraph.
    texts = [(0, body)] if len(parts) == 1 else [(at, Text(body.text[at:end])) for at, end in paragraphs(body.text)]
    for start, text in texts:
        found = case.find(text)
        if found:
            passage = (start + found[0][0], start + found[-1][1])
            where = "partly in a quote of it" if body.quotes_within(passage) else "in no quote of it"
            return Finding(Outcome.IN_BODY_UNQUOTED, f"its words stand in the body, {where}", passage=passage)
    return None


def _stated_by_body(case: Comparison) -> Finding | None:
    """A statement without a speaker, such as a headline all in single marks, is the paper's own.

    So what the paper says outside quotes may support it.
    """
    if not headline_form.is_impersonal(case.headline):
        return None
    sentence = supporting_sentence(case.headline, case.body.narration)
    reason = "a sentence of the body, outside quotes, has its content words"
    return None if sentence is None else Finding(Outcome.CLAIM_SUPPORTED, reason, passage=sentence)


def _nearly_the_same(case: Comparison) -> Finding | None:
    """A passage of the body has nearly the same words: in a quote of it the detector decides, outside marks this."""
    passage, text = case.match.passage, case.body.text
    if passage is None or not case.match.is_supported or case.body.quotes_within(passage.span):
        return None
    in_transcript = _TRANSCRIPT.match(text, text.rfind("\n", 0, passage.span[0]) + 1)
    where = "a speaker's line in a transcript" if in_transcript else "a sentence without marks"
    return Finding(Outcome.MODIFIED, f"{where} has nearly the same words", passage=passage.span)


def _phrase(case: Comparison) -> Finding | None:
    """Words that name something: supported if a sentence has them, else no quotation."""
    quote = case.headline
    if headline_form.is_claim_after_subject(quote) or (headline_form.is_impersonal(quote) and not quote.around.words):
        return _claim_by_sentence(case)
    may_name = quote.kind == "direct" and quote.script == "latin" and not case.match.is_supported
    mention = headline_form.mention_of(quote, case.body.text) if may_name else None
    if headline_form.is_phrase(quote):
        finding = _claim_by_sentence(case)
        if finding.outcome is Outcome.CLAIM_SUPPORTED:
            return finding
        mention = mention or "a few words credited to nobody"
    return None if mention is None else Finding(Outcome.NOT_A_QUOTATION, f"{mention}, found in no body quote")


def supporting_sentence(claim: HeadlineQuote, text: Text) -> Span | None:
    """Find the first sentence of a text that has enough of the content words of a claim and does not deny it.

    Words are compared by their character 3-grams (2-grams where characters are syllables). That serves as stemming:
    "cutting" shares two of its five 3-grams with "cuts". Enough is :data:`CLAIM_CONTAINMENT` of them. A headline that
    denies the claim is supported by a sentence that does.
    """
    size = 2 if dominant_script(claim.folded.letters) in SYLLABIC else 3
    grams = []
    for word in [word for word in claim.folded.words if word not in _FUNCTION_WORDS] or claim.folded.words:
        if len(word) > size:
            grams += [word[place : place + size] for place in range(len(word) - size + 1)]
        else:
            grams.append(word if len(word) == size else f" {word} ")
    for start, end in text.sentences if grams else ():
        sentence = text.text[start:end]
        padded = f" {' '.join(fold(sentence).words)} "
        if sum(gram in padded for gram in grams) < CLAIM_CONTAINMENT * len(grams):
            continue
        if headline_form.is_denied(claim) or not denies(sentence, claim.reading):
            return start, end
    return None


def denies(sentence: str, claim: Reading) -> bool:
    """Whether a sentence has the words of a claim one after the other, and only one of the two negates them.

    A sentence that has them twice denies the claim only if it does so each time.

    >>> cut = Reading("to cut jobs")
    >>> denies("The firm will not cut jobs.", cut), denies("It cuts jobs, not pay.", cut)
    (True, False)
    """
    keys = [key for key in claim.keys if key != NOT]
    found = [near for near in nearest(keys, Reading(sentence)) if near.share == 1] if keys else []
    return bool(found) and all(_is_negated(near, claim) for near in found)


def _is_negated(near: Near, claim: Reading) -> bool:
    reading, first, last = near.passage
    clause = Clause(reading, first, last, *reading.sentences[first])
    outside = sum(one.kind == Kind.NEGATION for one in factuality(clause))
    inside = sum(token.key == NOT for token in reading.tokens[first : last + 1]) - claim.keys.count(NOT)
    return (outside + inside) % 2 == 1


def _why_not_found(case: Comparison) -> Finding | None:
    """Neither found nor to be expected: the body is cut, without quotes, in another language or another page's."""
    body, script = case.body, case.headline.script
    if body.is_cut and not case.is_contained:
        return Finding(Outcome.BODY_INCOMPLETE, f"not found, and the body is {body.status}")
    if not body.quotes:
        return Finding(Outcome.NO_BODY_QUOTE, "the body has no quote, nor the words")
    if script is not None:
        if script not in {dominant_script(quote.folded.letters) for quote in body.quotes}:
            return Finding(Outcome.NOT_COMPARABLE, f"no body quote is in {script} script")
        if case.languages is not None and not case.is_contained:
            foreign = case.languages.foreign(case.headline.text, body.language)
            if foreign is not None:
                return Finding(Outcome.NOT_COMPARABLE, f"its language is {foreign}, that of the body {body.language}")
    speaker = case.headline.speaker
    name = None if speaker is None or speaker.type != "person" else speaker.name
    sign = None if case.is_recognised else not_whole(case.headline.around, body, name)
    return None if sign is None else Finding(Outcome.BODY_INCOMPLETE, f"not found, and {sign}")


def _carried_by_cut_body(case: Comparison) -> Finding | None:
    """If what is left of a cut body supports the quote, settle it here: the detector must never judge cut bodies."""
    if not case.body.is_cut:
        return None
    outcome = outcome_by_containment(case.containment.in_best, case.containment.in_union)
    return Finding(outcome, f"carried by what there is of the body, which is {case.body.status}")


#: The rules in order; the first that applies, settles.
IN_ORDER: Final[tuple[Callable[[Comparison], Finding | None], ...]] = (
    _without_words,
    in_quotes.identical,
    in_quotes.excerpt,
    in_quotes.joined_at_ellipsis,
    _not_a_quotation,
    _two_places,
    _changed,
    _claim,
    _in_body_unquoted,
    _stated_by_body,
    _nearly_the_same,
    _phrase,
    _why_not_found,
    _carried_by_cut_body,
)
