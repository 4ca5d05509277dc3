"""What the tests of the bench share."""

from collections.abc import Callable

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
