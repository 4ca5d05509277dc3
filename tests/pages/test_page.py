"""The alert page as text: it needs nothing but itself, and shows what it must, the new alerts first."""

import csv
import io
import re
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.pages.pages import ALTERED, BASE, CHECK, REVIEW, RISKY, RUNS, USE, Reading, report

from quotelake.answers.alerts import Alert
from quotelake.answers.explanations import Addition, Explanation
from quotelake.errors import InputError
from quotelake.files.outputs import original_text
from quotelake.pages.page import BAR, COLUMNS, alerts_csv, render, safe_link, view_of, view_of_use, write_page
from quotelake.text.words import visible

COVERAGE = report()["coverage"][0]


def seen(*alerts: Alert, **changed: Any) -> Reading:
    """What a reader sees of the page of some alerts."""
    return Reading(render(report(*alerts) | changed))


def test_the_page_needs_nothing_else_and_links_only_where_it_may():
    text = render(report(BASE, dict(BASE, url="javascript:alert(1)"), dict(BASE, url=None)))
    page = Reading(text)
    assert [one["href"] for one in page.all("a")] == ["#new", "alerts.csv", BASE["url"], "#"]
    assert not {"link", "img", "iframe", "object", "embed", "base"} & {name for name, _ in page.elements}
    assert not [name for name, one in page.elements if "src" in one or "style" in one]
    [policy] = [one["content"] for one in page.all("meta") if one.get("http-equiv") == "Content-Security-Policy"]
    assert policy is not None and "default-src 'none'" in policy and "unsafe" not in policy
    assert not re.search(r"url\(|@import|fetch\(|XMLHttpRequest|innerHTML", text)


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)", "JAVASCRIPT:alert(1)", "java\nscript:alert(1)", " https://a.example", "//a.example/x",
        "data:text/html,x", "https://", "http://[::1", "https://a.example/\u202egpj", "ftp://a.example", "", None,
    ],
)  # fmt: skip
def test_other_addresses_are_no_links(url: str | None):
    assert safe_link(url) is None


@pytest.mark.parametrize(
    ("alerts", "changed", "said"),
    [
        ([RISKY], {}, "No alert in articles that came in after"),
        ([BASE], {"runs": RUNS[:1]}, "first run on this lake: all its alerts are new"),
        ([BASE], {"n_alerts": {"altered": 40}}, "shows 1 of 40 alerts"),
        ([BASE], {"outlets": [dict(USE, n_flagged=140)]}, "The latest 1 of 140 uses"),
        ([], {}, "No headline quote has an alert."),
        ([], {"coverage": [], "outcomes": [], "rejects": [], "runs": []}, "No file was read yet."),
        ([], {"outcomes": []}, "no headline quote was found yet"),
        ([dict(BASE, kind="risky_excerpt", severity=None, differences=[])], {}, "risky excerpt"),  # an earlier release
        ([BASE], {"coverage": [COVERAGE | {"n_unread_dates": 0}]}, "0 records with a date that could not be read"),
        ([BASE], {"coverage": [COVERAGE | {"n_filtered": 12}]}, "Records that the settings"),
    ],
)
def test_what_a_lake_has_not_or_has_too_much_of_is_said(alerts: list[Alert], changed: dict[str, Any], said: str):
    assert said in seen(*alerts, **changed).text and said not in seen(BASE, RISKY).text


def test_a_night_shows_so_many_alerts_one_per_story_and_the_others_are_a_click_away():
    page = seen(*[dict(BASE, quote_id=f"{place:032}", of_story=1 + (place == 1)) for place in range(5)], per_night=2)
    assert sum(one.get("class") == "rest" for one in page.all("details")) == 1
    assert "3 more: of lower priority" in page.text and len(page.all("article")) == 5, "all are on the page"


def test_checks_are_a_closed_list_below_the_alerts_and_say_that_they_are_facts_of_texts():
    text = render(report(BASE, dict(CHECK, is_new=False), CHECK | {"quote_id": "8" * 32}))
    [folded] = re.findall(r'(?s)<details class="rest">.*?</details>\s*</section>', text)
    assert "says nothing of" in text and "2 listed, 1 of them new" in folded and "<details open" not in text
    ids = [[one["id"] for one in Reading(part).all("article")] for part in (text, folded)]
    assert ids == [[f"alert-{each * 32}" for each in of] for of in ("087", "87")], "alerts first, then the new ones"
    assert "No headline quote has an alert." in seen(CHECK).text and "Words that are not" not in seen(BASE).text


def test_a_quote_with_an_alert_shows_its_check_and_is_counted_among_them_but_not_listed_again():
    both = dict(BASE, alert="negation", kind="negation", to_check="spliced")
    page = seen(both, n_checks={"spliced": 1})
    assert "negation\nspliced sentences" in page.text and len(page.all("article")) == 1
    assert "0 of 1 are listed here; those that have an alert stand above" in page.text


def test_near_misses_are_counted_with_the_statement_that_lists_them():
    text = seen(BASE).text
    assert "3 modified: SELECT * FROM headline_quotes WHERE outcome = 'modified' AND alert IS NULL" in text
    assert "3 notes: SELECT * FROM headline_notes" in text and "Near misses" not in seen(BASE, near_misses=[]).text


def test_what_changed_is_marked_on_both_sides_and_no_reason_stands_without_its_passage():
    far = ALTERED | {"said": "tilled the land", "own": "enemy"}
    view = view_of(dict(BASE, differences=[ALTERED, far], elsewhere=["Who tilled the land? They did."]))
    assert ("are the enemy", "risky") in view["headline_quote"]
    assert ("feed this city", "risky") in dict(view["body"])["quote"]
    assert view["elsewhere"] == [[("Who ", ""), ("tilled the land", "risky"), ("? They did.", "")]]
    assert "Who tilled the land? They did." in seen(dict(BASE, elsewhere=["Who tilled the land? They did."])).text


def test_why_a_score_is_folded():
    assert re.search(
        r'<details class="why"><summary>Why this score</summary>\s*<table class="bars">', render(report(BASE))
    )
    assert "Why this score" not in render(report(RISKY))


def test_without_the_script_everything_is_shown_but_what_needs_it_and_only_labelled_fields_are_operated():
    text = render(report(BASE, dict(RISKY, reviews=[REVIEW])))
    page = Reading(text)
    hidden = [one.get("class") or one.get("id") for _, one in page.elements if "hidden" in one]
    assert hidden == ["filters", "verdicts", "none"]
    for found in re.finditer(r"<(input|select)\b", text):  # reached by keyboard, named by a screen reader
        assert text.rfind("<label", 0, found.start()) > text.rfind("</label", 0, found.start())
    assert "tabindex" not in text and "onclick" not in text
    assert all(one["aria-labelledby"] in text for one in page.all("article"))


@pytest.mark.parametrize("adds", [(1.0, -0.5, 0.001), (0.2, -0.1), (4.0, -8.0)])
def test_bars_begin_at_the_middle_stay_in_the_drawing_and_are_in_proportion(adds: tuple[float, ...]):
    additions = tuple(Addition("clauses", "clauses", "1", one) for one in adds)
    for one, at, width in view_of(dict(BASE, explanation=Explanation(additions)))["bars"]:
        assert 0 <= at <= at + width <= 2 * BAR
        assert (at if one.adds > 0 else at + width) == BAR
        assert width == pytest.approx(BAR * abs(one.adds) / max(1.0, *map(abs, adds)), abs=0.5)


def test_a_body_quote_is_shown_between_words_where_the_view_cut_it():
    passage = "nd so on “We won” he said and went on an"
    cut = dict(BASE, best_body_quote="We won", passage=passage, passage_start=500, best_start=510, best_end=516)
    assert "… so on “We won” he said and went on …" in seen(cut).text


def test_a_long_headline_is_cut_around_its_quote_and_a_long_quote_behind_its_beginning():
    far = dict(BASE, headline="z" * 9000 + BASE["headline"], headline_start=9008, headline_end=9029)
    headline = view_of(far)["headline"]
    assert sum(len(text) for text, _ in headline) < 700
    assert ("Farmers are the enemy", "quote") in headline and headline[0][0] == "… "
    said = view_of(dict(BASE, headline_quote="z " * 9000))["headline_quote"]
    assert sum(len(text) for text, _ in said) < 4100 and said[-1][0] == " … (cut)"


def test_no_clock_time_is_shown_of_a_date_that_may_be_a_day_alone():
    text = render(report(dict(BASE, published_at=datetime(2024, 3, 1))))
    assert '<time data-cell="published_at" datetime="2024-03-01">2024-03-01<' in text


def test_what_a_model_says_is_shown_as_what_it_says_with_the_words_of_the_body_and_nothing_of_it_is_run():
    read = {"reader": "<b>m</b>", "reading_verdict": "misleading", "reading_kind": "half"}
    read |= {"reading_sentence": "<script>alert(1)</script>", "reading_words": ["But <i>not</i> now."]}
    page = render(report(dict(BASE, **read)))
    assert "&lt;b&gt;m&lt;/b&gt;</bdi> read this article and says" in page
    assert "it misleads: half of it: “<bdi>&lt;script&gt;alert(1)&lt;/script&gt;</bdi>”" in page
    assert "But &lt;i&gt;not&lt;/i&gt; now.</blockquote>" in page
    assert "read this article and says" not in render(report(BASE)), "without a reader nothing is said of one"


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
    assert beside == tmp_path / "Monday #1.csv" and beside.read_text("utf-8").startswith("\ufefftier,")
    assert "Monday%20%231.csv" in {one["href"] for one in Reading((tmp_path / "Monday #1.html").read_text()).all("a")}


def test_words_outside_quotes_are_shown_in_their_sentence_and_are_no_body_quote():
    outside = dict(
        BASE, differences=[], best_body_quote=None, best_start=None, best_end=None, body_start=11, body_end=32
    )
    text = render(report(dict(outside, passage="It rained. Farmers are the pride. It snowed.", passage_start=0)))
    found = '<span class="found">Farmers are the</span>'
    assert f"<mark>{found} pride</mark>." in text and f'{found} <ins class="missing">enemy</ins>' in text
    assert "It rained" not in text and 'data-cell="best_body_quote"' not in text.partition("<script>")[0]


def test_a_use_far_in_its_article_is_marked_at_its_place_between_whole_words():
    before, after = "lf a word " * 16, " and more of it" * 20
    said = view_of_use(dict(USE, start=5000, passage=f"{before}The dam will hold{after[:155]}. Cut"))["use_passage"]
    assert [name for _, name in said] == ["", "quote", ""] and said[1][0] == "The dam will hold"
    assert said[0][0].startswith("… a word lf") and said[2][0].endswith(". …")


def test_hostile_texts_of_uses_stay_texts():
    evil = "<script>alert(1)</script>"
    names = ("outlet", "speaker", "reference_outlet", "reference_speaker", "passage", "reference_passage")
    text = render(report(BASE) | {"outlets": [USE | dict.fromkeys(names, evil) | {"url": "javascript:alert(1)"}]})
    assert evil not in text and 'href="javascript' not in text
    assert text.count("&lt;script&gt;") >= len(names)


def rows_of(*alerts: Alert) -> list[dict[str, str]]:
    text = alerts_csv(alerts)
    assert text.startswith("\ufeff"), "the mark tells spreadsheets that the file is UTF-8"
    return list(csv.DictReader(io.StringIO(text[1:], newline="")))


def test_rows_stand_in_the_order_of_the_page_with_what_it_says():
    first, second = rows_of(BASE, dict(RISKY, reviews=[REVIEW, replace(REVIEW, label="false")]))
    assert tuple(first) == COLUMNS
    assert (first["is_new"], first["score"], first["reviews"]) == ("yes", "0.87", "")
    assert (second["is_new"], second["score"], second["reviews"]) == ("no", "", "right (ann); wrong (ann)")
    [check] = rows_of(CHECK)
    assert [(row["tier"], row["alert"], row["to_check"]) for row in (first, second, check)] == [
        ("alert", "altered", ""), ("alert", "condition", ""), ("check", "", "altered"),
    ]  # fmt: skip
    assert check["body_words"] == "feed this city", "words of the difference that the row is listed for"
    assert (first["body_words"], first["headline_words"]) == ("feed this city", "are the enemy")
    assert first["notes"] == "a restriction is left out (“here” in the body)" and second["notes"] == ""
    assert first["passage"] == "… spoke. “Farmers feed this city,” said Ana Reyes. It rained."


@given(st.text(max_size=40) | st.sampled_from(["=1+1", "-1", "@a", "\t=", "\ud800"]))
def test_whatever_stands_in_an_article_is_shown_and_not_run(text: str):
    names = ("headline", "headline_quote", "outlet", "url", "best_body_quote")
    [row] = rows_of(BASE | dict.fromkeys(names, text))
    for name in names:
        assert not row[name].startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
        assert original_text(row[name]) == original_text(visible(text))
