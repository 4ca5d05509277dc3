"""Kinds of alerts are counted on real and written headlines, and the file says what was read."""

import json

from quotelab.cli import run
from quotelake.contextomy.budget import Alarms

BODY = "“It is a lie that we will strike on Monday,” said Tom Bell. “We may pay for it,” he added."
REAL = [{"id": n, "title": title, "text": BODY} for n, title in enumerate(("Bell: “We will strike on Monday”", "Rain"))]
ROW = {"headline": "Bell: “We will pay for it”", "label": "M", "second": "M", "kind": "hedge_lost"}


def test_alarms_are_those_counted_by_hand(jsonl, tmp_path, capsys):
    rows = [
        {**ROW, "id": 1, "body": BODY},
        {**ROW, "id": 0},
        {**ROW, "id": 2, "body": BODY, "label": "F", "second": "F"},
    ]
    real, written, out = jsonl(*REAL, name="real.jsonl"), jsonl(*rows, name="written.jsonl"), tmp_path / "alerts.json"
    given = ["--texts", str(real), "--data", str(written), "--articles", str(real), "--out", str(out)]
    assert run(["train", "alerts", *given]) == 0
    alarms = Alarms.model_validate(json.loads(out.read_text("utf-8")))
    assert (alarms.real, alarms.real_quotes, alarms.written, alarms.written_headlines) == ("real", 1, "written", 2)
    counted = {kind.value: (found.real, found.written) for kind, found in alarms.kinds.items()}
    assert (counted["reported"], counted["hedge"], counted["number"]) == ((1, 0), (0, 2), (0, 0))
    assert "reported" in capsys.readouterr().out
