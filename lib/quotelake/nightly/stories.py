"""New texts of a batch → pairs of copies and stories; and which quotes of earlier nights a changed story concerns.

As with quotes (:mod:`quotelake.nightly.groups`), a night compares new texts with each other and with all texts before,
and forms the stories of the components anew that their pairs touch.
"""

from dataclasses import dataclass
from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake.nightly.groups import Graph, place, rows_of_places
from quotelake.nightly.night import Batch, frame_of_ids
from quotelake.reuse import stage
from quotelake.reuse.stories import cluster_stories

#: New texts whose hashes are dealt into one part, some 90 each. Of 5,000 texts a task took 200 MB, of 2,000 120.
_TEXTS_PER_PART: Final = 2_000
TEXTS: Final = Graph("story_edges", "stories", "text_id", "story_id", cluster_stories)


@dataclass(frozen=True)
class Stories:
    """Stories as they are with the new texts."""

    edges: DataFrame  # of ``story_edges``: the pairs that a new text is in
    rows: DataFrame | None  # of ``stories`` that are new or changed; None where there are none
    changed: list[str]  # texts whose story is another one than before, new ones in the story of another text included


def find_stories(batch: Batch, texts: DataFrame) -> Stories:
    """Find the stories of new texts, rows of ``story_texts``."""
    archive = None
    new = stage.compared_texts(texts)
    if batch.lake.bytes_of("story_texts"):
        known = batch.rows_of("story_texts", new.select("text_id"), ["rule_version"])
        # Texts of earlier nights are read as a whole, one kilobyte each.
        archive = stage.story_hashes(batch.read("story_texts").where(F.size("sample") > 0))
        new = new.join(known.select("text_id"), "text_id", "left_anti")
    new = batch.keep(new)
    compared = new.count()
    parts = max(-(-compared // _TEXTS_PER_PART), 1)
    edges = batch.keep(stage.story_edges(stage.story_hashes(new), archive, parts, batch.rule_version))
    before, now = place(batch, TEXTS, edges) if compared else ({}, {})
    stories = {text: was.group_id for text, was in before.items()}
    fresh = {text: found for text, found in now.items() if before.get(text) != found}
    changed = sorted(text for text, found in fresh.items() if found.group_id != stories.get(text, text))
    batch.stage.count(texts_compared=compared, texts_placed=len(fresh))
    return Stories(edges, rows_of_places(batch, TEXTS, fresh) if fresh else None, changed)


def variants_with_changed_story(batch: Batch, stories: Stories) -> DataFrame | None:
    """Variants used in earlier texts whose story changed: their groups are scored anew. Grain: ``variant_id``.

    None where there are none.
    """
    lake = batch.lake
    if not stories.changed or not lake.bytes_of("story_texts"):
        return None
    known = batch.rows_of("story_texts", frame_of_ids(lake, "text_id", stories.changed), ["rule_version"])
    earlier = {row[0] for row in known.select("text_id").collect()}
    if not earlier:
        return None
    uses = batch.rows_of("contexts", frame_of_ids(lake, "text_id", earlier), ["variant_id", "direct", "status"])
    usable = uses.where(F.col("direct") & (F.col("status") == "ok")).select("variant_id").distinct()
    variants = lake.rows_of(
        "variants", frame_of_ids(lake, "variant_id", {row[0] for row in usable.collect()}), ["words"]
    )
    return batch.keep(variants.where(F.col("words") >= batch.night.settings.topics.min_words).select("variant_id"))


def watched_with_changed_story(batch: Batch, stories: Stories) -> list[str]:
    """Watched texts, by digest, used in earlier texts whose story changed: they are scored anew."""
    if not batch.night.rules.watch.texts or not stories.changed or not batch.lake.bytes_of("watch_hits"):
        return []
    texts = frame_of_ids(batch.lake, "text_id", stories.changed)
    found = batch.rows_of("watch_hits", texts, ["text_digest"]).select("text_digest").distinct()
    return sorted(row[0] for row in found.collect())


def write_story_pairs(batch: Batch, stories: Stories) -> None:
    """Write the pairs before the stories, as those of variants."""
    if stories.rows is not None:
        batch.append(stories.edges, "story_edges")


def write_stories(batch: Batch, stories: Stories, texts: DataFrame) -> None:
    """Write the stories, and then the texts: last of all, since a text that is there is no longer new."""
    if stories.rows is not None:
        batch.lake.merge(stories.rows, "stories")
    batch.append(texts, "story_texts")
