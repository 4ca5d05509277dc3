"""Every setting says which version it changes, or why none."""

from collections.abc import Iterator
from typing import get_args, get_origin

from pydantic import BaseModel

from quotelake.nightly.decides import SETTINGS
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
