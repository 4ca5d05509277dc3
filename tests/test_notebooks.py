"""Notebooks run from top to bottom on a lake, read nothing but the views, and are kept without outputs."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from quotelake.lake.contracts import table_names
from quotelake.query.catalog import view_names

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


def code_cells(path: Path) -> list[dict[str, Any]]:
    cells = [cell for cell in json.loads(path.read_text("utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert cells, f"{path.name} has no code"
    return cells


def run(
    path: Path, monkeypatch: pytest.MonkeyPatch, folder: Path, lake: str | None = None, cells: int | None = None
) -> dict[str, Any]:
    """Run the first code cells in this process, as a kernel started in a folder would; return what they named."""
    monkeypatch.chdir(folder)
    monkeypatch.delenv("QUOTELAKE_LAKE", raising=False)
    if lake:
        monkeypatch.setenv("QUOTELAKE_LAKE", lake)
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in code_cells(path)[:cells]:
        exec(compile("".join(cell["source"]), f"{path.name}:{cell['id']}", "exec"), names)
    return names


def test_outputs_are_stripped_only_views_are_read_and_no_notebook_is_forgotten():
    assert [path.name for path in NOTEBOOKS] == ["read_the_lake.ipynb"], "give a new notebook a test of what it shows"
    cells = code_cells(NOTEBOOKS[0])
    assert not [cell["id"] for cell in cells if cell["outputs"] or cell["execution_count"]]
    code = "\n".join("".join(cell["source"]) for cell in cells)
    read = set(re.findall(r"\b(?:FROM|JOIN)\s+(\w+)", code))
    assert read and read <= set(view_names()) - set(table_names())
    assert not re.search(r"spark\.(read|table)\b|lake\.read|\bdelta\b", code)


@pytest.mark.spark
def test_read_the_lake_shows_the_sample_corpus_that_lies_beside_its_folder(
    sample_lake: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "lake").symlink_to(sample_lake)
    shown = run(NOTEBOOKS[0], monkeypatch, tmp_path / "notebooks")
    assert Path(shown["root"]).resolve() == Path(sample_lake).resolve()
    coverage, alerts, outcomes = shown["coverage"], shown["alerts"], shown["outcomes"]
    assert set(coverage["source"]) == {"sample_news", "sample_tweets"}
    kept = coverage["n_documents"] + coverage["n_duplicates"] + coverage["n_rejects"]
    assert (kept == coverage["n_records"]).all()
    assert set(alerts["alert"]) >= {"negation", "condition", "absent"} and len(shown["notes"])
    assert 0 < outcomes["n"].sum() <= coverage["n_headline_quotes"].sum(), "a quote inside another has no outcome"
    assert shown["outlets"]["n_eligible"].is_monotonic_decreasing
    assert list(shown["ranking"]["position"]) == sorted(shown["ranking"]["position"])
    assert len(shown["uses"]) >= shown["ranking"]["n_distinct_contexts"].iloc[0]


@pytest.mark.spark
@pytest.mark.parametrize("named", [True, False])
def test_the_lake_is_the_one_that_is_named_or_the_one_of_the_checkout(
    sample_lake: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, named: bool
):
    if not named:
        (tmp_path / "lake").symlink_to(sample_lake)
    shown = run(NOTEBOOKS[0], monkeypatch, tmp_path, sample_lake if named else None, cells=1)
    assert Path(shown["root"]).resolve() == Path(sample_lake).resolve()
