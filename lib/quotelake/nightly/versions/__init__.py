"""By which rules, detector and model a lake was computed; a run with other ones is refused or activates them.

Everything that changes a result is part of a version: the settings, word lists and patterns that
:mod:`quotelake.nightly.versions.classified` lists, the detector, the model, and numbers for changes in code. A run
whose versions are not the active ones is refused, unless it is told to activate them: then it processes all documents
again under a separate checkpoint, writes its rows beside the old ones, and changes the active version last.
"""

import re
from dataclasses import asdict, dataclass, field, fields

from quotelake.contextomy.decide import Detector
from quotelake.contextomy.rules import OUTCOMES_VERSION
from quotelake.errors import VersionError
from quotelake.lake.runs import complete_runs
from quotelake.lake.tables import Lake
from quotelake.nightly.versions.advice import advice
from quotelake.nightly.versions.classified import Decides, settings_that
from quotelake.settings import Settings
from quotelake.text.ids import content_id

#: Version of the code that finds quotes and cuts contexts. Raise it with each change of results that comes from code;
#: changes of settings, data files and constants change the version without it.
RULES_NUMBER = 5
#: Digests of all words, patterns and bounds of the rules, as they stood when code began to be counted by numbers alone.
#: They are part of the names of versions so that lakes of before keep theirs; they never change again.
_RULES_DIGEST = "dcf6b8468806be73f00fc4a012712ac9"
_DETECTOR_DIGEST = "35d46c69b65cd007106df4715ec734aa"
#: Representation of lakes that do not state one.
MASKED = "masked"


@dataclass(frozen=True)
class Versions:
    """The versions that a run computes by."""

    rule_version: str
    detector_version: str
    fingerprint: str
    model: str
    dtype: str
    #: Of contexts in topic scores. Another one makes no other versions: a run scores the groups again, and no more.
    representation: str = field(default=MASKED, compare=False)

    @property
    def checkpoint_id(self) -> str:
        """Name of the checkpoint: with other rules, another detector or model the run starts a new one."""
        return content_id(self.rule_version, self.detector_version, self.fingerprint)


def versions_of(
    settings: Settings,
    weights: Detector,
    fingerprint: str,
    model: str,
    dtype: str,
    *,
    cosines_count: bool,
    representation: str = MASKED,
) -> Versions:
    """Compute the versions of ``settings``, a detector and a model.

    Args:
        settings: of the run.
        weights: the detector that the settings name.
        fingerprint: of the model (see ``embeddings.encoder``).
        model: name or directory of the model.
        dtype: number format the model computes in.
        cosines_count: whether the detector's cosine term was made for the model, and is used in any language.
        representation: of contexts in topic scores.
    """
    vouching = [fingerprint, dtype] if settings.reuse.semantic else []
    rules = content_id(settings_that(Decides.RULES, settings), _RULES_DIGEST, *vouching)
    used = (settings_that(Decides.DETECTOR, settings), _DETECTOR_DIGEST)
    detector = content_id(OUTCOMES_VERSION, *used, weights.to_json(), fingerprint, cosines_count)
    named = f"{weights.feature_set}-{weights.features_version}-{detector[:8]}"
    return Versions(f"{RULES_NUMBER}-{rules[:8]}", named, fingerprint, model, dtype, representation)


def active(lake: Lake) -> Versions | None:
    """Versions that the lake was last computed by, or None before the first run was completed.

    Of the runs that activated versions the last complete one counts; others only where none of them is complete.
    """
    names = [field.name for field in fields(Versions)]
    place = {run.run_id: run.versions.get("runs", -1) for run in complete_runs(lake)}
    rows = lake.small_rows("versions", ["run_id", *names])
    latest = max(rows, key=lambda row: (place.get(row["run_id"], -2), row["run_id"]), default=None)
    if latest is None:
        return None
    return Versions(**{name: latest[name] for name in names} | {"representation": latest["representation"] or MASKED})


def admit(lake: Lake, now: Versions | None, versions: Versions, *, activate: bool) -> bool:
    """Say whether ``versions`` must become the active ones at the end of this run.

    Args:
        lake: named in the error.
        now: its active versions (:func:`active`).
        versions: of this run.
        activate: whether they may become the active ones.

    Raises:
        VersionError: the lake was computed by other versions, and the run was not told to activate its versions.
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
        f"{_advice(lake, now)}"
    )


def _advice(lake: Lake, now: Versions) -> str:
    these = f"rule_version = '{now.rule_version}' AND detector_version = '{now.detector_version}'"
    stated = lake.small_rows("versions", ["outcomes_number"], these)
    outcomes = max((row["outcomes_number"] for row in stated if row["outcomes_number"] is not None), default=None)
    rules = re.match(r"\d+(?=-)", now.rule_version)
    return advice(
        (int(rules[0]) if rules else None, outcomes), (RULES_NUMBER, OUTCOMES_VERSION), lake.unknown_columns()
    )


def flip(lake: Lake, versions: Versions) -> None:
    """Make ``versions`` the active ones by one row, after all other tables are written."""
    lake.append(lake.frame([{**asdict(versions), "outcomes_number": OUTCOMES_VERSION}], "versions"), "versions")
