"""What stands for a context: the vectors that a topic head makes and its refusals, and the vectors that each needs."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelab.training.topic_head import make_head, save
from quotelake.embeddings.models import DEFAULT
from quotelake.errors import InputError
from quotelake.settings import load_settings
from quotelake.topics.head import Representation, Vectors, blend, load, project, representation_of, unit

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


def test_a_head_read_back_is_the_same_and_changed_weights_are_refused(tmp_path: Path):
    head = make_head(drawn(8, 8), CARD)
    save(head, tmp_path / "head")
    for named in ("head", "head.json", "head.safetensors"):
        again = load(tmp_path / named)
        assert again.card == head.card and again.weights.tobytes() == head.weights.tobytes()
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


def test_weights_that_are_not_finite_are_refused():
    with pytest.raises(InputError, match="longer than"):
        make_head(np.full((8, 8), np.nan, np.float32), CARD)


def test_settings_name_a_head_or_none_and_another_encoder_is_refused(tmp_path: Path):
    def chosen(head: object) -> Representation:
        return representation_of(load_settings(overrides=[f"topics.head={head}"]).topics, DEFAULT)

    shipped, rows = chosen("shipped"), np.eye(384, dtype=np.float32)[:2]
    assert shipped.head is not None and shipped.name == f"blend+{shipped.head.version}"
    assert (shipped.vectors(rows, rows) == shipped.head.apply(rows, rows)).all()
    assert chosen("none") == Representation("masked")
    save(make_head(np.eye(8, dtype=np.float32), {**CARD, "raw_weight": 0}), tmp_path / "head")
    with pytest.raises(InputError, match="trained on some-encoder"):
        chosen(tmp_path / "head")


def test_each_representation_needs_its_own_vectors_and_has_its_own_name():
    masked, raw = np.eye(3, dtype=np.float32)[[0, 1]], np.eye(3, dtype=np.float32)[[2, 2]]
    of_raw, of_masked, mixed = map(Representation, ("raw", "masked", "blend"))
    assert (of_raw.vectors(None, raw) == raw).all() and of_raw.needed == ("raw",)
    assert (of_masked.vectors(masked, None) == masked).all() and of_masked.needed == ("masked",)
    assert mixed.vectors(masked, raw)[0] == pytest.approx(np.array([1, 0, 0.2]) / np.sqrt(1.04), abs=1e-6)
    assert mixed.needed == ("masked", "raw") and len({each.name for each in (of_raw, of_masked, mixed)}) == 3
    without_raw = make_head(np.eye(3, dtype=np.float32), {**CARD, "raw_weight": 0})
    assert (Representation("masked", without_raw).vectors(masked, None) == masked).all()
