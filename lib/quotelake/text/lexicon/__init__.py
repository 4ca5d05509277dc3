"""Words by what they do, as data: one TOML file per language, named by its ISO 639-1 code. This is their one reader.

Tables of a file: ``cues`` (words that negate, limit or weaken a statement, see :mod:`quotelake.text.cues`),
``reporting`` (verbs of saying, by how surely they report), ``words`` (named lists of words, each documented in the
file), ``forms`` (irregular forms) and ``opposites``. A file need not have all of them.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Final

_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz")


@cache
def load_lexicon(code: str) -> Mapping[str, Any]:
    """Load the file of a language by its code, once; empty for a language without a file.

    >>> sorted(load_lexicon("de")), load_lexicon("tlh")
    (['cues', 'words'], {})
    """
    file = resources.files(__name__).joinpath(f"{code}.toml")
    if not _LETTERS.issuperset(code) or not file.is_file():
        return {}
    return tomllib.loads(file.read_text("utf-8"))


def table(name: str, code: str = "en") -> frozenset[str]:
    """Words of a list of the table ``words``.

    Raises:
        KeyError: the language has no such list.

    >>> "nevertheless" in table("adverbs")
    True
    """
    return word_set(load_lexicon(code)["words"][name])


def word_set(words: str) -> frozenset[str]:
    """Words separated by white space."""
    return frozenset(words.split())
