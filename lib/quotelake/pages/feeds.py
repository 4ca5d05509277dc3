"""Files for other programs after a night: the alerts as an Atom feed (RFC 4287), the news of the morning as JSON.

Texts of articles are hostile: the template of the feed escapes them and makes invisible characters visible, as the
alert page does, and links to other places pass :func:`quotelake.pages.page.safe_link`.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from uuid import NAMESPACE_OID, uuid5

from quotelake.answers.alerts import Report
from quotelake.answers.explanations import describe_reason
from quotelake.answers.words import load_words
from quotelake.files.outputs import write_atomically
from quotelake.pages.page import fill, safe_link

#: Alerts in the feed, those that changed last: readers load the whole file each time, and keep older entries.
ENTRIES: Final = 200
FEED: Final = "alerts.atom"
MORNING: Final = "morning.json"


def atom(report: Report) -> str:
    """Write the alerts as an Atom feed, the one that changed last first; an alert changes when it is reviewed.

    The id of the feed comes from the first run of the lake, so it is the same wherever the lake lies. The id of an
    entry comes from that, the headline quote and the kind of the alert, so it is the same every night.
    """
    feed, phrases = uuid5(NAMESPACE_OID, report["runs"][0]["run_id"]), load_words(report["language"])
    entries = [
        {
            "id": uuid5(feed, f"{alert['quote_id']} {alert['alert']}").urn,
            "updated": max(map(_utc, (alert["first_seen"], *(one.reviewed_at for one in alert["reviews"])))),
            "published": _utc(alert["first_seen"]),
            "reviewed": "; ".join(f"{phrases.named('labels', one.label)} ({one.reviewer})" for one in alert["reviews"]),
            "labels": {one.label: phrases.named("labels", one.label) for one in alert["reviews"]},
            "why": describe_reason(alert["reason"], alert["differences"], phrases),
            "link": safe_link(alert["url"]),
            "alert": alert,
        }
        for alert in report["alerts"]
    ]
    entries.sort(key=lambda entry: entry["updated"], reverse=True)  # stable: the order within a night is kept
    changed = [_utc(report["runs"][-1]["ingested_at"]), *(entry["updated"] for entry in entries)]
    return fill("alerts.atom.j2", phrases=phrases, entries=entries[:ENTRIES], id=feed.urn, updated=max(changed))


def morning_json(morning: Mapping[str, Any]) -> str:
    """Write the news of the morning as JSON, with times in ISO 8601, UTC.

    Raises:
        TypeError: a value is neither of JSON's nor a time.
    """
    return json.dumps(morning, ensure_ascii=False, indent=1, default=lambda time: _utc(time).isoformat()) + "\n"


def write_feeds(report: Report, morning: Mapping[str, Any], folder: Path) -> None:
    """Write :data:`FEED` and :data:`MORNING` into a folder, which is the lake's at the end of a run.

    Raises:
        InputError: they cannot be written there.
    """
    write_atomically(folder / FEED, atom(report))
    write_atomically(folder / MORNING, morning_json(morning))


def _utc(time: datetime) -> datetime:
    """Add the time zone that rows of a lake leave out."""
    if not isinstance(time, datetime):
        raise TypeError(f"{MORNING} holds {time!r}, which is neither of JSON's nor a time")
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC)
