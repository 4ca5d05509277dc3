"""By which rules, detector and model a lake was computed; a run with other ones is refused or activates them.

Everything that changes a result is part of a version: settings, data files and numbers of the code
(:mod:`quotelake.nightly.decides`), the detector and the model. A run whose versions are not the active ones is refused,
unless it is told to activate them: then it processes all documents again under a separate checkpoint, writes its rows
beside the old ones, and changes the active version last.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from itertools import combinations
from typing import Final

from quotelake.contextomy.decide import Detector
from quotelake.errors import VersionError
from quotelake.lake.contracts import contract, table_names
from quotelake.lake.tables import Lake
from quotelake.nightly.decides import CONTINUED, DETECTOR, NUMBERS, RULES
from quotelake.settings import Settings
from quotelake.text.ids import content_id

#: Representation of lakes that do not state one.
MASKED: Final = "masked"


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
    numbers: Mapping[str, int] = NUMBERS,
) -> Versions:
    """Versions of settings, the detector that they name, and a model as ``embeddings.models.find`` gives it.

    ``cosines_count`` says whether the detector's cosine term was made for the model, and is used in any language.
    """
    rules = content_id(RULES.settings(settings), RULES.code(numbers))
    number, used = DETECTOR.number(numbers), (DETECTOR.settings(settings), DETECTOR.code(numbers))
    detector = content_id(number, *used, weights.to_json(), fingerprint, cosines_count)
    return Versions(
        f"{RULES.number(numbers)}-{rules[:8]}",
        f"{weights.feature_set}-{weights.features_version}-{detector[:8]}",
        fingerprint,
        model,
        dtype,
        representation,
    )


def versions_to_use(
    now: Versions | None, versions_at: Callable[[Mapping[str, int]], Versions], *, activate: bool
) -> tuple[Versions, str | None]:
    """Versions that a run computes by: today's, or those of the lake where its rows stay valid beside today's.

    Args:
        now: active versions of the lake (:func:`active`).
        versions_at: the run's versions, had the parts of the code these numbers.
        activate: whether today's are wanted in any case.

    Returns:
        The versions, and what differs from rows of before, in a sentence.
    """
    today = versions_at(NUMBERS)
    if now not in (None, today) and not activate:
        for some in (some for size in range(len(CONTINUED)) for some in combinations(CONTINUED, size + 1)):
            if (earlier := versions_at({**NUMBERS, **dict(some)})) == now:
                return earlier, "; ".join(CONTINUED[one] for one in some)
    return today, None


def active(lake: Lake) -> Versions | None:
    """Versions that the lake was last computed by, or None before the first run was completed.

    Of the runs that activated versions the last complete one counts; others only where none of them is complete.
    """
    names = [field.name for field in fields(Versions)]
    place = {run.run_id: number for number, run in enumerate(lake.complete_runs())}
    rows = lake.small_rows("versions", ["run_id", *names])
    latest = max(rows, key=lambda row: (place.get(row["run_id"], -1), row["run_id"]), default=None)
    if latest is None:
        return None
    return Versions(**{name: latest[name] for name in names} | {"representation": latest["representation"] or MASKED})


def admit(lake: Lake, now: Versions | None, versions: Versions, *, activate: bool) -> bool:
    """Say whether ``versions`` must become the active ones at the end of this run; ``now`` are the active ones.

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
    these = f"rule_version = '{now.rule_version}' AND detector_version = '{now.detector_version}'"
    stated = lake.small_rows("versions", ["outcomes_number"], these)
    outcomes = max((row["outcomes_number"] for row in stated if row["outcomes_number"] is not None), default=None)
    rules = re.match(r"\d+(?=-)", now.rule_version)
    known = {table: {column.name for column in contract(table).columns} for table in table_names()}
    there = [(table, name) for table in known if lake.exists(table) for name in lake.read(table).columns]
    unknown = [f"{table}.{name}" for table, name in there if name not in known[table]]
    raise VersionError(
        f"this run would compute by other versions than the lake {lake.root}: {'; '.join(changed)}. "
        f"{advice((int(rules[0]) if rules else None, outcomes), unknown=unknown)}"
    )


def advice(
    found: tuple[int | None, int | None],
    here: tuple[int, int] = (RULES.number(), DETECTOR.number()),
    unknown: Sequence[str] = (),
) -> str:
    """Say what to do about a lake of other versions, in a sentence or two: which of the two is newer decides it.

    ``found`` and ``here`` are numbers of the code of the rules and of the outcomes: of what computed the lake, None
    where it does not say, and of this release. ``unknown`` are columns of the lake that this release does not know.
    """
    named = zip(("rules", "outcomes"), found, here, strict=True)
    signs = [f"{name} {number}, here {known}" for name, number, known in named if number is not None and number > known]
    if unknown:
        signs.append(f"columns that are not known here: {', '.join(unknown)}")
    cause = "If settings or the model were changed, restore them; if not, the lake was written by another release: "
    remedy = "install that one. Or give"
    if signs:
        cause = f"The lake was written by a newer release ({'; '.join(signs)}): "
        remedy = "install that release or a later one. If this older one is what you want, give"
    return f"{cause}{remedy} --activate to compute the whole archive again beside the old rows"


def flip(lake: Lake, versions: Versions) -> None:
    """Make ``versions`` the active ones by one row, after all other tables are written."""
    lake.append(lake.frame([{**asdict(versions), "outcomes_number": DETECTOR.number()}], "versions"), "versions")
