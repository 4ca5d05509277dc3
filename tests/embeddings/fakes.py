"""A stand-in for the encoder: no torch, no weights, deterministic. Its vectors say nothing about meaning."""

import hashlib
import sys
from collections.abc import Sequence

import numpy as np
from pyspark import cloudpickle

from quotelake.embeddings.encoder import Embedded
from quotelake.text.ids import content_id
from quotelake.text.words import words

# Spark's Python workers cannot import the tests, so what stands here travels to them by value.
cloudpickle.register_pickle_by_value(sys.modules[__name__])


class FakeEncoder:
    """Unit vectors from hashed words: equal words in any order give equal vectors, shared words raise the cosine."""

    dimension, max_length = 16, 50

    def __init__(self, model: str = "fake", dtype: str = "float32") -> None:
        self.fingerprint = content_id("fake", model, dtype)

    def embed(self, texts: Sequence[str]) -> Embedded:
        vectors = np.array([self._vector(text) for text in texts], dtype=np.float32).reshape(-1, self.dimension)
        return Embedded(vectors, np.array([len(words(text)) > self.max_length for text in texts], dtype=bool))

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        return self.embed(texts).vectors

    def _vector(self, text: str) -> np.ndarray:
        vector = np.full(self.dimension, 1e-3)  # never of length 0
        for word in sorted(words(text)[: self.max_length]):  # sorted: sums in one order, so equal bit for bit
            seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")
            vector += np.random.default_rng(seed).standard_normal(self.dimension)
        return vector / np.linalg.norm(vector)


def load_fake(model: str, dtype: str) -> FakeEncoder:
    """Give a worker the fake where it would load the real encoder."""
    return FakeEncoder(model, dtype)
