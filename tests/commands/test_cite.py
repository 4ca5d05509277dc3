"""What `quotelake cite` states is what the lake holds, and no label or name of it acts in a bibliography."""

import re
import shutil
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from deltalake import DeltaTable
from hypothesis import example, given
from hypothesis import strategies as st
from tests.query.lakes import complete
from tests.running import Done, run_without_spark

import quotelake
from quotelake.answers.statements import STATEMENTS
from quotelake.commands import cite as citing
from quotelake.commands.cite import as_tex, cell_text, cite
from quotelake.query.engines import DuckEngine

#: A label that would end the field, run a command and clear a terminal.
HOSTILE = "50% {of\\input{x}} $_^~&#\n\x1b[2J},\n}\n@misc{own, "


def unbalanced(text: str) -> int:
    """Depth of braces at the end, counted as BibTeX does; -1 as soon as one closes that was not opened."""
    depth = 0
    for brace in re.findall(r"[{}]", text):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return -1
    return depth


@pytest.mark.spark
def test_the_sample_is_cited_without_spark_by_its_versions_and_counts(sample_lake: str):
    done = run_without_spark("cite", "--lake", sample_lake)
    assert done.code == 0, done.error
    with DuckEngine(sample_lake) as engine:
        versions = engine.sql("SELECT * FROM active_version")[0]
        run = engine.sql("SELECT * FROM run_summary WHERE nth = 1 AND stage = 'run'")[0]
        coverage = {row["source"]: row for row in engine.sql("SELECT * FROM corpus_coverage")}
        counted = "SELECT count(*) AS n, count(alert) AS alerts, count(to_check) AS checks FROM headline_quotes"
        [judged] = engine.sql(counted)
    stated = [*versions.values(), run["run_id"], run["settings_fingerprint"], f"Quotelake {quotelake.__version__}"]
    assert [value for value in stated if str(value) not in done.out] == []
    for source, row in coverage.items():
        [said] = re.findall(rf" {source}: ([^;.]*;[^;.]*)[;.]", done.out)
        numbers = [row[f"n_{name}"] or 0 for name in (
            "articles_or_tweets", "records", "documents", "duplicates", "rejects", "headline_quotes", "text_quotes",
        )]  # fmt: skip
        assert list(map(int, re.findall(r"(?<![-\d])\d+(?![-\d])", said))) == numbers
    said = f"Of {judged['n']} headline quotes that were compared with their bodies, {judged['alerts']} have an alert, "
    assert f"{said}and {judged['checks']} are not as printed there." in done.out
    assert done.out.count("\n") == 1, "a paragraph to paste"


@pytest.mark.spark
def test_a_hostile_label_is_shown_and_does_nothing_and_a_past_night_is_cited_by_its_run(
    sample_lake: str, run_job: Callable[..., Done], tmp_path: Path
):
    labelled = shutil.copytree(sample_lake, tmp_path / "lake")
    versions = {path.parent.name: DeltaTable(str(path.parent)).version() for path in labelled.glob("*/_delta_log")}
    complete(labelled, "r2", night=HOSTILE, **versions)
    text, bibtex = (run_job("cite", "--lake", labelled, "--format", style).out for style in ("text", "bibtex"))
    assert cell_text(HOSTILE) in text and "\x1b" not in text + bibtex and "run r2, labelled" in text
    assert as_tex(HOSTILE) in bibtex and unbalanced(bibtex) == 0
    assert re.findall(r"^@(\w+)\{(\w+)", bibtex, re.MULTILINE) == [
        ("misc", "quotelake"), ("inproceedings", "song"), ("inproceedings", "periti"), ("inproceedings", "abdalla"),
    ]  # fmt: skip
    entry = bibtex.partition("@inproceedings")[0]
    fields = re.findall(r"^  (\w+) = \{.*\},$", entry, re.MULTILINE)
    assert fields == ["author", "title", "howpublished", "year", "note"]
    assert entry.count("\n") == 7, "one line a field"
    with DuckEngine(sample_lake) as engine:
        [first] = engine.sql("SELECT run_id FROM run_summary WHERE nth = 1 AND stage = 'run'")
    past = run_job("cite", "--lake", labelled, "--as-of", first["run_id"]).out
    assert f"run {first['run_id']} of" in past and "r2" not in past


RUN: dict[str, Any] = {
    "rule_version": f"{citing.RULES.number}-ab", "outcomes": citing.DETECTOR.number, "detector_version": "d",
    "model": "m", "dtype": "float32", "fingerprint": "f", "representation": "masked", "run_id": "r", "night": None,
    "started_at": datetime(2024, 6, 1), "settings_fingerprint": "s", "judged": None, "alerts": None, "checks": None,
}  # fmt: skip


@pytest.mark.parametrize("changed", [{"rule_version": "1-ab"}, {"outcomes": 1}, {}])
def test_this_release_is_named_only_where_its_code_made_the_rows(changed: dict[str, Any]):
    text, bibtex = cite(lambda statement: [RUN | changed] if statement == STATEMENTS["cited_run"] else [])
    other = f"Quotelake (another release than {quotelake.__version__})"
    assert [other in said for said in (text, bibtex)] == [bool(changed)] * 2
    assert [f"Quotelake {quotelake.__version__}" in said for said in (text, bibtex)] == [not changed] * 2
    assert "left the lake with no source." in text


@example(HOSTILE)
@given(st.text(st.sampled_from('\\{}$&#_%~^"@\n\x1b a') | st.characters(), max_size=12))
def test_in_tex_every_text_is_shown_as_it_is_and_its_braces_pair(text: str):
    written = as_tex(text)
    assert unbalanced(written) == 0
    names = {"textbackslash": "\\", "textbraceleft": "{", "textbraceright": "}", "textasciitilde": "~"}
    names["textasciicircum"] = "^"
    acting = re.sub(r"\\(?:(?:text\w+)\{\}|[$&#_%])", "", written)
    assert not set(acting) & set("\\{}$&#_%~^\n\x1b"), acting
    back = re.sub(r"\\(?:(text\w+)\{\}|([$&#_%]))", lambda found: names[found[1]] if found[1] else found[2], written)
    assert back == cell_text(text)
