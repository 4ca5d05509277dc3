"""The morning page: one self-contained HTML file with what is new and how it has been, and a page per quote it names.

Texts of articles are hostile here too; see :mod:`quotelake.pages.page`. Files are named by ids alone.
"""

import re
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from quotelake.answers.alerts import Report
from quotelake.answers.baseline import silent_message
from quotelake.answers.morning import News, Trends, read_morning
from quotelake.answers.words import ENGLISH, Words, load_words
from quotelake.files.outputs import write_atomically
from quotelake.pages.feeds import write_feeds
from quotelake.pages.page import fill, section_of, view_of
from quotelake.pages.pictures import (
    clusters_picture,
    months_picture,
    outcomes_picture,
    ranking_picture,
    rates_picture,
)
from quotelake.query.engines import RunSql
from quotelake.settings import ReportSettings

#: The page and the folder of the pages of quotes, beside the alert page.
PAGE: Final = "morning.html"
FOLDER: Final = "morning"
_STYLES: Final = ("alerts.css", "morning.css")
_ID: Final = re.compile(r"[0-9a-f]{32}")


def make_morning(run_sql: RunSql, report: Report, settings: ReportSettings, lake: Path) -> Path:
    """Read what is new in a lake on this machine, and write pages and feeds into it; return the path of the page.

    Raises:
        InputError: they cannot be written there.
    """
    news, trends = read_morning(run_sql, str(lake), report, settings)
    write_feeds(report, news, lake)
    return write_morning(report, news, trends, lake)


def render_morning(report: Report, news: News, trends: Trends) -> str:
    """Render the page; its links are those of the articles, to the alert page, and to :data:`FOLDER`."""
    phrases = load_words(report["language"])
    views = [view_of(alert, phrases) for alert in report["alerts"] if alert["is_new"]]
    pictures = {
        phrases.text("picture.rates"): rates_picture(trends["rates"], phrases),
        phrases.text("picture.outcomes"): outcomes_picture(trends["outcomes"], phrases),
        phrases.text("picture.ranking"): ranking_picture(trends["ranking"], phrases),
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
        pictures=pictures,
        pages=set(pages_by_id(trends)),
        folder=FOLDER,
    )


def render_quote(group: str, one: Mapping[str, Any], phrases: Words = ENGLISH) -> str:
    """Render the page of one quote; ``group`` is its id, ``one`` a value of the ``quotes`` of the trends."""
    name = f"q{group[:8]}"
    pictures = {
        phrases.text("picture.months"): months_picture(name, one["months"], phrases),
        phrases.text("picture.topics"): clusters_picture(name, one["clusters"], phrases),
    }
    return fill("quote.html.j2", ("printing.js",), _STYLES, phrases, one=one, pictures=pictures, back=PAGE)


def pages_by_id(trends: Trends) -> dict[str, Mapping[str, Any]]:
    """Quotes that have a page, by id; an id that is none of ours is left out, because it names a file."""
    return {group: one for group, one in trends["quotes"].items() if _ID.fullmatch(group)}


def write_morning(report: Report, news: News, trends: Trends, folder: Path) -> Path:
    """Write the page, and the pages of quotes into a folder that takes the place of the last one; return its path.

    Raises:
        InputError: they cannot be written there.
    """
    place, token = folder / FOLDER, secrets.token_hex(4)
    fresh, stale = (folder / f".{FOLDER}.{token}.{what}" for what in ("new", "old"))
    try:
        for group, one in pages_by_id(trends).items():
            write_atomically(fresh / f"{group}.html", render_quote(group, one, load_words(report["language"])))
        write_atomically(folder / PAGE, render_morning(report, news, trends))
        if place.exists():
            place.rename(stale)
        if fresh.exists():
            fresh.rename(place)
    finally:
        for each in (fresh, stale):
            shutil.rmtree(each, ignore_errors=True)
    return folder / PAGE
