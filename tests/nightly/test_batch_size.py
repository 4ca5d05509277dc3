"""A batch is cut into tasks by what is due: too many for few documents, or too few for many, take far longer."""

from types import SimpleNamespace
from typing import Any

import pytest

from quotelake.nightly.plan import batch_size
from quotelake.settings import load_settings

NEW, TABLE, LIMIT = 1_000, 70_000_000, 50_000_000


def night(*, rereads: bool, table: int = TABLE) -> Any:
    """As much of a night as is looked at."""
    settings = load_settings(overrides=[f"run.score_bytes={LIMIT}"])
    return SimpleNamespace(
        rereads=rereads, settings=settings, lake=SimpleNamespace(bytes_of={"documents": table}.__getitem__)
    )


@pytest.mark.parametrize(
    ("rereads", "new", "table", "expected"),
    [
        (False, NEW, TABLE, NEW),  # a night holds its new documents
        (False, 2 * LIMIT, TABLE, LIMIT),
        (False, 0, 3_000, 3_000),  # what a killed run left
        (True, NEW, TABLE, LIMIT),  # an activation reads the archive again, new files or not
        (True, 0, 3_000, 3_000),
    ],
)
def test_a_batch_holds_what_is_due(rereads: bool, new: int, table: int, expected: int):
    assert batch_size(night(rereads=rereads, table=table), new) == expected
