"""Interrupted utterances: *"We lost," Ito said, "but we learned."* is one sentence in two quotes.

The second part belongs to the first if only a reporting clause stands between them and neither part nor clause ends the
sentence: a comma or dash closes the clause, and a comma, dash or nothing the first part.
"""

import re
from typing import Final

from quotelake.quotes.lexicon import FUNCTION_WORDS, REPORTING_VERBS, SENTENCE_END, table
from quotelake.text import WORD

#: Characters between the two parts, marks included: a name with its role and a verb.
_LONGEST_CLAUSE: Final = 120
_PAUSES: Final = frozenset(",-–—…")
_MARKS: Final = " \u00a0\"'“”‘’`«»„"
_BREAKS: Final = re.compile(r"[!?;:]")
#: Link two quotes that are parts of the writer's sentence: *"a mess", he said, and "a shame"*.
_LINKS: Final = table("and or but that as of a an the to is was")


def interrupted(text: str, end: int, start: int) -> bool:
    """Whether the quote from ``start`` goes on with the sentence of the one that ended at ``end``.

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
