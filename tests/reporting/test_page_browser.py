"""The alert page in a real browser: hostile text is shown and never run; filters and search show what they say."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.reporting.pages import BASE, REVIEW, RISKY, Reading, browse, browser, report, use

from quotelake.files.outputs import write_whole
from quotelake.reporting.additions import Addition, Explanation
from quotelake.reporting.alerts import Alert
from quotelake.reporting.page import render

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
    write_whole(page, render(report(*(hostile(text, number) for number, text in enumerate(HOSTILE)))))
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
    "#alert=risky_excerpt": "1",
    "#outlet=Harbour%20Post": "02",
    "#outlet=Weekly+%26+Sons&alert=risky_excerpt": "1",
    "#alert=risky_excerpt&outlet=Harbour%20Post": "",
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
  for (const [id, value] of [["q", "strike"], ["alert", "contextomized"], ["q", ""], ["to", "2024-03-31"]]) {
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
        ["#alert=contextomized&q=strike", ""],
        ["#alert=contextomized", "02"],
        ["#alert=contextomized&to=2024-03-31", "0"],
        ["", "012"],
    ]


@browser
def test_a_reviewed_alert_is_folded_and_can_be_opened(used: dict[str, Any]):
    assert used["folded"] == [False, True]
