"""Steps that need vectors: topic variation of the groups that a batch touches; comparisons of uses are written beside.

All groups are scored again where a run has another representation of contexts, or another topic head, than the lake.
Only texts without a vector are embedded. The old scores stay; views follow when the run is complete.
"""

from collections.abc import Sequence
from functools import reduce
from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake.lake.runs import COMPLETE, StageCounts
from quotelake.nightly.annotate import rows_in
from quotelake.nightly.night import Batch, Night
from quotelake.nightly.places import groups_of
from quotelake.nightly.stories import Stories
from quotelake.nightly.versions import Versions
from quotelake.reuse import stage as reuse
from quotelake.reuse import words
from quotelake.reuse.comparisons import TEXTS
from quotelake.spark.arrow import column_of, count_rows
from quotelake.spark.session import set_parallelism
from quotelake.topics.score import Scoring, score_groups, scored_rows, texts_of_uses
from quotelake.topics.selection import MIN_WORDS, count_uses, eligible_uses, sample_uses, weigh_contexts
from quotelake.watch.stage import uses_of_hits, watched_groups

#: Bytes of ``contexts`` whose groups are scored together when all are scored again.
_BYTES_PER_PART: Final = 120_000_000


def choose_uses(
    batch: Batch, contexts: DataFrame, groups: DataFrame, stories: Stories | None = None
) -> tuple[DataFrame, DataFrame]:
    """Choose the uses of groups that topic variation compares, and count all by group, period and kind of source.

    ``contexts`` are the uses; ``groups`` have ``variant_id``, ``group_id``; ``stories`` are those of new texts.
    """
    size = batch.night.settings.topics.sample
    placed = batch.rows_of("stories", column_of(contexts, "text_id"), ["story_id"])
    if stories is not None and stories.rows is not None:
        now = stories.rows.select("text_id", "story_id")
        placed = now.unionByName(placed.join(now, "text_id", "left_anti"))
    uses = batch.keep(eligible_uses(reuse.with_story(contexts, placed), groups))
    counted = batch.keep(count_uses(uses))
    return batch.keep(sample_uses(uses, counted, size)), counted


def watched_uses(batch: Batch, annotated: DataFrame, others: Sequence[str] = ()) -> tuple[DataFrame, DataFrame]:
    """Uses in all documents of the watched texts that annotated documents use, and of ``others``, given by digest.

    Rows of ``contexts``; and ``variant_id``, ``group_id``: a watched text is a group by itself.
    """
    groups = watched_groups(rows_in(annotated, "watch_hits"))
    if others:
        further = batch.lake.ids("variant_id", others)
        groups = groups.unionByName(further.withColumn("group_id", F.col("variant_id"))).dropDuplicates()
    hits = batch.rows_of("watch_hits", groups.select(F.col("variant_id").alias("text_digest")))
    return uses_of_hits(hits), groups


def find_vectors(
    batch: Batch, sampled: DataFrame, headline_texts: DataFrame | None = None
) -> tuple[DataFrame, DataFrame | None, DataFrame]:
    """Look up the vectors of the texts that scores need, and embed the texts that have none.

    ``headline_texts`` are ``text_hash``, ``text`` of headline quotes and their candidates.

    Returns:
        ``text_hash``, ``vector`` of every text; rows of ``embeddings`` for those that have none, or None; and
        ``text_hash``, ``text`` of the masked contexts of groups that are explained, among others.
    """
    hashes = [f"{text}_hash" for text in batch.night.representation.needed]
    columns = [sampled.select(F.col(name).alias("text_hash")) for name in hashes]
    if headline_texts is not None:
        columns.append(headline_texts.select("text_hash"))
    needed = batch.keep(reduce(DataFrame.union, columns).dropDuplicates())
    of_model = f"fingerprint = '{batch.night.versions.fingerprint}'"
    known = batch.keep(batch.lake.rows_of("embeddings", needed, ["vector"], of_model))
    missing = batch.keep(needed.join(known, "text_hash", "left_anti"))
    # The texts of groups that are explained are read again; those of all others only to be embedded.
    is_explained = F.col("n_distinct_contexts") >= batch.night.settings.topics.explained
    raw, masked = (
        sampled.join(missing.withColumnRenamed("text_hash", name), name, "left_semi")
        if name in hashes
        else sampled.limit(0)
        for name in ("raw_hash", "masked_hash")
    )
    masked = masked.where(~is_explained).unionByName(sampled.where(is_explained))
    bodies = batch.lake.rows_of("documents", masked.select("doc_id").union(raw.select("doc_id")))
    cut = batch.keep(texts_of_uses(masked, raw, bodies))
    texts = cut.select("text_hash", "text")
    if headline_texts is not None:
        texts = headline_texts.union(texts)
    texts = texts.join(missing, "text_hash", "left_semi").dropDuplicates(["text_hash"])
    new = batch.embed(batch.keep(texts))
    every = known if new is None else known.union(new.select("text_hash", "vector"))
    return every, new, cut.where("is_masked")


def write_topics(
    batch: Batch, uses: DataFrame, counted: DataFrame, vectors: DataFrame, texts: DataFrame, changed: Sequence[str] = ()
) -> None:
    """Score uses, as :func:`choose_uses` and :func:`find_vectors` return them; all other scores of ``changed`` go."""
    night = batch.night
    versions = batch.rule_version, night.versions.fingerprint
    scoring = Scoring(*versions, night.representation, night.settings.topics, words.is_common)
    scored = batch.keep(score_groups(weigh_contexts(uses), vectors, counted, texts, scoring))
    groups = count_rows(scored)
    batch.stage.count(groups_scored=groups)
    if groups or changed:
        batch.replace(batch.keep(scored_rows(scored)), "topic_variation", changed)


def write_comparisons(batch: Batch, contexts: DataFrame, members: DataFrame, changed: Sequence[str]) -> None:
    """Compare uses of groups by several outlets, and replace their rows; all other rows of ``changed`` groups go.

    ``contexts`` are those of all ``members``; of a group so many at most (``MOST_USES``), the same in any order.
    """
    uses = batch.keep(reuse.sampled_uses(reuse.uses_of_several(contexts, members)))
    # A use that is in the sample of a larger group no more loses its row.
    in_larger = F.collect_set(F.when(F.col("nth") > reuse.MOST_USES, F.col("group_id")))
    [(count, larger)] = uses.agg(F.count("*"), in_larger).collect()
    if not count and not changed:
        return
    known = batch.rows_of("quote_comparisons", column_of(uses, "group_id"), ["quote_id", *TEXTS])
    by_outlets = reuse.uses_by_outlets(uses.where(F.col("nth") <= reuse.MOST_USES).drop("nth"))
    found = batch.keep(by_outlets.join(known.select("quote_id", *TEXTS), "quote_id", "left"))
    before, others = found.where("text IS NOT NULL"), found.where("text IS NULL").drop(*TEXTS)
    documents = batch.lake.rows_of("documents", others.select("doc_id").dropDuplicates(), ["body", "language"])
    left_out = batch.lake.spark.sparkContext.accumulator(0)
    texts = before.unionByName(reuse.with_texts(others, documents))
    compared = batch.keep(reuse.comparisons(texts, batch.rule_version, left_out))
    batch.replace(compared, "quote_comparisons", {*changed, *larger})
    if larger:
        batch.stage.count(groups_compared_by_a_sample=len(larger))
    if left_out.value:
        batch.stage.count(wordings_not_compared=left_out.value)


def score_archive(batch: Batch, contexts: DataFrame, groups: DataFrame) -> None:
    """Score groups whose uses, as of :func:`choose_uses`, are all in the archive; rows are replaced by key."""
    sampled, counted = choose_uses(batch, contexts, groups)
    vectors, new_vectors, texts = find_vectors(batch, sampled)
    if new_vectors is not None:
        batch.lake.append_new(new_vectors, "embeddings")
    write_topics(batch, sampled, counted, vectors, texts)


def score_anew(batch: Batch, groups: DataFrame, hits: DataFrame) -> tuple[DataFrame, DataFrame]:
    """Score groups, ``variant_id`` and ``group_id`` of all members, unless too short, and watched texts of ``hits``.

    Returns rows of ``contexts``, and the members, of the groups that are scored.
    """
    words = batch.lake.rows_of("variants", groups.select("variant_id"), ["words"])
    long = words.where(F.col("words") >= MIN_WORDS).select("variant_id")
    scored = groups.join(long, "variant_id", "left_semi").select("group_id").dropDuplicates()
    members = batch.keep(groups.join(scored, "group_id", "left_semi"))
    contexts = batch.keep(batch.rows_of("contexts", members.select("variant_id")))
    watched = uses_of_hits(hits)
    uses = contexts.select(*watched.columns).unionByName(watched)
    score_archive(batch, uses, members.unionByName(watched_groups(hits)))
    return contexts, members


def scores_are_whole(night: Night, before: Versions | None) -> bool:
    """Whether all documents that the run's versions have processed are scored by its representation.

    ``before`` name that of the last complete run: only runs killed since, or of other versions, can differ.
    """
    versions, lake, is_active = night.versions, night.lake, before == night.versions
    if before is not None and is_active and before.representation != versions.representation:
        return False
    last = lake.last_run()
    is_as_left = last is not None and last.versions.get("topic_variation") == lake.version("topic_variation")
    if not lake.bytes_of("topic_variation") or (is_active and is_as_left):
        return True
    same = f"rule_version = '{versions.rule_version}' AND fingerprint = '{versions.fingerprint}'"  # F needs a session
    rows = lake.read("topic_variation").where(f"{same} AND representation <> '{versions.representation}'")
    if is_active:
        complete = lake.read("runs").where(F.col("stage") == COMPLETE).select("run_id")
        rows = rows.join(complete, "run_id", "left_anti")
    return rows.isEmpty()


def rescore(night: Night, stage: StageCounts) -> None:
    """Score all groups of the lake, some of them at a time."""
    lake = night.lake
    size = lake.bytes_of("contexts") + lake.bytes_of("watch_hits")
    set_parallelism(lake.spark, size)
    parts = max(-(-size // _BYTES_PER_PART), 1)
    for part in range(parts):
        night.run.set_progress(f"rescored: {night.versions.representation}", "parts", parts, in_hand=1)
        with night.batch(stage) as batch:
            groups = groups_of(batch, lake.read("variants").select("variant_id"))
            groups, hits = (
                rows.where(F.pmod(F.xxhash64(group), F.lit(parts)) == part)
                for rows, group in ((groups, "group_id"), (batch.read("watch_hits"), "text_digest"))
            )
            score_anew(batch, groups, batch.keep(hits))
