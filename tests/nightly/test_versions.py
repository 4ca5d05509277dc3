"""A lake is computed by one version at a time: others are refused, unless activated, and then change last."""

import json
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from quotelake.contextomy.decide import load_detector
from quotelake.embeddings.models import Model
from quotelake.errors import VersionError
from quotelake.lake.place import Files
from quotelake.lake.stream import others_are_ahead
from quotelake.nightly.versions import Versions, must_activate, versions_of
from quotelake.settings import Settings, load_settings

MINE = Versions("2-aaaa", "containment-1-bbbb", "f" * 32, "a-model", "float32", 4, "masked")
#: Version that the settings of a section are part of.
DECIDES = {
    **{section: {"rule_version"} for section in ("quotes", "reuse", "topics")},
    "contextomy": {"detector_version"},
    **{section: set[str]() for section in ("run", "ingest", "sources", "model", "watch", "report", "reader")},
}
#: Settings that are part of another version than the rest of their section.
EXCEPTIONS = {
    **{name: {"detector_version"} for name in ("ingest.languages", "ingest.language_confidence", "model.languages")},
    **{name: set[str]() for name in ("contextomy.detector", "topics.representation", "topics.head")},
}
NAMES = [  # in one order, for each worker of the tests has to collect alike
    *(
        f"{section}.{key}"
        for section in DECIDES
        if section != "sources"
        for key in sorted(getattr(load_settings(), section).model_fields_set)
    ),
    "sources.bbc.kind",
]


LAKE: Any = SimpleNamespace(root="lake")


def refusal(now: Versions, versions: Versions) -> str:
    with pytest.raises(VersionError) as caught:
        must_activate(LAKE, now, versions, activate=False)
    return str(caught.value)


def test_the_first_run_activates_its_own_and_others_are_refused_by_name_until_they_are_activated():
    other = replace(MINE, rule_version="3-cccc", dtype="bfloat16")
    assert must_activate(LAKE, None, MINE, activate=False) and must_activate(LAKE, MINE, other, activate=True)
    assert not must_activate(LAKE, MINE, MINE, activate=False)
    assert must_activate(LAKE, MINE, replace(MINE, representation="blend"), activate=False)
    parts = ("rule_version is 3-cccc, the lake has 2-aaaa", "dtype is bfloat16", "--activate", "detector_version")
    assert [part in refusal(MINE, other) for part in parts] == [True, True, True, False]


@pytest.mark.parametrize(
    ("rules", "outcomes", "sign"),
    [(3, 4, "rules 3, here 2"), (2, 5, "outcomes 5, here 4"), (2, 3, None), (1, 4, None), (1, 3, None)],
)
def test_a_newer_release_is_to_be_installed_and_where_nothing_shows_one_both_causes_are_named(
    rules: int, outcomes: int, sign: str | None
):
    now = replace(MINE, rule_version=f"{rules}-cccc", detector_version="d", outcomes_number=outcomes)
    message = refusal(now, MINE)
    newer, either = ["newer release", "install that release"], ["settings or the model", "restore", "another release"]
    assert all(part in message for part in [*(newer if sign else either), sign or "", "--activate"])
    assert not any(part in message for part in (["settings"] if sign else ["newer"]))


def made(settings: Settings, prior: float | None = None, cosines_count: bool = True) -> Versions:
    """Versions of settings, with a model that is not there."""
    detector = load_detector(load_settings().contextomy)
    detector = detector if prior is None else detector.with_prior(prior)
    model = Model("a-model", Path(), "float32", None, "f" * 32)
    return versions_of(settings, detector, model, cosines_count=cosines_count, representation="masked")


def differing(one: Versions, other: Versions) -> set[str]:
    return {name for name, value in asdict(one).items() if value != getattr(other, name)}


def altered(settings: Settings, name: str) -> Settings:
    """Settings with another value of one of them, whether or not it makes sense."""
    section, key, *rest = name.split(".")
    value = getattr(settings, section)
    if rest:
        return settings.model_copy(update={section: {**value, key: value[key].model_copy(update={rest[0]: "other"})}})
    return settings.model_copy(update={section: value.model_copy(update={key: "other"})})


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
@pytest.mark.parametrize("name", NAMES)
def test_a_setting_changes_the_version_that_it_decides_and_no_other(settings: Settings, name: str):
    expected = EXCEPTIONS.get(name, DECIDES[name.partition(".")[0]])
    before, after = made(settings), made(altered(settings, name))
    assert differing(before, after) == expected
    assert (before.checkpoint_id != after.checkpoint_id) == bool(expected)


def test_every_section_and_exception_is_a_setting():
    assert {*DECIDES} == {*Settings.model_fields} and {*EXCEPTIONS} <= {*NAMES}


@pytest.mark.parametrize("changes", [{"cosines_count": False}, {"prior": 0.1}])
def test_the_detector_and_whether_its_cosine_counts_are_part_of_the_detector_version(
    settings: Settings, changes: dict[str, Any]
):
    assert differing(made(settings), made(settings, **changes)) == {"detector_version"}


def at(version: int, since: int = -1) -> str:
    return json.dumps({"version": version, "since": since, "files": {}, "left": {}})


@pytest.mark.parametrize(
    ("own", "others", "ahead"),
    [
        (None, None, False),  # a new lake
        (None, (at(2), False), True),  # the first run died under others
        (None, (at(2), True), True),  # the archive is read anew
        ((at(4), True), (at(4), True), False),  # others have seen no more than these
        ((at(4), True), (at(3), False), False),
        ((at(4), True), (at(5), False), True),  # others died over a later night
        ((at(4, since=3), False), (at(4), True), True),  # these died over what others have finished
        ((at(4), False), (at(4), True), True),  # these are still within the archive
        ((at(0), True), ("", False), True),  # a batch whose file cannot be read may have written anything
        ((at(4), True), (at(-1), True), False),  # the rows of others were dropped
    ],
)
def test_others_are_ahead_where_they_may_have_written_what_these_have_not(
    tmp_path: Path, own: tuple[str, bool] | None, others: tuple[str, bool] | None, ahead: bool
):
    """Each has begun one batch, or none: the version of the table it brings, and whether it is done."""
    files = Files(tmp_path)
    for folder, left in (("documents-own", own), ("documents-others", others)):
        if left is not None:
            files.write(f"_checkpoints/{folder}/offsets/0", left[0])
        if left is not None and left[1]:
            files.write(f"_checkpoints/{folder}/commits/0", "{}")
    assert others_are_ahead(files, "documents", "own") == ahead
