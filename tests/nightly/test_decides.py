"""Every setting says which version it changes, or why none."""

import dataclasses
from collections.abc import Iterator, Mapping
from typing import get_args, get_origin

from pydantic import BaseModel

from quotelake.contextomy.decide import load_detector
from quotelake.nightly.decides import CONTINUED, NUMBERS, SETTINGS
from quotelake.nightly.versions import Versions, versions_of, versions_to_use
from quotelake.settings import Settings


def names_of(model: type[BaseModel], before: str = "") -> Iterator[str]:
    """Dotted names of all settings below a section; ``*`` for the names that users give."""
    for name, field in model.model_fields.items():
        kind = field.annotation
        if get_origin(kind) is dict and isinstance(get_args(kind)[1], type):
            name, kind = f"{name}.*", get_args(kind)[1]
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from names_of(kind, f"{before}{name}.")
        else:
            yield f"{before}{name.removesuffix('.*')}"


def test_every_setting_is_classified_once_and_nothing_else_is():
    assert sorted(names_of(Settings)) == sorted(SETTINGS)


def test_a_lake_of_an_earlier_number_goes_on_under_its_names_until_it_is_activated(settings: Settings):
    def versions_at(numbers: Mapping[str, int]) -> Versions:
        detector = load_detector(settings.contextomy)
        return versions_of(
            settings, detector, "f" * 32, "a-model", "float32", cosines_count=True, numbers=numbers
        )  # fmt: skip

    before, now = versions_at({**NUMBERS, "contextomy": 8}), versions_at(NUMBERS)
    # The names that lakes of these settings had before parts had numbers.
    assert (before.rule_version, before.detector_version) == ("5-a60254f1", "transfer-2-c8e20994")
    assert versions_to_use(before, versions_at, activate=False) == (before, [CONTINUED["contextomy", 8]])
    assert versions_to_use(before, versions_at, activate=True) == (now, ())
    assert versions_to_use(now, versions_at, activate=False) == versions_to_use(None, versions_at, activate=False)
    unknown = dataclasses.replace(before, rule_version="4-00000000")
    assert versions_to_use(unknown, versions_at, activate=False) == (now, ())
