"""Vectors of known quotes on disk, in parts that are written once: each part that is there and whole counts.

A part is a file with ids and vectors, named by a hash of its ids. So an interrupted build goes on where it stopped, two
at once write the same files, and a damaged part costs only its own texts. ``manifest.json`` tells people what the
folder holds; nothing reads it back.
"""

import hashlib
import io
import json
import time
import uuid
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from quotelake.errors import InputError
from quotelake.text.ids import content_id

#: Rows of a full part: 25 MB of vectors with 384 dimensions.
PART_ROWS: Final = 16_384
#: So many parts that are not full are joined into full ones.
SMALL_PARTS: Final = 32
#: After this time nobody writes a file any more that is unfinished.
_ABANDONED_SECONDS: Final = 86_400
_DIGEST_BYTES: Final = hashlib.sha256().digest_size

Vectors = npt.NDArray[np.float32]


class Part(NamedTuple):
    """Ids of texts and their vectors, one row each."""

    ids: list[str]
    vectors: Vectors


class Store:
    """The parts of one model in a folder.

    Args:
        folder: made when the first part is written.
        fingerprint: of the model.
        dimension: of its vectors.
    """

    def __init__(self, folder: Path, fingerprint: str, dimension: int) -> None:
        self._folder = folder
        self._fingerprint = fingerprint
        self._dimension = dimension

    def read(self) -> tuple[dict[Path, Part], list[Path]]:
        """Read the parts, in the order of their names.

        Returns:
            The parts that are whole, and the paths of those that are damaged or of another model.

        Raises:
            InputError: a part cannot be read.
        """
        while True:
            paths = [path for path in sorted(self._folder.glob("part-*")) if path.is_file()]
            try:
                read = {path: self._read(path) for path in paths}
            except FileNotFoundError:  # another process joined it with others meanwhile
                continue
            except OSError as error:
                raise self._unusable("read", error) from None
            return {path: part for path, part in read.items() if part}, [path for path in read if not read[path]]

    def write(self, ids: Sequence[str], vectors: Vectors) -> Path:
        """Write a part, whole or not at all; return its path.

        Raises:
            InputError: the folder cannot be written.
        """
        arrays = io.BytesIO()
        np.savez(arrays, fingerprint=np.array(self._fingerprint), ids=np.array(ids, dtype="S32"), vectors=vectors)
        data = arrays.getvalue()
        return self._put(f"part-{content_id(*ids)}", hashlib.sha256(data).digest() + data)

    def remove(self, paths: Sequence[Path]) -> None:
        """Remove files that may be gone already.

        Raises:
            InputError: the folder cannot be written.
        """
        try:
            for path in paths:
                path.unlink(missing_ok=True)
        except OSError as error:
            raise self._unusable("written", error) from None

    def tidy(self) -> None:
        """Join parts that are not full, once there are :data:`SMALL_PARTS` of them; remove what killed processes left.

        Raises:
            InputError: the folder cannot be written.
        """
        self.remove([path for path in self._folder.glob(".*.unfinished") if _is_abandoned(path)])
        small = {path: part for path, part in self.read()[0].items() if len(part.ids) < PART_ROWS}
        if len(small) < SMALL_PARTS:
            return
        rows = {id_: vector for part in small.values() for id_, vector in zip(*part, strict=True)}
        ids = sorted(rows)
        blocks = [ids[start : start + PART_ROWS] for start in range(0, len(ids), PART_ROWS)]
        written = {self.write(block, np.stack([rows[id_] for id_ in block])) for block in blocks}
        self.remove([path for path in small if path not in written])

    def note(self, **facts: object) -> None:
        """Write the manifest, if it is not there already: the fingerprint, and what else is to be told.

        Raises:
            InputError: the folder cannot be written.
        """
        text = json.dumps({"fingerprint": self._fingerprint, "dimension": self._dimension, **facts}, indent=2)
        data, path = f"{text}\n".encode(), self._folder / "manifest.json"
        if not path.is_file() or path.read_bytes() != data:
            self._put(path.name, data)

    def _put(self, name: str, data: bytes) -> Path:
        unfinished, path = self._folder / f".{uuid.uuid4().hex}.unfinished", self._folder / name
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            unfinished.write_bytes(data)
            unfinished.replace(path)
        except OSError as error:
            raise self._unusable("written", error) from None
        return path

    def _read(self, path: Path) -> Part | None:
        """Read a part; None if it is damaged, or of another model."""
        data = memoryview(path.read_bytes())
        if hashlib.sha256(data[_DIGEST_BYTES:]).digest() != data[:_DIGEST_BYTES]:
            return None
        with np.load(io.BytesIO(data[_DIGEST_BYTES:]), allow_pickle=False) as arrays:
            ids, vectors = arrays["ids"].astype(str).tolist(), arrays["vectors"]
            fits = str(arrays["fingerprint"]) == self._fingerprint and vectors.shape[1] == self._dimension
        return Part(ids, vectors) if fits else None

    def _unusable(self, what: str, error: OSError) -> InputError:
        return InputError(
            f"{self._folder}: the vectors for looking up by meaning cannot be {what}: {error.strerror}; name another "
            "folder with --index, or look up by wording alone with --no-meaning"
        )


def _is_abandoned(path: Path) -> bool:
    try:
        return path.stat().st_mtime < time.time() - _ABANDONED_SECONDS
    except FileNotFoundError:  # finished meanwhile
        return False


def matrix_of(parts: Iterable[Part], ids: Mapping[str, int], dimension: int) -> tuple[Vectors, npt.NDArray[np.bool_]]:
    """Set the vectors of parts in the order of some ids.

    Args:
        parts: ids that are not among ``ids`` are left out.
        ids: row of each id.
        dimension: of the vectors.

    Returns:
        Vectors (n, dimension), and which rows have one; the others are zero.
    """
    vectors = np.zeros((len(ids), dimension), dtype=np.float32)
    there = np.zeros(len(ids), dtype=bool)
    for part in parts:
        rows = np.array([ids.get(id_, -1) for id_ in part.ids], dtype=np.int64)
        known = rows >= 0
        vectors[rows[known]] = part.vectors[known]
        there[rows[known]] = True
    return vectors, there
