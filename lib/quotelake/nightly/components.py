"""New pairs → places: the groups, formed anew, of all components of stored pairs that new pairs touch.

A night's pairs are placed on the driver. The pairs of a large first load are placed by the executors, some whole
components at a time; then the driver has only two numbers a pair, by which it finds the components.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from quotelake.lake.tables import Lake
from quotelake.reuse.clusters import A_IN_B, B_IN_A, NEITHER, Pair, Place, cluster, parts_of_components
from quotelake.spark.arrow import arrow_schema, struct

#: Most pairs of a first load that are placed on the driver: there a million take some 500 megabytes.
_ON_DRIVER: Final = 500_000
#: Pairs whose numbers one job collects: 80 megabytes, far below ``spark.driver.maxResultSize``.
_COLLECTED: Final = 5_000_000
#: Pairs of one call of the kernel that places them: some 100 megabytes. A component is never divided.
_PER_PART: Final = 200_000
_COLUMNS: Final = ("a", "b", "measure", "contained", "words_a", "words_b")


class Graph(NamedTuple):
    """Tables of pairs and of places.

    Attributes:
        edges: pairs, with the columns of ``variant_edges`` that :class:`~quotelake.reuse.clusters.Pair` names.
        places: place of each text, with ``component_id``.
        member: column of the id of a text in ``places``.
        group: column of its group there.
        cluster: forms the groups of whole components.
    """

    edges: str
    places: str
    member: str
    group: str
    cluster: Callable[[list[Pair]], dict[str, Place]] = cluster


def place(lake: Lake, graph: Graph, edges: DataFrame, rule_version: str) -> tuple[dict[str, Place], dict[str, Place]]:
    """Place the texts of new pairs, and anew those of all components that these touch: on the driver, which holds them.

    Args:
        lake: holds pairs and places of earlier nights.
        graph: where.
        edges: rows of ``graph.edges``: the new pairs.
        rule_version: version of the rules.

    Returns:
        Places, as stored, of the earlier texts in the components touched; and as they are now, of these and of the new
        texts.
    """
    pairs = pairs_of(edges, rule_version)
    before = _touched(lake, graph, pairs, rule_version)
    if before:
        pairs += pairs_of(lake.rows_of(graph.edges, frame_of_ids(lake, "a", before)), rule_version)
    return before, graph.cluster(pairs)


def frame_of_ids(lake: Lake, name: str, ids: Iterable[str]) -> DataFrame:
    """A frame of one column of ids."""
    return lake.spark.createDataFrame(pa.table({name: pa.array(sorted(ids), pa.string())}))


def place_first(
    edges: DataFrame, graph: Graph, rule_version: str, pairs: int, materialise: Callable[[DataFrame], DataFrame]
) -> DataFrame:
    """Place the texts of pairs before which there were none. Grain: a text; see :func:`frame_of_places`.

    Args:
        edges: rows of ``graph.edges``, materialised.
        graph: names of the columns, and what forms the groups.
        rule_version: version of the rules.
        pairs: number of ``edges``.
        materialise: keeps what is read more than once.
    """
    spark = edges.sparkSession
    if pairs <= _ON_DRIVER:
        return frame_of_places(spark, graph, graph.cluster(pairs_of(edges, rule_version)))
    numbered = edges.where(F.col("rule_version") == rule_version).select(*_COLUMNS)
    # Two texts with one number only share a part: the kernel goes by their ids.
    ends = numbered.select(*(F.xxhash64(side).alias(side) for side in ("a", "b")))
    collected = -(-pairs // _COLLECTED)
    numbers = pa.concat_tables(
        [ends.where(F.pmod("a", F.lit(collected)) == number).toArrow() for number in range(collected)]
    )
    number, part = parts_of_components(numbers["a"].to_numpy(), numbers["b"].to_numpy(), _PER_PART)
    parts = spark.createDataFrame(pa.table({"number": pa.array(number), "part": pa.array(part)}))
    dealt = numbered.withColumn("number", F.xxhash64("a")).join(parts, "number", "inner").drop("number")
    schema = struct(", ".join(f"{name} STRING" for name in _columns(graph)))
    arrow = arrow_schema(schema)

    def kernel(part: pa.Table) -> pa.Table:
        return _table(graph, graph.cluster(_pairs(part))).cast(arrow)

    return materialise(dealt.groupBy("part").applyInArrow(kernel, schema))


def frame_of_places(spark: SparkSession, graph: Graph, places: Mapping[str, Place]) -> DataFrame:
    """A frame of places, with the columns that ``graph`` names and ``component_id``."""
    return spark.createDataFrame(_table(graph, places))


def _table(graph: Graph, places: Mapping[str, Place]) -> pa.Table:
    rows = [(text, *found) for text, found in sorted(places.items())]
    columns_of = [pa.array(column, pa.string()) for column in (zip(*rows, strict=True) if rows else ([], [], []))]
    return pa.Table.from_arrays(columns_of, names=_columns(graph))


def _columns(graph: Graph) -> list[str]:
    return [graph.member, graph.group, "component_id"]


def pairs_of(edges: DataFrame, rule_version: str) -> list[Pair]:
    """Rows of a table of pairs on the driver: a night touches few."""
    return _pairs(edges.where(F.col("rule_version") == rule_version).select(*_COLUMNS).toArrow())


def _pairs(table: pa.Table) -> list[Pair]:
    rows = zip(*(table.column(name).to_pylist() for name in _COLUMNS), strict=True)
    return [
        Pair(a, b, measure, A_IN_B if contained == a else B_IN_A if contained == b else NEITHER, *words)
        for a, b, measure, contained, *words in rows
    ]


def _touched(lake: Lake, graph: Graph, pairs: list[Pair], rule_version: str) -> dict[str, Place]:
    """Places, as stored, of all earlier texts in the components that pairs touch."""
    if not pairs or not lake.bytes_of(graph.places):
        return {}
    of_these_rules = F.col("rule_version") == rule_version
    ends = frame_of_ids(lake, graph.member, {text for pair in pairs for text in (pair.a, pair.b)})
    found = lake.rows_of(graph.places, ends, ["component_id", "rule_version"]).where(of_these_rules)
    components = {row[0] for row in found.select("component_id").distinct().collect()}
    if not components:
        return {}
    rows = lake.rows_of(graph.places, frame_of_ids(lake, "component_id", components)).where(of_these_rules)
    return {row[0]: Place(row[1], row[2]) for row in rows.select(*_columns(graph)).collect()}
