"""Commands that README, CORPUS, QUERIES and TOOLS show, or a run prints, work in a shell with nothing set up.

What a first run prints, and what comes of its input, is in FIRST_HOURS, which another test runs.
"""

import gzip
import json
import re
import signal
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest

from quotelake.commands.summary import next_commands
from quotelake.lake.lease import take_lease
from quotelake.lake.place import Files
from quotelake.program import STARTED_BY
from quotelake.settings import load_settings

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
CORPUS = (ROOT / "docs" / "CORPUS.md").read_text("utf-8")
QUERIES = (ROOT / "docs" / "QUERIES.md").read_text("utf-8")
TOOLS = (ROOT / "docs" / "TOOLS.md").read_text("utf-8")
#: As ``env -i`` leaves it, or cron.
CLEAN = {"PATH": "/usr/bin:/bin"}
#: What a reader puts in place of words in a line that is printed.
FILLED = {"NAME=GLOB": "mynews='in/*.jsonl.gz' --config my.toml", "LAKE": "lake"}
#: Commands that start Spark.
SPARK = ("score", "maintain", "digest", "serve")
BODY = "“We will rebuild the bridge,” said Mayor Ana Ruiz. “It is a ‘dead end’ today.”"


def shell_lines(text: str) -> list[str]:
    """Commands of the ``sh`` blocks of a page."""
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    return [line for block in blocks for line in block.replace("\\\n", " ").splitlines() if line.strip()]


def table_lines(text: str) -> list[str]:
    """Commands in the last cells of the tables of a page."""
    return [f".venv/bin/{line}" for line in re.findall(r"\| `(quotelake [^`]+)` \|$", text, re.MULTILINE)]


SHOWN = [*shell_lines(README), *shell_lines(CORPUS), *shell_lines(QUERIES), *shell_lines(TOOLS), *table_lines(README)]
LINES = [line for line in SHOWN if not line.startswith("make ")]


def distinct(lines: list[str]) -> list[str]:
    """Lines of which no other one has the same command with all of its options: each starts a process."""

    def parts(line: str) -> tuple[str, bool, set[str]]:
        words = line.partition(" #")[0].split()
        return " ".join(words[1:2]), '"' in line, {word for word in words if word.startswith("--")}

    kept: list[str] = []
    for line in sorted(lines, key=lambda line: -len(parts(line)[2])):
        if not any(parts(line)[:2] == parts(one)[:2] and parts(line)[2] <= parts(one)[2] for one in kept):
            kept.append(line)
    return kept


QUICK = distinct([line for line in LINES if "--lake" not in line and " --input " not in line])
READING = distinct([line for line in LINES if "--lake" in line and line.split()[1] not in SPARK])
SCORING = distinct([line for line in LINES if line.split()[1] == "score" and "--check" not in line])


@pytest.fixture(scope="session")
def environment() -> Path:
    """The environment of this Python, if the program in it is that of this checkout."""
    origin = json.loads(distribution("quotelake").read_text("direct_url.json") or "{}").get("url", "")
    if not Path(sys.executable).with_name("quotelake").exists() or origin != ROOT.as_uri():
        pytest.skip(f"the program installed beside {sys.executable} is not that of {ROOT}: run `make install` there")
    return Path(sys.executable).parents[1]


@pytest.fixture
def place(environment: Path, tmp_path: Path) -> Path:
    """A working directory with what the pages speak of: the environment, an article, settings and files to read."""
    (tmp_path / ".venv").symlink_to(environment)
    for name in ("article.txt", "draft.md"):
        (tmp_path / name).write_text(BODY, "utf-8")
    settings = re.findall(r"```toml\n(.*?)```", CORPUS, re.DOTALL)
    (tmp_path / "my.toml").write_text("\n".join(settings), "utf-8")
    (tmp_path / "texts.csv").write_text("id,text\nstitch,A stitch in time saves nine\n", "utf-8")
    (tmp_path / "in").mkdir()
    record = {"guid": "1", "title": "Mayor: “We will rebuild the bridge”", "content": BODY, "date": "2024-05-01"}
    record |= {"publisher": "Harrow Ledger Online", "link": "https://a.example/1", "modified": "2024-05-01"}
    record |= {"section": "news", "author_line": "By A. B."}
    (tmp_path / "in" / "a.jsonl.gz").write_bytes(gzip.compress(json.dumps(record).encode()))
    return tmp_path


def typed(line: str, place: Path, text: str = "") -> subprocess.CompletedProcess[str]:
    for word, meant in FILLED.items():
        line = line.replace(word, meant)
    shell, env = ["/bin/sh", "-c", line], {**CLEAN, "HOME": str(Path.home())}
    return subprocess.run(shell, cwd=place, env=env, input=text, capture_output=True, text=True, check=False)


def worked(line: str, place: Path) -> str:
    done = typed(line, place)
    assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    assert "Traceback" not in done.stdout + done.stderr
    return done.stdout


def test_the_pages_show_commands_of_each_kind():
    assert len(QUICK) >= 3 and len(READING) >= 3 and len(SCORING) >= 2
    assert {line.split()[0] for line in LINES} == {".venv/bin/quotelake"}
    assert {line.split()[1] for line in shell_lines(README) if line.startswith("make ")} == {"score", "test"}


def test_make_score_is_the_program():
    """Read, not run: no test can install the environment that it runs in."""
    recipe = (ROOT / "Makefile").read_text("utf-8").partition("\nscore: install")[2].splitlines()[1]
    assert recipe.strip() == "@$(VENV)/bin/quotelake score $(ARGS)"


@pytest.mark.parametrize("line", QUICK)
def test_a_line_that_needs_no_lake_works(line: str, place: Path):
    assert worked(line, place)


@pytest.mark.parametrize("line", SCORING)
def test_the_input_of_a_line_that_scores_can_be_read(line: str, place: Path):
    assert "Nothing was written." in worked(f"{line} --check", place)


def test_the_program_passes_on_input_streams_and_status(place: Path):
    found = typed(".venv/bin/quotelake find --json", place, BODY)
    assert [quote["speaker"] and quote["speaker"]["name"] for quote in json.loads(found.stdout)["quotes"]] == [
        "Ana Ruiz", "Ana Ruiz", None,
    ]  # fmt: skip
    failed = typed(".venv/bin/quotelake query --lake none 'SELECT 1'", place)
    assert (failed.returncode, failed.stdout) == (2, "")
    [advice] = re.findall(r"make one with: (.*)", failed.stderr)
    assert advice == ".venv/bin/quotelake score"


@pytest.mark.spark
@pytest.mark.parametrize("line", READING)
def test_a_line_that_reads_a_lake_works(line: str, place: Path, sample_lake: str):
    (place / "lake").symlink_to(sample_lake)
    out = worked(line, place)
    assert out or ">" in line or line.split("#")[0].split()[1:] == ["query", "--lake", "lake"]  # a prompt without input


@pytest.mark.spark
def test_the_lines_that_a_run_prints_next_work(place: Path, sample_lake: str, monkeypatch: pytest.MonkeyPatch):
    (place / "a lake").symlink_to(sample_lake)
    monkeypatch.chdir(place)
    monkeypatch.setenv(STARTED_BY, str(place / ".venv/bin/quotelake"))
    for line in next_commands("a lake"):
        assert line.startswith(".venv/bin/quotelake ")
        if line.split()[1] not in SPARK:
            assert worked(line, place)


@pytest.mark.slow
@pytest.mark.spark
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)])
def test_a_waiting_run_ends_without_a_trace(place: Path, number: signal.Signals, status: int):
    """This process holds the lake; the signal is sent when the run says that it waits."""
    command, env = [".venv/bin/quotelake", "score", "--lake", "lake"], {**CLEAN, "HOME": str(Path.home())}
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    said = []
    other = take_lease(Files(place / "lake"), "other", load_settings().run, print)
    with other, subprocess.Popen(command, cwd=place, env=env, text=True, **both) as run:
        for line in run.stdout:
            said.append(line)
            if "waiting for run other" in line:
                run.send_signal(number)
    assert run.returncode == status
    assert sum("waiting for run other" in line for line in said) == 1
    assert not any("Traceback" in line or "\tat " in line for line in said), "".join(said)
