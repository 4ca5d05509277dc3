"""Loading a plain model: a BERT with mean pooling, as most small sentence encoders are. Needs torch, not transformers.

If a file describes anything that :class:`quotelake.embeddings.bert.Bert` does not compute, or has a key not known here,
:mod:`quotelake.embeddings.general` loads the model.
"""

import json
from pathlib import Path
from typing import Any

from quotelake.embeddings.bert import Bert
from quotelake.embeddings.models import Model

_MODULES = (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"])
_TRANSFORMER_KEYS = {"max_seq_length", "do_lower_case", "transformer_task", "modality_config", "module_output_name"}
# Key in tokenizer_config.json → key of the normalizer in tokenizer.json, and the default of both. Transformers reads
# the first and this module the second, so they must agree.
_NORMALIZER = {
    "do_lower_case": ("lowercase", True),
    "strip_accents": ("strip_accents", None),
    "tokenize_chinese_chars": ("handle_chinese_chars", True),
}


def load(model: Model, device: str) -> Bert:
    """Load a model for which :func:`is_plain` holds."""
    import torch
    from safetensors.torch import load_file
    from tokenizers import Tokenizer

    dtype = getattr(torch, model.dtype)
    weights = {
        # Via float32, as in ``general``, so that a model stored in half precision is rounded in the same way.
        name: tensor.float().to(device=device, dtype=dtype)
        for name, tensor in load_file(model.directory / "model.safetensors").items()
        if tensor.is_floating_point()
    }
    tokenizer = Tokenizer.from_file(str(model.directory / "tokenizer.json"))
    tokenizer.no_padding()
    normalize = len(_read(model.directory / "modules.json")) == len(_MODULES[-1])
    return Bert(weights, _read(model.directory / "config.json"), tokenizer, normalize=normalize)


def is_plain(directory: Path) -> bool:
    """Whether a model's files describe only what :class:`Bert` computes."""
    try:
        modules = _read(directory / "modules.json")
        return (
            [module["type"].rpartition(".")[2] for module in modules] in _MODULES
            and modules[0]["path"] == ""
            and (directory / "model.safetensors").is_file()
            and _plain_bert(_read(directory / "config.json"))
            and _plain_transformer(_read(directory / "sentence_bert_config.json"))
            and _mean_pooling(_read(directory / modules[1]["path"] / "config.json"))
            and not _read(directory / "config_sentence_transformers.json").get("default_prompt_name")
            and _plain_tokenizer(_read(directory / "tokenizer.json"), _read(directory / "tokenizer_config.json"))
        )
    except (OSError, ValueError, LookupError, TypeError, AttributeError):  # files of another structure are not plain
        return False


def _plain_bert(config: dict[str, Any]) -> bool:
    return (
        config["model_type"] == "bert"
        and config.get("hidden_act", "gelu") == "gelu"
        and config.get("position_embedding_type", "absolute") == "absolute"
        and not config.get("is_decoder")
        and not config.get("quantization_config")
    )


def _plain_transformer(config: dict[str, Any]) -> bool:
    """Whether the first module takes the last hidden state and passes no further arguments to the network."""
    return (
        config.keys() <= _TRANSFORMER_KEYS
        and not config.get("do_lower_case")
        and config.get("module_output_name", "token_embeddings") == "token_embeddings"
    )


def _mean_pooling(config: dict[str, Any]) -> bool:
    if "pooling_mode" in config:
        return bool(config["pooling_mode"] == "mean")
    return [key for key, on in config.items() if key.startswith("pooling_mode_") and on] == ["pooling_mode_mean_tokens"]


def _plain_tokenizer(tokenizer: dict[str, Any], stated: dict[str, Any]) -> bool:
    template = [next(iter(piece.values()))["id"] for piece in tokenizer["post_processor"]["single"]]
    normalizer = tokenizer["normalizer"]
    return (
        stated["tokenizer_class"] in ("BertTokenizer", "BertTokenizerFast")
        and tokenizer["model"]["type"] == "WordPiece"
        and tokenizer["pre_tokenizer"] == {"type": "BertPreTokenizer"}
        and template == ["[CLS]", "A", "[SEP]"]
        and normalizer["type"] == "BertNormalizer"
        and all(stated.get(key, usual) == normalizer.get(name, usual) for key, (name, usual) in _NORMALIZER.items())
    )


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
