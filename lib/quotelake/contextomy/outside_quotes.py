"""Rules on quotes whose words, or nearly, stand outside the quotes of a body, and on claims. Pure."""

import re
from collections.abc import Sequence

from quotelake.contextomy.claim_support import denies, supporting_sentence
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
from quotelake.text.align import find_parts
from quotelake.text.fold import Span, fold, letter_spans
from quotelake.text.omissions import sentences_with
from quotelake.text.words import paragraphs, words

#: Beginning of a speaker's line in a transcript.
_TRANSCRIPT = re.compile(r"[ \t>*]{0,8}[A-Z][A-Z.’' -]{1,40}(?:\([^)\n]{1,40}\))?:")


def claim(case: Comparison) -> Judgement | None:
    """Settle a claim: supported where the body has its words or a sentence says it, and does not deny it."""
    if not is_claim(case.headline):
        return None
    found = find_parts(case.parts, case.body.folded, case.script)
    if found:
        passage = _passage(case.body.text, found)
        [(start, end, _), *_] = sentences_with(case.body.text, [passage])
        if is_denied(case.headline) or not denies(case.body.text[start:end], case.headline.text):
            return case.judge(Outcome.CLAIM_SUPPORTED, "its words stand in the body", passage=passage)
    return _claim_by_sentence(case)


def _claim_by_sentence(case: Comparison) -> Judgement:
    share = case.settings.claim_containment
    sentence = supporting_sentence(case.headline.text, case.body.text, share, is_denied=is_denied(case.headline))
    if sentence is not None:
        return case.judge(Outcome.CLAIM_SUPPORTED, "a sentence of the body has its content words", passage=sentence)
    if case.body.is_cut:
        return case.judge(Outcome.BODY_INCOMPLETE, f"claim not found, and the body is {case.body.status}")
    return case.judge(Outcome.CLAIM_UNSUPPORTED, "no sentence of the body has its content words")


def in_body_unquoted(case: Comparison) -> Judgement | None:
    """Settle a quote whose words stand in the body, but in none of its quotes, or only partly."""
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
            return case.judge(Outcome.IN_BODY_UNQUOTED, f"its words stand in the body, {where}", passage=passage)
    return None


def stated_by_body(case: Comparison) -> Judgement | None:
    """A statement without a speaker, such as a headline all in single marks, is the paper's own.

    So what the paper says outside quotes may support it.
    """
    if not is_impersonal(case.headline):
        return None
    share = case.settings.claim_containment
    sentence = supporting_sentence(case.headline.text, case.body.narration, share, is_denied=is_denied(case.headline))
    if sentence is None:
        return None
    return case.judge(
        Outcome.CLAIM_SUPPORTED, "a sentence of the body, outside quotes, has its content words", passage=sentence
    )


def _passage(text: str, found: Sequence[Span]) -> Span:
    """Where parts found in the letters of a text stand in the text."""
    letters = letter_spans(text)
    return letters[found[0][0]][0], letters[found[-1][1] - 1][1]


def nearly_the_same(case: Comparison) -> Judgement | None:
    """A passage of the body has nearly the same words: in a quote of it the detector decides, outside marks this."""
    span = case.near.span
    if not case.near.is_carried or span is None:
        return None
    if case.body.quotes_within(span):
        return None
    where = "a speaker's line in a transcript" if _in_transcript(case.body.text, span) else "a sentence without marks"
    return case.judge(Outcome.MODIFIED, f"{where} has nearly the same words", passage=span)


def _in_transcript(text: str, span: Span) -> bool:
    """Whether the line of a passage begins with a name in capitals and a colon, as transcripts do."""
    begin = text.rfind("\n", 0, span[0]) + 1
    return _TRANSCRIPT.match(text, begin) is not None


def phrase(case: Comparison) -> Judgement | None:
    """Words that name something: supported if a sentence has them, else no quotation."""
    fills = is_impersonal(case.headline) and not words(case.headline.around)
    if is_claim_after_subject(case.headline) or fills:
        return _claim_by_sentence(case)
    is_read = case.headline.kind == "direct" and case.script == "latin" and not case.near.is_carried
    mention = mention_of(case.headline, case.body.text) if is_read else None
    if mention is None and not is_phrase(case.headline):
        return None
    judgement = _claim_by_sentence(case)
    if judgement.outcome is Outcome.CLAIM_SUPPORTED and is_phrase(case.headline):
        return judgement
    return case.judge(Outcome.NOT_A_QUOTATION, f"{mention or 'a few words credited to nobody'}, found in no body quote")
