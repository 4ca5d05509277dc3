"""The words that the rules of quotes and of English speakers use; what each list holds is said in ``en.toml``.

They are closed classes (pronouns, prepositions) or short lists of the commonest cases in news. A missing word may
misclassify a quote. One missing from the lists of apostrophes or reporting verbs may also misplace its end.
"""

import re
from typing import Final

from quotelake.text.lexicon import reporting, table

#: Form of a verb of saying → its lemma; the forms that also precede their subject (*“…”, said Ruiz*), and those that
#: report only if their sentence has no other cue (*Ruiz wants “…”*).
CUES: Final = reporting("en")
SAYS: Final = frozenset(reporting("en", "say"))
WEAK: Final = frozenset(reporting("en", "think"))

#: The end of a sentence before the next one; not abbreviated titles, initials and short abbreviations (*Sen.*).
SENTENCE_END: Final = re.compile(
    r"\n|[.!?][\"'”’]?"
    r"(?<!\bMr\.)(?<!\bMs\.)(?<!\bDr\.)(?<!\bSt\.)(?<!\b[A-Z]\.)(?<!\b[A-Z][a-z]{2}\.)\s+(?=[A-Z“\"])"
)


def __getattr__(name: str) -> frozenset[str]:
    """A list of ``en.toml`` by its name in capitals, made a constant when it is first used.

    Raises:
        AttributeError: there is no such list.
    """
    try:
        words = globals()[name] = table(name.lower())
    except KeyError:
        raise AttributeError(f"{__name__} has no {name}, and en.toml no list {name.lower()}") from None
    return words
