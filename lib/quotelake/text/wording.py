"""A text as folded words with clauses, split contractions and any negation as one sign, to compare word by word. Pure.

For Latin script: negations are those of :mod:`quotelake.text.lexicon`, small words are English.
"""

import re
from bisect import bisect_right
from typing import Final, NamedTuple

from quotelake.text.fold import fold_words
from quotelake.text.lexicon import NOT, sign_negations, table
from quotelake.text.words import sentences

#: Words without content beside tense, mood and degree; articles; sounds.
SMALL: Final = table("small")
#: Endings after an apostrophe and stems before *n't*, as the words they stand for.
WHOLE: Final = {
    "re": "are", "ll": "will", "ve": "have", "m": "am", "s": "is", "d": "would", "ca": "can", "wo": "will",
    "sha": "shall", "ai": "is",
}  # fmt: skip
#: Begin another clause, which no negation before them reaches; a relative clause it does (*nobody who sails*).
_CONJUNCTIONS: Final = frozenset(("and", "but", "because", "so", "while"))
_CLAUSE: Final = re.compile(r"[,;:()–—…]|(?<!\s)\s++-++\s")
#: Replacements before words are read, in this order; an empty one stands for as many blanks.
_APART: Final = [
    (re.compile(pattern, re.IGNORECASE), instead)
    for pattern, instead in (
        # Negations that deny nothing said here.
        (r"(?<!\w)(?:not\s(?:only|just|merely|simply|least)|(?:no|without)\s(?:doubt|question))(?!\w)", ""),
        (r"(?<!\w)a\sfew(?!\w)", " some"),
        # Words beside a negation that add only the time.
        (r"(?:(?<=\bno\s)longer|(?<=\bany\s)(?:longer|more))(?!\w)", ""),
        (r"(?<!\w)cannot(?!\w)", f"can {NOT} "),
        (r"n['’]t(?!\w)", f" {NOT} "),
        (r"(?<=\w)['’](?=(?:re|ll|ve|m|s|d)(?!\w))", " "),
    )
]
_QUESTION: Final = re.compile(r"[?？]")


class Token(NamedTuple):
    """A word as it is compared, any negation as :data:`NOT`; its span, and the number of its clause."""

    form: str
    start: int
    end: int
    clause: int


def read_tokens(text: str) -> tuple[list[Token], frozenset[int]]:
    """Folded words with their offsets and clauses, negations as one sign; and the clauses of questions.

    >>> [token.form for token in read_tokens("It isn't safe, I'd say")[0]]
    ['it', 'is', 'ʔ', 'safe', 'i', 'd', 'say']
    """
    spans = sentences(text)
    ends = [end for _, end in spans]
    tokens: list[Token] = []
    clauses = [0]  # the sentence of each
    at = 0
    for form, (start, end) in fold_words(_spelled_out(text)):
        sentence = bisect_right(ends, start)
        if sentence != clauses[-1] or _CLAUSE.search(text, at, start) or form in _CONJUNCTIONS:
            clauses.append(sentence)
        tokens.append(Token(form, start, end, len(clauses) - 1))
        at = end
    asked = {sentence for sentence in clauses if spans and _QUESTION.search(text, *spans[sentence])}
    return tokens, frozenset(clause for clause, sentence in enumerate(clauses) if sentence in asked)


def _spelled_out(text: str) -> str:
    """The text with contractions apart and each negation as one sign, every other character in its place."""
    for pattern, instead in _APART:
        text = pattern.sub(instead or (lambda found: " " * len(found[0])), text)
    return sign_negations(text)
