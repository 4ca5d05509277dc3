"""A batch for tests of single steps: of a night that has settings and versions, and nothing else."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

from quotelake.lake.runs import StageCounts
from quotelake.lake.tables import Lake
from quotelake.lake.writing import Transaction
from quotelake.nightly.night import Batch
from quotelake.settings import Settings, load_settings
from quotelake.spark.session import materialised


@contextmanager
def batch_of(lake: Lake, number: int, settings: Settings | None = None) -> Iterator[Batch]:
    """Open batch ``number`` of a lake, by rules of version 1 and a model of fingerprint "model"."""
    night: Any = SimpleNamespace(
        settings=settings or load_settings(),
        versions=SimpleNamespace(rule_version="1", fingerprint="model"),
        run=SimpleNamespace(night=None),
        rereads=False,
    )
    with materialised() as keep:
        yield Batch(night, lake, StageCounts("test"), keep, Transaction("test", number))
