"""Embedding inside Spark gives what the encoder gives alone, for every text and every kind of nothing."""

import sys
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest
from pyspark import cloudpickle
from pyspark.errors import PythonException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from quotelake.embeddings import embed, encoder
from quotelake.embeddings.embed import (
    COLUMNS,
    SCHEMA,
    Load,
    _embed_batches,
    embed_texts,
    gpu_profile,
    register_embed_text,
)
from quotelake.embeddings.encoder import Embedded
from quotelake.errors import VersionError
from quotelake.text.ids import content_id

# Spark's Python workers cannot import the tests, so what stands here travels to them by value.
cloudpickle.register_pickle_by_value(sys.modules[__name__])


class FakeEncoder:
    """Neither torch nor weights: numbers drawn by the hash of a text; more than 50 words are truncated."""

    dimension = 16

    def __init__(self, model: str = "fake", dtype: str = "float32") -> None:
        self.fingerprint = content_id("fake", model, dtype)

    def tokenise(self, texts: Sequence[str]) -> Sequence[str]:
        return texts

    def compute(self, texts: Sequence[str]) -> Embedded:
        drawn = [np.random.default_rng(int(content_id(text), 16)).standard_normal(self.dimension) for text in texts]
        long = [len(text.split()) > 50 for text in texts]
        return Embedded(np.array(drawn, np.float32).reshape(-1, self.dimension), np.array(long, bool))

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        return self.compute(texts).vectors


TEXTS = {
    "short": "No rain again.",
    "long": "word " * 60,
    "longest": "again " * 400,
    "empty": "",
    "blank": " \n\t",
    "null": None,
    "other": "東京で二人が会った。",
}


def embedded(*batches: pa.RecordBatch, fingerprint: str = "0", load: Load = FakeEncoder) -> list[pa.RecordBatch]:
    return list(_embed_batches(iter(batches), model="fake", dtype="float32", fingerprint=fingerprint, load=load))


@pytest.mark.parametrize("rows", [1, 3, 100])
def test_larger_batches_for_a_gpu_change_no_row(rows: int, monkeypatch: pytest.MonkeyPatch):
    fake, schema = FakeEncoder(), pa.schema({"text_hash": pa.string(), "text": pa.string()})
    batches = [pa.RecordBatch.from_arrays([[f"{n}"], [text]], schema=schema) for n, text in enumerate(TEXTS.values())]
    one_by_one = pa.Table.from_batches(embedded(*batches, fingerprint=fake.fingerprint))
    monkeypatch.setattr(embed, "GPU_TEXTS", rows)
    for address in (None, "0"):
        monkeypatch.setattr(embed, "gpu_address", lambda address=address: address)
        made = embedded(*batches, fingerprint=fake.fingerprint)
        assert len(made) == (-(-len(batches) // rows) if address else len(batches))
        assert pa.Table.from_batches(made) == one_by_one
        with pytest.raises(VersionError, match="install the same model files on every machine"):
            embedded(*batches, fingerprint="0" * 32)


def test_an_arrow_batch_has_the_declared_types_and_null_takes_no_values():
    batch = pa.RecordBatch.from_pydict({"text_hash": list(TEXTS), "text": list(TEXTS.values())})
    fake = FakeEncoder()
    (made,) = embedded(batch, fingerprint=fake.fingerprint)
    assert made.schema == SCHEMA
    rows = {row["text_hash"]: row for row in made.to_pylist()}
    statuses = ("ok", "truncated", "truncated", "empty", "empty", "empty", "ok")
    assert {name: row["status"] for name, row in rows.items()} == dict(zip(TEXTS, statuses, strict=True))
    for name, row in rows.items():
        expected = None if row["status"] == "empty" else fake.encode([str(TEXTS[name])])[0].tolist()
        assert row["vector"] == expected, name


def test_a_task_without_rows_loads_no_model():
    assert not embedded(load=pytest.fail)


def frame(spark: SparkSession, texts: dict[str, str | None]) -> DataFrame:
    return spark.createDataFrame(list(texts.items()), "text_hash string, text string")


@pytest.mark.spark
def test_spark_gives_every_text_its_row_whatever_the_partitions(spark: SparkSession):
    fake = FakeEncoder()
    many = {content_id(i): f"text {'and more ' * (i % 60)}{i}" for i in range(300)}
    named = {"model": "fake", "dtype": "float32", "fingerprint": fake.fingerprint, "load": FakeEncoder}
    made = [embed_texts(frame(spark, many | TEXTS), **named, partitions=number) for number in (1, 7)]
    assert made[0].schema.simpleString() == "struct<" + COLUMNS.replace(" ", ":").replace(",:", ",") + ">"
    few, spread = ({row.text_hash: row for row in rows.collect()} for rows in made)
    assert few == spread
    assert few.keys() == many.keys() | TEXTS.keys()
    for name, text in many.items():
        assert (few[name].vector, few[name].fingerprint) == (fake.encode([text])[0].tolist(), fake.fingerprint)
    assert [few[name].vector for name in ("empty", "blank", "null")] == [None, None, None]
    assert few["longest"].status == "truncated"


@pytest.mark.spark
def test_embed_text_in_sql_keeps_order_and_gives_null_for_nothing(spark: SparkSession):
    register_embed_text(spark, "fake", "float32", load=FakeEncoder)
    frame(spark, TEXTS).createOrReplaceTempView("texts")
    rows = spark.sql("SELECT text_hash, text, embed_text(text) AS vector FROM texts").collect()
    spark.sql("DROP TEMPORARY FUNCTION embed_text")
    fake = FakeEncoder()
    for row in rows:
        nothing = row.text is None or not row.text.strip()
        assert row.vector == (None if nothing else fake.encode([row.text])[0].tolist()), row.text_hash
    assert len(rows) == len(TEXTS)


@pytest.mark.spark
def test_a_model_that_a_worker_cannot_load_is_named_in_the_failure(spark: SparkSession):
    assert gpu_profile(spark) is None, "one machine needs none"
    texts = embed_texts(frame(spark, TEXTS), model="/absent/model", dtype="float32", fingerprint="0", partitions=1)
    with pytest.raises(PythonException, match="embedding model '/absent/model' is not a directory"):
        texts.select(F.count("*")).collect()


@pytest.mark.parametrize(
    ("address", "cuda", "device"), [("1", True, "cuda:1"), ("1", False, "cpu"), (None, True, "cpu")]
)
def test_the_encoder_runs_on_the_gpu_that_the_task_was_given_else_on_the_cpu(
    address: str | None, cuda: bool, device: str, monkeypatch: pytest.MonkeyPatch
):
    made: list[tuple[object, ...]] = []
    monkeypatch.setattr(embed, "gpu_address", lambda: address)
    monkeypatch.setattr(embed, "_loaded", {})
    monkeypatch.setattr("torch.cuda.is_available", lambda: cuda)
    monkeypatch.setattr(encoder, "Encoder", lambda *given, threads: made.append((*given, threads)) or FakeEncoder())
    first, again = (embed.load_encoder("model", "float32") for _ in range(2))
    assert made == [("model", "float32", device, 1)], "one encoder per worker, on one thread"
    assert first is again
