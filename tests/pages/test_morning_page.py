"""The morning page as text: it says what is new, runs and loads nothing of an article, and its files are ours alone."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from tests.pages.pages import BASE, GROUP, MONTHS, WATCH, Reading, morning, report

from quotelake.answers.words import load_words
from quotelake.pages.morning_page import FOLDER, PAGE, render_morning, render_quote, write_morning
from quotelake.pages.pictures import OUTCOMES, clusters_picture, outcomes_picture, ranking_picture, rates_picture

HOSTILE = "\"><script>run()</script>'<img src=x onerror=run()> $x^{2}$ {{ 7 * 7 }} \u202e\ud800 https://a.example/1"


def test_a_run_that_brought_nothing_says_so():
    new, trends = morning()
    nothing = {name: [] if isinstance(value, list) else value for name, value in new.items()}
    page = render_morning(report(), nothing, {**{name: [] for name in trends}, "quotes": {}})
    for said in ("No headline of this run", "No watched text", "No outlet took up", "Nobody was quoted", "no new file"):
        assert said in page
    assert "<svg" not in page and "Too little" not in page


def test_hostile_texts_stay_texts_and_only_links_of_ours_or_to_http_are_links():
    hostile = dict(BASE, headline=HOSTILE, headline_quote=HOSTILE, headline_start=0, headline_end=5, url=HOSTILE)
    new, trends = morning(HOSTILE, HOSTILE)
    pages = [render_morning(report(hostile), new, trends), *(render_quote(*one) for one in trends["quotes"].items())]
    for text in pages:
        page = Reading(text)
        text.encode()
        assert len(page.all("script")) == 1 and not page.all("img")
        assert not [
            name for name, one in page.elements if {"style", "src"} & set(one) or any(k.startswith("on") for k in one)
        ]
        links = {one["href"] for one in page.all("a")}
        ours = {"alerts.html", f"{FOLDER}/{GROUP}.html", f"{FOLDER}/{WATCH}.html", f"../{PAGE}"}
        assert {link for link in links if link and not link.startswith("#")} <= ours
        [policy] = [one["content"] for one in page.all("meta") if one.get("http-equiv")]
        assert policy is not None and policy.startswith("default-src 'none'") and "unsafe" not in policy


def test_pages_of_quotes_are_replaced_whole_and_named_by_ids_alone(tmp_path: Path):
    new, trends = morning()
    stray = {"../x": trends["quotes"][GROUP], "0/../../y": trends["quotes"][GROUP]}
    write_morning(report(BASE), new, {**trends, "quotes": {**trends["quotes"], **stray}}, tmp_path / "lake")
    files = sorted(str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*") if file.is_file())
    assert files == [f"lake/{PAGE}", f"lake/{FOLDER}/{GROUP}.html", f"lake/{FOLDER}/{WATCH}.html"]
    write_morning(report(), new, {**trends, "quotes": {WATCH: trends["quotes"][WATCH]}}, tmp_path / "lake")
    assert [file.name for file in (tmp_path / "lake" / FOLDER).iterdir()] == [f"{WATCH}.html"]
    write_morning(report(), new, {**trends, "quotes": {}}, tmp_path / "lake")
    assert [file.name for file in (tmp_path / "lake").rglob("*.html")] == [PAGE]


def test_a_picture_is_small_says_what_it_shows_and_has_no_text_of_an_article():
    trends = morning(HOSTILE, HOSTILE)[1]
    clusters = trends["quotes"][GROUP]["clusters"]
    made, again = (
        [rates_picture(trends["rates"]), outcomes_picture(trends["outcomes"]), ranking_picture(trends["ranking"]),
         clusters_picture("q", clusters)] for _ in range(2)
    )  # fmt: skip
    assert made == again
    for picture in made:
        assert picture is not None
        root = ET.fromstring(picture)
        assert len(picture) < 30_000
        assert [one.tag for one in root][:2] == ["title", "desc"] and all(one.text for one in list(root)[:2])
        assert root.get("aria-labelledby") == " ".join(one.get("id", "") for one in list(root)[:2])
        assert not [one for one in root.iter() if one.get("style")], "the page's policy would refuse it"
        colours = {value for one in root.iter() for key, value in one.items() if key in ("fill", "stroke")}
        assert colours <= {"none"}, "classes give the colours, which differ in the dark"
        words = " ".join(one.text or "" for one in root.iter("text"))
        assert not re.search(r"[<>${}\u202e]|run|a\.example", words)
        assert not [one for one in root.iter() if {"href", "clip-path"} & {*one.keys()}]


def test_a_picture_shows_every_month_and_each_outcome_once():
    found = outcomes_picture([{"month": month, "outcome": "absent", "quotes": 1} for month in (MONTHS[0], MONTHS[5])])
    assert found is not None and "2023-01 to 2023-06" in found and "nowhere in the article: 2" in found
    every = [outcome for its in OUTCOMES.values() for outcome in its]
    assert len(every) == len(set(every)) == 13, "the outcomes of the contract"
    assert rates_picture([]) is outcomes_picture([]) is ranking_picture([]) is clusters_picture("q", []) is None


@pytest.mark.parametrize("language", ["de", "en", "ko"])
def test_words_of_a_picture_are_texts_in_its_language_that_do_not_overlap(language: str):
    phrases, trends = load_words(language), morning()[1]
    for made in (outcomes_picture(trends["outcomes"], phrases), rates_picture(trends["rates"], phrases)):
        assert made is not None
        texts = [one for one in ET.fromstring(made).iter("text") if one.get("text-anchor") == "start"]
        legend = {(float(one.get("x", "")), float(one.get("y", ""))): one.text or "" for one in texts}
        labels = ("carried", "otherwise", "nowhere", "not_compared") if len(legend) == 4 else ("with_alert", "nowhere")
        assert sorted(legend.values()) == sorted(phrases.text(f"picture.{label}") for label in labels)
        for (x, y), text in legend.items():
            width = sum(11 if letter > "\u1100" else 5.5 for letter in text)  # a letter as high as 10 units
            assert all(x + width < other - 20 for other, row in legend if row == y and other > x), (
                "a sign stands between"
            )
    ranked = ranking_picture(trends["ranking"], phrases)
    ticks = [one.text or "" for one in ET.fromstring(ranked or "").iter("text")]
    assert ("0,45" if language == "de" else "0.45") in ticks
