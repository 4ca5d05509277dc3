"""Data of the rules that find speakers: one TOML file per language, named by its ISO 639-1 code.

A file alone does not add a language. One with the word lists of ``en.toml`` is read by the English rules, which assume
English word order; another grammar needs code, such as :mod:`quotelake.quotes.speakers.korean`. The words of the rules
that find and classify quotes are in :mod:`quotelake.quotes.lexicon`.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

_NAMES: Final = frozenset("abcdefghijklmnopqrstuvwxyz")


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
    """Load the data of a language by its code, once; None for a language without a file.

    >>> load_language("en").cues["told"]
    'tell'
    >>> load_language("tlh") is None
    True
    """
    if not code or not _NAMES.issuperset(code):
        return None
    file = resources.files(__name__).joinpath(f"{code}.toml")
    if not file.is_file():
        return None
    data = tomllib.loads(file.read_text("utf-8"))
    cues = {form: lemma for group in data["cues"].values() for lemma, forms in group.items() for form in forms.split()}
    inverted = frozenset(form for forms in data["cues"]["say"].values() for form in forms.split())
    weak = frozenset(form for forms in data["cues"].get("think", {}).values() for form in forms.split())
    return Language(cues, inverted, weak, {name: frozenset(words.split()) for name, words in data["words"].items()})
