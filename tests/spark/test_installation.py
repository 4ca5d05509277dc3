"""The installation does what is missing, once, and leaves nothing half done; a job says in one line what it lacks."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from quotelake.errors import InputError
from quotelake.spark import installation
from quotelake.spark.installation import CONF, JARS, SPARK_CORE, check_environment, ensure_jars, ensure_java

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


def fetch(folder: Path) -> None:
    for name, content in CONTENT.items():
        (folder / name).write_bytes(content)


def listing(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


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


def test_defaults_are_written_where_they_differ_and_only_there(tmp_path: Path):
    conf = tmp_path / "conf"
    assert installation.ensure_conf(conf) == list(CONF)
    assert installation.ensure_conf(conf) == []
    (conf / CONF[1]).write_text("changed by hand")
    assert installation.ensure_conf(conf) == [CONF[1]]
    assert "changed by hand" not in (conf / CONF[1]).read_text()
    assert sorted(listing(conf)) == sorted(CONF)


INSTALLS = """
[ "$1" = update ] && exit
echo "$@" >> {0}/ran
printf '#!/bin/sh\\necho openjdk version \\"17.0.1\\"' > {0}/java
/bin/chmod +x {0}/java
"""


@pytest.mark.parametrize(
    ("manager", "user", "sudo", "ran"),
    [
        ("apt-get", 0, None, "install -y --no-upgrade --no-install-recommends openjdk-17-jre-headless\n"),
        ("dnf", 1000, '"$@"', "install -y java-17-openjdk-headless\n"),
        ("apk", 0, "exit 1", "add --no-cache openjdk17-jre-headless\n"),
    ],
)
def test_java_is_installed_once_by_the_manager_that_is_there(
    monkeypatch, without_java: Path, manager: str, user: int, sudo: str | None, ran: str
):
    program(without_java / manager, INSTALLS.format(without_java))
    if sudo:
        program(without_java / "sudo", f'[ "$1" = -n ] && shift\n[ "$1" = true ] || {sudo}')
    (without_java / "sh").symlink_to("/bin/sh")
    monkeypatch.setattr(installation.os, "geteuid", lambda: user)
    assert (ensure_java(), ensure_java()) == (17, 17)
    assert (without_java / "ran").read_text() == ran


@pytest.mark.parametrize(
    ("programs", "user", "said"),
    [
        ({"apt-get": "touch {0}/ran", "sudo": "exit 1"}, 1000, "run `sudo sh -c 'apt-get update && .*openjdk-17-jre"),
        ({"dnf": "touch {0}/ran"}, 1000, "run `sudo sh -c 'dnf install"),
        ({}, 0, "install one .OpenJDK will do. and run `make install` again"),
        ({"apk": "true"}, 0, "did not bring one: install it by hand"),
    ],
)
def test_without_rights_or_a_manager_what_to_do_is_named_and_nothing_is_run(
    monkeypatch, without_java: Path, programs: dict[str, str], user: int, said: str
):
    for name, text in programs.items():  # a sudo that fails wants a password
        program(without_java / name, text.format(without_java))
    (without_java / "sh").symlink_to("/bin/sh")
    monkeypatch.setattr(installation.os, "geteuid", lambda: user)
    with pytest.raises(InputError, match=said):
        ensure_java()
    assert not (without_java / "ran").exists()


def test_main_says_one_line_and_exits_with_two_on_a_foreign_spark(monkeypatch, capsys, tmp_path: Path):
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    assert installation.main() == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and "unset SPARK_HOME" in err


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ('openjdk version "25-ea" 2025-09-16', 25),
        ('java version "1.8.0_392"', 8),
        ('Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nopenjdk version "11.0.2" 2019-01-15', 11),
        ("command not found", None),
    ],
)
def test_release_is_read_from_what_any_java_prints_that_of_java_home_first(
    monkeypatch, without_java: Path, text: str, release: int | None
):
    assert installation.installed_java() is None
    program(without_java / "java", f"/bin/cat >&2 <<END\n{text}\nEND")
    assert installation.installed_java() == release
    program(without_java / "home/bin/java", "echo 'openjdk version \"99.0.1\"'")
    monkeypatch.setenv("JAVA_HOME", str(without_java / "home"))
    assert installation.installed_java() == 99


def test_unfit_java_is_named_where_spark_would_take_it_from():
    assert installation.java_problem(None, 17) is installation.java_problem("/opt/jdk", 25) is None
    assert installation.java_problem(None, 11) == "no Java 17 or newer on PATH (it has Java 11)"
    assert installation.java_problem(None, None) == "no Java 17 or newer on PATH"
    for found, said in ((8, "is Java 8: "), (None, "holds no Java that starts: ")):
        problem = installation.java_problem("/opt/jdk", found) or ""
        assert f"JAVA_HOME is /opt/jdk, which {said}" in problem and "unset JAVA_HOME" in problem


def test_a_spark_home_is_fit_under_any_spelling_and_a_foreign_one_if_it_is_the_same_with_delta(tmp_path: Path):
    own, other = tmp_path / "pyspark", tmp_path / "spark"
    own.mkdir()
    (tmp_path / "link").symlink_to(own)
    for spelling in (None, "", str(own), f"{own}/", str(tmp_path / "link")):
        assert installation.spark_home_problem(spelling, own) is None
    (other / "jars").mkdir(parents=True)
    (other / "jars" / SPARK_CORE).touch()
    problem = installation.spark_home_problem(str(other), own) or ""
    assert f"SPARK_HOME is {other}" in problem and "unset SPARK_HOME" in problem and "\n" not in problem
    for name in JARS:
        (other / "jars" / name).touch()
    assert installation.spark_home_problem(str(other), own) is None
    (other / "jars" / SPARK_CORE).rename(other / "jars" / "spark-core_2.13-4.1.0.jar")
    assert installation.spark_home_problem(str(other), own) is not None


def test_a_job_stops_on_a_foreign_spark_home_and_where_no_jvm_started_it_without_java(monkeypatch, tmp_path: Path):
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


def test_a_job_stops_where_pip_alone_installed_and_says_what_completes_it(monkeypatch, tmp_path: Path):
    """Spark would fail in its first query, with a page of Java."""
    monkeypatch.delenv("PYSPARK_GATEWAY_PORT", raising=False)
    monkeypatch.setattr(installation, "java_problem", lambda home, found: None)
    monkeypatch.setenv("SPARK_HOME", "")
    monkeypatch.setattr(installation, "spark_folder", lambda: tmp_path)
    with pytest.raises(InputError, match=r"lacks delta-spark.* and delta-storage.*: run `make install`, once"):
        check_environment()
    (tmp_path / "jars").mkdir()
    for name in JARS:
        (tmp_path / "jars" / name).touch()
    check_environment()


def test_a_shell_without_java_takes_the_one_that_the_installation_noted(monkeypatch, without_java: Path):
    def java_home(variable: str = "") -> str:
        monkeypatch.setenv("JAVA_HOME", variable)
        installation.find_java()
        return os.environ["JAVA_HOME"]

    assert java_home() == ""
    program(without_java / "jdk/bin/java")
    (without_java / "java").symlink_to(without_java / "jdk/bin/java")
    installation.note_java(without_java / "conf")
    assert java_home() == "", "what the shell has goes first"
    (without_java / "java").unlink()
    assert [java_home(), java_home("/given")] == [str(without_java / "jdk"), "/given"]
    (without_java / "jdk/bin/java").unlink()
    assert java_home() == ""


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
