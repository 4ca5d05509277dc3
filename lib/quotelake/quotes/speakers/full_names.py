"""Full names of speakers in a language that has a table.

A surname means the last full name before it that ends in it, unless two people of the article share it. Pronouns are
not resolved.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from quotelake.quotes.lexicon import Tables
from quotelake.quotes.speakers.clauses import Speaker

_CAPITALISED: Final = r"[^\W\d_a-z\u00df-\u00ff][\w'’-]*+"
_RUN: Final = re.compile(
    rf"(?<![\w'’-]){_CAPITALISED}(?>(?: (?>(?:(?:von der|van der|van|de|del|al) )?){_CAPITALISED})+)"
)
_WORD_BEFORE: Final = re.compile(r"(?<!\w)(\w{1,8}) \Z")
_NAME_WORDS: Final = range(2, 5)
#: Mentions of a surname that are compared; only garbage text has more of different people.
_MENTIONS: Final = 64


def with_full_names(text: str, speakers: Sequence[Speaker | None], words: Tables) -> list[Speaker | None]:
    """The speakers, persons among them with the fields ``name`` if the text gives their full name."""
    runs = [run for found in _RUN.finditer(text) if (run := _full_name(text, found, words))]
    places: dict[str, list[tuple[int, int]]] = {}
    for start, end in runs:
        places.setdefault(text[start:end].rpartition(" ")[2], []).append((start, end))
    named = list(speakers)
    for k, speaker in enumerate(speakers):
        if speaker is None or speaker.type != "person":
            continue
        inside = runs[bisect_left(runs, (speaker.start,)) : bisect_left(runs, (speaker.end,))]
        head = text[speaker.start : speaker.head_end].split()
        alike = places.get(head[-1], []) if len(head) < _NAME_WORDS[1] else []
        before = alike[: bisect_left(alike, (speaker.start,))]
        if not inside and len({text[slice(*one)] for one in before[-_MENTIONS:]}) == 1:
            inside = before[-1:]
        if inside:
            start, end = inside[0]
            named[k] = speaker._replace(name_start=start, name_end=end, name=text[start:end])
    return named


def _full_name(text: str, run: re.Match[str], words: Tables) -> tuple[int, int] | None:
    at = _name_start(run[0], words)
    before = None if at else _WORD_BEFORE.search(text, max(0, run.start() - 9), run.start())
    modified = before is not None and words.has(before[1], "joining", "determiners")
    if modified and at == 0:  # die Rentnerin Ute Bell; not: der Deutschen Bahn
        first, _, rest = run[0].partition(" ")
        at = len(first) + 1 if " " in rest else None
    return None if at is None else (run.start() + at, run.end())


@lru_cache(20_000)  # Names recur from article to article.
def _name_start(run: str, words: Tables) -> int | None:
    """Offset of the full name in a run of words, behind nouns for an office; None if it is no person's."""
    parts = run.split(" ")
    closed = ("determiners", "breaks", "leads", "joining")
    fronts = (  # The last word may be a surname that was an office: Gerhard Richter.
        k for k, one in enumerate(parts[:-1]) if words.is_noun(one, "roles") or words.has(one.lower(), *closed)
    )
    name = parts[max(fronts, default=-1) + 1 :]
    body = any(words.is_noun(part, "organisations", "name_nouns") or part.isupper() for part in name)
    return None if body or len(name) not in _NAME_WORDS else len(run) - len(" ".join(name))
