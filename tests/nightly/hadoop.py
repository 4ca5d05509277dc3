"""HDFS and YARN on loopback, of Hadoop's own daemons, for ``test_cluster.py``."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from xml.sax.saxutils import escape

from quotelab.benchmarks.standalone import FEW_MINUTES, free_ports, start
from quotelake.spark.installation import spark_folder

#: What Spark's own jars lack of the daemons.
_JARS = ("org.apache.hadoop:hadoop-client-minicluster:3.5.0", "org.bouncycastle:bcprov-jdk18on:1.82",
    "org.bouncycastle:bcpkix-jdk18on:1.82")  # fmt: skip
_DAEMONS = ("hdfs.server.namenode.NameNode", "hdfs.server.datanode.DataNode",
    "yarn.server.resourcemanager.ResourceManager", "yarn.server.nodemanager.NodeManager")  # fmt: skip
#: Where what is fetched for these tests is kept: with the environments of ``make bench-reuse``, which git ignores.
BENCH = Path(__file__).parents[2] / ".bench"


@contextmanager
def hadoop(folder: Path) -> Iterator[Path]:
    """Run a name node, a data node, a resource manager and a node manager; gives their folder of settings."""
    jars = fetched(_JARS, folder)
    conf, (names, client, scheduler, tracker, admin) = folder / "conf", free_ports(5)
    conf.mkdir()
    any_port = "127.0.0.1:0"
    _write(conf / "core-site.xml", {"fs.defaultFS": f"hdfs://127.0.0.1:{names}", "hadoop.tmp.dir": str(folder / "tmp")})
    _write(conf / "hdfs-site.xml", {
        "dfs.replication": "1", "dfs.permissions.enabled": "false", "dfs.namenode.safemode.extension": "0",
        "dfs.namenode.http-address": any_port, "dfs.datanode.address": any_port,
        "dfs.datanode.http.address": any_port, "dfs.datanode.ipc.address": any_port,
    })  # fmt: skip
    _write(conf / "yarn-site.xml", {
        "yarn.resourcemanager.address": f"127.0.0.1:{client}",
        "yarn.resourcemanager.scheduler.address": f"127.0.0.1:{scheduler}",
        "yarn.resourcemanager.resource-tracker.address": f"127.0.0.1:{tracker}",
        "yarn.resourcemanager.admin.address": f"127.0.0.1:{admin}",
        "yarn.resourcemanager.webapp.address": any_port, "yarn.nodemanager.webapp.address": any_port,
        "yarn.nodemanager.address": any_port, "yarn.nodemanager.localizer.address": any_port,
        "yarn.nodemanager.vmem-check-enabled": "false", "yarn.nodemanager.resource.memory-mb": "8000",
        "yarn.nodemanager.resource.cpu-vcores": "4", "yarn.scheduler.minimum-allocation-mb": "256",
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage": "99",
    })  # fmt: skip
    _write(conf / "capacity-scheduler.xml", {
        "yarn.scheduler.capacity.root.queues": "default", "yarn.scheduler.capacity.root.default.capacity": "100",
        "yarn.scheduler.capacity.maximum-am-resource-percent": "1",
    })  # fmt: skip
    logs = folder / "logs"
    logs.mkdir()
    classes = f"{conf}:{jars}/*:{spark_folder()}/jars/*"
    java = ["java", *FEW_MINUTES.split(), "-Xmx400m", f"-Dyarn.log.dir={logs}", "-cp", classes]
    subprocess.run([*java, f"org.apache.hadoop.{_DAEMONS[0]}", "-format", "-force"], check=True, capture_output=True)
    with ExitStack() as started:
        for daemon, port in zip(_DAEMONS, (names, None, tracker, None), strict=True):
            start(started, [*java, f"org.apache.hadoop.{daemon}"], logs / f"{daemon.split('.')[-1]}.log", port=port)
        yield conf


def fetched(packages: Sequence[str], folder: Path) -> Path:
    """The folder of the jars of packages and of what they need, fetched by Spark's resolver unless they are there."""
    jars = BENCH / "ivy" / "jars"
    if not all((jars / f"{package.replace(':', '_', 1).replace(':', '-')}.jar").exists() for package in packages):
        script = folder / "nothing.py"
        script.write_text("")
        submit = [str(spark_folder() / "bin" / "spark-submit"), "--packages", ",".join(packages), "--exclude-packages",
            "org.apache.hadoop:hadoop-client-api,org.apache.hadoop:hadoop-client-runtime"]  # fmt: skip
        command = [*submit, "--conf", f"spark.jars.ivy={BENCH / 'ivy'}", str(script)]
        subprocess.run(command, check=True, env={**os.environ, "PYSPARK_PYTHON": sys.executable})
    return jars


def _write(path: Path, settings: Mapping[str, str]) -> None:
    rows = (
        f"<property><name>{name}</name><value>{escape(value)}</value></property>" for name, value in settings.items()
    )
    path.write_text(f"<configuration>{''.join(rows)}</configuration>\n", "utf-8")
