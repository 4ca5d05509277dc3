"""On Kubernetes the entry point of the image starts Spark's parts, as the variables of a pod name them."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml
from pyspark.sql import SparkSession
from tests.conftest import TEST_TIME
from tests.nightly.killing import until
from tests.nightly.kubelet import Kubelet, kubernetes

from quotelab.benchmarks.load import environment
from quotelab.benchmarks.standalone import JOB, spark_arguments
from quotelake.lake.tables import Lake
from quotelake.lake.upkeep import digests
from quotelake.spark.installation import spark_folder

ROOT = Path(__file__).parents[2]
#: Variables of the pod of an executor, and the options of Spark's backend that they become.
OPTIONS = {
    "SPARK_DRIVER_URL": "--driver-url", "SPARK_EXECUTOR_ID": "--executor-id", "SPARK_EXECUTOR_CORES": "--cores",
    "SPARK_APPLICATION_ID": "--app-id", "SPARK_EXECUTOR_POD_IP": "--hostname",
    "SPARK_RESOURCE_PROFILE_ID": "--resourceProfileId", "SPARK_EXECUTOR_POD_NAME": "--podName",
}  # fmt: skip
HOME = "/opt/quotelake"
JOB_FILE = f"local://{HOME}/jobs/score_corpus.py"
BACKEND = "org.apache.spark.scheduler.cluster.k8s.KubernetesExecutorBackend"


def started(folder: Path, *arguments: str, **variables: str) -> list[str]:
    """The program that the entry point starts, and its arguments."""
    for program in (folder / "java", folder / "bin" / "spark-submit"):
        program.parent.mkdir(exist_ok=True)
        program.write_text('#!/bin/sh\nprintf "%s\\n" "${0##*/}" "$@"\n')
        program.chmod(0o755)
    command = ["bash", str(ROOT / "conf" / "kubernetes" / "entrypoint.sh"), *arguments]
    given = {"PATH": f"{folder}:{os.environ['PATH']}", "SPARK_HOME": str(folder), **variables}
    return subprocess.run(command, env=given, capture_output=True, text=True, check=True).stdout.splitlines()


def test_the_entry_point_starts_driver_executor_and_any_other_program(tmp_path: Path):
    driver = started(tmp_path, "driver", "--conf", "a=b c", "local:///job.py", SPARK_DRIVER_BIND_ADDRESS="10.0.0.1")
    address = ["--conf", "spark.driver.bindAddress=10.0.0.1"]
    assert driver == ["spark-submit", "--deploy-mode", "client", *address, "--conf", "a=b c", "local:///job.py"]
    java = {"SPARK_JAVA_OPT_0": "-Da=1 2", "SPARK_JAVA_OPT_1": "-Db", "SPARK_JAVA_OPT_3": "-Dno"}
    executor = started(tmp_path, "executor", SPARK_EXECUTOR_MEMORY="1g", **java, **{name: name for name in OPTIONS})
    heap, classes = ["-Xms1g", "-Xmx1g"], f"{tmp_path}/conf:{tmp_path}/jars/*"
    given = [part for name, option in OPTIONS.items() for part in (option, name)]
    assert executor == ["java", *heap, "-Da=1 2", "-Db", "-cp", classes, BACKEND, *given]
    assert started(tmp_path, "printf", "%s\\n", "a b") == ["a b"]


def test_the_variables_and_the_backend_are_those_of_this_spark():
    [jar] = (spark_folder() / "jars").glob("spark-kubernetes_*.jar")
    with zipfile.ZipFile(jar) as classes:
        names = [name for name in classes.namelist() if "/k8s/" in name and name.endswith(".class")]
        contents = b"".join(map(classes.read, names))
    assert f"{BACKEND.replace('.', '/')}.class" in names
    for name in (*OPTIONS, "SPARK_EXECUTOR_MEMORY", "SPARK_JAVA_OPT_", "SPARK_DRIVER_BIND_ADDRESS"):
        assert name.encode() in contents, name


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.skipif(
    subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode != 0,
    reason="a pod cannot have files of its own here: unshare -m is not permitted",
)
def test_a_run_on_kubernetes_leaves_the_tables_of_one_machine(spark: SparkSession, sample_lake: str, tmp_path: Path):
    root, image = tmp_path / "lake", {f"{HOME}/{name}": ROOT / name for name in ("conf", "jobs")}
    shared = tuple({Path(f"/{path.parts[1]}") for path in (ROOT, tmp_path, Path(sys.prefix))} - {Path("/tmp")})
    kubelet = Kubelet(tmp_path, image, f"{HOME}/conf/kubernetes/entrypoint.sh", shared)
    with kubernetes(kubelet) as api:
        settings = {name: value for name, value in JOB.items() if not name.startswith("spark.driver.")} | {
            "spark.kubernetes.container.image": "REGISTRY/quotelake",
            "spark.executor.instances": "2",
            "spark.kubernetes.driver.master": api,  # inside a cluster it has a name
            "spark.kubernetes.executor.enableApiWatcher": "false",  # the API here answers questions only
            "spark.kubernetes.executor.apiPollingInterval": "1s",
            "spark.kubernetes.submission.waitAppCompletion": "false",
            "spark.shuffle.readHostLocalDisk": "false",  # the pods have one address here, and not one disk
        }
        command = ["spark-submit", "--master", f"k8s://{api}", "--deploy-mode", "cluster", "--name", "quotelake"]
        command += [*spark_arguments(settings), JOB_FILE, "--lake", str(root)]
        subprocess.run(command, env=environment(), check=True, timeout=600)
        [driver] = kubelet.processes
        until(lambda: kubelet.processes[driver].poll() is not None)
        said = "\n".join(log.read_text(errors="replace") for log in sorted(tmp_path.glob("*.log")))
        assert kubelet.processes[driver].returncode == 0, said
        assert len(kubelet.processes) == 3, "a driver and two executors"
    assert digests(Lake(spark, str(root), "r", TEST_TIME)) == digests(Lake(spark, sample_lake, "r", TEST_TIME))


def test_both_manifests_start_the_same_run():
    kubeflow, apache = (
        yaml.safe_load((ROOT / "conf" / "kubernetes" / name).read_text()) for name in ("kubeflow.yaml", "apache.yaml")
    )
    run = kubeflow["spec"]["template"]
    assert (run["mainApplicationFile"], run["arguments"]) == (apache["spec"]["pyFiles"], apache["spec"]["driverArgs"])
    assert run["mainApplicationFile"] == JOB_FILE
    assert (ROOT / "jobs" / "score_corpus.py").exists()
    conf = apache["spec"]["sparkConf"]
    assert run["image"] == conf["spark.kubernetes.container.image"]
    for part in ("driver", "executor"):
        assert run[part]["memory"] == conf[f"spark.{part}.memory"]
        assert run[part]["volumeMounts"][0]["mountPath"] in conf.values()
