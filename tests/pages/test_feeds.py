"""The feed is Atom as RFC 4287 has it, whatever articles hold, and an entry changes when its alert is reviewed."""

import json
import re
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.pages.pages import BASE, CHECK, NIGHTS, REVIEW, RISKY, RUNS, morning, report

from quotelake.pages import morning_page
from quotelake.pages.morning_page import atom, morning_json
from quotelake.pages.page import safe_link

ATOM, XHTML = "{http://www.w3.org/2005/Atom}", "{http://www.w3.org/1999/xhtml}"
#: RFC 3339, as section 3.3 asks.
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")


def read(text: str) -> Element:
    """Parse a feed, and hold it against the rules of RFC 4287, section 4."""
    feed = ElementTree.fromstring(text.encode())
    assert feed.tag == f"{ATOM}feed"
    entries = feed.findall(f"{ATOM}entry")
    for element in (feed, *entries):
        for name in ("id", "title", "updated"):
            [found] = element.findall(f"{ATOM}{name}")
            assert (found.text or "").strip(), f"{name} is empty"
        assert len(element.findall(f"{ATOM}published")) == (element is not feed)
        links = element.findall(f"{ATOM}link")
        assert sum(link.get("rel", "alternate") == "alternate" for link in links) <= 1
        assert all(link.get("href") for link in links)
        assert all(category.get("term") for category in element.findall(f"{ATOM}category"))
        for name in ("updated", "published"):
            for found in element.findall(f"{ATOM}{name}"):
                assert TIME.fullmatch(found.text or ""), found.text
    assert feed.findall(f"{ATOM}author/{ATOM}name"), "a feed whose entries have no author has one"
    ids = [element.findtext(f"{ATOM}id") for element in (feed, *entries)]
    assert len({*ids}) == len(ids) and all(urlsplit(each or "").scheme for each in ids)
    for entry in entries:
        [content] = entry.findall(f"{ATOM}content")
        assert content.get("type") == "xhtml" and [child.tag for child in content] == [f"{XHTML}div"]
        times = [datetime.fromisoformat(entry.findtext(f"{ATOM}{name}") or "") for name in ("published", "updated")]
        assert times == sorted(times)
    assert feed.findtext(f"{ATOM}updated") == max(each.text or "" for each in feed.iter(f"{ATOM}updated"))
    return feed


def entries(*alerts: dict[str, Any], **changed: Any) -> list[dict[str, Any]]:
    """Entries of the feed of some alerts: id, times, title, terms of categories, text."""
    found = read(atom(report(*alerts) | changed)).findall(f"{ATOM}entry")
    return [
        {name: entry.findtext(f"{ATOM}{name}") for name in ("id", "updated", "published", "title", "summary")}
        | {"terms": [each.get("term") for each in entry.findall(f"{ATOM}category")], "text": "".join(entry.itertext())}
        for entry in found
    ]


def test_an_entry_is_updated_when_its_alert_is_reviewed_and_says_how():
    later = replace(REVIEW, reviewed_at=datetime(2024, 5, 3, 8), reviewer="bob", label="false", note="see <page> 2")
    [before] = entries(RISKY)
    [after] = entries(dict(RISKY, reviews=[REVIEW, later]))
    assert after["id"] == before["id"] and after["published"] == before["published"] == before["updated"]
    assert (before["updated"], after["updated"]) == ("2024-05-01T03:00:00+00:00", "2024-05-03T08:00:00+00:00")
    assert before["terms"] == ["condition", "not_reviewed"] and after["terms"] == ["condition", "true", "false"]
    assert after["title"] == f"[right, wrong] {before['title']}"
    assert after["summary"].endswith("reviewed: right (ann); wrong (bob)") and "see <page> 2" in after["text"]


def test_an_alert_has_one_id_every_night_and_another_in_another_lake():
    [first], [second] = entries(BASE), entries(dict(BASE, is_new=False, priority=0.1), runs=RUNS[:1])
    assert first["id"] == second["id"]
    other = [RUNS[0] | {"run_id": "20240501T030000Z-2"}, RUNS[1]]
    assert entries(BASE, runs=other)[0]["id"] != first["id"]
    assert len({one["id"] for one in entries(BASE, dict(BASE, kind="scope"), RISKY)}) == 3
    written = [atom(report(BASE) | {"written_at": NIGHTS[1] + timedelta(days=day)}) for day in range(2)]
    assert written[0] == written[1], "nothing changed, so a reader need not load it again"


def test_the_feed_has_checks_only_by_setting():
    assert entries(BASE, CHECK) == entries(BASE)
    found = read(atom(report(BASE, CHECK), with_checks=True)).findall(f"{ATOM}entry/{ATOM}title")
    assert [one.text or "" for one in found] == [f"Harbour Post: {one['headline']}" for one in (BASE, CHECK)]


def test_the_alerts_that_changed_last_are_kept(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(morning_page, "ENTRIES", 2)
    reviewed = dict(RISKY, reviews=[replace(REVIEW, reviewed_at=NIGHTS[1] + timedelta(hours=1))])
    found = entries(RISKY, BASE, dict(BASE, quote_id="2" * 32, headline="Other: “Farmers”"), reviewed)
    assert [one["title"].partition(":")[0] for one in found] == ["[right] Weekly & Sons", "Harbour Post"]
    assert read(atom(report())).findtext(f"{ATOM}updated") == "2024-05-02T03:00:00+00:00"


hostile = st.text(st.characters(), max_size=20) | st.sampled_from([
    "</title><script>alert(1)</script>", "]]>", "&lt;b&gt;", "<![CDATA[x", 
    "a\x00b", "\ufffe", "\u202edcba", "&#0;", "{{ x }}", "'\"",
])  # fmt: skip


@given(hostile, hostile, hostile, hostile, st.sampled_from(["javascript:alert(1)", "https://a.example/<x>&y", None]))
def test_whatever_articles_hold_the_feed_can_be_read_and_has_no_element_of_theirs(
    headline: str, reason: str, outlet: str, note: str, url: str | None
):
    kind = outlet.encode("utf-8", "replace").decode() or "x"  # the id of an entry is made of it
    alert = dict(BASE, headline=headline, reason=reason, outlet=outlet, best_body_quote=note, url=url, kind=kind)
    alert["reviews"] = [replace(REVIEW, note=note, reviewer=headline or "x")]
    feed = read(atom(report(alert)))
    names = {each.tag.rpartition("}")[2] for each in feed.iter()}
    assert names <= {
        "feed", "id", "title", "updated", "author", "name", "generator", "link", "entry", "published", "category",
        "summary", "content", "div", "p", "b", "blockquote",
    }  # fmt: skip
    links = [each.get("href") for each in feed.findall(f"{ATOM}entry/{ATOM}link")]
    assert links == ([url] if safe_link(url) else [])
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ufffe\uffff]", "".join(feed.itertext()))


def test_a_morning_is_read_back_as_it_was_with_times_in_utc():
    new, _ = morning()
    again = json.loads(morning_json(new))
    assert again["written_at"] == "2024-03-01T09:00:00+00:00", "rows of a lake leave the zone out"
    assert all(again[name] == rows for name, rows in new.items() if isinstance(rows, list))
    with pytest.raises(TypeError, match=r"morning\.json holds datetime\.date.*, which is neither of JSON's nor a time"):
        morning_json(new | {"people": [{"since": date(2024, 6, 1)}]})
