"""The type of a speaker: person, organisation, document, anonymous or crowd; told by the head of the phrase."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from quotelake.quotes.speakers.language import load_language

SPEAKER_TYPES: Final = ("person", "organisation", "document", "anonymous", "crowd")
_CROWD_PRONOUNS: Final = frozenset(("they", "we", "everyone"))
_UNNAMED_PRONOUNS: Final = frozenset(("another", "others", "somebody", "someone", "nobody", "one", "some", "many"))


@lru_cache(maxsize=16_384)
def speaker_type(words: tuple[str, ...], code: str) -> str:
    """Tell the type of a speaker from the words of its phrase, apposition excluded.

    A name is a person unless its last word, an article or all capitals show an organisation or document. A role is a
    person (*the mayor*), or anonymous after an indefinite word (*an aide*); several people are a crowd or anonymous.

    >>> [speaker_type(tuple(name.split()), "en") for name in ("Ana Ruiz", "the Harbour Authority", "one aide")]
    ['person', 'organisation', 'anonymous']
    """
    language = load_language(code)
    if language is None or not words:
        return "person"
    lists = language.words
    low = [word.lower().removesuffix("'s").removesuffix("’s").rstrip(".") for word in words]
    if len(low) == 1 and words[0] != "US" and low[0] in lists["pronouns"]:
        return _of_pronoun(low[0])
    end = next((k for k in range(1, len(low)) if low[k] in lists["joining"] and not _in_name(words, k)), len(low))
    head = low[end - 1]
    if words[end - 1][:1].isupper() and not (end == 1 and head in lists["roles"]):
        return _of_name(words[:end], low[:end], lists)
    indefinite = low[0] in lists["indefinite"]
    if head in lists["documents"]:
        return "document"
    if head in lists["organisations"]:
        return "organisation"
    if head in lists["crowd"] and not (indefinite and head in lists["sources"]):
        return "crowd"
    if head in lists["sources"] and (indefinite or head[-1:] == "s" or head == "people"):
        return "anonymous"
    if head[-1:] == "s" and head[:-1] in lists["roles"]:
        return "anonymous"
    return "anonymous" if indefinite else "person"


def _of_pronoun(word: str) -> str:
    if word in _CROWD_PRONOUNS:
        return "crowd"
    if word in _UNNAMED_PRONOUNS:
        return "anonymous"
    return "organisation" if word == "it" else "person"


def _of_name(words: tuple[str, ...], low: list[str], lists: Mapping[str, frozenset[str]]) -> str:
    """Type of a phrase that ends in a capitalised word."""
    head = low[-1]
    plain = [word for word, raw in zip(low, words, strict=True) if raw[:1].islower()]
    if head in lists["documents"] and (len(words) > 1 or head not in lists["organisations"]):
        return "document"
    if head in lists["organisations"]:
        return "organisation"
    if low[0] == "the" and lists["roles"].isdisjoint(plain) and lists["titles"].isdisjoint(low):
        return "organisation"
    acronym = len(words) == 1 and len(head) > 1 and words[0].isupper() and "." not in words[0]
    return "organisation" if acronym else "person"


def _in_name(words: tuple[str, ...], k: int) -> bool:
    """Whether *of* is part of a name (*the Bank of Avalon*)."""
    return k + 1 < len(words) and words[k - 1][:1].isupper() and words[k + 1][:1].isupper() and words[k] == "of"
