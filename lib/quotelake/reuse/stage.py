"""Reuse in Spark: the kernels of this room on frames of variants, of the uses of a quote by outlets, and of texts."""

from collections.abc import Collection, Iterator
from datetime import date
from functools import reduce
from operator import or_
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.accumulators import Accumulator
from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from quotelake.lake.contracts import columns
from quotelake.lake.frames import table_schema
from quotelake.reuse import copies
from quotelake.reuse import postings as words_by
from quotelake.reuse.candidates import COLUMNS as PAIRS
from quotelake.reuse.candidates import Index
from quotelake.reuse.comparisons import AROUND, TEXTS, WORDINGS, compare, use_of
from quotelake.reuse.stories import day_ranges
from quotelake.reuse.verify import pairs_within, verified_pairs
from quotelake.reuse.words import tokenize
from quotelake.spark.arrow import arrow_schema, larger_batches, struct

#: Grain: a verified pair.
_PAIR = "a STRING, b STRING, measure STRING, contained STRING, words_a INT, words_b INT"
#: Earlier variants of one call of the kernel that pairs them: some 50 megabytes, and twice that while they are paired.
_VARIANTS_PER_CALL = 50_000

#: Columns of a use in ``contexts`` that its row of ``quote_comparisons`` has too.
_SHOWN = ("quote_id", "doc_id", "start", "end", "named_speaker", "speaker_type")
#: Columns of the samples of texts.
_SAMPLED = ("text_id", "published", "words", "level", "sizes", "sample", "facts")


def postings(variants: DataFrame) -> DataFrame:
    """The ``variants`` that can be compared, with their tokens. Grain: a variant; :data:`~.postings.COLUMNS`."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            ids, texts = (column.to_pylist() for column in batch.columns)
            yield words_by.postings_of(ids, list(map(tokenize, texts)))

    return variants.select("variant_id", "canonical_text").mapInArrow(run, words_by.COLUMNS)


def listed(variants: DataFrame) -> DataFrame:
    """Rows of :data:`~.postings.COLUMNS` → their postings. Grain: variant × token; :data:`~.postings.LISTED`."""
    rows = variants.select("*", F.posexplode("tokens").alias("place", "token"))
    first = {name: F.col("place") < F.col(f"n_{name}") for name in ("prefix", "probe")}
    return rows.withColumns(first).select(*(field.name for field in struct(words_by.LISTED).fields))


def candidates_among(new: DataFrame, partitions: int) -> DataFrame:
    """Pairs of new variants, by their postings, that may be the same quote. Grain: ``a``, ``b``, each pair once.

    Each of the ``partitions`` that the tokens are divided into is in memory at once.
    """

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        if every := list(batches):
            yield Index.of_tokens(pa.Table.from_batches(every)).pairs()

    # Partitioned by one side, so that the join with its texts needs no other shuffle.
    found = new.repartition(partitions, "token").mapInArrow(run, PAIRS).repartition(partitions, "a")
    return found.dropDuplicates(["a", "b"])


def candidates_with(new: pa.Table, archive: DataFrame, tasks: int) -> DataFrame:
    """Pairs of new variants and earlier ones that may be the same quote. Grain: ``a``, ``b``; a pair may repeat.

    Both are rows of :data:`.postings.COLUMNS`. Each of the ``tasks`` has all new ones in memory, and the archive, which
    may be of any size, passes by: thirty articles have the words of half of it, so by words it would be shuffled whole.
    """
    [indexed] = new.combine_chunks().to_batches()

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return map(Index.of(indexed).pairs_with, larger_batches(batches, _VARIANTS_PER_CALL))

    return archive.select(*new.column_names).coalesce(tasks).mapInArrow(run, PAIRS)


def edges(pairs: DataFrame, texts: DataFrame, rule_version: str) -> DataFrame:
    """Verify pairs (``a``, ``b``) of variants with ``texts``. Grain: a verified pair; rows of ``variant_edges``."""
    side_a, side_b = (
        texts.select(F.col("variant_id").alias(side), F.col("canonical_text").alias(f"text_{side}")) for side in "ab"
    )
    written = pairs.join(side_a, "a", "inner").join(side_b, "b", "inner").select("a", "b", "text_a", "text_b")
    schema = struct(_PAIR)
    arrow = arrow_schema(schema)

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            a, b, text_a, text_b = (column.to_pylist() for column in batch.columns)
            texts = dict(zip([*a, *b], [*text_a, *text_b], strict=True))
            words = {variant: tokenize(text) for variant, text in texts.items()}
            if rows := [pair._asdict() for pair in verified_pairs(zip(a, b, strict=True), words)]:
                yield pa.RecordBatch.from_pylist(rows, schema=arrow)

    found = written.mapInArrow(run, schema).withColumn("rule_version", F.lit(rule_version))
    return found.select(*columns("variant_edges"))


def compare_within(variants: pa.Table) -> tuple[list[dict[str, Any]], pa.Table]:
    """Compare few variants with one another in this process: Spark's stages and shuffles would cost far more.

    Returns rows of :func:`edges` and of :data:`~.postings.COLUMNS`, both without ``rule_version``.
    """
    ids, texts = (variants.column(name).to_pylist() for name in ("variant_id", "canonical_text"))
    words = dict(zip(ids, map(tokenize, texts), strict=True))
    found = words_by.postings_of(ids, list(words.values()))
    return [pair._asdict() for pair in pairs_within(found, words)], pa.Table.from_batches([found])


def uses_of_several(contexts: DataFrame, members: DataFrame) -> DataFrame:
    """Direct uses long enough to score, of groups (all ``members``) that several articles use. Grain: a use."""
    direct = contexts.where((F.col("status") == "ok") & F.col("direct"))
    uses = direct.join(members.select("variant_id", "group_id"), "variant_id", "inner").select(
        "group_id", "variant_id", "native_key", "outlet", "speaker", *_SHOWN
    )
    return uses.join(_several(uses, "native_key"), "group_id", "left_semi")


def uses_by_outlets(uses: DataFrame) -> DataFrame:
    """Keep the uses of groups that several outlets use, where the outlet is known. Grain: a use."""
    published = uses.where(F.col("outlet").isNotNull())
    return published.join(_several(published, "outlet"), "group_id", "left_semi")


def with_texts(uses: DataFrame, documents: DataFrame) -> DataFrame:
    """Add :data:`TEXTS` to uses, out of the ``body`` of their articles. Grain: a use."""
    start, end = F.col("start"), F.col("end")
    first = F.greatest(start - AROUND, F.lit(0))
    return uses.join(documents.select("doc_id", "body", "language"), "doc_id", "inner").select(
        *uses.columns,
        F.substring("body", start + 1, end - start).alias("text"),
        F.substring("body", first + 1, start - first).alias("before"),
        F.substring("body", end + 1, F.lit(AROUND)).alias("after"),
        "language",
    )


def comparisons(uses: DataFrame, rule_version: str, left_out: Accumulator[int]) -> DataFrame:
    """Compare the uses of each group. Grain: a use; rows of ``quote_comparisons``.

    ``uses`` are of :func:`with_texts`; ``left_out`` counts the wordings that no other one is compared with.
    """
    schema = table_schema("quote_comparisons").toNullable()
    arrow = arrow_schema(schema)

    def kernel(group: pa.Table) -> pa.Table:
        left_out.add(max(len(pc.unique(group.column("text"))) - WORDINGS, 0))
        rows = {row["quote_id"]: row for row in group.to_pylist()}
        found = compare([use_of(rows[quote_id]) for quote_id in sorted(rows)])
        made = [
            {
                **{name: rows[one.use.quote_id][name] for name in ("group_id", *_SHOWN)},
                "reference_quote_id": one.reference.quote_id,
                "reference_doc_id": rows[one.reference.quote_id]["doc_id"],
                "differences": one.rows(),
                "trimmed": one.trimmed,
                "others_speaker": one.credited_elsewhere,
                **{name: getattr(one.use, name) for name in TEXTS},
                "rule_version": rule_version,
            }
            for one in found
        ]
        return pa.Table.from_pylist(made, schema=arrow)

    return uses.groupBy("group_id").applyInArrow(kernel, schema).select(*columns("quote_comparisons"))


#: Uses of a group that are compared, chosen by hash: one task holds them, some 5 kB each [ours].
MOST_USES = 10_000


def sampled_uses(uses: DataFrame, most: int = MOST_USES) -> DataFrame:
    """The first ``most`` uses of each group by the hash of their ids (``nth``), and one more if there are more."""
    by_hash = Window.partitionBy("group_id").orderBy(F.xxhash64("quote_id"), "quote_id")
    return uses.withColumn("nth", F.row_number().over(by_hash)).where(F.col("nth") <= most + 1)


def _several(uses: DataFrame, column: str) -> DataFrame:
    """Groups whose uses have several values of a column. Grain: ``group_id``."""
    return uses.groupBy("group_id").agg(F.countDistinct(column).alias("n")).where("n > 1").select("group_id")


def compared_texts(texts: DataFrame) -> DataFrame:
    """Keep the rows of ``story_texts`` that are compared with others. Grain: ``text_id``, ``published``."""
    return texts.where(F.size("sample") > 0).select(*_SAMPLED).dropDuplicates(["text_id", "published"])


def near_days(texts: DataFrame, days: Collection[date | None], window: int) -> DataFrame:
    """Keep the rows of ``story_texts`` published within ``window`` days of one of ``days``; None is near any day."""
    if None in days:
        return texts
    on = F.col("published")
    near = [on.between(first, last) for first, last in day_ranges(filter(None, days), window)]
    return texts.where(reduce(or_, near, on.isNull()))


def story_edges(new: pa.Table, texts: DataFrame, window: int, rule_version: str) -> DataFrame:
    """Find the pairs of texts that are copies, at least one of each new. Grain: a pair; rows of ``story_edges``.

    ``texts`` have the columns :data:`.copies.COLUMNS`: all new ones, which are ``new`` too, and earlier ones near them.
    A ``window`` of days is between two texts at most, unless one is undated.
    """
    schema = StructType([field for field in table_schema("story_edges").fields if field.name in copies.EDGES.names])

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        index = copies.Index(copies.Texts.of(new))
        return (index.pairs(batch, window) for batch in batches)

    found = texts.select(*copies.COLUMNS).mapInArrow(run, schema).dropDuplicates(["a", "b"])
    return found.withColumn("rule_version", F.lit(rule_version)).select(*columns("story_edges"))


def with_story(uses: DataFrame, placed: DataFrame) -> DataFrame:
    """Add ``story_id`` to rows with a ``text_id``: that of a text in pairs (``placed``), else the text itself."""
    joined = uses.join(placed.select("text_id", "story_id"), "text_id", "left")
    return joined.withColumn("story_id", F.coalesce("story_id", "text_id"))
