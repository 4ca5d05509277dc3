"""New texts of a batch → pairs of copies and stories; and the quotes of earlier nights in texts whose story changed."""

from dataclasses import dataclass
from typing import Final

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake.nightly.night import Batch
from quotelake.nightly.places import PLACE_CHANGED, ClusterTables, place, rows_of_places
from quotelake.reuse import stage
from quotelake.reuse.stories import group_copies
from quotelake.spark.arrow import column_of, count_rows, frame_of_table
from quotelake.topics.selection import MIN_WORDS

TEXTS: Final = ClusterTables("story_edges", "stories", "text_id", "story_id", group_copies)


@dataclass(frozen=True)
class Stories:
    """Stories with the new texts in them."""

    edges: DataFrame | None  # of ``story_edges``: the pairs that a new text is in, and some that are known
    rows: DataFrame | None  # of ``stories`` that are new or changed; None where there are none
    changed: list[str]  # texts whose story is another one than before, new ones in the story of another text included


def find_stories(batch: Batch, texts: DataFrame) -> Stories:
    """Find the stories of new texts, rows of ``story_texts``."""
    new, window = batch.keep(stage.compared_texts(texts)), batch.night.settings.reuse.story_days
    has_archive = batch.lake.bytes_of("story_texts") > 0
    if has_archive:  # an old text that is published again now has new neighbours; on the same day it has not
        known = batch.rows_of("story_texts", column_of(new, "text_id"), ["published"])
        same = (known["text_id"] == new["text_id"]) & known["published"].eqNullSafe(new["published"])
        new = new.join(known, same, "left_anti")
    listed = new.toArrow()
    batch.stage.count(texts_compared=listed.num_rows, texts_placed=0)
    if not listed.num_rows:
        return Stories(None, None, [])
    listed = listed.append_column("new", pa.repeat(pa.scalar(True), listed.num_rows))
    every = frame_of_table(batch.lake.spark, listed)
    if has_archive:
        archive = batch.read("story_texts").where(F.size("sample") > 0).withColumn("new", F.lit(False))
        near = stage.near_days(archive, set(listed.column("published").to_pylist()), window)
        every = every.unionByName(near.select(*every.columns))
    edges = batch.keep(stage.story_edges(listed, every, window, batch.rule_version))
    pairs = count_rows(edges)
    if not pairs:
        return Stories(None, None, [])
    placed = place(batch, TEXTS, edges, pairs)
    fresh = batch.keep(placed.where(PLACE_CHANGED))
    other = F.col("group_id") != F.coalesce("old_group_id", "member")
    changed = sorted(row[0] for row in fresh.where(other).select("member").collect())
    count = count_rows(fresh)
    batch.stage.count(texts_placed=count)
    return Stories(edges, rows_of_places(batch, TEXTS, fresh) if count else None, changed)


def variants_with_changed_story(batch: Batch, stories: Stories) -> DataFrame | None:
    """Variants in earlier texts whose story changed: their groups are scored anew. Grain: ``variant_id``; or None."""
    lake = batch.lake
    if not stories.changed or not lake.bytes_of("story_texts"):
        return None
    known = batch.rows_of("story_texts", lake.ids("text_id", stories.changed), ["rule_version"])
    earlier = {row[0] for row in known.select("text_id").collect()}
    if not earlier:
        return None
    uses = batch.rows_of("contexts", lake.ids("text_id", earlier), ["variant_id", "direct", "status"])
    usable = uses.where(F.col("direct") & (F.col("status") == "ok")).select("variant_id").distinct()
    variants = lake.rows_of("variants", lake.ids("variant_id", {row[0] for row in usable.collect()}), ["words"])
    return batch.keep(variants.where(F.col("words") >= MIN_WORDS).select("variant_id"))


def watched_with_changed_story(batch: Batch, stories: Stories) -> list[str]:
    """Watched texts, by digest, used in earlier texts whose story changed: they are scored anew."""
    if not batch.night.rules.watch.texts or not stories.changed or not batch.lake.bytes_of("watch_hits"):
        return []
    texts = batch.lake.ids("text_id", stories.changed)
    found = batch.rows_of("watch_hits", texts, ["text_digest"]).select("text_digest").distinct()
    return sorted(row[0] for row in found.collect())


def write_story_pairs(batch: Batch, stories: Stories) -> None:
    """Write the pairs, before the stories."""
    if stories.edges is not None:
        batch.append_new(stories.edges, "story_edges")


def write_stories(batch: Batch, stories: Stories, texts: DataFrame) -> None:
    """Write the stories, and then the texts: last of all, since a stored text is no longer new."""
    if stories.rows is not None:
        batch.replace(stories.rows, "stories")
    batch.append(texts, "story_texts")
