"""A topic head: the vectors it makes, and what it refuses."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.embeddings.models import DEFAULT
from quotelake.errors import InputError
from quotelake.topics.head import Vectors, blend, load, make_head, project, save, unit

CARD = {
    "model": "some-encoder",
    "fingerprint": "0" * 32,
    "raw_weight": 0.2,
    "recipe": {},
    "training": {"set": "made-up", "pairs": 2, "targets": 2, "sha256": ""},
    "figures": {},
}


def drawn(rows: int, dimension: int, seed: int = 0) -> Vectors:
    return unit(np.random.default_rng(seed).normal(size=(rows, dimension)))


@given(st.integers(0, 2**32 - 1), st.integers(1, 200), st.integers(0, 199))
def test_a_row_has_the_same_bits_alone_and_among_others(seed: int, rows: int, place: int):
    """Scores of a lake are compared bit by bit; a plain product of matrices differs by batch."""
    x, weights = drawn(rows, 96, seed), np.eye(96, dtype=np.float32) + 0.1 * drawn(96, 96, seed + 1)
    place %= rows
    together = project(x, weights)
    assert project(x[place : place + 1], weights)[0].tobytes() == together[place].tobytes()
    np.testing.assert_allclose(together, unit(x @ weights), atol=1e-6)


def test_the_identity_leaves_the_blend_as_it_is():
    masked, raw = drawn(5, 8), drawn(5, 8, seed=1)
    head = make_head(np.eye(8, dtype=np.float32), CARD)
    expected = (masked + 0.2 * raw) / np.linalg.norm(masked + 0.2 * raw, axis=1, keepdims=True)
    np.testing.assert_allclose(head.apply(masked, raw), expected, atol=1e-6)
    np.testing.assert_allclose(blend(masked, raw, 0), masked, atol=1e-6)


def test_a_head_read_back_is_the_same(tmp_path: Path):
    head = make_head(drawn(8, 8), CARD)
    save(head, tmp_path / "head")
    for named in ("head", "head.json", "head.safetensors"):
        again = load(tmp_path / named)
        assert again.card == head.card and again.weights.tobytes() == head.weights.tobytes()


def test_changed_weights_are_refused(tmp_path: Path):
    save(make_head(drawn(8, 8), CARD), tmp_path / "head")
    save(make_head(drawn(8, 8, seed=1), CARD), tmp_path / "other")
    (tmp_path / "other.safetensors").rename(tmp_path / "head.safetensors")
    with pytest.raises(InputError, match="weights of another head"):
        load(tmp_path / "head")


@pytest.mark.parametrize(("content", "found"), [(None, "no head that can be read"), ("{}", "no topic head")])
def test_what_is_no_head_is_refused(tmp_path: Path, content: str | None, found: str):
    if content is not None:
        (tmp_path / "head.json").write_text(content)
    with pytest.raises(InputError, match=found):
        load(tmp_path / "head")


def test_another_dimension_is_refused():
    head = make_head(np.eye(8, dtype=np.float32), CARD)
    with pytest.raises(InputError, match="vectors of 16 numbers, but it was trained on 8"):
        head.apply(drawn(2, 16), drawn(2, 16))


def test_weights_that_are_not_finite_are_refused():
    with pytest.raises(InputError, match="longer than"):
        make_head(np.full((8, 8), np.nan, np.float32), CARD)


def test_another_encoder_is_refused_and_that_of_the_shipped_head_is_not():
    load().check_encoder(DEFAULT)
    with pytest.raises(InputError, match="trained on some-encoder"):
        make_head(np.eye(8, dtype=np.float32), CARD).check_encoder(DEFAULT)
