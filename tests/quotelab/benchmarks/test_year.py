"""A year of nights: cut in the order of publication, gone on with where it stopped, and shown beside the tenth."""

import json
from argparse import ArgumentParser
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from quotelab.benchmarks import year
from quotelab.benchmarks.corpora import Inputs
from quotelake.errors import InputError


def test_the_year_goes_on_from_its_last_night(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    days: list[str] = []
    measured: list[int] = []

    def unmeasured(options: Any, lake: Path, number: int, inputs: Inputs) -> None:
        assert number == len(days)
        days.append(max(json.loads(record)["published"] for record in Path(inputs[0][1]).read_text().splitlines()))

    def night(options: Any, lake: Path, number: int, inputs: Inputs) -> dict[str, float]:
        unmeasured(options, lake, number, inputs)
        measured.append(number + 1)
        return {"CPU s": 9.0, "files": number + 1.0} | ({"maintain CPU s": 5.0} if number % 7 == 6 else {})

    monkeypatch.setattr(year, "_measured", night)
    monkeypatch.setattr(year, "_unmeasured", unmeasured)
    monkeypatch.setattr(year, "ProcessPoolExecutor", lambda processes, *given: ThreadPoolExecutor(processes))
    year.configure(parser := ArgumentParser())
    (log := tmp_path / "lake" / "log" / "0.json").parent.mkdir(parents=True)
    log.touch()
    made = log.stat().st_mtime
    given = ("--work", str(tmp_path), "--records", "2", "--nights")
    with pytest.raises(InputError, match="from 20 on"):
        year.run(parser.parse_args([*given, "19"]))
    year.run(parser.parse_args([*given, "40"]))
    assert len(days) == 40 and days == sorted(days)
    assert made - log.stat().st_mtime == pytest.approx(40 * 86_400), "a log is as old as the nights that it saw"
    assert measured == [*range(7, 14), *range(14, 20), *range(34, 41)]  # first 19 nights were asked for, then 40
    shown = [[cell.strip() for cell in line.split("│")] for line in capsys.readouterr().out.splitlines()]
    assert ["", "files", "10.0", "37.0", "3.70", ""] in shown
    assert ["", "maintain CPU s", "5.0", "5.0", "1.00", ""] in shown
