"""Contexts → topic variation: Spark gathers the sampled contexts of each group, the kernels score them.

A whole group is in memory at once: :func:`quotelake.topics.selection.sample_uses` bounds its size.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, StructField, StructType

from quotelake.lake.contracts import columns
from quotelake.lake.frames import table_schema
from quotelake.settings import TopicSettings
from quotelake.spark.arrow import Row, arrow_schema, map_rows, record_batches, rows_in_arrays, struct
from quotelake.topics.contexts import mask
from quotelake.topics.details import details
from quotelake.topics.head import Representation, Vectors
from quotelake.topics.selection import COUNTS
from quotelake.topics.variation import ALL, Group, Use, to_fixed

_KIND_MEASURES = ("n_sampled", "variation", "variation_low", "variation_high", "variation_all")
#: Groups per batch of scored rows.
_BATCH_GROUPS = 256


@dataclass(frozen=True)
class Scoring:
    """Parameters of scores: versions, vectors that represent contexts, settings, and the test for function words."""

    rule_version: str
    fingerprint: str
    representation: Representation
    settings: TopicSettings
    is_common: Callable[[str], bool]


def score_groups(
    weighted: DataFrame, vectors: DataFrame, counts: DataFrame, texts: DataFrame, scoring: Scoring
) -> DataFrame:
    """Score groups. Grain: a group; its rows of ``topic_variation`` as an array: see :func:`scored_rows`.

    ``weighted`` contexts and ``counts``, of all contexts whether sampled or not, are of
    :mod:`quotelake.topics.selection`; ``vectors``, by ``text_hash`` and of unit norm, are of every text that the
    representation needs, ``texts`` of the masked contexts of groups that are explained.
    """
    known = vectors.where(F.col("vector").isNotNull())
    rows = weighted
    for name in scoring.representation.needed:
        named: list[Column] = [F.col("text_hash").alias(f"{name}_hash"), F.col("vector").alias(name)]
        rows = rows.join(known.select(*named), f"{name}_hash", "inner")
    rows = rows.join(texts.select(F.col("text_hash").alias("masked_hash"), "text"), "masked_hash", "left")
    counted = counts.groupBy("group_id").agg(F.collect_list(F.struct("period", "kind", *COUNTS)).alias("counts"))
    # A row of counts before the contexts of a group: repeated on every row they would be larger than these.
    both = rows.unionByName(counted, allowMissingColumns=True)
    arranged = both.repartition("group_id").sortWithinPartitions("group_id", F.col("masked_hash").asc_nulls_first())
    schema = StructType([StructField("topic_variation", ArrayType(table_schema("topic_variation")))]).toNullable()
    declared = arrow_schema(schema)

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        found = (row for group in _whole_groups(batches) for row in _score(group, scoring))
        return record_batches(found, declared, _BATCH_GROUPS)

    return arranged.mapInArrow(run, schema)


def scored_rows(scored: DataFrame) -> DataFrame:
    """Rows of ``topic_variation`` in what :func:`score_groups` gave."""
    return rows_in_arrays(scored, "topic_variation", columns("topic_variation"))


def texts_of_uses(masked: DataFrame, raw: DataFrame, documents: DataFrame) -> DataFrame:
    """Cut the texts of contexts, of the uses ``masked`` with their quote masked, of the uses ``raw`` as written.

    Grain: a distinct text; ``text_hash``, ``text``, ``is_masked``. ``documents`` are at least theirs.
    """
    uses = _first_uses(masked, "masked_hash").unionByName(_first_uses(raw, "raw_hash"))
    bodies = documents.select("doc_id", "body").join(uses, "doc_id", "inner")
    return map_rows(bodies, _text, struct("text_hash STRING, text STRING, is_masked BOOLEAN"))


def _first_uses(uses: DataFrame, hashed: str) -> DataFrame:
    """A use from which each text can be cut. Grain: ``text_hash``; of equal texts the first by (doc_id, start)."""
    where = F.struct("doc_id", "start", "end", "context_start", "context_end")
    first = uses.groupBy(F.col(hashed).alias("text_hash")).agg(F.min(where).alias("use"))
    return first.select("text_hash", "use.*", F.lit(hashed == "masked_hash").alias("is_masked"))


def _text(use: Row) -> Iterator[Row]:
    body, start, end = use["body"], use["context_start"], use["context_end"]
    text = mask(body, use["start"], use["end"], start, end) if use["is_masked"] else body[start:end]
    yield {"text_hash": use["text_hash"], "text": text, "is_masked": use["is_masked"]}


def _whole_groups(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Rows of each group, which follow one another in one batch or several."""
    pending: list[pa.RecordBatch] = []
    group_id = None
    for batch in batches:
        start = 0
        for now, run in groupby(batch.column("group_id").to_pylist()):
            if pending and now != group_id:
                yield pa.Table.from_batches(pending)
                pending = []
            length = sum(1 for _ in run)
            pending.append(batch.slice(start, length))
            group_id, start = now, start + length
    if pending:
        yield pa.Table.from_batches(pending)


def _score(rows: pa.Table, scoring: Scoring) -> Iterator[Row]:
    """Score one group: its row of counts, and behind it its distinct contexts. No row if it has no context."""
    counts, contexts = rows.column("counts")[0].as_py(), rows.slice(1)
    if not contexts.num_rows:
        return
    masked, raw, representation = _vectors(contexts, "masked"), _vectors(contexts, "raw"), scoring.representation
    stamps = {"rule_version": scoring.rule_version, "fingerprint": scoring.fingerprint}
    uses = [
        Use(row, *(use[name] for name in Use._fields[1:]))
        for row, those in enumerate(contexts.column("uses").to_pylist())
        for use in those
    ]
    group = Group(to_fixed(representation.vectors(masked, raw)), uses)
    key = {"group_id": rows.column("group_id")[0].as_py(), **stamps, "representation": representation.name}
    explained = None
    texts, hashes = contexts.column("text").to_pylist(), contexts.column("masked_hash").to_pylist()
    if len(texts) >= scoring.settings.explained and None not in texts:
        first_uses = zip(contexts.column("use").to_pylist(), hashes, strict=True)
        where = [{**use, "masked_hash": hashed} for use, hashed in first_uses]
        without_head = representation.without_head(masked, raw).astype(np.float64)
        has_head = representation.head is not None
        explained = details(group, without_head, where, texts, scoring.is_common, has_head=has_head)
    yield {"topic_variation": list(_periods(group, counts, key, explained))}


def _periods(group: Group, counts: list[Row], key: Row, explained: Row | None) -> Iterator[Row]:
    """Rows of ``topic_variation``: one per period, with the kinds of source within it; details beside all periods."""
    counted = {(row["period"], row["kind"]): row for row in counts}
    for period in sorted({period for period, _ in counted}):
        whole = group.measure(period)
        if not whole["n_sampled"]:  # none of its contexts is in the sample
            continue
        kinds = sorted(kind for of, kind in counted if of == period and kind not in (ALL, None))
        by_kind = []
        for kind in kinds:
            measured = whole if len(kinds) == 1 else group.measure(period, kind)
            numbers = {name: counted[period, kind][name] for name in COUNTS}
            by_kind.append({"kind": kind, **numbers, **{name: measured[name] for name in _KIND_MEASURES}})
        numbers = {name: counted[period, ALL][name] for name in COUNTS}
        of_all = explained if period == ALL else None
        yield {**key, "period": period, **numbers, **whole, "by_kind": by_kind, "details": of_all}


def _vectors(rows: pa.Table, name: str) -> Vectors | None:
    if name not in rows.column_names:
        return None
    flat = pc.list_flatten(rows.column(name).combine_chunks()).to_numpy(zero_copy_only=False)
    return np.asarray(flat.reshape(rows.num_rows, -1), dtype=np.float32)
