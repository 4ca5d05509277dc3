"""A report of what a night brought, as the tests of what tells it share it."""

from datetime import UTC, datetime
from typing import Any

NIGHT = datetime(2024, 6, 2, 3, tzinfo=UTC)


def new_alert(headline: str, **changed: Any) -> dict[str, Any]:
    base = dict(
        quote_id="0" * 32, alert="negation", priority=0.5, severity=1.0, score=None, outlet="Harbour Post",
        published_at=datetime(2024, 6, 1, 12), headline=headline, headline_quote="We will burn it",
        best_body_quote="We will not burn it", reason="a negation is lost (“not”)", url="https://a.example/1",
        first_seen=NIGHT,
    )  # fmt: skip
    return base | changed


def morning(**changed: Any) -> dict[str, Any]:
    """One with nothing new, but for what is given."""
    quiet = dict.fromkeys(("silent", "records", "new_alerts", "watched", "spread", "rose", "fell", "entered", "people"))
    return {
        **{name: list[Any]() for name in quiet}, "written_at": NIGHT, "n_alerts": 1,
        "run": {"run_id": "20240602T030000Z-abc", "night": "2 June", "started_at": NIGHT}, **changed,
    }  # fmt: skip


NEWS = morning(
    new_alerts=[new_alert("Mayor: “We will burn it”"), new_alert("Union: “We strike”", outlet=None, url=None)],
    silent=[{
        "source": "wire", "outlet": "Weekly & Sons", "documents": 0, "norm": 12.0,
        "message": "Weekly & Sons brought nothing; on other nights it brings 12 articles",
    }],
    watched=[
        {"watch_id": "a", "text": "A stitch in time", "new_uses": 3, "new_outlets": 2, "uses": 1040},
        {"watch_id": "b", "text": "Rome was not built in a day", "new_uses": 0, "new_outlets": 0, "uses": 9},
    ],
)  # fmt: skip
