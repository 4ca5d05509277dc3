"""New texts of a batch → pairs of copies and stories; and the quotes of earlier nights in texts whose story changed."""

from collections.abc import Sequence
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
from quotelake.spark.session import tasks_passing
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
    # An old text that is published again now has new neighbours; on the same day it has not.
    known = batch.rows_of("story_texts", column_of(new, "text_id"), ["published"])
    same = (known["text_id"] == new["text_id"]) & known["published"].eqNullSafe(new["published"])
    listed = new.join(known, same, "left_anti").toArrow()
    batch.stage.count(texts_compared=listed.num_rows, texts_placed=0)
    if not listed.num_rows:
        return Stories(None, None, [])
    listed = listed.append_column("new", pa.repeat(pa.scalar(True), listed.num_rows))
    every = frame_of_table(batch.lake.spark, listed)
    archive = batch.read("story_texts").where(F.size("sample") > 0).withColumn("new", F.lit(False))
    near = stage.near_days(archive, set(listed.column("published").to_pylist()), window)
    every = every.unionByName(near.select(*every.columns))
    tasks = tasks_passing(batch.lake.spark, batch.lake.bytes_of("story_texts") + listed.nbytes)
    edges = batch.keep(stage.story_edges(listed, every.coalesce(tasks), window, batch.rule_version))
    if not count_rows(edges):
        return Stories(None, None, [])
    fresh = batch.keep(place(batch, TEXTS, edges).where(PLACE_CHANGED))
    other = F.col("group_id") != F.coalesce("old_group_id", "member")
    changed, count = sorted(row[0] for row in fresh.where(other).select("member").collect()), count_rows(fresh)
    batch.stage.count(texts_placed=count)
    return Stories(edges, rows_of_places(batch, TEXTS, fresh) if count else None, changed)


def with_changed_story(batch: Batch, texts: Sequence[str]) -> tuple[list[str], list[str]]:
    """What earlier ones of some texts use, whose story changed: ids of variants long enough, and of watched texts."""
    lake, ids = batch.lake, batch.lake.ids("text_id", texts)
    if not texts or not lake.bytes_of("story_texts"):
        return [], []
    hits = batch.rows_of("watch_hits", ids, ["text_digest"]).collect() if lake.bytes_of("watch_hits") else []
    digests = sorted({row["text_digest"] for row in hits})
    earlier = {row["text_id"] for row in batch.rows_of("story_texts", ids, ["rule_version"]).collect()}
    if not earlier:
        return [], digests
    uses = batch.rows_of("contexts", lake.ids("text_id", earlier), ["variant_id", "direct", "status"])
    usable = uses.where(F.col("direct") & (F.col("status") == "ok")).select("variant_id").distinct()
    variants = lake.rows_of("variants", lake.ids("variant_id", {row[0] for row in usable.collect()}), ["words"])
    return [row["variant_id"] for row in variants.collect() if row["words"] >= MIN_WORDS], digests


def write_stories(batch: Batch, stories: Stories, texts: DataFrame) -> None:
    """Write the stories, behind their pairs, and then the texts: last of all, since a stored text is no longer new."""
    batch.replace(stories.rows, "stories")
    batch.append(texts, "story_texts")
