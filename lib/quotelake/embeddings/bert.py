"""A BERT sentence encoder as one page of torch: the operations of sentence-transformers, in the same order.

So its vectors are those of sentence-transformers bit for bit, on the same processor and at the same shapes. What it
saves is the import of sentence-transformers and transformers, which costs 6 seconds of CPU per process (as much as
embedding 600 contexts), and what those packages do around each operation. :mod:`quotelake.embeddings.plain` tells
which models this computes.
"""

from typing import Any


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
