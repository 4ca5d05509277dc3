"""A batch for tests of single steps, of a night that has settings and versions and nothing else; and runs that die."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

from quotelake.lake.runs import StageCounts
from quotelake.lake.tables import Lake
from quotelake.lake.writing import Transaction
from quotelake.nightly.night import Batch
from quotelake.settings import load_settings
from quotelake.spark.kept import materialised


@contextmanager
def batch_of(lake: Lake, number: int, *, small: bool = False) -> Iterator[Batch]:
    """Open batch ``number`` of a lake, by rules of version 1 and a model of fingerprint "model"."""
    night: Any = SimpleNamespace(
        settings=load_settings(),
        versions=SimpleNamespace(rule_version="1", fingerprint="model"),
        run=SimpleNamespace(night=None),
        rereads=False,
    )
    with materialised(small=small) as keep:
        yield Batch(night, replace(lake, small=small), StageCounts("test"), keep, Transaction("test", number))


@contextmanager
def killed(*ways: str, table: str | None = None, time: int = 1) -> Iterator[None]:
    """Stands for SIGKILL: what was written stays, and no more is written.

    A run dies when a lake is about to write a table in one of some ways for the ``time``-th time.
    """
    times = count(1)

    def dying(way: str) -> Any:
        write = getattr(Lake, way)

        def write_or_die(lake: Lake, *given: Any, **named: Any) -> Any:
            if (table is None or table in given) and next(times) == time:
                raise RuntimeError("killed here")
            return write(lake, *given, **named)

        return write_or_die

    with pytest.MonkeyPatch.context() as patch, pytest.raises(Exception, match="killed here"):
        for way in ways:
            patch.setattr(Lake, way, dying(way))
        yield
