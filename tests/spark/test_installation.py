"""The installation does what is missing, once, and leaves nothing half done."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from quotelake.errors import InputError
from quotelake.spark import installation
from quotelake.spark.installation import (
    CONF,
    DELTA_JARS,
    JARS,
    ensure_conf,
    ensure_jars,
    ensure_java,
    java_command,
    spark_folder,
)

CONTENT = {name: name.encode() for name in JARS}


@pytest.fixture
def known_jars(monkeypatch):
    """Two small files stand for Delta's jars."""
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in CONTENT.items()}
    monkeypatch.setattr(installation, "JARS", digests)


def fetch(folder: Path) -> None:
    for name, content in CONTENT.items():
        (folder / name).write_bytes(content)


def never(folder: Path) -> None:
    pytest.fail("fetched again what was there")


def listing(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_jars_checked_are_the_jars_required():
    assert set(JARS) == set(DELTA_JARS)


@pytest.mark.usefixtures("known_jars")
def test_jars_are_fetched_once(tmp_path: Path):
    assert ensure_jars(tmp_path, fetch) == list(JARS)
    assert listing(tmp_path) == CONTENT
    assert ensure_jars(tmp_path, never) == []


@pytest.mark.usefixtures("known_jars")
def test_one_missing_jar_is_completed(tmp_path: Path):
    first, second = JARS
    (tmp_path / first).write_bytes(CONTENT[first])
    assert ensure_jars(tmp_path, fetch) == [second]
    assert listing(tmp_path) == CONTENT


@pytest.mark.usefixtures("known_jars")
def test_a_fetched_jar_with_another_digest_is_refused_and_nothing_is_put_in_place(tmp_path: Path):
    def tampered(folder: Path) -> None:
        fetch(folder)
        (folder / list(JARS)[1]).write_bytes(b"something else")

    with pytest.raises(InputError, match="is not the jar expected"):
        ensure_jars(tmp_path, tampered)
    assert listing(tmp_path) == {}


@pytest.mark.usefixtures("known_jars")
def test_a_jar_in_place_with_another_digest_is_named(tmp_path: Path):
    name = next(iter(JARS))
    (tmp_path / name).write_bytes(b"half a j")
    with pytest.raises(InputError, match=f"{name}.*remove it"):
        ensure_jars(tmp_path, never)


@pytest.mark.usefixtures("known_jars")
def test_a_write_that_breaks_off_leaves_no_jar_behind(tmp_path: Path, monkeypatch):
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(installation.os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        ensure_jars(tmp_path, fetch)
    assert listing(tmp_path) == {}


def test_defaults_are_written_where_they_differ_and_only_there(tmp_path: Path):
    conf = tmp_path / "conf"
    assert ensure_conf(conf) == list(CONF)
    assert ensure_conf(conf) == []
    (conf / CONF[1]).write_text("changed by hand")
    assert ensure_conf(conf) == [CONF[1]]
    assert "changed by hand" not in (conf / CONF[1]).read_text()
    assert sorted(listing(conf)) == sorted(CONF)


@pytest.mark.parametrize(
    ("managers", "root", "sudo", "start", "allowed"),
    [
        ({"apt-get": True, "dnf": False}, True, False, "apt-get update && apt-get install", True),
        ({"apt-get": True}, False, True, "sudo sh -c 'apt-get update", True),
        ({"dnf": True}, False, False, "sudo sh -c 'dnf install", False),
        ({"apk": True}, True, True, "apk add", True),
        ({"apt-get": False}, True, True, None, False),
    ],
)
def test_java_is_installed_by_the_manager_that_is_there_and_only_where_we_may(managers, root, sudo, start, allowed):
    command, may = java_command(managers, root=root, sudo=sudo)
    assert (command or "").startswith(start or "") and (command is None) == (start is None)
    assert may == allowed


def test_without_rights_the_exact_command_is_named_and_not_run(monkeypatch, tmp_path: Path):
    ran = tmp_path / "ran"
    for name in ("apt-get", "sudo"):  # sudo refuses, as it does without a password
        (tmp_path / name).write_text(f"#!/bin/sh\n[ {name} = sudo ] || touch {ran}\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr(installation.os, "geteuid", lambda: 1000)
    with pytest.raises(InputError, match=r"run `sudo sh -c 'apt-get update && .*openjdk-17-jre-headless"):
        ensure_java()
    assert not ran.exists()


FAKE_APT = """#!/bin/sh
[ "$1" = update ] && exit
echo "$@" >> {folder}/ran
echo '#!/bin/sh' > {folder}/java
echo 'echo openjdk version \\"17.0.1\\"' >> {folder}/java
/bin/chmod +x {folder}/java
"""


def test_java_is_installed_once_where_we_are_root(monkeypatch, tmp_path: Path):
    (tmp_path / "apt-get").write_text(FAKE_APT.format(folder=tmp_path))
    (tmp_path / "apt-get").chmod(0o755)
    (tmp_path / "sh").symlink_to("/bin/sh")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr(installation.os, "geteuid", lambda: 0)
    assert ensure_java() == 17
    assert ensure_java() == 17
    assert (tmp_path / "ran").read_text() == "install -y --no-upgrade --no-install-recommends openjdk-17-jre-headless\n"


def test_main_says_one_line_and_exits_with_two_on_a_foreign_spark(monkeypatch, capsys, tmp_path: Path):
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    assert installation.main() == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and "unset SPARK_HOME" in err


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
    assert (spark_folder() / "conf" / "spark-defaults.conf").is_file()
