"""Labels of headline quotes: drawn, read by people, merged, and figures from them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.running import Done

from quotelab.labels.headlines import HeadlineLabels, Label
from quotelab.labels.label import as_line, draw, merge
from quotelab.protocols.headlines import evaluate
from quotelake.errors import InputError
from quotelake.files.jsonl import json_lines
from quotelake.settings import load_settings

SETTINGS = load_settings()
LABELS = Path(__file__).parents[1] / "labels" / "headline_outcomes.jsonl"
SAID = "“The bridge is safe and open to all,” said Ana Ruiz. “We will not pay for it,” she added."


def corpus(folder: Path, copies: int = 20) -> Path:
    """Articles whose headline quotes are identical, an excerpt, a risky one, and said by nobody."""
    quotes = (
        "The bridge is safe and open to all",
        "open to all who ever lived",
        "The bridge is safe",
        "pay for it",
        "We hate all farmers",
    )
    rows = [
        {"id": f"{copy}-{place}", "title": f"Ruiz: “{quote}”", "text": SAID}
        for copy in range(copies)
        for place, quote in enumerate(quotes)
    ]
    path = folder / "made_up.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def labelled(path: Path, per_stratum: int = 5) -> list[HeadlineLabels]:
    sample = [drawn.labels for drawn in draw([str(path)], per_stratum, SETTINGS)]
    right = {"identical": Label.CARRIED, "excerpt": Label.CARRIED, "risky_excerpt": Label.DISTORTED}
    return [
        row.model_copy(update={"labels": (label, label), "label": label})
        for row in sample
        for label in [right.get(row.stratum, Label.ABSENT)]
    ]


def written(rows: list[HeadlineLabels], folder: Path) -> str:
    path = folder / "labels.jsonl"
    path.write_text("".join(as_line(row) + "\n" for row in rows), "utf-8")
    return str(path)


def test_what_strings_settle_is_sampled_and_all_else_is_taken(tmp_path: Path):
    sample = draw([str(corpus(tmp_path))], 5, SETTINGS)
    rows = [one.labels for one in sample]
    drawn = {row.stratum: ([each.stratum for each in rows].count(row.stratum), row.inclusion) for row in rows}
    assert drawn["identical"] == (5, 0.25) and drawn["excerpt"] == (5, 0.25) and drawn["risky_excerpt"] == (5, 0.25)
    assert drawn["detector"] == (40, 1.0)
    assert [one.labels for one in draw([str(corpus(tmp_path))], 5, SETTINGS)] == [one.labels for one in sample]
    assert {one.labels.part for one in sample} == {"dev", "test"}


def test_no_text_enters_a_label_file(tmp_path: Path):
    for drawn in draw([str(corpus(tmp_path))], 5, SETTINGS):
        assert "bridge" not in as_line(drawn.labels) and "Ruiz" not in as_line(drawn.labels)


def test_weights_make_the_sample_speak_for_the_corpus(tmp_path: Path):
    path = corpus(tmp_path)
    figures = evaluate([written(labelled(path), tmp_path)], [str(path)], SETTINGS).figures
    assert figures["risky_excerpt"] == pytest.approx(20)
    assert figures["risky_excerpt_precision"] == 1 and figures["risky_excerpt_precision_low"] < 0.7
    assert figures["recall_of"] == pytest.approx(20 + 40)
    assert figures["alpha"] == 1


def test_a_wrong_label_is_a_false_alarm_and_named(tmp_path: Path):
    path = corpus(tmp_path)
    rows = labelled(path)
    wrong = [row.model_copy(update={"label": Label.CARRIED}) if row.stratum == "risky_excerpt" else row for row in rows]
    figures = evaluate([written(wrong, tmp_path)], [str(path)], SETTINGS).figures
    assert figures["risky_excerpt_precision"] == 0 and figures["risky_excerpt_but_carried"] == 5


def test_an_article_that_changed_since_is_refused(tmp_path: Path):
    path = corpus(tmp_path)
    labels = written(labelled(path), tmp_path)
    path.write_text(path.read_text("utf-8").replace("she added", "she went on"), "utf-8")
    with pytest.raises(InputError, match="another one than was read"):
        evaluate([labels], [str(path)], SETTINGS)


def test_disputed_items_need_a_final_label(tmp_path: Path):
    rows = [drawn.labels for drawn in draw([str(corpus(tmp_path, 1))], 5, SETTINGS)]
    one = dict.fromkeys(range(1, len(rows) + 1), "carried")
    other = one | {2: "absent"}
    with pytest.raises(InputError, match="item 2"):
        merge(rows, [one, other], {})
    merged = merge(rows, [one, other], {2: ("distorted", "the other way round")})
    assert merged[1].labels == ("carried", "absent") and merged[1].label == "distorted"
    with pytest.raises(InputError, match="item 3"):
        merge(rows, [one, {item: label for item, label in one.items() if item != 3}], {})


def test_the_job_draws_reads_back_and_names_what_is_disputed(lab: Callable[..., Done], tmp_path: Path):
    def run(*arguments: object) -> Done:
        return lab("label", *arguments)

    labels, reading = tmp_path / "labels.jsonl", tmp_path / "reading.txt"
    path = corpus(tmp_path, 1)
    assert run("draw", "--texts", path, "--labels", labels, "--reading", reading).code == 0
    n = sum(1 for _ in json_lines(labels))
    assert reading.read_text("utf-8").count("=== item") == n and "⟦" in reading.read_text("utf-8")
    (tmp_path / "a.csv").write_text("item,label\n" + "".join(f"{i},carried\n" for i in range(1, n + 1)), "utf-8")
    (tmp_path / "b.csv").write_text("item,label\n" + "".join(f"{i},absent\n" for i in range(1, n + 1)), "utf-8")
    refused = run("merge", "--labels", labels, "--pass", tmp_path / "a.csv", "--pass", tmp_path / "b.csv")
    assert refused.code == 2 and "item 1" in refused.error
    agreed = run("merge", "--labels", labels, "--pass", tmp_path / "a.csv", "--pass", tmp_path / "a.csv")
    assert agreed.code == 0 and f"{n} of {n} items agreed" in agreed.out
    again = run("draw", "--texts", path, "--labels", labels, "--reading", reading)
    assert again.code == 2 and "may hold labels" in again.error, "a draw never overwrites the work of readers"
    (tmp_path / "c.csv").write_text("item,label\n1,nonsense\n", "utf-8")
    wrong = run("merge", "--labels", labels, "--pass", tmp_path / "c.csv")
    assert wrong.code == 2 and "c.csv, line 2: found label 'nonsense'" in wrong.error
    labels.write_text("", "utf-8")
    assert run("merge", "--labels", labels, "--pass", tmp_path / "a.csv").code == 2, "no label was lost unsaid"


def test_our_labels_fit_their_form():
    rows = [HeadlineLabels.model_validate(value) for _, value in json_lines(LABELS)]
    assert len({(row.source, row.id, row.quote) for row in rows}) == len(rows) == 514
    for row in rows:
        assert len(row.labels) == 2 and row.label is not None and row.reason
        assert row.label in row.labels, "adjudication chooses between the two"
