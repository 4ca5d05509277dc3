"""Words by what they do, as data: one TOML file per language, named by its ISO 639-1 code. This is their one reader.

Tables of a file: ``cues`` (words that negate, limit or weaken a statement, see :mod:`quotelake.text.cues`),
``reporting`` (verbs of saying, by how surely they report), ``words`` (named lists of words, each documented in the
file), ``forms`` (irregular forms) and ``opposites``. A file need not have all of them.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz")


@cache
def load_lexicon(code: str, room: str = __name__) -> Mapping[str, Any]:
    """Load the file of a language by its code, once; empty for a language without a file.

    Args:
        code: ISO 639-1.
        room: package that has the file; one with lists of its own names the version it is part of.

    >>> sorted(load_lexicon("de")), load_lexicon("tlh")
    (['cues', 'words'], {})
    """
    file = resources.files(room).joinpath(f"{code}.toml")
    if not _LETTERS.issuperset(code) or not file.is_file():
        return {}
    return tomllib.loads(file.read_text("utf-8"))


def table(name: str, code: str = "en", room: str = __name__) -> frozenset[str]:
    """Words of a list of the table ``words``.

    Raises:
        KeyError: the language has no such list.

    >>> "nevertheless" in table("adverbs")
    True
    """
    return word_set(load_lexicon(code, room)["words"][name])


def word_set(words: str) -> frozenset[str]:
    """Words separated by white space."""
    return frozenset(words.split())


@dataclass(frozen=True, slots=True)
class Language:
    """The words of one language that the rules that find speakers use.

    A file alone does not add a language. One with the word lists of ``en.toml`` is read by the English rules, which
    assume English word order; another grammar needs code, as Korean has.

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
