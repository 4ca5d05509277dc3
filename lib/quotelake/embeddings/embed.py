"""Texts to vectors in Spark, by an encoder of each worker: an iterator pandas UDF for queries, and a batch stage."""

import os
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pyarrow as pa
from pyspark import TaskContext
from pyspark.resource import ResourceProfile, ResourceProfileBuilder, TaskResourceRequests
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.pandas.functions import pandas_udf

from quotelake.errors import VersionError
from quotelake.spark.arrow import larger_batches

if TYPE_CHECKING:
    from quotelake.embeddings.encoder import Encoder

COLUMNS = "fingerprint string, text_hash string, vector array<float>, status string"
_VECTORS = pa.list_(pa.field("element", pa.float32()))
SCHEMA = pa.schema([(name, _VECTORS if name == "vector" else pa.string()) for name in COLUMNS.split()[::2]])
#: Texts that a GPU is given at once: of 76 tokens they fill 23 rows of the encoder, of which the last is part empty.
GPU_TEXTS = 20_000
OK, TRUNCATED, EMPTY = "ok", "truncated", "empty"

#: Returns a worker's encoder of a model and a dtype.
Load = Callable[[str, str], "Encoder"]
_loaded: dict[tuple[str, str, str], "Encoder"] = {}


def load_encoder(model: str, dtype: str) -> "Encoder":
    """Return this worker's encoder, loading it the first time: on the task's GPU, else on one CPU thread."""
    address = gpu_address()
    import torch

    from quotelake.embeddings.encoder import Encoder

    device = f"cuda:{address}" if address is not None and torch.cuda.is_available() else "cpu"
    # Spark runs one task per core, so more threads would only compete. But a GPU waits even for all cores that tokenise
    # by tokenizers: they have nothing else to do then, so what conf/spark-defaults.conf says does not count.
    os.environ["TOKENIZERS_PARALLELISM"] = "false" if device == "cpu" else "true"
    if device != "cpu":
        os.environ.pop("RAYON_NUM_THREADS", None)
    if (model, dtype, device) not in _loaded:
        _loaded[model, dtype, device] = Encoder(model, dtype, device, threads=1)
    return _loaded[model, dtype, device]


def register_embed_text(spark: SparkSession, model: str, dtype: str, load: Load = load_encoder) -> None:
    """Register ``embed_text(text) -> array<float>`` for SQL: ``SELECT embed_text(headline) FROM documents LIMIT 10``.

    A text that is null, empty or only white space gives null. The arguments are as for :func:`embed_texts`.
    """

    def embed_text(batches: Iterator[pd.Series]) -> Iterator[pd.Series]:
        encoder = load(model, dtype)
        for texts in batches:
            vectors = pd.Series([None] * len(texts), dtype=object)
            present = [i for i, text in enumerate(texts) if text is not None and text.strip()]
            for i, vector in zip(present, encoder.encode([texts.iloc[i] for i in present]), strict=True):
                vectors.iat[i] = vector
            yield vectors

    udf: Callable[[Column], Column] = pandas_udf(embed_text, "array<float>")  # type: ignore[call-overload]
    spark.udf.register("embed_text", udf)


def embed_texts(
    texts: DataFrame,
    *,
    model: str,
    dtype: str,
    fingerprint: str,
    partitions: int,
    profile: ResourceProfile | None = None,
    load: Load = load_encoder,
) -> DataFrame:
    """Embed distinct ``texts``, ``text_hash`` and ``text``, one row each: ``fingerprint, text_hash, vector, status``.

    Model, dtype and fingerprint are as :func:`quotelake.embeddings.models.find` returned them on the driver: ``auto``
    would mix dtypes on a cluster, and a worker with other model files stops the stage with a VersionError.

    Status is ``ok``, ``truncated`` (longer than the model reads; the vector is of its beginning) or ``empty`` (null,
    empty or white space; the vector is null).
    """
    # By hash the work is spread evenly and in the same way in each run; by length a batch has texts of similar length.
    sorted_by_length = (
        texts.select("text_hash", "text")
        .repartition(partitions, "text_hash")
        .sortWithinPartitions(F.length("text"), "text_hash")
    )
    embed = partial(_embed_batches, model=model, dtype=dtype, fingerprint=fingerprint, load=load)
    return sorted_by_length.mapInArrow(embed, COLUMNS, profile=profile)


def _embed_batches(
    batches: Iterator[pa.RecordBatch], *, model: str, dtype: str, fingerprint: str, load: Load
) -> Iterator[pa.RecordBatch]:
    for batch in batches if gpu_address() is None else larger_batches(batches, GPU_TEXTS):
        encoder = load(model, dtype)  # a task without rows loads nothing
        if encoder.fingerprint != fingerprint:
            raise VersionError(
                f"this worker's embedding model {model!r} has the fingerprint {encoder.fingerprint}, the driver's "
                f"{fingerprint}: install the same model files on every machine"
            )
        texts = batch.column("text").to_pylist()
        present = np.array([text is not None and bool(text.strip()) for text in texts], dtype=bool)
        tokens = encoder.tokenise([text for text, is_present in zip(texts, present, strict=True) if is_present])
        embedded = encoder.compute(tokens)
        status = np.full(len(present), EMPTY, dtype=object)
        status[present] = np.where(embedded.truncated, TRUNCATED, OK)
        # From one flat buffer: a row that is not present is null and takes no values.
        offsets = np.concatenate([[0], np.cumsum(np.where(present, encoder.dimension, 0))]).astype(np.int32)
        flat = pa.array(np.ascontiguousarray(embedded.vectors, dtype=np.float32).reshape(-1))
        vectors = pa.ListArray.from_arrays(pa.array(offsets), flat, type=_VECTORS, mask=pa.array(~present))
        fingerprints = pa.array([fingerprint] * len(present), pa.string())
        columns = [fingerprints, batch.column("text_hash").cast(pa.string()), vectors, pa.array(status, pa.string())]
        yield pa.RecordBatch.from_arrays(columns, schema=SCHEMA)


def gpu_profile(spark: SparkSession, tasks: int = 1) -> ResourceProfile | None:
    """Profile by which ``tasks`` share a GPU (``spark.executor.resource.gpu.amount``); None without, as locally."""
    conf = spark.sparkContext.getConf()
    local = conf.get("spark.master", "local").startswith("local")
    if local or int(conf.get("spark.executor.resource.gpu.amount", "0")) < 1:
        return None
    # Task requests alone: the executors stay those of the default profile, so this works without dynamic allocation.
    profile = ResourceProfileBuilder().require(TaskResourceRequests().cpus(1).resource("gpu", 1 / tasks)).build
    assert isinstance(profile, ResourceProfile)
    return profile


def gpu_address() -> str | None:
    """Return the address of the GPU of this task, None without one."""
    context = TaskContext.get()
    gpu = context.resources().get("gpu") if context is not None else None
    return gpu.addresses[0] if gpu is not None and gpu.addresses else None
