"""What an excerpt left out of the sentences it was taken from: a negation, a condition, a hedge, the question mark.

Containment is not fidelity: an excerpt has all its words from the body and may still say the opposite. Only the
sentences that hold a part of the excerpt are looked at, since what stands in the next one can always be left out.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from quotelake.contextomy import cues
from quotelake.contextomy.folding import Span, dominant_script, fold

#: What weighs among what is left out; the columns are these with ``omitted_`` in front.
CLASSES = ("negation", "condition", "hedge", "question")
# Possessive, and only at the start of a run of stops: linear for any text.
_BREAK = re.compile(r"""(?<![.!?…])(?P<stop>[.!?…]++)["'”’»)\]]*+(?:\s++|$)|[。！？]+[」』”’)）]*|\n\s*+""")
_LAST_WORD = re.compile(r"(\S*)$")
_QUESTION = re.compile(r"[?？؟]")
_QUESTION_END = re.compile(r"[?？؟][\s!.…\"'”’»)\]」』]*$")
_WORD = re.compile(r"\w")
_LEADING_MARKS = re.compile(r"^[^\w]+")


@dataclass(frozen=True, slots=True)
class Omissions:
    """Parts of a quote an excerpt leaves out, as (start, end) in code points, and what is among them."""

    spans: tuple[Span, ...]
    negation: bool
    condition: bool
    hedge: bool
    question: bool

    @property
    def classes(self) -> tuple[str, ...]:
        """Those of :data:`CLASSES` that were found."""
        return tuple(name for name in CLASSES if getattr(self, name))


def omissions(text: str, kept: Sequence[Span], excerpt: str) -> Omissions:
    """Say what of a quote an excerpt leaves out.

    Args:
        text: the quote the excerpt was taken from.
        kept: where the excerpt stands in it, in order, in code points.
        excerpt: the excerpt as the headline gives it: it may keep the question mark.

    >>> omissions("We will cut taxes if we win. No doubt.", [(0, 17)], "We will cut taxes").classes
    ('condition',)
    """
    held = [(start, end) for start, end in sentences(text) if any(start < last and first < end for first, last in kept)]
    left = [text[first:last] for start, end in held for first, last in _gaps(start, end, kept)]
    script = dominant_script(fold(text).letters) or "latin"
    asked = sum(_is_question(text[start:end], script) for start, end in held)
    return Omissions(
        spans=tuple(trimmed for gap in _gaps(0, len(text), kept) if (trimmed := _trim(text, gap)) is not None),
        negation=_any_cue("NEGATION", script, left),
        condition=_any_cue("CONDITION", script, left),
        hedge=_any_cue("HEDGE", script, left),
        question=asked > _questions_in(excerpt, script),
    )


def sentences(text: str) -> list[Span]:
    """Split a text into sentences: (start, end) in code points, white space after one belongs to it.

    A full stop ends none after an abbreviation, an initial or in front of a small letter.

    >>> [("Mr. Bell left. He won!"[a:b]) for a, b in sentences("Mr. Bell left. He won!")]
    ['Mr. Bell left. ', 'He won!']
    """
    spans: list[Span] = []
    start = 0
    for found in _BREAK.finditer(text):
        if found.group("stop") and not _ends_sentence(text, start, found):
            continue
        if found.end() > start:
            spans.append((start, found.end()))
        start = found.end()
    if start < len(text):
        spans.append((start, len(text)))
    return spans


def _ends_sentence(text: str, start: int, found: re.Match[str]) -> bool:
    after = text[found.end() : found.end() + 1]
    if after.islower():
        return False
    if found.group("stop") != ".":
        return True
    last = _LAST_WORD.search(text, max(start, found.start() - 20), found.start())
    word = last.group(1).strip("(\"'“‘[").casefold() if last else ""
    return word not in cues.ABBREVIATIONS and not (len(word) == 1 and word.isalpha() and word not in ("i", "a"))


def _gaps(start: int, end: int, kept: Sequence[Span]) -> list[Span]:
    """What of [start, end) is not kept."""
    gaps = []
    for first, last in kept:
        if last <= start:
            continue
        if first >= end:
            break
        if first > start:
            gaps.append((start, first))
        start = max(start, last)
    if start < end:
        gaps.append((start, end))
    return gaps


def _trim(text: str, gap: Span) -> Span | None:
    """A gap without what is no word at its edges; None if it holds no word."""
    inside = [found.start() for found in _WORD.finditer(text, *gap)]
    return (inside[0], inside[-1] + 1) if inside else None


def _is_question(sentence: str, script: str) -> bool:
    return bool(_QUESTION_END.search(sentence)) or (script == "hangul" and _ends_as_question(sentence))


def _questions_in(excerpt: str, script: str) -> int:
    marks = len(_QUESTION.findall(excerpt))
    if marks:
        return marks
    if script == "hangul":
        return int(_ends_as_question(excerpt))
    pattern = cue_pattern("QUESTION", script)
    return int(pattern is not None and pattern.match(_LEADING_MARKS.sub("", excerpt)) is not None)


def _ends_as_question(text: str) -> bool:
    return fold(text).letters.endswith(cues.QUESTION["ko"])


def _any_cue(name: str, script: str, texts: Sequence[str]) -> bool:
    pattern = cue_pattern(name, script)
    return pattern is not None and any(pattern.search(text) for text in texts)


@cache
def cue_pattern(name: str, script: str) -> re.Pattern[str] | None:
    """Compile one pattern for a class of cues (its name in :mod:`~quotelake.contextomy.cues`) in a script's languages.

    None for a script without lists.
    """
    lists: Mapping[str, tuple[str, ...]] = getattr(cues, name)
    words: dict[tuple[str, str], list[str]] = {}  # by what must stand before and after them
    for language in cues.LANGUAGES.get(script, ()):
        for cue in lists[language]:
            edges = ("" if cue.startswith("*") else r"(?<!\w)", "" if cue.endswith("*") else r"(?!\w)")
            words.setdefault(edges, []).append(_expression(cue))
    # The edges stand outside the alternatives, so that these are told apart by their first letter.
    groups = [f"{before}(?:{'|'.join(alternatives)}){after}" for (before, after), alternatives in words.items()]
    return re.compile("|".join(groups), re.IGNORECASE) if groups else None


def _expression(cue: str) -> str:
    word = re.escape(cue.strip("*")).replace(r"\ ", r"\s+")
    if cue in cues.CASED:
        word = f"(?-i:{word})"
    if cue in cues.ANSWERS:
        word += r"(?!\w|\s*[,.!;:])"
    return word
