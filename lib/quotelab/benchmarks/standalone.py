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
_WAIT_S: Final = 120.0  # for a daemon to start or end: a sign of a broken installation, not of a slow machine

Process = subprocess.Popen[bytes]


class ClusterError(QuotelakeError):
    """A master did not start."""


class Cluster:
    """A running cluster, parts of which may be killed.

    Attributes:
        url: what ``--master`` takes.
        workers: its workers; their executors are in their process groups.
    """

    def __init__(self, url: str, workers: Sequence[Process]) -> None:
        self.url, self.workers = url, workers

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
    variables: Mapping[str, str] | None = None,
) -> Iterator[Cluster]:
    """Run a cluster whose logs and working folders lie in ``folder``.

    Args:
        arguments: of each worker.
        home: an installation of Spark; by default that of this process.
        under: a command that starts a worker, such as one that hides files from it.
        variables: further ones of the environment.

    Raises:
        ClusterError: the master does not answer after two minutes, or has ended.
    """
    home = home or Path(pyspark.__file__).parent
    given = environment() | {
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_DIRS": str(folder / "local"),
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_DAEMON_JAVA_OPTS": FEW_MINUTES,
    }
    given |= variables or {}
    [port] = free_ports(1)
    url = f"spark://127.0.0.1:{port}"
    program = [str(home / "bin" / "spark-class")]
    common = ["--host", "127.0.0.1", "--webui-port", "0"]
    with ExitStack() as started:

        def start(log: Path, command: Sequence[str]) -> Process:
            said = started.enter_context(log.open("wb"))
            # A group of its own, so that exactly these processes can be ended together.
            process = subprocess.Popen(command, env=given, stdout=said, stderr=said, start_new_session=True)
            started.callback(kill_group, process)
            return process

        log = folder / "master.log"
        master = start(log, [*program, "org.apache.spark.deploy.master.Master", *common, "--port", str(port)])
        worker = [*under, *program, "org.apache.spark.deploy.worker.Worker", *common, *arguments]
        running = [
            start(folder / f"worker_{number}.log", [*worker, "--work-dir", str(folder / f"work_{number}"), url])
            for number in range(workers)
        ]
        last = time.monotonic() + _WAIT_S
        while not answers(port):
            if time.monotonic() > last or master.poll() is not None:
                raise ClusterError(f"no master at {url}: {log.read_text()[-3000:]}")
            time.sleep(0.2)
        yield Cluster(url, running)


def free_ports(count: int) -> list[int]:
    """Ports of loopback that nobody listens on now."""
    with ExitStack() as bound:
        sockets = [bound.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def answers(port: int) -> bool:
    """Whether somebody listens on a port of loopback."""
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0


def kill_group(process: Process) -> None:
    """Kill a process and all that it started, which may have ended already."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(timeout=_WAIT_S)
