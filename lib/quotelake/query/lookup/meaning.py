"""Vectors of known quotes, by the lake's model, kept in one file per model that only grows.

Each record has a sum of its own, so an interrupted build goes on where it stopped, and damage costs only the texts
whose records it hit.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from quotelake.errors import InputError

if TYPE_CHECKING:
    from quotelake.embeddings.encoder import Encoder

#: Texts embedded and stored at once: what an interrupt costs at most.
TOGETHER: Final = 1024

#: Records of the file: ``sum`` of the others as 32-bit numbers, ``id`` of 32 hexadecimal digits, and ``vector``.
Records = npt.NDArray[np.void]
Vectors = npt.NDArray[np.float32]
#: Learns how many texts are embedded, of how many, and how many stored vectors were damaged; silent without any.
Progress = Callable[[int, int, int], None]


def bring_up_to_date(
    path: Path,
    ids: Sequence[str],
    texts: Sequence[str],
    embedder: "Encoder",
    threads: int,
    progress: Progress,
    most: int | None = None,
) -> Vectors:
    """Return the vectors of texts, one a row: those stored, and the others embedded now and stored.

    If more than ``most`` texts have no vector, none is embedded, and their rows are NaN.

    Args:
        path: file of the model's vectors, made if it is not there. Damaged records are removed from it.
        ids: of the texts, 32 characters each; the same id always has the same text.
        texts: canonical texts.
        embedder: of the model.
        threads: how many embed, each :data:`TOGETHER` texts at a time.
        progress: learns how it goes.

    Raises:
        InputError: the file cannot be read or written.
    """
    with _named_error(path):
        stored, damaged = read_records(path, embedder.dimension)
        if damaged:
            mended = path.with_suffix(".mended")
            mended.write_bytes(stored.tobytes())
            mended.replace(path)
    row_of = {id_: row for row, id_ in enumerate(ids)}
    vectors = np.full((len(ids), embedder.dimension), np.nan, np.float32)
    rows = np.array([row_of.get(id_, -1) for id_ in stored["id"].astype(str).tolist()], np.int64)
    vectors[rows[rows >= 0]] = stored["vector"][rows >= 0]
    missing = np.flatnonzero(np.isnan(vectors[:, 0]))
    if most is not None and len(missing) > most:
        missing = missing[:0]
    if len(missing) or damaged:
        progress(0, len(missing), damaged)

    def embed(rows: npt.NDArray[np.int64]) -> int:
        vectors[rows] = embedder.encode([texts[row] for row in rows])
        with _named_error(path):
            append_records(path, [ids[row] for row in rows], vectors[rows])
        return len(rows)

    with ThreadPoolExecutor(threads) as pool:
        running = [pool.submit(embed, missing[at : at + TOGETHER]) for at in range(0, len(missing), TOGETHER)]
        try:
            done = 0
            for each in running:
                done += each.result()
                progress(done, len(missing), damaged)
        finally:
            pool.shutdown(cancel_futures=True)  # after an interrupt, only what has begun is finished
    return vectors


def read_records(path: Path, dimension: int) -> tuple[Records, int]:
    """Read the records that are whole, and count the damaged ones, a last one that is cut among them."""
    kind = _record(dimension)
    size = path.stat().st_size if path.exists() else 0
    if size < kind.itemsize:
        return np.empty(0, kind), int(size > 0)
    stored = np.memmap(path, kind, "r", shape=(size // kind.itemsize,))
    whole = stored["sum"] == _sums(stored)
    damaged = int((~whole).sum()) + (size % kind.itemsize > 0)
    return stored[whole] if damaged else stored, damaged


def append_records(path: Path, ids: Sequence[str], vectors: Vectors) -> None:
    """Add vectors to the file in one write, behind what other processes wrote."""
    made = np.zeros(len(ids), _record(vectors.shape[1]))
    made["id"], made["vector"] = ids, vectors
    made["sum"] = _sums(made)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab", buffering=0) as file:
        file.write(made.tobytes())


def _record(dimension: int) -> np.dtype[Any]:
    return np.dtype([("sum", np.uint64), ("id", "S32"), ("vector", np.float32, (dimension,))])


def _sums(records: Records) -> npt.NDArray[np.uint64]:
    """What ``sum`` is of whole records; of one filled with zeros another number."""
    numbers = records.view(np.uint32).reshape(len(records), -1)[:, 2:]
    return np.asarray(numbers.sum(axis=1, dtype=np.uint64) + 1)


@contextmanager
def _named_error(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(
            f"{path}: the vectors for looking up by meaning cannot be kept there: {error.strerror}; name another "
            "folder with --index, or look up by wording alone with --no-meaning"
        ) from None
