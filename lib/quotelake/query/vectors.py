"""Vectors of known quotes by the lake's model, kept in a faiss index, a file per model: only new quotes are embedded.

A stored vector depends on the model and the text alone, so lakes may share a file.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from quotelake.errors import InputError
from quotelake.files.outputs import write_atomically

if TYPE_CHECKING:
    from quotelake.embeddings.encoder import Encoder

#: Texts that a thread embeds before it reports.
BATCH_TEXTS: Final = 1024
#: A stored vector whose squared length differs from 1 by more is damaged.
LENGTH_TOLERANCE: Final = 0.01

Keys = npt.NDArray[np.int64]
Vectors = npt.NDArray[np.float32]
#: Called with the texts embedded so far, those to embed, and whether the file was damaged.
Progress = Callable[[int, int, bool], None]


def vectors_of(
    path: Path,
    ids: Sequence[str],
    texts: Sequence[str | None],
    encoder: "Encoder",
    threads: int,
    progress: Progress,
    max_texts: int | None = None,
) -> Vectors:
    """Return a vector per id, (n, d): those stored at ``path``, and the others embedded now and stored.

    ``ids`` have 32 hexadecimal digits, and the same id always the same text; the row of a text that is None is NaN. If
    more than ``max_texts`` texts have no vector, none is embedded, and their rows are NaN. ``progress`` is called if
    there is something to embed. After an interrupt the vectors made so far are stored. A damaged file is made anew; an
    InputError says that it cannot be written.
    """
    keys = np.frombuffer(bytes.fromhex("".join(ids)), ">i8")[::2].astype(np.int64)  # half an id is unique enough
    stored_keys, stored, is_damaged = read_vectors(path, encoder.dimension)
    row_of = {key: row for row, key in enumerate(stored_keys.tolist())}
    rows = np.array([row_of.get(key, -1) for key in keys.tolist()], np.int64)
    vectors = np.full((len(ids), encoder.dimension), np.nan, np.float32)
    vectors[rows >= 0] = stored[rows[rows >= 0]]
    missing = [row for row in np.flatnonzero(rows < 0).tolist() if texts[row] is not None]
    if max_texts is not None and len(missing) > max_texts:
        missing = []
    if missing or is_damaged:
        progress(0, len(missing), is_damaged)
    if not missing:
        return vectors
    if not len(stored):
        _write(path, stored_keys, stored)  # a folder that cannot be written is an error before the work, not after it
    done = 0
    with ThreadPoolExecutor(threads) as pool:
        batches = [missing[at : at + BATCH_TEXTS] for at in range(0, len(missing), BATCH_TEXTS)]
        running = [pool.submit(encoder.encode, [texts[row] or "" for row in batch]) for batch in batches]
        try:
            for batch, embedded in zip(batches, running, strict=True):
                vectors[batch] = embedded.result()
                done += len(batch)
                progress(done, len(missing), is_damaged)
        finally:
            pool.shutdown(cancel_futures=True)  # after an interrupt, only what has begun is finished
            new = missing[:done]
            _write(path, np.concatenate([stored_keys, keys[new]]), np.concatenate([stored, vectors[new]]))
    return vectors


def read_vectors(path: Path, dimension: int) -> tuple[Keys, Vectors, bool]:
    """Keys and vectors that are stored; and whether the file is damaged, of which nothing is taken then."""
    import faiss  # only here: it loads a library for numbers of its own, which most commands never use

    nothing = np.empty(0, np.int64), np.empty((0, dimension), np.float32)
    if not path.exists():
        return *nothing, False
    try:
        index: Any = faiss.read_index(str(path))  # not mapped into memory: faiss maps a file that was cut, too
        keys = faiss.vector_to_array(index.id_map)
        flat: Any = faiss.downcast_index(index.index)
        vectors = faiss.vector_to_array(flat.codes).view(np.float32).reshape(len(keys), dimension)
    except (RuntimeError, AttributeError, ValueError):  # no index, of another kind, or of another dimension
        return *nothing, True
    is_whole = (np.abs(np.einsum("ij,ij->i", vectors, vectors) - 1) <= LENGTH_TOLERANCE).all()
    return (keys, vectors, False) if is_whole else (*nothing, True)


def _write(path: Path, keys: Keys, vectors: Vectors) -> None:
    import faiss

    index = faiss.IndexIDMap(faiss.IndexFlatIP(vectors.shape[1]))
    index.add_with_ids(vectors, keys)
    try:
        write_atomically(path, faiss.serialize_index(index).tobytes())
    except InputError as error:
        remedy = "another folder by --index, or look up by wording alone with --no-meaning"
        raise InputError(f"{error}, {remedy}") from None
