"""Known quotes nearest to a text by the meaning that the lake's model gives them: the cosine of their vectors.

Every text is compared, by faiss: for one text that is fast enough for millions, and leaves none out.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from quotelake.embeddings.nearest import nearest
from quotelake.query.lookup.store import Store, Vectors, matrix_of

#: Texts embedded and stored at once: what an interrupt costs at most.
TOGETHER: Final = 1024

Rows = npt.NDArray[np.int64]


class Told(Protocol):
    """Learns how the vectors are brought up to date."""

    def damaged(self, parts: int) -> None:
        """So many parts of the store are damaged; their texts are embedded again."""

    def embedded(self, done: int, total: int) -> None:
        """So many texts of those that had no vector are embedded."""


class Silent:
    """Tells nobody."""

    def damaged(self, parts: int) -> None:
        """Say nothing."""

    def embedded(self, done: int, total: int) -> None:
        """Say nothing."""


class Embedder(Protocol):
    """What this module needs of a model; :class:`quotelake.embeddings.encoder.Encoder` is one."""

    dimension: int

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return a vector of unit length per text, in their order."""


class Close(NamedTuple):
    """A known text close to another one in meaning: its place among the known texts, and the cosine, -1 to 1."""

    position: int
    meaning: float


class Meanings:
    """Vectors of known texts.

    Args:
        positions: place of each vector's text among the known texts, ascending.
        vectors: of unit length, one a row.
    """

    def __init__(self, positions: Sequence[int], vectors: Vectors) -> None:
        self._positions = np.asarray(positions, dtype=np.int64)
        self._vectors = vectors

    def nearest(self, vector: Vectors, most: int) -> list[Close]:
        """The ``most`` closest texts, closest first."""
        [cosines], [rows] = nearest(vector[None], self._vectors, most, exact=len(self._vectors))
        return [Close(int(self._positions[row]), float(value)) for row, value in zip(rows, cosines, strict=True)]

    def measure(self, vector: Vectors, positions: Sequence[int]) -> list[float | None]:
        """Cosine of given known texts, in their order; None for one without a vector."""
        rows = np.searchsorted(self._positions, positions)
        there = [
            row < len(self._positions) and self._positions[row] == at for row, at in zip(rows, positions, strict=True)
        ]
        return [float(self._vectors[row] @ vector) if has else None for row, has in zip(rows, there, strict=True)]


def bring_up_to_date(
    store: Store, ids: Sequence[str], texts: Sequence[str], embedder: Embedder, threads: int, told: Told
) -> Vectors:
    """Return the vectors of texts, one a row: those stored, and the others embedded now and stored.

    Args:
        store: where vectors are kept. Damaged parts are removed from it.
        ids: of the texts; the same id always has the same text.
        texts: canonical texts.
        embedder: of the model of the store.
        threads: threads that embed, each :data:`TOGETHER` texts at a time.
        told: learns how it goes.

    Raises:
        InputError: the store cannot be written.
    """
    parts, damaged = store.read()
    if damaged:
        told.damaged(len(damaged))
        store.remove(damaged)
    vectors, there = matrix_of(parts.values(), {id_: row for row, id_ in enumerate(ids)}, embedder.dimension)
    missing = np.flatnonzero(~there)

    def embed(rows: Rows) -> int:
        vectors[rows] = embedder.encode([texts[row] for row in rows])
        store.write([ids[row] for row in rows], vectors[rows])
        return len(rows)

    with ThreadPoolExecutor(threads) as pool:
        running = [pool.submit(embed, missing[at : at + TOGETHER]) for at in range(0, len(missing), TOGETHER)]
        try:
            done = 0
            for each in running:
                told.embedded(done, len(missing))
                done += each.result()
        finally:
            pool.shutdown(cancel_futures=True)  # after an interrupt, only what has begun is finished
    if len(missing):
        told.embedded(done, len(missing))
        store.tidy()
    return vectors
