"""The page of the papers' tables: what was computed is shown beside what was published, and what was not is named."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.quotelab.protocols.trotr.made_up import encode, without_noise
from tests.running import Done

from quotelab.papers import tables
from quotelab.papers.making import Section, as_html, as_markdown, panels
from quotelab.papers.tables import Table, Written
from quotelab.protocols import quotecse
from quotelab.protocols.trotr import evaluate

#: Of each table as short a report as there can be.
STR = {
    "figures": {"pairs": 90, "dice": 0.5, "encoder": 0.7, "best": 0.8, "best_sd": 0.01},
    "rows": [{"kind": "source", "source": "STS", "dice": 0.4, "encoder": 0.6, "best": None}],
}
BWS = {"figures": {"split_half": 0.9, "split_half_sd": 0.01, "repetitions": 1000}, "rows": []}
MEASURED = {f"{name}{end}": 0.8125 for name in ("f1", "auc_hard", "auc", "brier") for end in ("", "_se")}
QUOTECSE = {
    "figures": {},
    "rows": [
        {"detector": "transfer", **MEASURED},
        {"detector": "QuoteCSE", "published": True, "f1": quotecse.PUBLISHED["QuoteCSE"][0], "auc_hard": 0.768},
    ],
}


@pytest.fixture
def report(folder: Path, tmp_path: Path) -> Written:
    """The report of the made-up pairs, read back from JSON."""
    evaluate(folder, encode, without_noise).write(tmp_path / "report.json")
    written: Written = json.loads((tmp_path / "report.json").read_text("utf-8"))
    return written


def test_every_row_has_a_cell_for_each_column(report: Written):
    for table in (*tables.trotr(report), *tables.relatedness(STR), *tables.scaling(BWS), *tables.quotecse(QUOTECSE)):
        assert table.rows or "fold by fold" in table.title, table.title  # nobody published the made-up pairs
        assert {len(row) for row in table.rows} <= {len(table.columns)}, table.title


def test_our_figures_stand_beside_the_published_ones(report: Written):
    pairs = tables.trotr(report)[0]
    ours = next(row for row in pairs.rows if row[0] == tables.SETTINGS["mask"])
    assert ours[1] == "1" and ours[4].startswith(f"{report['figures']['tric_spearman_mask']:.3f}".lstrip("0"))
    assert ("published: best +FT", "10", ".72", ".61", ".68", ".54") in pairs.rows
    assert tables.quotecse(QUOTECSE)[0].rows[1][:2] == ("published: QuoteCSE", ".770")


def test_what_was_skipped_says_why_and_names_are_escaped():
    sections = [
        Section("A paper", "a command", [Table("T", ("a|b",), [("<i>",)])]),
        Section("B", "c", skipped="no file"),
    ]
    markdown, html = as_markdown(sections), as_html(sections, [])
    assert "Not computed: no file." in markdown and "Not computed: no file." in html
    assert "a\\|b" in markdown and "&lt;i&gt;" in html and "<svg" not in html


def test_the_plot_has_a_dot_for_each_text_and_estimate_and_none_of_the_words(report: Written):
    html = as_html([], panels(report["rows"]))
    assert html.count("<circle") == 3 * 6 and "quote a" not in html


def test_the_job_writes_a_page_of_what_is_there(lab: Callable[..., Done], tmp_path: Path):
    data, out = tmp_path / "data", tmp_path / "out"
    data.mkdir()
    done = lab("papers", "--data", data, "--out", out, "--work", tmp_path / "work")
    assert done.code == 0, done.error
    for page in (out / "PAPERS.md", tmp_path / "work" / "papers.html"):
        assert page.read_text("utf-8").count("Not computed") == 5
    done = lab("papers", "--data", tmp_path / "nowhere")
    assert done.code == 2 and "found no such folder" in done.error


@pytest.mark.parametrize("kept", ["{", '{"protocol": "bws"}'])
def test_a_kept_report_of_something_else_is_named(lab: Callable[..., Done], tmp_path: Path, kept: str):
    (tmp_path / "data" / "trotr").mkdir(parents=True)
    (tmp_path / "trotr.json").write_text(kept, "utf-8")
    done = lab("papers", "--data", tmp_path / "data", "--out", tmp_path / "out", "--work", tmp_path)
    assert done.code == 2 and "trotr.json: found no report of trotr" in done.error
