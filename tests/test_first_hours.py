"""The walks of the first hours print what the document shows, each command in a shell that knows nothing of it."""

from pathlib import Path

import pytest

from quotelab.benchmarks.walks import do, folder_with_environment, masked, steps

DOCUMENT = Path(__file__).parents[1] / "docs" / "FIRST_HOURS.md"


@pytest.mark.slow
@pytest.mark.spark
def test_every_command_of_the_first_hours_prints_what_is_shown():
    with folder_with_environment() as folder:
        for step in steps(DOCUMENT.read_text("utf-8")):
            printed = do(step, folder)
            assert masked(printed) == masked(step.text), f"{step.command}\n{printed}\nif meant: quotelab walks"
