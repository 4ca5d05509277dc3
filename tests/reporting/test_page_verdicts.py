"""Verdicts given on the page stay in the browser and come back as the file that review_alerts imports."""

import csv
import io
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.reporting.pages import BASE, RISKY, RUNS, browser, report, use

from quotelake.reporting.reviews import COLUMNS, IDS, from_csv

pytestmark = pytest.mark.process

NOTES = ["=1+1", "-", "'tis so", 'a "b"; c, d\té 한', "@x"]
ALERTS = [dict(BASE, quote_id=f"{number}" * 32) for number in range(len(NOTES))]
#: Judges every alert, saves, opens the page anew, takes one verdict back, saves, clears.
STEPS = """
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
def used(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    found = use(tmp_path_factory.mktemp("verdicts"), report(*ALERTS), STEPS % NOTES)
    assert isinstance(found, dict), found
    return found


LABELS = ["true", "false", "extraction_error", "bad_body", "true"]


@browser
def test_the_saved_file_is_read_as_the_verdicts_that_were_given(used: dict[str, Any]):
    text = used["file"].removeprefix("\ufeff")
    reviews = from_csv(text, "verdicts.csv", "ann", datetime(2024, 6, 1, tzinfo=UTC))
    found = {review.quote_id: (review.label, review.note) for review in reviews}
    given = zip(LABELS, NOTES, strict=True)
    assert found == {alert["quote_id"]: pair for alert, pair in zip(ALERTS, given, strict=True)}
    assert {tuple(getattr(one, name) for name in IDS[1:]) for one in reviews} == {
        ("contextomized", "2-r", "transfer-2-d")
    }


@browser
def test_the_saved_file_has_the_columns_of_an_export_and_no_formula(used: dict[str, Any]):
    rows = list(csv.DictReader(io.StringIO(used["file"].removeprefix("\ufeff"), newline="")))
    assert tuple(rows[0]) == COLUMNS and len(rows) == len(NOTES)
    assert not [value for row in rows for value in row.values() if value.startswith(("=", "+", "-", "@"))]
    shown = {"headline": BASE["headline"], "headline_quote": BASE["headline_quote"], "best_body_speaker": "Ana Reyes"}
    assert all(row.items() >= shown.items() for row in rows)


@browser
def test_verdicts_are_there_when_the_page_is_opened_again(used: dict[str, Any]):
    assert used["first"] == ["0 verdicts kept in this browser", True]
    assert used["kept"] == "5 verdicts kept in this browser"
    assert used["again"] == [list(pair) for pair in zip(LABELS, NOTES, strict=True)]


@browser
def test_a_verdict_can_be_taken_back_and_all_can_be_cleared(used: dict[str, Any]):
    assert used["taken_back"] == ["4 verdicts kept in this browser"] * 2, "another tab shows the same"
    assert used["cleared"] == ["0 verdicts kept in this browser", [["", ""]] * len(NOTES), []]


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
    assert keys == [f"quotelake {RUNS[0]['run_id']} {RISKY['quote_id']} risky_excerpt"]
