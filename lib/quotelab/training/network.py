"""The network that is trained: a sentence-transformers model, and a perceptron on its vectors."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Normalize
from torch import Tensor, nn
from transformers.utils import logging

from quotelake.embeddings import models
from quotelake.errors import SettingsError
from quotelake.topics.head import Vectors, unit

Input = str | tuple[str, str]  # a text, or two that are read together
_HIDDEN: Final = 100  # Song et al. 2023, §4
_EMBEDDED_AT_ONCE: Final = 32


class Network(nn.Module):
    """A model without its last normalisation, and a perceptron on its vectors: two layers, hidden 100.

    It projects to 100 numbers, which the loss of Song et al. 2023 is computed on, or to as many as ``outputs``. They
    apply it to the state of [CLS]; here a model keeps its pooling. ``base`` is named as in ``[model] name``, ``seed``
    is of its initial weights, ``device`` None takes CUDA where torch has it. A SettingsError: torch finds no such
    device, or see :func:`~quotelake.embeddings.models.find`.
    """

    def __init__(self, base: str, seed: int = 0, device: str | None = None, outputs: int = _HIDDEN) -> None:
        super().__init__()
        try:
            self.device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
            torch.empty(0, device=self.device)
        except (RuntimeError, AssertionError) as error:  # the latter where torch was built without CUDA
            raise SettingsError(f"device {device}: {str(error).splitlines()[0]}; give cpu, cuda or cuda:N") from None
        logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        loaded: Any = SentenceTransformer(
            str(models.find(base, "float32").directory),
            device=str(self.device),
            trust_remote_code=False,
            local_files_only=True,
            model_kwargs={"use_safetensors": True, "dtype": torch.float32},
        )
        self._prompts = {"prompts": loaded.prompts, "default_prompt_name": loaded.default_prompt_name}
        self.body: Any = SentenceTransformer(
            modules=[each for each in loaded if not isinstance(each, Normalize)],
            device=str(self.device),
            **self._prompts,
        )
        with seeded(seed, torch.device("cpu")):
            width = int(loaded.get_embedding_dimension())
            self.head = nn.Sequential(nn.Linear(width, _HIDDEN), nn.ReLU(), nn.Linear(_HIDDEN, outputs))
        self.to(self.device)

    def forward(self, texts: Sequence[Input], projected: bool = True) -> Tensor:
        """Vectors of texts, not normalised; shape (n, outputs), or (n, width of the model) if not ``projected``."""
        prompt = self.body.prompts.get(self.body.default_prompt_name)
        features = self.body.preprocess(list(texts), prompt=prompt)
        on_device = {name: value.to(self.device) for name, value in features.items() if isinstance(value, Tensor)}
        vectors: Tensor = self.body({**features, **on_device})["sentence_embedding"]
        return self.head(vectors) if projected else vectors

    def embed(self, texts: Sequence[str], projected: bool = False, dropout_seed: int | None = None) -> Vectors:
        """Unit vectors of any number of texts, without gradients; with dropout where it has a seed."""
        return unit(self.compute(texts, projected, dropout_seed))

    def compute(self, texts: Sequence[Input], projected: bool, dropout_seed: int | None = None) -> Vectors:
        """The same, not normalised."""
        # Sorted by length, so that batches need little padding.
        order = sorted(range(len(texts)), key=lambda place: (len("".join(texts[place])), texts[place]))
        vectors = np.empty((len(texts), 0), np.float32)
        self.train(dropout_seed is not None)
        with torch.inference_mode(), seeded(dropout_seed or 0, self.device):
            for start in range(0, len(order), _EMBEDDED_AT_ONCE):
                places = order[start : start + _EMBEDDED_AT_ONCE]
                found = self([texts[place] for place in places], projected).cpu().numpy()
                vectors = vectors if start else np.empty((len(texts), found.shape[1]), np.float32)
                vectors[places] = found
        self.eval()
        return vectors

    def save(self, directory: Path) -> None:
        """Write an ordinary sentence-transformers model with unit vectors, without the projection."""
        model: Any = SentenceTransformer(modules=[*self.body, Normalize()], device=str(self.device), **self._prompts)
        model.save_pretrained(str(directory), create_model_card=False, safe_serialization=True)
        # Version 6 of sentence-transformers stores the limit in the tokenizer's files only; all versions read this key.
        config = directory / "sentence_bert_config.json"
        limit = {"max_seq_length": self.body.max_seq_length}
        config.write_text(json.dumps(json.loads(config.read_text("utf-8")) | limit, indent=1) + "\n", "utf-8")


@contextmanager
def seeded(seed: int, device: torch.device) -> Iterator[None]:
    """Seed torch's random numbers within a block; afterwards the caller's random state is restored."""
    with torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
        torch.manual_seed(seed)
        yield
