"""Every embedding task is scheduled on a GPU of its own: a standalone cluster on loopback, with GPUs that are only said
to be there."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pyspark
import pytest

#: For the JVMs of a minute: only the first of Java's two compilers, and a collector of one thread.
FEW_SECONDS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData"
SPARK_CLASS = Path(pyspark.__file__).parent / "bin" / "spark-class"
Start = Callable[..., None]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return os.environ | {
        "SPARK_HOME": str(SPARK_CLASS.parents[1]),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_DIRS": str(tmp_path / "local"),
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_DAEMON_JAVA_OPTS": FEW_SECONDS,
        "SPARK_SUBMIT_OPTS": FEW_SECONDS,
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    }


@pytest.fixture
def start(environment: dict[str, str], tmp_path: Path) -> Iterator[Start]:
    """Start a daemon of Spark's; all of them, and the executors they started, end with the test."""
    running: list[subprocess.Popen[bytes]] = []

    def run(name: str, *arguments: str) -> None:
        with (tmp_path / f"{name}.log").open("wb") as log:
            command = [str(SPARK_CLASS), f"org.apache.spark.deploy.{name}", *arguments]
            # A group of its own, so that exactly these processes can be ended together.
            running.append(subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True))

    yield run
    for process in running:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(timeout=30)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@pytest.mark.slow
@pytest.mark.spark
def test_each_task_has_a_gpu_address_of_its_own(start: Start, environment: dict[str, str], tmp_path: Path) -> None:
    discovery = tmp_path / "gpus.sh"
    discovery.write_text("#!/bin/sh\n" + """echo '{"name": "gpu", "addresses": ["0", "1"]}'\n""")
    discovery.chmod(0o755)
    properties = tmp_path / "worker.properties"
    properties.write_text(
        f"spark.worker.resource.gpu.amount 2\nspark.worker.resource.gpu.discoveryScript {discovery}\n"
    )
    port = free_port()
    master = f"spark://127.0.0.1:{port}"
    start("master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", "0")
    start(
        "worker.Worker", "--host", "127.0.0.1", "--webui-port", "0", "--cores", "2", "--memory", "2g",
        "--work-dir", str(tmp_path / "work"), "--properties-file", str(properties), master,
    )  # fmt: skip
    driver = Path(__file__).with_name("gpu_driver.py")
    ran = subprocess.run(
        [sys.executable, str(driver), master], env=environment, capture_output=True, text=True, timeout=1800
    )
    assert ran.returncode == 0, ran.stderr[-3000:] + (tmp_path / "worker.Worker.log").read_text()[-3000:]
    seen = json.loads(ran.stdout.splitlines()[-1])
    assert seen["profile"], "gpu_profile found no GPUs on a cluster whose executors have one each"
    assert len(seen["rows"]) == 40
    assert {address for address, _, _ in seen["rows"]} == {0.0, 1.0}
    tasks = sorted({tuple(row) for row in seen["rows"]})
    assert len(tasks) == 4
    for (address, _, end), (following, start_of_next, _) in pairwise(tasks):
        assert address != following or end <= start_of_next, f"two tasks at once on GPU {address}: {tasks}"
