"""New variants of a batch → the pairs that they are in, by their words → their groups.

A night compares new variants with each other and, through stored postings, with those of all nights before; then all
components that new pairs touch are grouped anew (:mod:`.places`): nights in any order leave the groups of one run. Only
variants in pairs are stored: any other one is a group by itself.
"""

from collections import Counter
from dataclasses import dataclass
from functools import reduce
from typing import Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from quotelake.lake.contracts import columns
from quotelake.lake.frames import frame_of
from quotelake.nightly import places
from quotelake.nightly.night import Batch
from quotelake.reuse import stage
from quotelake.reuse.clusters import Change, group_changes
from quotelake.spark.arrow import column_of, count_rows, frame_of_table, table_of
from quotelake.spark.session import tasks_passing

#: New variants whose words are dealt into one part: some 30 million bytes of postings.
_VARIANTS_PER_PART: Final = 50_000
#: New variants that the archive passes by at once: some 500 megabytes in each task.
_INDEXED: Final = 400_000


@dataclass(frozen=True)
class Groups:
    """Groups that new pairs form or change; a frame is None where it has no rows."""

    postings: DataFrame | None  # of ``variant_postings``, of the new variants
    edges: DataFrame | None  # of ``variant_edges``: the pairs that a new variant is in
    rows: DataFrame | None  # of ``variant_groups``: variants whose group, component or mark is another one
    placed: DataFrame  # variant_id, group_id of all variants in components with new pairs, and in groups of excerpts
    changes: list[Change]  # moves of earlier variants between groups

    @property
    def changed(self) -> list[str]:
        """Ids of the groups that earlier variants left or joined."""
        return sorted({group for change in self.changes for group in (change.old_group_id, change.group_id)})


def find_groups(batch: Batch, variants: DataFrame, uses: DataFrame | None = None) -> Groups:
    """Find the groups of ``variants`` that have none yet, and of excerpts that may be in another one now.

    ``variants`` are all that the documents use, ``uses`` the rows of ``contexts`` of these uses.
    """
    used = column_of(variants, "variant_id")
    known = batch.rows_of("variant_postings", used, ["variant_id"])
    new = batch.keep(variants.join(known, "variant_id", "left_anti"))
    edges, counts, postings = _compare(batch, new)
    placed, excerpts = places.frame_of_placements(batch.lake.spark, ()), list[places.Placement]()
    if counts["pairs"]:
        marks = dict.fromkeys(("excerpt", "old_excerpt"), F.lit(None).cast("string"))
        found = places.place(batch, places.VARIANTS, edges).withColumns(marks)
        placed = batch.keep(found.select(*places.Placement._fields))
    if batch.night.settings.reuse.excerpts:
        touched = places.touched_excerpts(batch, used, column_of(placed, "member", "variant_id"), edges)
        excerpts = places.place_excerpts(batch, touched, edges, placed, uses)
    if excerpts:
        decided = places.frame_of_placements(batch.lake.spark, excerpts)
        others = placed.join(F.broadcast(decided.select("member")), "member", "left_anti")
        placed = batch.keep(others.unionByName(decided))
    rows, changes, members = None, list[Change](), placed.select(F.col("member").alias("variant_id"), "group_id")
    if counts["pairs"] or excerpts:
        changed = batch.keep(placed.where(places.ROW_CHANGED))
        rows = places.rows_of_places(batch, places.VARIANTS, changed) if count_rows(changed) else None
        moves = placed.select("member", F.coalesce("old_group_id", "member").alias("old_group_id"), "group_id")
        if groups := {group for each in excerpts for group in (each.group_id, each.old_group_id) if group is not None}:
            others = places.members_in(batch, batch.lake.ids("group_id", groups))
            others = batch.keep(others.join(members, "variant_id", "left_anti"))
            moves = moves.union(others.select("variant_id", "group_id", "group_id"))
            members = members.unionByName(others)
        earlier = moves.join(new.select(F.col("variant_id").alias("member")), "member", "left_anti")
        counted = earlier.groupBy("old_group_id", "group_id").count().collect()
        changes = group_changes(Counter({(row[0], row[1]): row[2] for row in counted}))
    batch.stage.count(**counts, variants_moved=sum(change.variants for change in changes))
    return Groups(postings, edges if counts["pairs"] else None, rows, members, changes)


def _compare(batch: Batch, new: DataFrame) -> tuple[DataFrame, dict[str, int], DataFrame | None]:
    """Compare new variants: rows of ``variant_edges``, kept; counts; rows of ``variant_postings``, None without any."""
    lake, number = batch.lake, count_rows(new)
    if (parts := parts_for(number)) == 1:
        edges, postings = pairs_among(lake.spark, new, batch.rule_version)
    else:
        postings = batch.keep(stage.postings(new))
        edges = _verified(batch, stage.candidates_among(stage.listed(postings), parts), new)
    comparable, size = count_rows(postings), lake.bytes_of("variant_postings")
    if comparable and size:
        tasks = tasks_passing(lake.spark, size)
        stored, found = batch.read("variant_postings"), list[DataFrame]()
        for part in range(parts := -(-comparable // _INDEXED)):
            some = postings if parts == 1 else postings.where(F.pmod(F.xxhash64("variant_id"), F.lit(parts)) == part)
            found.append(stage.candidates_with(table_of(some), stored, tasks))
        # A batch that was killed may have written postings of these very variants.
        pairs = reduce(DataFrame.union, found).dropDuplicates(["a", "b"])
        edges = edges.unionByName(_verified(batch, pairs, new)).dropDuplicates(["a", "b"])
    if not batch.night.settings.reuse.excerpts:
        edges = edges.where(places.FORMS_GROUPS)
    edges = batch.keep(edges)
    counts = {"new_variants": number, "pairs": count_rows(edges)}
    if not comparable:
        return edges, counts, None
    rows = postings.withColumn("rule_version", F.lit(batch.rule_version)).select(*columns("variant_postings"))
    return edges, counts, rows


def _verified(batch: Batch, pairs: DataFrame, new: DataFrame) -> DataFrame:
    """Those of the pairs, at least one of each new, that are of the same quote: rows of ``variant_edges``."""
    pairs, texts = batch.keep(pairs), new.select("variant_id", "canonical_text")
    if not count_rows(pairs):
        return batch.lake.frame([], "variant_edges")
    ids = pairs.select(F.explode(F.array("a", "b")).alias("variant_id")).dropDuplicates()
    earlier = batch.lake.rows_of("variants", ids.join(texts, "variant_id", "left_anti"), ["canonical_text"])
    return stage.edges(pairs, texts.unionByName(batch.keep(earlier)), batch.rule_version)


def parts_for(variants: int) -> int:
    """Parts that the words of so many new variants are dealt into."""
    return max(-(-variants // _VARIANTS_PER_PART), 1)


def pairs_among(spark: SparkSession, new: DataFrame, rule_version: str) -> tuple[DataFrame, DataFrame]:
    """Pairs of one part's new variants with each other, found on the driver (``variant_edges``), and their postings."""
    pairs, postings = stage.compare_within(new.select("variant_id", "canonical_text").toArrow())
    edges = frame_of(spark, [pair | {"rule_version": rule_version} for pair in pairs], "variant_edges")
    return edges, frame_of_table(spark, postings)


def write_pairs(batch: Batch, groups: Groups) -> None:
    """Write the pairs and the changes of groups, before the groups."""
    batch.append(groups.edges, "variant_edges")
    if groups.changes:
        stamps = {"rule_version": batch.rule_version, "night": batch.night.run.night}
        lineage = batch.lake.frame([change._asdict() | stamps for change in groups.changes], "group_lineage")
        batch.lake.append(lineage, "group_lineage", batch.txn)


def write_groups(batch: Batch, groups: Groups) -> None:
    """Write the groups, and then the postings: last of all, since a variant with postings is no longer new."""
    batch.replace(groups.rows, "variant_groups")
    batch.append(groups.postings, "variant_postings")


def members_of(batch: Batch, groups: Groups, used: DataFrame) -> DataFrame:
    """All members of the groups of the variants ``used``, and of changed groups: ``variant_id``, ``group_id``."""
    placed = groups.placed
    of_used = placed.join(used, "variant_id", "left_semi").select("group_id")
    ids = of_used.union(batch.lake.ids("group_id", groups.changed)).dropDuplicates()
    touched = placed.join(ids, "group_id", "left_semi").select("variant_id", "group_id")
    others = batch.keep(used.join(placed, "variant_id", "left_anti"))
    ids = batch.keep(places.groups_of(batch, others).select("group_id").dropDuplicates())
    # Another run may just have placed some of those placed here.
    return touched.unionByName(places.members_in(batch, ids).join(placed, "variant_id", "left_anti"))
