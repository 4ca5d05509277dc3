"""A cluster leaves the tables of one machine, whatever it loses meanwhile; `make test-cluster`."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyspark
import pytest
from pyspark.sql import SparkSession
from tests.conftest import TEST_TIME
from tests.nightly.hadoop import hadoop
from tests.nightly.killing import GUARD, Started, commits, wait_for

from quotelab.benchmarks.load import environment
from quotelab.benchmarks.standalone import JOB, Cluster, kill_group, spark_arguments, standalone
from quotelake.lake.tables import Lake
from quotelake.lake.upkeep import digests
from quotelake.sample import sample_inputs

pytestmark = [pytest.mark.spark, pytest.mark.slow]

ROOT = Path(__file__).parents[2]
#: Packages of several gigabytes with CUDA's libraries, of which Spark would make eight copies on this machine: they lie
#: beside the archive, as they may at the same place of every machine.
LARGE = ("torch", "nvidia", "triton")


def kill_executor(cluster: Cluster) -> None:
    os.kill(cluster.executors()[0], signal.SIGKILL)


def lose_worker(cluster: Cluster) -> None:
    kill_group(cluster.workers[0])


def nothing(cluster: Cluster) -> None:
    assert len(cluster.executors()) == 2, "the work is done by two executors"


def submit(monkeypatch: pytest.MonkeyPatch, cluster: Cluster, **more: str) -> None:
    """Send the jobs that are started from here to a cluster."""
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", shlex.join([*cluster.job(**more), "pyspark-shell"]))


def tables(spark: SparkSession, root: str | Path) -> dict[str, tuple[int, str]]:
    return digests(Lake(spark, str(root), "reader", TEST_TIME))


@pytest.mark.parametrize(
    ("lost", "after"),
    [
        (nothing, "quotes"),
        *((lost, after) for lost in (kill_executor, lose_worker) for after in ("quotes", "contextomy")),
    ],
)
def test_a_cluster_leaves_the_tables_of_one_machine(
    lost: Callable[[Cluster], None],
    after: str,
    spark: SparkSession,
    sample_lake: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
):
    root = tmp_path / "lake"
    with standalone(tmp_path) as cluster:
        submit(monkeypatch, cluster)
        run = Started(["score_corpus.py", "--lake", str(root)], tmp_path / "temporary")
        wait_for(run, after, root, commits(root))
        assert run.poll() is None, run.end()
        lost(cluster)
        run.end(0)
    assert tables(spark, root) == tables(spark, sample_lake)


KEPT = """
import sys
from quotelake.spark.kept import materialised
from quotelake.spark.session import get_session
with materialised() as keep:
    kept = keep(get_session("kept").range(1000, numPartitions=4))
    print("rows", kept.count(), flush=True)
    sys.stdin.readline()
    print("rows", kept.count(), flush=True)
"""


def test_kept_rows_outlive_an_executor(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    with standalone(tmp_path) as cluster:
        submit(monkeypatch, cluster)
        job = subprocess.Popen([sys.executable, "-c", KEPT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert job.stdout is not None and job.stdout.readline() == "rows 1000\n"
        kill_executor(cluster)
        assert job.communicate("\n", timeout=GUARD)[0] == "rows 1000\n"


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    """The environment of this process as an archive, as docs/NIGHTLY.md makes one, with the library installed."""
    environment, archive = tmp_path / "packed", tmp_path / "quotelake.tar.gz"
    # Links to the files rather than copies: installing replaces a file and does not write into it.
    subprocess.run(["cp", "-al", sys.prefix, environment], check=True)
    site, large = environment / Path(pyspark.__file__).parents[1].relative_to(sys.prefix), tmp_path / "large"
    large.mkdir()
    subprocess.run(["cp", "-al", *(site / name for name in LARGE if (site / name).exists()), large], check=True)
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    for name in ("lib", "schemas", "conf", "setup.py", "pyproject.toml", "LICENSE"):
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, checkout / name)
    python = environment / "bin" / "python"
    pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, "venv-pack<1"], check=True)
    subprocess.run([*pip, "--no-deps", checkout], check=True)
    pack = [python, "-m", "venv_pack", "-q", "--compress-level", "0"]  # compressing gigabytes would take minutes
    left_out = [part for name in LARGE for part in ("--exclude", f"*/site-packages/{name}/*")]
    subprocess.run([*pack, *left_out, "-p", environment, "-o", archive], check=True)
    shutil.rmtree(environment)
    return archive


@pytest.mark.skipif(
    subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode != 0,
    reason="files cannot be hidden from a process here: unshare -m is not permitted",
)
def test_workers_that_see_nothing_else_run_a_packed_environment(
    packed: Path, spark: SparkSession, score: Callable[..., Lake], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    home = tmp_path / "spark"
    subprocess.run(["cp", "-al", Path(pyspark.__file__).parent, home], check=True)
    hidden = {ROOT, Path(sys.prefix)}
    hide = "; ".join(f"mount -t tmpfs tmpfs {shlex.quote(str(path))}" for path in hidden)
    under = ["unshare", "-m", "bash", "-c", f'{hide}; cd /; exec "$@"', "bash"]
    root, seen = tmp_path / "lake", tmp_path / "in"  # the sample corpus, where workers see it
    seen.mkdir()
    inputs = [(source, shutil.copy(path, seen)) for source, path in sample_inputs()]
    given = [part for source, path in inputs for part in ("--input", f"{source}={path}")]
    with standalone(tmp_path, home=home, under=under) as cluster:
        large = str(tmp_path / "large")
        submit(monkeypatch, cluster, spark__archives=f"{packed}#environment", spark__executorEnv__PYTHONPATH=large)
        monkeypatch.setenv("PYSPARK_PYTHON", "./environment/bin/python")
        monkeypatch.setenv("PYSPARK_DRIVER_PYTHON", sys.executable)
        Started(["score_corpus.py", "--lake", str(root), *given], tmp_path / "temporary").end(0)
    score(tmp_path / "whole", inputs)
    assert tables(spark, root) == tables(spark, tmp_path / "whole")


@pytest.mark.parametrize("mode", ["client", "cluster"])
def test_yarn_leaves_on_hdfs_the_tables_of_one_machine(
    mode: str, spark: SparkSession, sample_lake: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    given = [part for source, path in sample_inputs() for part in ("--input", f"{source}=file://{path}")]
    spark_jars = Path(pyspark.__file__).parent / "jars"
    settings = {name: value for name, value in JOB.items() if not name.startswith("spark.driver.") or mode == "client"}
    settings |= {"spark.executor.instances": "2", "spark.yarn.jars": f"local:{spark_jars}/*"}
    settings |= {"spark.ui.enabled": "false", "spark.yarn.appMasterEnv.PYSPARK_PYTHON": sys.executable}
    with hadoop(tmp_path) as conf:
        monkeypatch.setenv("HADOOP_CONF_DIR", str(conf))
        monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
        command = ["spark-submit", "--master", "yarn", "--deploy-mode", mode, *spark_arguments(settings)]
        command += [str(ROOT / "jobs" / "score_corpus.py"), "--lake", "hdfs:///lake", *given]
        command += ["--set", f"ingest.author_key_file={tmp_path}/key"]
        run = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stdout + run.stderr
        digest = [sys.executable, str(ROOT / "jobs" / "digest.py"), "--lake", "hdfs:///lake"]
        shown = subprocess.run(digest, env=environment(), capture_output=True, text=True, check=True).stdout
    found = {table: (int(rows.replace(",", "")), value) for table, rows, value in map(str.split, shown.splitlines())}
    assert found == tables(spark, sample_lake)
