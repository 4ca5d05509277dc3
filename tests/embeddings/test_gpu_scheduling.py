"""Every embedding task is scheduled on a GPU of its own: a standalone cluster on loopback, with GPUs that are only said
to be there."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pyspark
import pytest

#: For the JVMs of a minute: only the first of Java's two compilers, and a collector of one thread.
FEW_SECONDS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData"
SPARK_CLASS = Path(pyspark.__file__).parent / "bin" / "spark-class"
Start = Callable[..., None]

#: Embeds on a cluster, and prints which GPU address each row was embedded at: its vector holds it.
DRIVER = """
import json, sys, time
import numpy as np
from pyspark.sql import SparkSession
from quotelake.embeddings.embed import embed_texts, gpu_address, gpu_profile
from quotelake.embeddings.encoder import Embedded

class AddressEncoder:
    fingerprint, dimension = "addresses", 1

    def embed(self, texts):
        time.sleep(1)  # so that no executor does all the work
        address = float(gpu_address() or "nan")
        return Embedded(np.full((len(texts), 1), address, np.float32), np.zeros(len(texts), bool))

spark = (
    SparkSession.builder.master(sys.argv[1])
    .config("spark.driver.host", "127.0.0.1")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.ui.enabled", "false")
    .config("spark.cores.max", "2")
    .config("spark.executor.cores", "1")
    .config("spark.executor.memory", "512m")
    .config("spark.executor.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData")
    .config("spark.executor.resource.gpu.amount", "1")
    # Both executors are to stand before the first task, or one of them could do all the work.
    .config("spark.scheduler.minRegisteredResourcesRatio", "1.0")
    .config("spark.scheduler.maxRegisteredResourcesWaitingTime", "90s")
    .getOrCreate()
)
texts = spark.createDataFrame([(f"{i:032x}", f"text {i}") for i in range(40)], "text_hash string, text string")
given = {"model": "", "dtype": "", "fingerprint": "addresses", "partitions": 4, "profile": gpu_profile(spark)}
embedded = embed_texts(texts, **given, load=lambda model, dtype: AddressEncoder())
print(json.dumps({"profile": given["profile"] is not None, "rows": [row.vector[0] for row in embedded.collect()]}))
spark.stop()
"""


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


@pytest.mark.slow
@pytest.mark.spark
def test_each_task_has_a_gpu_address(start: Start, environment: dict[str, str], tmp_path: Path):
    discovery = tmp_path / "gpus.sh"
    discovery.write_text("#!/bin/sh\n" + """echo '{"name": "gpu", "addresses": ["0", "1"]}'\n""")
    discovery.chmod(0o755)
    properties = tmp_path / "worker.properties"
    properties.write_text(
        f"spark.worker.resource.gpu.amount 2\nspark.worker.resource.gpu.discoveryScript {discovery}\n"
    )
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    master = f"spark://127.0.0.1:{port}"
    start("master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", "0")
    start(
        "worker.Worker", "--host", "127.0.0.1", "--webui-port", "0", "--cores", "2", "--memory", "2g",
        "--work-dir", str(tmp_path / "work"), "--properties-file", str(properties), master,
    )  # fmt: skip
    command = [sys.executable, "-c", DRIVER, master]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=1800)
    assert ran.returncode == 0, ran.stderr[-3000:] + (tmp_path / "worker.Worker.log").read_text()[-3000:]
    seen = json.loads(ran.stdout.splitlines()[-1])
    assert seen["profile"], "gpu_profile found no GPUs on a cluster whose executors have one each"
    assert len(seen["rows"]) == 40 and set(seen["rows"]) == {0.0, 1.0}
