"""Verified pairs → where each text belongs: its group and its component, for quotes and for stories alike.

The groups of whole components are formed anew. Few pairs are placed on the driver, more by the executors, some whole
components at a time, which the driver finds by two numbers a pair. Short excerpts come last, by all their pairs and
uses, on the driver: few texts are short excerpts (:mod:`quotelake.reuse.clusters`).
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import starmap
from typing import Any, Final, NamedTuple

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from quotelake.lake.contracts import columns
from quotelake.lake.reading import broadcast_if_few
from quotelake.nightly.night import Batch
from quotelake.reuse import clusters
from quotelake.reuse.verify import EXCERPT_PAIR, Pair
from quotelake.spark.arrow import column_of, count_rows, frame_of_table

#: Columns of a pair, as :class:`~quotelake.reuse.verify.Pair` names them.
EDGE: Final = Pair._fields
#: Most pairs that are placed on the driver: there a million take some 500 megabytes.
_ON_DRIVER: Final = 500_000
#: Pairs whose numbers one job collects: 80 megabytes, far below ``spark.driver.maxResultSize``.
_COLLECTED: Final = 5_000_000
#: Pairs of one call of the kernel that places them: some 100 megabytes. A component is never divided.
_PER_PART: Final = 200_000
#: Whether a text is new or its place another one; of a variant, whether its row is.
PLACE_CHANGED: Final = "NOT (group_id <=> old_group_id AND component_id <=> old_component_id)"
ROW_CHANGED: Final = f"{PLACE_CHANGED} OR NOT excerpt <=> old_excerpt"
#: Of a pair: groups are formed by it. A short excerpt joins a group that is formed without it.
FORMS_GROUPS: Final = f"measure <> '{EXCERPT_PAIR}'"


class ClusterTables(NamedTuple):
    """Tables of pairs and of places, and what forms the groups of whole components."""

    edges: str  # with the columns of ``variant_edges`` that :class:`~quotelake.reuse.verify.Pair` names
    places: str  # place of each text
    member: str  # column of the id of a text in ``places``
    group: str  # column of its group there
    cluster: Callable[[list[Pair]], dict[str, clusters.Place]]


VARIANTS: Final = ClusterTables("variant_edges", "variant_groups", "variant_id", "group_id", clusters.group_pairs)


class Placement(NamedTuple):
    """Where a text is, and where it stands in the table: None if it is not there. Some variants have ``excerpt``."""

    member: str
    group_id: str
    component_id: str
    old_group_id: str | None
    old_component_id: str | None
    excerpt: str | None
    old_excerpt: str | None


_PLACE: Final = Placement._fields[:3]
_OLD_PLACE: Final = Placement._fields[3:5]


def place(batch: Batch, tables: ClusterTables, edges: DataFrame) -> DataFrame:
    """Place the texts of new pairs, and anew those of all components that these touch; some may be stored already.

    ``edges`` are materialised. Grain: a text; the fields of a :class:`Placement` but for excerpts.
    """
    edges = edges.select(*EDGE).where(FORMS_GROUPS)
    ends = edges.select(F.explode(F.array("a", "b")).alias(tables.member)).dropDuplicates()
    components = batch.rows_of(tables.places, ends, ["component_id"]).select("component_id").distinct()
    stored = batch.rows_of(tables.places, batch.keep(components))
    before = batch.keep(stored.select(tables.member, tables.group, "component_id").toDF("member", *_OLD_PLACE))
    earlier = batch.rows_of(tables.edges, before.select(F.col("member").alias("a")), EDGE[1:])
    edges = batch.keep(edges.unionByName(earlier.select(*EDGE)).dropDuplicates(["a", "b"]))
    places = places_of(edges, tables, count_rows(edges))
    return batch.keep(places.join(before, "member", "left").select(*_PLACE, *_OLD_PLACE))


def places_of(edges: DataFrame, tables: ClusterTables, pairs: int) -> DataFrame:
    """Place the texts of all pairs of some components, at most so many. Grain: a text, ``member``; group, component."""
    spark, edges = edges.sparkSession, edges.where(FORMS_GROUPS)
    if pairs <= _ON_DRIVER:
        found = tables.cluster(_pairs_in(edges.select(*EDGE).toArrow())) if pairs else {}
        return frame_of_table(spark, table_of_places(found))
    # Two texts with one number only share a part: the kernel distinguishes them by their ids.
    ends = edges.select(*(F.xxhash64(side).alias(side) for side in ("a", "b")))
    collected = -(-pairs // _COLLECTED)
    numbers = pa.concat_tables(
        [ends.where(F.pmod("a", F.lit(collected)) == number).toArrow() for number in range(collected)]
    )
    number, part = clusters.parts_of_components(numbers["a"].to_numpy(), numbers["b"].to_numpy(), _PER_PART)
    parts = frame_of_table(spark, pa.table({"number": pa.array(number), "part": pa.array(part)}))
    dealt = edges.withColumn("number", F.xxhash64("a")).join(parts, "number", "inner").drop("number")

    def kernel(part: pa.Table) -> pa.Table:
        return table_of_places(tables.cluster(_pairs_in(part)))

    return dealt.groupBy("part").applyInArrow(kernel, ", ".join(f"{name} STRING" for name in _PLACE))


def touched_excerpts(batch: Batch, used: DataFrame, placed: DataFrame, edges: DataFrame | None = None) -> set[str]:
    """Excerpts to be decided: those that are, or are contained in, one of some variants, frames of ``variant_id``.

    ``used`` have a use more or less, which decides about no known phrase; ``placed`` may have another group by their
    pairs. ``edges`` are pairs that are not stored yet.
    """
    if not batch.lake.bytes_of("variant_edges") and (edges is None or not count_rows(edges)):
        return set()
    stored = batch.read("variant_edges").where(F.col("measure") == EXCERPT_PAIR)
    sides = stored.select("contained", F.explode(F.array("a", "b")).alias("variant_id"))
    concerned = broadcast_if_few(used.union(placed).dropDuplicates())
    found = sides.join(concerned, "variant_id", "left_semi").select("contained")
    if edges is not None:  # a new pair has a variant that is used
        found = found.union(edges.where(F.col("measure") == EXCERPT_PAIR).select("contained"))
    is_phrase = F.col("excerpt") == clusters.PHRASE
    marked = batch.lake.stored("variant_groups", every=True).where(is_phrase).select("variant_id")
    phrases = batch.rows_of("variant_groups", marked, ["excerpt"]).where(is_phrase).select("variant_id")
    known = phrases.join(placed, "variant_id", "left_anti").withColumnRenamed("variant_id", "contained")
    return {row[0] for row in found.distinct().join(known, "contained", "left_anti").collect()}


def place_excerpts(
    batch: Batch,
    excerpts: Collection[str],
    edges: DataFrame | None = None,
    placed: DataFrame | None = None,
    uses: DataFrame | None = None,
) -> list[Placement]:
    """Decide which of some excerpts, given by their ids, join a group, but of those that are in no pair any more.

    ``edges``, ``placed`` and ``uses`` are pairs, places and uses that are not stored yet.
    """
    if not excerpts:
        return []
    found = batch.read("variant_edges").select(*EDGE)
    found = found if edges is None else found.unionByName(edges.select(*EDGE))
    among = F.broadcast(batch.lake.ids("variant_id", excerpts))
    sides = found.withColumn("variant_id", F.explode(F.array("a", "b"))).join(among, "variant_id", "left_semi")
    pairs = list(starmap(Pair, sides.select(*EDGE).dropDuplicates(["a", "b"]).collect()))
    # Of an excerpt that one of these contains, not all pairs are here.
    pairs = [pair for pair in pairs if pair.measure != EXCERPT_PAIR or pair.part_and_whole[0] in excerpts]
    texts = _texts_of(batch, {*excerpts, *(end for pair in pairs for end in (pair.a, pair.b))}, placed, uses)
    groups = {text: row["group_id"] or row["old_group_id"] or text for text, row in texts.items()}
    joined = (text for text in excerpts if texts[text]["old_excerpt"] == clusters.JOINED)
    groups |= {text: text for text in joined if texts[text]["group_id"] is None}
    uses_of = {text: {_use_of(*use) for use in row["uses"] or ()} for text, row in texts.items()}
    decided = clusters.decide(pairs, groups, uses_of)
    placements = []
    for excerpt in sorted({end for pair in pairs for end in (pair.a, pair.b)} & {*excerpts}):
        row = texts[excerpt]
        group, mark = decided.get(excerpt, clusters.Decision(groups[excerpt], None))
        component, old_component = row["component_id"] or row["old_component_id"] or excerpt, row["old_component_id"]
        old_group, old_mark = row["old_group_id"], row["old_excerpt"]
        placements.append(Placement(excerpt, group, component, old_group, old_component, mark, old_mark))
    return placements


def groups_of(batch: Batch, variants: DataFrame) -> DataFrame:
    """Group of each of some variants, in pairs or not, as it is stored: ``variant_id``, ``group_id``."""
    stored = batch.rows_of("variant_groups", variants, ["group_id"]).select("variant_id", "group_id")
    return variants.join(stored, "variant_id", "left").withColumn("group_id", F.coalesce("group_id", "variant_id"))


def members_in(batch: Batch, groups: DataFrame) -> DataFrame:
    """Members of groups, a frame of distinct ``group_id``, as they are stored: ``variant_id``, ``group_id``."""
    stored = batch.rows_of("variant_groups", groups, ["variant_id"]).select("variant_id", "group_id")
    anchors = groups_of(batch, column_of(groups, "group_id", "variant_id")).where("group_id = variant_id")
    return stored.unionByName(anchors).dropDuplicates(["variant_id"])


def _texts_of(
    batch: Batch, ids: Collection[str], placed: DataFrame | None, uses: DataFrame | None
) -> dict[str, dict[str, Any]]:
    """Variants by their ids: the place that pairs give each, the stored one, behind ``old_``, and its distinct uses."""
    listed = batch.lake.ids("variant_id", ids)
    names, use = ("group_id", "component_id"), ("text_id", "period", "speaker")
    stored = batch.rows_of("variant_groups", listed, (*names, "excerpt"))
    stored = stored.select("variant_id", *(F.col(name).alias(f"old_{name}") for name in (*names, "excerpt")))
    nowhere = stored.select("variant_id", *(F.lit(None).cast("string").alias(name) for name in names))
    now = nowhere if placed is None else placed.select(F.col("member").alias("variant_id"), *names)
    used = batch.rows_of("contexts", listed, use).select("variant_id", *use)
    if uses is not None:
        used = used.unionByName(uses.join(F.broadcast(listed), "variant_id", "left_semi").select("variant_id", *use))
    gathered = used.groupBy("variant_id").agg(F.collect_set(F.struct(*use)).alias("uses"))
    found = listed.join(stored, "variant_id", "left").join(now, "variant_id", "left")
    return {row["variant_id"]: row.asDict() for row in found.join(gathered, "variant_id", "left").collect()}


def rows_of_places(batch: Batch, tables: ClusterTables, places: DataFrame) -> DataFrame:
    """Rows of ``tables.places`` under the rules of the run; ``excerpt`` is NULL where ``places`` have none."""
    mark = F.col("excerpt") if "excerpt" in places.columns else F.lit(None).cast("string")
    rows = places.select(*_PLACE, mark, F.lit(batch.rule_version))
    named = rows.toDF(tables.member, tables.group, "component_id", "excerpt", "rule_version")
    return named.select(*columns(tables.places))


def table_of_places(places: Mapping[str, clusters.Place]) -> pa.Table:
    """Places of texts: ``member``, ``group_id``, ``component_id``."""
    return _table(_PLACE, [(text, *found) for text, found in sorted(places.items())])


def frame_of_placements(spark: SparkSession, placements: Iterable[Placement]) -> DataFrame:
    """Placements as a frame with their fields."""
    return frame_of_table(spark, _table(Placement._fields, sorted(placements)))


def _table(names: Sequence[str], rows: Sequence[tuple[str | None, ...]]) -> pa.Table:
    return pa.table({name: pa.array([row[at] for row in rows], pa.string()) for at, name in enumerate(names)})


def _pairs_in(table: pa.Table) -> list[Pair]:
    return list(starmap(Pair, zip(*(table.column(name).to_pylist() for name in EDGE), strict=True)))


def _use_of(where: str, period: str | None, speaker: str | None) -> clusters.UseOf:
    return clusters.UseOf(where, clusters.month_of(period), speaker)
