"""Which rules and which model a lake is computed by, and that a run uses the same.

Everything that changes what is found is in a version: the settings, word lists and patterns that
:mod:`quotelake.versions.classified` lists, the detector, the model, and numbers for what only code says. A run whose
versions are not the active ones is refused, unless it was told to activate them: then it reads the archive again under
a checkpoint of its own, writes beside the old rows, and flips the active version last.
"""

from dataclasses import asdict, dataclass, fields

from quotelake.contextomy.decide import Detector
from quotelake.contextomy.rules import OUTCOMES_VERSION
from quotelake.errors import VersionError
from quotelake.lake.tables import Lake
from quotelake.settings import Settings
from quotelake.text import content_id
from quotelake.versions.classified import Decides, settings_that
from quotelake.versions.content import digest_of

#: Number of the code that finds quotes and cuts contexts; raise it with any change of what it finds that is not in a
#: setting, a data file or a constant, for these are in the version by themselves.
RULES = 2


@dataclass(frozen=True)
class Versions:
    """The versions one run computes by."""

    rule_version: str
    detector_version: str
    fingerprint: str
    model: str
    dtype: str

    @property
    def checkpoint_id(self) -> str:
        """Names the checkpoint: other rules, detector or model read the archive anew."""
        return content_id(self.rule_version, self.detector_version, self.fingerprint)


def versions_of(
    settings: Settings, weights: Detector, fingerprint: str, model: str, dtype: str, *, knows: bool
) -> Versions:
    """Versions that ``settings``, a detector and a model stand for.

    Args:
        settings: those of the run.
        weights: the detector that the settings name.
        fingerprint: of the model (see ``embeddings.encoder``).
        model: name or directory of the model.
        dtype: number format the model computes in.
        knows: whether the detector's term of the cosine was made for the model (:meth:`Detector.knows`).
    """
    rules = content_id(settings_that(Decides.RULES, settings), digest_of(Decides.RULES))
    used = (settings_that(Decides.DETECTOR, settings), digest_of(Decides.DETECTOR))
    detector = content_id(OUTCOMES_VERSION, *used, weights.to_json(), fingerprint, knows)
    named = f"{weights.feature_set}-{weights.features_version}-{detector[:8]}"
    return Versions(f"{RULES}-{rules[:8]}", named, fingerprint, model, dtype)


def active(lake: Lake) -> Versions | None:
    """Versions the lake was last computed by, or None before the first run was completed."""
    names = [field.name for field in fields(Versions)]
    rows = lake.small_rows("versions", ["ingested_at", "run_id", *names])
    latest = max(rows, key=lambda row: (row["ingested_at"], row["run_id"]), default=None)
    return None if latest is None else Versions(**{name: latest[name] for name in names})


def admit(lake: Lake, now: Versions | None, versions: Versions, *, activate: bool) -> bool:
    """Say whether ``versions`` must be made the active ones when this run is done.

    Args:
        lake: named in the error.
        now: its active versions (:func:`active`).
        versions: those of this run.
        activate: whether they may become the active ones.

    Raises:
        VersionError: the lake was computed by others, and the run was not told to activate its own.
    """
    if now is None or (now != versions and activate):
        return True
    if now == versions:
        return False
    changed = [
        f"{name} is {getattr(versions, name)}, the lake has {getattr(now, name)}"
        for name in ("rule_version", "detector_version", "model", "dtype", "fingerprint")
        if getattr(now, name) != getattr(versions, name)
    ]
    raise VersionError(
        f"this run would compute by other versions than the lake {lake.root}: {'; '.join(changed)}. "
        "Restore the settings or the model, or give --activate to compute the whole archive anew beside the old rows"
    )


def flip(lake: Lake, versions: Versions) -> None:
    """Make ``versions`` the active ones: one row, after everything they need is written."""
    lake.append(lake.frame([asdict(versions)], "versions"), "versions")
