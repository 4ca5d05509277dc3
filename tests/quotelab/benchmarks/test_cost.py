import json
import sys
from pathlib import Path
from typing import Any

import pytest

from quotelab.benchmarks.cost import CommandError, CommandStoppedError, measure
from quotelab.benchmarks.event_log import Busy, Moved, busy, moved

pytestmark = pytest.mark.process

MIB = 1 << 20
BUSY = "import time; begin = time.process_time()\nwhile time.process_time() - begin < 0.3: pass\n"


def python(code: str) -> list[str]:
    return [sys.executable, "-S", "-c", code]


def test_cpu_of_a_process_that_outlives_the_command_is_counted():
    # As a daemon of workers would: its parent is gone before it begins.
    code = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {BUSY!r}])"
    assert measure(python(code)).cpu >= 0.3


@pytest.mark.parametrize("outlives", [False, True])
def test_cpu_of_a_child_whose_parent_ignores_its_end_is_counted_once(outlives: bool):
    # As PySpark's daemon does: the kernel tells nobody what such a child used, unless the child loses its parent.
    wait = "" if outlives else "\ntry: os.wait()\nexcept ChildProcessError: pass"
    code = (
        "import os, signal, subprocess, sys\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        f"child = subprocess.Popen([sys.executable, '-S', '-c', {BUSY.replace('0.3', '1')!r}]){wait}"
    )
    assert 0.3 <= measure(python(code)).cpu < 1.8  # twice would be 2; what is used behind the last look is missed


def test_a_command_that_takes_too_long_is_killed_with_what_it_started(tmp_path):
    path = tmp_path / "pid"
    wait = "import time; time.sleep(100_000)"
    code = (
        "import subprocess, sys\n"
        f"child = subprocess.Popen([sys.executable, '-S', '-c', {wait!r}], start_new_session=True)\n"
        f"open({str(path)!r}, 'w').write(str(child.pid)); child.wait()"
    )
    # The limit of the first try may pass before the child is there.
    for limit in (0.5, 5, 50):
        with pytest.raises(CommandStoppedError, match=f"stopped after {limit:g} s"):
            measure(python(code), limit_s=limit)
        if path.exists() and path.read_text():
            break
    assert not Path(f"/proc/{path.read_text()}").exists()


def test_bytes_that_a_child_reads_are_counted(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(bytes(5 * MIB))
    read = f"open({str(path)!r}, 'rb').read()"
    once = measure(python(f"import subprocess, sys; subprocess.run([sys.executable, '-c', {read!r}])")).read
    never = measure(python("import subprocess, sys; subprocess.run([sys.executable, '-c', ''])")).read
    assert once >= 5 * MIB
    assert once - never < 6 * MIB


def test_lines_have_the_time_at_which_they_were_printed():
    cost = measure(python("import time; print('a', flush=True); time.sleep(0.3); print('b')"))
    (first, a), (second, b) = cost.lines
    assert (a, b) == ("a", "b") and 0.2 < second - first <= cost.seconds


def test_a_command_that_fails_has_no_cost_but_a_message():
    with pytest.raises(CommandError, match="exit status 3") as error:
        measure(python("import sys; print('why', file=sys.stderr); sys.exit(3)"))
    assert "why" in str(error.value)


def write_log(folder: Path, *events: tuple[str, dict[str, Any]]) -> None:
    """A log of events, each by its kind."""
    named = ({"Event": f"SparkListener{kind}", **fields} for kind, fields in events)
    (folder / "local-1").write_text("".join(f"{json.dumps(e, separators=(',', ':'))}\n" for e in named), "utf-8")


def test_bytes_of_all_tasks_are_added_and_a_task_that_was_lost_has_none(tmp_path: Path):
    def metrics(shuffled: int, spilled: int) -> dict[str, Any]:
        written = {"Shuffle Bytes Written": shuffled}
        return {"Task Metrics": {"Disk Bytes Spilled": spilled, "Shuffle Write Metrics": written}}

    tasks = [("TaskEnd", fields) for fields in (metrics(10, 1), {"Stage ID": 1}, metrics(7, 0))]
    write_log(tmp_path, ("ApplicationStart", {}), *tasks, ("StageCompleted", metrics(500, 500)))
    assert moved(tmp_path) == Moved(shuffled=17, spilled=1)


def test_cores_are_busy_in_a_stage_with_the_tasks_of_any_stage_and_only_while_it_lasts(tmp_path: Path):
    times = ((0, 10_000), (6_000, 14_000))
    tasks = [("TaskEnd", {"Task Info": {"Launch Time": begin, "Finish Time": end}}) for begin, end in times]
    names, lasting = ("Stage Name", "Submission Time", "Completion Time"), [("long", 2_000, 12_000)]
    lasting += [("later", 9_000, 19_000), ("short", 0, 4_999)]
    stages = [("StageCompleted", {"Stage Info": dict(zip(names, each, strict=True))}) for each in lasting]
    write_log(tmp_path, *tasks, *stages)
    assert busy(tmp_path, 2) == [Busy("later", 10, 0.3), Busy("long", 10, 0.7)]
