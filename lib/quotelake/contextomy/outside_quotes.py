"""Rules on quotes whose words, or nearly, stand outside the quotes of a body, and on claims. Pure."""

import re
from collections.abc import Sequence

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
from quotelake.contextomy.plain import nearest, plain
from quotelake.text.align import find_parts
from quotelake.text.cues import NOT
from quotelake.text.fold import Span, fold, letter_spans
from quotelake.text.language import SYLLABIC, dominant_script
from quotelake.text.omissions import sentences_with
from quotelake.text.sentences import sentences
from quotelake.text.words import paragraphs, words

#: Words that carry no content of a claim [ours]; a claim of nothing else is compared by all its words.
FUNCTION_WORDS = frozenset(
    {
        "a", "an", "and", "are", "as", "at", "be", "been", "being", "by", "can", "could", "did", "do", "does", "for",
        "from", "had", "has", "have", "he", "her", "his", "i", "if", "in", "into", "is", "it", "its", "may", "might",
        "more", "must", "not", "of", "on", "or", "our", "out", "over", "she", "should", "so", "than", "that", "the",
        "their", "them", "they", "this", "to", "up", "was", "we", "were", "what", "when", "who", "will", "with",
        "would", "you", "your",
    }
)  # fmt: skip
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


def supporting_sentence(claim: str, body: str, threshold: float, *, is_denied: bool = False) -> tuple[int, int] | None:
    """Find the first sentence of a body that has enough of a claim's content words and does not deny it.

    Words are compared by their character 3-grams (2-grams where characters are syllables). That serves as stemming:
    "cutting" shares two of its five 3-grams with "cuts".

    Args:
        claim: the claim.
        body: the article's text.
        threshold: share of the content words' n-grams one sentence must have, above 0 to 1.
        is_denied: the headline denies the claim, so a sentence that does supports it.

    Returns:
        (start, end) of the sentence in code points, or None.

    >>> supporting_sentence("to cut jobs", "Sales fell. The firm is cutting 450 jobs.", 0.75)
    (12, 41)
    """
    grams = _content_grams(claim)
    if not grams:
        return None
    for start, end in sentences(body):
        sentence = f" {' '.join(fold(body[start:end]).words)} "
        if sum(gram in sentence for gram in grams) < threshold * len(grams):
            continue
        if is_denied or not denies(body[start:end], claim):
            return start, end
    return None


def denies(sentence: str, claim: str) -> bool:
    """Whether a sentence has the words of a claim one after the other, and only one of the two negates them.

    A sentence that has them twice denies the claim only if it does so each time.

    >>> denies("The firm will not cut jobs.", "to cut jobs"), denies("It cuts jobs, not pay.", "to cut jobs")
    (True, False)
    """
    own, at = plain(claim), 0
    for times in range(MOST_TIMES):
        found = nearest(own, plain(sentence[at:]))
        if found is None or not {*found.missing, *found.extra} <= _BESIDE:
            return times > 0
        if not found.negations:
            return False
        at += found.span[1]
    return True


def _content_grams(claim: str) -> list[str]:
    folded = fold(claim)
    content = [word for word in folded.words if word not in FUNCTION_WORDS] or list(folded.words)
    size = 2 if dominant_script(folded.letters) in SYLLABIC else 3
    return [gram for word in content for gram in _grams(word, size)]


def _grams(word: str, size: int) -> list[str]:
    if len(word) <= size:
        return [f" {word} " if len(word) < size else word]
    return [word[place : place + size] for place in range(len(word) - size + 1)]
