"""The two ways to compute a model: what plain torch takes, it computes as sentence-transformers does."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from tests.embeddings.test_encoder import TEXTS

from quotelake.embeddings import models, networks
from quotelake.embeddings.bert import Bert, is_plain_bert
from quotelake.embeddings.encoder import Encoder
from quotelake.embeddings.networks import General

POOLING, READING, PROMPTS = "1_Pooling/config.json", "sentence_bert_config.json", "config_sentence_transformers.json"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The default model as the present sentence-transformers writes it."""
    from sentence_transformers import SentenceTransformer

    folder = str(tmp_path_factory.mktemp("model") / "whole")
    SentenceTransformer(str(models.locate(models.DEFAULT)), device="cpu").save(folder)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_plain_torch_gives_the_bits_that_sentence_transformers_gives(
    dtype: str, whole: str, monkeypatch: pytest.MonkeyPatch
):
    light = [Encoder(name, dtype, "cpu", threads=1) for name in (models.DEFAULT, whole)]
    monkeypatch.setattr(networks, "is_plain_bert", lambda _: False)
    heavy = Encoder(whole, dtype, "cpu", threads=1)
    assert {each.max_length for each in (*light, heavy)} == {256}
    assert [type(each._network) for each in (*light, heavy)] == [Bert, Bert, General]
    expected = heavy.compute(heavy.tokenise(TEXTS))
    for each in light:
        found = each.compute(each.tokenise(TEXTS))
        np.testing.assert_array_equal(found.vectors, expected.vectors)
        assert found.truncated.tolist() == expected.truncated.tolist()


def changed(folder: Path, file: str, **values: object) -> str:
    """The default model's files, of which one states other values."""
    copy = shutil.copytree(models.locate(models.DEFAULT), folder / "changed")
    content = json.loads((copy / file).read_text())
    if isinstance(content, list):
        content = content[: len(content) - 1]
    (copy / file).write_text(json.dumps(content | values if values else content))
    return str(copy)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "values", "plain"),
    [
        (POOLING, {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, False),
        (POOLING, {"pooling_mode_max_tokens": True}, False),
        (READING, {"do_lower_case": True}, False),
        (PROMPTS, {"prompts": {"query": "query: "}, "default_prompt_name": "query"}, False),
        ("config.json", {"hidden_act": "relu"}, False),
        ("tokenizer_config.json", {"do_lower_case": False}, False),
        ("modules.json", {}, True),  # without Normalize
    ],
)
def test_any_model_agrees_with_sentence_transformers_itself(
    file: str, values: dict[str, object], plain: bool, tmp_path: Path
):
    from sentence_transformers import SentenceTransformer

    model = changed(tmp_path, file, **values)
    assert is_plain_bert(Path(model)) == plain
    expected = SentenceTransformer(model, device="cpu", local_files_only=True).encode(TEXTS, normalize_embeddings=True)
    np.testing.assert_allclose(Encoder(model, "float32", "cpu").encode(TEXTS), expected, atol=2e-6)
