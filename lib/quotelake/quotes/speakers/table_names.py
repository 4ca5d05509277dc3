"""Full names of the speakers of an article in a language that has a table: in their phrase, or by their surname.

A full name is two to four capitalised words in a row that no noun for an office or body is among. A surname means the
last full name before it that ends in it, unless two people of the article share it. Pronouns are not resolved.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from quotelake.quotes.speakers.speaker import Speaker
from quotelake.quotes.tables import Tables

_CAPITALISED: Final = r"[^\W\d_a-z\u00df-\u00ff][\w'’-]*+"
_RUN: Final = re.compile(rf"(?<![\w-]){_CAPITALISED}(?: (?:(?:von der|van der|van|de|del|al) )?+{_CAPITALISED})*+")
_WORD_BEFORE: Final = re.compile(r"(?<!\w)(\w{1,8}) \Z")
_WORDS: Final = range(2, 5)


def with_names(text: str, speakers: Sequence[Speaker | None], words: Tables) -> list[Speaker | None]:
    """The speakers with ``name``, ``name_start`` and ``name_end`` of those persons whose full name the text gives."""
    runs = [run for found in _RUN.finditer(text) if (run := _name(text, found.start(), found[0], words))]
    places: dict[str, list[tuple[int, int]]] = {}
    for start, end in runs:
        places.setdefault(text[start:end].rpartition(" ")[2], []).append((start, end))
    named: list[Speaker | None] = []
    for speaker in speakers:
        if speaker and speaker.type == "person":
            inside = runs[bisect_left(runs, (speaker.start,)) : bisect_left(runs, (speaker.end,))]
            head = text[speaker.start : speaker.head_end]
            alike = places.get(head.rpartition(" ")[2], [])
            before = alike[: bisect_left(alike, (speaker.start,))]
            if not inside and len(head.split()) < _WORDS[1] and len({text[slice(*one)] for one in before}) == 1:
                inside = before[-1:]
            if inside:
                start, end = inside[0]
                speaker = speaker._replace(name_start=start, name_end=end, name=text[start:end])
        named.append(speaker)
    return named


def _name(text: str, start: int, run: str, words: Tables) -> tuple[int, int] | None:
    """Place of the full name that capitalised words in a row end in, without what stands in front of it."""
    end, parts = start + len(run), run.split(" ")
    closed = ("determiners", "breaks", "leads", "joining")
    fronts = [k for k, one in enumerate(parts) if words.is_noun(one, "roles") or words.holds(one.lower(), *closed)]
    leading = max(fronts, default=-1) + 1
    start += sum(len(part) + 1 for part in parts[:leading])
    parts = parts[leading:]
    before = None if leading else _WORD_BEFORE.search(text, max(0, start - 9), start)
    modified = before is not None and words.holds(before[1], "joining", "determiners")
    body = modified or any(words.is_noun(part, "organisations", "name_nouns") or part.isupper() for part in parts)
    return None if body or len(parts) not in _WORDS else (start, end)
