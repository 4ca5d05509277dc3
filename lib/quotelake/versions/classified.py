"""Which version each setting, data file and module is part of, or none, and why.

The tables are complete: a test fails for a setting, a file or a module of the rules that is in none of them. Versions
are computed from these tables, so exactly what is listed as part of a version changes it.
"""

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from quotelake.settings import Settings


class Decides(StrEnum):
    """Version that changes with a setting, a file or a module."""

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

#: Data files of the package: patterns of paths from its root.
FILES: Final[Mapping[str, tuple[Decides, str]]] = {
    "quotes/languages/*.toml": (RULES, "words that find speakers"),
    "reuse/frequent_words.txt": (RULES, "which quotes are compared"),
    "compare/opposites/*.toml": (DETECTOR, "words that turn a headline quote round"),
    "detector/default_detector.json": (NOTHING, "the content of the detector in use is in detector_version"),
    "topics/default_head.*": (NOTHING, "the column representation of each score names the head by its weights"),
    "conf/*": (NOTHING, "each setting is classified above; the other files are of Spark and of the installation"),
    "schemas/*.sql": (NOTHING, "columns of the tables; an older lake gets new ones in place"),
    "schemas/views/*.sql": (NOTHING, "what is shown of the tables"),
    "reporting/templates/*": (NOTHING, "what the alert page looks like"),
    "sample/*.json*": (NOTHING, "an input, and its correct results"),
}

_ROWS: Final = "how rows are read and written, not what they hold"
_SHELL: Final = "annotate arrow commands contracts errors jsonl lake materialise outputs reading together"

#: Modules and packages that the pass over a text uses; of several names that fit a module, the longest holds. Their
#: constants (word lists, patterns and bounds) are part of the version.
MODULES: Final[Mapping[str, tuple[Decides, str]]] = {
    "text": (RULES, "what a word and a paragraph are"),
    "quotes": (RULES, "quotes, their kinds and speakers"),
    "topics": (RULES, "contexts and topic variation"),
    "reuse": (RULES, "groups of quotes"),
    "reuse.verified": (NOTHING, "what reuse.verify says, of many pairs at once"),
    "reuse.signatures": (NOTHING, "which pairs cannot share enough; none that can is left out"),
    "reuse.texts": (NOTHING, "groups of the texts of a measurement; no run calls it"),
    "stories": (RULES, "copies of a text count once"),
    "watch": (RULES, "where watched texts are found"),
    "watch.lists": (NOTHING, "which texts are searched for; the hits of each are rows of its own"),
    "contextomy": (DETECTOR, "outcomes of headline quotes"),
    "compare": (DETECTOR, "how a headline quote is compared with a body"),
    "detector": (DETECTOR, "features of the detector"),
    "embeddings": (MODEL, "vectors, through the fingerprint that is computed there"),
    "sources": (NOTHING, _READ_ONCE),
    "language": (DETECTOR, "language of each headline quote"),
    "settings": (NOTHING, "each setting is classified above"),
    **dict.fromkeys(_SHELL.split(), (NOTHING, _ROWS)),
}

#: Version → modules of another version, of the table above, whose constants are part of this one too.
SHARED: Final[Mapping[Decides, tuple[str, ...]]] = {
    RULES: (
        "compare.amounts", "compare.cues", "compare.folding", "compare.inflections", "compare.omissions",
        "compare.people", "compare.sentences", "compare.wording",
    ),
}  # fmt: skip

#: Constants of these modules that affect memory or time, but no result.
COSTS: Final = frozenset({
    "compare.ngrams._SEARCHED", "quotes.pairing._SPANS_TOGETHER", "quotes.speakers.people._MEMORY",
    "reuse.candidates._LOWER", "reuse.clusters.Integers", "reuse.numbers._KEPT", "reuse.postings.LISTED",
    "reuse.postings.WIDE", "reuse.ranges._AT_ONCE", "reuse.vetoes.KEPT", "reuse.vetoes._WORDS_KEPT",
    "reuse.words.KEPT",
    "stories.sampling._ASCII_WORD", "stories.sampling._SIGNS_OF_NO_TEXT", "text._COMMON_SIGNS",
    "topics.contexts._OF_WORDS",
    "watch.index._BITS_PER_PAIR", "watch.index._LEAST_BITS", "watch.vocabulary._BASE",
    "watch.vocabulary._LEAST_LETTERS", "watch.vocabulary._MEMORY", "watch.words._MEMORY",
})  # fmt: skip


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
