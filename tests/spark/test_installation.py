"""The installation does what is missing, once, and leaves nothing half done; a job says in one line what it lacks."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from quotelake.errors import InputError
from quotelake.spark import installation
from quotelake.spark.installation import (
    JARS,
    JAVA_NOTE,
    SPARK_CORE,
    check_environment,
    check_process,
    check_spark_home,
    ensure_jars,
    ensure_java,
    use_python_beside,
    write_changed,
)  # fmt: skip

CONTENT = {name: name.encode() for name in JARS}


@pytest.fixture
def known_jars(monkeypatch):
    """Two small files stand for Delta's jars."""
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in CONTENT.items()}
    monkeypatch.setattr(installation, "JARS", digests)


def program(path: Path, text: str = "") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


@pytest.fixture
def without_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder that is all of PATH and the folder of the installed Spark; it holds no Java."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("JAVA_HOME", "")
    monkeypatch.setattr(installation, "spark_folder", lambda: tmp_path)
    return tmp_path


def listing(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def fetch(folder: Path) -> None:
    for name, content in CONTENT.items():
        (folder / name).write_bytes(content)


def test_few_open_files_and_a_user_without_a_name_are_one_message_each(monkeypatch: pytest.MonkeyPatch):
    limits, raised = {"few": (256, 256), "raised": (256, 4096)}, list[tuple[int, int]]()
    monkeypatch.setattr("resource.setrlimit", lambda kind, limit: raised.append(limit))
    monkeypatch.setattr("resource.getrlimit", lambda kind: limits["few"])
    with pytest.raises(InputError, match=r"may open 256 files at once, and Spark needs 1,024: .*ulimit -n 1024"):
        check_environment()
    monkeypatch.setattr("resource.getrlimit", lambda kind: limits["raised"])
    check_process()
    assert raised == [(1024, 4096)]
    monkeypatch.setattr("os.geteuid", lambda: 4_000_000_000)
    with pytest.raises(InputError, match="user 4000000000 has no name on this machine"):
        check_process()


@pytest.mark.usefixtures("known_jars")
def test_missing_jars_are_fetched_once(tmp_path: Path):
    first, second = JARS
    (tmp_path / first).write_bytes(CONTENT[first])
    assert ensure_jars(tmp_path, fetch) == [second]
    assert listing(tmp_path) == CONTENT
    assert ensure_jars(tmp_path, pytest.fail) == []


@pytest.mark.usefixtures("known_jars")
def test_a_jar_with_another_digest_is_named_and_nothing_is_put_in_place(tmp_path: Path):
    first, second = JARS

    def tampered(folder: Path) -> None:
        fetch(folder)
        (folder / second).write_bytes(b"something else")

    with pytest.raises(InputError, match="is not the jar expected"):
        ensure_jars(tmp_path, tampered)
    assert listing(tmp_path) == {}
    (tmp_path / first).write_bytes(b"half a j")
    with pytest.raises(InputError, match=f"{first}.*remove it"):
        ensure_jars(tmp_path, fetch)


def test_a_file_is_written_where_it_differs_and_only_there(tmp_path: Path):
    path = tmp_path / "conf" / "defaults"
    assert [write_changed(path, b"new") for _ in range(2)] == [True, False]
    path.write_text("changed by hand")
    assert write_changed(path, b"new") and listing(path.parent) == {"defaults": b"new"}


INSTALLS = """
[ "$1" = update ] && exit
echo "$@" >> {0}/ran
printf '#!/bin/sh\\necho openjdk version \\"17.0.1\\"' > {0}/java
/bin/chmod +x {0}/java
"""


@pytest.mark.parametrize(
    ("manager", "ran"),
    [
        ("apt-get", "install -y --no-upgrade --no-install-recommends openjdk-17-jre-headless\n"),
        ("dnf", "install -y java-17-openjdk-headless\n"),
        ("apk", "add --no-cache openjdk17-jre-headless\n"),
    ],
)
def test_java_is_installed_once_for_root_by_the_manager_that_is_there(
    monkeypatch, without_java: Path, manager: str, ran: str
):
    program(without_java / manager, INSTALLS.format(without_java))
    (without_java / "sh").symlink_to("/bin/sh")
    monkeypatch.setattr(installation.os, "geteuid", lambda: 0)
    ensure_java()
    ensure_java()
    assert (without_java / "ran").read_text() == ran


@pytest.mark.parametrize(
    ("programs", "user", "said"),
    [
        ({"apt-get": "touch {0}/ran"}, 1000, "run `sudo sh -c 'apt-get update && .*openjdk-17-jre"),
        ({"dnf": "touch {0}/ran", "sudo": "touch {0}/ran"}, 1000, "run `sudo sh -c 'dnf install"),
        ({}, 0, "install one .OpenJDK will do. and run `make install` again"),
        ({"apk": "true"}, 0, "did not bring one: install it by hand"),
    ],
)
def test_without_rights_or_a_manager_what_to_do_is_named_and_nothing_is_run(
    monkeypatch, without_java: Path, programs: dict[str, str], user: int, said: str
):
    for name, text in programs.items():
        program(without_java / name, text.format(without_java))
    (without_java / "sh").symlink_to("/bin/sh")
    monkeypatch.setattr(installation.os, "geteuid", lambda: user)
    with pytest.raises(InputError, match=said):
        ensure_java()
    assert not (without_java / "ran").exists()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('openjdk version "25-ea" 2025-09-16', None),
        ('java version "1.8.0_392"', "is Java 8: "),
        ('Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nopenjdk version "11.0.2" 2019-01-15', "is Java 11: "),
        ("command not found", "holds no Java that starts: "),
    ],
)
def test_java_is_judged_by_what_any_prints_that_of_java_home_first(
    monkeypatch, without_java: Path, text: str, problem: str | None
):
    assert installation.java_problem() == "no Java 17 or newer on PATH"
    program(without_java / "java", "echo 'openjdk version \"11.0.1\"'")
    assert installation.java_problem() == "no Java 17 or newer on PATH (it has Java 11)"
    program(without_java / "home/bin/java", f"/bin/cat >&2 <<END\n{text}\nEND")
    monkeypatch.setenv("JAVA_HOME", str(without_java / "home"))
    said = installation.java_problem()
    parts = [f"JAVA_HOME is {without_java}/home, which {problem}", "unset JAVA_HOME"]
    assert said is None if problem is None else all(part in said for part in parts)


def test_a_spark_home_is_fit_under_any_spelling_and_a_foreign_one_if_it_is_the_same_with_delta(
    monkeypatch, tmp_path: Path
):
    own, other = tmp_path / "pyspark", tmp_path / "spark"
    own.mkdir()
    (tmp_path / "link").symlink_to(own)
    monkeypatch.setattr(installation, "spark_folder", lambda: own)
    for spelling in ("", str(own), f"{own}/", str(tmp_path / "link")):
        monkeypatch.setenv("SPARK_HOME", spelling)
        check_spark_home()
    monkeypatch.setenv("SPARK_HOME", str(other))
    (other / "jars").mkdir(parents=True)
    (other / "jars" / SPARK_CORE).touch()
    with pytest.raises(InputError, match=f"SPARK_HOME is {other}.*unset SPARK_HOME"):
        check_spark_home()
    for name in JARS:
        (other / "jars" / name).touch()
    check_spark_home()
    (other / "jars" / SPARK_CORE).rename(other / "jars" / "spark-core_2.13-4.1.0.jar")
    with pytest.raises(InputError, match="unset SPARK_HOME"):
        check_spark_home()


def test_a_job_stops_on_a_foreign_spark_home_and_where_no_jvm_started_it_without_java(
    monkeypatch, capsys, tmp_path: Path
):
    monkeypatch.delenv("SPARK_HOME", raising=False)
    monkeypatch.delenv("PYSPARK_GATEWAY_PORT", raising=False)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(InputError, match="JAVA_HOME"):
        check_environment()
    monkeypatch.setenv("PYSPARK_GATEWAY_PORT", "1")
    check_environment()
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    with pytest.raises(InputError, match="unset SPARK_HOME"):
        check_environment()
    assert installation.main() == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and "unset SPARK_HOME" in err


def test_a_job_stops_where_pip_alone_installed_and_says_what_completes_it(monkeypatch, without_java: Path):
    """Spark would fail in its first query, with a page of Java. A shell without Java takes the noted one."""
    monkeypatch.delenv("PYSPARK_GATEWAY_PORT", raising=False)
    monkeypatch.setenv("SPARK_HOME", "")
    with pytest.raises(InputError, match="no Java 17 or newer on PATH: run `make install`"):
        check_environment()
    program(without_java / "jdk/bin/java", "echo 'openjdk version \"17.0.1\"'")
    write_changed(without_java / "conf" / JAVA_NOTE, str(without_java / "jdk").encode())
    with pytest.raises(InputError, match=r"lacks delta-spark.* and delta-storage.*: run `make install`, once"):
        check_environment()
    for name in JARS:
        write_changed(without_java / "jars" / name, b"")
    monkeypatch.setenv("JAVA_HOME", "")
    check_environment()
    assert os.environ["JAVA_HOME"] == str(without_java / "jdk")
    program(without_java / "java", "echo 'openjdk version \"21.0.1\"'")
    monkeypatch.setenv("JAVA_HOME", "")
    check_environment()
    assert os.environ["JAVA_HOME"] == "", "what the shell has goes first"


JOB = """
import os, sys
from pyspark.sql import SparkSession

def threads(batches):
    import pyarrow as pa
    for batch in batches:
        yield pa.RecordBatch.from_arrays([pa.array([os.environ["OMP_NUM_THREADS"]] * len(batch))], ["threads"])

spark = SparkSession.builder.getOrCreate()
spark.range(10).write.format("delta").save(sys.argv[1])
rows = spark.read.format("delta").load(sys.argv[1])
print("rows", rows.count())
print("threads", rows.mapInArrow(threads, "threads string").distinct().collect()[0].threads)
print("zone", spark.conf.get("spark.sql.session.timeZone"))
print("heap", spark.sparkContext._jvm.java.lang.Runtime.getRuntime().maxMemory() >> 20)
"""


@pytest.mark.slow
@pytest.mark.spark
def test_bare_spark_submit_has_delta_with_no_flag_no_network_and_no_noise(tmp_path: Path):
    assert installation.main() == 0
    (tmp_path / "job.py").write_text(JOB)
    nowhere = " ".join(f"-D{scheme}.proxyHost=127.0.0.1 -D{scheme}.proxyPort=9" for scheme in ("http", "https"))
    left_out = ("SPARK_", "PYSPARK_", "OMP_")  # what the job sees comes from conf/spark-defaults.conf alone
    environment = {key: value for key, value in os.environ.items() if not key.startswith(left_out)}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    environment["SPARK_SUBMIT_OPTS"] = nowhere  # every fetch by the JVM would fail
    result = subprocess.run(
        ["spark-submit", "job.py", str(tmp_path / "table")],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=1800, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    *said, heap = result.stdout.split()
    assert said == ["rows", "10", "threads", "1", "zone", "UTC", "heap"]
    assert 1100 <= int(heap) <= 1200, "the heap of conf/spark-defaults.conf, less one survivor space"
    noise = [line for line in result.stderr.splitlines() if "jdk.incubator.vector" not in line]  # said by Java itself
    assert noise == []
    assert (installation.spark_folder() / "conf" / "spark-defaults.conf").is_file()


def test_spark_submit_finds_spark_by_the_python_beside_it(tmp_path: Path):
    """Protects: ``.venv/bin/spark-submit`` works in a shell that activated no environment, as cron has it."""
    shipped = (Path(sys.executable).with_name(installation.FINDER)).read_text("utf-8")
    finder = tmp_path / installation.FINDER
    finder.write_text(shipped.replace('$(dirname "$0")/python3"}', 'python3"}'), "utf-8")
    finder.chmod(0o755)
    program(tmp_path / "python3", "echo here")
    (tmp_path / "find_spark_home.py").touch()
    asked = [f'. "{finder}"; echo "$SPARK_HOME"', str(tmp_path / "spark-submit")]
    assert use_python_beside(finder) == [installation.FINDER] and use_python_beside(finder) == []
    found = subprocess.run(
        ["/bin/bash", "-c", *asked], env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "here" and finder.stat().st_mode & 0o777 == 0o755
