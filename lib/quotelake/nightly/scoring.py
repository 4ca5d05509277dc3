"""What of a batch needs vectors: the outcomes of headline quotes, and the topic variation of the groups it touches.

Beside these the comparisons of uses by several outlets, which are written with the scores.
"""

from collections.abc import Callable
from functools import partial

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake.contextomy.stage import score_headlines, texts_to_embed
from quotelake.embeddings.embed import embed_texts, gpu_profile
from quotelake.nightly.annotate import hits_of, matches_of, reused_variants_of
from quotelake.nightly.chain import Batch, Frames
from quotelake.nightly.components import frame_of_ids
from quotelake.nightly.regrouping import members
from quotelake.nightly.same_story import Storied, quotes_in_changed, stories_of, watched_in_changed
from quotelake.reuse import words
from quotelake.reuse.stage import DOCUMENT_COLUMNS, QUOTE_COLUMNS, comparisons, uses_by_outlets, uses_of_several
from quotelake.reuse.stories.stage import with_story
from quotelake.spark.together import together
from quotelake.topics.details import Explain, Thresholds
from quotelake.topics.score import Scoring, details_of, score_groups, texts_of_uses, variation_of
from quotelake.topics.selection import count_uses, eligible_uses, sample_uses, weigh_contexts
from quotelake.watch.stage import uses_of_hits, watched_groups

#: Loading a model costs a worker as much as embedding some hundred texts: so few workers for few texts.
_TEXTS_PER_ENCODER = 512
#: A task of many texts: about a minute on one core, so that progress is seen and a lost task costs little.
_TEXTS_PER_TASK = 2048


def find_uses(batch: Batch, frames: Frames) -> None:
    """Find what is to be scored: the new headline quotes, and the uses of the groups that the documents touch."""
    batch.chain.run.at("scores: looking up what was said before")
    frames.matches = matches_of(frames.annotated)
    settings, materialise = batch.chain.settings.topics, batch.materialise
    rule_version = batch.chain.versions.rule_version
    used = reused_variants_of(frames.annotated, settings)
    retold = quotes_in_changed(batch.lake, frames.storied, rule_version, settings.min_words)
    frames.retold = None if retold is None else materialise(retold)
    if frames.retold is not None:
        used = used.unionByName(frames.retold).dropDuplicates()
    frames.members = materialise(members(batch.lake, frames.regrouped, used, rule_version))
    contexts = batch.lake.rows_of("contexts", frames.members.select("variant_id"))
    frames.contexts = materialise(contexts.where(F.col("rule_version") == rule_version))
    if not batch.chain.rules.watch.texts:
        choose_uses(batch, frames, frames.contexts, frames.members, frames.storied)
        return
    frames.retold_watched = watched_in_changed(batch.lake, frames.storied, rule_version)
    uses, groups = _watched(batch, frames)
    quoted = frames.contexts.select(*uses.columns)
    both = quoted.unionByName(uses), frames.members.unionByName(groups)
    choose_uses(batch, frames, *both, frames.storied)


def _watched(batch: Batch, frames: Frames) -> tuple[DataFrame, DataFrame]:
    """Uses and groups of the watched texts that the documents have; a watched text is a group by itself."""
    groups = watched_groups(hits_of(frames.annotated))
    if frames.retold_watched:
        again = frame_of_ids(batch.lake, "variant_id", frames.retold_watched)
        groups = groups.unionByName(again.withColumn("group_id", F.col("variant_id"))).dropDuplicates()
    of_these_rules = F.col("rule_version") == batch.chain.versions.rule_version
    hits = batch.lake.rows_of("watch_hits", groups.select(F.col("variant_id").alias("text_digest")))
    return uses_of_hits(hits.where(of_these_rules)), groups


def choose_uses(
    batch: Batch, frames: Frames, contexts: DataFrame, groups: DataFrame, storied: Storied | None = None
) -> None:
    """Choose the uses that are compared, and count all: ``sampled`` and ``counted`` of the frames.

    Args:
        batch: what is worked with.
        frames: handed on.
        contexts: uses of the groups, as rows of ``contexts``.
        groups: ``variant_id``, ``group_id``.
        storied: stories of new texts; those of all others are in the lake.
    """
    settings, materialise = batch.chain.settings.topics, batch.materialise
    placed = stories_of(batch.lake, storied, contexts.select("text_id"), batch.chain.versions.rule_version)
    uses = materialise(eligible_uses(with_story(contexts, placed), groups, settings))
    frames.counted = materialise(count_uses(uses))
    frames.sampled = materialise(sample_uses(uses, frames.counted, settings.sample))


def find_vectors(batch: Batch, frames: Frames) -> None:
    """Look up the vectors of the texts that the scores need, and embed the texts that have none."""
    lake, chain = batch.lake, batch.chain
    own = texts_to_embed(frames.matches, chain.rules.languages.compared)
    needed = own.select("text_hash")
    representation, sampled = chain.representation, frames.sampled
    hashes = {"masked_hash": representation.needs_masked, "raw_hash": representation.needs_raw}
    for name in (name for name, needs in hashes.items() if needs):
        needed = needed.union(sampled.select(name))
    needed = batch.materialise(needed.dropDuplicates())
    archive = lake.rows_of("embeddings", needed).where(F.col("fingerprint") == chain.versions.fingerprint)
    known = batch.materialise(archive.select("text_hash", "vector"))
    missing = batch.materialise(needed.join(known, "text_hash", "left_anti"))
    # The texts of groups that are explained are read again; those of all others only to be embedded.
    explained = F.col("n_distinct_contexts") >= chain.settings.topics.explained
    raw, masked = (
        sampled.join(missing.withColumnRenamed("text_hash", name), name, "left_semi")
        if hashes[name]
        else sampled.limit(0)
        for name in ("raw_hash", "masked_hash")
    )
    masked = masked.where(~explained).unionByName(sampled.where(explained))
    bodies = lake.rows_of("documents", masked.select("doc_id").union(raw.select("doc_id")))
    frames.texts = batch.materialise(texts_of_uses(masked, raw, bodies))
    texts = own.union(frames.texts.select("text_hash", "text")).join(missing, "text_hash", "left_semi")
    frames.embedded = made = embed(batch, batch.materialise(texts.dropDuplicates(["text_hash"])))
    frames.vectors = known if made is None else known.union(made.select("text_hash", "vector"))


def embed(batch: Batch, texts: DataFrame) -> DataFrame | None:
    """Rows of ``embeddings`` for texts; None where there are no texts."""
    count = texts.count()
    batch.stage.count(texts_embedded=count)
    if not count:
        return None
    batch.chain.run.at("scores: embedding", "texts", count, in_hand=count)
    versions, spark = batch.chain.versions, batch.lake.spark
    slots = batch.chain.settings.model.partitions or spark.sparkContext.defaultParallelism
    vectors = embed_texts(
        texts,
        model=versions.model,
        dtype=versions.dtype,
        fingerprint=versions.fingerprint,
        partitions=max(min(slots, -(-count // _TEXTS_PER_ENCODER)), -(-count // _TEXTS_PER_TASK)),
        profile=gpu_profile(spark),
    )
    return batch.materialise(vectors)


def write_scores(batch: Batch, frames: Frames) -> None:
    """Write the scores, and beside them the vectors: whichever write comes first has Spark compute these."""
    writes: list[Callable[[], None]] = [
        lambda: _append_outcomes(batch, frames),
        lambda: _replace_topics(batch, frames),
        lambda: _merge_comparisons(batch, frames),
    ]
    if frames.embedded is None:
        batch.chain.run.at("scores: deciding")
    else:  # the progress of the embedding is still told: Spark works on it within these writes
        # Outside the batch's transaction: what the batch, taken up again, finds missing differs from the first time.
        writes.append(partial(batch.lake.append_new, frames.embedded, "embeddings"))
    together(*writes)


def _append_outcomes(batch: Batch, frames: Frames) -> None:
    chain = batch.chain
    scored = score_headlines(
        frames.matches,
        frames.vectors,
        chain.settings.contextomy,
        chain.rules.detector,
        languages=chain.rules.languages.compared,
        rule_version=chain.versions.rule_version,
        detector_version=chain.versions.detector_version,
    )
    batch.append(scored, "contextomy")


def _replace_topics(batch: Batch, frames: Frames) -> None:
    """Write the scores of the groups.

    What is left of a group that lost variants was scored; one that is no more, or tells too few stories now, was not.
    """
    retold = {*_groups_of(frames.retold, frames.members), *frames.retold_watched}
    changed = sorted({*frames.regrouped.changed_groups, *retold})
    for table in ("topic_variation", "topic_details"):
        batch.lake.delete(table, "group_id", changed, batch.chain.versions.rule_version)
    merge_topics(batch, frames)


def merge_topics(batch: Batch, frames: Frames) -> None:
    """Score the sampled uses, and replace the rows of their groups."""
    chain = batch.chain
    settings = chain.settings.topics
    thresholds = Thresholds(settings.same, settings.different)
    explain = Explain(settings.explained, settings.pairs, thresholds, words.is_common)
    scoring = Scoring(chain.versions.rule_version, chain.versions.fingerprint, chain.representation, explain)
    texts = frames.texts.where("is_masked")
    scored = score_groups(weigh_contexts(frames.sampled), frames.vectors, frames.counted, texts, scoring)
    scored = batch.materialise(scored)
    groups = scored.count()
    batch.stage.count(groups_scored=groups)
    if groups:
        explained = batch.materialise(details_of(scored))
        together(
            lambda: batch.lake.merge(batch.materialise(variation_of(scored)), "topic_variation"),
            lambda: batch.lake.merge(explained, "topic_details"),
        )


def _merge_comparisons(batch: Batch, frames: Frames) -> None:
    """Compare the uses by several outlets, of the groups that the documents touch."""
    lake, rule_version = batch.lake, batch.chain.versions.rule_version
    uses = batch.materialise(uses_of_several(frames.contexts, frames.members))
    articles = uses.select("doc_id").dropDuplicates()
    documents = lake.rows_of("documents", articles, DOCUMENT_COLUMNS)
    quotes = lake.rows_of("quotes", articles, QUOTE_COLUMNS).where(F.col("rule_version") == rule_version)
    left_out = lake.spark.sparkContext.accumulator(0)
    by_outlets = uses_by_outlets(uses, documents, quotes)
    compared = batch.materialise(comparisons(by_outlets, batch.chain.settings.reuse, rule_version, left_out))
    lake.delete("quote_comparisons", "group_id", frames.regrouped.changed_groups, rule_version)
    lake.merge(compared, "quote_comparisons")
    if left_out.value:
        batch.stage.count(wordings_not_compared=left_out.value)


def _groups_of(variants: DataFrame | None, members: DataFrame) -> list[str]:
    """Ids of the groups of variants."""
    if variants is None:
        return []
    return [row[0] for row in members.join(variants, "variant_id", "left_semi").select("group_id").distinct().collect()]


def score_watched(batch: Batch, frames: Frames) -> None:
    """Compute the topic variation of watched texts with hits in documents of the archive.

    Args:
        batch: without a transaction: every write is of rows by their keys.
        frames: with what :func:`quotelake.nightly.annotate.search` found in the documents.
    """
    frames.matches = matches_of(frames.annotated)
    choose_uses(batch, frames, *_watched(batch, frames))
    find_vectors(batch, frames)
    if frames.embedded is not None:
        batch.lake.append_new(frames.embedded, "embeddings")
    merge_topics(batch, frames)
