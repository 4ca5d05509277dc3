"""On a GPU vectors are those of the processor, to rounding, whatever other texts are in the batch."""

import numpy as np
import pytest

from quotelab.benchmarks.encoder import made_texts
from quotelake.embeddings import models
from quotelake.embeddings.encoder import Encoder

torch = pytest.importorskip("torch")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not torch.cuda.is_available(), reason="this machine has no GPU")]


@pytest.mark.parametrize(("dtype", "least"), [("float32", 0.9999), ("bfloat16", 0.999), ("float16", 0.9999)])
def test_vectors_are_those_of_the_processor_whatever_the_batch(dtype: str, least: float):
    texts = [*made_texts(2000), "", "word " * 2000]
    on_gpu, on_cpu = Encoder(models.DEFAULT, dtype, "cuda"), Encoder(models.DEFAULT, "float32", "cpu")
    vectors = on_gpu.encode(texts)
    assert (vectors * on_cpu.encode(texts)).sum(axis=1).min() > least
    order = np.random.default_rng(0).permutation(len(texts))[:200]
    again = on_gpu.encode([texts[place] for place in order])
    assert (again * vectors[order]).sum(axis=1).min() > least
