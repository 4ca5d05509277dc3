"""Settings that make small runs light are those of one machine: with another master nothing of them is set."""

import os
import re
import shutil
import signal
import subprocess
import threading
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

from quotelake.spark import session
from quotelake.spark.installation import CONF
from quotelake.spark.session import (
    SMALL_BYTES,
    TASK_BYTES,
    run_in_parallel,
    session_starter,
    set_parallelism,
    start_workers,
    tasks_for,
)

ENVIRONMENT = Path(__file__).parents[2] / "conf" / "spark-env.sh"
SUBMIT = "org.apache.spark.deploy.SparkSubmit"


def java_options(*arguments: str, **variables: str) -> str:
    """SPARK_SUBMIT_OPTS as spark-submit has them after it read the file, and the variables of C's library."""
    ours = ("SPARK_SUBMIT_OPTS", "MASTER", "MALLOC_ARENA_MAX")
    clean = {key: value for key, value in os.environ.items() if key not in ours}
    script = f'set -eu; . "{ENVIRONMENT}"; env | grep ^MALLOC_ || true; echo "${{SPARK_SUBMIT_OPTS:-}}"'
    command = ["bash", "-c", script, "bash", *arguments]
    return subprocess.run(command, env=clean | variables, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize(
    ("arguments", "is_alone"),
    [
        ((SUBMIT, "job.py"), True),
        ((SUBMIT, "--master", "local[4]", "job.py"), True),
        ((SUBMIT, "--conf", "spark.master=local[2]", "pyspark-shell"), True),
        ((SUBMIT, "jobs/query.py", "--lake", "l", "SELECT '--master', 'yarn'"), True),
        ((SUBMIT, "jobs/x.py", "--master", "yarn"), True),
        ((SUBMIT, "--master", "yarn", "job.py"), False),
        ((SUBMIT, "--master=spark://host:7077", "job.py"), False),
        ((SUBMIT, "--conf", "spark.master=k8s://host", "job.py"), False),
        ((SUBMIT, "--properties-file", "mine.conf", "job.py"), False),
        (("org.apache.spark.deploy.worker.Worker", "spark://host:7077"), False),
    ],
)
def test_one_machine_gets_java_options_whatever_the_job_is_asked_and_a_cluster_none(
    arguments: tuple[str, ...], is_alone: bool
):
    given = java_options(*arguments)
    assert ("TieredStopAtLevel=1" in given, "MALLOC_ARENA_MAX=2" in given) == (is_alone, is_alone)
    assert java_options(*arguments, MASTER="yarn") == ""
    if is_alone:
        mine = java_options(*arguments, MALLOC_ARENA_MAX="8", SPARK_SUBMIT_OPTS="-Dmine=1")
        assert "MALLOC_ARENA_MAX=8" in mine and mine.endswith("-Dmine=1"), "the operator's go before, or come last"
    else:
        assert given == ""


@pytest.mark.parametrize(
    ("folder", "others", "taken"),
    [("spark", ["quotelake/classes.jsa"], True), ("spark", [], False), ("my spark", ["quotelake/classes.jsa"], False),
     ("spark", ["quotelake/classes.jsa", "conf/core-site.xml"], False)],
)  # fmt: skip
def test_an_archive_of_classes_replaces_the_conf_folder_by_options_where_nothing_is_lost(
    tmp_path: Path, folder: str, others: list[str], taken: bool
):
    """Protects: defaults and logging are read with an archive as without, and an operator's own files in conf too."""
    home = tmp_path / folder
    conf = home / "conf"
    for name in ("java-home", *CONF, *(f"../{other}" for other in others)):
        (conf / name).parent.mkdir(parents=True, exist_ok=True)
        (conf / name).touch()
    script = f'set -eu; . "{ENVIRONMENT}"; printf "%s\\n" "$SPARK_CONF_DIR" "$SPARK_SUBMIT_OPTS" "$@"'
    given = {"PATH": os.environ["PATH"], "SPARK_HOME": str(home), "SPARK_CONF_DIR": str(conf), "TMPDIR": str(tmp_path)}
    command = ["bash", "-c", script, "bash", SUBMIT, "job.py", "a b"]
    printed = subprocess.run(command, env=given, capture_output=True, text=True, check=True).stdout
    found, options, *arguments = printed.splitlines()
    if taken:
        assert found == f"{home}/quotelake/empty" and f"-XX:SharedArchiveFile={home}/quotelake/classes.jsa " in options
        assert f"-Dlog4j2.configurationFile=file:{conf}/log4j2.properties " in options
        assert arguments == [SUBMIT, "--properties-file", f"{conf}/spark-defaults.conf", "job.py", "a b"]
    else:
        assert found == str(conf) and "log4j2" not in options and arguments == [SUBMIT, "job.py", "a b"]


@pytest.mark.process
@pytest.mark.skipif(shutil.which("flock") is None, reason="this machine has no flock")
def test_the_folder_of_temporary_files_of_a_dead_run_is_removed_by_the_next_and_no_other(tmp_path: Path):
    script = f'. "{ENVIRONMENT}"; echo "$SPARK_LOCAL_DIRS"; echo "$SPARK_SUBMIT_OPTS" >&2; exec sleep 600'

    def run() -> tuple[subprocess.Popen[str], Path]:
        process = subprocess.Popen(
            ["bash", "-c", script, "bash", SUBMIT, "job.py"], env={"PATH": os.environ["PATH"], "TMPDIR": str(tmp_path)},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert process.stdout is not None and process.stderr is not None
        folder = process.stdout.readline().strip()
        options = process.stderr.readline()
        assert f"-Djava.io.tmpdir={folder} " in options
        assert f"-Dspark.sql.warehouse.dir=file:{folder}/warehouse " in options, "no folder where the run was started"
        (Path(folder) / "blockmgr-x").mkdir()
        return process, Path(folder)

    (dead, left), (live, kept) = run(), run()
    try:
        dead.kill()
        dead.wait()
        assert left.exists()
        third, _ = run()
        third.kill()
        third.wait()
        assert not left.exists() and kept.exists() and left.parent.stat().st_mode & 0o777 == 0o700
    finally:
        live.kill()


@pytest.mark.spark
def test_a_session_is_fitted_to_its_input(spark: SparkSession):
    of_sql = ("shuffle.partitions", "codegen.wholeStage", "codegen.factoryMode", "adaptive.enabled")
    names = [f"spark.sql.{name}" for name in of_sql]
    before = {name: spark.conf.get(name) for name in names}
    try:
        set_parallelism(spark, SMALL_BYTES - 1)
        assert [spark.conf.get(name) for name in names] == ["1", "false", "NO_CODEGEN", "false"]
        set_parallelism(spark, SMALL_BYTES - 1, passed_over=64 << 20)
        assert [spark.conf.get(name) for name in names] == ["1", "true", "FALLBACK", "false"], "millions of old rows"
        set_parallelism(spark, SMALL_BYTES)
        assert [spark.conf.get(name) for name in names] == ["4", "true", "FALLBACK", "true"]
        set_parallelism(spark, 120_000_001)
        assert spark.conf.get("spark.sql.shuffle.partitions") == "11", "one for each 12 MB, where that is more"
    finally:
        for name, value in before.items():
            spark.conf.set(name, value)
    assert tasks_for(spark, 10) == 1
    assert tasks_for(spark, SMALL_BYTES) == 4, "all slots twice"
    assert tasks_for(spark, 500 * TASK_BYTES) == 500


OPERATOR = """
from quotelake.spark.session import SMALL_BYTES, set_parallelism, get_session
spark = get_session("operator")
for size in (SMALL_BYTES - 1, SMALL_BYTES):
    set_parallelism(spark, size)
    print("fitted", [spark.conf.get(f"spark.sql.{name}") for name in ("shuffle.partitions", "codegen.wholeStage")])
"""


@pytest.mark.spark
@pytest.mark.slow
def test_what_the_operator_set_is_never_fitted(tmp_path: Path):
    """Protects: --conf of an operator survives the fitting of a session; what is not set is still fitted."""
    script = tmp_path / "job.py"
    script.write_text(OPERATOR)
    submit = ["spark-submit", "--master", "local[2]", "--conf", "spark.sql.shuffle.partitions=7", str(script)]
    printed = subprocess.run(submit, capture_output=True, text=True, check=True, timeout=300).stdout
    lines = [line for line in printed.splitlines() if line.startswith("fitted")]
    assert lines == ["fitted ['7', 'false']", "fitted ['7', 'true']"]


@pytest.mark.spark
def test_a_task_whose_python_worker_is_killed_runs_again(spark: SparkSession, tmp_path: Path):
    """Protects: one killed worker, such as by the system for want of memory, does not end a night."""
    mark = tmp_path / "killed"

    def kill_once(batches):
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        yield from batches

    assert spark.range(5, numPartitions=1).mapInArrow(kill_once, "id BIGINT").count() == 5 and mark.exists()
    defaults = ENVIRONMENT.with_name("spark-defaults.conf").read_text("utf-8")
    assert re.search(r"^spark.master +local\[\*,3\]$", defaults, re.MULTILINE), "as the session of the tests has it"


def test_writes_that_run_together_all_run_and_a_failure_is_raised():
    done: list[int] = []

    def fail() -> None:
        raise ValueError("no space")

    with pytest.raises(ValueError, match="no space"):
        run_in_parallel(lambda: done.append(1), fail, lambda: done.append(2))
    assert sorted(done) == [1, 2]


def test_what_a_job_needs_is_imported_while_java_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Protects: neither waits for the other, and what is wrong with the module is raised where it is imported."""
    (tmp_path / "needed_by_a_job.py").write_text("import threading\nthreading.imported.set()\nraise OSError('no file')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(threading, "imported", threading.Event(), raising=False)
    imported_first = list[bool]()

    def start() -> None:
        imported_first.append(threading.imported.wait(300))  # type: ignore[attr-defined]

    monkeypatch.setattr(session, "_start_java", start)
    assert callable(session_starter("job", "needed_by_a_job")) and imported_first == [True]
    with pytest.raises(OSError, match="no file"):
        import_module("needed_by_a_job")


def test_workers_start_on_one_machine_and_nobody_waits_for_them_or_hears_of_a_session_that_ended(
    monkeypatch: pytest.MonkeyPatch,
):
    asked, ended = threading.Event(), threading.Event()

    def rows(*_: int, **__: int) -> None:
        asked.set()
        ended.wait(300)
        raise RuntimeError("the session has ended")

    def threads() -> list[threading.Thread]:
        return [thread for thread in threading.enumerate() if thread.name == "workers"]

    for master in ("spark://host:7077", "local[2]"):
        monkeypatch.setattr(SparkContext, "_active_spark_context", SimpleNamespace(master=master))
        start_workers(SimpleNamespace(range=rows))  # type: ignore[arg-type]
        assert len(threads()) == (master == "local[2]")
    assert asked.wait(300)
    ended.set()
    [thread.join(300) for thread in threads()]
    assert not threads()
