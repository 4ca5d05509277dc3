"""Cues: words that negate, limit or weaken a statement; an excerpt must not omit them silently.

The lists are the tables ``cues`` of :mod:`quotelake.text.lexicon`. ``*`` means any letters, so ``kein*`` begins a word
and ``*n't`` ends one; everything else is a whole word or phrase.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from quotelake.text.lexicon import load_lexicon

#: Stands for any negation; a letter, so that folding keeps it as a word.
NOT: Final = "ʔ"
#: Script → languages whose cues are searched for in its texts. They are searched for together: hardly a cue of one
#: language means something else in another.
LANGUAGES: Final[Mapping[str, tuple[str, ...]]] = {"latin": ("en", "de", "fr"), "hangul": ("ko",)}
#: Negative only where no punctuation follows: "No, we won" answers, "no money" negates.
_ANSWERS: Final = frozenset(("no", "non"))
#: Only in lower case: May is a month.
_CASED: Final = frozenset(("may",))


@cache
def cues_of(name: str, code: str) -> tuple[str, ...]:
    """Cues of a class in a language.

    Args:
        name: ``NEGATION``, ``CONDITION``, ``HEDGE``, ``QUESTION``, ``CONTRAST`` or ``CONCESSION``.
        code: ISO 639-1, one of those in :data:`LANGUAGES`.

    >>> cues_of("CONTRAST", "de")[:2]
    ('aber', 'jedoch')
    """
    return tuple(load_lexicon(code)["cues"][name.lower()])


@cache
def cue_pattern(name: str, script: str) -> re.Pattern[str] | None:
    """Compile one pattern for the cues of a class in all languages of a script; None for a script without lists.

    Args:
        name: as of :func:`cues_of`.
        script: as :func:`quotelake.text.language.dominant_script` names it.
    """
    words: dict[tuple[str, str], list[str]] = {}  # by the edges required before and after them
    for code in LANGUAGES.get(script, ()):
        for cue in sorted(cues_of(name, code), key=len, reverse=True):  # *no one* before *no*
            edges = ("" if cue.startswith("*") else r"(?<!\w)", "" if cue.endswith("*") else r"(?!\w)")
            words.setdefault(edges, []).append(_expression(cue))
    # Edges are outside the alternatives, so that the engine can select an alternative by its first letter.
    groups = [f"{before}(?:{'|'.join(alternatives)}){after}" for (before, after), alternatives in words.items()]
    return re.compile("|".join(groups), re.IGNORECASE) if groups else None


def begins_cue(word: str, name: str) -> bool:
    """Whether a word in small letters is the first one of a cue of several words, of a class in any language.

    >>> [word for word in ("no", "nulle", "part", "하지") if begins_cue(word, "NEGATION")]
    ['no', 'nulle', '하지']
    """
    return any(word == first or (first[0] == "*" and word.endswith(first[1:])) for first in _first_words(name))


@cache
def _first_words(name: str) -> tuple[str, ...]:
    """First words of the cues of several words."""
    cues = [cue for codes in LANGUAGES.values() for code in codes for cue in cues_of(name, code)]
    return tuple(cue.split()[0] for cue in cues if " " in cue)


def sign_negations(text: str) -> str:
    """The text with :data:`NOT` for each negation of a language in Latin script, every other character in its place.

    >>> sign_negations("We will never go")
    'We will ʔ     go'
    """
    pattern = cue_pattern("NEGATION", "latin")
    assert pattern is not None  # there are lists for this script
    return pattern.sub(lambda found: NOT + " " * (len(found.group()) - 1), text)


def _expression(cue: str) -> str:
    word = re.escape(cue.strip("*")).replace(r"\ ", r"\s+")
    if cue in _CASED:
        word = f"(?-i:{word})"
    if cue in _ANSWERS:
        word += r"(?!\w|\s*[,.!;:])"
    return word
