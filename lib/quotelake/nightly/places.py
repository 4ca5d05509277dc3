"""Verified pairs → where each text in them belongs: its group and its component, for quotes and for stories alike.

The groups of whole components are formed anew. Few pairs are placed on the driver. More, of a large first load or of a
large component that a night touches, are placed by the executors, some whole components at a time; then the driver has
only two numbers a pair, by which it finds the components.
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from quotelake.lake.contracts import columns
from quotelake.nightly.night import Batch
from quotelake.reuse.clusters import Place, parts_of_components
from quotelake.reuse.verify import EXCERPT_PAIR, Pair, pairs_of
from quotelake.spark.arrow import frame_of_table

#: Columns of a pair, as :class:`~quotelake.reuse.verify.Pair` names them.
EDGE: Final = Pair._fields
#: Most pairs that are placed on the driver: there a million take some 500 megabytes.
_ON_DRIVER: Final = 500_000
#: Pairs whose numbers one job collects: 80 megabytes, far below ``spark.driver.maxResultSize``.
_COLLECTED: Final = 5_000_000
#: Pairs of one call of the kernel that places them: some 100 megabytes. A component is never divided.
_PER_PART: Final = 200_000
#: Of a text that is placed: where it is, and where it was.
_PLACED: Final = ("member", "group_id", "component_id", "old_group_id", "old_component_id")
_STORED: Final = (_PLACED[0], *_PLACED[3:])
#: Whether a text that is placed is new or its place another one.
IS_FRESH: Final = "NOT (group_id <=> old_group_id AND component_id <=> old_component_id)"
#: Of a pair: groups are formed by it. A short excerpt joins a group that is formed without it.
FORMS_GROUPS: Final = f"measure <> '{EXCERPT_PAIR}'"


class Graph(NamedTuple):
    """Tables of pairs and of places, and what forms the groups of whole components."""

    edges: str  # with the columns of ``variant_edges`` that :class:`~quotelake.reuse.verify.Pair` names
    places: str  # place of each text
    member: str  # column of the id of a text in ``places``
    group: str  # column of its group there
    cluster: Callable[[list[Pair]], dict[str, Place]]
    by_pairs: str | None = None  # SQL of the group that pairs give it, where the column may have another one

    @property
    def columns(self) -> list[str]:
        """Columns of a place."""
        return [self.member, self.group, "component_id"]


def place(batch: Batch, graph: Graph, edges: DataFrame, pairs: int) -> DataFrame:
    """Place the texts of new pairs, and anew those of all components that these touch.

    The driver holds the pairs of some components while they are few; of more it holds two numbers each, and executors
    place whole components.

    Args:
        batch: what is worked with.
        graph: the tables of pairs and places.
        edges: the new pairs, materialised; of stored ones, some may be among them.
        pairs: how many these are.

    Returns:
        Grain: a text, ``member``. ``group_id`` and ``component_id``, and behind ``old_`` these as they are stored, NULL
        for a new text.
    """
    before, edges = None, edges.select(*EDGE).where(FORMS_GROUPS)
    if pairs and batch.lake.bytes_of(graph.places):
        ends = edges.select(F.explode(F.array("a", "b")).alias(graph.member)).dropDuplicates()
        components = batch.rows_of(graph.places, ends, ["component_id"]).select("component_id").distinct()
        names = graph.member, graph.by_pairs or graph.group, "component_id"
        stored = [F.expr(name).alias(alias) for name, alias in zip(names, _STORED, strict=True)]
        before = batch.keep(batch.rows_of(graph.places, batch.keep(components)).select(*stored))
    if before is None or not before.count():
        nowhere = {name: F.lit(None).cast("string") for name in _STORED[1:]}
        return batch.keep(places_of(edges, graph, pairs)).withColumns(nowhere)
    earlier = batch.rows_of(graph.edges, before.select(F.col("member").alias("a")), EDGE[1:])
    edges = batch.keep(edges.unionByName(earlier.select(*EDGE)).dropDuplicates(["a", "b"]))
    places = places_of(edges, graph, edges.count())
    return batch.keep(places.join(before, "member", "left").select(*_PLACED))


def places_of(edges: DataFrame, graph: Graph, pairs: int) -> DataFrame:
    """Place the texts of all pairs of some components, at most so many. Grain: a text, ``member``; group, component."""
    spark, names, edges = edges.sparkSession, _PLACED[:3], edges.where(FORMS_GROUPS)
    if pairs <= _ON_DRIVER:
        return frame_of_places(spark, graph.cluster(_pairs_in(edges.select(*EDGE).toArrow())) if pairs else {})
    # Two texts with one number only share a part: the kernel goes by their ids.
    ends = edges.select(*(F.xxhash64(side).alias(side) for side in ("a", "b")))
    collected = -(-pairs // _COLLECTED)
    numbers = pa.concat_tables(
        [ends.where(F.pmod("a", F.lit(collected)) == number).toArrow() for number in range(collected)]
    )
    number, part = parts_of_components(numbers["a"].to_numpy(), numbers["b"].to_numpy(), _PER_PART)
    parts = frame_of_table(spark, pa.table({"number": pa.array(number), "part": pa.array(part)}))
    numbered = edges.withColumn("number", F.xxhash64("a"))

    def kernel(part: pa.Table) -> pa.Table:
        return _table(graph.cluster(_pairs_in(part)))

    dealt = numbered.join(parts, "number", "inner").drop("number")
    return dealt.groupBy("part").applyInArrow(kernel, ", ".join(f"{name} STRING" for name in names))


def rows_of_places(batch: Batch, graph: Graph, places: DataFrame) -> DataFrame:
    """Rows of ``graph.places`` under the rules of the run."""
    named = [F.col(name).alias(alias) for name, alias in zip(_PLACED[:3], graph.columns, strict=True)]
    rows = places.select(*named, F.lit(batch.rule_version).alias("rule_version"))
    others = {name: F.lit(None).cast("string") for name in columns(graph.places) if name not in rows.columns}
    return rows.withColumns(others).select(*columns(graph.places))


def frame_of_places(spark: SparkSession, places: Mapping[str, Place]) -> DataFrame:
    """Places of texts as a frame: ``member``, ``group_id``, ``component_id``."""
    return frame_of_table(spark, _table(places))


def _table(places: Mapping[str, Place]) -> pa.Table:
    rows = [(text, *found) for text, found in sorted(places.items())]
    columns_of = zip(*rows, strict=True) if rows else ((), (), ())
    return pa.Table.from_arrays([pa.array(column, pa.string()) for column in columns_of], names=list(_PLACED[:3]))


def _pairs_in(table: pa.Table) -> list[Pair]:
    return pairs_of(zip(*(table.column(name).to_pylist() for name in EDGE), strict=True))
