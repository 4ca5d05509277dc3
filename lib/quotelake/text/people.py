"""Names of people: their words, and whether two names may be of one person. Pure."""

from typing import Final

from quotelake.text.fold import fold
from quotelake.text.lexicon import table

_EMPTY: Final = table("beside_names")


def name_words(phrase: str) -> list[str]:
    """Folded words of a phrase that may tell people apart.

    >>> name_words("the mayor, Dr. Ana Ruiz")
    ['mayor', 'ana', 'ruiz']
    """
    return [word for word in fold(phrase).words if word not in _EMPTY]


def may_be_same_person(one: str, other: str) -> bool:
    """Whether two full names may be of one person: they share a word that is no title.

    >>> may_be_same_person("Ana Ruiz", "Ana B. Ruiz-Bell"), may_be_same_person("Ana Ruiz", "Rita Bell")
    (True, False)
    """
    return not set(name_words(one)).isdisjoint(name_words(other))
