"""A BERT with mean pooling, such as the default model, in plain torch: token ids to a vector per text.

Importing sentence-transformers costs 6 seconds of CPU per process, as much as embedding 600 contexts. So this common
kind of model is computed here, by the same operations in the same order: on a CPU to the bit alike. On a GPU texts can
also be packed: many of them behind one another in one row, without padding.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from quotelake.embeddings.batches import TOKENS_PER_TEXT
from quotelake.embeddings.models import Model, read_json
from quotelake.embeddings.tokens import tokeniser


def is_plain_bert(directory: Path) -> bool:
    """Whether a model's files state what :class:`Bert` computes: a BERT of word pieces, mean pooling, no prompt."""
    pooling, reading, prompts, config, tokenizer, words = (
        read_json(directory / f"{file}.json", default={})
        for file in ("1_Pooling/config", "sentence_bert_config", "config_sentence_transformers", "config", "tokenizer",
                     "tokenizer_config")
    )  # fmt: skip
    modules = [each["type"].rpartition(".")[2] for each in read_json(directory / "modules.json", default=[])]
    modes = [mode for mode, is_on in pooling.items() if mode.startswith("pooling_mode_") and is_on]
    return (
        " ".join(modules) in ("Transformer Pooling", "Transformer Pooling Normalize")
        and (directory / "model.safetensors").is_file()
        and config.get("architectures") == ["BertModel"]
        and config.get("hidden_act") == "gelu"
        and config.get("position_embedding_type", "absolute") == "absolute"
        and pooling.get("pooling_mode", modes) in ("mean", ["pooling_mode_mean_tokens"])
        and not reading.get("do_lower_case")
        and not prompts.get("default_prompt_name")
        and tokenizer.get("model", {}).get("type") == "WordPiece"
        and (tokenizer.get("normalizer") or {}).get("lowercase") == words.get("do_lower_case", True)
    )


def flash_attention(query: Any, key: Any, value: Any, starts: Any, longest: int) -> Any:
    """Attention of each token to those of its text: three inputs of (tokens, heads, width), ``starts`` (texts + 1,)."""
    import torch

    # Not varlen_attn, which calls it: torch has it since 2.2, and from 2.15 on varlen_attn takes cuDNN's on some cards.
    forward = torch.ops.aten._flash_attention_forward
    return forward(query, key, value, starts, starts, longest, longest, 0.0, False, False)[0]


class Bert:
    """A BERT and its tokenizer, in the dtype and on the device to compute with."""

    def __init__(self, model: Model, device: str) -> None:
        import torch
        from safetensors.torch import load_file

        dtype = getattr(torch, model.dtype)
        weights = {
            # Via float32, as in General, so that a model stored in half precision is rounded in the same way.
            name: tensor.float().to(device=device, dtype=dtype)
            for name, tensor in load_file(model.directory / "model.safetensors").items()
            if tensor.is_floating_point()
        }

        def norm(name: str) -> tuple[Any, Any]:
            return weights[f"{name}.LayerNorm.weight"], weights[f"{name}.LayerNorm.bias"]

        def linear(*names: str) -> tuple[Any, Any]:
            """Stack layers that read the same input into one: one product instead of three, with the same sums."""
            weight, bias = (torch.cat([weights[f"{name}.{part}"] for name in names]) for part in ("weight", "bias"))
            return weight, bias

        config = json.loads((model.directory / "config.json").read_text("utf-8"))
        self._words, self._positions = (
            weights[f"embeddings.{part}_embeddings.weight"] for part in ("word", "position")
        )
        self._first_type = weights["embeddings.token_type_embeddings.weight"][0]
        self._norm = norm("embeddings")
        self._layers = [
            (
                linear(*(f"{layer}.attention.self.{part}" for part in ("query", "key", "value"))),
                linear(f"{layer}.attention.output.dense"),
                norm(f"{layer}.attention.output"),
                linear(f"{layer}.intermediate.dense"),
                linear(f"{layer}.output.dense"),
                norm(f"{layer}.output"),
            )
            for layer in (f"encoder.layer.{number}" for number in range(config["num_hidden_layers"]))
        ]
        self._heads, self._epsilon = config["num_attention_heads"], config["layer_norm_eps"]
        self.tokenise = tokeniser(model.directory / "tokenizer.json")
        self.padding = int(config.get("pad_token_id", 0))
        self.positions: int | None = len(self._positions)

    def embed(self, ids: Any, mask: Any) -> Any:
        """Return one float32 vector per row of ``ids`` (rows, length); ``mask`` is 1 at tokens, 0 at padding."""
        import torch

        tokens, kept = self.contextualise(ids, mask).float(), mask.unsqueeze(-1).float()
        mean = (tokens * kept).sum(dim=1) / kept.sum(dim=1).clamp(min=1e-9)
        return torch.nn.functional.normalize(mean, dim=1)

    def contextualise(self, ids: Any, mask: Any) -> Any:
        """Return the last hidden state: a vector per token, in the dtype of the weights."""
        import torch

        rows, length = ids.shape
        # Added to the attention scores, so that no token attends to padding. Expanded, never copied.
        bias = torch.zeros(mask.shape, dtype=self._words.dtype, device=ids.device)
        bias = bias.masked_fill_(mask == 0, float("-inf"))[:, None, None, :].expand(rows, 1, length, length)

        def attend(merged: Any) -> Any:
            query, key, value = merged.view(rows, length, 3, self._heads, -1).permute(2, 0, 3, 1, 4).unbind()
            seen = torch.nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=bias)
            return seen.transpose(1, 2).reshape(rows, length, -1)

        return self._hidden(ids, self._positions[:length], attend)

    def embed_packed(self, ids: Any, starts: Any, longest: int, row: int) -> Any:
        """Return one float32 vector per text: text ``i`` has ``ids[starts[i]:starts[i + 1]]``, ``longest`` at most.

        They are computed in one row of ``row`` tokens, as long as that of :func:`quotelake.embeddings.batches.runs`,
        whose end is filled: no operation's shape, and so no order of sums, depends on the texts. ``starts`` are int64.
        """
        import torch
        from torch.nn import functional

        used, texts = len(ids), len(starts) - 1
        places = torch.arange(used, device=ids.device) - starts[:-1].repeat_interleave(starts.diff(), output_size=used)
        ids, places = (functional.pad(each, (0, row - used)) for each in (ids, places))
        starts = functional.pad(starts, (0, row // TOKENS_PER_TEXT - texts), value=used)
        bounds = starts.int()

        def attend(merged: Any) -> Any:
            query, key, value = merged.view(row, 3, self._heads, -1).unbind(1)
            return flash_attention(query, key, value, bounds, longest).reshape(row, -1)

        hidden = self._hidden(ids, self._positions[places], attend).float()
        # It adds the tokens of a text in their order. unsafe: without a check that would wait for the GPU.
        means = torch.segment_reduce(hidden, "mean", offsets=starts, unsafe=True)
        return functional.normalize(means, dim=1)[:texts]

    def _hidden(self, ids: Any, positions: Any, attend: Callable[[Any], Any]) -> Any:
        from torch.nn import functional

        def normed(x: Any, norm: tuple[Any, Any]) -> Any:
            return functional.layer_norm(x, x.shape[-1:], *norm, self._epsilon)

        x = normed(functional.embedding(ids, self._words) + self._first_type + positions, self._norm)
        for parts, merge, attention_norm, widen, narrow, output_norm in self._layers:
            seen = attend(functional.linear(x, *parts))
            x = normed(functional.linear(seen, *merge) + x, attention_norm)
            wide = functional.gelu(functional.linear(x, *widen))
            x = normed(functional.linear(wide, *narrow) + x, output_norm)
        return x
