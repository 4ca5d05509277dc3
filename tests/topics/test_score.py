"""Spark's topic variation equals the kernel alone, for any order and partitioning, to the last bit."""

import random

import numpy as np
import pytest
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F

from quotelake.settings import load_settings
from quotelake.text.ids import content_id
from quotelake.topics.details import PAIRS
from quotelake.topics.head import Representation
from quotelake.topics.score import Scoring, score_groups, scored_rows
from quotelake.topics.selection import count_uses, eligible_uses, sample_uses, usable, weigh_contexts

pytestmark = pytest.mark.spark

TOPICS = load_settings().topics
EXPLAINED = load_settings(overrides=["topics.explained=3"]).topics
SCORING = Scoring("r", "f", Representation(), EXPLAINED, {"the"}.__contains__)
CONTEXT = {
    "variant_id": "v", "doc_id": "d", "start": 0, "end": 9, "native_key": "n", "story_id": "s", "context_start": 0,
    "context_end": 50, "masked_hash": "m", "period": None, "direct": True, "status": "ok", "kind": "news",
    "outlet": None, "author_key": None, "raw_hash": "r",
}  # fmt: skip
TYPES = dict.fromkeys(("start", "end", "context_start", "context_end"), "INT") | {"direct": "BOOLEAN"}
SCHEMA = ", ".join(f"{name} {TYPES.get(name, 'STRING')}" for name in CONTEXT)


def contexts(spark: SparkSession, *overrides: dict[str, object]) -> DataFrame:
    """Contexts that differ from CONTEXT only as stated."""
    return spark.createDataFrame([tuple({**CONTEXT, **override}.values()) for override in overrides], SCHEMA)


TWO = (
    {"doc_id": "d1", "native_key": "n1", "story_id": "s1", "masked_hash": "m1"},
    {"doc_id": "d2", "native_key": "n2", "story_id": "s2", "masked_hash": "m2"},
)


def test_only_comparable_uses_count(spark: SparkSession):
    other = {
        "two uses": {},
        "versions of one article": {"native_key": "n1"},
        "copies of one story, one with another sentence before": {"story_id": "s1"},
        "a syndicated copy": {"masked_hash": "m1"},
        "a scare quote": {"direct": False},
        "a context too short": {"status": "too_short"},
    }
    rows = [{**use, "variant_id": name} for name, change in other.items() for use in (TWO[0], TWO[1] | change)]
    frame = contexts(spark, *rows)
    for words, kept in ((5, {"two uses"}), (3, set())):  # of three words a quote is too short
        members = frame.where(usable(F.lit(words))).select("variant_id").distinct()
        found = eligible_uses(frame, members.withColumn("group_id", F.col("variant_id"))).collect()
        assert {row["group_id"] for row in found} == kept and len(found) == 2 * len(kept)


def corpus(n: int) -> list[dict[str, object]]:
    return [
        {
            "variant_id": "ab"[i % 2], "doc_id": f"d{i}", "native_key": f"n{i}", "masked_hash": content_id(i // 3),
            "story_id": f"s{i // 5}",
            "period": ("2024-03", "2024-04", None)[i % 3], "kind": ("news", "tweet")[i % 4 == 0],
            "outlet": None if i % 4 == 0 else f"o{i % 7}", "author_key": f"a{i % 8}" if i % 8 == 0 else None,
        }
        for i in range(n)
    ]  # fmt: skip


def vectors_of(rows: list[dict[str, object]]) -> dict[str, list[float]]:
    keys = sorted({str(row["masked_hash"]) for row in rows})
    drawn = {key: np.random.default_rng(int(key[:8], 16)).normal(size=6) + 0.4 for key in keys}
    return {key: (raw / np.linalg.norm(raw)).astype(np.float32).tolist() for key, raw in drawn.items()}


def score(spark: SparkSession, rows: list[dict[str, object]], partitions: int, sample: int = 256) -> dict[tuple, Row]:
    frame = contexts(spark, *rows).selectExpr("*", "variant_id AS group_id").repartition(partitions)
    counts = count_uses(frame)
    schema = "text_hash STRING, vector ARRAY<FLOAT>"
    vectors = spark.createDataFrame([*vectors_of(rows).items()], schema).repartition(partitions)
    texts = vectors.selectExpr("text_hash", "concat('word', text_hash) AS text")
    scored = score_groups(weigh_contexts(sample_uses(frame, counts, sample)), vectors, counts, texts, SCORING).cache()
    return {(row["group_id"], row["period"]): row for row in scored_rows(scored).collect()}


def mean(vectors: dict[str, list[float]], hashes: list[str]) -> float:
    rows = np.array([vectors[each] for each in hashes])
    gram = rows @ rows.T
    return (gram.sum() - np.trace(gram)) / (len(rows) * (len(rows) - 1))


def test_spark_equals_brute_force(spark: SparkSession):
    rows = corpus(40)
    vectors = vectors_of(rows)
    scored = score(spark, rows, 3)
    assert {period for _, period in scored} == {"all", "2024-03", "2024-04"}
    for (group, period), row in scored.items():
        mine = [r for r in rows if r["variant_id"] == group and period in ("all", r["period"])]
        kinds = {kind: [r for r in mine if r["kind"] == kind] for kind in sorted({r["kind"] for r in mine})}
        for cell, used in [(row, mine), *zip(row["by_kind"], kinds.values(), strict=True)]:
            distinct = sorted({str(r["masked_hash"]) for r in used})
            assert cell["n_distinct_contexts"] == cell["n_sampled"] == len(distinct)
            assert cell["n_documents"] == cell["n_contexts"] == len(used)
            assert cell["n_stories"] == len({r["story_id"] for r in used})
            assert cell["n_outlets"] == len({r["outlet"] for r in used} - {None})
            if len(distinct) > 1:
                assert cell["variation"] == pytest.approx(1 - mean(vectors, distinct), abs=1e-9)
                assert cell["variation_all"] == pytest.approx(
                    1 - mean(vectors, [str(r["masked_hash"]) for r in used]), abs=1e-9
                )


def test_sample_is_bounded_and_the_same_in_any_order(spark: SparkSession):
    rows = corpus(300)
    first = score(spark, rows, 2, sample=20)
    assert 5 <= first["a", "all"]["n_sampled"] < 40 < first["a", "all"]["n_distinct_contexts"]
    assert len(first["a", "all"]["details"]["pairs"]) == PAIRS
    random.Random(3).shuffle(rows)
    assert score(spark, rows, 4, sample=20) == first


def test_no_score_depends_on_the_secret_by_which_authors_are_hashed(spark: SparkSession):
    keys = {
        "one": lambda n: content_id("one", n),
        "another": lambda n: content_id("another", n),
        "none": lambda n: None,
    }
    rows = [
        {**row, "variant_id": name, "kind": "tweet", "outlet": None, "period": f"2024-0{1 + number // 20}",
         "author_key": key(number % 23)}
        for name, key in keys.items() for number, row in enumerate(corpus(60))
    ]  # fmt: skip
    found: dict[str, dict[str, object]] = {name: {} for name in keys}
    for (group, what), row in score(spark, rows, 2).items():
        found[group][what] = {**row.asDict(), "group_id": None}
    chances = {name: each["all"]["details"]["shift_chance"] for name, each in found.items()}
    assert found["one"] == found["another"] and chances["one"] is not None
    assert chances["none"] != chances["one"], "authors count"
