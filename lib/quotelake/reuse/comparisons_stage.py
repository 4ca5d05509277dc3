"""The uses of a quote by several outlets, compared in Spark: the shell of :mod:`quotelake.reuse.comparisons`.

One Python call holds a whole group, some kilobytes a use: what a use says, and a little of its article on each side.
"""

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.accumulators import Accumulator
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake.lake.contracts import columns
from quotelake.lake.tables import table_schema
from quotelake.reuse.comparisons import Comparison, compare
from quotelake.reuse.uses import AROUND, use_of
from quotelake.settings import ReuseSettings
from quotelake.spark.arrow import Row, all_nullable, arrow_schema

#: Of an article; a use without an outlet, such as a tweet, is none of several outlets'.
DOCUMENT_COLUMNS = ("outlet", "body")
QUOTE_COLUMNS = ("quote_id", "rule_version", "speaker")


def uses_of_several(contexts: DataFrame, members: DataFrame) -> DataFrame:
    """Keep the direct uses of groups that several articles use. Grain: a use.

    Uses whose context is too short are left out, as everywhere: a new one brings no group up to date.

    Args:
        contexts: rows of ``contexts`` under one version of the rules.
        members: ``variant_id`` and ``group_id`` of all members of the groups.

    Returns:
        ``group_id``, ``variant_id``, ``quote_id``, ``doc_id``, ``native_key``, ``start``, ``end``.
    """
    direct = contexts.where((F.col("status") == "ok") & F.col("direct"))
    uses = direct.join(members.select("variant_id", "group_id"), "variant_id", "inner").select(
        "group_id", "variant_id", "quote_id", "doc_id", "native_key", "start", "end"
    )
    return uses.join(_several(uses, "native_key"), "group_id", "left_semi")


def uses_by_outlets(uses: DataFrame, documents: DataFrame, quotes: DataFrame) -> DataFrame:
    """Add texts, speakers and outlets to uses, and keep those of groups that several outlets use. Grain: a use.

    Args:
        uses: from :func:`uses_of_several`.
        documents: ``doc_id`` and :data:`DOCUMENT_COLUMNS` of their articles.
        quotes: ``doc_id`` and :data:`QUOTE_COLUMNS` of these, under the same version of the rules.
    """
    published = documents.where(F.col("outlet").isNotNull())
    start, end = F.col("start"), F.col("end")
    first = F.greatest(start - AROUND, F.lit(0))
    texts = uses.join(published, "doc_id", "inner").select(
        *uses.columns,
        "outlet",
        F.substring("body", start + 1, end - start).alias("text"),
        F.substring("body", first + 1, start - first).alias("before"),
        F.substring("body", end + 1, F.lit(AROUND)).alias("after"),
    )
    by_several = texts.join(_several(texts, "outlet"), "group_id", "left_semi")
    return by_several.join(quotes.select("quote_id", "speaker"), "quote_id", "inner")


def comparisons(uses: DataFrame, settings: ReuseSettings, rule_version: str, left_out: Accumulator[int]) -> DataFrame:
    """Compare the uses of each group. Grain: a use; rows of ``quote_comparisons``.

    Args:
        uses: from :func:`uses_by_outlets`.
        settings: wordings compared, and outlets that must carry what a trimmed use omits.
        rule_version: version of the rules.
        left_out: counts the wordings that no other one is compared with.
    """
    schema = all_nullable(table_schema("quote_comparisons"))
    arrow = arrow_schema(schema)

    def kernel(group: pa.Table) -> pa.Table:
        left_out.add(max(len(pc.unique(group.column("text"))) - settings.wordings, 0))
        return _compare(group, arrow, settings, rule_version)

    return uses.groupBy("group_id").applyInArrow(kernel, schema).select(*columns("quote_comparisons"))


def _compare(group: pa.Table, schema: pa.Schema, settings: ReuseSettings, rule_version: str) -> pa.Table:
    rows = {row["quote_id"]: row for row in group.to_pylist()}
    found = compare([use_of(rows[quote_id]) for quote_id in sorted(rows)], settings.carriers, settings.wordings)
    made = [_row(one, rows) | {"rule_version": rule_version} for one in found]
    return pa.Table.from_pylist(made, schema=schema)


def _row(one: Comparison, rows: dict[str, Row]) -> Row:
    use, reference = rows[one.use.quote_id], rows[one.reference.quote_id]
    return {
        "group_id": use["group_id"],
        "quote_id": use["quote_id"],
        "doc_id": use["doc_id"],
        "reference_quote_id": reference["quote_id"],
        "reference_doc_id": reference["doc_id"],
        "differences": one.rows(),
        "trimmed": one.trimmed,
        "others_speaker": one.others,
    }


def _several(uses: DataFrame, of: str) -> DataFrame:
    """Groups whose uses have several values of a column. Grain: ``group_id``."""
    return uses.groupBy("group_id").agg(F.countDistinct(of).alias("n")).where("n > 1").select("group_id")
