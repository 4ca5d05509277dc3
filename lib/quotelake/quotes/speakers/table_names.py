"""Full names of the speakers of an article in a language that has a table: in their phrase, or by their surname.

A full name is two to four capitalised words in a row that no noun for an office or body is among. A surname means the
last full name before it that ends in it, unless two people of the article share it. Pronouns are not resolved.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from quotelake.quotes.speakers.speaker import Speaker
from quotelake.quotes.tables import Tables

_CAPITALISED: Final = r"[^\W\d_a-z\u00df-\u00ff][\w'’-]*+"
_RUN: Final = re.compile(
    rf"(?<![\w'’-]){_CAPITALISED}(?>(?: (?>(?:(?:von der|van der|van|de|del|al) )?){_CAPITALISED})+)"
)
_WORD_BEFORE: Final = re.compile(r"(?<!\w)(\w{1,8}) \Z")
_WORDS: Final = range(2, 5)
#: Mentions of a surname that are compared; only garbage text has more of different people.
_KEPT: Final = 64


def with_names(text: str, speakers: Sequence[Speaker | None], words: Tables) -> list[Speaker | None]:
    """The speakers with ``name``, ``name_start`` and ``name_end`` of those persons whose full name the text gives."""
    runs = [run for found in _RUN.finditer(text) if (run := _name(text, found, words))]
    places: dict[str, list[tuple[int, int]]] = {}
    for start, end in runs:
        places.setdefault(text[start:end].rpartition(" ")[2], []).append((start, end))
    named = list(speakers)
    for k, speaker in enumerate(speakers):
        if speaker is None or speaker.type != "person":
            continue
        inside = runs[bisect_left(runs, (speaker.start,)) : bisect_left(runs, (speaker.end,))]
        head = text[speaker.start : speaker.head_end].split()
        alike = places.get(head[-1], []) if len(head) < _WORDS[1] else []
        before = alike[: bisect_left(alike, (speaker.start,))]
        if not inside and len({text[slice(*one)] for one in before[-_KEPT:]}) == 1:
            inside = before[-1:]
        if inside:
            start, end = inside[0]
            named[k] = speaker._replace(name_start=start, name_end=end, name=text[start:end])
    return named


def _name(text: str, run: re.Match[str], words: Tables) -> tuple[int, int] | None:
    """Place of the full name that capitalised words in a row end in."""
    at = _start(run[0], words)
    before = None if at else _WORD_BEFORE.search(text, max(0, run.start() - 9), run.start())
    modified = before is not None and words.holds(before[1], "joining", "determiners")
    if modified and at == 0:  # die Rentnerin Ute Bell; not: der Deutschen Bahn
        first, _, rest = run[0].partition(" ")
        at = len(first) + 1 if " " in rest else None
    return None if at is None else (run.start() + at, run.end())


@lru_cache(20_000)  # Names recur from article to article.
def _start(run: str, words: Tables) -> int | None:
    """Where the full name begins in a run of words, behind nouns for an office; None if it is no person's."""
    parts = run.split(" ")
    closed = ("determiners", "breaks", "leads", "joining")
    fronts = (  # The last word may be a surname that was an office: Gerhard Richter.
        k for k, one in enumerate(parts[:-1]) if words.is_noun(one, "roles") or words.holds(one.lower(), *closed)
    )
    name = parts[max(fronts, default=-1) + 1 :]
    body = any(words.is_noun(part, "organisations", "name_nouns") or part.isupper() for part in name)
    return None if body or len(name) not in _WORDS else len(run) - len(" ".join(name))
