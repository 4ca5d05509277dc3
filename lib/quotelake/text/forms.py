"""Which words mean the same: forms of an English word (*took* and *takes*), names of a person.

Forms are recognised by endings and the irregular forms of the lexicon. They are rough: *speed* loses its end as
*called* does, and *united* and *units* are one. That does no harm if both texts are read alike. [ours]
"""

import re
from functools import lru_cache
from typing import Final

from quotelake.text.fold import fold
from quotelake.text.lexicon import load_lexicon, table

#: Prefixes of irregular forms: *misled*, *rebuilt*, *withdrawn*.
_PREFIXES: Final = ("", "mis", "out", "over", "re", "under", "with")
_BASES: Final = {
    prefix + form: prefix + base
    for prefix in _PREFIXES
    for base, forms in load_lexicon("en")["forms"].items()
    for form in forms.split()
}
#: British endings and the American ones.
_SPELLING: Final = (
    (re.compile(r"isation$"), "ization"),
    (re.compile(r"(?<=[a-z]{3})is(e|ed|ing)$"), r"iz\1"),
    (re.compile(r"ys(e|ed|ing)$"), r"yz\1"),
    (re.compile(r"(?<=[a-z]{2})our(ed|ing|ite|able)?$"), r"or\1"),
    (re.compile(r"(?<=[a-z][bt])re$"), "er"),
    (re.compile(r"(?<=[aeiou])ller$"), "ler"),
    (re.compile(r"(?<=[a-z]{3})ence$"), "ense"),
    (re.compile(r"ogue$"), "og"),
    (re.compile(r"(?<=c)ei(?=v)"), "ie"),  # a common misspelling
)
_ENDING: Final = re.compile(r"(?<=[a-z]{2})(?:ing|ed)$")
_VOWEL: Final = re.compile(r"[aeiouy]")
_DOUBLED: Final = re.compile(r"(?<=[a-z]{2})([b-df-hj-np-tv-z])\1$")


@lru_cache(maxsize=1 << 14)
def base_form(word: str) -> str:
    """The stem that all forms of a folded word share."""
    if len(word) < 3 or not (word.isascii() and word.isalpha()):
        return word
    word = _BASES.get(word, word)
    if len(word) > 3 and word[-1] == "s" and word[-2] not in "sui":
        word = word[:-1]
    for pattern, american in _SPELLING:
        word = pattern.sub(american, word)
    stem = _ENDING.sub("", word)
    if len(stem) > 2 and _VOWEL.search(stem):
        word = stem
    stem = word.rstrip("e")
    word = stem if len(stem) > 2 else word
    if word.endswith("i"):
        return word[:-1] + "y"
    return _DOUBLED.sub(r"\1", word)


_BESIDE_NAMES: Final = table("beside_names")


def name_words(phrase: str) -> list[str]:
    """Folded words of a phrase that may distinguish people: no titles, no words that go with names.

    >>> name_words("the mayor, Dr. Ana Ruiz")
    ['mayor', 'ana', 'ruiz']
    """
    return [word for word in fold(phrase).words if word not in _BESIDE_NAMES]


def may_be_same_person(one: str, other: str) -> bool:
    """Whether two full names share a word that is no title."""
    return not set(name_words(one)).isdisjoint(name_words(other))
