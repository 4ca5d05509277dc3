"""A plain model, a BERT with mean pooling as most small sentence encoders are, as one page of torch.

It has the operations of sentence-transformers in the same order, so its vectors are those of sentence-transformers bit
for bit, on the same processor and at the same shapes. What it saves is the import of sentence-transformers and
transformers, which costs 6 seconds of CPU per process (as much as embedding 600 contexts), and what those packages do
around each operation. If a file describes anything that :class:`Bert` does not compute, or has a key not known here,
:class:`quotelake.embeddings.encoder.General` computes the model.
"""

import json
from pathlib import Path
from typing import Any

from quotelake.embeddings.models import Model


class Bert:
    """The network and its tokenizer; the interface is :class:`quotelake.embeddings.encoder.Network`."""

    def __init__(self, weights: dict[str, Any], config: dict[str, Any], tokenizer: Any, *, normalize: bool) -> None:
        """Take weights as named in the model's safetensors file, in the dtype and on the device to compute with."""
        import torch

        def norm(name: str) -> tuple[Any, Any]:
            return weights[f"{name}.LayerNorm.weight"], weights[f"{name}.LayerNorm.bias"]

        def linear(*names: str) -> tuple[Any, Any]:
            """Stack layers that read the same input into one: one product instead of three, with the same sums."""
            weight, bias = (torch.cat([weights[f"{name}.{part}"] for name in names]) for part in ("weight", "bias"))
            return weight, bias

        self._words, self._positions = (
            weights[f"embeddings.{part}_embeddings.weight"] for part in ("word", "position")
        )
        self._first_type = weights["embeddings.token_type_embeddings.weight"][0]
        self._norm = norm("embeddings")
        self._layers = []
        for number in range(config["num_hidden_layers"]):
            layer = f"encoder.layer.{number}"
            attention = [f"{layer}.attention.self.{part}" for part in ("query", "key", "value")]
            self._layers.append(
                (
                    linear(*attention),
                    linear(f"{layer}.attention.output.dense"),
                    norm(f"{layer}.attention.output"),
                    linear(f"{layer}.intermediate.dense"),
                    linear(f"{layer}.output.dense"),
                    norm(f"{layer}.output"),
                )
            )
        self._heads, self._epsilon, self._normalize = config["num_attention_heads"], config["layer_norm_eps"], normalize
        self._tokenizer = tokenizer
        self.padding = int(config.get("pad_token_id") or 0)
        self.positions: int | None = len(self._positions)

    def tokenise(self, texts: list[str], max_length: int) -> tuple[list[list[int]], list[bool]]:
        """Return each text's token ids, cut to ``max_length``, and whether it was cut."""
        self._tokenizer.enable_truncation(max_length)
        encoded = self._tokenizer.encode_batch(texts)
        return [text.ids for text in encoded], [bool(text.overflowing) for text in encoded]

    def embed(self, ids: Any, mask: Any) -> Any:
        """Return one float32 vector per row of ``ids`` (rows, length); ``mask`` is 1 at tokens, 0 at padding."""
        import torch

        tokens, kept = self.contextualise(ids, mask).float(), mask.unsqueeze(-1).float()
        mean = (tokens * kept).sum(dim=1) / kept.sum(dim=1).clamp(min=1e-9)
        return torch.nn.functional.normalize(mean, dim=1) if self._normalize else mean

    def contextualise(self, ids: Any, mask: Any) -> Any:
        """Return the last hidden state: a vector per token, in the dtype of the weights."""
        import torch
        from torch.nn import functional

        rows, length = ids.shape
        # Added to the attention scores, so that no token attends to padding. Expanded, never copied.
        bias = torch.zeros(mask.shape, dtype=self._words.dtype, device=ids.device)
        bias = bias.masked_fill_(mask == 0, float("-inf"))[:, None, None, :].expand(rows, 1, length, length)

        def normed(x: Any, norm: tuple[Any, Any]) -> Any:
            return functional.layer_norm(x, x.shape[-1:], *norm, self._epsilon)

        embedded = functional.embedding(ids, self._words) + self._first_type + self._positions[:length]
        x = normed(embedded, self._norm)
        for attend, merge, attention_norm, widen, narrow, output_norm in self._layers:
            parted = functional.linear(x, *attend).view(rows, length, 3, self._heads, -1).permute(2, 0, 3, 1, 4)
            query, key, value = parted.unbind()
            seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=bias)
            seen = seen.transpose(1, 2).reshape(rows, length, -1)
            x = normed(functional.linear(seen, *merge) + x, attention_norm)
            wide = functional.gelu(functional.linear(x, *widen))
            x = normed(functional.linear(wide, *narrow) + x, output_norm)
        return x


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
