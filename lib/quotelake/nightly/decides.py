"""What decides a result: which settings, shipped data files and numbers of the code are part of which version, and why.

The code of a part has a number, raised by hand with each change of what the part says of any text. Golden output
(``tests/golden``) holds both ways: output does not change unless its part's number is raised, and no number is raised
for nothing. So a refactoring changes no version.
"""

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, Final

from quotelake.settings import Settings
from quotelake.text.ids import content_id

#: Number of the code of each part. Raise it when the part says something else of any text.
NUMBERS: Final[Mapping[str, int]] = {"quotes": 3, "reuse": 4, "topics": 1, "watch": 1, "contextomy": 11}
#: Earlier numbers of parts whose rows stay valid beside those of today: a lake they computed goes on under the names it
#: has until it is activated. What differs, in a sentence for the person who runs it.
CONTINUED: Final[Mapping[tuple[str, int], str]] = {
    ("quotes", 2): "kinds and speakers of German and Spanish quotes are told by words of their language",
    ("contextomy", 10): "German and Spanish body quotes have speakers, which are evidence of outcomes",
    ("reuse", 1): "short excerpts join a group, and copies published more than reuse.story_days apart are two stories",
    ("reuse", 2): "short excerpts join the group of the longer texts that hold them",
    ("reuse", 3): "a short excerpt that surely another person says joins no group by its time",
}
#: Digest of numbers and data files → the digest that stands for it. Data files that were moved or written in another
#: form, or lost or gained what only others read, keep the name of the version that way: the rules.
EQUAL: Final[Mapping[str, str]] = {
    "fd628ddd2c55fd62aff9bcc0e75617c6": "dcf6b8468806be73f00fc4a012712ac9",
    "89da251cf793a1f4f173f04520b05b46": "dcf6b8468806be73f00fc4a012712ac9",
    "a739582d32eb8630a7fa9a6e69c8c515": "af81b5515fccce257ab2a9a45f8f1dcd",
}
#: Settings that came later, with the value that does what was done before there were any: with it they are in no name.
_ADDED: Final[Mapping[str, Any]] = {
    "reuse.wordings": 100, "reuse.uses": 10_000, "reuse.story_days": 365, "quotes.per_document": 5000,
    "reuse.excerpts": True,
}  # fmt: skip
#: Settings that are gone, with the only value that lakes of before have beside the rules of today: it stays in names.
_GONE: Final[dict[str, Any]] = {"reuse.semantic": False, "reuse.semantic_cosine": 0.85, "reuse.semantic_words": 8}


@dataclass(frozen=True)
class Decides:
    """What a version holds: numbers of the code of its parts, and the data files (word lists) of rooms."""

    parts: tuple[str, ...]
    rooms: tuple[str, ...]

    def number(self, numbers: Mapping[str, int] = NUMBERS) -> int:
        """Number that stands in the name of the version: the sum over its parts, so a later one is higher."""
        return sum(numbers[part] for part in self.parts)

    def code(self, numbers: Mapping[str, int] = NUMBERS) -> str:
        """Digest of the numbers and the data files."""
        state = content_id(*(f"{part} {numbers[part]}" for part in self.parts), *_data(self.rooms))
        return EQUAL.get(state, state)

    def settings(self, settings: Settings) -> str:
        """Name and value of each setting that is part of the version, as JSON."""
        values = _GONE | {
            f"{section}.{key}": value
            for section, keys in settings.model_dump(mode="json").items()
            for key, value in keys.items()
        }
        named = {name: value for name, value in sorted(values.items()) if decided_by(name) is self}
        return json.dumps({name: value for name, value in named.items() if _ADDED.get(name) != value})


RULES: Final = Decides(("quotes", "reuse", "topics", "watch"), ("text", "quotes", "reuse", "topics", "watch"))
#: What ``contextomy`` says of quotes is the business of its own version alone.
DETECTOR: Final = Decides(("contextomy",), ("text", "contextomy"))
#: Version that the settings of a section are part of; those of the model count through the fingerprint of its files.
SECTIONS: Final[Mapping[str, Decides | None]] = {
    "run": None,  # when and how fast rows are made, not what they hold
    "ingest": None,  # a document keeps what the settings said when it was read, but for dates that could not be read
    "sources": None,  # the same
    "model": None,
    "quotes": RULES,  # which quotes of a document there are
    "contexts": RULES,  # which words a context holds
    "contextomy": DETECTOR,  # outcomes of headline quotes
    "reuse": RULES,  # which uses of a quote are compared, and which are trimmed
    "topics": RULES,  # which uses are compared, and what is kept of a group beside its topic variation
    "watch": None,  # which texts are searched for: the hits of each are rows of its own
    "report": None,  # how much of the tables is shown
}
#: Settings that are part of another version than the rest of their section.
SETTINGS: Final[Mapping[str, Decides | None]] = {
    "ingest.languages": DETECTOR,  # language of each headline quote, which may differ from its body's
    "ingest.language_confidence": DETECTOR,
    "model.languages": DETECTOR,  # where a cosine counts as evidence
    "contextomy.detector": None,  # path of the detector's file; its content is in detector_version
    "topics.representation": None,  # each score names it: a run scores all groups again when it changes
    "topics.head": None,
}


def decided_by(setting: str) -> Decides | None:
    """Version that a setting is part of, by its dotted name; None: it decides nothing.

    >>> decided_by("topics.min_words") is RULES, decided_by("topics.head")
    (True, None)
    """
    return SETTINGS.get(setting, SECTIONS[setting.partition(".")[0]])


@cache
def _data(rooms: tuple[str, ...]) -> tuple[str, ...]:
    """Contents of the data files of rooms, wherever they lie; comments and line breaks do not count."""
    files = (file for room in rooms for file in _files(resources.files(f"quotelake.{room}")))
    texts = ((file.name, file.read_text("utf-8")) for file in files)
    # The order within a file counts: of a word listed under two verbs, the later one holds.
    return tuple(sorted(json.dumps(tomllib.loads(t)) if name.endswith(".toml") else t for name, t in texts))


def _files(folder: Traversable) -> Iterator[Traversable]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files(entry)
        elif entry.name.endswith((".toml", ".txt")):
            yield entry
