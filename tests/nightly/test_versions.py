"""A lake is computed by one version at a time: others are refused, unless they are activated, and then flip last."""

import json
from collections.abc import Mapping
from dataclasses import fields, replace

import pytest

from quotelake.contextomy.decide import load_detector
from quotelake.errors import VersionError
from quotelake.lake.stream import others_are_ahead
from quotelake.lake.tables import Lake
from quotelake.nightly import versions
from quotelake.nightly.decides import CONTINUED, DETECTOR, NUMBERS, RULES, SECTIONS, SETTINGS, decided_by
from quotelake.nightly.versions import Versions, active, admit, advice, flip, versions_of, versions_to_use
from quotelake.settings import Settings, load_settings

MINE = Versions("1-aaaa", "containment-1-bbbb", "f" * 32, "a-model", "float32")
NAMES = [  # in one order, for each worker of the tests has to collect alike
    *(
        f"{section}.{key}"
        for section in SECTIONS
        if section != "sources"
        for key in sorted(getattr(load_settings(), section).model_fields_set)
    ),
    "sources.bbc.kind",
]


@pytest.mark.spark
def test_the_first_run_activates_its_own_and_others_are_refused_by_name_until_they_are_activated(lake: Lake):
    assert active(lake) is None
    assert admit(lake, None, MINE, activate=False)
    flip(lake, MINE)
    assert active(lake) == MINE
    assert not admit(lake, active(lake), MINE, activate=False)
    other = replace(MINE, rule_version="2-cccc", dtype="bfloat16")
    with pytest.raises(VersionError) as caught:
        admit(lake, active(lake), other, activate=False)
    for part in ("rule_version is 2-cccc, the lake has 1-aaaa", "dtype is bfloat16", "--activate"):
        assert part in str(caught.value)
    assert "detector_version" not in str(caught.value)
    assert admit(lake, active(lake), other, activate=True)
    assert active(lake) == MINE, "activated only when the run is done"


@pytest.mark.spark
def test_a_lake_of_a_newer_release_is_told_by_its_numbers_and_columns(lake: Lake):
    flip(lake, replace(MINE, rule_version="99-aaaa"))
    with pytest.raises(VersionError, match=r"newer release \(rules 99, here \d+\): install that release"):
        admit(lake, active(lake), MINE, activate=False)
    lake.spark.sql(f"ALTER TABLE delta.`{lake.path('quotes')}` ADD COLUMNS (mood STRING)")
    with pytest.raises(VersionError, match=r"not known here: quotes\.mood"):
        admit(lake, active(lake), MINE, activate=False)


@pytest.mark.parametrize(
    ("found", "unknown", "sign"),
    [
        ((3, 4), [], "rules 3, here 2"),
        ((2, 5), [], "outcomes 5, here 4"),
        ((2, None), ["quotes.mood"], "quotes.mood"),
        *((found, [], None) for found in ((2, 4), (1, 4), (2, 3), (2, None), (None, None))),
    ],
)
def test_a_newer_release_is_to_be_installed_and_where_nothing_shows_one_both_causes_are_named(
    found: tuple[int | None, int | None], unknown: list[str], sign: str | None
):
    said = advice(found, (2, 4), unknown)
    newer, either = ["newer release", "install that release"], ["settings or the model", "restore", "another release"]
    assert all(part in said for part in [*(newer if sign else either), sign or "", "--activate"])
    assert not any(part in said for part in (["settings"] if sign else ["newer"]))


def made(settings: Settings, **changes: object) -> Versions:
    """Versions of settings, with a model that is not there."""
    given = {"fingerprint": "f" * 32, "model": "a-model", "dtype": "float32", "cosines_count": True, **changes}
    return versions_of(settings, load_detector(load_settings().contextomy), **given)


def differing(one: Versions, other: Versions) -> set[str]:
    return {f.name for f in fields(Versions) if getattr(one, f.name) != getattr(other, f.name)}


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
    expected = {RULES: {"rule_version"}, DETECTOR: {"detector_version"}, None: set()}[decided_by(name)]
    before, after = made(settings), made(altered(settings, name))
    assert differing(before, after) == expected
    assert (before.checkpoint_id != after.checkpoint_id) == bool(expected)


def test_every_section_says_which_version_it_decides_and_exceptions_are_settings(settings: Settings):
    assert {*SECTIONS} == {*Settings.model_fields}
    assert {*SETTINGS} <= {*NAMES} and len(NAMES) > 35
    decided = {name: decided_by(name) for name in ("contexts.max_words", "topics.min_words", "ingest.raw_cap")}
    assert [*decided.values()] == [RULES, RULES, None]
    assert decided_by("contextomy.threshold") is decided_by("model.languages") is DETECTOR


def test_whether_the_cosine_counts_is_part_of_the_detector_version(settings: Settings):
    assert differing(made(settings), made(settings, cosines_count=False)) == {"detector_version"}


def test_another_detector_is_another_version_wherever_its_file_lies(settings: Settings):
    moved = load_detector(settings.contextomy).with_prior(0.1)
    other = versions_of(settings, moved, "f" * 32, "a-model", "float32", cosines_count=True)
    assert differing(other, made(settings)) == {"detector_version"}


def test_a_lake_of_an_earlier_number_goes_on_under_its_names_until_it_is_activated(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
):
    def versions_at(numbers: Mapping[str, int]) -> Versions:
        return made(settings, numbers=numbers)

    earlier = "contextomy", NUMBERS["contextomy"] - 2
    before, now = versions_at({**NUMBERS, earlier[0]: earlier[1]}), versions_at(NUMBERS)
    assert before.rule_version == now.rule_version
    parts = ("quotes", 2), ("contextomy", 10), ("reuse", 2)
    english = versions_at({**NUMBERS, **dict(parts)})
    assert english.rule_version == "6-36edd053", "the name before German quotes and short excerpts had rules"
    assert versions_to_use(english, versions_at, activate=False) == (english, "; ".join(CONTINUED[p] for p in parts))
    of_before = versions_at({**NUMBERS, **dict(parts), "reuse": 1})
    assert of_before.rule_version == "5-a60254f1", "the name before parts had numbers"
    said = "; ".join(CONTINUED[p] for p in (*parts[:2], ("reuse", 1)))
    assert versions_to_use(of_before, versions_at, activate=False) == (of_before, said), "several parts at once"
    assert versions_to_use(before, versions_at, activate=False) == (now, None), "it says something else of any quote"
    monkeypatch.setattr(versions, "CONTINUED", {earlier: "fewer alerts"})
    assert versions_to_use(before, versions_at, activate=False) == (before, "fewer alerts")
    for lake, activate in ((before, True), (now, False), (None, False), (replace(before, rule_version="4-0"), False)):
        assert versions_to_use(lake, versions_at, activate=activate) == (now, None)


def begin(lake: Lake, checkpoint: str, number: int, offset: str, *, done: bool) -> None:
    """Leave a batch in a checkpoint as Spark does; ``offset`` is where Delta's source got to."""
    lake.storage.write(f"_checkpoints/documents-{checkpoint}/offsets/{number}", offset and f"v1\n{{}}\n{offset}")
    if done:
        lake.storage.write(f"_checkpoints/documents-{checkpoint}/commits/{number}", "v1\n{}")


def at(version: int, index: int = -1, *, snapshot: bool = False) -> str:
    return json.dumps({"reservoirVersion": version, "index": index, "isStartingVersion": snapshot})


@pytest.mark.spark
@pytest.mark.parametrize(
    ("own", "others", "ahead"),
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
        ((at(0), True), ("", False), True),  # a batch whose offset cannot be read may have written anything
    ],
)
def test_others_are_ahead_where_they_may_have_written_what_these_have_not(
    lake: Lake, own: tuple[str, bool] | None, others: tuple[str, bool] | None, ahead: bool
):
    for checkpoint, left in (("own", own), ("others", others)):
        if left is not None:
            begin(lake, checkpoint, 0, left[0], done=left[1])
    assert others_are_ahead(lake, "documents", "own") == ahead
