"""Whether a body supports a short claim in single marks (*Firm 'to cut' 450 jobs*): its words in one sentence."""

from quotelake.contextomy.plain import nearest, plain
from quotelake.text.cues import NOT
from quotelake.text.fold import fold
from quotelake.text.language import SYLLABIC, dominant_script
from quotelake.text.sentences import sentences

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
        words = f" {' '.join(fold(body[start:end]).words)} "
        if sum(gram in words for gram in grams) < threshold * len(grams):
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
    words = [word for word in folded.words if word not in FUNCTION_WORDS] or list(folded.words)
    size = 2 if dominant_script(folded.letters) in SYLLABIC else 3
    return [gram for word in words for gram in _grams(word, size)]


def _grams(word: str, size: int) -> list[str]:
    if len(word) <= size:
        return [f" {word} " if len(word) < size else word]
    return [word[place : place + size] for place in range(len(word) - size + 1)]
