"""Loaded models: token ids to a vector per text. The default one in plain torch, all others by their package.

Importing sentence-transformers costs 6 seconds of CPU per process, as much as embedding 600 contexts. So the default
model, a BERT with mean pooling, is computed here, by the same operations in the same order: to the bit alike.
"""

import json
from typing import Any

from quotelake.embeddings.models import DEFAULT, Model
from quotelake.errors import SettingsError


class Bert:
    """The default model and its tokenizer, in the dtype and on the device to compute with."""

    def __init__(self, model: Model, device: str) -> None:
        import torch
        from safetensors.torch import load_file
        from tokenizers import Tokenizer

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
        self._tokenizer = Tokenizer.from_file(str(model.directory / "tokenizer.json"))
        self._tokenizer.no_padding()
        self.padding = int(config["pad_token_id"])
        self.positions: int | None = len(self._positions)

    def tokenise(self, texts: list[str], max_length: int) -> tuple[list[list[int]], list[bool]]:
        """Token ids of each text, cut to ``max_length``, and whether it was cut."""
        self._tokenizer.enable_truncation(max_length)
        encoded = self._tokenizer.encode_batch_fast(texts)  # without places in the text
        return [text.ids for text in encoded], [bool(text.overflowing) for text in encoded]

    def embed(self, ids: Any, mask: Any) -> Any:
        """Return one float32 vector per row of ``ids`` (rows, length); ``mask`` is 1 at tokens, 0 at padding."""
        import torch

        tokens, kept = self.contextualise(ids, mask).float(), mask.unsqueeze(-1).float()
        mean = (tokens * kept).sum(dim=1) / kept.sum(dim=1).clamp(min=1e-9)
        return torch.nn.functional.normalize(mean, dim=1)

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


class General:
    """A sentence-transformers model of any kind; a SettingsError: it pools without its prompt."""

    def __init__(self, model: Model, device: str) -> None:
        import torch
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging

        logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        loaded: Any = SentenceTransformer(
            str(model.directory),
            device=device,
            trust_remote_code=False,
            local_files_only=True,
            model_kwargs={"use_safetensors": True, "dtype": torch.float32},
        ).eval()
        self._modules, self._tokenizer = list(loaded), loaded.tokenizer
        self._prompt = loaded.prompts.get(loaded.default_prompt_name, "")
        if self._prompt and not all(getattr(module, "include_prompt", True) for module in self._modules):
            raise SettingsError(f"embedding model {model.name!r} pools without its prompt, which is not supported")
        self._modules[0].to(getattr(torch, model.dtype))  # the others compute in float32
        self.padding = int(self._tokenizer.pad_token_id or 0)
        self.positions: int | None = getattr(loaded[0].auto_model.config, "max_position_embeddings", None)

    def tokenise(self, texts: list[str], max_length: int) -> tuple[list[list[int]], list[bool]]:
        """Token ids of each text, cut to ``max_length``, and whether it was cut."""
        prompted = [self._prompt + text for text in texts]
        tokens: list[list[int]] = self._tokenizer(prompted, truncation=False, padding=False, verbose=False)["input_ids"]
        cut = [len(ids) > max_length for ids in tokens]
        positions = [position for position, long in enumerate(cut) if long]
        if positions:
            # The tokenizer itself must truncate: it knows which special tokens end a text.
            again = self._tokenizer([prompted[i] for i in positions], truncation=True, max_length=max_length)
            for position, ids in zip(positions, again["input_ids"], strict=True):
                tokens[position] = ids
        return tokens, cut

    def embed(self, ids: Any, mask: Any) -> Any:
        """Return one float32 vector per row of ``ids`` (rows, length); ``mask`` is 1 at tokens, 0 at padding."""
        features = self._modules[0]({"input_ids": ids, "attention_mask": mask})
        features["token_embeddings"] = features["token_embeddings"].float()
        for module in self._modules[1:]:
            features = module(features)
        return features["sentence_embedding"].float()


def load(model: Model, device: str) -> Bert | General:
    """Load a model; raise SettingsError if its files cannot be loaded."""
    try:
        return Bert(model, device) if model.name == DEFAULT else General(model, device)
    except SettingsError:
        raise
    except Exception as error:  # whatever error foreign files cause, the remedy is the same
        raise SettingsError(
            f"embedding model {model.name!r} ({model.directory}) cannot be loaded: {error}; "
            f"check that it is a complete sentence-transformers model, or use {DEFAULT!r}"
        ) from error
