"""One Spark session for the whole run, jobs in this process, and where the real corpora lie if they are there."""

import atexit
import fcntl
import io
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as property_settings
from pyspark import SparkContext
from pyspark.sql import SparkSession
from tests.running import Done, job_path, run_here

from quotelake.lake.tables import Lake
from quotelake.sample import sample_inputs
from quotelake.settings import Settings, load_settings
from quotelake.spark.session import end_session, get_session

TEST_TIME = datetime(2024, 6, 1, tzinfo=UTC)

#: Real corpora of others, never part of the repository; ``QUOTELAKE_DATA`` says where they lie.
DATA = Path(os.environ.get("QUOTELAKE_DATA", Path(__file__).parents[2] / "shared" / "data"))

#: Views that show nothing of the sample: one run changes no group, and no watch-list is given.
EMPTY_VIEWS = {
    "group_history", "latest_reviews", "latest_readings", "watch_movers", "watch_uses", "watch_counts", "run_watched",
    "run_watch_uses", "run_watch_news",
}  # fmt: skip

#: For a session of minutes; CPU seconds of all processes on three files of Spark tests. Only the first of Java's two
#: compilers (the second one's code pays on long loads), and a heap that need not grow first: 150 became 89. Delta
#: remembers the last states of 10,000 tables; those of a hundred small lakes filled the heap, and the JVM did nothing
#: but collect. A lake has 26 tables, and two gigabytes hold what a session of the suite keeps.
JVM = (
    "-Ddelta.log.cacheSize=30 -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m "
    "-XX:MetaspaceSize=256m -Xms1g -Xmn400m -XX:-UsePerfData"
)

# No property test fails because the machine is busy. `make test-slow` runs all of them with the profile "full": nearly
# every one costs about a tenth of a CPU second there. Those that load a model state how many examples they need.
for profile, examples in (("quick", 25), ("full", 100)):
    property_settings.register_profile(
        profile, max_examples=examples, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
property_settings.load_profile("quick")

# One thread per model: torch's threads wait for one another in a busy loop, which on a busy machine costs far more.
os.environ.setdefault("OMP_NUM_THREADS", "1")

#: Exit status of this process, once its tests have ended.
_ended: list[int] = []


@atexit.register
def _leave_at_once() -> None:
    """End without taking each module down: torch needs CPU seconds for it, and DuckDB reports its types as leaked."""
    if _ended:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(_ended[0])


#: Files of tests that take longest, in CPU seconds: workers that share a run begin with them, and end together.
LONGEST = (
    "test_rereading.py", "test_first_hours.py", "test_plan.py", "test_set_aside.py", "test_groups.py",
    "test_versions_nights.py", "test_multiply.py", "test_jobs.py", "test_printed_commands.py",
)  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give workers the long files first, then those that need Spark, and last the many small ones that need none."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        spark = {item.path for item in items if item.get_closest_marker("spark")}
        items.sort(key=lambda item: (item.path.name not in LONGEST, item.path not in spark))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    _ended[:] = [int(session.exitstatus)]


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """A small local session: few partitions, no UI, one JVM for all tests."""
    session = get_session(
        "tests",
        spark__master="local[2,3]",  # as `spark-defaults.conf` has it: a task whose worker dies runs again
        spark__ui__enabled="false",
        spark__driver__extraJavaOptions=JVM,
        spark__driver__memory="2g",
        spark__buffer__pageSize="1m",  # a hash table of ten rows takes one page, of 32 MB else
        spark__driver__host="127.0.0.1",
        spark__driver__bindAddress="127.0.0.1",
        spark__sql__shuffle__partitions="2",
        spark__sql__adaptive__enabled="false",  # as a small input has it: merges took 95 CPU seconds, then 85
        spark__sql__codegen__wholeStage="false",  # compiling a plan costs more than reading rows by the dozen: 89 to 85
        spark__sql__codegen__factoryMode="NO_CODEGEN",
        spark__executorEnv__OMP_NUM_THREADS="1",
        spark__executorEnv__TOKENIZERS_PARALLELISM="false",
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    end_session()


@contextmanager
def starting_late(spark: SparkSession) -> Iterator[Callable[[], SparkSession]]:
    """What starts the session, as a job has it: before it is called none of Spark's functions work, nor any types."""
    context, SparkContext._active_spark_context = SparkContext._active_spark_context, None

    def start() -> SparkSession:
        SparkContext._active_spark_context = context
        return spark

    try:
        yield start
    finally:
        start()


@pytest.fixture(scope="session")
def settings() -> Settings:
    """The shipped settings."""
    return load_settings()


@pytest.fixture
def data() -> Callable[[str], Path]:
    """Path of a real corpus; the test is skipped where it is absent."""

    def find(name: str) -> Path:
        path = DATA / name
        if not path.exists():
            pytest.skip(f"real corpus {name} is not on this machine (QUOTELAKE_DATA says where to look)")
        return path

    return find


@pytest.fixture
def run_job(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """Run a job, by name or path, in this process, which has paid for its imports: ``run_job("cite", …, stdin=…)``."""

    def run(job: Path | str, *arguments: object, stdin: bytes | str = b"") -> Done:
        path, data = job_path(job), stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        monkeypatch.setattr(sys, "argv", [str(path), *map(str, arguments)])
        return Done(run_here(path), *capsys.readouterr())

    return run


def made_once(tmp_path_factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Root of a lake that workers of one run share: the first that asks makes it, the others wait until it is whole."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    root, whole = shared / name / "lake", shared / name / "whole"
    root.parent.mkdir(exist_ok=True)
    with (root.parent / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not whole.exists():
            shutil.rmtree(root, ignore_errors=True)  # of a worker that died or failed
            make(root)
            whole.touch()
    return root


@pytest.fixture(scope="session")
def lake_template(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All tables, empty: made once, since creating them takes seconds. Read only."""
    return made_once(tmp_path_factory, "template", lambda root: Lake(spark, str(root), "template", TEST_TIME).create())


@pytest.fixture
def new_lake(spark: SparkSession, lake_template: Path, tmp_path: Path) -> Callable[[str], Lake]:
    """Make empty lakes by name."""

    def make(name: str) -> Lake:
        shutil.copytree(lake_template, tmp_path / name)
        return Lake(spark, str(tmp_path / name), "test-run", TEST_TIME)

    return make


@pytest.fixture(scope="module")
def shared_lake(spark: SparkSession, lake_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Lake:
    """A lake for the tests of one file, empty at first."""
    root = shutil.copytree(lake_template, tmp_path_factory.mktemp("shared") / "lake")
    return Lake(spark, str(root), "test-run", TEST_TIME)


@pytest.fixture
def lake(new_lake: Callable[[str], Lake]) -> Lake:
    """An empty lake of one's own."""
    return new_lake("lake")


@pytest.fixture(scope="session")
def score(spark: SparkSession, lake_template: Path) -> Callable[..., Lake]:
    """Run the chain: ``score(root, inputs, overrides=…)`` returns the lake as that run left it.

    A new lake begins with its tables, empty, as an interrupted first run leaves it: making them takes seconds.
    """

    # Imported when used: tests that need no Spark should not pay for the whole house.
    from quotelake.lake.runs import new_run
    from quotelake.nightly.intake import find_inputs
    from quotelake.nightly.plan import score_corpus

    def run_chain(root: Path, inputs: list[tuple[str, str]], overrides: tuple[str, ...] = (), **kwargs: bool) -> Lake:
        loaded = load_settings(overrides=overrides)
        run = new_run(loaded.fingerprint, None, print)
        if not root.exists():
            shutil.copytree(lake_template, root)
        with starting_late(spark) as start:
            lake = Lake(start, str(root), run.run_id, run.started)
            files = find_inputs(lake, run, loaded, inputs, kwargs.get("reread", ()))
            score_corpus(lake, run, loaded, files, **kwargs)
        return lake

    return run_chain


@pytest.fixture(scope="session")
def sample_lake(score: Callable[..., Lake], tmp_path_factory: pytest.TempPathFactory) -> str:
    """Root of a lake of the whole sample corpus, scored with the real model. Read only."""
    return str(made_once(tmp_path_factory, "sample", lambda root: score(root, sample_inputs())))
