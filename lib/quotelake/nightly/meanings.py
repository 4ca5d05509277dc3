"""New variants → further pairs by meaning: the new ones against each other and against all of earlier nights.

The vectors of all variants long enough are read on every night, and held by the driver: 1,536 bytes each with the
default model. That is why it is off by default.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from quotelake.lake.contracts import columns
from quotelake.nightly.chain import Batch
from quotelake.nightly.regrouping import Compared
from quotelake.nightly.scoring import embed
from quotelake.reuse.semantic import SEMANTIC, Likeness, alike
from quotelake.text.language import detect_language


def add_meanings(batch: Batch, compared: Compared) -> Compared:
    """Add to the pairs of new variants those that mean the same and share too few words.

    Args:
        batch: of the new variants; its settings say how long and how alike they must be.
        compared: the new variants and their pairs by words.
    """
    settings, versions = batch.chain.settings.reuse, batch.chain.versions
    long = F.size(F.split("canonical_text", " ")) >= settings.semantic_words
    named = [F.col("variant_id").alias("text_hash"), F.col("canonical_text").alias("text")]
    new = batch.materialise(_readable(batch, compared.new.where(long).select(*named)))
    of_model = F.col("fingerprint") == versions.fingerprint
    known = batch.lake.rows_of("embeddings", new.select("text_hash")).where(of_model).select("text_hash")
    made = embed(batch, batch.materialise(new.join(known, "text_hash", "left_anti")))
    earlier = _earlier(batch, long).select(*named).join(new, "text_hash", "left_anti")
    texts = batch.materialise(new.withColumn("new", F.lit(True)).union(earlier.withColumn("new", F.lit(False))))
    stored = batch.lake.rows_of("embeddings", texts.select("text_hash")).where(of_model).select("text_hash", "vector")
    vectors = stored if made is None else stored.union(made.select("text_hash", "vector"))
    table = texts.join(vectors.dropDuplicates(["text_hash"]), "text_hash", "inner").orderBy("text_hash").toArrow()
    found, crowded = _pairs(table, settings.semantic_cosine)
    marks = {"rule_version": versions.rule_version, "measure": SEMANTIC, "fingerprint": versions.fingerprint}
    rows = batch.lake.frame([{**pair._asdict(), **marks} for pair in found], "variant_edges")
    by_words = compared.edges.select("a", "b")
    edges = batch.materialise(rows.join(by_words, ["a", "b"], "left_anti").select(*columns("variant_edges")))
    number = edges.count()
    counts = {**compared.counts, "pairs": compared.counts["pairs"] + number}
    counts |= {"pairs_by_meaning": number, "variants_with_more_neighbours": crowded}
    return replace(compared, edges=compared.edges.unionByName(edges), counts=counts, vectors=made)


def _readable(batch: Batch, texts: DataFrame) -> DataFrame:
    """Texts in a language that the model knows, by the texts alone: vectors of others mean nothing."""
    settings = batch.chain.settings
    told, sure = settings.ingest.languages, settings.ingest.language_confidence
    rows = texts.toArrow()
    known = [detect_language(text, told, sure) in settings.model.languages for text in rows.column("text").to_pylist()]
    return batch.lake.spark.createDataFrame(rows.filter(pa.array(known, pa.bool_())))


def _earlier(batch: Batch, long: Column) -> DataFrame:
    """Variants of earlier nights that are long enough."""
    lake = batch.lake
    if not lake.bytes_of("variant_groups"):
        return lake.frame([], "variants").select("variant_id", "canonical_text")
    grouped = lake.read("variant_groups").where(F.col("rule_version") == batch.chain.versions.rule_version)
    variants = lake.read("variants").where(long)
    return variants.join(grouped.select("variant_id"), "variant_id", "left_semi").select("variant_id", "canonical_text")


def _pairs(table: pa.Table, least: float) -> tuple[list[Likeness], int]:
    ids, texts = (table.column(name).to_pylist() for name in ("text_hash", "text"))
    if not ids:
        return [], 0
    vectors = np.asarray(table.column("vector").to_pylist(), np.float32)
    new = np.flatnonzero(table.column("new").to_numpy()).tolist()
    written: Mapping[str, str] = dict(zip(ids, texts, strict=True))
    found = alike(ids, vectors, new, written, least)
    return found.pairs, found.crowded
