"""Labels of headline quotes: drawn, read by people, merged, and figures from them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.running import Done

from quotelab.labels.headlines import HeadlineLabels, Label
from quotelab.labels.label import as_line, draw, merge
from quotelab.protocols.headlines import evaluate
from quotelake.errors import InputError
from quotelake.files.jsonl import json_lines

LABELS = Path(__file__).parents[1] / "labels" / "headline_outcomes.jsonl"
SAID = "“The bridge is safe and open to all,” said Ana Ruiz. “We will not pay for it,” she added."


@pytest.fixture
def corpus(jsonl) -> Callable[[int], Path]:
    """Articles whose headline quotes are identical, an excerpt, a risky one, and said by nobody."""
    quotes = ("The bridge is safe and open to all", "open to all who ever lived", "The bridge is safe", "pay for it")
    quotes += ("We hate all farmers",)

    def made(copies: int) -> Path:
        named = [(f"{copy}-{n}", quote) for copy in range(copies) for n, quote in enumerate(quotes)]
        rows = ({"id": name, "title": f"Ruiz: “{quote}”", "text": SAID} for name, quote in named)
        return jsonl(*rows, name="made_up.jsonl")

    return made


@pytest.fixture
def evaluated(corpus, jsonl) -> Callable[..., dict[str, float]]:
    """Figures of labels that are as the strata promise, but for what is stated; ``edit`` changes the corpus after."""

    def run(edit: tuple[str, str] = ("", ""), **stated: Label) -> dict[str, float]:
        path = corpus(20)
        right = {"identical": Label.CARRIED, "excerpt": Label.CARRIED, "risky_excerpt": Label.DISTORTED, **stated}
        rows = []
        for one in draw([str(path)], 5):
            label = right.get(one.labels.stratum, Label.ABSENT)
            rows.append(as_line(one.labels.model_copy(update={"labels": (label, label), "label": label})))
        path.write_text(path.read_text("utf-8").replace(*edit), "utf-8")
        return evaluate([str(jsonl(*rows))], [str(path)]).figures

    return run


def test_what_strings_settle_is_sampled_and_all_else_is_taken_without_any_text(corpus):
    sample = draw([str(corpus(20))], 5)
    rows = [one.labels for one in sample]
    drawn = {row.stratum: ([each.stratum for each in rows].count(row.stratum), row.inclusion) for row in rows}
    assert drawn == {**dict.fromkeys(("identical", "excerpt", "risky_excerpt"), (5, 0.25)), "detector": (40, 1.0)}
    assert [one.labels for one in draw([str(corpus(20))], 5)] == rows
    assert {row.part for row in rows} == {"dev", "test"}
    assert not any(word in as_line(row) for row in rows for word in ("bridge", "Ruiz"))


def test_weights_make_the_sample_speak_for_the_corpus(evaluated):
    figures = evaluated()
    assert figures["negation"] == pytest.approx(20)
    assert figures["negation_precision"] == 1 and figures["negation_precision_low"] < 0.7
    assert figures["recall_of"] == pytest.approx(20 + 40)
    assert figures["alpha"] == 1


def test_a_wrong_label_is_a_false_alarm_and_an_article_that_changed_since_is_refused(evaluated):
    figures = evaluated(risky_excerpt=Label.CARRIED)
    assert figures["negation_precision"] == 0 and figures["negation_but_carried"] == 5
    with pytest.raises(InputError, match="another one than was read"):
        evaluated(("she added", "she went on"))


def test_disputed_items_need_a_final_label(corpus):
    rows = [drawn.labels for drawn in draw([str(corpus(1))], 5)]
    one = dict.fromkeys(range(1, len(rows) + 1), "carried")
    other = one | {2: "absent"}
    with pytest.raises(InputError, match="item 2"):
        merge(rows, [one, other], {})
    merged = merge(rows, [one, other], {2: ("distorted", "the other way round")})
    assert merged[1].labels == ("carried", "absent") and merged[1].label == "distorted"
    with pytest.raises(InputError, match="item 3"):
        merge(rows, [one, {item: label for item, label in one.items() if item != 3}], {})


def test_the_job_draws_reads_back_and_names_what_is_disputed(lab: Callable[..., Done], corpus, jsonl, tmp_path: Path):
    labels, reading = tmp_path / "labels.jsonl", tmp_path / "reading.txt"
    draws = ("--texts", corpus(1), "--labels", labels, "--reading", reading)
    assert lab("label draw", *draws).code == 0
    n = sum(1 for _ in json_lines(labels))
    assert reading.read_text("utf-8").count("=== item") == n and "⟦" in reading.read_text("utf-8")
    again = lab("label draw", *draws)
    assert again.code == 2 and "may hold labels" in again.error, "a draw never overwrites the work of readers"
    for name, label, items in (("a", "carried", n), ("b", "absent", n), ("c", "nonsense", 1)):
        jsonl("item,label", *(f"{item},{label}" for item in range(1, items + 1)), name=f"{name}.csv")

    def merged(*names: str) -> Done:
        passes = [each for name in names for each in ("--pass", tmp_path / f"{name}.csv")]
        return lab("label merge", "--labels", labels, *passes)

    assert "item 1" in merged("a", "b").error
    agreed = merged("a", "a")
    assert agreed.code == 0 and f"{n} of {n} items agreed" in agreed.out
    wrong = merged("c")
    assert wrong.code == 2 and "c.csv, line 2: found label 'nonsense'" in wrong.error
    labels.write_text("", "utf-8")
    assert merged("a").code == 2, "no label was lost unsaid"


def test_our_labels_fit_their_form():
    rows = [HeadlineLabels.model_validate(value) for _, value in json_lines(LABELS)]
    assert len({(row.source, row.id, row.quote) for row in rows}) == len(rows) == 514
    for row in rows:
        assert len(row.labels) == 2 and row.label is not None and row.reason
        assert row.label in row.labels, "adjudication chooses between the two"
