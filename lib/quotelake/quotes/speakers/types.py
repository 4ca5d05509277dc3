"""The type of a speaker by the words of its phrase: person, organisation, document, somebody unnamed, crowd."""

from functools import lru_cache
from typing import Final

from quotelake.quotes.lexicon import EN, ENGLISH, Tables
from quotelake.quotes.speakers.clauses import POSSESSIVE
from quotelake.text.lexicon import word_set

#: Lists of nouns and the type of speaker that they are, the surest first.
_TYPES: Final = (
    ("anonymous", "anonymous"), ("roles", "person"), ("documents", "document"), ("organisations", "organisation"),
    ("crowd", "crowd"),
)  # fmt: skip
#: Types of pronouns that are no person.
_PRONOUNS: Final = {"it": "organisation", "they": "crowd", "we": "crowd", "everyone": "crowd"} | dict.fromkeys(
    word_set("another others somebody someone nobody one some many"), "anonymous"
)


@lru_cache(maxsize=16_384)
def speaker_type(words: tuple[str, ...], table: Tables = ENGLISH) -> str:
    """Type of a speaker by the words of its phrase without apposition: in English by its head, else by the first noun.

    >>> [speaker_type(tuple(name.split())) for name in ("Ana Ruiz", "the Harbour Authority", "one aide")]
    ['person', 'organisation', 'anonymous']
    """
    if table is not ENGLISH:
        return next((kind for word in words for name, kind in _TYPES if table.is_noun(word, name)), "person")
    low = [word.lower().removesuffix("'s").removesuffix("’s").rstrip(".") for word in words]
    if len(low) == 1 and words[0] != "US" and low[0] in EN["pronouns"]:
        return _PRONOUNS.get(low[0], "person")
    end = next((k for k in range(1, len(low)) if low[k] in EN["joining"]), len(low))
    head, written = low[end - 1], words[end - 1]
    if head in EN["documents"] or head in EN["organisations"]:
        return "document" if head in EN["documents"] else "organisation"
    indefinite = low[0] in EN["indefinite"]
    if written[:1].isupper():
        nouns = {word for word, raw in zip(low, words, strict=True) if raw[:1].islower()} | (EN["titles"] & {*low})
        person = not nouns.isdisjoint(EN["roles"] | EN["titles"]) or any(word[-2:] in POSSESSIVE for word in words)
        acronym = end == 1 == len(words) and len(head) > 1 and written.isupper() and "." not in written
        return "organisation" if acronym or (low[0] == "the" and not person) else "person"
    several = head in EN["sources"] and (indefinite or head[-1:] == "s" or head == "people")
    if head in EN["crowd"] and not (indefinite and several):
        return "crowd"
    roles = head[-1:] == "s" and head[:-1] in EN["roles"]
    return "anonymous" if several or indefinite or roles else "person"
