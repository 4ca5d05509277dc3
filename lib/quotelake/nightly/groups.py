"""New pairs → places: the groups, formed anew, of all components of stored pairs that new pairs touch.

So nights in any order leave the groups that one run leaves. A night's pairs are placed on the driver. The pairs of a
large first load are placed by the executors, some whole components at a time; then the driver has only two numbers a
pair, by which it finds the components.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from quotelake.lake.contracts import columns
from quotelake.nightly.night import Batch, frame_of_ids
from quotelake.nightly.groups import Pairs
from quotelake.reuse import stage
from quotelake.reuse.clusters import A_IN_B, B_IN_A, NEITHER, Change, Pair, Place, changes, cluster, parts_of_components
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
    cluster: Callable[[list[Pair]], dict[str, Place]]

    @property
    def columns(self) -> list[str]:
        """Columns of a place."""
        return [self.member, self.group, "component_id"]


VARIANTS: Final = Graph("variant_edges", "variant_groups", "variant_id", "group_id", cluster)


@dataclass(frozen=True)
class Groups:
    """Groups as they are with the new variants.

    Attributes:
        rows: rows of ``variant_groups`` of the new variants.
        moved: rows of ``variant_groups`` of earlier variants whose group or component changed; None where there are
            none.
        placed: ``variant_id``, ``group_id`` of the new variants, and of all earlier ones in components they touch.
        changes: how earlier variants went from group to group.
    """

    rows: DataFrame
    moved: DataFrame | None
    placed: DataFrame
    changes: list[Change]

    @property
    def changed(self) -> list[str]:
        """Ids, of before and of now, of the groups that earlier variants left or came to."""
        return sorted({group for change in self.changes for group in (change.old_group_id, change.group_id)})


def regroup(batch: Batch, pairs: Pairs) -> Groups:
    """Form the groups of new variants, and anew those of all components that their pairs touch."""
    if not batch.lake.bytes_of("variant_groups"):
        first = place_first(pairs.edges, VARIANTS, pairs.counts["pairs"], batch.keep)
        rows = stage.group_rows(pairs.new, first, batch.rule_version)
        batch.stage.count(variants_moved=0)
        return Groups(rows, None, rows.select("variant_id", "group_id"), [])
    before, now = place(batch, VARIANTS, pairs.edges)
    spark = batch.lake.spark
    rows = stage.group_rows(pairs.new, frame_of_places(spark, VARIANTS, now), batch.rule_version)
    earlier = {variant: now[variant] for variant in before}
    moved = {variant: found for variant, found in earlier.items() if found != before[variant]}
    batch.stage.count(variants_moved=len(moved))
    placed = rows.unionByName(rows_of_places(batch, VARIANTS, earlier)).select("variant_id", "group_id")
    went = changes(*({variant: found.group_id for variant, found in places.items()} for places in (before, earlier)))
    return Groups(rows, rows_of_places(batch, VARIANTS, moved) if moved else None, placed, went)


def members_of(batch: Batch, groups: Groups, used: DataFrame) -> DataFrame:
    """All members of the groups of the variants ``used``, and of groups that changed: ``variant_id``, ``group_id``."""
    placed = groups.placed
    own = placed.join(used, "variant_id", "left_semi").select("group_id")
    changed = frame_of_ids(batch.lake, "group_id", groups.changed)
    touched = placed.join(own.union(changed).dropDuplicates(), "group_id", "left_semi").select("variant_id", "group_id")
    if not batch.lake.bytes_of("variant_groups"):
        return touched
    others = used.join(placed, "variant_id", "left_anti")
    ids = batch.rows_of("variant_groups", others).select("group_id").dropDuplicates()
    return touched.unionByName(batch.rows_of("variant_groups", ids).select("variant_id", "group_id"))


def groups_of(variants: DataFrame | None, members: DataFrame) -> set[str]:
    """Ids of the groups of variants, among members of groups; of None there are none."""
    if variants is None:
        return set()
    found = members.join(variants, "variant_id", "left_semi").select("group_id").distinct()
    return {row[0] for row in found.collect()}


def lineage(batch: Batch, groups: Groups) -> DataFrame:
    """Rows of ``group_lineage``."""
    stamps = {"rule_version": batch.rule_version, "night": batch.night.run.night}
    return batch.lake.frame([change._asdict() | stamps for change in groups.changes], "group_lineage")


def write_groups(batch: Batch, groups: Groups) -> None:
    """Write the groups: last of all, since by its group a variant is no longer new.

    Earlier variants go first. So whatever a killed batch has written, it finds the same variants new when taken up.
    """
    if groups.moved is not None:
        batch.lake.merge(groups.moved, "variant_groups")
    batch.lake.append_new(groups.rows, "variant_groups")


def place(batch: Batch, graph: Graph, edges: DataFrame) -> tuple[dict[str, Place], dict[str, Place]]:
    """Place the texts of new pairs, and anew those of all components that these touch: on the driver, which holds them.

    Returns:
        Places, as stored, of the earlier texts in the components touched; and as they are now, of these and of the new
        texts.
    """
    pairs = _pairs(edges)
    before = _touched(batch, graph, pairs)
    if before:
        pairs += _pairs(batch.rows_of(graph.edges, frame_of_ids(batch.lake, "a", before)))
    return before, graph.cluster(pairs)


def place_first(edges: DataFrame, graph: Graph, pairs: int, keep: Callable[[DataFrame], DataFrame]) -> DataFrame:
    """Place the texts of pairs before which there were none. Grain: a text; see :func:`frame_of_places`.

    Args:
        edges: rows of ``graph.edges``, materialised.
        graph: names of the columns, and what forms the groups.
        pairs: number of ``edges``.
        keep: keeps what is read more than once.
    """
    spark = edges.sparkSession
    if pairs <= _ON_DRIVER:
        return frame_of_places(spark, graph, graph.cluster(_pairs(edges)))
    # Two texts with one number only share a part: the kernel goes by their ids.
    ends = edges.select(*(F.xxhash64(side).alias(side) for side in ("a", "b")))
    collected = -(-pairs // _COLLECTED)
    numbers = pa.concat_tables(
        [ends.where(F.pmod("a", F.lit(collected)) == number).toArrow() for number in range(collected)]
    )
    number, part = parts_of_components(numbers["a"].to_numpy(), numbers["b"].to_numpy(), _PER_PART)
    parts = spark.createDataFrame(pa.table({"number": pa.array(number), "part": pa.array(part)}))
    numbered = edges.select(*_COLUMNS, F.xxhash64("a").alias("number"))
    schema = struct(", ".join(f"{name} STRING" for name in graph.columns))
    arrow = arrow_schema(schema)

    def kernel(part: pa.Table) -> pa.Table:
        return _table(graph, graph.cluster(_pairs_in(part))).cast(arrow)

    dealt = numbered.join(parts, "number", "inner").drop("number")
    return keep(dealt.groupBy("part").applyInArrow(kernel, schema))


def frame_of_places(spark: SparkSession, graph: Graph, places: Mapping[str, Place]) -> DataFrame:
    """A frame of places, with the columns that ``graph`` names and ``component_id``."""
    return spark.createDataFrame(_table(graph, places))


def rows_of_places(batch: Batch, graph: Graph, places: Mapping[str, Place]) -> DataFrame:
    """Rows of ``graph.places`` under the rules of the run."""
    found = frame_of_places(batch.lake.spark, graph, places).withColumn("rule_version", F.lit(batch.rule_version))
    return found.select(*columns(graph.places))


def _table(graph: Graph, places: Mapping[str, Place]) -> pa.Table:
    rows = [(text, *found) for text, found in sorted(places.items())]
    columns_of = [pa.array(column, pa.string()) for column in (zip(*rows, strict=True) if rows else ([], [], []))]
    return pa.Table.from_arrays(columns_of, names=graph.columns)


def _pairs(edges: DataFrame) -> list[Pair]:
    """Rows of a table of pairs on the driver: a night touches few."""
    return _pairs_in(edges.select(*_COLUMNS).toArrow())


def _pairs_in(table: pa.Table) -> list[Pair]:
    rows = zip(*(table.column(name).to_pylist() for name in _COLUMNS), strict=True)
    return [
        Pair(a, b, measure, A_IN_B if contained == a else B_IN_A if contained == b else NEITHER, *words)
        for a, b, measure, contained, *words in rows
    ]


def _touched(batch: Batch, graph: Graph, pairs: list[Pair]) -> dict[str, Place]:
    """Places, as stored, of all earlier texts in the components that pairs touch."""
    if not pairs or not batch.lake.bytes_of(graph.places):
        return {}
    ends = frame_of_ids(batch.lake, graph.member, {text for pair in pairs for text in (pair.a, pair.b)})
    found = batch.rows_of(graph.places, ends, ["component_id"]).select("component_id").distinct()
    components = {row[0] for row in found.collect()}
    if not components:
        return {}
    rows = batch.rows_of(graph.places, frame_of_ids(batch.lake, "component_id", components))
    return {row[0]: Place(row[1], row[2]) for row in rows.select(*graph.columns).collect()}
