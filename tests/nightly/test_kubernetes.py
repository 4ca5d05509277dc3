"""On Kubernetes the entry point of the image starts Spark's parts, as the variables of a pod name them."""

import os
import subprocess
import zipfile
from pathlib import Path

import yaml

from quotelake.spark.installation import spark_folder

ROOT = Path(__file__).parents[2]
#: Variables of the pod of an executor, and the options of Spark's backend that they become.
OPTIONS = {
    "SPARK_DRIVER_URL": "--driver-url", "SPARK_EXECUTOR_ID": "--executor-id", "SPARK_EXECUTOR_CORES": "--cores",
    "SPARK_APPLICATION_ID": "--app-id", "SPARK_EXECUTOR_POD_IP": "--hostname",
    "SPARK_RESOURCE_PROFILE_ID": "--resourceProfileId", "SPARK_EXECUTOR_POD_NAME": "--podName",
}  # fmt: skip
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


def test_both_manifests_start_the_same_run():
    kubeflow, apache = (
        yaml.safe_load((ROOT / "conf" / "kubernetes" / name).read_text()) for name in ("kubeflow.yaml", "apache.yaml")
    )
    run = kubeflow["spec"]["template"]
    assert (run["mainApplicationFile"], run["arguments"]) == (apache["spec"]["pyFiles"], apache["spec"]["driverArgs"])
    assert run["mainApplicationFile"] == "local:///opt/quotelake/jobs/score_corpus.py"
    assert (ROOT / "jobs" / "score_corpus.py").exists()
    conf = apache["spec"]["sparkConf"]
    assert run["image"] == conf["spark.kubernetes.container.image"]
    for part in ("driver", "executor"):
        assert run[part]["memory"] == conf[f"spark.{part}.memory"]
        assert run[part]["volumeMounts"][0]["mountPath"] in conf.values()
