"""A year of nights: cut in the order of publication, gone on with where it stopped, and shown beside the tenth."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import pytest

from quotelab.benchmarks import year
from quotelake.errors import InputError


def test_the_year_goes_on_from_its_last_night(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    days: list[str] = []

    def night(options: Any, work: Path, number: int, records: list[bytes]) -> dict[str, float]:
        assert number == len(days)
        days.append(max(json.loads(record)["published"] for record in records))
        return {"CPU s": 9.0, "files": number + 1.0} | ({"maintain CPU s": 5.0} if number % 7 == 6 else {})

    monkeypatch.setattr(year, "_night", night)
    year.configure(parser := ArgumentParser())
    given = ("--work", str(tmp_path), "--records", "2", "--nights")
    with pytest.raises(InputError, match="from 20 on"):
        year.run(parser.parse_args([*given, "19"]))
    year.run(parser.parse_args([*given, "40"]))
    assert len(days) == 40 and days == sorted(days)
    shown = [[cell.strip() for cell in line.split("│")] for line in capsys.readouterr().out.splitlines()]
    assert ["", "files", "10.0", "37.0", "3.70", ""] in shown
    assert ["", "maintain CPU s", "5.0", "5.0", "1.00", ""] in shown
