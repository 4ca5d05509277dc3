"""The network that is trained: a transformer, its pooling, and the projection that the loss is computed on.

The projection is a perceptron of two layers, hidden 100: with a transformer of width 768 it has the paper's 87 k
parameters (768 * 100 + 100 + 100 * 100 + 100). Song et al. 2023 apply it to the state of [CLS]; here a model
keeps the pooling that it was trained with, unless ``cls`` is chosen.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from quotelake.embeddings import models
from quotelake.errors import SettingsError

HIDDEN = 100  # Song et al. 2023, §4
Pooling = Literal["own", "cls"]
_EMBEDDED_AT_ONCE = 32


def _device(name: str | None) -> torch.device:
    try:
        device = torch.device(name or ("cuda" if torch.cuda.is_available() else "cpu"))
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:  # the latter where torch was built without CUDA
        raise SettingsError(f"device {name}: {str(error).splitlines()[0]}; give cpu, cuda or cuda:N") from None
    return device


class QuoteNetwork(nn.Module):
    """A sentence-transformers model without its last normalisation, and the projection.

    Args:
        base: named as in ``[model] name``; only safetensors weights are read.
        pooling: ``own`` keeps the model's, ``cls`` uses the state of the first token.
        hidden: width of both layers of the projection.
        max_length: most tokens of a quote in training; None: the model's limit.
        seed: of the projection's initial weights.
        device: where to compute; None takes CUDA where torch has it.

    Raises:
        SettingsError: torch finds no such device; or see :func:`~quotelake.embeddings.models.find`.
    """

    def __init__(
        self,
        base: str = models.DEFAULT,
        pooling: Pooling = "own",
        hidden: int = HIDDEN,
        max_length: int | None = None,
        seed: int = 0,
        device: str | None = None,
    ) -> None:
        from sentence_transformers import SentenceTransformer
        from sentence_transformers.sentence_transformer.modules import Dense, Normalize

        super().__init__()
        self.found = models.find(base, "float32", max_length)
        self.device = _device(device)
        loaded: Any = SentenceTransformer(
            str(self.found.directory),
            device=str(self.device),
            trust_remote_code=False,
            local_files_only=True,
            model_kwargs={"use_safetensors": True, "dtype": torch.float32},
        )
        self._tokenizer = loaded.tokenizer
        self._prompts, self._default_prompt = loaded.prompts, loaded.default_prompt_name
        self.body = nn.ModuleList(_pooled([one for one in loaded if not isinstance(one, Normalize)], pooling))
        width = int(loaded[0].get_embedding_dimension() if pooling == "cls" else loaded.get_embedding_dimension())
        with seeded(seed, torch.device("cpu")):
            # Layers of sentence-transformers, so that the saved model can include them.
            self.head = nn.ModuleList(
                [
                    Dense(width, hidden, activation_function=nn.ReLU()),
                    Dense(hidden, hidden, activation_function=nn.Identity()),
                ]
            )
        self.to(self.device)

    def forward(self, texts: Sequence[str], projected: bool = True) -> Tensor:
        """Vectors of texts, not normalised; shape (n, hidden), or (n, width of the model) if not ``projected``."""
        prompt = self._prompts.get(self._default_prompt, "")
        tokens = self._tokenizer(
            [prompt + text for text in texts],
            padding=True,
            truncation=True,
            max_length=self.found.max_length,
            return_tensors="pt",
        )
        features: dict[str, Any] = {name: tokens[name].to(self.device) for name in ("input_ids", "attention_mask")}
        for module in [*self.body, *(self.head if projected else ())]:
            features = module(features)
        vectors: Tensor = features["sentence_embedding"]
        return vectors

    def embed(
        self, texts: Sequence[str], projected: bool = False, dropout_seed: int | None = None
    ) -> npt.NDArray[np.float32]:
        """Unit vectors of any number of texts, without gradients.

        Args:
            texts: any number.
            projected: whether to apply the projection.
            dropout_seed: seed of the dropout; None: no dropout.
        """
        # Sorted by length, so that batches need little padding.
        order = sorted(range(len(texts)), key=lambda place: (len(texts[place]), texts[place]))
        vectors: dict[int, npt.NDArray[np.float32]] = {}
        was_training = self.training
        self.train(dropout_seed is not None)
        with torch.inference_mode(), seeded(dropout_seed or 0, self.device):
            for start in range(0, len(order), _EMBEDDED_AT_ONCE):
                places = order[start : start + _EMBEDDED_AT_ONCE]
                found = nn.functional.normalize(self([texts[place] for place in places], projected), dim=1)
                vectors.update(zip(places, found.cpu().numpy(), strict=True))
        self.train(was_training)
        return np.array([vectors[place] for place in range(len(texts))], dtype=np.float32)

    def save(self, directory: Path) -> None:
        """Write an ordinary sentence-transformers model with unit vectors, without the projection."""
        from sentence_transformers import SentenceTransformer
        from sentence_transformers.sentence_transformer.modules import Normalize

        modules = [*self.body, Normalize()]
        model = SentenceTransformer(
            modules=modules, device=str(self.device), prompts=self._prompts, default_prompt_name=self._default_prompt
        )
        model.save_pretrained(str(directory), create_model_card=False, safe_serialization=True)
        # Version 6 of sentence-transformers stores the limit in the tokenizer's files only; all versions read this key.
        config = directory / "sentence_bert_config.json"
        limit = {"max_seq_length": self.body[0].max_seq_length}
        config.write_text(json.dumps(json.loads(config.read_text("utf-8")) | limit, indent=1) + "\n", "utf-8")


@contextmanager
def seeded(seed: int, device: torch.device) -> Iterator[None]:
    """Seed torch's random numbers within a block; afterwards the caller's random state is restored."""
    with torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
        torch.manual_seed(seed)
        yield


def _pooled(modules: list[Any], pooling: Pooling) -> list[Any]:
    from sentence_transformers.sentence_transformer.modules import Pooling as PoolingModule

    if pooling == "own":
        return modules
    if pooling != "cls":
        raise SettingsError(f"pooling {pooling!r} is unknown; use {' or '.join(get_args(Pooling))}")
    return [modules[0], PoolingModule(modules[0].get_embedding_dimension(), "cls")]
