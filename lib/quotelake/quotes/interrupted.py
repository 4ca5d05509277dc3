"""Tell whether a reporting clause interrupts an utterance: *"We lost," Ito said, "but we learned."* is one sentence.

The second quote continues the first if only a reporting clause is between them and neither the first quote nor the
clause ends the sentence: the clause ends in a comma or dash, and so does the first quote, or the clause begins with
one. :mod:`quotelake.contextomy.utterances` later joins the text of such quotes for comparison.
"""

import re
from typing import Final

from quotelake.quotes.lexicon import FUNCTION_WORDS, REPORTING_VERBS, SENTENCE_END
from quotelake.text.lexicon import word_set
from quotelake.text.words import WORD

#: Most characters between the two parts, marks included: a name with its role and a verb.
_LONGEST_CLAUSE: Final = 120
_PAUSES: Final = frozenset(",-–—…")
_MARKS: Final = " \u00a0\"'“”‘’`«»„"
_BREAKS: Final = re.compile(r"[!?;:]")
#: Words between two quotes that show that the writer's sentence links them: *"a mess", he said, and "a shame"*.
_LINKS: Final = word_set("and or but that as of a an the to is was")


def interrupted(text: str, end: int, start: int) -> bool:
    """Whether the quote from ``start`` continues the sentence of the quote before it, which ended at ``end``.

    Args:
        text: the field with both quotes.
        end: one past the last character of the first quote, without its mark.
        start: first character of the second quote, without its mark.

    >>> text = '"We lost," Ito said, "but we learned."'
    >>> interrupted(text, 9, 22)
    True
    """
    if not 4 <= start - end <= _LONGEST_CLAUSE:
        return False
    clause = text[end:start].rstrip(_MARKS)
    if not clause or clause[-1] not in _PAUSES:
        return False
    if text[end - 1] not in _PAUSES and clause.lstrip(_MARKS)[:1] not in _PAUSES:
        return False
    words = WORD.findall(clause.lower())
    if not words or words[-1] in _LINKS or (words[0] in FUNCTION_WORDS and words[0] not in ("he", "they", "we", "i")):
        return False
    return not REPORTING_VERBS.isdisjoint(words) and not _BREAKS.search(clause) and not SENTENCE_END.search(clause)
