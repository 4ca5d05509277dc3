"""A lake is computed by one version at a time: others are refused, unless they are activated, and then flip last."""

import dataclasses
import json

import pytest

from quotelake.contextomy.decide import load_detector
from quotelake.errors import VersionError
from quotelake.lake.tables import Lake
from quotelake.nightly.decides import SETTINGS, Decides
from quotelake.nightly.versions import Versions, active, admit, flip, others_are_ahead, versions_of
from quotelake.settings import Settings, load_settings

pytestmark = pytest.mark.spark

MINE = Versions("1-aaaa", "containment-1-bbbb", "f" * 32, "a-model", "float32")


def test_the_first_run_activates_its_own_and_the_next_one_need_not(lake: Lake):
    assert active(lake) is None
    assert admit(lake, None, MINE, activate=False)
    flip(lake, MINE)
    assert active(lake) == MINE
    assert not admit(lake, active(lake), MINE, activate=False)


def test_other_versions_are_refused_by_name_until_they_are_activated(lake: Lake):
    flip(lake, MINE)
    other = dataclasses.replace(MINE, rule_version="2-cccc", dtype="bfloat16")
    with pytest.raises(VersionError) as caught:
        admit(lake, active(lake), other, activate=False)
    for part in ("rule_version is 2-cccc, the lake has 1-aaaa", "dtype is bfloat16", "--activate"):
        assert part in str(caught.value)
    assert "detector_version" not in str(caught.value)
    assert admit(lake, active(lake), other, activate=True)
    assert active(lake) == MINE, "activated only when the run is done"


def test_a_lake_of_a_newer_release_is_told_by_its_numbers_and_columns(lake: Lake):
    flip(lake, dataclasses.replace(MINE, rule_version="99-aaaa"))
    with pytest.raises(VersionError, match=r"newer release \(rules 99, here \d+\): install that release"):
        admit(lake, active(lake), MINE, activate=False)
    lake.spark.sql(f"ALTER TABLE delta.`{lake.path('quotes')}` ADD COLUMNS (mood STRING)")
    with pytest.raises(VersionError, match=r"not known here: quotes\.mood"):
        admit(lake, active(lake), MINE, activate=False)


def made(settings: Settings, **changes: object) -> Versions:
    """Versions of settings, with a model that is not there."""
    given = {"fingerprint": "f" * 32, "model": "a-model", "dtype": "float32", "cosines_count": True, **changes}
    return versions_of(settings, load_detector(load_settings().contextomy), **given)


def differing(one: Versions, other: Versions) -> set[str]:
    """Names of what differs."""
    return {f.name for f in dataclasses.fields(Versions) if getattr(one, f.name) != getattr(other, f.name)}


@pytest.mark.parametrize(
    ("override", "changes"),
    [
        ("contexts.max_words=60", {"rule_version"}),
        ("topics.min_words=5", {"rule_version"}),
        ("contextomy.threshold=0.7", {"detector_version"}),
        ("model.languages=['en','de']", {"detector_version"}),
        ("ingest.languages=['en','de']", {"detector_version"}),
        ("ingest.language_confidence=0.9", {"detector_version"}),
        ("ingest.raw_cap=10", set()),
        ("report.alerts=3", set()),
        ("run.batch_bytes=1000000", set()),
    ],
)
def test_only_settings_that_change_what_is_found_change_a_version(settings: Settings, override: str, changes: set[str]):
    before, after = made(settings), made(load_settings(overrides=[override]))
    assert differing(before, after) == changes
    assert (before.checkpoint_id != after.checkpoint_id) == bool(changes)


def altered(settings: Settings, name: str) -> Settings:
    """Settings with another value of one of them, whether or not it makes sense."""
    section, key, *rest = name.replace("*", "bbc").split(".")
    value = getattr(settings, section)
    if rest:
        return settings.model_copy(update={section: {**value, key: value[key].model_copy(update={rest[0]: "other"})}})
    return settings.model_copy(update={section: value.model_copy(update={key: "other"})})


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
@pytest.mark.parametrize("name", sorted(SETTINGS))
def test_a_setting_changes_the_version_that_the_table_says_and_no_other(settings: Settings, name: str):
    decides, why = SETTINGS[name]
    # The name and the number format of the model come to the versions by way of the files that were found.
    expected = {decides.value} if decides in (Decides.RULES, Decides.DETECTOR) else set()
    assert differing(made(settings), made(altered(settings, name))) == expected, why


def test_whether_the_cosine_counts_is_part_of_the_detector_version(settings: Settings):
    assert differing(made(settings), made(settings, cosines_count=False)) == {"detector_version"}


def test_another_detector_is_another_version_wherever_its_file_lies(settings: Settings):
    shipped = load_detector(settings.contextomy)
    elsewhere = settings.model_copy(
        update={"contextomy": settings.contextomy.model_copy(update={"detector": "/elsewhere/detector.json"})}
    )
    assert made(elsewhere) == made(settings)
    moved = versions_of(settings, shipped.with_prior(0.1), "f" * 32, "a-model", "float32", cosines_count=True)
    assert differing(moved, made(settings)) == {"detector_version"}


def begin(lake: Lake, checkpoint: str, number: int, offset: str, *, done: bool) -> None:
    """Leave a batch in a checkpoint as Spark does; ``offset`` is where Delta's source got to."""
    lake.storage.write(f"_checkpoints/documents-{checkpoint}/offsets/{number}", f"v1\n{{}}\n{offset}")
    if done:
        lake.storage.write(f"_checkpoints/documents-{checkpoint}/commits/{number}", "v1\n{}")


def at(version: int, index: int = -1, *, snapshot: bool = False) -> str:
    """An offset of Delta's source."""
    return json.dumps({"reservoirVersion": version, "index": index, "isStartingVersion": snapshot})


@pytest.mark.parametrize(
    ("ours", "theirs", "ahead"),
    [
        (None, None, False),  # a new lake
        (None, (at(2), False), True),  # the first run died under others
        (None, (at(2), True), True),  # the archive is read anew
        ((at(4), True), (at(4), True), False),  # others have seen no more than these
        ((at(4), True), (at(3), False), False),
        ((at(4), True), (at(5), False), True),  # others died over a later night
        ((at(4), False), (at(4), True), True),  # these died over what others have finished
        ((at(4), True), (at(4, 0), True), True),  # others are within a version that these have not begun
        ((at(4, 3, snapshot=True), True), (at(4), True), True),  # these are still within the archive
    ],
)
def test_others_are_ahead_where_they_may_have_written_what_these_have_not(
    lake: Lake, ours: tuple[str, bool] | None, theirs: tuple[str, bool] | None, ahead: bool
):
    for checkpoint, left in (("mine", ours), ("theirs", theirs)):
        if left is not None:
            begin(lake, checkpoint, 0, left[0], done=left[1])
    assert others_are_ahead(lake, "documents", "mine") == ahead


def test_a_batch_that_was_begun_and_cannot_be_read_may_have_written_anything(lake: Lake):
    begin(lake, "mine", 0, at(0), done=True)
    lake.storage.write("_checkpoints/documents-theirs/offsets/0", "")
    assert others_are_ahead(lake, "documents", "mine")
