"""Notebooks run from top to bottom, read nothing but the views of a lake, and are kept without outputs."""

import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import binomtest

from quotelab.pictures import Picture
from quotelake.lake.contracts import table_names
from quotelake.query.catalog import view_names

HOME = Path(__file__).parents[1] / "notebooks"
#: Those that read a lake; the others read the sample corpus and a page of the documents.
OF_LAKES = ["how_a_phrase_travels", "outlet_record", "read_the_lake", "topics_of_a_quote"]
Run = Callable[..., dict[str, Any]]
NAMES = sorted([*OF_LAKES, "label_train_compare", "papers_tables", "train_on_your_own_pairs"])


def code_cells(name: str) -> list[dict[str, Any]]:
    book = json.loads((HOME / f"{name}.ipynb").read_text("utf-8"))
    cells = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    assert cells, f"{name} has no code"
    return cells


@pytest.fixture(autouse=True)
def pictures(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Pictures are drawn without a screen, each with title, axes and data; files are written into the test's folder.

    Each is shown once: pyplot does not have it any more, and the image says what it shows.
    """
    monkeypatch.setenv("MPLBACKEND", "Agg")
    shown: list[Any] = []
    monkeypatch.setattr("quotelab.pictures.close", lambda figure: shown.append(figure))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield
    if "matplotlib" not in sys.modules:
        return
    from matplotlib import pyplot

    assert sorted(figure.number for figure in shown) == pyplot.get_fignums(), "each picture is shown once"
    for number in pyplot.get_fignums():
        panels = pyplot.figure(number).axes
        for said in ("title", "xlabel", "ylabel"):
            assert any(getattr(panel, f"get_{said}")() for panel in panels), f"picture {number} has no {said}"
        assert all(panel.has_data() for panel in panels)
        assert _fits(pyplot.figure(number)), f"in picture {number} labels of an axis lie on one another"
    pyplot.close("all")


def _fits(figure: Any) -> bool:
    """Whether no two labels of an axis lie on one another; turned ones do not."""
    figure.canvas.draw()
    for axis in (axis for panel in figure.axes for axis in (panel.xaxis, panel.yaxis)):
        boxes = [
            label.get_window_extent() for label in axis.get_ticklabels() if label.get_text() and label.get_visible()
        ]
        seen = [box for box in boxes if figure.bbox.overlaps(box)]
        turned = any(label.get_rotation() for label in axis.get_ticklabels())
        if not turned and any(one.overlaps(other) for one, other in pairwise(seen)):
            return False
    return True


def test_a_picture_is_closed_for_pyplot_and_says_what_it_shows(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.undo()
    from matplotlib import pyplot

    pyplot.switch_backend("Agg")
    figure, axes = pyplot.subplots(figsize=(1, 1))
    axes.plot([1, 2])
    image = Picture(figure, 'Two of "<b>"')._repr_html_()
    assert not pyplot.get_fignums() and image.startswith('<img alt="Two of &quot;&lt;b&gt;&quot;" src="data:image/png')


@pytest.fixture(name="run")
def running(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run the first code cells in this process, as a kernel started in a folder would; return what they named."""

    def run_cells(
        name: str, lake: str | None = None, folder: Path = tmp_path, cells: int | None = None
    ) -> dict[str, Any]:
        monkeypatch.chdir(folder)
        monkeypatch.delenv("QUOTELAKE_LAKE", raising=False)
        if lake:
            monkeypatch.setenv("QUOTELAKE_LAKE", lake)
        names: dict[str, Any] = {"__name__": "__main__"}
        for cell in code_cells(name)[:cells]:
            exec(compile("".join(cell["source"]), f"{name}:{cell['id']}", "exec"), names)
        return names

    return run_cells


def test_outputs_are_stripped_only_views_are_read_and_no_notebook_is_forgotten():
    assert sorted(path.stem for path in HOME.glob("*.ipynb")) == NAMES, "give a new notebook a test of what it shows"
    opened = {"".join(cell["source"]) for name in OF_LAKES for cell in code_cells(name) if cell["id"] == "open"}
    assert len(opened) == 1, "a lake is found in the same way by all"
    for name in NAMES:
        cells = code_cells(name)
        assert not [cell["id"] for cell in cells if cell["outputs"] or cell["execution_count"]]
        code = "\n".join("".join(cell["source"]) for cell in cells)
        read = set(re.findall(r"\b(?:FROM|JOIN)\s+(\w+)", code))
        assert bool(read) == (name in OF_LAKES) and read <= set(view_names()) - set(table_names())
        assert not re.search(r"spark\.(read|table)\b|lake\.read|\bdelta\b", code)


@pytest.mark.spark
def test_read_the_lake_shows_the_sample_corpus_that_lies_beside_its_folder(sample_lake: str, run: Run, tmp_path: Path):
    (tmp_path / "notebooks").mkdir()
    named = Path(run("read_the_lake", sample_lake, cells=1)["root"]).resolve()
    (tmp_path / "lake").symlink_to(sample_lake)
    of_checkout = Path(run("read_the_lake", cells=1)["root"]).resolve()
    shown = run("read_the_lake", folder=tmp_path / "notebooks")
    assert {named, of_checkout, Path(shown["root"]).resolve()} == {Path(sample_lake).resolve()}
    coverage, alerts, outcomes = shown["coverage"], shown["alerts"], shown["outcomes"]
    assert set(coverage["source"]) == {"sample_news", "sample_tweets"}
    kept = coverage["n_documents"] + coverage["n_duplicates"] + coverage["n_rejects"]
    assert (kept == coverage["n_records"]).all()
    assert "negation" in set(alerts["alert"]) and len(shown["notes"])
    assert set(shown["checks"]["to_check"]) >= {"absent", "altered"}
    assert 0 < outcomes["n"].sum() <= coverage["n_headline_quotes"].sum(), "a quote inside another has no outcome"
    assert shown["outlets"]["n_eligible"].is_monotonic_decreasing
    assert list(shown["ranking"]["position"]) == sorted(shown["ranking"]["position"])
    assert len(shown["uses"]) >= shown["ranking"]["n_distinct_contexts"].iloc[0]


@pytest.mark.spark
def test_an_outlets_months_add_up_to_what_the_view_counts_and_intervals_are_wilsons(sample_lake: str, run: Run):
    shown = run("outlet_record", sample_lake)
    rates, months = shown["rates"], shown["months"]
    assert rates["rate"].isna().all(), "under 30 quotes there is no rate"
    assert shown["outlet"] == rates["outlet"][rates["n_alerts"].idxmax()] == rates["outlet"][0]
    assert (months["eligible"].sum(), months["alerts"].sum()) == (rates["n_eligible"][0], rates["n_alerts"][0])
    for row in months.itertuples():
        expected = binomtest(row.alerts, row.eligible).proportion_ci(method="wilson")
        assert (row.low, row.high) == pytest.approx(tuple(expected), abs=1e-4)
    [lines] = [len(panel.collections) for panel in shown["figure"].axes]
    assert lines == len(rates), "each outlet has its interval"
    assert len(shown["alerts"]) >= rates["n_alerts"][0]


@pytest.mark.spark
def test_the_uses_that_are_drawn_are_those_whose_spread_is_told(sample_lake: str, run: Run):
    shown = run("how_a_phrase_travels", sample_lake)
    first, uses = shown["spread"].iloc[0], shown["uses"]
    begun = uses[uses["kind"] == "news"].groupby("outlet")["published_at"].min().sort_values()
    assert (len(begun), begun.iloc[0]) == (first["outlets"], first["first_at"])
    later = [(begun.iloc[place] - begun.iloc[0]).total_seconds() / 3600 for place in (1, 2)]
    assert later == pytest.approx([first["hours_to_2"], first["hours_to_3"]])
    [ticks] = [[label.get_text() for label in panel.get_yticklabels()] for panel in shown["travel"].axes]
    assert [name for name in ticks if name != "tweets"] == list(begun.index), "in the order of their first use"
    assert set(shown["changed"]["outlet"]) == set(begun.index)


@pytest.mark.spark
def test_the_topics_of_the_most_varied_quote_are_drawn_with_all_their_pairs(sample_lake: str, run: Run):
    shown = run("topics_of_a_quote", sample_lake)
    clusters, pairs, [shift] = shown["clusters"], shown["pairs"], shown["shift"].to_dict("records")
    assert shown["quote"] == "rome wasn't built in a day" == shown["ranking"]["quote"][0]
    assert len(clusters) > 1 and clusters["n_contexts"].sum() <= clusters["n_sampled"][0]
    assert shown["months"]["uses"].sum() == shift["n_dated"]
    assert not shift["has_shifted"] and "without a clear shift" in shown["course"].axes[0].get_title()
    drawn = sum(bar.get_height() for bar in shown["cosines"].axes[0].patches)
    assert drawn == len(pairs) == 50 and set(pairs["label"]) <= {"different", "unclear", "same"}
    assert [bar.get_width() for bar in shown["sizes"].axes[0].patches] == list(clusters["n_contexts"])[::-1]
