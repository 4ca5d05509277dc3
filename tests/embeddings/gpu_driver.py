"""Driver of ``test_gpu_scheduling``: embed on a cluster and print which GPU address each row was embedded at.

python gpu_driver.py spark://127.0.0.1:PORT
"""

import json
import sys
import time
from functools import partial

import numpy as np
from pyspark.sql import SparkSession

from quotelake.embeddings.embed import embed_texts, gpu_address, gpu_profile
from quotelake.embeddings.encoder import Embedded


class AddressEncoder:
    """Instead of a text's meaning, its vector holds the GPU address and when the task started and ended."""

    fingerprint, dimension = "addresses", 3

    def __init__(self, zero: float) -> None:
        self.zero = zero  # seconds on the machine's clock; float32 could not hold its full value

    def embed(self, texts: list[str]) -> Embedded:
        start = time.monotonic() - self.zero
        time.sleep(1)  # so that tasks given the same address at the same time would be seen
        row = (float(gpu_address() or "nan"), start, time.monotonic() - self.zero)
        return Embedded(np.array([row] * len(texts), np.float32), np.zeros(len(texts), bool))


def load(model: str, dtype: str, zero: float) -> AddressEncoder:
    return AddressEncoder(zero)


def main(master: str) -> None:
    spark = (
        SparkSession.builder.master(master)
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        .config("spark.cores.max", "2")
        .config("spark.executor.cores", "1")
        .config("spark.executor.memory", "512m")
        .config("spark.executor.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData")
        .config("spark.executor.resource.gpu.amount", "1")
        # Both executors are to stand before the first task, or one of them could do all the work.
        .config("spark.scheduler.minRegisteredResourcesRatio", "1.0")
        .config("spark.scheduler.maxRegisteredResourcesWaitingTime", "90s")
        .getOrCreate()
    )
    texts = spark.createDataFrame([(f"{i:032x}", f"text {i}") for i in range(40)], "text_hash string, text string")
    profile = gpu_profile(spark)
    embedded = embed_texts(
        texts,
        model="",
        dtype="",
        fingerprint="addresses",
        partitions=4,
        profile=profile,
        load=partial(load, zero=time.monotonic()),
    )
    print(json.dumps({"profile": profile is not None, "rows": [row.vector for row in embedded.collect()]}))
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1])
