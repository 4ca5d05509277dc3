"""Programs that speak to Spark see the rows of ``quotelake query``, by JDBC and by Spark Connect, and write nothing."""

import csv
import datetime
import importlib.util
import io
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.query.lakes import make_lake

import quotelake
from quotelake.commands import serve
from quotelake.errors import InputError
from quotelake.query.catalog import view_names
from quotelake.spark.installation import spark_folder

ALERTS = "SELECT quote_id, alert, outlet, headline_quote, priority, published_at FROM headline_alerts ORDER BY quote_id"
RATES = "SELECT outlet, n_articles, n_alerts, rate FROM outlet_rates ORDER BY outlet"
CONNECT = """
import sys
from pyspark.sql import SparkSession

spark = SparkSession.builder.remote(sys.argv[1]).getOrCreate()
print([[tuple(row) for row in spark.sql(statement).collect()] for statement in sys.argv[2:]])
print(sorted(table.name for table in spark.catalog.listTables()))
"""

GUARDED = """
import subprocess, sys
from quotelake.spark.guard import forbid_writes

assert forbid_writes(but=["mine", "/dev"]) or sys.exit(9)
for line in (
    "echo a > mine/a", "mv mine/a mine/b", "echo a > a", "echo a >> kept", "rm kept", "mv kept b", "mkdir new",
    "ln -s ../kept mine/link && echo a > mine/link", f"'{sys.executable}' -c 'import os; os.truncate(\\"kept\\", 0)'",
    "cat kept",
):
    print(subprocess.run(line, shell=True, stderr=subprocess.DEVNULL).returncode == 0)
"""


class Served(NamedTuple):
    """A lake that is served, by what is printed."""

    lake: str
    jdbc: str
    connect: str
    can_write: bool
    process: subprocess.Popen[str]
    place: Path

    @property
    def port(self) -> int:
        return int(self.jdbc.rpartition(":")[2])

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        return [tuple(row.values()) for row in quotelake.open(self.lake).sql(statement)]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


@pytest.fixture(scope="module")
def served(sample_lake: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The sample, served to all tests of this file. It ends by an interrupt and leaves nothing behind."""
    place = tmp_path_factory.mktemp("served")
    ports = ("--port", str(free_port()), "--connect-port", str(free_port()))
    command = [sys.executable, "-m", "quotelake", "serve", "--lake", sample_lake, *ports]
    env = {**os.environ, "TMPDIR": str(place), "SPARK_LOCAL_DIRS": str(place)}
    process = subprocess.Popen(
        command, cwd=place, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        assert process.stdout is not None and process.stderr is not None
        said = [process.stdout.readline() for _ in range(4)]
        assert "Ctrl-C" in said[-1], process.stderr.read()
        jdbc, connect = (line.split()[-1] for line in said[:2])
        yield Served(sample_lake, jdbc, connect, "no file" not in said[-1], process, place)
    finally:
        process.send_signal(signal.SIGINT)
        status = process.wait(120)
    assert status == 0 and not [*place.iterdir()], "an interrupt is its end, and it leaves nothing behind"


@pytest.mark.spark
@pytest.mark.process
@pytest.mark.slow
class TestServed:
    def test_by_jdbc_in_beeline(self, served: Served):
        quoted = "-Ddisable.quoting.for.sv=false"
        java = ["java", quoted, "-cp", f"{spark_folder()}/jars/*", "org.apache.hive.beeline.BeeLine", "-u", served.jdbc]
        done = subprocess.run(
            [*java, "--silent=true", "--outputformat=csv2", "-e", f"{ALERTS};"],
            capture_output=True, text=True, timeout=600, check=False, env={**os.environ, "HOME": str(served.place)},
        )  # fmt: skip
        rows = csv.reader(io.StringIO(done.stdout[done.stdout.index("quote_id,") :]))
        assert [tuple(row) for row in rows if row][1:] == [
            (*row[:4], str(row[4]), f"{row[5]:%Y-%m-%d %H:%M:%S}.0") for row in served.rows(ALERTS)
        ], done.stderr

    def test_by_a_client_of_hive_in_python(self, served: Served):
        hive = pytest.importorskip("pyhive.hive", reason="PyHive is not installed: see setup.py, dev")
        with hive.connect("127.0.0.1", served.port) as connection, connection.cursor() as cursor:
            for statement in (ALERTS, RATES):
                cursor.execute(statement)
                assert cursor.fetchall() == served.rows(statement)
            cursor.execute("SHOW TABLES")
            assert {*view_names()} <= {name for _, name, _ in cursor.fetchall()}

    def test_by_spark_connect(self, served: Served):
        if importlib.util.find_spec("grpc") is None:
            pytest.skip("grpcio is not installed: see setup.py, dev")
        done = subprocess.run(
            [sys.executable, "-c", CONNECT, served.connect, ALERTS, RATES],
            capture_output=True, text=True, timeout=600, check=True,
        )  # fmt: skip
        rows, names = done.stdout.splitlines()
        assert eval(rows, {"datetime": datetime}) == [served.rows(ALERTS), served.rows(RATES)]
        assert {*view_names()} <= {*eval(names)}

    def test_no_statement_changes_the_lake_or_another_file(self, served: Served, tmp_path: Path):
        hive = pytest.importorskip("pyhive.hive", reason="PyHive is not installed: see setup.py, dev")
        if served.can_write:
            pytest.skip("Landlock is off here: the command says that statements can write")
        before = {path: path.stat().st_mtime_ns for path in Path(served.lake).rglob("*")}
        with hive.connect("127.0.0.1", served.port) as connection, connection.cursor() as cursor:
            for statement in (
                f"DELETE FROM delta.`{served.lake}/quotes`",
                f"INSERT OVERWRITE DIRECTORY '{served.lake}/quotes' USING parquet SELECT 1 AS a",
                f"INSERT OVERWRITE DIRECTORY '{tmp_path}/new' USING csv SELECT 1 AS a",
            ):
                with pytest.raises(hive.OperationalError):
                    cursor.execute(statement)
        assert {path: path.stat().st_mtime_ns for path in Path(served.lake).rglob("*")} == before
        assert not [*tmp_path.iterdir()]

    @pytest.mark.skipif(shutil.which("ss") is None, reason="ss, which lists listening ports, is not installed")
    def test_it_listens_on_loopback_alone(self, served: Served):
        listening = subprocess.run(["ss", "-ltnpH"], capture_output=True, text=True, check=False).stdout.splitlines()
        group = {str(served.process.pid)} | {
            pid.name for pid in Path("/proc").glob("[0-9]*") if _session(pid) == served.process.pid
        }
        ours = [line.split()[3] for line in listening if any(f"pid={pid}," in line for pid in group)]
        assert len(ours) >= 2 and all("127.0.0.1]:" in place or place.startswith("127.") for place in ours), ours


def _session(process: Path) -> int:
    try:
        return int((process / "stat").read_text().rpartition(")")[2].split()[3])
    except OSError:
        return 0


def test_a_port_that_is_not_free_is_told_before_spark_starts(tmp_path: Path):
    make_lake(tmp_path, [])
    with socket.create_server(("127.0.0.1", 0)) as taken:
        for port in (taken.getsockname()[1], 0, 70_000):
            with pytest.raises(InputError, match=rf"--connect-port {port}: cannot be listened to .*; name a free port"):
                serve.check_free("--connect-port", port)


@pytest.mark.process
def test_a_guarded_process_and_what_it_starts_write_into_one_folder_alone(tmp_path: Path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "kept").write_text("before")
    done = subprocess.run([sys.executable, "-c", GUARDED], cwd=tmp_path, capture_output=True, text=True, check=False)
    if done.returncode == 9:
        pytest.skip("this kernel has no Landlock")
    assert done.stdout.split() == ["True", "True", *["False"] * 7, "beforeTrue"], done.stderr
    assert (tmp_path / "kept").read_text() == "before"
