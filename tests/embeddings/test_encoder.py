"""The encoder with its real default model: vectors, batches, limits, and texts packed into one row."""

import itertools
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.embeddings import bert, models
from quotelake.embeddings import encoder as encoder_module
from quotelake.embeddings.batches import TOKENS_PER_TEXT, Batch, fixed, ladder, runs
from quotelake.embeddings.bert import Bert
from quotelake.embeddings.encoder import Encoder
from quotelake.errors import SettingsError

TEXTS = [
    "The council will close two libraries in May.",
    "In May, two libraries are to be shut by the council.",
    "A goalkeeper saved three penalties in the rain.",
    "",
    "Élodie’s “naïve” plan — 1,200 £ — failed…",
    "東京で二人が会った。",
    *("It was a long meeting about roads, bridges and one very old canal. " * n for n in range(1, 30, 4)),
]
LENGTHS = st.lists(st.integers(0, 300), max_size=200)
BUDGET = st.integers(1, 2000)


def positions(batches: list[Batch]) -> list[int]:
    return sorted(position for batch in batches for position in batch.positions)


@given(LENGTHS, st.integers(0, 300), BUDGET)
def test_fixed_shapes_hold_every_text_once_at_the_shape_it_has_alone(lengths: list[int], length: int, budget: int):
    shapes = ladder(300, budget)
    batches = list(fixed([*lengths, length], shapes))
    assert positions(batches) == list(range(len(lengths) + 1))
    for batch in batches:
        assert batch.shape in shapes and 0 < len(batch.positions) <= batch.shape.rows
        assert all([*lengths, length][position] <= batch.shape.length for position in batch.positions)
    (alone,) = fixed([length], shapes)
    (among,) = (batch for batch in batches if len(lengths) in batch.positions)
    assert among.shape == alone.shape


@given(st.integers(1, 2048), BUDGET)
def test_the_ladder_climbs_to_the_maximum_within_the_budget(max_length: int, budget: int):
    shapes = ladder(max_length, budget)
    lengths = [shape.length for shape in shapes]
    assert lengths == sorted(set(lengths)) and lengths[-1] == max_length
    assert all(shape.rows == 1 or shape.rows * shape.length <= budget for shape in shapes)


@given(st.lists(st.integers(1, 40), max_size=200), st.integers(40, 80))
def test_runs_hold_every_text_once_in_order_as_many_as_fit(lengths: list[int], row: int):
    found = list(runs(np.cumsum([0, *lengths]), row))
    assert [position for each in found for position in range(each.start, each.stop)] == list(range(len(lengths)))
    most = row // TOKENS_PER_TEXT
    assert all(0 < each.stop - each.start <= most and sum(lengths[each]) <= row for each in found)
    for each in found[:-1]:
        assert each.stop - each.start == most or sum(lengths[each.start : each.stop + 1]) > row


def test_padding_to_fixed_shapes_stays_small_on_lengths_of_real_contexts():
    # Quantiles of 1,200 contexts of news and tweets, 10,000 texts: the cost that fixed shapes were chosen at.
    lengths = [length for length in (16, 22, 29, 36, 46, 90, 131, 148, 156, 174) for _ in range(1000)]
    computed = sum(batch.shape.rows * batch.shape.length for batch in fixed(lengths, ladder(256, 512)))
    assert computed / sum(lengths) < 1.15


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder(device="cpu")


@pytest.fixture(scope="module")
def exact() -> Encoder:
    return Encoder(dtype="float32", device="cpu")


def test_vectors_are_float32_of_unit_length_in_input_order_and_near_for_paraphrases(encoder: Encoder):
    vectors = encoder.encode(TEXTS)
    assert vectors.dtype == np.float32 and vectors.shape == (len(TEXTS), encoder.dimension)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    np.testing.assert_array_equal(encoder.encode(TEXTS[::-1]), vectors[::-1])
    assert vectors[0] @ vectors[1] > 0.7 and vectors[0] @ vectors[2] < 0.2
    assert encoder.encode([]).shape == (0, encoder.dimension)


def test_a_vector_is_bit_identical_alone(encoder: Encoder, exact: Encoder):
    for chosen in (encoder, exact):
        together = chosen.encode(TEXTS)
        for text, vector in zip(TEXTS, together, strict=True):
            np.testing.assert_array_equal(chosen.encode([text])[0], vector)


def plain_attention(query: Any, key: Any, value: Any, starts: Any, longest: int) -> Any:
    """Flash attention in its plain form: text by text."""
    from torch.nn.functional import scaled_dot_product_attention

    seen = query.clone()
    for begin, end in itertools.pairwise(starts.tolist()):
        assert end - begin <= longest
        parts = (each[begin:end].transpose(0, 1) for each in (query, key, value))
        seen[begin:end] = scaled_dot_product_attention(*parts).transpose(0, 1)
    return seen


@pytest.mark.parametrize(("dtype", "least"), [("float32", 1 - 1e-6), ("bfloat16", 0.999)])
def test_packed_texts_have_the_vectors_of_fixed_shapes_in_any_company(
    dtype: str, least: float, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(bert, "flash_attention", plain_attention)
    monkeypatch.setattr(encoder_module, "CUDA_TOKENS", 600)
    encoder = Encoder(dtype=dtype, device="cpu")
    padded = encoder.encode(TEXTS)
    monkeypatch.setattr(encoder, "packs", True)
    packed = encoder.encode(TEXTS)
    assert (packed * padded).sum(axis=1).min() > least
    if dtype == "float32":
        np.testing.assert_allclose(packed, padded, atol=1e-5)
    for order in (slice(None, None, -1), slice(0, 1), slice(3, 9)):
        np.testing.assert_array_equal(encoder.encode(TEXTS[order]), packed[order])
    assert encoder.encode([]).shape == (0, encoder.dimension)


def test_a_long_text_is_cut_and_counted_never_refused(encoder: Encoder):
    limit = encoder.max_length
    fits, longer = "word " * (limit - 2), "word " * (limit - 1)  # two special tokens
    found = encoder.compute(encoder.tokenise([fits, longer, "", "word " * 200_000]))
    assert found.truncated.tolist() == [False, True, False, True]
    np.testing.assert_array_equal(found.vectors[0], found.vectors[1])
    short = Encoder(dtype="float32", device="cpu", max_length=5)
    found = short.compute(short.tokenise(["red green blue", "red green blue black", "red green blue white"]))
    assert found.truncated.tolist() == [False, True, True]
    np.testing.assert_array_equal(found.vectors[1], found.vectors[2])


@pytest.mark.process
def test_the_default_model_is_embedded_without_transformers_and_found_without_torch():
    code = (
        "import sys; import quotelake.embeddings.encoder as e; e.models.find(); first = {'torch', 'pyspark'};"
        "print(first & set(sys.modules)); e.Encoder(device='cpu').encode(['One sentence.']);"
        "print({'transformers', 'sentence_transformers', 'sklearn', 'scipy', 'pandas'} & set(sys.modules))"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    seen = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert seen.stdout.split() == ["set()", "set()"]


@pytest.mark.parametrize(("argument", "value"), [("dtype", "float8"), ("max_length", 2), ("max_length", 513)])
def test_values_out_of_range_are_refused_by_name(argument: str, value: object):
    with pytest.raises(SettingsError, match=argument):
        Encoder(device="cpu", **{argument: value})


def test_pooling_and_norm_are_computed_in_float32():
    import torch

    network = Bert(models.find(dtype="bfloat16"), "cpu")
    ids, mask = torch.tensor([[101, 3712, 2003, 102, 0]]), torch.tensor([[1, 1, 1, 1, 0]])
    with torch.inference_mode():
        tokens = network.contextualise(ids, mask)
        assert tokens.dtype == torch.bfloat16
        mean = tokens.double().numpy()[0, :4].mean(axis=0)
        vector = network.embed(ids, mask).numpy()[0]
    np.testing.assert_allclose(vector, mean / np.linalg.norm(mean), atol=1e-6)  # bfloat16 would be off by 1e-3
