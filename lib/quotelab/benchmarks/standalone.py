"""A standalone cluster of Spark on this machine, on loopback: a master, and workers with their executors.

It needs nothing but an installed PySpark. All its processes end with the block that started them.
"""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyspark

from quotelab.benchmarks.load import environment
from quotelake.errors import QuotelakeError

#: For Java that lives for minutes: only the first of its two compilers, and a collector of one thread.
FEW_MINUTES: Final = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData"
#: Settings of a job on a cluster of one machine.
JOB: Final = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.extraJavaOptions": f"-Duser.timezone=UTC {FEW_MINUTES}",
    "spark.executor.extraJavaOptions": f"-Duser.timezone=UTC {FEW_MINUTES}",
    "spark.executor.cores": "1",
    "spark.executor.memory": "1g",
    # Both executors are to stand before the first task, or one could do all the work.
    "spark.scheduler.minRegisteredResourcesRatio": "1.0",
    "spark.scheduler.maxRegisteredResourcesWaitingTime": "90s",
}
_EXECUTOR: Final = b"CoarseGrainedExecutorBackend"
_WAIT_S: Final = 300.0  # for a daemon to start or end: a sign of a broken installation, not of a slow machine

Process = subprocess.Popen[bytes]


class ClusterError(QuotelakeError):
    """A daemon did not start."""


@dataclass(frozen=True)
class Cluster:
    """A running cluster: what ``--master`` takes, and workers, whose executors are in their process groups."""

    url: str
    workers: Sequence[Process]

    def job(self, **more: str) -> list[str]:
        """Arguments of spark-submit for a job on it, with further settings, dots as double underscores."""
        given = {name.replace("__", "."): value for name, value in more.items()}
        return spark_arguments({**JOB, "spark.master": self.url, "spark.ui.enabled": "false", **given})

    def executors(self) -> list[int]:
        """Process ids of the executors."""
        groups = {worker.pid for worker in self.workers}
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):  # it has ended
                if _EXECUTOR in path.read_bytes() and os.getpgid(int(path.parent.name)) in groups:
                    found.append(int(path.parent.name))
        return sorted(found)


@contextmanager
def standalone(
    folder: Path,
    *,
    workers: int = 2,
    arguments: Sequence[str] = ("--cores", "1", "--memory", "2g"),
    home: Path | None = None,
    under: Sequence[str] = (),
) -> Iterator[Cluster]:
    """Run a cluster whose logs and working folders lie in ``folder``; a ClusterError if it does not start.

    ``arguments`` are of each worker, ``home`` is an installation of Spark (by default that of this process), ``under``
    a command that starts a worker, such as one that hides files from it.
    """
    home = home or Path(pyspark.__file__).parent
    given = environment() | {
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_DIRS": str(folder / "local"),
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_DAEMON_JAVA_OPTS": FEW_MINUTES,
    }
    [port] = free_ports(1)
    url = f"spark://127.0.0.1:{port}"
    program = [str(home / "bin" / "spark-class")]
    common = ["--host", "127.0.0.1", "--webui-port", "0"]
    with ExitStack() as started:
        master = [*program, "org.apache.spark.deploy.master.Master", *common, "--port", str(port)]
        start(started, master, folder / "master.log", env=given, port=port)
        worker = [*under, *program, "org.apache.spark.deploy.worker.Worker", *common, *arguments]
        places = [(folder / f"work_{number}", folder / f"worker_{number}.log") for number in range(workers)]
        running = [start(started, [*worker, "--work-dir", str(place), url], log, env=given) for place, log in places]
        yield Cluster(url, running)


def start(
    started: ExitStack,
    command: Sequence[str],
    log: Path,
    *,
    env: Mapping[str, str] | None = None,
    port: int | None = None,
) -> Process:
    """Start a daemon that is killed with all that it started when ``started`` ends; a ClusterError if it ends earlier
    or does not listen on ``port``, where one is given, in time.
    """
    output = started.enter_context(log.open("wb"))
    # A group of its own, so that exactly these processes can be ended together.
    process = subprocess.Popen(command, env=env, stdout=output, stderr=output, start_new_session=True)
    started.callback(kill_group, process)
    last = time.monotonic() + _WAIT_S
    while port and not _answers(port):
        if time.monotonic() > last or process.poll() is not None:
            raise ClusterError(f"nobody listens on port {port}: {log.read_text(errors='replace')[-3000:]}")
        time.sleep(0.2)
    return process


def spark_arguments(settings: Mapping[str, str]) -> list[str]:
    """Arguments of spark-submit that set these."""
    return [part for name, value in settings.items() for part in ("--conf", f"{name}={value}")]


def free_ports(count: int) -> list[int]:
    """Ports of loopback that nobody listens on now."""
    with ExitStack() as bound:
        sockets = [bound.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def _answers(port: int) -> bool:
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0


def kill_group(process: Process) -> None:
    """Kill a process and all that it started, which may have ended already."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(timeout=_WAIT_S)
