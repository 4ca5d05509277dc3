"""Jobs as a person starts them: bare ``spark-submit``; whatever is wrong is one clear message and an exit status."""

import csv
import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.spark, pytest.mark.slow]

ROOT = Path(__file__).parents[1]
GOOD = {
    "id": "1",
    "title": "Mayor: 'We will rebuild'",
    "text": "The mayor said: “We will rebuild the bridge.” She left.",
}


def submit(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Start a job with the spark-submit of this environment."""
    binaries = Path(sys.executable).parent
    env = {**os.environ, "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}"}
    command = [str(binaries / "spark-submit"), str(ROOT / arguments[0]), *arguments[1:]]
    return subprocess.run(command, capture_output=True, text=True, env=env, cwd=cwd, timeout=300, check=False)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--input", "sample_news=/nowhere/*.jsonl"], ["/nowhere/*.jsonl"]),
        (["--input", "sample_news={empty}"], ["{empty}", "no file"]),
        (["--input", "mystery=x.jsonl"], ["[sources.mystery]", "us_news"]),
        (["--input", "{good}"], ["expected NAME=GLOB"]),
        (
            ["--set", "sources.sample_news.fields.body=txt", "--input", "sample_news={good}"],
            ["'txt'", "text", "good.jsonl"],
        ),
        (["--set", "topics.sampel=1"], ["topics.sampel", "unknown key"]),
        (["--set", "topics.sample=many"], ["topics.sample", "valid integer"]),
        (["--set", "model.name=/no/such/model", "--input", "sample_news={good}"], ["/no/such/model"]),
    ],
)
def test_a_mistake_is_one_message(tmp_path: Path, arguments: list[str], expected: list[str]):
    (tmp_path / "empty").mkdir()
    (tmp_path / "good.jsonl").write_text(json.dumps(GOOD) + "\n", "utf-8")
    places = {"empty": str(tmp_path / "empty"), "good": str(tmp_path / "good.jsonl")}
    result = submit("jobs/score_corpus.py", "--lake", str(tmp_path / "lake"), *(a.format(**places) for a in arguments))
    assert result.returncode == 2, result.stdout + result.stderr
    assert "Traceback" not in result.stdout + result.stderr
    for part in expected:
        assert part.format(**places) in result.stderr


def test_bad_records_and_files_are_counted_and_the_night_goes_on(tmp_path: Path):
    good = json.dumps(GOOD).encode()
    lines = b"\n".join(json.dumps({**GOOD, "id": str(i)}).encode() for i in range(2000))
    files = {
        "a_empty.jsonl": b"",
        "b_half.jsonl.gz": gzip.compress(os.urandom(200_000) + b"\n" + lines)[:-40_000],
        "c_long.jsonl": good[:-1] + b', "x": "' + b"y" * 50_000_000 + b'"}\n' + good.replace(b'"1"', b'"c2"') + b"\n",
        "d_latin.jsonl": good.replace(b"rebuild the", b"r\xe9build the")
        + b"\n"
        + good.replace(b'"1"', b'"d2"')
        + b"\n",
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    lake = tmp_path / "lake"
    result = submit("jobs/score_corpus.py", "--lake", str(lake), "--input", f"sample_news={tmp_path}/*.jsonl*")
    assert result.returncode == 0, result.stdout + result.stderr
    query = "SELECT path, records, documents, duplicates, rejects FROM files ORDER BY path"
    asked = submit("jobs/query.py", "--lake", str(lake), "--format", "json", query)
    counts = {row["path"].rsplit("/", 1)[-1]: row for row in json.loads(asked.stdout)}
    assert set(counts) == set(files)
    assert counts["a_empty.jsonl"]["records"] == 0
    for name, documents in (("c_long.jsonl", 1), ("d_latin.jsonl", 1)):
        assert (counts[name]["records"], counts[name]["documents"], counts[name]["rejects"]) == (2, documents, 1)
    reasons = submit("jobs/query.py", "--lake", str(lake), "--format", "csv", "SELECT path, reason FROM rejects")
    found = {(row["path"].rsplit("/", 1)[-1], row["reason"]) for row in csv.DictReader(reasons.stdout.splitlines())}
    assert {
        ("b_half.jsonl.gz", "broken_file"),
        ("c_long.jsonl", "oversized"),
        ("d_latin.jsonl", "wrong_encoding"),
    } <= found


def test_ranking_goes_to_screen_and_csv(sample_lake: str, tmp_path: Path):
    result = submit("jobs/rank_topics.py", "--lake", sample_lake, "--out", str(tmp_path / "rank.csv"))
    assert result.returncode == 0, result.stderr
    rows = list(csv.DictReader((tmp_path / "rank.csv").open(encoding="utf-8")))
    assert f"{len(rows):,} rows written" in result.stdout
    bounds = [float(row["variation_low"]) for row in rows]
    assert len(rows) >= 9 and bounds == sorted(bounds, reverse=True)
    monthly = submit("jobs/rank_topics.py", "--lake", sample_lake, "--period", "month", "--min-contexts", "4")
    assert "2024-04" in monthly.stdout


def test_a_query_on_nothing_and_a_wrong_statement_say_so(sample_lake: str, tmp_path: Path):
    nothing = submit("jobs/query.py", "--lake", str(tmp_path / "none"), "SELECT 1")
    assert nothing.returncode == 2 and "holds no lake" in nothing.stderr
    wrong = submit("jobs/query.py", "--lake", sample_lake, "SELECT nope FROM quotes")
    assert wrong.returncode == 2 and "nope" in wrong.stderr and "Traceback" not in wrong.stderr
