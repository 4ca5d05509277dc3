"""New texts of a batch → pairs of copies and stories; and which quotes of earlier nights a changed story concerns.

As with quotes (:mod:`quotelake.nightly.regrouping`), a night compares new texts with each other and with all texts
before, and forms the stories of the components anew that their pairs touch. So nights in any order leave what one run
leaves.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake.lake.contracts import columns
from quotelake.lake.tables import Lake, Transaction
from quotelake.nightly.components import Graph, frame_of_ids, frame_of_places, place
from quotelake.reuse.clusters import Place
from quotelake.reuse.stories import stage
from quotelake.reuse.stories.pairs import cluster_stories
from quotelake.spark.materialise import Materialised

#: New texts whose hashes are dealt into one part, some 90 each. Of 5,000 texts a task took 200 MB, of 2,000 120.
_TEXTS_PER_PART: Final = 2_000
_TEXTS: Final = Graph("story_edges", "stories", "text_id", "story_id", cluster_stories)


@dataclass(frozen=True)
class Storied:
    """Stories as they are with the new texts.

    Attributes:
        edges: rows of ``story_edges``: the pairs that a new text is in.
        rows: rows of ``stories`` that are new or changed.
        changed: texts whose story is another one than before, new ones in the story of another text included.
        counts: texts compared, and texts that have another place in a story or a new one.
    """

    edges: DataFrame
    rows: DataFrame
    changed: list[str]
    counts: Mapping[str, int]


def find_stories(lake: Lake, texts: DataFrame, rule_version: str, materialise: Materialised) -> Storied:
    """Find the stories of new texts.

    Args:
        lake: holds texts, pairs and stories of earlier nights.
        texts: rows of ``story_texts`` of new documents.
        rule_version: version of the rules.
        materialise: keeps what is read more than once.
    """
    archive = None
    new = stage.compared_texts(texts)
    if lake.bytes_of("story_texts"):
        known = lake.rows_of("story_texts", new.select("text_id"), ["rule_version"])
        archive = stage.hashes(_earlier(lake, rule_version))
        new = new.join(known.where(F.col("rule_version") == rule_version).select("text_id"), "text_id", "left_anti")
    new = materialise(new)
    compared = new.count()
    parts = max(-(-compared // _TEXTS_PER_PART), 1)
    edges = materialise(stage.edges(stage.hashes(new), archive, parts, rule_version))
    before, places = place(lake, _TEXTS, edges, rule_version) if compared else ({}, {})
    stories = {text: was.group_id for text, was in before.items()}
    fresh = {text: found for text, found in places.items() if before.get(text) != found}
    changed = [text for text, found in fresh.items() if found.group_id != stories.get(text, text)]
    counts = {"texts_compared": compared, "texts_placed": len(fresh)}
    return Storied(edges, _rows(lake, fresh, rule_version), sorted(changed), counts)


def stories_of(lake: Lake, storied: Storied | None, texts: DataFrame, rule_version: str) -> DataFrame:
    """Stories of texts as they are now. Grain: a text that is in a pair; ``text_id``, ``story_id``.

    Args:
        lake: holds the stories of earlier nights.
        storied: what :func:`find_stories` found; None where no new text is looked at.
        texts: ``text_id`` of texts.
        rule_version: version of the rules.
    """
    stored = lake.rows_of("stories", texts, ["story_id", "rule_version"]).where(F.col("rule_version") == rule_version)
    stored = stored.select("text_id", "story_id")
    if storied is None:
        return stored
    placed = storied.rows.select("text_id", "story_id")
    return placed.unionByName(stored.join(placed, "text_id", "left_anti"))


def watched_in_changed(lake: Lake, storied: Storied, rule_version: str) -> list[str]:
    """Watched texts, by digest, used in earlier texts whose story changed: they are scored anew."""
    if not storied.changed or not lake.bytes_of("watch_hits"):
        return []
    hits = lake.rows_of("watch_hits", frame_of_ids(lake, "text_id", storied.changed), ["text_digest", "rule_version"])
    found = hits.where(F.col("rule_version") == rule_version).select("text_digest").distinct()
    return sorted(row[0] for row in found.collect())


def quotes_in_changed(lake: Lake, storied: Storied, rule_version: str, min_words: int) -> DataFrame | None:
    """Variants used in earlier texts whose story changed: their groups are scored anew. None where there are none.

    Args:
        lake: holds texts and contexts of earlier nights.
        storied: what :func:`find_stories` found.
        rule_version: version of the rules.
        min_words: shorter variants are not scored.

    Returns:
        ``variant_id``, each once.
    """
    if not storied.changed or not lake.bytes_of("story_texts"):
        return None
    changed = frame_of_ids(lake, "text_id", storied.changed)
    of_these_rules = F.col("rule_version") == rule_version
    found = lake.rows_of("story_texts", changed, ["rule_version"]).where(of_these_rules)
    earlier = {row[0] for row in found.select("text_id").collect()}
    if not earlier:
        return None
    wanted = ["variant_id", "rule_version", "direct", "status"]
    uses = lake.rows_of("contexts", frame_of_ids(lake, "text_id", earlier), wanted)
    usable = uses.where(of_these_rules & F.col("direct") & (F.col("status") == "ok"))
    variants = frame_of_ids(lake, "variant_id", {row[0] for row in usable.select("variant_id").distinct().collect()})
    return lake.rows_of("variants", variants, ["words"]).where(F.col("words") >= min_words).select("variant_id")


def keep_stories(lake: Lake, storied: Storied, texts: DataFrame, txn: Transaction, *, again: bool) -> None:
    """Write the stories, and then the texts: last of all, since a text that is there is no longer new.

    Args:
        lake: where to.
        storied: what :func:`find_stories` found.
        texts: rows of ``story_texts`` of new documents.
        txn: batch that writes them.
        again: whether some of these documents may have been read before.
    """
    if storied.counts["texts_placed"]:
        lake.merge(storied.rows, "stories")
    if again:
        lake.append_new(texts, "story_texts", txn)
    else:
        lake.append(texts, "story_texts", txn)


def _earlier(lake: Lake, rule_version: str) -> DataFrame:
    """Texts of earlier nights that can be compared; read as a whole, one kilobyte each."""
    return lake.read("story_texts").where((F.col("rule_version") == rule_version) & (F.size("sample") > 0))


def _rows(lake: Lake, places: Mapping[str, Place], rule_version: str) -> DataFrame:
    stamped = frame_of_places(lake.spark, _TEXTS, places).withColumn("rule_version", F.lit(rule_version))
    return stamped.select(*columns("stories"))
