"""New variants of a batch → the pairs that they are in, by their words → their groups.

A night compares its new variants with each other and, through stored postings, with those of all nights before; then
the groups of all components of stored pairs that new pairs touch are formed anew. So nights in any order leave the
groups that one run leaves. Few pairs are placed on the driver. More, of a large first load or of a large component that
a night touches, are placed by the executors, some whole components at a time; then the driver has only two numbers a
pair, by which it finds the components.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial, reduce
from typing import Final, NamedTuple

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from quotelake.lake.contracts import columns
from quotelake.lake.frames import frame_of
from quotelake.nightly.excerpts import EDGE, Excerpts, decide_touched, touched
from quotelake.nightly.night import Batch, frame_of_ids
from quotelake.reuse import stage
from quotelake.reuse.clusters import Change, Place, changes, cluster, parts_of_components
from quotelake.reuse.excerpts import JOINED
from quotelake.reuse.pairs import EXCERPT, Pair, pairs_of
from quotelake.spark.session import together

#: New variants whose words are dealt into one part: some 30 million bytes of postings.
_VARIANTS_PER_PART: Final = 50_000
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


class Graph(NamedTuple):
    """Tables of pairs and of places, and what forms the groups of whole components."""

    edges: str  # with the columns of ``variant_edges`` that :class:`~quotelake.reuse.pairs.Pair` names
    places: str  # place of each text
    member: str  # column of the id of a text in ``places``
    group: str  # column of its group there
    cluster: Callable[[list[Pair]], dict[str, Place]]
    by_pairs: str | None = None  # SQL of the group that pairs give it, where the column may have another one

    @property
    def columns(self) -> list[str]:
        """Columns of a place."""
        return [self.member, self.group, "component_id"]


_ALONE: Final = f"IF(excerpt = '{JOINED}', variant_id, group_id)"
VARIANTS: Final = Graph("variant_edges", "variant_groups", "variant_id", "group_id", cluster, _ALONE)
#: A short excerpt joins a group that is formed without it.
_GROUPS: Final = f"measure <> '{EXCERPT}'"


@dataclass(frozen=True)
class Groups:
    """Groups as they are with the new variants; a frame is None where it has no rows."""

    postings: DataFrame | None  # of ``variant_postings``, of the new variants
    edges: DataFrame | None  # of ``variant_edges``: the pairs that a new variant is in
    rows: DataFrame  # of ``variant_groups``, of the new variants
    moved: DataFrame | None  # of ``variant_groups``, of earlier variants whose group or component changed
    placed: DataFrame  # variant_id, group_id of the new variants, and of all earlier ones in components they touch
    changes: list[Change]  # how earlier variants went from group to group

    @property
    def changed(self) -> list[str]:
        """Ids, of before and of now, of the groups that earlier variants left or came to."""
        return sorted({group for change in self.changes for group in (change.old_group_id, change.group_id)})


def find_groups(batch: Batch, variants: DataFrame, uses: DataFrame | None = None) -> Groups:
    """Find the groups of variants that have none yet, and of excerpts that may be in another one now.

    ``variants`` are rows of ``variants``: all that the documents use; ``uses`` are rows of ``contexts`` of these uses.
    """
    lake, rules, used = batch.lake, batch.rule_version, variants.select("variant_id")
    if lake.bytes_of("variant_groups"):
        known = batch.rows_of("variant_groups", used, ["rule_version"])
        variants = variants.join(known.select("variant_id"), "variant_id", "left_anti")
    new, reuse = batch.keep(variants), batch.night.settings.reuse
    edges, counts, postings = lake.frame([], "variant_edges"), {"variants_compared": 0, "pairs": 0}, None
    if reuse.compare:
        edges, counts, postings = _compare(batch, new)
    places = place(batch, VARIANTS, edges, counts["pairs"]).withColumnRenamed("member", "variant_id")
    rows, earlier = stage.group_rows(new, places, rules), places.where("old_group_id IS NOT NULL")
    if lake.bytes_of("variant_groups"):  # another run on this batch may have placed some of the new variants meanwhile
        earlier = earlier.join(new.select("variant_id"), "variant_id", "left_anti")
    found = Excerpts({}, {})
    if reuse.compare and reuse.excerpts:
        placed = rows.select(*VARIANTS.columns).unionByName(earlier.select(*VARIANTS.columns))
        asked = touched(batch, used, placed.select("variant_id"), edges)
        found = decide_touched(batch, asked, edges, placed, uses)
    if found.now:
        decided = F.broadcast(frame_of_ids(lake, "variant_id", found.now))
        earlier = earlier.join(decided, "variant_id", "left_anti")
        rows = rows.join(decided, "variant_id", "left_anti").unionByName(found.rows(batch, found.new))
    moved = rows_of_places(batch, VARIANTS, earlier.where(IS_FRESH).withColumnRenamed("variant_id", "member"))
    moved = moved.unionByName(found.rows(batch, found.changed - found.new))
    n_moved = moved.count()
    batch.stage.count(**counts, variants_moved=n_moved)
    every = rows, earlier, found.rows(batch, found.before)
    went = found.went() + _counted(earlier.select("old_group_id", "group_id")) if n_moved else Counter()
    placed = reduce(DataFrame.unionByName, (each.select("variant_id", "group_id") for each in every))
    if found.groups:  # they may have members that are not placed
        others = batch.rows_of("variant_groups", frame_of_ids(lake, "group_id", found.groups), ["variant_id"])
        others = batch.keep(others.select(*placed.columns).join(placed, "variant_id", "left_anti"))
        went += _counted(others.select(F.col("group_id").alias("old_group_id"), "group_id"))
        placed = placed.unionByName(others)
    kept = (postings if counts["variants_compared"] else None), (edges if counts["pairs"] else None)
    return Groups(*kept, rows, moved if n_moved else None, placed, changes(went))


def _counted(groups: DataFrame) -> Counter[tuple[str, str]]:
    """How many rows have which two groups."""
    return Counter({(row[0], row[1]): row[2] for row in groups.groupBy(*groups.columns).count().collect()})


def _compare(batch: Batch, new: DataFrame) -> tuple[DataFrame, dict[str, int], DataFrame]:
    """Compare new variants with each other and with those of earlier nights.

    Returns:
        Rows of ``variant_edges``, kept; the counts by name; and rows of ``variant_postings`` of the new variants.
    """
    lake, texts, listed = batch.lake, new.select("variant_id", "canonical_text"), stage.postings(new)
    number, has_archive = new.count(), lake.bytes_of("variant_postings")
    parts = parts_for(number)
    if parts == 1 and not has_archive:
        edges, counts, table = pairs_among(lake.spark, new, batch.rule_version)
        listed = lake.spark.createDataFrame(table)
    else:
        listed, archive = batch.keep(listed), None
        if has_archive:
            asked = batch.keep(stage.probe_tokens(listed))
            # All are read: thirty articles have the words of 47 % of them, and sorted by word they are more bytes.
            stored = batch.rows_of("variant_postings", asked.select("token"))
            # A batch that was killed may have written postings of these very variants.
            archive = stage.useful_postings(stored.join(texts, "variant_id", "left_anti"), asked)
        pairs = stage.candidate_pairs(listed, archive, parts)
        if has_archive:
            pairs = batch.keep(pairs)
            ids = pairs.select(F.explode(F.array("a", "b")).alias("variant_id")).dropDuplicates()
            earlier = lake.rows_of("variants", ids.join(texts, "variant_id", "left_anti"), ["canonical_text"])
            texts = texts.unionByName(batch.keep(earlier))
        edges = batch.keep(stage.edges(pairs, texts, batch.rule_version))
        sought = F.countDistinct(F.when(F.col("probe"), F.col("variant_id")))
        found = listed.agg(F.countDistinct("variant_id"), sought).first()
        assert found is not None  # an aggregate without groups has one row
        counts = _counts(found[0], found[1], edges.count())
    if not batch.night.settings.reuse.excerpts:
        edges = batch.keep(edges.where(_GROUPS))
        counts["pairs"] = edges.count()
    postings = listed.withColumn("rule_version", F.lit(batch.rule_version))
    return edges, {"new_variants": number, **counts}, postings.select(*columns("variant_postings"))


def parts_for(variants: int) -> int:
    """Parts that the words of so many new variants are dealt into."""
    return max(-(-variants // _VARIANTS_PER_PART), 1)


def pairs_among(spark: SparkSession, new: DataFrame, rule_version: str) -> tuple[DataFrame, dict[str, int], pa.Table]:
    """Find the pairs of new variants with each other, on the driver, which then holds them: of one part's variants.

    Returns:
        Rows of ``variant_edges``; the counts by name; and the postings of the variants, as they are stored.
    """
    found = stage.compare_within(new.select("variant_id", "canonical_text").toArrow())
    edges = frame_of(spark, [edge | {"rule_version": rule_version} for edge in found.edges], "variant_edges")
    return edges, _counts(found.compared, found.sought, len(found.edges)), found.postings


def _counts(compared: int, sought: int, pairs: int) -> dict[str, int]:
    """Variants that are compared, those also looked for in longer ones, and the pairs found."""
    return {"variants_compared": compared, "variants_sought_in_longer": sought, "pairs": pairs}


def write_pairs(batch: Batch, groups: Groups) -> None:
    """Write the pairs before the groups: a batch that is taken up again has the same new variants until these are."""
    writes: list[Callable[[], object]] = []
    for rows, table in ((groups.postings, "variant_postings"), (groups.edges, "variant_edges")):
        if rows is not None:
            writes.append(partial(batch.append, rows, table))
    if groups.changes:
        stamps = {"rule_version": batch.rule_version, "night": batch.night.run.night}
        lineage = batch.lake.frame([change._asdict() | stamps for change in groups.changes], "group_lineage")
        writes.append(partial(batch.lake.append, lineage, "group_lineage", batch.txn))
    together(*writes)


def write_groups(batch: Batch, groups: Groups) -> None:
    """Write the groups: last of all, since by its group a variant is no longer new.

    Earlier variants move in the same commit: a killed batch, taken up, finds the same variants new, or none.
    """
    if groups.moved is None:
        batch.lake.append_new(groups.rows, "variant_groups")
    else:
        batch.lake.merge(batch.keep(groups.moved.unionByName(groups.rows)), "variant_groups")


def members_of(batch: Batch, groups: Groups, used: DataFrame) -> DataFrame:
    """All members of the groups of the variants ``used``, and of groups that changed: ``variant_id``, ``group_id``."""
    placed = groups.placed
    own = placed.join(used, "variant_id", "left_semi").select("group_id")
    changed = frame_of_ids(batch.lake, "group_id", groups.changed)
    touched = placed.join(own.union(changed).dropDuplicates(), "group_id", "left_semi").select("variant_id", "group_id")
    if not batch.lake.bytes_of("variant_groups"):
        return touched
    others = used.join(placed, "variant_id", "left_anti")
    ids = batch.rows_of("variant_groups", others, ["group_id"]).select("group_id").dropDuplicates()
    members = batch.rows_of("variant_groups", ids, ["variant_id"]).select("variant_id", "group_id")
    # Groups of the others hold none of those placed here, unless another run has just placed the same ones.
    return touched.unionByName(members.join(placed, "variant_id", "left_anti"))


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
    before, edges = None, edges.select(*EDGE).where(_GROUPS)
    if pairs and batch.lake.bytes_of(graph.places):
        ends = edges.select(F.explode(F.array("a", "b")).alias(graph.member)).dropDuplicates()
        components = batch.rows_of(graph.places, ends, ["component_id"]).select("component_id").distinct()
        names = graph.member, graph.by_pairs or graph.group, "component_id"
        stored = [F.expr(name).alias(alias) for name, alias in zip(names, _STORED, strict=True)]
        before = batch.keep(batch.rows_of(graph.places, batch.keep(components)).select(*stored))
    if before is None or not before.count():
        nowhere = {name: F.lit(None).cast("string") for name in _STORED[1:]}
        return batch.keep(places_of(edges, graph, pairs).withColumns(nowhere))
    earlier = batch.rows_of(graph.edges, before.select(F.col("member").alias("a")), EDGE[1:])
    edges = batch.keep(edges.unionByName(earlier.select(*EDGE)).dropDuplicates(["a", "b"]))
    places = places_of(edges, graph, edges.count())
    return batch.keep(places.join(before, "member", "left").select(*_PLACED))


def places_of(edges: DataFrame, graph: Graph, pairs: int) -> DataFrame:
    """Place the texts of all pairs of some components, at most so many. Grain: a text, ``member``; group, component."""
    spark, names, edges = edges.sparkSession, _PLACED[:3], edges.where(_GROUPS)
    if pairs <= _ON_DRIVER:
        return frame_of_places(spark, graph.cluster(_pairs_in(edges.select(*EDGE).toArrow())) if pairs else {})
    # Two texts with one number only share a part: the kernel goes by their ids.
    ends = edges.select(*(F.xxhash64(side).alias(side) for side in ("a", "b")))
    collected = -(-pairs // _COLLECTED)
    numbers = pa.concat_tables(
        [ends.where(F.pmod("a", F.lit(collected)) == number).toArrow() for number in range(collected)]
    )
    number, part = parts_of_components(numbers["a"].to_numpy(), numbers["b"].to_numpy(), _PER_PART)
    parts = spark.createDataFrame(pa.table({"number": pa.array(number), "part": pa.array(part)}))
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
    return spark.createDataFrame(_table(places))


def _table(places: Mapping[str, Place]) -> pa.Table:
    rows = [(text, *found) for text, found in sorted(places.items())]
    columns_of = zip(*rows, strict=True) if rows else ((), (), ())
    return pa.Table.from_arrays([pa.array(column, pa.string()) for column in columns_of], names=list(_PLACED[:3]))


def _pairs_in(table: pa.Table) -> list[Pair]:
    return pairs_of(zip(*(table.column(name).to_pylist() for name in EDGE), strict=True))
