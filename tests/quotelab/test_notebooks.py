"""Notebooks on what the bench trains and measures run from top to bottom, and show what its pages state."""

import re

import pytest
from tests.test_notebooks import HOME, Run, pictures, running  # noqa: F401  # two are fixtures

from quotelake.contextomy.detector import load
from quotelake.sample import truth


def test_labels_become_a_detector_that_is_judged_by_what_it_did_not_see(run: Run, capsys: pytest.CaptureFixture[str]):
    shown = run("label_train_compare")
    planted = truth("headlines_news")
    assert len(shown["labelled"]) == len(shown["checked"]) == len(planted)
    assert sum(row["label"] in ("distorted", "absent") for row in shown["labelled"]) >= shown["truths"].sum() > 10
    own, moved, figures = load(shown["work"] / "own.json"), load(shown["work"] / "moved.json"), shown["figures"]
    assert own.training.n == len(shown["rows"]) and moved.training == load().training
    # What the command states of rows held out is what the notebook shows, not the scores of rows learned from.
    assert figures.loc["re-trained", ["auc", "brier"]].tolist() == pytest.approx(
        [own.figures["auc"], own.figures["brier"]], abs=1e-5
    )
    assert (figures["low"] < figures["auc"]).all() and (figures["auc"] < figures["high"]).all()
    assert "$ quotelab label draw" in capsys.readouterr().out


@pytest.mark.slow
def test_pairs_become_a_model_that_is_held_against_the_one_before(run: Run):
    shown = run("train_on_your_own_pairs")
    table, card = shown["table"], shown["card"]
    assert len(table) == card["data"]["pairs"] == len(shown["judged"].pairs) >= 20
    assert card["figures"]["held_out_spearman"] is not None
    changed = (table["before"] - table["after"]).abs()
    assert (changed.max() > 1e-4) == (card["figures"]["epoch"] > 0), "epoch 0 is the model as it was"


def test_the_papers_figures_are_drawn_as_the_page_states_them(run: Run):
    shown = run("papers_tables", folder=HOME)
    page = (HOME.parent / "docs" / "PAPERS.md").read_text("utf-8")
    for drawn, found in ((shown["by_f1"], shown["f1"]), (shown["by_rank"], shown["spearman"])):
        widths = [round(bar.get_width(), 3) for bar in drawn.axes[0].patches]
        assert widths == list(found["value"]) and len(widths) >= 10
    [stated] = re.findall(r"^\| transfer \| (\.\d+) ± (\.\d+) \|", page, re.MULTILINE)
    [row] = shown["f1"][shown["f1"]["name"] == "transfer"].to_dict("records")
    assert (row["value"], row["spread"]) == (float(stated[0]), float(stated[1]))
    assert shown["f1"]["name"].str.startswith("published").sum() == page.partition("## TRoTR")[0].count("| published:")
