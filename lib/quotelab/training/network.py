"""The network that is trained: a sentence-transformers model, and the projection that the loss is computed on."""

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
from torch.nn.functional import normalize

from quotelake.embeddings import models
from quotelake.errors import SettingsError
from quotelake.topics.head import Vectors

_HIDDEN: Final = 100  # Song et al. 2023, §4
_EMBEDDED_AT_ONCE: Final = 32


class Network(nn.Module):
    """A model without its last normalisation, and its projection: a perceptron of two layers, hidden 100.

    Song et al. 2023 apply it to the state of [CLS]; here a model keeps its pooling. ``base`` is named as in ``[model]
    name``, ``seed`` is of the initial weights, ``device`` None takes CUDA where torch has it. A SettingsError: torch
    finds no such device, or see :func:`~quotelake.embeddings.models.find`.
    """

    def __init__(self, base: str, seed: int = 0, device: str | None = None) -> None:
        super().__init__()
        try:
            self.device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
            torch.empty(0, device=self.device)
        except (RuntimeError, AssertionError) as error:  # the latter where torch was built without CUDA
            raise SettingsError(f"device {device}: {str(error).splitlines()[0]}; give cpu, cuda or cuda:N") from None
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
            self.head = nn.Sequential(nn.Linear(width, _HIDDEN), nn.ReLU(), nn.Linear(_HIDDEN, _HIDDEN))
        self.to(self.device)

    def forward(self, texts: Sequence[str], projected: bool = True) -> Tensor:
        """Vectors of texts, not normalised; shape (n, 100), or (n, width of the model) if not ``projected``."""
        prompt = self.body.prompts.get(self.body.default_prompt_name)
        features = self.body.preprocess(list(texts), prompt=prompt)
        on_device = {name: value.to(self.device) for name, value in features.items() if isinstance(value, Tensor)}
        vectors: Tensor = self.body({**features, **on_device})["sentence_embedding"]
        return self.head(vectors) if projected else vectors

    def embed(self, texts: Sequence[str], projected: bool = False, dropout_seed: int | None = None) -> Vectors:
        """Unit vectors of any number of texts, without gradients; with dropout where it has a seed."""
        # Sorted by length, so that batches need little padding.
        order = sorted(range(len(texts)), key=lambda place: (len(texts[place]), texts[place]))
        vectors = np.empty((len(texts), 0), np.float32)
        self.train(dropout_seed is not None)
        with torch.inference_mode(), seeded(dropout_seed or 0, self.device):
            for start in range(0, len(order), _EMBEDDED_AT_ONCE):
                places = order[start : start + _EMBEDDED_AT_ONCE]
                found = normalize(self([texts[place] for place in places], projected), dim=1).cpu().numpy()
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
