"""Loaded models: the common kind in plain torch, all others by sentence-transformers."""

from collections.abc import Sequence
from typing import Any

from quotelake.embeddings.bert import Bert, is_plain_bert
from quotelake.embeddings.models import DEFAULT, Model
from quotelake.embeddings.tokens import Tokens, flat
from quotelake.errors import SettingsError


class General:
    """A sentence-transformers model of any kind, by their package; a SettingsError: it pools without its prompt."""

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

    def tokenise(self, texts: Sequence[str], max_length: int) -> Tokens:
        """Token ids of each text, cut to ``max_length``."""
        prompted = [self._prompt + text for text in texts]
        tokens: list[list[int]] = self._tokenizer(prompted, truncation=False, padding=False, verbose=False)["input_ids"]
        cut = [len(ids) > max_length for ids in tokens]
        positions = [position for position, long in enumerate(cut) if long]
        if positions:
            # The tokenizer itself must truncate: it knows which special tokens end a text.
            again = self._tokenizer([prompted[i] for i in positions], truncation=True, max_length=max_length)
            for position, ids in zip(positions, again["input_ids"], strict=True):
                tokens[position] = ids
        return flat(tokens, cut)

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
        return Bert(model, device) if is_plain_bert(model.directory) else General(model, device)
    except SettingsError:
        raise
    except Exception as error:  # whatever error foreign files cause, the remedy is the same
        raise SettingsError(
            f"embedding model {model.name!r} ({model.directory}) cannot be loaded: {error}; "
            f"check that it is a complete sentence-transformers model, or use {DEFAULT!r}"
        ) from error
