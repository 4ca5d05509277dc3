"""On Kubernetes the entry point of the image starts Spark's parts, and they leave the tables of one machine."""

import subprocess
import sys
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

pytestmark = [pytest.mark.spark, pytest.mark.slow]

ROOT = Path(__file__).parents[2]
HOME = "/opt/quotelake"
JOB_FILE = f"local://{HOME}/jobs/score_corpus.py"


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
    assert run["mainApplicationFile"] == JOB_FILE and (ROOT / "jobs" / "score_corpus.py").exists()
    conf = apache["spec"]["sparkConf"]
    assert run["image"] == conf["spark.kubernetes.container.image"]
    for part in ("driver", "executor"):
        assert run[part]["memory"] == conf[f"spark.{part}.memory"]
        assert run[part]["volumeMounts"][0]["mountPath"] in conf.values()
