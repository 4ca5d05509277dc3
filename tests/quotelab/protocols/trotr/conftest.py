"""What the tests of the tables of TRoTR share."""

from pathlib import Path

import pytest
from tests.quotelab.protocols.trotr.made_up import write_folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of judged pairs with one fold."""
    return write_folder(tmp_path)
