"""The encoder with its real default model: vectors, batches, limits, and the two ways to compute a model."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from quotelake.embeddings import models
from quotelake.embeddings.encoder import Batch, Encoder, by_budget, fixed, ladder
from quotelake.embeddings.models import DEFAULT
from quotelake.embeddings.networks import Bert, General
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


@given(LENGTHS, BUDGET)
def test_budget_batches_hold_every_text_once_and_keep_the_budget(lengths: list[int], budget: int):
    batches = list(by_budget(lengths, budget))
    assert positions(batches) == list(range(len(lengths)))
    for batch in batches:
        assert batch.shape == (len(batch.positions), max(lengths[position] for position in batch.positions))
        assert batch.shape.rows == 1 or batch.shape.rows * batch.shape.length <= budget


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


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The default model in another directory: it is computed by sentence-transformers there."""
    return str(shutil.copytree(models.locate(DEFAULT), tmp_path_factory.mktemp("model") / "copy"))


def test_vectors_are_float32_of_unit_length_in_input_order_and_near_for_paraphrases(encoder: Encoder):
    vectors = encoder.encode(TEXTS)
    assert vectors.dtype == np.float32 and vectors.shape == (len(TEXTS), encoder.dimension)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    np.testing.assert_array_equal(encoder.encode(TEXTS[::-1]), vectors[::-1])
    assert vectors[0] @ vectors[1] > 0.7 and vectors[0] @ vectors[2] < 0.2
    assert encoder.encode([]).shape == (0, encoder.dimension)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_the_default_model_gives_the_bits_that_sentence_transformers_gives(dtype: str, copy: str):
    light, whole = (Encoder(name, dtype, "cpu", threads=1) for name in (DEFAULT, copy))
    assert (type(light._network), type(whole._network)) == (Bert, General)
    assert light.fingerprint == whole.fingerprint, "of the files, wherever they lie"
    one, other = (encoder.compute(encoder.tokenise(TEXTS)) for encoder in (light, whole))
    np.testing.assert_array_equal(one.vectors, other.vectors)
    assert one.truncated.tolist() == other.truncated.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("pooling", ["mean", "cls"])
def test_vectors_agree_with_sentence_transformers_itself(copy: str, pooling: str, tmp_path: Path):
    from sentence_transformers import SentenceTransformer

    changed = shutil.copytree(copy, tmp_path / "changed")
    file = changed / "1_Pooling" / "config.json"
    modes = {f"pooling_mode_{mode}": mode.startswith(pooling) for mode in ("cls_token", "mean_tokens")}
    file.write_text(json.dumps(json.loads(file.read_text()) | modes))
    expected = SentenceTransformer(str(changed), device="cpu", local_files_only=True).encode(TEXTS)
    np.testing.assert_allclose(Encoder(str(changed), "float32", "cpu").encode(TEXTS), expected, atol=2e-6)
    if pooling == "mean":
        half = Encoder(dtype="bfloat16", device="cpu").encode(TEXTS)
        assert (half * expected).sum(axis=1).min() > 0.9995, "bfloat16 keeps 8 bits"


@pytest.mark.slow
def test_any_text_gets_the_tokens_that_sentence_transformers_gives_it(copy: str):
    networks: list[Any] = [Bert(models.find(), "cpu"), General(models.find(copy), "cpu")]

    @hypothesis_settings(max_examples=200, deadline=None)
    @given(st.lists(st.text() | st.sampled_from(TEXTS), min_size=1, max_size=4), st.integers(3, 40))
    def check(texts: list[str], max_length: int) -> None:
        light, whole = (network.tokenise(texts, max_length) for network in networks)
        assert light == whole

    check()


def test_a_vector_is_bit_identical_alone_and_by_token_budget_agrees_to_rounding(encoder: Encoder, exact: Encoder):
    for chosen in (encoder, exact):
        together = chosen.encode(TEXTS)
        for text, vector in zip(TEXTS, together, strict=True):
            np.testing.assert_array_equal(chosen.encode([text])[0], vector)
    by_tokens = exact.compute(exact.tokenise(TEXTS), fixed_shapes=False).vectors
    np.testing.assert_allclose(by_tokens, exact.encode(TEXTS), atol=2e-6)


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
