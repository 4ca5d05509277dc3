"""The bench of the encoder counts the arithmetic that torch counts, and runs where there is neither Spark nor a GPU."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from quotelab.benchmarks import encoder
from quotelake.embeddings import models
from quotelake.embeddings.bert import Bert

#: What a machine with a GPU need not have installed.
ABSENT = "pyspark", "pydantic", "rapidfuzz", "orjson", "py3langid", "faiss", "duckdb", "deltalake", "nltk"
PROGRAM = f"""
import runpy, sys
sys.modules.update(dict.fromkeys({ABSENT}))  # as if they were not there
sys.modules["quotelake.conf"] = None  # a part of an installation alone
runpy.run_module("quotelab.benchmarks.encoder", run_name="__main__")
"""


def test_the_arithmetic_is_what_torch_counts_without_padding():
    import torch
    from torch.utils.flop_counter import FlopCounterMode

    network = Bert(models.find(dtype="float32"), "cpu")
    lengths = np.array([3, 50, 256])
    with FlopCounterMode(display=False) as counted, torch.inference_mode():
        for length in lengths:
            ids = torch.ones((1, length), dtype=torch.int64)
            network.embed(ids, ids)
    assert encoder.arithmetic(models.locate(models.DEFAULT), lengths) == counted.get_total_flops()


@pytest.mark.process
def test_the_bench_needs_neither_spark_nor_an_installation_and_says_what_it_needs(tmp_path: Path):
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "CUDA_VISIBLE_DEVICES": ""}
    command = [sys.executable, "-c", PROGRAM, "--device", "cuda"]
    seen = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert seen.returncode == 2
    assert "finds no GPU here; it needs one of NVIDIA's" in seen.stderr and "--device cpu" in seen.stderr
