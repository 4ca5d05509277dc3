"""Vectors of contexts → topic variation: the kernel of :mod:`quotelake.topics.variation` in two phases.

Each partition sums its own rows of a group, then the partial sums of a group meet and are summed by the same kernel: at
no time is a group held by one Python call, however many contexts it has.
"""

from collections.abc import Callable, Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake.arrow import Row, map_rows
from quotelake.contracts import columns
from quotelake.tables import table_schema
from quotelake.topics.variation import (
    Ints,
    interval,
    mean_cosine,
    mean_cosine_to_others,
    sum_runs,
    to_fixed,
)

_KEY = ["group_id", "period"]
_SUMS = "group_id STRING, period STRING, sums ARRAY<BIGINT>"
_SUMS_ARROW = pa.schema([("group_id", pa.string()), ("period", pa.string()), ("sums", pa.list_(pa.int64()))])

Materialise = Callable[[DataFrame], DataFrame]


def score_variation(
    weighted: DataFrame,
    vectors: DataFrame,
    counts: DataFrame,
    *,
    rule_version: str,
    fingerprint: str,
    materialise: Materialise,
) -> DataFrame:
    """Score groups. Grain: group × period; rows of ``topic_variation``.

    Args:
        weighted: distinct contexts with ``n`` copies (:func:`quotelake.topics.uses.weigh_contexts`).
        vectors: ``text_hash``, ``vector`` of every masked text, unit norm.
        counts: all contexts of the groups, sampled or not (:func:`quotelake.topics.uses.count_uses`).
        rule_version: version of the rules that cut the contexts.
        fingerprint: model of the vectors.
        materialise: keeps a frame that is read more than once.
    """
    rows = weighted.join(vectors.withColumnRenamed("text_hash", "masked_hash"), "masked_hash", "inner")
    rows = materialise(rows.where(F.col("vector").isNotNull()).select(*_KEY, "n", "vector"))
    sums = materialise(_sum(rows))
    to_others = (
        rows.join(sums, _KEY, "inner")
        .mapInArrow(_squares_to_others, "group_id STRING, period STRING, squares BIGINT")
        .groupBy(*_KEY)
        .agg(F.sum("squares").alias("squares"))
    )
    parts = sums.join(to_others, _KEY, "left").join(counts, _KEY, "inner")
    stamped = parts.withColumn("rule_version", F.lit(rule_version)).withColumn("fingerprint", F.lit(fingerprint))
    return map_rows(stamped, _variation, table_schema("topic_variation")).select(*columns("topic_variation"))


def _sum(rows: DataFrame) -> DataFrame:
    """Sum the vectors of each group × period. The sums are laid out as :func:`_layout` says."""
    partial = rows.sortWithinPartitions(*_KEY).mapInArrow(_sum_vectors, _SUMS)
    return partial.repartition(*_KEY).sortWithinPartitions(*_KEY).mapInArrow(_sum_sums, _SUMS)


def _layout(vectors: Ints, n: Ints) -> Ints:
    """Lay a row out for summing: v, n·v, |v|², n·|v|², 1, n."""
    floats = vectors.astype(np.float64) / (1 << 30)
    squares = to_fixed((floats * floats).sum(axis=1))[:, None]
    copies = n[:, None]
    return np.hstack([vectors, vectors * copies, squares, squares * copies, np.ones_like(copies), copies])


def _sum_vectors(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    return _sum_batches((batch, _layout(_fixed_vectors(batch), _ints(batch, "n"))) for batch in batches)


def _sum_sums(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    return _sum_batches((batch, _lists(batch, "sums")) for batch in batches)


def _sum_batches(batches: Iterator[tuple[pa.RecordBatch, Ints]]) -> Iterator[pa.RecordBatch]:
    """Sum runs of equal keys across sorted batches; the last run waits, since the next batch may go on with it."""
    open_key: tuple[str, str] | None = None
    open_sum: Ints | None = None
    for batch, rows in batches:
        if not batch.num_rows:
            continue
        keys = list(zip(*(batch.column(name).to_pylist() for name in _KEY), strict=True))
        if open_key is not None and open_sum is not None:
            keys, rows = [open_key, *keys], np.vstack([open_sum, rows])
        firsts, sums = sum_runs(keys, rows)
        open_key, open_sum = keys[firsts[-1]], sums[-1:]
        if len(firsts) > 1:
            yield _sums_batch([keys[first] for first in firsts[:-1]], sums[:-1])
    if open_key is not None and open_sum is not None:
        yield _sums_batch([open_key], open_sum)


def _sums_batch(keys: list[tuple[str, str]], sums: Ints) -> pa.RecordBatch:
    offsets = pa.array(np.arange(len(keys) + 1, dtype=np.int32) * sums.shape[1], pa.int32())
    lists = pa.ListArray.from_arrays(offsets, pa.array(sums.reshape(-1), pa.int64()))
    columns_ = [pa.array([key[i] for key in keys], pa.string()) for i in range(2)]
    return pa.RecordBatch.from_arrays([*columns_, lists], schema=_SUMS_ARROW)


def _squares_to_others(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Square the mean cosine of each context to the others of its group; fixed point, so their sum has no order."""
    for batch in batches:
        if not batch.num_rows:
            continue
        vectors = _fixed_vectors(batch)
        sums = _lists(batch, "sums")
        count = sums[:, -2]
        compared = count >= 2
        r = np.zeros(len(vectors))
        totals = sums[compared, : vectors.shape[1]]
        r[compared] = mean_cosine_to_others(vectors[compared], totals, count[compared])
        squares = pa.array(to_fixed(r * r), pa.int64())
        yield pa.RecordBatch.from_arrays([*(batch.column(name) for name in _KEY), squares], names=[*_KEY, "squares"])


def _variation(row: Row) -> Iterator[Row]:
    sums = np.array(row["sums"], dtype=np.int64)
    size = (len(sums) - 4) // 2
    squares, squares_all, n, n_all = (int(value) for value in sums[-4:])
    mean = mean_cosine(sums[:size], squares, n)
    mean_all = mean_cosine(sums[size : 2 * size], squares_all, n_all)
    bounds = None if mean is None else interval(mean, row["squares"] / (1 << 30), n)
    yield {
        **{name: row[name] for name in ("group_id", "period", "rule_version", "fingerprint")},
        **{name: row[name] for name in ("n_documents", "n_contexts", "n_distinct_contexts")},
        "representation": "masked",
        "n_sampled": n,
        "mean_cosine": mean,
        "variation": None if mean is None else 1 - mean,
        "variation_low": None if bounds is None else 1 - bounds[1],
        "variation_high": None if bounds is None else 1 - bounds[0],
        "mean_cosine_all": mean_all,
        "variation_all": None if mean_all is None else 1 - mean_all,
    }


def _ints(batch: pa.RecordBatch, name: str) -> Ints:
    return np.asarray(batch.column(name).to_numpy(zero_copy_only=False), dtype=np.int64)


def _lists(batch: pa.RecordBatch, name: str) -> Ints:
    return np.asarray(pc.list_flatten(batch.column(name)).to_numpy(), dtype=np.int64).reshape(batch.num_rows, -1)


def _fixed_vectors(batch: pa.RecordBatch) -> Ints:
    flat = pc.list_flatten(batch.column("vector")).to_numpy(zero_copy_only=False)
    return to_fixed(flat.reshape(batch.num_rows, -1))
