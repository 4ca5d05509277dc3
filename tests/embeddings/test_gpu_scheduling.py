"""Every embedding task is scheduled on a GPU of its own: a standalone cluster on loopback, with GPUs that are only said
to be there."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from quotelab.benchmarks.standalone import standalone

#: Embeds on a cluster, and prints which GPU address each row was embedded at: its vector holds it.
DRIVER = """
import json, sys, time
import numpy as np
from pyspark.sql import SparkSession
from quotelake.embeddings.embed import embed_texts, gpu_address, gpu_profile
from quotelake.embeddings.encoder import Embedded

class AddressEncoder:
    fingerprint, dimension = "addresses", 1

    def tokenise(self, texts):
        return texts

    def compute(self, texts):
        time.sleep(1)  # so that no executor does all the work
        address = float(gpu_address() or "nan")
        return Embedded(np.full((len(texts), 1), address, np.float32), np.zeros(len(texts), bool))

spark = SparkSession.builder.getOrCreate()
texts = spark.createDataFrame([(f"{i:032x}", f"text {i}") for i in range(40)], "text_hash string, text string")
profile = gpu_profile(spark, int(sys.argv[1]))
given = {"model": "", "dtype": "", "fingerprint": "addresses", "partitions": 4, "profile": profile}
embedded = embed_texts(texts, **given, load=lambda model, dtype: AddressEncoder())
share = profile and profile.taskResources["gpu"].amount
print(json.dumps({"share": share, "rows": [row.vector[0] for row in embedded.collect()]}))
spark.stop()
"""


@pytest.mark.slow
@pytest.mark.spark
@pytest.mark.parametrize("tasks", [1, 2])
def test_each_task_has_a_gpu_address(tasks: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    discovery = tmp_path / "gpus.sh"
    discovery.write_text("#!/bin/sh\n" + """echo '{"name": "gpu", "addresses": ["0", "1"]}'\n""")
    discovery.chmod(0o755)
    properties = tmp_path / "worker.properties"
    properties.write_text(
        f"spark.worker.resource.gpu.amount 2\nspark.worker.resource.gpu.discoveryScript {discovery}\n"
    )
    worker = ("--cores", "2", "--memory", "2g", "--properties-file", str(properties))
    with standalone(tmp_path, workers=1, arguments=worker) as cluster:
        job = cluster.job(spark__executor__memory="512m", spark__executor__resource__gpu__amount="1")
        monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", shlex.join([*job, "pyspark-shell"]))
        monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
        command = [sys.executable, "-c", DRIVER, str(tasks)]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=1800, check=False)
    assert ran.returncode == 0, ran.stderr[-3000:] + (tmp_path / "worker_0.log").read_text()[-3000:]
    seen = json.loads(ran.stdout.splitlines()[-1])
    assert seen["share"] == 1 / tasks, "gpu_profile asks for GPUs on a cluster whose executors have one each"
    assert len(seen["rows"]) == 40 and set(seen["rows"]) == {0.0, 1.0}
