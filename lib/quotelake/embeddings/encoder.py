"""The encoder: texts to unit vectors; a text's vector does not depend on the others in its batch. No Spark.

The last bits of a matrix product depend on its shape. With :func:`fixed` a text's length alone decides the shape it is
computed at. :func:`by_budget` is for devices where padding to fixed shapes does not pay.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from quotelake.embeddings import models
from quotelake.embeddings.networks import load
from quotelake.errors import SettingsError

# Tokens per forward pass. On a CPU core throughput is flat from 512 up; a GPU needs tens of thousands to be busy.
CPU_TOKENS, CUDA_TOKENS = 512, 65_536
LONGEST: Final = 512  # tokens, for a model that states no limit
# Only this many characters per token kept are tokenised, so that a stray megabyte of text costs nothing.
CHARACTERS_PER_TOKEN: Final = 100
# Steps between neighbouring rungs, as (up to this length, step). Measured on 10,000 contexts of news and tweets with
# 512 tokens a batch: 6.7 % of the tokens computed are padding and empty rows; steps half as long save .4 %, twice as
# long cost 3.5 %. In 800 contexts at once half-empty last batches bring it to 12.6 %.
STEPS: Final = ((128, 8), (256, 16), (1024, 64))


class Shape(NamedTuple):
    """An input of the model: this many rows of this many tokens."""

    rows: int
    length: int


class Batch(NamedTuple):
    """Positions of the texts in the caller's sequence, and the shape to pad them to (rows >= len(positions))."""

    positions: Sequence[int]
    shape: Shape


def ladder(max_length: int, tokens_per_batch: int) -> tuple[Shape, ...]:
    """Fixed shapes up to ``max_length``, shortest first, of as many rows as fit into ``tokens_per_batch`` tokens."""
    lengths: list[int] = []
    length = 0
    while length < max_length:
        step = next((step for limit, step in STEPS if length < limit), STEPS[-1][1])
        length = min(length + step, max_length)
        lengths.append(length)
    return tuple(Shape(max(1, tokens_per_batch // length), length) for length in lengths)


class Tokens(NamedTuple):
    """Token ids of all texts in one buffer: text ``i`` has ``ids[starts[i]:starts[i + 1]]``; and which were cut."""

    ids: npt.NDArray[np.int32]
    starts: npt.NDArray[np.int64]
    truncated: npt.NDArray[np.bool_]

    @property
    def lengths(self) -> list[int]:
        """Tokens of each text."""
        return [int(length) for length in np.diff(self.starts)]


def flat(tokens: Sequence[Sequence[int]], truncated: Sequence[bool]) -> Tokens:
    """Put the ids of all texts into one buffer."""
    starts = np.zeros(len(tokens) + 1, np.int64)
    np.cumsum([len(ids) for ids in tokens], out=starts[1:])
    ids = np.fromiter(chain.from_iterable(tokens), np.int32, count=int(starts[-1]))
    return Tokens(ids, starts, np.array(truncated, bool))


def filled(tokens: Tokens, batch: Batch, padding: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Ids of a batch at its shape, and its mask: 1 at tokens, 0 at padding.

    >>> ids, mask = filled(flat([[7, 8], [9]], [False, False]), Batch([1, 0], Shape(3, 2)), 0)
    >>> ids.tolist(), mask.tolist()  # attention over no token is undefined: a row of padding attends to its first one
    ([[9, 0], [7, 8], [0, 0]], [[1, 0], [1, 1], [1, 0]])
    """
    ids, mask = np.full(batch.shape, padding, np.int64), np.zeros(batch.shape, np.int64)
    mask[:, 0] = 1
    begin, end = tokens.starts[batch.positions], tokens.starts[np.add(batch.positions, 1)]
    places = begin[:, None] + np.arange(batch.shape.length)
    present = places < end[:, None]
    ids[: len(begin)][present] = tokens.ids[places[present]]
    mask[: len(begin)][present] = 1
    return ids, mask


def fixed(lengths: Sequence[int], shapes: Sequence[Shape]) -> Iterator[Batch]:
    """Yield batches in which each text, of so many tokens, has the shortest of the ``shapes`` that holds it."""
    rungs = [shape.length for shape in shapes]
    members: dict[int, list[int]] = {}
    for position, length in enumerate(lengths):
        members.setdefault(bisect_left(rungs, length), []).append(position)
    for rung in sorted(members):
        shape, positions = shapes[rung], members[rung]
        for start in range(0, len(positions), shape.rows):
            yield Batch(positions[start : start + shape.rows], shape)


def by_budget(lengths: Sequence[int], tokens_per_batch: int) -> Iterator[Batch]:
    """Yield batches of neighbouring lengths, of one text or of padded size within ``tokens_per_batch`` tokens."""
    pending: list[int] = []
    # In ascending order the text added last is the longest of its batch and sets the padding.
    for position in sorted(range(len(lengths)), key=lengths.__getitem__):
        if pending and (len(pending) + 1) * lengths[position] > tokens_per_batch:
            yield Batch(pending, Shape(len(pending), lengths[pending[-1]]))
            pending = []
        pending.append(position)
    if pending:
        yield Batch(pending, Shape(len(pending), lengths[pending[-1]]))


class Embedded(NamedTuple):
    """Vectors in the order of the texts, and which texts were longer than the model reads."""

    vectors: npt.NDArray[np.float32]
    truncated: npt.NDArray[np.bool_]


class Encoder:
    """A sentence-transformers model, in :attr:`dtype`; pooling and normalisation are always in float32.

    On a CPU a text's vector is bit-identical alone, in any batch and in any order; on CUDA, between devices, processors
    and dtypes vectors agree to a tolerance.
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
        self.max_length, positions = found.max_length or LONGEST, self._network.positions
        if positions is not None and self.max_length > positions:
            raise SettingsError(f"embedding max_length is {self.max_length}, but {model!r} has {positions} positions")
        self.fixed_shapes = not self.device.startswith("cuda")
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
        tokens, cut = self._network.tokenise([text[:max_characters] for text in texts], self.max_length)
        return flat(tokens, [is_cut or len(text) > max_characters for is_cut, text in zip(cut, texts, strict=True)])

    def compute(self, tokens: Tokens, fixed_shapes: bool | None = None) -> Embedded:
        """Vectors of tokenised texts, at fixed shapes or not; None: on a CPU alone. Errors as for :meth:`encode`."""
        import torch

        lengths = tokens.lengths
        vectors = torch.empty((len(lengths), self.dimension), dtype=torch.float32, device=self.device)
        budget = CPU_TOKENS if self.fixed_shapes else CUDA_TOKENS
        if self.fixed_shapes if fixed_shapes is None else fixed_shapes:
            batches = fixed(lengths, ladder(self.max_length, budget))
        else:
            batches = by_budget(lengths, budget)
        for batch in batches:  # nothing here waits for a GPU, which computes while the next batch is filled
            vectors[batch.positions] = self._forward(tokens, batch)[: len(batch.positions)]
        found = vectors.cpu().numpy()
        if not np.isfinite(found).all():
            raise SettingsError(f"{self.model!r} overflows in {self.dtype}: set the embedding dtype to float32")
        return Embedded(found, tokens.truncated)

    def _forward(self, tokens: Tokens, batch: Batch) -> Any:
        """Vectors of one batch at its shape; rows beyond its texts are padding, their vectors meaningless."""
        import torch

        inputs = [torch.from_numpy(each) for each in filled(tokens, batch, self._network.padding)]
        if self.device != "cpu":  # from pinned memory, so that the processor goes on at once
            inputs = [each.pin_memory().to(self.device, non_blocking=True) for each in inputs]
        with torch.inference_mode():
            return torch.nn.functional.normalize(self._network.embed(*inputs), dim=1)
