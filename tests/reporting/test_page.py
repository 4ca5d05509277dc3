"""The alert page as text: it needs nothing but itself, and shows what it must, the new alerts first."""

import csv
import html
import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reporting.pages import BASE, NIGHTS, REVIEW, RISKY, RUNS, Reading, report

from quotelake.errors import InputError
from quotelake.files.outputs import original_text
from quotelake.reporting.additions import NOT_AT_HAND, Explanation
from quotelake.reporting.marking import visible
from quotelake.reporting.page import COLUMNS, alerts_csv, render, write_page


def test_the_page_needs_nothing_else_and_links_only_where_it_may():
    text = render(report(BASE, dict(BASE, url="javascript:alert(1)"), dict(BASE, url=None)))
    seen = Reading(text)
    assert [one["href"] for one in seen.all("a")] == ["#new", "alerts.csv", BASE["url"], "#"]
    assert not {"link", "img", "iframe", "object", "embed", "base"} & {name for name, _ in seen.elements}
    assert not [name for name, one in seen.elements if "src" in one or "style" in one]
    [policy] = [one["content"] for one in seen.all("meta") if one.get("http-equiv") == "Content-Security-Policy"]
    assert policy is not None and "default-src 'none'" in policy and "unsafe" not in policy
    assert not re.search(r"url\(|@import|fetch\(|XMLHttpRequest|innerHTML", text)


def test_the_filter_and_the_cards_call_an_alert_the_same():
    text = render(report(BASE, RISKY))
    [choices] = re.findall(r'<select id="alert">(.*?)</select>', text)
    offered = re.findall(r"<option[^>]*>(.*?)</option>", choices)
    on_cards = re.findall(r'<span class="class [^"]*" data-cell="class">(.*?)</span>', text)
    assert offered == ["all", *sorted(set(on_cards))] == ["all", "contextomized", "risky excerpt"]


def test_new_alerts_come_first_and_the_run_they_are_counted_from_is_named():
    seen = Reading(render(report(RISKY, BASE))).text
    new, earlier = seen.index("New since the last run"), seen.index("Earlier alerts")
    assert new < seen.index("Farmers are the enemy") < earlier < seen.index("We will strike")
    assert f"1 in articles that came in after the run of {NIGHTS[0]:%Y-%m-%d %H:%M} UTC" in seen
    assert "No alert in articles that came in after" in Reading(render(report(RISKY))).text
    first = dict(report(BASE), runs=RUNS[:1])
    assert "first run on this lake: all its alerts are new" in Reading(render(first)).text


def test_without_the_script_everything_is_shown_but_what_needs_it():
    seen = Reading(render(report(BASE, dict(RISKY, reviews=(REVIEW,)))))
    hidden = [one.get("class") or one.get("id") for _, one in seen.elements if "hidden" in one]
    assert hidden == ["filters", "verdicts", "none"]


def test_every_field_has_a_label_and_only_fields_are_operated():
    """Native, labelled fields are reached by keyboard and named by a screen reader."""
    text = render(report(BASE, RISKY))
    for found in re.finditer(r"<(input|select)\b", text):
        assert text.rfind("<label", 0, found.start()) > text.rfind("</label", 0, found.start()), text[found.start() :][
            :60
        ]
    assert "tabindex" not in text and "onclick" not in text
    assert all(one["aria-labelledby"] in text for one in Reading(text).all("article"))


def test_a_reviewed_alert_says_by_whom_and_is_folded():
    seen = Reading(render(report(BASE, dict(RISKY, reviews=(REVIEW,)))))
    assert "Reviewed: right by ann, 2024-05-01: see page 2" in seen.text
    [folded] = [one for one in seen.all("details") if one.get("class") == "evidence"]
    assert "open" not in folded
    assert [one["data-review"] for one in seen.all("article")] == ["no", "yes"]


def test_a_score_is_explained_by_bars_with_numbers_or_by_a_line():
    text = render(report(BASE, dict(BASE, explanation=Explanation((), NOT_AT_HAND)), RISKY))
    assert text.count("Why this score") == 2, "an alert without a score has no such line"
    assert text.count('class="bars"') == 1 and NOT_AT_HAND in text
    seen = Reading(text)
    assert "wording in the same order" in seen.text and "+1.00" in seen.text
    assert [one["aria-hidden"] for one in seen.all("svg")] == ["true"], "the numbers say what the drawing shows"


def test_what_is_missing_and_what_is_left_out_is_marked():
    text = render(report(BASE, RISKY))
    assert '<span class="found">Farmers</span> <ins class="missing">are the enemy</ins>' in text
    assert '<del class="risky">If</del><del class="omitted"> talks fail</del>' in text
    assert "<mark>Farmers are the enemy</mark>" in text


def test_an_alert_without_a_body_quote_says_so():
    bare = dict(BASE, best_body_quote=None, best_start=None, best_end=None, passage=None, passage_start=None)
    seen = Reading(render(report(bare))).text
    assert "No quote of the body has any of it." in seen and "speaker: Mayor" in seen


def test_empty_pages_can_be_read():
    none = Reading(render(report())).text
    assert "No alert: every headline quote is carried by its article" in none and "1,200" in none
    empty = dict(report(), coverage=[], outcomes=[], rejects=[], runs=[])
    assert "No file was read yet." in Reading(render(empty)).text
    assert "no headline quote was found yet" in Reading(render(empty)).text


def test_coverage_and_rejects_stand_on_top():
    text = html.unescape(render(report(BASE)))
    assert text.index("missing text") < text.index("<article")
    assert re.search(r"<b>1,200</b> documents", text)
    assert re.search(r"<b>30</b> records rejected: 30 missing text", text)


def test_dates_that_could_not_be_read_stand_beside_the_rejects_in_all_and_by_source():
    text = html.unescape(render(report(BASE)))
    told = text.index("<b>1,011</b> records with a date that could not be read")
    assert text.index("records rejected") < told < text.index("<article")
    table = text[text.index("<caption>Records with a date") : text.index("<article")]
    assert re.search(r"wire.*1,007.*blogs.*4\D", table, re.DOTALL)
    none = render(dict(report(BASE), unread_dates=[]))
    assert "<b>0</b> records with a date" in none and "<caption>Records with a date" not in none


def test_alerts_that_are_not_shown_are_counted():
    assert "shows 1 of 40 alerts" in render(dict(report(BASE), n_alerts={"contextomized": 40}))


def test_a_card_costs_few_bytes():
    one, many = (render(report(*[BASE] * n)) for n in (1, 11))
    assert (len(many) - len(one)) / 10 < 4000


@pytest.mark.parametrize("name", ["alerts.csv", "alerts.CSV", ""])
def test_the_page_and_the_file_beside_it_never_have_one_name(tmp_path: Path, name: str):
    with pytest.raises(InputError, match=r"name it FILE\.html"):
        write_page(report(BASE), tmp_path / name if name else Path())
    assert not list(tmp_path.iterdir())


def test_the_page_links_to_the_file_that_is_written_beside_it(tmp_path: Path):
    beside = write_page(report(BASE), tmp_path / "Monday #1.html")
    assert beside == tmp_path / "Monday #1.csv" and beside.read_text("utf-8").startswith("\ufeffalert,")
    assert "Monday%20%231.csv" in {one["href"] for one in Reading((tmp_path / "Monday #1.html").read_text()).all("a")}


def test_a_night_shows_so_many_alerts_one_per_story_and_the_others_are_a_click_away():
    shown = [dict(BASE, quote_id=f"{place:032}", of_story=1 + (place == 1)) for place in range(5)]
    seen = Reading(render(dict(report(*shown), per_night=2)))
    assert sum(one.get("class") == "rest" for one in seen.all("details")) == 1
    assert "3 more: of lower priority" in seen.text
    assert len(seen.all("article")) == 5, "all are on the page"


def test_what_stands_nowhere_is_a_list_apart():
    row = {
        "outlet": "<b>Post</b>", "published_at": None, "headline": "Bell: “No”", "headline_quote": "No",
        "headline_speaker": "Bell", "url": "javascript:alert(1)", "language": "en", "n": 7,
    }  # fmt: skip
    seen = Reading(render(dict(report(BASE), absent=[row])))
    assert "7 headline quotes" in seen.text and "<b>Post</b>" in seen.text
    assert len(seen.all("article")) == 1 and not [a for a in seen.all("a") if "javascript" in str(a)]


def rows_of(text: str) -> list[dict[str, str]]:
    assert text.startswith("\ufeff"), "the mark tells spreadsheets that the file is UTF-8"
    return list(csv.DictReader(io.StringIO(text[1:], newline="")))


def test_rows_stand_in_the_order_of_the_page_with_what_it_says():
    first, second = rows_of(alerts_csv([BASE, dict(RISKY, reviews=(REVIEW, replace(REVIEW, label="false")))]))
    assert tuple(first) == COLUMNS
    assert (first["is_new"], first["score"], first["reviews"]) == ("yes", "0.87", "")
    assert (second["is_new"], second["score"], second["reviews"]) == ("no", "", "right (ann); wrong (ann)")
    assert first["passage"] == "… spoke. “Farmers feed this city,” said Ana Reyes. It rained."


@given(st.text(max_size=40) | st.sampled_from(["=1+1", "-1", "@a", "\t=", "\ud800"]))
def test_whatever_stands_in_an_article_is_shown_and_not_run(text: str):
    hostile = dict(BASE, headline=text, headline_quote=text, outlet=text, url=text, best_body_quote=text)
    [row] = rows_of(alerts_csv([hostile]))
    for name in ("headline", "headline_quote", "outlet", "url", "best_body_quote"):
        assert not row[name].startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
        assert original_text(row[name]) == original_text(visible(text))
