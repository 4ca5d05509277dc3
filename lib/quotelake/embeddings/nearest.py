"""Nearest neighbours among unit vectors, by faiss: exact for small sets, by an inverted file for large ones.

Up to :data:`EXACT` vectors every one is compared. Above, an inverted file of 8 √N lists, of which 32 are searched, is
trained on up to 64 vectors a list; from a million on it has 65,536 lists, found by a graph (faiss, guidelines to choose
an index). All on one thread and with fixed seeds, so the same vectors give the same neighbours.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]

#: Vectors up to which all are compared.
EXACT: Final = 200_000
_LARGE: Final = 1_000_000
_LISTS_OF_LARGE: Final = 65_536
_LISTS: Final = 8  # times the square root of the number of vectors
_SEARCHED: Final = 32
_TRAINED_ON: Final = 64  # vectors a list
_SEED: Final = 1234


class Neighbours(NamedTuple):
    """Neighbours of some vectors, nearest first.

    Attributes:
        cosines: one row for each query.
        rows: of the neighbours; -1 where there are fewer.
    """

    cosines: Vectors
    rows: npt.NDArray[np.int64]


def nearest(queries: Vectors, known: Vectors, most: int, exact: int = EXACT) -> Neighbours:
    """Find the ``most`` known vectors that are nearest to each of some vectors.

    Args:
        queries: of unit length, one a row.
        known: the same.
        most: neighbours of each.
        exact: number of known vectors up to which every one is compared.

    >>> square = np.eye(2, dtype=np.float32)
    >>> nearest(square, square, 1).rows.tolist()
    [[0], [1]]
    """
    import faiss  # only here: it loads a library for numbers of its own, which most commands never use

    most = min(most, len(known))
    if not most or not len(queries):
        shape = (len(queries), most)
        return Neighbours(np.empty(shape, np.float32), np.empty(shape, np.int64))
    faiss.omp_set_num_threads(1)  # a busy machine makes threads wait for one another
    if len(known) <= exact:
        return Neighbours(*faiss.knn(queries, known, most, metric=faiss.METRIC_INNER_PRODUCT))
    large = len(known) >= _LARGE
    lists = _LISTS_OF_LARGE if large else int(_LISTS * len(known) ** 0.5)
    name = f"IVF{lists}_HNSW32,Flat" if large else f"IVF{lists},Flat"
    index = faiss.index_factory(known.shape[1], name, faiss.METRIC_INNER_PRODUCT)
    chosen = np.random.default_rng(_SEED).permutation(len(known))[: lists * _TRAINED_ON]
    index.train(known[np.sort(chosen)])
    index.add(known)
    faiss.extract_index_ivf(index).nprobe = min(_SEARCHED, lists)
    return Neighbours(*index.search(queries, most))
