import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelab.benchmarks.cost import CommandError, CommandStoppedError, Cost, Sample, measure

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


def test_what_is_spent_before_a_line_is_told_apart_from_what_is_spent_behind_it():
    cost = measure(python(f"{BUSY}print('now', flush=True); import time; time.sleep(0.2)"))
    [(at, line)] = cost.lines
    assert line == "now"
    # Of a process that lives the kernel tells hundredths, user and system time rounded down.
    assert cost.between(cost.samples[0].at, at).cpu >= 0.27
    assert cost.between(at, cost.samples[-1].at).cpu < 0.2


def test_a_command_that_fails_has_no_cost_but_a_message():
    with pytest.raises(CommandError, match="exit status 3") as error:
        measure(python("import sys; print('why', file=sys.stderr); sys.exit(3)"))
    assert "why" in str(error.value)


samples = st.lists(st.tuples(st.floats(0.001, 100), st.floats(0, 100), st.floats(0, 100)), min_size=1, max_size=6).map(
    lambda steps: tuple(
        Sample(*(sum(step[part] for step in steps[:number]) for part in range(3))) for number in range(len(steps) + 1)
    )
)


@given(samples, st.lists(st.floats(0, 1), min_size=1, max_size=5).map(sorted))
def test_parts_between_cuts_add_up_to_the_whole(samples, cuts):
    cost = Cost(samples, 0, ())
    times = [0.0, *(cut * samples[-1].at for cut in cuts), samples[-1].at]
    parts = [cost.between(begin, end) for begin, end in pairwise(times)]
    assert all(part.cpu >= -1e-9 and part.read >= -1e-9 for part in parts)
    assert sum(part.cpu for part in parts) == pytest.approx(cost.cpu)
    assert sum(part.read for part in parts) == pytest.approx(cost.read)
