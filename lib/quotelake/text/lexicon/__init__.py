"""Words by their function, as data: one TOML file per language, named by its ISO 639-1 code; codes of languages.

Tables of a file, each optional: ``cues`` (words that negate, limit or weaken a statement; an excerpt must not omit them
silently), ``reporting`` (verbs of saying, by how surely they report), ``words`` (named lists, documented in the file)
and ``forms`` (irregular forms). In ``cues`` a ``*`` means any letters, so ``kein*`` begins a word and ``*n't`` ends
one; everything else is a whole word or phrase.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Final

_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz")
#: Stands for any negation; a letter, so that folding keeps it as a word.
NOT: Final = "ʔ"
#: Script → languages whose cues are searched for together: hardly a cue of one means something else in another.
LANGUAGES: Final[Mapping[str, tuple[str, ...]]] = {"latin": ("en", "de", "fr"), "hangul": ("ko",)}
#: Negative only where no punctuation follows: "No, we won" answers, "no money" negates.
_ANSWER_PARTICLES: Final = frozenset(("no", "non"))
#: Only in lower case: May is a month.
_CASED: Final = frozenset(("may",))


@cache
def load_lexicon(code: str, room: str = __name__) -> Mapping[str, Any]:
    """The file of a language by its ISO 639-1 code, from the package ``room``; empty if there is none.

    >>> sorted(load_lexicon("de")), load_lexicon("tlh")
    (['cues', 'words'], {})
    """
    file = resources.files(room).joinpath(f"{code}.toml")
    if not _LETTERS.issuperset(code) or not file.is_file():
        return {}
    return tomllib.loads(file.read_text("utf-8"))


def table(name: str, code: str = "en", room: str = __name__) -> frozenset[str]:
    """Words of a list of the table ``words``; KeyError if the language has no such list.

    >>> "nevertheless" in table("adverbs")
    True
    """
    return word_set(load_lexicon(code, room)["words"][name])


def word_set(words: str) -> frozenset[str]:
    """Words separated by white space."""
    return frozenset(words.split())


@cache
def cues_of(name: str, code: str) -> tuple[str, ...]:
    """Cues of a class: ``NEGATION``, ``CONDITION``, ``HEDGE``, ``QUESTION``, ``CONTRAST`` or ``CONCESSION``.

    >>> cues_of("CONTRAST", "de")[:2]
    ('aber', 'jedoch')
    """
    return tuple(load_lexicon(code)["cues"][name.lower()])


@cache
def cue_pattern(name: str, script: str) -> re.Pattern[str] | None:
    """One pattern for the cues of a class in all languages of a script; None for a script without lists."""
    words: dict[tuple[str, str], list[str]] = {}  # by the edges required before and after them
    for code in LANGUAGES.get(script, ()):
        for cue in sorted(cues_of(name, code), key=len, reverse=True):  # *no one* before *no*
            edges = ("" if cue.startswith("*") else r"(?<!\w)", "" if cue.endswith("*") else r"(?!\w)")
            word = re.escape(cue.strip("*")).replace(r"\ ", r"\s+")
            word = f"(?-i:{word})" if cue in _CASED else word
            words.setdefault(edges, []).append(word + (r"(?!\w|\s*[,.!;:])" if cue in _ANSWER_PARTICLES else ""))
    # Edges are outside the alternatives, so that the engine can select an alternative by its first letter.
    groups = [f"{before}(?:{'|'.join(alternatives)}){after}" for (before, after), alternatives in words.items()]
    return re.compile("|".join(groups), re.IGNORECASE) if groups else None


@cache
def reporting(code: str, *groups: str, room: str = __name__) -> Mapping[str, str]:
    """Form of a verb of saying (lower case) → its lemma, of some groups of the table ``reporting``, or of all.

    >>> reporting("en", "say")["told"], "wants" in reporting("en", "say")
    ('tell', False)
    """
    verbs = load_lexicon(code, room)["reporting"]
    listed = (verbs[group] for group in groups or verbs)
    return {form: lemma for group in listed for lemma, forms in group.items() for form in forms.split()}
