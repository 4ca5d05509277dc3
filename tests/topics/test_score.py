"""Spark's topic variation equals the kernel alone, for any order and partitioning, to the last bit."""

import random

import numpy as np
import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from quotelake.settings import TopicSettings
from quotelake.text import content_id
from quotelake.topics.score import score_variation
from quotelake.topics.selection import count_uses, eligible_uses, sample_uses, usable, weigh_contexts

pytestmark = pytest.mark.spark

TOPICS = TopicSettings(min_words=4, min_documents=2, min_distinct_contexts=2, sample=256)
CONTEXT = {
    "variant_id": "v", "doc_id": "d", "start": 0, "end": 9, "native_key": "n", "story_id": "s", "context_start": 0,
    "context_end": 50, "masked_hash": "m", "period": None, "direct": True, "status": "ok",
}  # fmt: skip
SCHEMA = (
    "variant_id STRING, doc_id STRING, start INT, end INT, native_key STRING, story_id STRING, context_start INT, "
    "context_end INT, masked_hash STRING, period STRING, direct BOOLEAN, status STRING"
)


def contexts(spark: SparkSession, *overrides: dict[str, object]) -> DataFrame:
    """Contexts that differ from CONTEXT only as stated."""
    return spark.createDataFrame([tuple({**CONTEXT, **override}.values()) for override in overrides], SCHEMA)


def uses(spark: SparkSession, *overrides: dict[str, object], words: int = 5) -> list[str]:
    """Groups that are eligible, given contexts of a variant of so many words; a variant is its own group."""
    frame = contexts(spark, *overrides)
    usable_ones = frame.where(usable(F.lit(words), TOPICS)).select("variant_id").distinct()
    members = usable_ones.withColumn("group_id", F.col("variant_id"))
    return [row["group_id"] for row in eligible_uses(frame, members, TOPICS).collect()]


TWO = (
    {"doc_id": "d1", "native_key": "n1", "story_id": "s1", "masked_hash": "m1"},
    {"doc_id": "d2", "native_key": "n2", "story_id": "s2", "masked_hash": "m2"},
)


@pytest.mark.parametrize(
    ("overrides", "words", "kept"),
    [
        (TWO, 5, 2),
        (TWO, 3, 0),  # too short a quote
        ((TWO[0], {**TWO[1], "native_key": "n1"}), 5, 0),  # two versions of one article
        ((TWO[0], {**TWO[1], "story_id": "s1"}), 5, 0),  # two copies of one story, one with another sentence before
        ((TWO[0], {**TWO[1], "masked_hash": "m1"}), 5, 0),  # a syndicated copy
        ((TWO[0], {**TWO[1], "direct": False}), 5, 0),  # a scare quote
        ((TWO[0], {**TWO[1], "status": "too_short"}), 5, 0),
    ],
)
def test_only_comparable_uses_count(
    spark: SparkSession, overrides: tuple[dict[str, object], ...], words: int, kept: int
):
    assert len(uses(spark, *overrides, words=words)) == kept


def corpus(n: int) -> list[dict[str, object]]:
    """Uses of two groups over two months, some with copies."""
    return [
        {
            "variant_id": "ab"[i % 2], "doc_id": f"d{i}", "native_key": f"n{i}", "masked_hash": content_id(i // 3),
            "story_id": f"s{i // 5}",
            "period": ("2024-03", "2024-04", None)[i % 3],
        }
        for i in range(n)
    ]  # fmt: skip


def vectors_of(rows: list[dict[str, object]]) -> list[tuple[str, list[float]]]:
    """A unit vector for each masked text."""
    made = []
    for key in sorted({str(row["masked_hash"]) for row in rows}):
        raw = np.random.default_rng(int(key[:8], 16)).normal(size=6) + 0.4
        made.append((key, (raw / np.linalg.norm(raw)).astype(np.float32).tolist()))
    return made


def score(spark: SparkSession, rows: list[dict[str, object]], partitions: int, sample: int = 256) -> dict[tuple, tuple]:
    """Topic variation of the rows, by group and period."""
    frame = contexts(spark, *rows).selectExpr("*", "variant_id AS group_id").repartition(partitions)
    counts = count_uses(frame)
    vectors = spark.createDataFrame(vectors_of(rows), "text_hash STRING, vector ARRAY<FLOAT>").repartition(partitions)
    scored = score_variation(
        weigh_contexts(sample_uses(frame, counts, sample)), vectors, counts,
        rule_version="r", fingerprint="f",
    )  # fmt: skip
    return {(row["group_id"], row["period"]): tuple(row) for row in scored.collect()}


def test_spark_equals_brute_force(spark: SparkSession):
    rows = corpus(40)
    vectors = {key: np.array(vector) for key, vector in vectors_of(rows)}
    scored = score(spark, rows, 3)
    for (group, period), row in scored.items():
        mine = [r for r in rows if r["variant_id"] == group and period in ("all", r["period"])]
        distinct = sorted({str(r["masked_hash"]) for r in mine})
        gram = np.array([[vectors[a] @ vectors[b] for b in distinct] for a in distinct])
        n = len(distinct)
        mean = (gram.sum() - np.trace(gram)) / (n * (n - 1))
        copies = np.array([vectors[str(r["masked_hash"])] for r in mine])
        gram_all = copies @ copies.T
        mean_all = (gram_all.sum() - np.trace(gram_all)) / (len(mine) * (len(mine) - 1))
        names = ("n_documents", "n_stories", "n_contexts", "n_distinct", "n_sampled")
        columns = dict(zip(names, row[5:10], strict=True))
        stories = len({r["story_id"] for r in mine})
        counted = {"n_documents": len(mine), "n_stories": stories, "n_contexts": len(mine)}
        assert columns == {**counted, "n_distinct": n, "n_sampled": n}
        assert row[10] == pytest.approx(mean, abs=1e-7)
        assert row[14] == pytest.approx(mean_all, abs=1e-7)


def test_order_and_partitioning_change_no_bit(spark: SparkSession):
    rows = corpus(60)
    first = score(spark, rows, 1)
    random.Random(7).shuffle(rows)
    assert score(spark, rows, 5) == first


def test_sample_is_bounded_and_the_same_in_any_order(spark: SparkSession):
    rows = corpus(300)
    first = score(spark, rows, 2, sample=20)
    assert 5 <= first["a", "all"][9] < 40
    assert first["a", "all"][8] > 40
    random.Random(3).shuffle(rows)
    assert score(spark, rows, 4, sample=20) == first
