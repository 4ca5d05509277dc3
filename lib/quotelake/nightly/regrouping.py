"""New variants of a batch → pairs, reuse groups and their lineage: what a batch compares, and with what.

A night compares its new variants with each other and, through stored postings, with those of all nights before, and
forms the groups of the components anew that they touch. So nights in any order leave the groups that one run leaves.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from quotelake.lake.contracts import columns
from quotelake.lake.frames import frame_of
from quotelake.lake.tables import Lake
from quotelake.nightly.components import Graph, frame_of_ids, frame_of_places, place, place_first
from quotelake.reuse import stage
from quotelake.reuse.clusters import Change, Place, changes
from quotelake.spark.materialise import Materialised

#: New variants whose words are dealt into one part: some 30 million bytes of postings.
_VARIANTS_PER_PART: Final = 50_000
VARIANTS: Final = Graph("variant_edges", "variant_groups", "variant_id", "group_id")


@dataclass(frozen=True)
class Compared:
    """New variants, and the pairs they are in.

    Attributes:
        new: ``variant_id``, ``canonical_text``, ``words`` of the new variants.
        postings: those of the new variants.
        edges: rows of ``variant_edges``: the pairs that a new variant is in.
        counts: of these, by name.
        vectors: rows of ``embeddings`` that pairs by meaning needed and that are not in the table yet.
    """

    new: DataFrame
    postings: DataFrame
    edges: DataFrame
    counts: Mapping[str, int]
    vectors: DataFrame | None = None


@dataclass(frozen=True)
class Regrouped:
    """Groups as they are with the new variants.

    Attributes:
        rows: rows of ``variant_groups`` of the new variants.
        moved: earlier variants whose group or component changed.
        moved_rows: rows of ``variant_groups`` of these.
        placed: ``variant_id``, ``group_id`` of the new variants, and of all earlier ones in components they touch.
        changes: how earlier variants went from group to group.
    """

    rows: DataFrame
    moved: Mapping[str, Place]
    moved_rows: DataFrame
    placed: DataFrame
    changes: list[Change]

    @property
    def changed_groups(self) -> list[str]:
        """Ids, of before and of now, of the groups that earlier variants left or came to."""
        return sorted({group for change in self.changes for group in (change.old_group_id, change.group_id)})


def new_variants(lake: Lake, variants: DataFrame, rule_version: str) -> DataFrame:
    """Variants that have no group yet. Grain: ``variant_id``; with ``canonical_text`` and ``words``.

    Args:
        lake: holds ``variant_groups``.
        variants: rows of ``variants``, each once.
        rule_version: version of the rules that group them.
    """
    if not lake.bytes_of("variant_groups"):
        return variants
    known = lake.rows_of("variant_groups", variants.select("variant_id"), ["rule_version"])
    known = known.where(F.col("rule_version") == rule_version)
    return variants.join(known.select("variant_id"), "variant_id", "left_anti")


def compare(lake: Lake, new: DataFrame, rule_version: str, materialise: Materialised) -> Compared:
    """Find the pairs of new variants with each other and with those of earlier nights.

    Args:
        lake: holds the postings and texts of earlier nights.
        new: materialised, see :func:`new_variants`.
        rule_version: version of the rules.
        materialise: keeps what is read more than once.
    """
    number = new.count()
    parts = parts_for(number)
    if parts == 1 and not lake.bytes_of("variant_postings"):
        edges, counts = among(lake.spark, new, rule_version)
        listed = stage.postings(new)  # only to be written
    else:
        listed = materialise(stage.postings(new))
        edges = materialise(_edges(lake, new, listed, parts, rule_version, materialise))
        counts = _count(listed, edges)
    postings = listed.withColumn("rule_version", F.lit(rule_version)).select(*columns("variant_postings"))
    return Compared(new, postings, edges, {"new_variants": number, **counts})


def among(spark: SparkSession, new: DataFrame, rule_version: str) -> tuple[DataFrame, dict[str, int]]:
    """Find the pairs of new variants with each other, on the driver, which then holds them: of one part's variants.

    Args:
        spark: session of the frames.
        new: ``variant_id``, ``canonical_text``.
        rule_version: version of the rules.

    Returns:
        Rows of ``variant_edges``, and their counts by name.
    """
    found = stage.compare_within(new.select("variant_id", "canonical_text").toArrow())
    edges = frame_of(spark, [edge | {"rule_version": rule_version} for edge in found.edges], "variant_edges")
    return edges, _counts(found.compared, found.sought, len(found.edges))


def _edges(
    lake: Lake, new: DataFrame, listed: DataFrame, parts: int, rule_version: str, materialise: Materialised
) -> DataFrame:
    """Find the pairs of new variants with each other and with those of earlier nights, by Spark."""
    texts = new.select("variant_id", "canonical_text")
    if not lake.bytes_of("variant_postings"):
        return stage.edges(stage.candidate_pairs(listed, None, parts), texts, rule_version)
    asked = materialise(stage.probe_tokens(listed))
    stored = lake.rows_of("variant_postings", asked.select("token"))
    # A batch that was killed may have written postings of these very variants.
    stored = stored.where(F.col("rule_version") == rule_version).join(texts, "variant_id", "left_anti")
    archive = stage.useful_postings(stored, asked)
    pairs = materialise(stage.candidate_pairs(listed, archive, parts))
    ids = pairs.select(F.explode(F.array("a", "b")).alias("variant_id")).dropDuplicates()
    earlier = lake.rows_of("variants", ids.join(texts, "variant_id", "left_anti"), ["canonical_text"])
    return stage.edges(pairs, texts.unionByName(earlier), rule_version)


def _count(postings: DataFrame, edges: DataFrame) -> dict[str, int]:
    sought = F.countDistinct(F.when(F.col("probe"), F.col("variant_id")))
    found = postings.agg(F.countDistinct("variant_id"), sought).first()
    assert found is not None  # an aggregate without groups has one row
    return _counts(found[0], found[1], edges.count())


def _counts(compared: int, sought: int, pairs: int) -> dict[str, int]:
    """Variants that are compared, those also looked for in longer ones, and the pairs found."""
    return {"variants_compared": compared, "variants_sought_in_longer": sought, "pairs": pairs}


def parts_for(variants: int) -> int:
    """Parts that the words of so many new variants are dealt into."""
    return max(-(-variants // _VARIANTS_PER_PART), 1)


def apart(lake: Lake, new: DataFrame) -> Compared:
    """New variants that are not compared: each is a group by itself."""
    postings, edges = (lake.frame([], table) for table in ("variant_postings", "variant_edges"))
    return Compared(new, postings, edges, {"variants_compared": 0, "pairs": 0})


def regroup(lake: Lake, compared: Compared, rule_version: str, materialise: Materialised) -> Regrouped:
    """Form the groups of new variants, and anew those of all components that their pairs touch.

    Args:
        lake: holds the groups and pairs of earlier nights.
        compared: what :func:`compare` found.
        rule_version: version of the rules.
        materialise: keeps what is read more than once.
    """
    if not lake.bytes_of("variant_groups"):
        first = place_first(compared.edges, VARIANTS, rule_version, compared.counts["pairs"], materialise)
        rows = stage.group_rows(compared.new, first, rule_version)
        return Regrouped(rows, {}, lake.frame([], "variant_groups"), rows.select("variant_id", "group_id"), [])
    before, places = place(lake, VARIANTS, compared.edges, rule_version)
    rows = stage.group_rows(compared.new, frame_of_places(lake.spark, VARIANTS, places), rule_version)
    moved = {variant: places[variant] for variant, was in before.items() if places[variant] != was}
    moved_rows = frame_of_places(lake.spark, VARIANTS, moved).withColumn("rule_version", F.lit(rule_version))
    earlier = frame_of_places(lake.spark, VARIANTS, {variant: places[variant] for variant in before})
    placed = rows.select("variant_id", "group_id").unionByName(earlier.select("variant_id", "group_id"))
    went = changes(
        {variant: was.group_id for variant, was in before.items()},
        {variant: places[variant].group_id for variant in before},
    )
    return Regrouped(rows, moved, moved_rows.select(*columns("variant_groups")), placed, went)


def keep_groups(lake: Lake, regrouped: Regrouped) -> None:
    """Write the groups: last of all, since by its group a variant is no longer new.

    Earlier variants go first. So whatever a killed batch has written, it finds the same variants new when taken up.
    """
    if regrouped.moved:
        lake.merge(regrouped.moved_rows, "variant_groups")
    lake.append_new(regrouped.rows, "variant_groups")


def members(lake: Lake, regrouped: Regrouped, used: DataFrame, rule_version: str) -> DataFrame:
    """All members of the groups to which some variants belong, and of those that changed. Grain: a variant.

    Args:
        lake: holds the groups of earlier nights.
        regrouped: groups of the new variants, and of what they touch.
        used: ``variant_id`` of the variants.
        rule_version: version of the rules.

    Returns:
        ``variant_id``, ``group_id``.
    """
    placed = regrouped.placed
    own = placed.join(used, "variant_id", "left_semi").select("group_id")
    changed = frame_of_ids(lake, "group_id", regrouped.changed_groups)
    touched = placed.join(own.union(changed).dropDuplicates(), "group_id", "left_semi").select("variant_id", "group_id")
    if not lake.bytes_of("variant_groups"):
        return touched
    others = used.join(placed, "variant_id", "left_anti")
    of_these_rules = F.col("rule_version") == rule_version
    groups = lake.rows_of("variant_groups", others).where(of_these_rules).select("group_id").dropDuplicates()
    stored = lake.rows_of("variant_groups", groups).where(of_these_rules)
    return touched.unionByName(stored.select("variant_id", "group_id"))


def lineage(lake: Lake, went: list[Change], rule_version: str, night: str | None) -> DataFrame:
    """Rows of ``group_lineage``."""
    stamps = {"rule_version": rule_version, "night": night}
    return lake.frame([change._asdict() | stamps for change in went], "group_lineage")
