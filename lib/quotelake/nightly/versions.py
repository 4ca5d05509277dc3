"""Versions of rows: what decides a result is part of one, and a lake has one active version of each kind.

Settings, data files and the code decide what the rules find (``rule_version``); with the detector and the model they
decide the outcomes of headline quotes (``detector_version``). The code of a part has a number, raised by hand with each
change of its results: golden output (``tests/golden``) changes if and only if its part's number is raised.

A run whose versions are not the active ones is refused, unless it is to activate them: then it processes all documents
again under a separate checkpoint, writes its rows beside the old ones, and changes the active versions last.
"""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from quotelake.contextomy.decide import Detector
from quotelake.embeddings.models import Model
from quotelake.errors import VersionError
from quotelake.settings import Settings
from quotelake.text.ids import content_id

if TYPE_CHECKING:  # importing Spark takes longer than most answers
    from quotelake.lake.tables import Lake

#: Number of the code of each part. Raise it when any result of the part changes.
NUMBERS: Final[Mapping[str, int]] = {"quotes": 7, "reuse": 10, "topics": 4, "watch": 3, "contextomy": 18}


@dataclass(frozen=True)
class VersionInputs:
    """What decides the rows of a version: parts of the code, rooms with data files (word lists), and settings."""

    parts: tuple[str, ...]
    rooms: tuple[str, ...]
    settings: dict[str, Any]
    without: dict[str, Any]

    @property
    def number(self) -> int:
        """Number that begins the name of the version: the sum over its parts, so a later one is higher."""
        return sum(NUMBERS[part] for part in self.parts)

    def digest(self, settings: Settings) -> str:
        """Hash of the numbers, the data files and the values of the settings."""
        values = settings.model_dump_json(include=self.settings, exclude=self.without)
        return content_id(values, *(f"{part} {NUMBERS[part]}" for part in self.parts), *_data(self.rooms))


#: Sections that decide what is found. Each score names its representation, made with or without a head; where another
#: one is set, a run scores all groups again and needs no other version.
RULES: Final = VersionInputs(
    parts=("quotes", "reuse", "topics", "watch"),
    rooms=("text", "factuality", "quotes", "reuse", "topics", "watch"),
    settings={"quotes": True, "reuse": True, "topics": True},
    without={"topics": {"representation", "head"}},
)
#: Languages decide where a cosine counts as evidence. Of a detector its content counts, not the path of its file.
DETECTOR: Final = VersionInputs(
    parts=("contextomy",),
    rooms=("text", "factuality", "contextomy"),
    settings={"contextomy": True, "ingest": {"languages", "language_confidence"}, "model": {"languages"}},
    without={"contextomy": {"detector"}},
)


@dataclass(frozen=True)
class Versions:
    """The versions that a run computes by."""

    rule_version: str
    detector_version: str
    fingerprint: str
    model: str
    dtype: str
    #: Of the code that judges headline quotes; part of ``detector_version``.
    outcomes_number: int = field(compare=False)
    #: Of contexts in topic scores. Another one makes no other versions: a run scores the groups again, and no more.
    representation: str = field(compare=False)

    @property
    def checkpoint_id(self) -> str:
        """Name of the checkpoint: with other rules, another detector or model the run starts a new one."""
        return content_id(self.rule_version, self.detector_version, self.fingerprint)


def versions_of(
    settings: Settings, weights: Detector, model: Model, *, cosines_count: bool, representation: str
) -> Versions:
    """Versions of settings, their detector and a model; ``cosines_count``: the detector's cosine term is for it."""
    detector = content_id(DETECTOR.digest(settings), weights.to_json(), model.fingerprint, cosines_count)
    return Versions(
        f"{RULES.number}-{RULES.digest(settings)[:8]}",
        f"{weights.feature_set}-{weights.features_version}-{detector[:8]}",
        model.fingerprint,
        model.name,
        model.dtype,
        DETECTOR.number,
        representation,
    )


def active(lake: "Lake") -> Versions | None:
    """Versions that the last complete run activated, or where none is complete the last run; None before the first."""
    names = [each.name for each in fields(Versions)]
    place = {run.run_id: number for number, run in enumerate(lake.complete_runs())}
    rows = lake.small_rows("versions", ["run_id", *names])
    latest = max(rows, key=lambda row: (place.get(row["run_id"], -1), row["run_id"]), default=None)
    return None if latest is None else Versions(**{name: latest[name] for name in names})


def must_activate(lake: "Lake", now: Versions | None, versions: Versions, *, activate: bool) -> bool:
    """Whether ``versions`` must become the active ones at the end of this run; ``now`` are the active ones.

    A VersionError: the lake was computed by other versions, and ``activate`` is not set.
    """
    if now is None or (now != versions and activate):
        return True
    if now == versions:
        return now.representation != versions.representation
    changed = [
        f"{name} is {getattr(versions, name)}, the lake has {getattr(now, name)}"
        for name in ("rule_version", "detector_version", "model", "dtype", "fingerprint")
        if getattr(now, name) != getattr(versions, name)
    ]
    raise VersionError(
        f"this run would compute by other versions than the lake {lake.root}: {'; '.join(changed)}. "
        f"{_advice(now, versions)}"
    )


def _advice(now: Versions, versions: Versions) -> str:
    """What to do about a lake of other versions: its numbers show whether a newer release wrote it."""
    rules = tuple(int(each.rule_version.partition("-")[0]) for each in (now, versions))
    outcomes = (now.outcomes_number or 0, versions.outcomes_number)  # NULL in lakes of development versions
    numbers = {"rules": rules, "outcomes": outcomes}
    newer = [f"{name} {number}, here {here}" for name, (number, here) in numbers.items() if number > here]
    if newer:
        cause = f"The lake was written by a newer release ({'; '.join(newer)}): install that release or a later one. "
        remedy = "If this older one is what you want, give"
    else:
        cause = "If settings or the model were changed, restore them; "
        remedy = "if not, the lake was written by another release: install that one. Or give"
    return f"{cause}{remedy} --activate to compute the whole archive again beside the old rows"


@cache
def _data(rooms: tuple[str, ...]) -> tuple[str, ...]:
    """Contents of the data files of rooms, wherever they lie; comments and line breaks do not count."""
    folders = (Path(str(resources.files(f"quotelake.{room}"))) for room in rooms)
    files = (file for folder in folders for file in folder.rglob("*") if file.suffix in (".toml", ".txt"))
    texts = ((file.name, file.read_text("utf-8")) for file in files)
    # The order within a file counts: of a word listed under two verbs, the later one holds.
    return tuple(sorted(json.dumps(tomllib.loads(t)) if name.endswith(".toml") else t for name, t in texts))
