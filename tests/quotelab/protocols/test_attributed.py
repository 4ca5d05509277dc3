"""Protocol ``attributed``: what counts as kept, found and right, and floors on real articles."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quotelab.protocols.attributed import evaluate

TEXT = "Der Film „Nachtzug“ läuft. „Wir gehen“, sagte Ute Bell. Man sei „am Ende“, so Max Odell."


def annotation(quote: str, speaker: str | None, kind: str = "Direct") -> dict[str, Any]:
    spans = [[[TEXT.index(part), TEXT.index(part) + len(part)]] if part else None for part in (quote, speaker)]
    return {"type": kind, "quote": spans[0], "speaker": spans[1]}


def test_figures_of_each_split(jsonl: Callable[..., Path]):
    went, end = annotation("„Wir gehen“", "Ute Bell"), annotation("am Ende", "Max Odell")
    missed = annotation("Film „Nachtzug“ läuft", None)  # no quote of ours has these ends
    dev = {"id": "1", "split": "dev", "text": TEXT, "annotations": [went, end, missed, {**went, "type": "Indirect"}]}
    wrong = {"id": "2", "split": "test", "text": TEXT, "annotations": [annotation("„Wir gehen“", "Max Odell")]}
    found = evaluate(jsonl(dev, wrong), language="de").figures
    names = ("direct_share", "direct_kept", "speaker_precision", "speaker_recall", "direct_found", "annotated")
    assert [found[f"{name}_dev"] for name in names] == [1, 2 / 3, 1, 1, 2 / 3, 3]
    assert [found[f"{name}_test"] for name in names[:4]] == [1 / 2, 1, 0, 0]
    only = evaluate(jsonl(dev, wrong), part="test")
    assert [row["split"] for row in only.rows] == ["test"] and only.rows[0]["rules"] == {
        "behind: verb, subject": (1, 0)
    }


@pytest.mark.slow
@pytest.mark.real_data
def test_floors_on_the_real_articles(data: Callable[[str], Path]):
    found = evaluate(data("german/wikinews_850.jsonl.gz"), part="dev", language="de").figures
    assert found["direct_share_dev"] > 0.86 and found["direct_found_dev"] > 0.98
    assert found["direct_kept_dev"] > 0.94
    assert found["speaker_precision_dev"] > 0.9 and found["speaker_recall_dev"] > 0.74
