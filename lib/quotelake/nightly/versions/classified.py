"""Which version each setting is part of, or none, and why.

The table is complete: a test fails for a setting that is not in it. Versions are computed from it, so exactly the
settings listed as part of a version change it.
"""

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from quotelake.settings import Settings


class Decides(StrEnum):
    """Version that changes with a setting."""

    RULES = "rule_version"
    DETECTOR = "detector_version"
    MODEL = "fingerprint"
    NOTHING = "nothing"


RULES, DETECTOR, MODEL, NOTHING = Decides

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
    "reuse.semantic": (RULES, _GROUPS),
    "reuse.semantic_words": (RULES, _GROUPS),
    "reuse.semantic_cosine": (RULES, _GROUPS),
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
    names = sorted(name for name, (what, _) in SETTINGS.items() if what is decides)
    return json.dumps({name: _value(values, name) for name in names})


def _value(values: Any, name: str) -> Any:
    for part in name.split("."):
        values = values[part]
    return values
