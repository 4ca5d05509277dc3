"""A lake is computed by one version at a time: others are refused, unless they are activated, and then flip last."""

import dataclasses

import pytest

from quotelake.contextomy.detector import load_detector
from quotelake.errors import VersionError
from quotelake.settings import Settings, load_settings
from quotelake.tables import Lake
from quotelake.versions import Versions, active, admit, flip, versions_of

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


@pytest.mark.parametrize(
    ("override", "changes"),
    [
        ("contexts.max_words=60", {"rule_version"}),
        ("topics.min_words=5", {"rule_version"}),
        ("contextomy.threshold=0.7", {"detector_version"}),
        ("model.languages=['en','de']", {"detector_version"}),
        ("report.alerts=3", set()),
        ("run.batch_bytes=1000000", set()),
    ],
)
def test_only_settings_that_change_what_is_found_change_a_version(settings: Settings, override: str, changes: set[str]):
    detector = load_detector(settings.contextomy)
    before = versions_of(settings, detector, "f" * 32, "a-model", "float32")
    after = versions_of(load_settings(overrides=[override]), detector, "f" * 32, "a-model", "float32")
    changed = {f.name for f in dataclasses.fields(Versions) if getattr(before, f.name) != getattr(after, f.name)}
    assert changed == changes
    assert (before.checkpoint_id != after.checkpoint_id) == bool(changes)


def test_another_detector_is_another_version_wherever_its_file_lies(settings: Settings):
    shipped = load_detector(settings.contextomy)
    elsewhere = settings.model_copy(
        update={"contextomy": settings.contextomy.model_copy(update={"detector": "/elsewhere/detector.json"})}
    )
    before = versions_of(settings, shipped, "f" * 32, "a-model", "float32")
    assert versions_of(elsewhere, shipped, "f" * 32, "a-model", "float32") == before
    moved = versions_of(settings, shipped.with_prior(0.1), "f" * 32, "a-model", "float32")
    assert moved.detector_version != before.detector_version
