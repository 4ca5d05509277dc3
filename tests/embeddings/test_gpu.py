"""On a GPU vectors are those of the processor, to rounding, and to the bit the same in any company. No Spark.

In a checkout without an installation: ``PYTHONPATH=lib python -m pytest --noconftest tests/embeddings/test_gpu.py``.
"""

from functools import cache

import numpy as np
import pytest

from quotelab.benchmarks.encoder import made_texts
from quotelake.embeddings import models
from quotelake.embeddings.encoder import Encoder

torch = pytest.importorskip("torch")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not torch.cuda.is_available(), reason="this machine has no GPU")]
TEXTS = [*made_texts(3000), "", "word " * 2000, *("word " * length for length in range(1, 260, 7))]
DTYPES = ("float32", "bfloat16", "float16")


@cache
def encoder(dtype: str) -> Encoder:
    return Encoder(models.DEFAULT, dtype, "cuda")


@pytest.mark.parametrize(("dtype", "least"), list(zip(DTYPES, (0.9999, 0.999, 0.9999), strict=True)))
def test_vectors_are_those_of_the_processor(dtype: str, least: float):
    few = TEXTS[-500:]
    expected = Encoder(models.DEFAULT, "float32", "cpu").encode(few)
    assert (encoder(dtype).encode(few) * expected).sum(axis=1).min() > least


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_vector_is_the_same_to_the_bit_in_any_company(dtype: str):
    vectors = encoder(dtype).encode(TEXTS)
    rng = np.random.default_rng(0)
    for size in (len(TEXTS), 2000, 500, 100, 10, 2, 1, 1, 1):  # rows that are full, and one of a single text
        order = rng.permutation(len(TEXTS))[:size]
        again = encoder(dtype).encode([TEXTS[place] for place in order])
        np.testing.assert_array_equal(again, vectors[order])


def test_texts_are_packed_where_the_card_can():
    assert not encoder("float32").packs
    assert encoder("bfloat16").packs == (torch.cuda.get_device_capability() >= (8, 0))
