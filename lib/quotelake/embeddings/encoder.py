"""The encoder: texts to unit vectors; a text's vector does not depend on the others in its batch. No Spark."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from quotelake.embeddings import models
from quotelake.embeddings.batches import Batch, Shape, filled, fixed, ladder, runs
from quotelake.embeddings.bert import Bert
from quotelake.embeddings.networks import load
from quotelake.embeddings.tokens import Tokens, flat
from quotelake.errors import SettingsError

# Tokens per forward pass. On a CPU core throughput is flat from 512 up; a GPU needs tens of thousands to be busy: an
# H100 encodes 99,000, 108,000 and 114,000 texts of 76 tokens a second in rows of 16,384, 32,768 and 65,536.
CPU_TOKENS, CUDA_TOKENS = 512, 65_536
# Only this many characters per token kept are tokenised, so that a stray megabyte of text costs nothing.
CHARACTERS_PER_TOKEN: Final = 100


class Embedded(NamedTuple):
    """Vectors in the order of the texts, and which texts were longer than the model reads."""

    vectors: npt.NDArray[np.float32]
    truncated: npt.NDArray[np.bool_]


class Encoder:
    """A sentence-transformers model, in :attr:`dtype`; pooling and normalisation are always in float32.

    A text's vector is bit-identical alone, in any batch and in any order; between devices, processors and dtypes
    vectors agree to a tolerance. On CUDA texts are packed without padding, but for float32, models other than a BERT
    with mean pooling, and cards before Ampere: these are computed at fixed shapes, as on a CPU, at half the speed.
    """

    def __init__(
        self,
        model: str = models.DEFAULT,
        dtype: str = "auto",
        device: str | None = None,
        max_length: int | None = None,
        threads: int | None = None,
    ) -> None:
        """Load a model; model, dtype and max_length are as for :func:`quotelake.embeddings.models.find`.

        ``device`` is ``cpu``, ``cuda`` or ``cuda:N``; None takes CUDA where torch has it. ``threads`` are torch's in
        this *process*; None does not change them. A SettingsError: no such model, or a value is out of range.
        """
        import torch

        if threads is not None:
            torch.set_num_threads(threads)
        self.device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        found = models.find(model, dtype, max_length, self.device)
        self.model, self.dtype, self.fingerprint = found.name, found.dtype, found.fingerprint
        self._network = load(found, self.device)
        self.max_length, positions = found.max_length or models.LONGEST, self._network.positions
        if positions is not None and self.max_length > positions:
            raise SettingsError(f"embedding max_length is {self.max_length}, but {model!r} has {positions} positions")
        # Flash attention is of 16 bits and of cards from Ampere on.
        has_flash = self.device.startswith("cuda") and torch.cuda.get_device_capability(self.device) >= (8, 0)
        self.packs = has_flash and self.dtype != "float32" and isinstance(self._network, Bert)
        self.dimension = int(self._forward(flat([[]], [False]), Batch([0], Shape(1, 1))).shape[1])

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Encode texts to float32 vectors of unit length, shape (n, dimension), in their order.

        An empty text gets a finite vector without meaning; one longer than :attr:`max_length` tokens is cut. A
        SettingsError: a vector overflows in the dtype of the model.
        """
        return self.compute(self.tokenise(texts)).vectors

    def tokenise(self, texts: Sequence[str]) -> Tokens:
        """Token ids of each text, without padding; with a GPU the part that is computed on the CPU."""
        max_characters = self.max_length * CHARACTERS_PER_TOKEN
        tokens = self._network.tokenise([text[:max_characters] for text in texts], self.max_length)
        longer = np.array([len(text) > max_characters for text in texts], bool)
        return tokens._replace(truncated=tokens.truncated | longer)

    def compute(self, tokens: Tokens) -> Embedded:
        """Vectors of tokenised texts. Errors as for :meth:`encode`."""
        found = self._in_rows(tokens) if self.packs else self._at_fixed_shapes(tokens)
        if not np.isfinite(found).all():
            raise SettingsError(f"{self.model!r} overflows in {self.dtype}: set the embedding dtype to float32")
        return Embedded(found, tokens.truncated)

    def _in_rows(self, tokens: Tokens) -> npt.NDArray[np.float32]:
        import torch

        on_gpu = self.device != "cpu"
        vectors = torch.empty((len(tokens.truncated), self.dimension), dtype=torch.float32, pin_memory=on_gpu)
        ids, starts = (torch.from_numpy(each).to(self.device) for each in (tokens.ids, tokens.starts))
        with torch.inference_mode():
            for texts in runs(tokens.starts, CUDA_TOKENS):
                first, end = tokens.starts[[texts.start, texts.stop]]
                begins = starts[texts.start : texts.stop + 1] - int(first)
                found = cast(Bert, self._network).embed_packed(ids[first:end], begins, self.max_length, CUDA_TOKENS)
                vectors[texts].copy_(found, non_blocking=True)  # nothing here waits for a GPU
        if on_gpu:
            torch.cuda.synchronize(self.device)
        return vectors.numpy()

    def _at_fixed_shapes(self, tokens: Tokens) -> npt.NDArray[np.float32]:
        import torch

        vectors = torch.empty((len(tokens.truncated), self.dimension), dtype=torch.float32, device=self.device)
        shapes = ladder(self.max_length, CPU_TOKENS if self.device == "cpu" else CUDA_TOKENS)
        for batch in fixed(np.diff(tokens.starts).tolist(), shapes):
            vectors[batch.positions] = self._forward(tokens, batch)[: len(batch.positions)]
        return vectors.cpu().numpy()

    def _forward(self, tokens: Tokens, batch: Batch) -> Any:
        """Vectors of one batch at its shape; rows beyond its texts are padding, their vectors meaningless."""
        import torch

        inputs = (torch.from_numpy(each).to(self.device) for each in filled(tokens, batch, self._network.padding))
        with torch.inference_mode():
            return torch.nn.functional.normalize(self._network.embed(*inputs), dim=1)
