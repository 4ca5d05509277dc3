"""The alert page in a real browser: hostile text is never run, filters show what they say, verdicts come back."""

import csv
import io
import unicodedata
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.pages.pages import BASE, CHECK, KOREAN, REVIEW, RISKY, RUNS, Reading, browse, browser, report, use

from quotelake.answers.alerts import Alert
from quotelake.answers.explanations import Addition, Explanation
from quotelake.answers.reviews import COLUMNS, IDS, from_csv
from quotelake.files.outputs import write_atomically
from quotelake.pages.page import render

pytestmark = [pytest.mark.process, browser]

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


def test_hostile_text_is_shown_and_never_run(tmp_path: Path):
    page = tmp_path / "alerts.html"
    write_atomically(page, render(report(*(hostile(text, number) for number, text in enumerate(HOSTILE)))))
    document = browse(page)
    seen = Reading(document)
    assert "<title>Headline alerts</title>" in document, "a script of an article ran"
    # One bar each, and no svg of an article.
    counts = {"article": len(HOSTILE), "svg": len(HOSTILE), "script": 1, "title": 1, "img": 0}
    assert {tag: len(seen.all(tag)) for tag in counts} == counts
    assert [one["href"] for one in seen.all("a")] == ["#new", "alerts.csv", "#"]
    shown = ("a[U+202E]b[U+2066]c[U+2029]d", "nul [U+0000] bell [U+0007] escape [U+001B][31m surrogate [U+D800]")
    assert not [text for text in (*HOSTILE[:5], *shown, "&lt;script&gt; &amp;amp;") if text not in seen.text]
    assert not any(name.startswith("on") for _, attributes in seen.elements for name in attributes)


def test_only_the_page_s_own_script_may_run(tmp_path: Path):
    """Even where escaping failed, the policy names the script by its hash: another one does nothing."""
    broken = tmp_path / "broken.html"
    broken.write_text(render(report(BASE)).replace("<main>", "<main><script>document.title='run'</script>"), "utf-8")
    seen = browse(broken)
    assert "<title>Headline alerts</title>" in seen and "1 of 1 shown" in seen, "our own script must still run"


UNDATED = dict(BASE, quote_id="2" * 32, published_at=None, headline="Été: “Farmers are the enemy”", is_new=False)
#: End of the page's address, and what is shown there: 0 new, 1 and 2 earlier, 1 reviewed, 2 undated, 7 a check.
FILTERS = {
    "": "012",  # checks are folded
    "#alert=condition": "1",
    "#outlet=Harbour%20Post": "027",
    "#outlet=Weekly+%26+Sons&alert=condition": "1",
    "#alert=condition&outlet=Harbour%20Post": "",
    "#alert=%3Cscript%3E": "",
    "#review=yes": "1",
    "#review=no": "027",
    "#from=2024-03-01": "017",
    "#to=2024-04-01": "07",
    "#from=2024-04-02&to=2024-04-02": "1",
    "#q=STRIKE+union": "1",
    "#q=ete": "2",
    "#q=body+says": "",
    "#q=farmers&from=2024-01-01": "07",
    "#q=baker": "7",
}


def test_filters_follow_the_address_typing_and_choosing_and_a_reviewed_alert_is_folded(tmp_path: Path):
    found = use(tmp_path, report(BASE, dict(RISKY, reviews=(REVIEW,)), UNDATED, CHECK), "filters", list(FILTERS))
    for fragment, expected in FILTERS.items():
        fitting = expected if fragment else "0127"
        sections = ["0" in fitting, bool(set(fitting) & {"1", "2"}), "7" in fitting]  # one with nothing in it is hidden
        assert found["at"][fragment] == [expected, f"{len(fitting)} of 4 shown", bool(expected), sections], fragment
    assert found["typed"] == [
        ["#q=strike", "1"],
        ["#alert=altered&q=strike", ""],
        ["#alert=altered", "027"],
        ["#alert=altered&to=2024-03-31", "07"],
        ["", "0127"],
    ]
    assert found["folded"] == [False, True]


NOTES = ["=1+1", "-", "'tis so", 'a "b"; c, d\té 한', "@x"]
ALERTS = [dict(BASE, quote_id=f"{number}" * 32) for number in range(len(NOTES))]


LABELS = ["true", "false", "extraction_error", "bad_body", "true"]


def test_verdicts_are_kept_in_the_browser_and_the_saved_file_is_read_as_they_were_given(tmp_path: Path):
    verdicts = use(tmp_path, report(*ALERTS), "verdicts", NOTES)
    given = [list(pair) for pair in zip(LABELS, NOTES, strict=True)]
    file = verdicts["file"].removeprefix("\ufeff")
    reviews = from_csv(file, "verdicts.csv", "ann", datetime(2024, 6, 1, tzinfo=UTC))
    found = {review.quote_id: [review.label, review.note] for review in reviews}
    assert found == {alert["quote_id"]: pair for alert, pair in zip(ALERTS, given, strict=True)}
    assert {tuple(getattr(one, name) for name in IDS[1:]) for one in reviews} == {("altered", "2-r", "transfer-2-d")}
    rows = list(csv.DictReader(io.StringIO(file, newline="")))
    assert tuple(rows[0]) == COLUMNS, "those of an export"
    assert not [value for row in rows for value in row.values() if value.startswith(("=", "+", "-", "@"))]
    shown = {"headline": BASE["headline"], "headline_quote": BASE["headline_quote"], "best_body_speaker": "Ana Reyes"}
    assert all(row.items() >= shown.items() for row in rows)

    assert verdicts["first"] == ["0 verdicts kept in this browser", True]
    assert verdicts["kept"] == "5 verdicts kept in this browser" and verdicts["again"] == given
    assert verdicts["taken_back"] == ["4 verdicts kept in this browser"] * 2, "another tab shows the same"
    assert verdicts["cleared"] == ["0 verdicts kept in this browser", [["", ""]] * len(NOTES), []]


def test_verdicts_are_kept_under_lake_and_alert_and_the_policy_lets_them_be_saved(tmp_path: Path):
    kept, keys, refused = use(tmp_path, report(RISKY), "verdict")
    assert kept == "1 verdict kept in this browser" and refused == []
    assert keys == [f"quotelake {RUNS[0]['run_id']} {RISKY['quote_id']} condition"]


def test_a_korean_page_finds_composed_and_parted_hangul_and_lists_names_in_its_order(tmp_path: Path):
    texts = {"headline": KOREAN["headline"], "headline_quote": KOREAN["headline_quote"], "outlet": "다온신문"}
    texts = {name: unicodedata.normalize("NFD", text) for name, text in texts.items()}
    parted = dict(KOREAN, quote_id="4" * 32, headline_start=0, headline_end=len(texts["headline"]), **texts)
    content = report(KOREAN, parted, dict(BASE, quote_id="5" * 32, outlet="가람신문"), BASE) | {"language": "ko"}
    # 꽃축 does not begin with 꽃추, though its signs do.
    sought = {"취소한다": "34", unicodedata.normalize("NFD", "축제"): "34", "꽃추": "", "FARMERS": "50"}
    found = use(tmp_path, content, "search", [*sought])
    assert found["outlets"] == ["전체", "가람신문", texts["outlet"], KOREAN["outlet"], "Harbour Post"]
    assert [shown for shown, _ in found["found"]] == [*sought.values()]
    assert found["found"][0][1] == "4건 가운데 2건 표시" and found["kept"] == "이 브라우저에 판정 0건 보관"
    assert (found["lang"], found["quotes"]) == ("ko", ["ko", "ko", "en", "en"])
