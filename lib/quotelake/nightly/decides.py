"""What decides a result: which settings, shipped data files and numbers of the code are part of which version, and why.

The code of a part has a number, raised by hand with each change of what the part says of any text. Golden output
(``tests/golden``) holds both ways: output does not change unless its part's number is raised, and no number is raised
for nothing. So a refactoring changes no version.
"""

import json
import tomllib
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, Final

from quotelake.settings import Settings
from quotelake.text.ids import content_id


class Decides(StrEnum):
    """Version that changes with a setting or a part of the code."""

    RULES = "rule_version"
    DETECTOR = "detector_version"
    MODEL = "fingerprint"
    NOTHING = "nothing"


RULES, DETECTOR, MODEL, NOTHING = Decides

#: Number of the code of each part. Raise it when the part says something else of any text.
NUMBERS: Final[Mapping[str, int]] = {"quotes": 2, "reuse": 1, "topics": 1, "watch": 1, "contextomy": 9}
#: Parts of each version. What ``contextomy`` says of quotes is the business of its own version alone.
PARTS: Final[Mapping[Decides, tuple[str, ...]]] = {
    RULES: ("quotes", "reuse", "topics", "watch"),
    DETECTOR: ("contextomy",),
}
#: Rooms whose data files (word lists) are part of a version.
_ROOMS: Final[Mapping[Decides, tuple[str, ...]]] = {
    RULES: ("text", "quotes", "reuse", "topics", "watch"),
    DETECTOR: ("text", "contextomy"),
}
#: Digest of numbers and data files → the digest that stands for it. Data files that were moved or written in another
#: form, with golden output unchanged, keep the name of the version that way; the two here are of the first lakes.
EQUAL: Final[Mapping[str, str]] = {
    "d95643278d991ae3f3e3d6cd0183bab1": "dcf6b8468806be73f00fc4a012712ac9",
    "95f9ef0d26887032c290fa5ed97f8e2e": "35d46c69b65cd007106df4715ec734aa",
}
#: Earlier numbers of parts whose rows stay valid beside those of today: a lake they computed goes on under the names it
#: has until it is activated. What differs, in a sentence for the person who runs it.
CONTINUED: Final[Mapping[tuple[str, int], str]] = {
    ("contextomy", 8): "a sentence may end after an abbreviation (U.S., Inc.): fewer negations before it count as lost",
}
#: Settings that came later, with the value that does what was done before there were any: with it they are in no name.
_ADDED: Final[Mapping[str, Any]] = {"reuse.wordings": 100}
#: Settings that are gone, with the only value that lakes of before have beside the rules of today: it stays in names.
_GONE: Final[Mapping[Decides, Mapping[str, Any]]] = {
    RULES: {"reuse.semantic": False, "reuse.semantic_cosine": 0.85, "reuse.semantic_words": 8},
}

_READ_ONCE: Final = "a document keeps what the settings said when it was read, but for dates that could not be read"
_ALARM: Final = "how a run ends, not what it writes"
_SCHEDULE: Final = "when and how fast rows are made, not what they hold"
_CONTEXTS: Final = "which words a context holds"
_GROUPS: Final = "which uses of a quote are compared"
_REPRESENTED: Final = "the column representation of each score names it; a run scores all groups again when it changes"
_DETAILS: Final = "what is kept of a group beside its topic variation"
_OUTCOMES: Final = "outcomes of headline quotes"
_SHOWN: Final = "how much of the tables is shown"

#: Settings by name, ``*`` for any source: the version they change, and through what; or why they change none.
SETTINGS: Final[Mapping[str, tuple[Decides, str]]] = {
    "run.lease_wait_seconds": (NOTHING, _SCHEDULE),
    "run.lease_stale_seconds": (NOTHING, _SCHEDULE),
    "run.batch_bytes": (NOTHING, _SCHEDULE),
    "run.score_bytes": (NOTHING, _SCHEDULE),
    "ingest.max_record_bytes": (NOTHING, _READ_ONCE),
    "ingest.raw_cap": (NOTHING, _READ_ONCE),
    "ingest.split_bytes": (NOTHING, _SCHEDULE),
    "ingest.earliest_date": (NOTHING, _READ_ONCE),
    "ingest.author_key_file": (NOTHING, _READ_ONCE),
    "ingest.languages": (DETECTOR, "language of each headline quote, which may differ from its body's"),
    "ingest.language_confidence": (DETECTOR, "language of each headline quote, which may differ from its body's"),
    "ingest.reject_share": (NOTHING, _ALARM),
    "model.name": (MODEL, "through the digests of the model's files"),
    "model.dtype": (MODEL, "number format of the vectors"),
    "model.languages": (DETECTOR, "where a cosine counts as evidence"),
    "model.partitions": (NOTHING, _SCHEDULE),
    "contexts.max_words": (RULES, _CONTEXTS),
    "contexts.min_words_left": (RULES, _CONTEXTS),
    "contextomy.detector": (NOTHING, "path of the detector's file; its content is in detector_version"),
    "contextomy.threshold": (DETECTOR, _OUTCOMES),
    "contextomy.joined_containment": (DETECTOR, _OUTCOMES),
    "contextomy.joined_gain": (DETECTOR, _OUTCOMES),
    "contextomy.claim_containment": (DETECTOR, _OUTCOMES),
    "reuse.compare": (RULES, _GROUPS),
    "reuse.carriers": (RULES, "which uses are trimmed"),
    "reuse.wordings": (RULES, "which uses are trimmed"),
    "topics.min_words": (RULES, _GROUPS),
    "topics.min_documents": (RULES, _GROUPS),
    "topics.min_distinct_contexts": (RULES, _GROUPS),
    "topics.sample": (RULES, _GROUPS),
    "topics.representation": (NOTHING, _REPRESENTED),
    "topics.head": (NOTHING, _REPRESENTED),
    "topics.explained": (RULES, _DETAILS),
    "topics.pairs": (RULES, _DETAILS),
    "topics.same": (RULES, _DETAILS),
    "topics.different": (RULES, _DETAILS),
    "watch.texts": (NOTHING, "which texts are searched for; the hits of each are rows of its own"),
    "report.alerts": (NOTHING, _SHOWN),
    "report.per_night": (NOTHING, _SHOWN),
    "report.ranking": (NOTHING, _SHOWN),
    "sources.*.kind": (NOTHING, _READ_ONCE),
    "sources.*.format": (NOTHING, _READ_ONCE),
    "sources.*.fields": (NOTHING, _READ_ONCE),
    "sources.*.outlets": (NOTHING, _READ_ONCE),
    "sources.*.defaults": (NOTHING, _READ_ONCE),
    "sources.*.satire_outlets": (NOTHING, _READ_ONCE),
    "sources.*.timezone": (NOTHING, _READ_ONCE),
    "sources.*.date_format": (NOTHING, _READ_ONCE),
    "sources.*.encoding": (NOTHING, _READ_ONCE),
    "sources.*.delimiter": (NOTHING, _READ_ONCE),
    "sources.*.quote": (NOTHING, _READ_ONCE),
    "sources.*.reject_share": (NOTHING, _ALARM),
}


def settings_that(decides: Decides, settings: Settings) -> str:
    """Name and value of each setting that is part of a version, as JSON.

    >>> from quotelake.settings import load_settings
    >>> settings_that(RULES, load_settings())[:49]
    '{"contexts.max_words": 120, "contexts.min_words_l'
    """
    values: dict[str, Any] = settings.model_dump(mode="json")
    named = {name: _value(values, name) for name in SETTINGS if SETTINGS[name][0] is decides}
    kept = {name: value for name, value in named.items() if _ADDED.get(name) != value}
    return json.dumps({**kept, **_GONE.get(decides, {})}, sort_keys=True)


def code_that(decides: Decides, numbers: Mapping[str, int] = NUMBERS) -> str:
    """Digest of the numbers and the data files that are part of a version.

    Args:
        decides: ``RULES`` or ``DETECTOR``.
        numbers: of each part.
    """
    state = content_id(*(f"{part} {numbers[part]}" for part in PARTS[decides]), *_data(decides))
    return EQUAL.get(state, state)


def number_of(decides: Decides, numbers: Mapping[str, int] = NUMBERS) -> int:
    """Number that stands in the name of a version: the sum over its parts, so a later one is higher."""
    return sum(numbers[part] for part in PARTS[decides])


@cache
def _data(decides: Decides) -> tuple[str, ...]:
    """Contents of the data files of a version, wherever they lie; comments and line breaks do not count."""
    files = (file for room in _ROOMS[decides] for file in _files(resources.files(f"quotelake.{room}")))
    texts = ((file.name, file.read_text("utf-8")) for file in files)
    # The order within a file counts: of a word listed under two verbs, the later one holds.
    return tuple(sorted(json.dumps(tomllib.loads(t)) if name.endswith(".toml") else t for name, t in texts))


def _files(folder: Traversable) -> Iterator[Traversable]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files(entry)
        elif entry.name.endswith((".toml", ".txt")):
            yield entry


def _value(values: Any, name: str) -> Any:
    for part in name.split("."):
        values = values[part]
    return values
