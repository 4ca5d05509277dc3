"""Loading any sentence-transformers model through that package: every kind that is not plain."""

from typing import Any

from quotelake.embeddings.models import Model
from quotelake.errors import SettingsError


class General:
    """A sentence-transformers model; the interface is :class:`quotelake.embeddings.encoder.Network`."""

    def __init__(self, modules: list[Any], tokenizer: Any, prompt: str, positions: int | None) -> None:
        """Take the modules in eval mode, the first in the dtype to compute with and the rest in float32."""
        self.modules, self._tokenizer, self._prompt = modules, tokenizer, prompt
        self.padding = int(tokenizer.pad_token_id or 0)
        self.positions = positions

    def tokenise(self, texts: list[str], max_length: int) -> tuple[list[list[int]], list[bool]]:
        """Return each text's token ids, cut to ``max_length``, and whether it was cut."""
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
        features = self.modules[0]({"input_ids": ids, "attention_mask": mask})
        features["token_embeddings"] = features["token_embeddings"].float()
        for module in self.modules[1:]:
            features = module(features)
        return features["sentence_embedding"].float()


def load(model: Model, device: str) -> General:
    """Load a model of any kind. Importing sentence-transformers takes some 6 seconds of CPU.

    Raises:
        SettingsError: the model pools without its prompt.
    """
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
    modules = list(loaded)
    prompt = loaded.prompts.get(loaded.default_prompt_name, "")
    if prompt and not all(getattr(module, "include_prompt", True) for module in modules):
        raise SettingsError(f"embedding model {model.name!r} pools without its prompt, which is not supported")
    modules[0].to(getattr(torch, model.dtype))
    positions = getattr(loaded[0].auto_model.config, "max_position_embeddings", None)
    return General(modules, loaded.tokenizer, prompt, positions)
