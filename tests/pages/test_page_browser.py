"""The alert page in a real browser: hostile text is never run, filters show what they say, verdicts come back."""

import csv
import io
import unicodedata
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.pages.pages import BASE, KOREAN, REVIEW, RISKY, RUNS, Reading, browse, browser, report, use

from quotelake.answers.alerts import Alert
from quotelake.answers.explanations import Addition, Explanation
from quotelake.answers.reviews import COLUMNS, IDS, from_csv
from quotelake.files.outputs import write_atomically
from quotelake.pages.page import render

pytestmark = pytest.mark.process

HOSTILE = [
    "<script>document.title='run'</script>",
    '"><img src=x onerror="document.title=\'run\'">',
    "'><svg onload=document.title='run'>",
    "</title></style></textarea></template><script>document.title='run'</script>",
    "{{ 7 * 7 }} {% raw %} ${7*7}",
    "a\u202eb\u2066c\u2029d",
    "nul \x00 bell \x07 escape \x1b[31m surrogate \ud800",
    "<!-- --!> ]]> &lt;script&gt; &amp;amp;",
    "x" * 10_000,
]


def hostile(text: str, number: int) -> Alert:
    """An alert in which every text of an article or a reviewer is ``text``."""
    return dict(
        BASE, quote_id=f"{number:032x}", headline=f"A: “{text}”", headline_quote=text, headline_start=4,
        headline_end=4 + len(text), headline_speaker=text, best_body_quote=text, best_start=1, best_end=1 + len(text),
        passage=f"“{text}” B.", passage_start=0, best_body_speaker=text, second_body_quote=text,
        second_body_speaker=text, outlet=text, url=text, language=text, genre=text, wire_credit=text, reason=text,
        reviews=[replace(REVIEW, reviewer=text, note=text)],
        explanation=Explanation((Addition("clauses", text, text, 1.0),), None),
    )  # fmt: skip


@browser
def test_hostile_text_is_shown_and_never_run(tmp_path: Path):
    page = tmp_path / "alerts.html"
    write_atomically(page, render(report(*(hostile(text, number) for number, text in enumerate(HOSTILE)))))
    document = browse(page)
    seen = Reading(document)
    assert len(seen.all("article")) == len(HOSTILE)
    assert len(seen.all("script")) == 1 and not seen.all("img")
    assert len(seen.all("svg")) == len(HOSTILE), "one bar each, and no svg of an article"
    assert [one["href"] for one in seen.all("a")] == ["#new", "alerts.csv", "#"]
    assert len(seen.all("title")) == 1
    assert "<title>Headline alerts</title>" in document, "a script of an article ran"
    for text in HOSTILE[:5]:
        assert text in seen.text
    for shown in ("a[U+202E]b[U+2066]c[U+2029]d", "nul [U+0000] bell [U+0007] escape [U+001B][31m surrogate [U+D800]"):
        assert shown in seen.text
    assert "&lt;script&gt; &amp;amp;" in seen.text
    assert not any(name.startswith("on") for _, attributes in seen.elements for name in attributes)


@browser
def test_only_the_page_s_own_script_may_run(tmp_path: Path):
    """Even where escaping failed, the policy names the script by its hash: another one does nothing."""
    text = render(report(BASE))
    broken = tmp_path / "broken.html"
    broken.write_text(text.replace("<main>", "<main><script>document.title='run'</script>"), "utf-8")
    seen = browse(broken)
    assert "<title>Headline alerts</title>" in seen
    assert "1 of 1 shown" in seen, "our own script must still run"


UNDATED = dict(BASE, quote_id="2" * 32, published_at=None, headline="Été: “Farmers are the enemy”", is_new=False)
#: End of the page's address, and the alerts shown there: 0 new, 1 and 2 earlier, 1 reviewed, 2 undated.
FILTERS = {
    "": "012",
    "#alert=condition": "1",
    "#outlet=Harbour%20Post": "02",
    "#outlet=Weekly+%26+Sons&alert=condition": "1",
    "#alert=condition&outlet=Harbour%20Post": "",
    "#alert=%3Cscript%3E": "",
    "#review=yes": "1",
    "#review=no": "02",
    "#from=2024-03-01": "01",
    "#to=2024-04-01": "0",
    "#from=2024-04-02&to=2024-04-02": "1",
    "#q=STRIKE+union": "1",
    "#q=ete": "2",
    "#q=body+says": "",
    "#q=farmers&from=2024-01-01": "0",
}
#: Opens the page at each address, then types and chooses on one page.
STEPS = """
  const at = {};
  for (const fragment of %r) {
    const page = await open_at(fragment);
    at[fragment] = [shown(page), text(page, "count"), page.document.getElementById("none").hidden,
      [...page.document.querySelectorAll("section.alerts")].map((one) => !one.hidden)];
  }
  const page = await open_at("");
  const at_id = (id) => page.document.getElementById(id);
  const typed = [];
  for (const [id, value] of [["q", "strike"], ["alert", "altered"], ["q", ""], ["to", "2024-03-31"]]) {
    await enter(page, at_id(id), value);
    typed.push([page.location.hash, shown(page)]);
  }
  at_id("all").click();
  await pause();
  typed.push([at_id("to").value, shown(page)]);
  const folded = page.document.querySelector("details.evidence");
  const before = folded.open;
  folded.querySelector("summary").click();
  return { at, typed, folded: [before, folded.open], history: page.history.length };
"""


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What became of the page at each address, and of one page that was used."""
    content = report(BASE, dict(RISKY, reviews=(REVIEW,)), UNDATED)
    found = use(tmp_path_factory.mktemp("used"), content, STEPS % list(FILTERS))
    assert isinstance(found, dict), found
    return found


@browser
@pytest.mark.parametrize("fragment", FILTERS)
def test_filters_follow_the_address(used: dict[str, Any], fragment: str):
    shown, count, nothing_is_hidden, sections = used["at"][fragment]
    expected = FILTERS[fragment]
    assert shown == expected and count == f"{len(expected)} of 3 shown"
    assert nothing_is_hidden == bool(expected)
    assert sections == ["0" in expected, bool(set(expected) & {"1", "2"})], "a section with nothing in it is hidden"


@browser
def test_typing_and_choosing_filters_the_page_and_can_be_undone(used: dict[str, Any]):
    assert used["typed"] == [
        ["#q=strike", "1"],
        ["#alert=altered&q=strike", ""],
        ["#alert=altered", "02"],
        ["#alert=altered&to=2024-03-31", "0"],
        ["", "012"],
    ]


@browser
def test_a_reviewed_alert_is_folded_and_can_be_opened(used: dict[str, Any]):
    assert used["folded"] == [False, True]


NOTES = ["=1+1", "-", "'tis so", 'a "b"; c, d\té 한', "@x"]
ALERTS = [dict(BASE, quote_id=f"{number}" * 32) for number in range(len(NOTES))]
#: Judges every alert, saves, opens the page anew, takes one verdict back, saves, clears.
VERDICT_STEPS = """
  let saved = null;
  const open_page = async () => {
    const page = await open_at("");
    page.URL.createObjectURL = (blob) => ((saved = blob.text()), "#");
    page.HTMLAnchorElement.prototype.click = () => {};
    page.confirm = () => true;
    return page;
  };
  const state = (page) => [...page.document.querySelectorAll("article")].map((card) => [
    card.querySelector("[type=radio]:checked").value, card.querySelector("[type=text]").value]);
  let page = await open_page();
  const first = [text(page, "kept"), page.document.getElementById("save").disabled];
  const notes = %r;
  for (const [i, note] of notes.entries()) {
    const card = page.document.querySelectorAll("article")[i];
    await enter(page, card.querySelectorAll("[type=radio]")[i %% 4]);
    await enter(page, card.querySelector("[type=text]"), note);
  }
  page.document.getElementById("save").click();
  const file = await saved;
  const kept = text(page, "kept");
  page = await open_page();
  const again = state(page);
  const other = await open_at("?");
  await enter(page, page.document.querySelector("article").querySelectorAll("[type=radio]")[4]);
  other.dispatchEvent(new other.StorageEvent("storage")); // as a browser does in every other tab
  const taken_back = [text(page, "kept"), text(other, "kept")];
  page.document.getElementById("clear").click();
  const cleared = [text(page, "kept"), state(page), Object.keys(page.localStorage)];
  return { first, file, kept, again, taken_back, cleared };
"""


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    found = use(tmp_path_factory.mktemp("verdicts"), report(*ALERTS), VERDICT_STEPS % NOTES)
    assert isinstance(found, dict), found
    return found


LABELS = ["true", "false", "extraction_error", "bad_body", "true"]


@browser
def test_the_saved_file_is_read_as_the_verdicts_that_were_given(verdicts: dict[str, Any]):
    text = verdicts["file"].removeprefix("\ufeff")
    reviews = from_csv(text, "verdicts.csv", "ann", datetime(2024, 6, 1, tzinfo=UTC))
    found = {review.quote_id: (review.label, review.note) for review in reviews}
    given = zip(LABELS, NOTES, strict=True)
    assert found == {alert["quote_id"]: pair for alert, pair in zip(ALERTS, given, strict=True)}
    assert {tuple(getattr(one, name) for name in IDS[1:]) for one in reviews} == {("altered", "2-r", "transfer-2-d")}


@browser
def test_the_saved_file_has_the_columns_of_an_export_and_no_formula(verdicts: dict[str, Any]):
    rows = list(csv.DictReader(io.StringIO(verdicts["file"].removeprefix("\ufeff"), newline="")))
    assert tuple(rows[0]) == COLUMNS and len(rows) == len(NOTES)
    assert not [value for row in rows for value in row.values() if value.startswith(("=", "+", "-", "@"))]
    shown = {"headline": BASE["headline"], "headline_quote": BASE["headline_quote"], "best_body_speaker": "Ana Reyes"}
    assert all(row.items() >= shown.items() for row in rows)


@browser
def test_verdicts_are_there_when_the_page_is_opened_again(verdicts: dict[str, Any]):
    assert verdicts["first"] == ["0 verdicts kept in this browser", True]
    assert verdicts["kept"] == "5 verdicts kept in this browser"
    assert verdicts["again"] == [list(pair) for pair in zip(LABELS, NOTES, strict=True)]


@browser
def test_a_verdict_can_be_taken_back_and_all_can_be_cleared(verdicts: dict[str, Any]):
    assert verdicts["taken_back"] == ["4 verdicts kept in this browser"] * 2, "another tab shows the same"
    assert verdicts["cleared"] == ["0 verdicts kept in this browser", [["", ""]] * len(NOTES), []]


#: Judges one alert and saves, with nothing replaced.
ONE = """
  const page = await open_at("");
  const refused = [];
  page.addEventListener("securitypolicyviolation", (event) => refused.push(event.violatedDirective));
  await enter(page, page.document.querySelectorAll("article [type=radio]")[0]);
  page.document.getElementById("save").click();
  await pause();
  return [text(page, "kept"), Object.keys(page.localStorage), refused];
"""


@browser
def test_verdicts_are_kept_under_lake_and_alert_and_the_policy_lets_them_be_saved(tmp_path: Path):
    kept, keys, refused = use(tmp_path, report(RISKY), ONE)
    assert kept == "1 verdict kept in this browser" and refused == []
    assert keys == [f"quotelake {RUNS[0]['run_id']} {RISKY['quote_id']} condition"]


#: Searches the page, and reads in which order it lists outlets, what it counts, and in which language its texts are.
LANGUAGE_STEPS = """
  const page = await open_at("");
  const at_id = (id) => page.document.getElementById(id);
  const outlets = [...at_id("outlet").options].map((one) => one.text);
  const found = [];
  for (const word of %r) {
    await enter(page, at_id("q"), word);
    found.push([shown(page), text(page, "count")]);
  }
  const cards = [...page.document.querySelectorAll("article")];
  return { outlets, found, kept: text(page, "kept"), lang: page.document.documentElement.lang,
    quotes: cards.map((card) => card.querySelector("[data-cell=headline_quote]").lang) };
"""
TEXTS = {**KOREAN, "outlet": "다온신문"}
PARTED = {name: unicodedata.normalize("NFD", TEXTS[name]) for name in ("headline", "headline_quote", "outlet")}


@browser
def test_a_korean_page_finds_composed_and_parted_hangul_and_lists_names_in_its_order(tmp_path: Path):
    parted = dict(KOREAN, quote_id="4" * 32, headline_start=0, headline_end=len(PARTED["headline"]), **PARTED)
    other = dict(BASE, quote_id="5" * 32, outlet="가람신문")
    content = report(KOREAN, parted, other, BASE) | {"language": "ko"}
    words = ["취소한다", unicodedata.normalize("NFD", "축제"), "꽃추", "FARMERS"]
    found = use(tmp_path, content, LANGUAGE_STEPS % words)
    assert found["outlets"] == ["전체", "가람신문", PARTED["outlet"], KOREAN["outlet"], "Harbour Post"]
    assert [shown for shown, _ in found["found"]] == ["34", "34", "", "50"], (
        "꽃축 does not begin with 꽃추, though its signs do"
    )
    assert found["found"][0][1] == "4건 가운데 2건 표시" and found["kept"] == "이 브라우저에 판정 0건 보관"
    assert (found["lang"], found["quotes"]) == ("ko", ["ko", "ko", "en", "en"])


@browser
def test_a_german_page_lists_names_as_a_german_dictionary(tmp_path: Path):
    names = ["Zeitung am Meer", "Ärzte-Bote", "abendblick", "Bote"]
    alerts = [dict(BASE, quote_id=f"{at}" * 32, outlet=name) for at, name in enumerate(names)]
    found = use(tmp_path, report(*alerts) | {"language": "de"}, LANGUAGE_STEPS % ["farmers"])
    assert found["outlets"] == ["alle", "abendblick", "Ärzte-Bote", "Bote", "Zeitung am Meer"]
    assert (
        found["found"] == [["0123", "4 von 4 gezeigt"]] and found["kept"] == "0 Urteile in diesem Browser gespeichert"
    )
