"""Nearest neighbours among many vectors."""

import numpy as np

from quotelake.embeddings.nearest import nearest


def test_the_inverted_file_finds_what_comparing_all_finds():
    rng = np.random.default_rng(1)
    made = np.eye(8)[rng.integers(0, 8, 3000)] + 0.3 * rng.normal(size=(3000, 8))
    vectors = (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)
    exact, indexed = nearest(vectors[:50], vectors, 1), nearest(vectors[:50], vectors, 1, exact=100)
    assert (exact.rows == indexed.rows).mean() > 0.95
    again = nearest(vectors[:50], vectors, 1, exact=100)
    assert (again.rows == indexed.rows).all() and (again.cosines == indexed.cosines).all()
