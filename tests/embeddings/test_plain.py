"""The light way to load a plain model gives the vectors of sentence-transformers; other models are left to that."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from quotelake.embeddings import models, plain
from quotelake.embeddings.encoder import Encoder, General, load_general
from quotelake.embeddings.models import DEFAULT
from quotelake.embeddings.plain import Bert

TEXTS = [
    "The council will close two libraries in May.",
    "",
    "Élodie’s “naïve” plan — 1,200 £ — failed…",
    "東京で二人が会った。",
    *("It was a long meeting about roads, bridges and one very old canal. " * n for n in range(1, 30)),
]


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_the_light_way_gives_the_same_bits_as_the_general_one(dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    light = Encoder(dtype=dtype, device="cpu", threads=1)
    monkeypatch.setattr(plain, "is_plain", lambda directory: False)
    whole = Encoder(dtype=dtype, device="cpu", threads=1)
    assert (type(light._network), type(whole._network)) == (Bert, General)
    np.testing.assert_array_equal(light.encode(TEXTS), whole.encode(TEXTS))
    assert light.truncated(TEXTS).tolist() == whole.truncated(TEXTS).tolist()


@pytest.fixture(scope="module")
def both() -> tuple[Bert, General]:
    found = models.find(dtype="float32")
    return plain.load(found, "cpu"), load_general(found, "cpu")


@pytest.mark.slow
@hypothesis_settings(max_examples=200, deadline=None)
@given(st.lists(st.text() | st.sampled_from(TEXTS), min_size=1, max_size=4), st.integers(3, 40))
def test_any_text_gets_the_tokens_of_the_general_way(
    both: tuple[Bert, General], texts: list[str], max_length: int
) -> None:
    light, whole = both
    assert light.tokenise(texts, max_length) == whole.tokenise(texts, max_length)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the default model whose settings may be changed; the weights are a link."""
    source, target = models.locate(DEFAULT), tmp_path / "copy"
    for file in source.rglob("*"):
        place = target / file.relative_to(source)
        if file.is_file():
            place.parent.mkdir(parents=True, exist_ok=True)
            if file.suffix == ".safetensors":
                place.symlink_to(file)
            else:
                place.write_bytes(file.read_bytes())
    return target


def change(directory: Path, name: str, edit: Callable[[Any], object]) -> None:
    path = directory / name
    content = json.loads(path.read_text())
    edit(content)
    path.write_text(json.dumps(content))


DENSE = {"idx": 3, "name": "3", "path": "3_Dense", "type": "sentence_transformers.models.Dense"}


@pytest.mark.parametrize(
    ("name", "edit"),
    [
        ("modules.json", lambda m: m.append(DENSE)),
        ("config.json", lambda c: c.update(model_type="mpnet")),
        ("config.json", lambda c: c.update(hidden_act="relu")),
        ("config.json", lambda c: c.update(position_embedding_type="relative_key")),
        ("1_Pooling/config.json", lambda p: p.update(pooling_mode_mean_tokens=False, pooling_mode_cls_token=True)),
        ("1_Pooling/config.json", lambda p: p.update(pooling_mode_max_tokens=True)),
        ("1_Pooling/config.json", lambda p: p.update(pooling_mode=["mean", "max"])),
        ("sentence_bert_config.json", lambda c: c.update(model_args={"attn_implementation": "eager"})),
        (
            "config_sentence_transformers.json",
            lambda c: c.update(default_prompt_name="query", prompts={"query": "q: "}),
        ),
        ("tokenizer_config.json", lambda c: c.update(do_lower_case=False)),
        ("tokenizer_config.json", lambda c: c.update(tokenizer_class="MPNetTokenizer")),
        ("tokenizer.json", lambda t: t["normalizer"].update(strip_accents=False)),
        ("tokenizer.json", lambda t: t["post_processor"]["single"].pop()),
    ],
)
def test_a_model_that_says_anything_else_is_not_plain(copy: Path, name: str, edit: Callable[[Any], object]) -> None:
    assert plain.is_plain(copy)
    change(copy, name, edit)
    assert not plain.is_plain(copy)


@pytest.mark.slow
def test_a_model_with_another_pooling_is_loaded_the_general_way(copy: Path) -> None:
    from sentence_transformers import SentenceTransformer

    change(
        copy, "1_Pooling/config.json", lambda p: p.update(pooling_mode_mean_tokens=False, pooling_mode_cls_token=True)
    )
    encoder = Encoder(str(copy), "float32", "cpu")
    assert isinstance(encoder._network, General)
    theirs = SentenceTransformer(str(copy), device="cpu", local_files_only=True).encode(TEXTS)
    np.testing.assert_allclose(encoder.encode(TEXTS), theirs, atol=2e-6)


@pytest.mark.slow
def test_a_model_saved_by_todays_sentence_transformers_is_plain(tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer

    SentenceTransformer(str(models.locate(DEFAULT)), device="cpu", local_files_only=True).save(str(tmp_path))
    saved = Encoder(str(tmp_path), "float32", "cpu", max_length=256)
    assert isinstance(saved._network, Bert)
    np.testing.assert_array_equal(saved.encode(TEXTS), Encoder(dtype="float32", device="cpu").encode(TEXTS))


@pytest.mark.process
def test_a_plain_model_is_embedded_without_transformers() -> None:
    code = (
        "import sys; from quotelake.embeddings.encoder import Encoder; Encoder(device='cpu').encode(['One sentence.']);"
        "print({'transformers', 'sentence_transformers', 'sklearn', 'scipy', 'pandas'} & set(sys.modules))"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    seen = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert seen.stdout.strip() == "set()"
