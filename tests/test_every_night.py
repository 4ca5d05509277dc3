"""What starts a run every night (systemd, cron, Airflow, an image) names commands, files and statuses that exist."""

import re
import runpy
import shlex
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from quotelake.cli import COMMANDS
from quotelake.commands.options import declare
from quotelake.errors import Status

ROOT = Path(__file__).parents[1]
CONF = ROOT / "conf"
SERVICE = (CONF / "systemd" / "quotelake.service").read_text("utf-8")
DOCKERFILE = (CONF / "kubernetes" / "Dockerfile").read_text("utf-8").replace("\\\n", " ")


def parsed(words: list[str]) -> Any:
    """The arguments of a command, as the program would read them."""
    assert words[0] in COMMANDS
    parser = ArgumentParser(exit_on_error=False)
    declare(parser, words[0])
    return parser.parse_args(words[1:])


def test_the_lines_of_systemd_and_cron_are_commands():
    [start] = re.findall(r"^ExecStart=\S+/quotelake (.+)$", SERVICE, re.MULTILINE)
    lines = re.findall(r"/bin/quotelake (.+?) >>", (CONF / "cron.example").read_text("utf-8"))
    assert [words[0] for words in map(shlex.split, [start, *lines])] == ["score", "score", "maintain"]
    assert all(parsed(shlex.split(line)).lake == "/srv/lake" for line in [start, *lines])


@pytest.mark.parametrize("status", [0, 1, 2, 3, 4, 75])
def test_systemd_and_cron_tell_what_is_new_wherever_all_is_done_and_written(status: int, tmp_path: Path):
    """Protects: the night on which a feed falls silent (status 4) is told, and no night that did not end."""
    program = tmp_path / "quotelake"
    program.write_text(f'#!/bin/sh\n[ "$1" != score ] || exit {status}\necho "$1" >>{tmp_path}/told\n', "utf-8")
    program.chmod(0o755)
    [after] = re.findall(r"^ExecStopPost=/bin/sh -c '(.+)'$", SERVICE, re.MULTILINE)
    cron = re.findall(r"^15 3 \* \* \* +(.+)$", (CONF / "cron.example").read_text("utf-8"), re.MULTILINE)
    for line in (after, *cron):
        here = line.replace("/srv/quotelake/.venv/bin/quotelake", str(program)).replace("/srv/nightly.log", "/dev/null")
        variables = {"PATH": "/usr/bin:/bin", "EXIT_STATUS": str(status), "QUOTELAKE_NOTIFY": "json://a.example"}
        subprocess.run(["/bin/sh", "-c", here], env=variables, capture_output=True, check=False)
    told = (tmp_path / "told").read_text("utf-8").split() if (tmp_path / "told").exists() else []
    assert told == (["notify"] * 2 if status in (0, Status.TOO_MANY_REJECTS, Status.SILENT) else [])


@pytest.mark.process
@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_takes_the_units(tmp_path: Path):
    service = re.sub(r"^ExecStart=\S+", f"ExecStart={sys.executable}", SERVICE, flags=re.MULTILINE)
    (tmp_path / "quotelake.service").write_text(service, "utf-8")
    shutil.copy(CONF / "systemd" / "quotelake.timer", tmp_path)
    units = [str(tmp_path / f"quotelake.{kind}") for kind in ("service", "timer")]
    result = subprocess.run(["systemd-analyze", "verify", *units], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")


def test_the_image_copies_what_there_is_and_installs_extras_that_there_are():
    ignored = (CONF / "kubernetes" / "Dockerfile.dockerignore").read_text("utf-8").split()
    copied = [name for names in re.findall(r"^COPY (.+) \S+$", DOCKERFILE, re.MULTILINE) for name in names.split()]
    assert copied and all((ROOT / name).exists() and f"!{name}" in ignored for name in copied)
    [extras] = re.findall(r"'\.\[(.+)\]'", DOCKERFILE)
    known = re.findall(r'^        "(\w+)": ', (ROOT / "setup.py").read_text("utf-8"), re.MULTILINE)
    assert {*extras.split(",")} <= {*known}
    for module in re.findall(r"python -m (quotelake\S+)", DOCKERFILE):
        assert (ROOT / "lib" / f"{module.replace('.', '/')}.py").exists()
    assert re.search(r"^USER (?!0|root)\S+$", DOCKERFILE, re.MULTILINE)


#: Airflow's errors of a task that is tried again, and of one that is not.
_Failed = type("_Failed", (Exception,), {})
_FailedForGood = type("_FailedForGood", (_Failed,), {})


@pytest.fixture
def dag(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], list[tuple[str, ...]]]:
    """The DAG under a small stand-in for Airflow: tasks run at once, one after the other, and their program is fake."""
    declared: dict[str, Any] = {}

    def task(function: Callable[..., Any] | None = None, **options: object) -> Any:
        return function or (lambda made: made)

    def declare(**options: object) -> Any:
        declared.update(options)
        return lambda made: lambda: declared.update(run=made)

    exceptions = SimpleNamespace(AirflowException=_Failed, AirflowFailException=_FailedForGood)
    for name, module in (("", None), (".exceptions", exceptions), (".sdk", SimpleNamespace(dag=declare, task=task))):
        monkeypatch.setitem(sys.modules, f"airflow{name}", module)
    runpy.run_path(str(CONF / "airflow" / "quotelake_nightly.py"))
    assert (declared["catchup"], declared["max_active_runs"]) == (False, 1)

    def run(status: int) -> list[tuple[str, ...]]:
        calls: list[tuple[str, ...]] = []

        def fake(command: list[str], check: bool) -> subprocess.CompletedProcess[bytes]:
            parsed(command[1:])
            calls.append(tuple(command[1:]))
            return subprocess.CompletedProcess(command, status if command[1] == "score" else 0)

        monkeypatch.setattr(subprocess, "run", fake)
        try:
            declared["run"]()
        except _Failed as error:
            calls.append((type(error).__name__,))
        return calls

    return run


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (Status.DONE, ["score", "notify"]),
        # All is written: who is told is told, and somebody must look.
        (Status.TOO_MANY_REJECTS, ["score", "notify", "_FailedForGood"]),
        (Status.SILENT, ["score", "notify", "_FailedForGood"]),
        (Status.UNUSABLE, ["score", "_FailedForGood"]),
        (Status.MISCOUNTED, ["score", "_FailedForGood"]),
        (Status.BUSY, ["score", "_Failed"]),
        (Status.INTERRUPTED, ["score", "_Failed"]),
        (1, ["score", "_Failed"]),  # an error in the program or in Spark
        (-9, ["score", "_Failed"]),
    ],
)
def test_airflow_tries_again_only_what_may_succeed(dag: Any, status: int, expected: list[str]):
    assert [call[0] for call in dag(status)] == expected
