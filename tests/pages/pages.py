"""What the tests of the alert page share: alerts, a reader of its elements, and a browser that uses it."""

import html
import json
import re
import shutil
import subprocess
from collections import Counter
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from quotelake.answers.alerts import Alert, Report
from quotelake.answers.explanations import Addition, Explanation
from quotelake.answers.morning import News, Trends
from quotelake.answers.reviews import Review
from quotelake.pages.page import write_page
from quotelake.pages.pictures import OUTCOMES

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
browser = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on PATH (Debian: apt-get install chromium)")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--allow-file-access-from-files",
)  # fmt: skip
NIGHTS = (datetime(2024, 5, 1, 3), datetime(2024, 5, 2, 3))
RUNS = [{"run_id": f"{night:%Y%m%d}T030000Z-1", "ingested_at": night} for night in NIGHTS]


def difference(kind: str, phrase: str, said: str = "", own: str = "", **changed: Any) -> dict[str, Any]:
    return {"kind": kind, "tier": "alert", "severity": 0.7, "said": said, "own": own, "phrase": phrase} | changed


ALTERED = difference(
    "altered", "other words between the marks: “feed this city” in the body, “are the enemy” in the headline",
    "feed this city", "are the enemy",
)  # fmt: skip
BASE: Alert = dict(
    quote_id="0" * 32, tier="alert", kind="altered", alert="altered", to_check=None, elsewhere=[],
    outcome="contextomized", reason=f"{ALTERED['phrase']}; the passage is another",
    score=0.87, severity=0.8, priority=0.35, of_story=1,
    headline="Mayor: “Farmers are the enemy”", headline_quote="Farmers are the enemy", headline_start=8,
    headline_end=29, headline_speaker="Mayor", matched=(), best_body_quote="Farmers feed this city,", best_start=13,
    best_end=36, body_start=None, body_end=None, best_body_speaker="Ana Reyes",
    passage="She spoke. “Farmers feed this city,” said Ana Reyes. It rained.",
    passage_start=1, omitted=(), second_body_quote=None, second_body_speaker=None,
    outlet="Harbour Post", published_at=datetime(2024, 3, 1, 9, 30), url="https://example.org/1?a=1&b=2", language="en",
    differences=[ALTERED, difference("scope", "a restriction is left out (“here”)", "here", tier="note")],
    genre="news", body_status="complete", wire_credit=None, first_seen=NIGHTS[1], rule_version="2-r",
    detector_version="transfer-2-d", is_new=True,
    reader=None, reading_verdict=None, reading_kind=None, reading_words=None, reading_sentence=None,
    explanation=Explanation((Addition("in_order", "wording in the same order", "8%", 1.0),)), reviews=(),
)  # fmt: skip
RISKY = dict(
    BASE, quote_id="1" * 32, kind="condition", alert="condition", outcome="excerpt", score=None, severity=0.6,
    priority=0.3, reason="a condition is lost (“If talks fail”); its words stand inside a longer body quote",
    headline="Union: “We will strike”", headline_quote="We will strike", headline_end=22, matched=((0, 14),),
    best_body_quote="If talks fail, we will strike,", passage="“If talks fail, we will strike,” she said.",
    passage_start=0, best_start=1, best_end=31, omitted=((0, 13),),
    differences=[difference("condition", "a condition is lost (“If talks fail”)", "If talks fail", severity=0.6)],
    outlet="Weekly & Sons", published_at=datetime(2024, 4, 2, 7), first_seen=NIGHTS[0], is_new=False, explanation=None,
)  # fmt: skip
CHECK = dict(
    BASE, quote_id="7" * 32, tier="check", alert=None, to_check="altered", headline="Baker: “Farmers are the enemy”",
    differences=[ALTERED | {"tier": "check"}],
)  # fmt: skip
#: A headline of the sample's Korean outlet.
KOREAN = dict(
    BASE, quote_id="3" * 32,
    headline="달래천 꽃축제 위원장 “올해 축제는 취소한다”", headline_quote="올해 축제는 취소한다",
    headline_start=13, headline_end=24, headline_speaker="달래천 꽃축제 위원장", best_start=1, best_end=34,
    best_body_quote="꽃이 늦어서 우리도 늦을 뿐입니다. 취소한다는 말은 헛소문입니다",
    best_body_speaker="남궁세라 위원장",
    passage="“꽃이 늦어서 우리도 늦을 뿐입니다. 취소한다는 말은 헛소문입니다”라고 설명했다.", passage_start=0,
    outlet="한강일보", url="https://hangang-ilbo.example/1", language="ko", published_at=datetime(2024, 7, 1, 7, 30),
    differences=[difference("altered", "other words between the marks")], first_seen=NIGHTS[1],
    reason="other words between the marks; the body says something else: a body quote has some of its words, in "
    "another statement",
)  # fmt: skip
REVIEW = Review(
    RISKY["quote_id"], RISKY["alert"], "ann", datetime(2024, 5, 1), "true", "see page 2", "2-r", "transfer-2-d"
)

WHOLE = "The dam will hold if it is dry"
CONDITION = {
    "kind": "omitted_condition", "start": 17, "end": 17, "words": "", "reference_start": 18, "reference_end": 30,
    "reference_words": "if it is dry", "cue": "if", "outlets": 3,
}  # fmt: skip
OTHER = CONDITION | {"kind": "omitted", "cue": None, "outlets": 0, "reference_start": 0, "reference_end": 3}
USE: dict[str, Any] = {
    "quote_id": "q", "outlet": "Harbour Post", "published_at": datetime(2024, 3, 1, 9), "headline": "Dam to hold",
    "language": "en", "url": "https://example.org/1", "trimmed": True, "credited_otherwise": False,
    "speaker": "Ana Ruiz", "others_speaker": None, "start": 8, "text_as_used": "The dam will hold",
    "passage": "Ruiz: “ The dam will hold”, she said", "reference_outlet": "Weekly & Sons",
    "reference_speaker": "Mayor Ruiz", "reference_text": WHOLE, "reference_passage": f"She said: “{WHOLE}”.",
    "differences": [OTHER, CONDITION], "n_flagged": 1,
}  # fmt: skip


def report(*rows: Alert) -> Report:
    """Content of the page of some alerts and checks."""
    alerts, checks = ([row for row in rows if row["tier"] == tier] for tier in ("alert", "check"))
    coverage = {
        "source": "wire", "n_files": 1, "n_records": 1234, "n_documents": 1200, "n_duplicates": 4, "n_rejects": 30,
        "n_headline_quotes": len(rows), "n_text_quotes": None, "n_filtered": 0, "n_unread_dates": 1007,
    }  # fmt: skip
    kinds = [
        {"tier": tier, "kind": kind, "n_of_kind": n, "per_1000": 1.5, "n_reviewed": 2, "n_true": 1, "n_quotes": 1234}
        for (tier, kind), n in Counter((row["tier"], row["kind"]) for row in rows).items()
    ]
    return dict(
        alerts=alerts,
        checks=checks,
        kinds=kinds,
        n_alerts={row["kind"]: row["n_of_kind"] for row in kinds if row["tier"] == "alert"},
        n_checks={row["kind"]: row["n_of_kind"] for row in kinds if row["tier"] == "check"},
        near_misses=[{"what": what, "n": 3} for what in ("modified", "note")],
        coverage=[coverage],
        outcomes=[{"outcome": "identical", "quotes": 5, "alerts": 0, "checks": 0}],
        rejects=[{"source": "wire", "reason": "missing_text", "records": 30}],
        versions=[{"rule_version": "2-aaaa", "model": "m"}],
        runs=RUNS,
        outlets=[],
        per_night=20,
        language="en",
        written_at=datetime(2024, 6, 1, tzinfo=UTC),
    )


def browse(path: Path, *flags: str) -> str:
    """What a browser made of the page: its document after the script ran."""
    assert CHROMIUM is not None
    profile = path.with_suffix(".profile")
    # A saved file would go to the folder Downloads of whoever runs the tests; and while it is written, the browser may
    # not end.
    (profile / "Default").mkdir(parents=True, exist_ok=True)
    (profile / "Default" / "Preferences").write_text(json.dumps({"download_restrictions": 3}))
    command = [CHROMIUM, *FLAGS, *flags, f"--user-data-dir={profile}", "--dump-dom", path.as_uri()]
    done = subprocess.run(command, capture_output=True, timeout=120, check=False)
    return done.stdout.decode("utf-8")


def use(folder: Path, content: Report, name: str, *given: object) -> Any:
    """Answer of a function of ``steps.js`` that uses the page of a report in a browser."""
    write_page(content, folder / "alerts.html")
    return drive(folder, name, *given)


def drive(folder: Path, name: str, *given: object) -> Any:
    """Answer of a function of ``steps.js`` that uses pages of a folder in a browser."""
    steps = Path(__file__).with_name("steps.js").read_text("utf-8")
    call = f"hand_over({name}(...{json.dumps(given)}));"
    page = f'<!DOCTYPE html><meta charset="utf-8"><body><script>{steps}{call}</script>'
    (folder / "driver.html").write_text(page, "utf-8")
    return answer_of(browse(folder / "driver.html", "--virtual-time-budget=600000"))


def answer_of(document: str) -> Any:
    """The JSON that a script left as the only element ``pre`` of a document."""
    [answer] = re.findall(r"(?s)<pre>(.*?)</pre>", document)
    return json.loads(html.unescape(answer))


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


GROUP, WATCH = "a" * 32, "b" * 32
LONG = "Western Pennsylvania Post-Gazette & Sunday Telegraph " + "ofextraordinarylength" * 4
MONTHS = [f"{year}-{month:02}" for year in (2023, 2024) for month in range(1, 13)]


def morning(text: str = "we will meet again", outlet: str | None = LONG) -> tuple[News, Trends]:
    """What is new and how it has been, with every text of an article ``text``, and of every part something."""
    at, rank = datetime(2024, 3, 1, 9), {"position": 2, "variation": 0.5, "low": 0.4, "high": 0.6, "documents": 30}
    moved = {"group_id": GROUP, "quote": text, "position": 2, "before": 5}
    watched = {"watch_id": "w", "text": text, "new_uses": 3, "new_outlets": 1, "uses": 9, "group_id": WATCH}
    feed = {"source": "wire", "outlet": outlet, "documents": 1, "norm": 30.0, "message": f"{outlet} brought little."}
    new: News = {
        "written_at": at, "run": {"run_id": "r", "night": text, "started_at": at}, "silent": [feed] * 2,
        "records": [{"source": "wire", "records": 12, "documents": 9, "duplicates": 2, "rejects": 1, "filtered": 0}],
        "new_alerts": [], "n_alerts": 1, "watched": [watched],
        "spread": [{"group_id": "x", "quote": text, "outlets": 5, "new_outlets": 2, "first_outlet": outlet}],
        "rose": [moved], "fell": [moved], "entered": [{**moved, "before": None}],
        "people": [{"speaker": text, "quotes": 3, "articles": 2, "outlets": 1}] * 6,
    }  # fmt: skip
    counts = {"n_eligible": 40, "n_alerts": 4, "n_absent": 0, "rate": 0.1, "rate_low": 0.05, "rate_high": 0.2}
    counts |= {"absent_rate": 0.0, "absent_low": 0.0, "absent_high": 0.1}
    use = {
        "outlet": outlet, "kind": "news", "published_at": at, "language": "en", "headline": text, "url": text,
        "text_as_used": text, "context": text,
    }  # fmt: skip
    quoted = {
        "quote": text, "rank": {**rank, "group_id": GROUP, "quote": text}, "watched": watched,
        "months": dict.fromkeys(MONTHS, 3), "outlets": [(outlet, 4)],
        "clusters": [{"n_contexts": 4, "n_sampled": 9, "words": [text], "context": text, "second_context": None}] * 8,
        "shifts": [{"shift_period": "2024-02", "words_before": [text], "words_after": []}], "uses": [use],
    }  # fmt: skip
    trends: Trends = {
        "compared": True,
        "rates": [{"outlet": name, "period": one, **counts} for name in (None, outlet) for one in ("all", *MONTHS)],
        "outcomes": [{"month": month, "outcome": its[0], "quotes": 9} for month in MONTHS for its in OUTCOMES.values()],
        "coverage": [feed, {**feed, "norm": None}], "ranking": [quoted["rank"]] * 12,
        "quotes": {GROUP: quoted, WATCH: {**quoted, "rank": None}},
    }  # fmt: skip
    return new, trends
