"""Whether a span states something, and which operators change what it states. Pure.

An operator belongs to a predicate: of a noun phrase those alone change the sense that turn its very words.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from quotelake.factuality.cues import cued_operators
from quotelake.factuality.operators import HEDGES, Clause, Operator, factuality
from quotelake.factuality.reading import WORDS, Reading, pattern
from quotelake.text.language import UNDETERMINED
from quotelake.text.lexicon import NOT, reporting

FINITE: Final = pattern("finite")
#: Words of a clause without a verb that :data:`FINITE` knows [ours].
WHOLE_CLAUSE: Final = 4
#: Operators that set something beside a statement.
BESIDE: Final = frozenset(("scope", "contrast"))
_PERSONS: Final = frozenset(("i", "we", "they", "he", "she", "it", "you", "who", "to", NOT))
_CLAUSE_BEGINS: Final = re.compile(r"[.,;:–—\"“”]")
_OPENS: Final = frozenset(reporting("en", "say")).union(*(WORDS[name] for name in ("believe", "know", "that_after")))


def is_in_english(language: str) -> bool:
    """Whether a text is read by the rules of English: one in an unknown language may be."""
    return language in ("en", UNDETERMINED)


def governing(clause: Clause, language: str) -> list[Operator]:
    """Operators that change what a span states; ``language`` in ISO 639-1."""
    if not is_in_english(language):
        return list(cued_operators(clause))
    reading, first, last = clause.reading, clause.first, clause.last
    states = FINITE.search(reading.text_of(first, last)) is not None
    states = states or continues_clause(reading, first, max(last - first + 1, 2))  # one word may be a verb: *not sell*
    return [one for one in counted(factuality(clause)) if states or (one.is_near and one.kind not in BESIDE)]


def counted(operators: Sequence[Operator]) -> list[Operator]:
    """Operators without negations that make none: two of them, or one in a question."""
    kinds = Counter(one.kind for one in operators)
    is_negated = kinds["negation"] % 2 == 1 and not kinds["question"]
    return [one for one in operators if is_negated or one.kind != "negation"]


def continues_clause(reading: Reading, first: int, words: int) -> bool:
    """Whether words without a finite verb state something: behind a subject or auxiliary, or as a whole clause."""
    if first == reading.sentences[first][0] or _CLAUSE_BEGINS.search(reading.gap_after(first - 1)):
        return words >= WHOLE_CLAUSE
    while first > 1 and reading.tokens[first - 1].form in HEDGES:
        first -= 1
    before = reading.tokens[first - 1].form
    if before == "that":
        return words > 1 and first > 1 and reading.tokens[first - 2].form in _OPENS
    return words > 1 and (before in _PERSONS or before in WORDS["auxiliary"])
