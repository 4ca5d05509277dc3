"""What stands for a context is named in every score, and needs only the vectors it is made of."""

import numpy as np
import pytest

from quotelake.embeddings.models import DEFAULT
from quotelake.errors import InputError
from quotelake.settings import load_settings
from quotelake.topics.head import load
from quotelake.topics.representation import Representation, representation_of

MASKED, RAW = np.eye(3, dtype=np.float32)[[0, 1]], np.eye(3, dtype=np.float32)[[2, 2]]


def test_each_needs_its_own_vectors_and_has_its_own_name():
    assert (Representation("raw").vectors(None, RAW) == RAW).all()
    assert (Representation("masked").vectors(MASKED, None) == MASKED).all()
    mixed = Representation("blend").vectors(MASKED, RAW)
    assert mixed[0] == pytest.approx(np.array([1, 0, 0.2]) / np.sqrt(1.04), abs=1e-6)
    assert len({Representation(name).name for name in ("raw", "masked", "blend")}) == 3


def test_a_head_takes_its_own_blend_and_is_named_by_its_weights():
    head = load()
    representation = Representation("masked", head)
    assert representation.needs_raw and representation.needs_masked
    assert representation.name == f"blend+{head.version}"
    size = head.card.dimension
    rows = np.eye(size, dtype=np.float32)[:2]
    assert (representation.vectors(rows, rows) == head.apply(rows, rows)).all()


def test_settings_name_a_head_or_none():
    topics = load_settings(overrides=["topics.head=shipped"]).topics
    assert representation_of(topics, DEFAULT).head is not None
    with pytest.raises(InputError, match="no head that can be read"):
        representation_of(load_settings(overrides=["topics.head=/nowhere/head"]).topics, DEFAULT)
