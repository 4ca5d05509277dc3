"""What the tests of training share."""

import pytest
from tests.quotelab.training.tiny import make_tiny_model


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Directory of a very small model."""
    return make_tiny_model(tmp_path_factory.mktemp("base"))
