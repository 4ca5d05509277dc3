"""Files of a night: the morning page with what is new and how it has been, a page per quote it names, feeds.

Each page is one self-contained HTML file; alerts, and checks by setting, are an Atom feed too (RFC 4287), the news
JSON. Texts of articles are hostile here too; see :mod:`quotelake.pages.page`. Files are named by ids alone.
"""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from uuid import NAMESPACE_OID, uuid5

from quotelake.answers.alerts import Report
from quotelake.answers.baseline import silent_message
from quotelake.answers.explanations import describe_reason
from quotelake.answers.morning import News, Trends, read_morning
from quotelake.answers.words import ENGLISH, Words, load_words
from quotelake.files.outputs import write_atomically
from quotelake.pages import pictures
from quotelake.pages.page import fill, section_of, view_of
from quotelake.query.engines import RunSql
from quotelake.settings import ReportSettings

#: The page and the folder of the pages of quotes, beside the alert page.
PAGE: Final = "morning.html"
FOLDER: Final = "morning"
FEED: Final = "alerts.atom"
MORNING: Final = "morning.json"
#: Alerts in the feed, those that changed last: readers load the whole file each time, and keep older entries.
ENTRIES: Final = 200
_STYLES: Final = ("alerts.css", "morning.css")
_ID: Final = re.compile(r"[0-9a-f]{32}")


def make_morning(run_sql: RunSql, report: Report, settings: ReportSettings, lake: Path) -> Path:
    """Read what is new in a lake on this machine, and write pages, feed and news into it; return the page's path."""
    news, trends = read_morning(run_sql, str(lake), report, settings)
    write_atomically(lake / FEED, atom(report, with_checks=settings.checks, base=settings.url))
    write_atomically(lake / MORNING, morning_json(news))
    return write_morning(report, news, trends, lake)


def render_morning(report: Report, news: News, trends: Trends) -> str:
    """Render the page; its links are those of the articles, to the alert page, and to :data:`FOLDER`."""
    phrases = load_words(report["language"])
    views = [view_of(alert, phrases) for alert in report["alerts"] if alert["is_new"]]
    drawn = {
        phrases.text("picture.rates"): pictures.rates_picture(trends["rates"], phrases),
        phrases.text("picture.outcomes"): pictures.outcomes_picture(trends["outcomes"], phrases),
        phrases.text("picture.ranking"): pictures.ranking_picture(trends["ranking"], phrases),
    }
    return fill(
        "morning.html.j2",
        ("printing.js", "filters.js", "verdicts.js"),
        _STYLES,
        phrases,
        report=report,
        morning=news,
        silent=[silent_message(row, phrases) for row in news["silent"]],
        trends=trends,
        alerts=views,
        shown=section_of(views, report["per_night"], is_new=True),
        n_checks=sum(row["is_new"] for row in report["checks"]),
        pictures=drawn,
        pages=set(pages_by_id(trends)),
        folder=FOLDER,
    )


def render_quote(group: str, one: Mapping[str, Any], phrases: Words = ENGLISH) -> str:
    """Render the page of one quote; ``group`` is its id, ``one`` a value of the ``quotes`` of the trends."""
    name = f"q{group[:8]}"
    drawn = {
        phrases.text("picture.months"): pictures.months_picture(name, one["months"], phrases),
        phrases.text("picture.topics"): pictures.clusters_picture(name, one["clusters"], phrases),
    }
    return fill("quote.html.j2", ("printing.js",), _STYLES, phrases, one=one, pictures=drawn, back=PAGE)


def pages_by_id(trends: Trends) -> dict[str, Mapping[str, Any]]:
    """Quotes that have a page, by id; an id that is none of ours is left out, because it names a file."""
    return {group: one for group, one in trends["quotes"].items() if _ID.fullmatch(group)}


def write_morning(report: Report, news: News, trends: Trends, folder: Path) -> Path:
    """Write the pages of quotes into their folder, and then the page that links to them; return its path."""
    phrases, place = load_words(report["language"]), folder / FOLDER
    pages = {place / f"{group}.html": one for group, one in pages_by_id(trends).items()}
    for path, one in pages.items():
        write_atomically(path, render_quote(path.stem, one, phrases))
    write_atomically(folder / PAGE, render_morning(report, news, trends))
    for stale in {*place.glob("*.html")} - pages.keys():
        stale.unlink()
    return folder / PAGE


def atom(report: Report, *, with_checks: bool = False, base: str = "") -> str:
    """Write alerts, and checks, as an Atom feed, the one that changed last first; one changes when it is reviewed.

    The feed has its id from the first run of the lake, an entry from that, the headline quote and the kind: it is
    the same wherever the lake lies and every night. ``base`` is the setting ``report.url``.
    """
    feed, phrases = uuid5(NAMESPACE_OID, report["runs"][0]["run_id"]), load_words(report["language"])
    entries = [
        {
            "id": uuid5(feed, f"{alert['quote_id']} {alert['kind']}").urn,
            "updated": max(map(_utc, (alert["first_seen"], *(one.reviewed_at for one in alert["reviews"])))),
            "published": _utc(alert["first_seen"]),
            "labels": {one.label: phrases.named("labels", one.label) for one in alert["reviews"]},
            "why": describe_reason(alert["reason"], alert["differences"], phrases),
            "alert": alert,
        }
        for alert in [*report["alerts"], *(report["checks"] if with_checks else ())]
    ]
    entries.sort(key=lambda entry: entry["updated"], reverse=True)  # stable: the order within a night is kept
    changed = [_utc(report["runs"][-1]["ingested_at"]), *(entry["updated"] for entry in entries)]
    shown = {"entries": entries[:ENTRIES], "id": feed.urn, "updated": max(changed), "base": base}
    return fill("alerts.atom.j2", phrases=phrases, **shown)


def morning_json(morning: Mapping[str, Any]) -> str:
    """Write the news of the morning as JSON, with times in ISO 8601, UTC."""
    return json.dumps(morning, ensure_ascii=False, indent=1, default=lambda time: _utc(time).isoformat()) + "\n"


def _utc(time: datetime) -> datetime:
    """Add the time zone that rows of a lake leave out; a TypeError for what is no time."""
    if not isinstance(time, datetime):
        raise TypeError(f"{MORNING} holds {time!r}, which is neither of JSON's nor a time")
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC)
