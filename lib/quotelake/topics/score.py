"""Vectors of contexts → topic variation: Spark brings the sampled contexts of a group together, the kernel scores them.

One Python call holds a whole group, so its size must be bounded: :func:`quotelake.topics.selection.sample_uses` keeps
about ``topics.sample`` distinct contexts of a larger group.
"""

from collections.abc import Iterator
from functools import partial
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake.arrow import Row, all_nullable, arrow_schema
from quotelake.contracts import columns
from quotelake.lake.tables import table_schema
from quotelake.topics.variation import Ints, interval, mean_cosine, squared_norms, to_fixed

_KEY = ["group_id", "period"]
_COUNTS = ["n_documents", "n_stories", "n_contexts", "n_distinct_contexts"]


def score_variation(
    weighted: DataFrame, vectors: DataFrame, counts: DataFrame, *, rule_version: str, fingerprint: str
) -> DataFrame:
    """Score groups. Grain: group × period; rows of ``topic_variation``.

    Args:
        weighted: distinct contexts with their number of copies ``n``
            (:func:`quotelake.topics.selection.weigh_contexts`).
        vectors: ``text_hash``, ``vector`` of every masked text, unit norm.
        counts: all contexts of the groups, sampled or not (:func:`quotelake.topics.selection.count_uses`).
        rule_version: version of the rules that cut the contexts.
        fingerprint: model of the vectors.
    """
    known = vectors.where(F.col("vector").isNotNull()).withColumnRenamed("text_hash", "masked_hash")
    rows = weighted.join(known, "masked_hash", "inner").join(counts, _KEY, "inner")
    arranged = (
        rows.select(*_KEY, *_COUNTS, "n", "story_id", "vector").repartition("group_id").sortWithinPartitions(*_KEY)
    )
    schema = all_nullable(table_schema("topic_variation"))
    kernel = partial(_score_batches, schema=arrow_schema(schema), rule_version=rule_version, fingerprint=fingerprint)
    return arranged.mapInArrow(kernel, schema).select(*columns("topic_variation"))


def _score_batches(
    batches: Iterator[pa.RecordBatch], schema: pa.Schema, rule_version: str, fingerprint: str
) -> Iterator[pa.RecordBatch]:
    stamps = {"rule_version": rule_version, "fingerprint": fingerprint, "representation": "masked"}
    open_: pa.Table | None = None
    for batch in batches:
        table = pa.Table.from_batches([batch])
        table = table if open_ is None else pa.concat_tables([open_, table])
        *whole, last = _runs(table) or [table]
        open_ = last  # the next batch may go on with it
        if whole:
            yield pa.RecordBatch.from_pylist([_score(group) | stamps for group in whole], schema=schema)
    if open_ is not None and open_.num_rows:
        yield pa.RecordBatch.from_pylist([_score(open_) | stamps], schema=schema)


def _runs(rows: pa.Table) -> list[pa.Table]:
    """Split rows sorted by key into one table per key."""
    keys = list(zip(*(rows.column(name).to_pylist() for name in _KEY), strict=True))
    starts = [i for i in range(len(keys)) if i == 0 or keys[i] != keys[i - 1]]
    return [rows.slice(start, end - start) for start, end in pairwise([*starts, len(keys)])]


def _score(rows: pa.Table) -> Row:
    """Score the distinct contexts of one group and period."""
    vectors, copies = _fixed_vectors(rows), np.asarray(rows.column("n").to_numpy(), dtype=np.int64)
    n, n_all = len(copies), int(copies.sum())
    squares, total = squared_norms(vectors), vectors.sum(axis=0)
    mean = mean_cosine(total, int(squares.sum()), n)
    mean_all = mean_cosine((vectors * copies[:, None]).sum(axis=0), int((squares * copies).sum()), n_all)
    _, stories = np.unique(rows.column("story_id").to_numpy(), return_inverse=True)  # in the order of their ids
    bounds = interval(vectors, stories)
    return {
        **{name: rows.column(name)[0].as_py() for name in (*_KEY, *_COUNTS)},
        "n_sampled": n,
        "mean_cosine": mean,
        "variation": None if mean is None else 1 - mean,
        "variation_low": None if bounds is None else 1 - bounds[1],
        "variation_high": None if bounds is None else 1 - bounds[0],
        "mean_cosine_all": mean_all,
        "variation_all": None if mean_all is None else 1 - mean_all,
    }


def _fixed_vectors(rows: pa.Table) -> Ints:
    flat = pc.list_flatten(rows.column("vector").combine_chunks()).to_numpy(zero_copy_only=False)
    return to_fixed(flat.reshape(rows.num_rows, -1))
