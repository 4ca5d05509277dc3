"""Rules on quotes whose words, or nearly, stand outside the quotes of a body, and on claims. Pure."""

import re

from quotelake.contextomy.comparison import Comparison
from quotelake.contextomy.headline import (
    is_claim,
    is_claim_after_subject,
    is_denied,
    is_impersonal,
    is_phrase,
    mention_of,
)
from quotelake.contextomy.judgement import Judgement, Outcome
from quotelake.contextomy.nearly import Plain, nearest, plain
from quotelake.contextomy.quotes import Text
from quotelake.text.fold import Span, fold
from quotelake.text.language import SYLLABIC, dominant_script
from quotelake.text.lexicon import NOT, table
from quotelake.text.omissions import sentences_with
from quotelake.text.words import paragraphs, words

#: Words that carry no content of a claim [ours]; a claim of nothing else is compared by all its words.
_FUNCTION_WORDS = table("claim_function", room="quotelake.contextomy")
#: A negation, and auxiliaries that come and go with it: *did not mislead*, *had misled*.
_BESIDE = frozenset({NOT, "be", "do", "have", "will"})
#: So many places of a sentence are asked whether they deny a claim: more are a refrain.
MOST_TIMES = 8
#: Beginning of a speaker's line in a transcript.
_TRANSCRIPT = re.compile(r"[ \t>*]{0,8}[A-Z][A-Z.’' -]{1,40}(?:\([^)\n]{1,40}\))?:")


def claim(case: Comparison) -> Judgement | None:
    """Settle a claim: supported where the body has its words or a sentence says it, and does not deny it."""
    if not is_claim(case.headline):
        return None
    found = case.find(case.body)
    if found:
        passage = found[0][0], found[-1][1]
        [(start, end, _), *_] = sentences_with(case.body.text, [passage])
        if is_denied(case.headline) or not denies(case.body.text[start:end], case.headline.plain):
            return case.judge(Outcome.CLAIM_SUPPORTED, "its words stand in the body", passage=passage)
    return _claim_by_sentence(case)


def _claim_by_sentence(case: Comparison) -> Judgement:
    sentence = supporting_sentence(case, case.body)
    if sentence is not None:
        return case.judge(Outcome.CLAIM_SUPPORTED, "a sentence of the body has its content words", passage=sentence)
    if case.body.is_cut:
        return case.judge(Outcome.BODY_INCOMPLETE, f"claim not found, and the body is {case.body.status}")
    return case.judge(Outcome.CLAIM_UNSUPPORTED, "no sentence of the body has its content words")


def in_body_unquoted(case: Comparison) -> Judgement | None:
    """Settle a quote whose words stand in the body, but in none of its quotes, or only partly."""
    body = case.body
    if not all(part.letters in body.folded.letters for part in case.parts):
        return None
    # Parts from all over the article prove nothing: one paragraph must hold them.
    held = [(0, body)] if len(case.parts) == 1 else [(at, Text(body.text[at:end])) for at, end in paragraphs(body.text)]
    for start, text in held:
        found = case.find(text)
        if found:
            passage = (start + found[0][0], start + found[-1][1])
            where = "partly in a quote of it" if body.quotes_within(passage) else "in no quote of it"
            return case.judge(Outcome.IN_BODY_UNQUOTED, f"its words stand in the body, {where}", passage=passage)
    return None


def stated_by_body(case: Comparison) -> Judgement | None:
    """A statement without a speaker, such as a headline all in single marks, is the paper's own.

    So what the paper says outside quotes may support it.
    """
    sentence = supporting_sentence(case, case.body.narration) if is_impersonal(case.headline) else None
    if sentence is None:
        return None
    reason = "a sentence of the body, outside quotes, has its content words"
    return case.judge(Outcome.CLAIM_SUPPORTED, reason, passage=sentence)


def nearly_the_same(case: Comparison) -> Judgement | None:
    """A passage of the body has nearly the same words: in a quote of it the detector decides, outside marks this."""
    span, text = case.near.span, case.body.text
    if not case.near.is_carried or span is None or case.body.quotes_within(span):
        return None
    in_transcript = _TRANSCRIPT.match(text, text.rfind("\n", 0, span[0]) + 1)
    where = "a speaker's line in a transcript" if in_transcript else "a sentence without marks"
    return case.judge(Outcome.MODIFIED, f"{where} has nearly the same words", passage=span)


def phrase(case: Comparison) -> Judgement | None:
    """Words that name something: supported if a sentence has them, else no quotation."""
    quote = case.headline
    if is_claim_after_subject(quote) or (is_impersonal(quote) and not words(quote.around)):
        return _claim_by_sentence(case)
    is_read = quote.kind == "direct" and case.script == "latin" and not case.near.is_carried
    mention = mention_of(quote, case.body.text) if is_read else None
    if is_phrase(quote):
        judgement = _claim_by_sentence(case)
        if judgement.outcome is Outcome.CLAIM_SUPPORTED:
            return judgement
        mention = mention or "a few words credited to nobody"
    if mention is None:
        return None
    return case.judge(Outcome.NOT_A_QUOTATION, f"{mention}, found in no body quote")


def supporting_sentence(case: Comparison, text: Text) -> Span | None:
    """Find the first sentence of a text that has enough of the content words of a claim and does not deny it.

    Words are compared by their character 3-grams (2-grams where characters are syllables). That serves as stemming:
    "cutting" shares two of its five 3-grams with "cuts". Enough is ``claim_containment`` of them. A headline that
    denies the claim is supported by a sentence that does.
    """
    folded = case.headline.folded
    size = 2 if dominant_script(folded.letters) in SYLLABIC else 3
    grams = []
    for word in [word for word in folded.words if word not in _FUNCTION_WORDS] or folded.words:
        if len(word) > size:
            grams += [word[place : place + size] for place in range(len(word) - size + 1)]
        else:
            grams.append(word if len(word) == size else f" {word} ")
    for start, end in text.sentences if grams else ():
        sentence = text.text[start:end]
        padded = f" {' '.join(fold(sentence).words)} "
        if sum(gram in padded for gram in grams) < case.settings.claim_containment * len(grams):
            continue
        if is_denied(case.headline) or not denies(sentence, case.headline.plain):
            return start, end
    return None


def denies(sentence: str, claim: Plain) -> bool:
    """Whether a sentence has the words of a claim one after the other, and only one of the two negates them.

    A sentence that has them twice denies the claim only if it does so each time.

    >>> denies("The firm will not cut jobs.", plain("to cut jobs")), denies("It cuts jobs, not pay.", plain("cut jobs"))
    (True, False)
    """
    at = 0
    for times in range(MOST_TIMES):
        found = nearest(claim, plain(sentence[at:]))
        if found is None or not {*found.missing, *found.extra} <= _BESIDE:
            return times > 0
        if not found.negations:
            return False
        at += found.span[1]
    return True
