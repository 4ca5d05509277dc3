"""Rules' data per language: a TOML file each, named by the language's code. Another language is a file, not code."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

_NAMES: Final = frozenset("abcdefghijklmnopqrstuvwxyz")


@dataclass(frozen=True, slots=True)
class Language:
    """What the rules of one language look at.

    Attributes:
        cues: form of a reporting verb (lower case) → its lemma.
        inverted: of these forms, the ones that also stand before their subject (*“…”, said Ruiz*).
        weak: of these forms, the ones that report only where their sentence has no other (*Ruiz wants “…”*).
        words: lists of words by name, each documented in the file.
    """

    cues: Mapping[str, str]
    inverted: frozenset[str]
    weak: frozenset[str]
    words: Mapping[str, frozenset[str]]


@cache
def load_language(code: str) -> Language | None:
    """Load the rules' data of a language, once; None for a language without a file.

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
