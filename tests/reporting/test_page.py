"""The alert page in a real browser: hostile text is shown and never run, filters follow the address."""

import html
import re
import shutil
import subprocess
from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import duckdb
import pytest
import sqlglot

from quotelake.errors import InputError
from quotelake.lake.runs import new_run
from quotelake.lake.tables import Lake
from quotelake.lake.views import SparkEngine
from quotelake.reading.ask import reader_of
from quotelake.reporting.alerts import alerts_query, read_report
from quotelake.reporting.page import Alert, Report, body_sentences, render, safe_link, write_atomically

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
browser = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on PATH (Debian: apt-get install chromium)")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
BASE = Alert(
    quote_id="0" * 32, alert="contextomized", outcome="contextomized", reason="no body quote carries it", score=0.87,
    headline="Mayor: “Farmers are the enemy”", headline_quote="Farmers are the enemy", headline_start=8,
    headline_end=29, headline_speaker="Mayor", matched=(), best_body_quote="Farmers feed this city,", best_start=13,
    best_end=36, best_body_speaker="Ana Reyes",
    passage="She spoke. “Farmers feed this city,” said Ana Reyes. It rained.",
    passage_start=1, omitted=(), omitted_classes=(), second_body_quote=None, second_body_speaker=None,
    outlet="Harbour Post", published_at=datetime(2024, 3, 1, 9, 30), url="https://example.org/1?a=1&b=2", language="en",
    genre="news", body_status="complete", wire_credit=None,
)  # fmt: skip
RISKY = replace(
    BASE, quote_id="1" * 32, alert="risky_excerpt", outcome="excerpt", score=None, reason="left out: condition",
    headline="Union: “We will strike”", headline_quote="We will strike", headline_end=22, matched=((0, 14),),
    best_body_quote="If talks fail, we will strike,", passage="“If talks fail, we will strike,” she said.",
    passage_start=0, best_start=1, best_end=31, omitted=((0, 13),), omitted_classes=("condition",),
    outlet="Weekly & Sons",
)  # fmt: skip
HOSTILE = [
    "<script>document.title='run'</script>",
    '"><img src=x onerror="document.title=\'run\'">',
    "'><svg onload=document.title='run'>",
    "</title></style></textarea><script>document.title='run'</script>",
    "{{ 7 * 7 }} {% raw %} ${7*7}",
    "a\u202eb\u2066c\u2029d",
    "nul \x00 bell \x07 escape \x1b[31m surrogate \ud800",
    "<!-- --!> ]]> &lt;script&gt; &amp;amp;",
    "x" * 10_000,
]


def report(*alerts: Alert) -> Report:
    coverage = {
        "source": "wire", "n_files": 1, "n_records": 1234, "n_documents": 1200, "n_duplicates": 4, "n_rejects": 30,
        "n_headline_quotes": len(alerts), "n_text_quotes": None,
    }  # fmt: skip
    counts = {name: sum(alert.alert == name for alert in alerts) for name in sorted({alert.alert for alert in alerts})}
    return Report(
        alerts=alerts,
        n_alerts=counts,
        coverage=[coverage],
        outcomes=[{"outcome": "identical", "quotes": 5, "alerts": 0}],
        rejects=[{"source": "wire", "reason": "bad_date", "records": 30}],
        versions={"rule_version": "2-aaaa", "model": "m"},
        written_at=datetime(2024, 6, 1, tzinfo=UTC),
    )


def browse(path: Path, *flags: str) -> str:
    """What a browser made of the page: its document after the script ran."""
    assert CHROMIUM is not None
    profile = path.with_suffix(".profile")
    command = [CHROMIUM, *FLAGS, *flags, f"--user-data-dir={profile}", "--dump-dom", path.as_uri()]
    done = subprocess.run(command, capture_output=True, timeout=120, check=False)
    return done.stdout.decode("utf-8")


class Reading(HTMLParser):
    """Elements of a document, and the text a reader sees of the page's main part."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._inside = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._inside += tag == "main"

    def handle_endtag(self, tag: str) -> None:
        self._inside -= tag == "main"

    def handle_data(self, data: str) -> None:
        self.text += data if self._inside else ""

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def hostile(text: str, number: int) -> Alert:
    """An alert in which every text of an article is ``text``."""
    return replace(
        BASE, quote_id=f"{number:032x}", headline=f"A: “{text}”", headline_quote=text, headline_start=4,
        headline_end=4 + len(text), headline_speaker=text, best_body_quote=text, best_start=1, best_end=1 + len(text),
        passage=f"“{text}” B.", passage_start=0, best_body_speaker=text, second_body_quote=text,
        second_body_speaker=text,
        outlet=text, url=text, language=text, genre=text, wire_credit=text, reason=text,
    )  # fmt: skip


@browser
def test_hostile_text_is_shown_and_never_run(tmp_path: Path):
    page = tmp_path / "alerts.html"
    write_atomically(render(report(*(hostile(text, number) for number, text in enumerate(HOSTILE)))), page)
    document = browse(page)
    seen = Reading(document)
    assert len(seen.all("article")) == len(HOSTILE)
    assert len(seen.all("script")) == 1 and not seen.all("img") and not seen.all("svg") and not seen.all("a")[1:]
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


#: End of the page's address, and the alerts shown there.
FILTERS = {
    "": ["0", "1"],
    "#outcome=excerpt": ["1"],
    "#outlet=Harbour%20Post": ["0"],
    "#outlet=Weekly+%26+Sons&outcome=excerpt": ["1"],
    "#outcome=excerpt&outlet=Harbour%20Post": [],
    "#outcome=%3Cscript%3E": [],
}
#: One browser opens the page at every address, each in a frame, and hands over what became of them as text.
FRAMES = """<!DOCTYPE html>{frames}<script>
onload = () => {{
  for (const frame of document.querySelectorAll("iframe")) {{
    const said = document.createElement("pre");
    said.textContent = frame.contentDocument.documentElement.outerHTML;
    document.body.append(said);
  }}
}};
</script>"""


@pytest.fixture(scope="module")
def filtered(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What a browser made of the page at each address of ``FILTERS``."""
    folder = tmp_path_factory.mktemp("filters")
    write_atomically(render(report(BASE, RISKY)), folder / "alerts.html")
    frames = "".join(f'<iframe src="alerts.html{html.escape(fragment)}"></iframe>' for fragment in FILTERS)
    (folder / "frames.html").write_text(FRAMES.format(frames=frames), "utf-8")
    found = re.findall(r"<pre>(.*?)</pre>", browse(folder / "frames.html", "--allow-file-access-from-files"), re.DOTALL)
    return dict(zip(FILTERS, map(html.unescape, found), strict=True))


@browser
@pytest.mark.parametrize("fragment", FILTERS)
def test_filters_follow_the_address(filtered: dict[str, str], fragment: str):
    seen, shown = Reading(filtered[fragment]), FILTERS[fragment]
    assert [one["id"][-1] for one in seen.all("article") if "hidden" not in one] == shown
    assert f"{len(shown)} of 2 shown" in seen.text
    [none] = [one for one in seen.all("p") if one.get("id") == "none"]
    assert ("hidden" in none) == bool(shown)


def test_the_page_needs_nothing_else_and_links_only_where_it_may():
    text = render(report(BASE, replace(BASE, url="javascript:alert(1)"), replace(BASE, url=None)))
    seen = Reading(text)
    assert [one["href"] for one in seen.all("a")] == [BASE.url, "#"]
    assert not {"link", "img", "iframe", "object", "embed", "base"} & {name for name, _ in seen.elements}
    assert not [name for name, one in seen.elements if "src" in one or "style" in one]
    [policy] = [one["content"] for one in seen.all("meta") if one.get("http-equiv") == "Content-Security-Policy"]
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


def test_what_is_missing_and_what_is_left_out_is_marked():
    text = render(report(BASE, RISKY))
    assert '<span class="found">Farmers</span> <ins class="missing">are the enemy</ins>' in text
    assert '<del class="risky">If</del><del class="omitted"> talks fail</del>' in text
    assert "<mark>Farmers are the enemy</mark>" in text


def test_the_whole_sentence_around_the_body_quote_is_shown_and_no_more():
    seen = Reading(render(report(BASE))).text
    assert "“Farmers feed this city,” said Ana Reyes." in seen
    assert "She spoke" not in seen and "It rained" not in seen


def test_a_sentence_cut_by_the_passage_says_so():
    passage = "and so on “We won” he said and went on and"
    cut = replace(BASE, best_body_quote="We won", passage=passage, passage_start=500, best_start=511, best_end=517)
    assert "… and so on “We won” he said and went on and …" in Reading(render(report(cut))).text


@pytest.mark.parametrize(
    "text", ["One.\n\n“We won. All of us,” he said.\n\nTwo.", "“We won. All of us,” he said. Two."]
)
def test_a_quote_of_several_sentences_has_all_of_them(text: str):
    start = text.index("We won")
    first, last = body_sentences(text, (start, start + len("We won. All of us,")))
    assert text[first:last] == "“We won. All of us,” he said."


def test_a_long_headline_is_cut_around_its_quote():
    far = replace(BASE, headline="z" * 9000 + BASE.headline, headline_start=9008, headline_end=9029)
    text = render(report(far))
    assert "… zz" in text and "<mark>Farmers are the enemy</mark>" in text and len(text) < 20_000


def test_empty_pages_can_be_read():
    none = Reading(render(report())).text
    assert "No alert: every headline quote is carried by its article" in none and "1,200" in none
    empty = replace(report(), coverage=[], outcomes=[], rejects=[])
    assert "No file was read yet." in Reading(render(empty)).text
    assert "no headline quote was found yet" in Reading(render(empty)).text


def test_coverage_and_rejects_stand_on_top():
    text = html.unescape(render(report(BASE)))
    assert text.index("bad date") < text.index("<article")
    assert re.search(r"<b>1,200</b> documents", text) and re.search(r"<b>30</b> records rejected: 30 bad date", text)


def test_alerts_that_are_not_shown_are_counted():
    assert "shows 1 of 40 alerts" in render(replace(report(BASE), n_alerts={"contextomized": 40}))


def test_the_page_is_written_whole_or_not_at_all(tmp_path: Path):
    page = tmp_path / "new" / "alerts.html"
    write_atomically("old", page)
    with pytest.raises(UnicodeEncodeError):
        write_atomically("\ud800", page)
    assert page.read_text("utf-8") == "old" and [path.name for path in page.parent.iterdir()] == ["alerts.html"]
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="--out"):
        write_atomically("x", tmp_path / "file" / "alerts.html")


def no_spark() -> SparkEngine:
    raise AssertionError("a lake on a local disk is read without Spark")


@pytest.mark.spark
@pytest.mark.slow
def test_the_sample_s_alerts_are_on_its_page(sample_lake: str):
    found = read_report(reader_of(sample_lake, no_spark), datetime(2024, 6, 1, tzinfo=UTC))
    seen = Reading(render(found))
    assert len(seen.all("article")) == len(found.alerts) == sum(found.n_alerts.values()) > 5
    assert {alert.alert for alert in found.alerts} == {"contextomized", "risky_excerpt"}
    for alert in found.alerts:
        assert alert.headline[alert.headline_start : alert.headline_end] == alert.headline_quote
        assert alert.passage is not None and alert.best_start is not None and alert.passage_start is not None
        start = alert.best_start - alert.passage_start
        assert alert.passage[start:].startswith(alert.best_body_quote or "?")
    assert sum(row["n_rejects"] for row in found.coverage) == sum(row["records"] for row in found.rejects)


def test_the_first_of_each_class_have_the_highest_scores_and_the_rest_is_counted():
    scores = [("a", 0.2, "1"), ("a", 0.9, "2"), ("a", 0.9, "3"), ("b", None, "9"), ("b", None, "8")]
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE headline_alerts (alert VARCHAR, score DOUBLE, quote_id VARCHAR)")
        connection.executemany("INSERT INTO headline_alerts VALUES (?, ?, ?)", scores)

        def first(limit: int | None, alert: str | None = None) -> list[tuple[str, int]]:
            sql = sqlglot.transpile(alerts_query(limit, alert), read="spark", write="duckdb")[0]
            rows = connection.execute(f"SELECT quote_id, n_of_class FROM ({sql})").fetchall()
            return [(str(quote), int(n)) for quote, n in rows]

        assert first(2) == [("2", 3), ("3", 3), ("8", 2), ("9", 2)]
        assert first(1, "b") == [("8", 2)]
        assert len(first(None)) == 5
    with pytest.raises(InputError, match="no class of alerts"):
        alerts_query(1, "a' OR 'a' = 'a")


@pytest.mark.spark
def test_a_lake_without_documents_has_a_page_by_either_engine(lake: Lake):
    new_run("f", None, print).complete(lake)
    for ask in (reader_of(lake.root, no_spark), lambda sql: SparkEngine(lake).answer(sql).rows):
        assert "No file was read yet." in Reading(render(read_report(ask, lake.started))).text
