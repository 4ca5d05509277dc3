"""Progress of a run, as a log shows it."""

import io
import re
import threading

import pytest
from rich.console import Console

from quotelake.commands import summary
from quotelake.lake.runs import new_run


def test_what_was_done_stays_done_while_other_jobs_of_the_work_follow(monkeypatch: pytest.MonkeyPatch):
    run, out, told, seen = new_run("", None, print), io.StringIO(), list[float](), threading.Event()
    run.set_progress("scores: embedding", "texts", 4, in_hand=4)

    def share() -> float:
        told.append(0.0 if told else 0.5)  # of the tasks of the first job, then of another one
        if len(told) > 2:
            seen.set()
        return told[-1]

    monkeypatch.setattr(summary, "_LOG_SECONDS", 0.001)
    monkeypatch.setattr(summary, "_share_done", share)
    with summary.show_progress(run, Console(file=out)):
        assert seen.wait(60)
    assert {*re.findall(r"(\d) of 4 texts", out.getvalue())} == {"2"}
