"""Figures of headlines written on a made-up article, counted by hand, and mistakes in the files."""

import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.reader.stand_in import Reply, answer, reader_settings, stand_in
from tests.running import Done

from quotelab.labels.readings import Readings
from quotelab.protocols import headlines_written
from quotelab.protocols.headlines_written import evaluate
from quotelab.report import Report
from quotelake.errors import InputError

LABELS = Path(__file__).parents[1] / "labels" / "headlines_written.jsonl"
SAID = "“It is a lie that we will strike on Monday,” said Tom Bell. “We will not pay for it,” he added."
ARTICLES = [{"ID": 7, "title": "Bell sails", "text": SAID}, {"id": "other", "title": "Nothing", "text": "It rained."}]
NOTED = "“We will not pay for it, but the town will,” said Tom Bell."
ARTICLES.append({"id": "noted", "title": "Bell pays", "text": NOTED})

CUT = {"id": 7, "headline": "Bell: “We will strike on Monday”", "label": "M", "second": "M", "kind": "condition_lost"}
INVENTED = {**CUT, "headline": "Bell: “Gulls are wicked creatures all of them”", "kind": "invented"}
UNMARKED = {**INVENTED, "headline": "Bell calls gulls wicked"}
FAIR = {**CUT, "headline": "Bell: “We will not pay for it”", "label": "F", "second": "F", "kind": "verbatim"}
#: Labelled fair, although it is flagged.
BLAMED = {**CUT, "label": "F", "second": "F", "kind": "clipped_harmless"}
ROWS = [CUT, INVENTED, UNMARKED, FAIR, BLAMED, {**FAIR, "second": "D"}, {**CUT, "second": "F"}]


@pytest.fixture
def judged(jsonl) -> Callable[..., Report]:
    corpus = jsonl(*ARTICLES, name="corpus.jsonl")
    return lambda *rows, part=None: evaluate([str(jsonl(*rows))], [str(corpus)], part)


def test_figures_are_those_counted_by_hand(judged):
    figures = judged(*ROWS).figures
    assert figures == pytest.approx({
        "n_misleading": 3, "n_fair": 2, "disagreed": 2,
        "found_with_notes": 2 / 3, "accused_with_notes": 1 / 2,
        "found": 2 / 3, "found_low": 0.2077, "found_high": 0.9385,
        "accused": 1 / 2, "accused_low": 0.0945, "accused_high": 0.9055,
        "found_by_alert": 1 / 3, "found_by_alert_low": 0.0615, "found_by_alert_high": 0.7923,
        "accused_by_alert": 1 / 2, "accused_by_alert_low": 0.0945, "accused_by_alert_high": 0.9055,
        "found_condition_lost": 1, "found_condition_lost_n": 1, "found_invented": 1 / 2, "found_invented_n": 2,
        "accused_clipped_harmless": 1, "accused_clipped_harmless_n": 1,
    }, abs=1e-4)  # fmt: skip


def test_a_row_of_the_report_says_why_a_headline_is_flagged(judged):
    rows = judged(*ROWS).rows
    assert [tuple(row[name] for name in ("kind", "label", "outcome", "alert", "check")) for row in rows] == [
        ("condition_lost", "M", "excerpt", "reported", None),
        ("invented", "M", "absent", None, "absent"),
        ("invented", "M", None, None, None),
        ("verbatim", "F", "identical", None, None),
        ("clipped_harmless", "F", "excerpt", "reported", None),
    ]
    assert rows[0]["id"] == "7" and rows[0]["headline"] == CUT["headline"] and rows[0]["reason"]


def test_one_flagged_quote_of_several_flags_the_headline_and_a_note_is_no_alert(judged):
    both = {**CUT, "headline": "Bell: “We will not pay for it”, “gulls are wicked creatures all of them”"}
    found = judged(both)
    assert found.figures["found"] == 1 and found.rows[0]["outcome"] == "absent"
    figures = judged({**FAIR, "id": "noted", "headline": "Bell: “We will not pay for it”"}).figures
    assert (figures["accused"], figures["accused_with_notes"]) == (0, 1)


def test_a_part_is_judged_alone(judged):
    rows = [{**CUT, "set": "dev"}, {**FAIR, "set": "dev"}, {**INVENTED, "set": "own", "id": "nowhere"}]
    figures = judged(*rows, part="dev").figures
    assert (figures["n_misleading"], figures["n_fair"], figures["found"], figures["accused"]) == (1, 1, 1, 0)
    with pytest.raises(InputError, match=r"--part test: .* the sets of these files are: \(none\), dev, own"):
        judged(*rows, FAIR, part="test")


def test_an_article_is_english_unless_it_states_a_language_and_the_first_corpus_counts(jsonl, monkeypatch):
    given: list[tuple[str, str]] = []
    note = lambda headline, body, *, language, settings: given.append((body, language)) or []  # noqa: E731
    monkeypatch.setattr(headlines_written, "check_article", note)
    first = jsonl({"id": "a", "title": "", "text": "A", "language": "ko"}, *ARTICLES, name="first.jsonl")
    second = jsonl({"id": "a", "title": "", "text": "B", "language": "de"}, name="second.jsonl")
    evaluate([str(jsonl(CUT, {**CUT, "id": "a"}))], [str(first), str(second)])
    assert given == [(SAID, "en"), ("A", "ko")]


def test_shares_of_nothing_are_undefined(judged):
    figures = judged({**CUT, "second": "D"}).figures
    assert figures["disagreed"] == 1 and math.isnan(figures["found"]) and math.isnan(figures["accused"])


def test_a_mistake_in_a_row_names_file_and_line(judged):
    faults = {"id": ("gone", "id gone: found no such article"), "kind": ("spliced_n", "field kind.* nor end in _n")}
    for field, (value, message) in {**faults, "label": ("D", "field label"), "second": ("X", "field second")}.items():
        with pytest.raises(InputError, match=f"line 1: {message}"):
            judged({**CUT, field: value})


def test_the_command_reads_corpora_and_a_part(lab: Callable[..., Done], jsonl):
    files = ["--data", jsonl({**CUT, "set": "dev"}), "--texts", jsonl(*ARTICLES, name="corpus.jsonl")]
    done = lab("evaluate headlines_written", *files, "--part", "dev")
    assert done.code == 0 and done.out.startswith("headlines_written\n"), done.error


def test_the_label_file_holds_headlines_and_labels_alone():
    fields = {"id", "headline", "kind", "label", "second", "set"}
    sets = [row.pop("set") for row in map(json.loads, LABELS.read_text("utf-8").splitlines()) if set(row) == fields]
    assert {name: sets.count(name) for name in sets} == {"dev": 288, "own": 125, "dev_more": 400, "last": 68}


def test_recorded_readings_are_held_to_the_article_and_missing_ones_are_asked_for_once(jsonl, tmp_path: Path):
    data, texts = [str(jsonl(*ROWS[:5]))], [str(jsonl(*ARTICLES, name="corpus.jsonl"))]
    recorded = [
        {
            "id": 7,
            "headline": INVENTED["headline"],
            "second": "M",
            "said": "It is a lie that we will strike",
            "reason": "Denied.",
        },
        {
            "id": 7,
            "headline": FAIR["headline"],
            "second": "M",
            "said": "We shall not pay for anything",
            "reason": "No.",
        },
    ]
    figures = evaluate(data, texts, None, Readings(jsonl(*recorded, name="readings.jsonl"), None)).figures
    assert (figures["quotes_read"], figures["quotes_discarded"], figures["quotes_not_read"]) == (1, 1, 1)
    assert (figures["found_by_alert"], figures["accused"]) == (2 / 3, 1 / 2), "what was made up accuses nobody"

    path = tmp_path / "new.jsonl"
    reply = Reply(answer("misleading", "We will not pay for it"))
    with stand_in(reply) as server:
        settings = reader_settings(server.url)
        first = evaluate(data, texts, None, Readings(path, settings))
        again = evaluate(data, texts, None, Readings(path, settings))
        assert len(server.requests) == first.figures["quotes_read"] == 3
    alone = evaluate(data, texts, None, Readings(path, None))
    measured = ("tokens_in", "tokens_out")
    for repeated in (again, alone):
        assert {**repeated.figures, **dict.fromkeys(measured)} == {**first.figures, **dict.fromkeys(measured)}
    assert [row["readings"][0]["words"] for row in alone.rows if row["readings"]] == [("We will not pay for it",)] * 4
    with pytest.raises(InputError, match="found no such file"):
        evaluate(data, texts, None, Readings(tmp_path / "none", None))


def test_written_headlines_with_the_readings_of_a_large_model(data: Callable[[str], Path]):
    written = data("news/headlines_written_2.jsonl.gz")
    figures = evaluate([str(written)], [], None, Readings(written, None)).figures
    assert figures["found_by_alert"] >= 0.95 and figures["accused"] <= 0.02 and figures["quotes_discarded"] == 0
