"""The words that the rules that find speakers use, of one language.

A file of :mod:`quotelake.text.lexicon` alone does not add a language. One with the word lists of ``en.toml`` is read by
the English rules, which assume English word order; another grammar needs code, such as
:mod:`quotelake.quotes.speakers.korean`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from quotelake.text.lexicon import load_lexicon, word_set


@dataclass(frozen=True, slots=True)
class Language:
    """The words that the rules of one language use.

    Attributes:
        cues: form of a reporting verb (lower case) → its lemma.
        inverted: of these forms, those that may precede their subject (*“…”, said Ruiz*).
        weak: of these forms, those that report only if their sentence has no other cue (*Ruiz wants “…”*).
        words: lists of words by name, each documented in the file.
    """

    cues: Mapping[str, str]
    inverted: frozenset[str]
    weak: frozenset[str]
    words: Mapping[str, frozenset[str]]


@cache
def load_language(code: str) -> Language | None:
    """Load the words of a language by its code, once; None for a language without rules.

    >>> load_language("en").cues["told"]
    'tell'
    >>> load_language("de") is None
    True
    """
    lexicon = load_lexicon(code)
    if "reporting" not in lexicon:
        return None
    verbs = lexicon["reporting"]
    cues = {form: lemma for group in verbs.values() for lemma, forms in group.items() for form in forms.split()}
    inverted = word_set(" ".join(verbs["say"].values()))
    weak = word_set(" ".join(verbs.get("think", {}).values()))
    return Language(cues, inverted, weak, {name: word_set(words) for name, words in lexicon["words"].items()})
