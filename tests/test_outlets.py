"""The same words across outlets, through the chain: what each cut, whom it credits; alike for nights in any order."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from quotelake.lake.tables import Lake
from quotelake.lake.upkeep import digest
from quotelake.query.engines import DuckEngine

pytestmark = [pytest.mark.spark, pytest.mark.slow]

FULL = "The old dam of the Ellory valley will hold for another ten years if nobody builds on it"
CUT = "The old dam of the Ellory valley will hold for another ten years"
FULLER = f"I have said it in every meeting since the spring: {FULL}"
AFTERNOON = "It rained all afternoon, and the ferry to the southern islands stayed in the harbour."


def article(name: str, outlet: str, hour: int, text: str, speaker: str = "Ana Ruiz") -> dict[str, str]:
    body = f"{outlet} was there when the council met. “{text},” {speaker} said.\n\n{AFTERNOON} {outlet} stayed too."
    return {
        "id": name, "outlet": outlet, "title": f"Council meets, reports {outlet}", "text": body, "lang": "en",
        "published": f"2024-04-01T{hour:02}:00:00Z", "url": f"https://example.org/{name}",
    }  # fmt: skip


FIRST = [
    article("a1", "Harrow Ledger", 8, FULL),
    article("a2", "Port Sable Gazette", 9, CUT),
    article("a3", "Meridian Daily", 11, FULL),
    article("a4", "Northgate Herald", 12, FULL, speaker="Tom Bell"),
    article("a5", "The Tidewater Post", 12, "Nobody else has these words about the lighthouse keeper and the gull"),
]
SECOND = [
    article("b1", "Calder Valley Times", 10, FULLER),  # the reference from now on
    article("b2", "Union Wire", 7, CUT, speaker="she"),
]


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str]]:
    folder = tmp_path_factory.mktemp("outlets")
    for name, rows in (("1", FIRST), ("2", SECOND)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return [("sample_news", str(folder / f"{name}.jsonl")) for name in ("1", "2")]


@pytest.fixture(scope="module")
def full(score: Callable[..., Lake], nights: list[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory) -> Lake:
    return score(tmp_path_factory.mktemp("full") / "lake", nights)


def test_each_use_is_held_against_the_fullest_and_the_spread_begins_with_the_earliest_whenever_it_came_in(full: Lake):
    with DuckEngine(full.root) as duck:
        uses = {row["native_id"]: row for row in duck.sql("SELECT * FROM quote_versions")}
        [spread] = duck.sql("SELECT * FROM quote_spread")
    assert set(uses) == {"a1", "a2", "a3", "a4", "b1", "b2"}, "one outlet alone is not compared"
    assert {row["reference_text"] for row in uses.values()} == {f"{FULLER},"}
    assert [name for name, row in uses.items() if row["is_reference"]] == ["b1"]
    kinds = {name: row["kinds"] for name, row in uses.items()}
    assert kinds["b1"] == []
    assert kinds["a1"] == kinds["a3"] == kinds["a4"] == ["omitted"]
    assert kinds["a2"] == kinds["b2"] == ["omitted", "omitted_condition"]
    cut = uses["a2"]["differences"][1]
    assert (cut["cue"], cut["reference_words"], cut["outlets"]) == ("if", "if nobody builds on it", 4)
    assert uses["a2"]["reference_text"][cut["reference_start"] : cut["reference_end"]] == cut["reference_words"]
    assert {name for name, row in uses.items() if row["trimmed"]} == {"a2", "b2"}
    otherwise = {name: row["others_speaker"] for name, row in uses.items() if row["credited_otherwise"]}
    assert otherwise == {"a4": "Ana Ruiz"}
    assert f"“{CUT},” Ana Ruiz said." in uses["a2"]["passage"]
    assert f"“{FULLER},” Ana Ruiz said." in uses["a2"]["reference_passage"]
    assert [spread[name] for name in ("outlets", "articles", "uses", "months")] == [6, 6, 6, 1]
    assert spread["first_outlet"] == "Union Wire"
    assert [spread[f"hours_to_{n}"] for n in (2, 3, 5, 10)] == [1.0, 2.0, 4.0, None]


def test_nights_the_later_first_leave_what_one_run_leaves(
    score: Callable[..., Lake], nights: list[tuple[str, str]], full: Lake, tmp_path: Path
):
    for night in reversed(nights):
        lake = score(tmp_path / "lake", [night])
    assert digest(lake, "quote_comparisons") == digest(full, "quote_comparisons")
    assert digest(lake, "quote_comparisons")[0] == 6
