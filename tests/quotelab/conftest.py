"""What the tests of the bench share."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.running import Done

from quotelab.cli import run
from quotelake.errors import exit_with


@pytest.fixture
def lab(capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """Run a command of the program ``quotelab`` in this process: ``lab("train contextomy", "--data", path)``."""

    def called(command: str, *arguments: object) -> Done:
        try:
            exit_with(lambda: run([*command.split(), *map(str, arguments)]))
            code = 0
        except SystemExit as stop:
            code = int(stop.code or 0)
        return Done(code, *capsys.readouterr())

    return called


@pytest.fixture
def jsonl(tmp_path: Path) -> Callable[..., Path]:
    """Write rows, or lines as they are, to a file of JSON Lines: ``jsonl(row, row, name="corpus.jsonl")``."""

    def written(*rows: Any, name: str = "rows.jsonl") -> Path:
        lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
        return tmp_path / name

    return written
