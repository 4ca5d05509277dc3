"""Programs that speak to Spark see the rows of ``quotelake query``, by JDBC and by Spark Connect, and write nothing."""

import csv
import datetime
import io
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

import quotelake
from quotelake.commands import serve
from quotelake.errors import InputError
from quotelake.query.catalog import view_names

ALERTS = "SELECT quote_id, alert, outlet, headline_quote, priority, published_at FROM headline_alerts ORDER BY quote_id"
CONNECT = """
import sys
from pyspark.sql import SparkSession

spark = SparkSession.builder.remote(sys.argv[1]).getOrCreate()
print([tuple(row) for row in spark.sql(sys.argv[2]).collect()])
print(sorted(table.name for table in spark.catalog.listTables()))
"""
GUARDED = """
import subprocess, sys
from quotelake.commands.serve import forbid_writes

assert forbid_writes(but=["mine", "/dev"]) or sys.exit(9)
for line in (
    "echo a > mine/a", "mv mine/a mine/b", "echo a > a", "echo a >> kept", "rm kept", "mv kept b", "mkdir new",
    "ln -s ../kept mine/link && echo a > mine/link", f"'{sys.executable}' -c 'import os; os.truncate(\\"kept\\", 0)'",
    "cat kept",
):
    print(subprocess.run(line, shell=True, stderr=subprocess.DEVNULL).returncode == 0)
"""


@pytest.fixture(scope="module")
def served(sample_lake: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    """The sample, served to all tests of this file, its alerts, the lines printed by how they begin, and a folder."""
    place, arguments = tmp_path_factory.mktemp("served"), ["--lake", sample_lake]
    for option in ("--port", "--connect-port"):
        with socket.create_server(("127.0.0.1", 0)) as free:
            arguments += [option, str(free.getsockname()[1])]
    process = subprocess.Popen(
        [sys.executable, "-m", "quotelake", "serve", *arguments], cwd=place, start_new_session=True, text=True,
        env={**os.environ, "TMPDIR": str(place), "SPARK_LOCAL_DIRS": str(place)}, stdout=subprocess.PIPE,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        lines = [process.stdout.readline().strip() for _ in range(4)]
        printed = dict(line.split(maxsplit=1) if ": " not in line else line.split(": ", 1) for line in lines)
        rows = [tuple(row.values()) for row in quotelake.open(sample_lake).sql(ALERTS)]
        yield SimpleNamespace(rows=rows, lake=Path(sample_lake), printed=printed, process=process, place=place)
    finally:
        process.send_signal(signal.SIGINT)
        status = process.wait(120)
    assert status == 0 and not [*place.iterdir()], "an interrupt is its end, and it leaves nothing behind"


@pytest.mark.spark
@pytest.mark.process
@pytest.mark.slow
class TestServed:
    def test_by_the_line_of_beeline_that_is_printed(self, served: SimpleNamespace):
        java, *others = shlex.split(served.printed["A prompt"])
        form = ("--silent=true", "--outputformat=csv2", "-e", f"{ALERTS};")
        done = subprocess.run(
            [java, "-Ddisable.quoting.for.sv=false", *others, *form], capture_output=True, text=True, timeout=600,
            check=False, env={**os.environ, "HOME": str(served.place)},
        )  # fmt: skip
        rows = csv.reader(io.StringIO(done.stdout[done.stdout.index("quote_id,") :]))
        expected = [(*row[:4], str(row[4]), f"{row[5]:%Y-%m-%d %H:%M:%S}.0") for row in served.rows]
        assert [tuple(row) for row in rows if row][1:] == expected, done.stderr

    def test_by_spark_connect(self, served: SimpleNamespace):
        pytest.importorskip("grpc", reason="grpcio is not installed: see setup.py, dev")
        client = [sys.executable, "-c", CONNECT, served.printed["Spark Connect"], ALERTS]
        done = subprocess.run(client, capture_output=True, text=True, timeout=600, check=True)
        rows, names = done.stdout.splitlines()
        assert eval(rows, {"datetime": datetime}) == served.rows and {*view_names()} <= {*eval(names)}

    def test_a_client_in_python_reads_and_changes_neither_the_lake_nor_another_file(
        self, served: SimpleNamespace, tmp_path: Path
    ):
        hive = pytest.importorskip("pyhive.hive", reason="PyHive is not installed: see setup.py, dev")
        lake, port = served.lake, int(served.printed["JDBC"].rpartition(":")[2])
        before = {path: path.stat().st_mtime_ns for path in lake.rglob("*")}
        with hive.connect("127.0.0.1", port) as connection, connection.cursor() as cursor:
            cursor.execute(ALERTS)
            assert cursor.fetchall() == served.rows
            if "no file" not in served.printed["Statements"]:
                pytest.skip("Landlock is off here: the command says that statements can write")
            for statement in (
                f"DELETE FROM delta.`{lake}/quotes`",
                f"INSERT OVERWRITE DIRECTORY '{lake}/quotes' USING parquet SELECT 1 AS a",
                f"INSERT OVERWRITE DIRECTORY '{tmp_path}/new' USING csv SELECT 1 AS a",
            ):
                with pytest.raises(hive.OperationalError):
                    cursor.execute(statement)
        assert {path: path.stat().st_mtime_ns for path in lake.rglob("*")} == before and not [*tmp_path.iterdir()]

    @pytest.mark.skipif(not (shutil.which("ss") and shutil.which("ps")), reason="ss or ps is not installed")
    def test_it_listens_on_loopback_alone(self, served: SimpleNamespace):
        pids = subprocess.check_output(["ps", "-o", "pid=", "-s", str(served.process.pid)], text=True).split()
        lines = subprocess.check_output(["ss", "-ltnpH"], text=True).splitlines()
        ours = [line.split()[3] for line in lines if any(f"pid={pid}," in line for pid in pids)]
        assert len(ours) >= 2 and all("127.0.0.1]:" in place or place.startswith("127.") for place in ours), ours


def test_a_port_that_is_not_free_is_refused_before_spark_starts():
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
