"""What people and programs read of an evaluation."""

import json
import math
from pathlib import Path

import pytest

from quotelab.report import Report
from quotelake.errors import InputError

REPORT = Report("spans", {"texts": 1234, "f1": 0.98766, "recall": math.nan}, [{"id": "a", "text": "\ud800"}])


def test_the_table_aligns_figures_and_tells_counts_from_measures():
    lines = REPORT.as_table().splitlines()
    assert [line.split() for line in lines] == [["spans"], ["texts", "1,234"], ["f1", "0.9877"], ["recall", "–"]]
    assert len({len(line) for line in lines[1:]}) == 1


def test_json_holds_all_and_undefined_is_null(tmp_path: Path):
    REPORT.write(tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_text("utf-8")) == {
        "protocol": "spans",
        "figures": {"texts": 1234, "f1": 0.98766, "recall": None},
        "rows": [{"id": "a", "text": "\ud800"}],
    }


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path):
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"file/out\.json: cannot be written"):
        REPORT.write(tmp_path / "file" / "out.json")
