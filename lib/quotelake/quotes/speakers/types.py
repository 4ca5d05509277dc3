"""The type of a speaker by the words of its phrase: person, organisation, document, somebody unnamed, crowd."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from quotelake.quotes.lexicon import WORDS as en
from quotelake.quotes.lexicon import Tables
from quotelake.text.lexicon import word_set

#: Lists of nouns → type of speaker, the surest first.
_TYPES: Final = {
    "anonymous": "anonymous",
    "roles": "person",
    "documents": "document",
    "organisations": "organisation",
    "crowd": "crowd",
}
#: Types by the pronoun that speaks.
_PRONOUNS: Final = {
    "crowd": frozenset(("they", "we", "everyone")),
    "anonymous": word_set("another others somebody someone nobody one some many"),
    "organisation": frozenset(("it",)),
}


def type_by_table(words: Sequence[str], table: Tables) -> str:
    """Type by the first noun that a list of the language has."""
    return next((kind for word in words for name, kind in _TYPES.items() if table.is_noun(word, name)), "person")


@lru_cache(maxsize=16_384)
def speaker_type(words: tuple[str, ...]) -> str:
    """Type of an English speaker by the words of its phrase, apposition excluded.

    >>> [speaker_type(tuple(name.split())) for name in ("Ana Ruiz", "the Harbour Authority", "one aide")]
    ['person', 'organisation', 'anonymous']
    """
    low = [word.lower().removesuffix("'s").removesuffix("’s").rstrip(".") for word in words]
    if len(low) == 1 and words[0] != "US" and low[0] in en["pronouns"]:
        return next((kind for kind, pronouns in _PRONOUNS.items() if low[0] in pronouns), "person")
    end = next((k for k in range(1, len(low)) if low[k] in en["joining"] and not _in_name(words, k)), len(low))
    head = low[end - 1]
    if words[end - 1][:1].isupper() and not (end == 1 and head in en["roles"]):
        return _of_name(words[:end], low[:end])
    indefinite = low[0] in en["indefinite"]
    if head in en["documents"]:
        return "document"
    if head in en["organisations"]:
        return "organisation"
    several = head in en["sources"] and (indefinite or head[-1:] == "s" or head == "people")
    if head in en["crowd"] and not (indefinite and several):
        return "crowd"
    roles = head[-1:] == "s" and head[:-1] in en["roles"]
    return "anonymous" if several or indefinite or roles else "person"


def _of_name(words: tuple[str, ...], low: list[str]) -> str:
    head = low[-1]
    if head in en["documents"] and (len(words) > 1 or head not in en["organisations"]):
        return "document"
    lower = [word for word, raw in zip(low, words, strict=True) if raw[:1].islower()]
    if low[0] == "the" and en["roles"].isdisjoint(lower) and en["titles"].isdisjoint(low):
        return "organisation"
    acronym = len(words) == 1 and len(head) > 1 and words[0].isupper() and "." not in words[0]
    return "organisation" if acronym or head in en["organisations"] else "person"


def _in_name(words: tuple[str, ...], k: int) -> bool:
    """Whether *of* is part of a name (*the Bank of Avalon*)."""
    return k + 1 < len(words) and words[k - 1][:1].isupper() and words[k + 1][:1].isupper() and words[k] == "of"
