"""A batch of new documents → every table behind ``documents``, in the steps of :data:`STEPS`.

First what each document says by itself: its quotes, variants and contexts. Then which variants are the same quote, and
which texts tell the same story. Then what needs vectors: the outcomes of headline quotes, and the topic variation of
the groups that the documents touch.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Generic, TypeVar

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake.annotate import (
    Rules,
    annotate,
    contexts_of,
    count_annotations,
    hits_of,
    matches_of,
    quotes_of,
    reused_variants_of,
    texts_of,
    variants_of,
)
from quotelake.components import frame_of_ids
from quotelake.contextomy.stage import score_headlines, texts_to_embed
from quotelake.embeddings.embed import embed_texts, gpu_profile
from quotelake.lake.runs import Run, StageCounts
from quotelake.lake.tables import Lake, Transaction
from quotelake.materialise import Materialised
from quotelake.regrouping import (
    Compared,
    Regrouped,
    apart,
    compare,
    keep_groups,
    lineage,
    members,
    new_variants,
    regroup,
)
from quotelake.reuse.comparisons_stage import (
    DOCUMENT_COLUMNS,
    QUOTE_COLUMNS,
    comparisons,
    uses_by_outlets,
    uses_of_several,
)
from quotelake.same_story import (
    Storied,
    find_stories,
    keep_stories,
    quotes_in_changed,
    stories_of,
    watched_in_changed,
)
from quotelake.settings import Settings
from quotelake.stories.stage import with_story
from quotelake.together import together
from quotelake.topics.contexts_stage import masked_texts
from quotelake.topics.score import score_variation
from quotelake.topics.selection import count_uses, eligible_uses, sample_uses, weigh_contexts
from quotelake.versions import Versions
from quotelake.watch.stage import uses_of_hits, watched_groups

#: Loading a model costs a worker as much as embedding some hundred texts: so few workers for few texts.
_TEXTS_PER_ENCODER = 512
#: A task of many texts: about a minute on one core, so that progress is seen and a lost task costs little.
_TEXTS_PER_TASK = 2048


@dataclass(frozen=True)
class Chain:
    """What every stage of one run works with."""

    lake: Lake
    run: Run
    settings: Settings
    rules: Rules
    versions: Versions
    rereads: bool  # other versions have read documents that these have not, so a row may be there already


Do = TypeVar("Do", bound=Callable[..., object])


@dataclass(frozen=True)
class Step(Generic[Do]):
    """A step of the chain or of a batch.

    Args:
        name: what it makes; of a stage of the chain, its name in ``runs`` too.
        do: its function.
        reads: tables whose rows it works with. What a write asks of its own table is not counted.
        writes: tables it appends rows to; in ``topic_variation`` it replaces rows by key as well.
    """

    name: str
    do: Do
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Batch:
    """One batch of new documents on its way through the tables.

    Args:
        chain: the run it belongs to.
        txn: names what it writes.
        stage: told what was found.
        materialise: keeps a frame that is read more than once.
        lake: in the session of the batch, so that all its frames are of one.
    """

    chain: Chain
    txn: Transaction
    stage: StageCounts
    materialise: Materialised
    lake: Lake

    def process(self, documents: DataFrame) -> None:
        """Bring every table up to date with new documents.

        Args:
            documents: rows of ``documents``, in as many partitions as the pass over their text is to have tasks.
        """
        frames = Frames(documents)
        for step in STEPS:
            step.do(self, frames)

    def append(self, df: DataFrame, table: str) -> None:
        """Append the rows of new documents; where others may have read these before, those that are not there yet.

        A detector or model has a checkpoint of its own, but shares quotes and contexts with others of its rule version.
        """
        if self.chain.rereads:
            self.append_new(df, table)
        else:
            self.lake.append(df, table, self.txn)

    def append_new(self, df: DataFrame, table: str) -> None:
        """Append the rows whose key the table does not hold yet, once for this batch."""
        self.lake.append_new(df, table, self.txn)


@dataclass
class Frames:
    """What the steps of a batch hand on; each frame is set by the step that makes it.

    Attributes:
        documents: rows of ``documents``.
        annotated: what each document says by itself (:func:`quotelake.annotate.annotate`).
        compared: variants that are new, and the pairs they are in.
        regrouped: reuse groups as they are with them.
        storied: stories as they are with the new texts.
        retold: ``variant_id`` of the quotes of earlier texts whose story changed; None where there are none.
        retold_watched: watched texts used in these, by digest.
        matches: headline quotes as strings left them.
        members: ``variant_id``, ``group_id`` of all members of the groups that the documents touch, archive included.
        contexts: rows of ``contexts`` of these members.
        sampled: uses that are compared, of the groups that the documents touch, archive included.
        counted: all uses of these groups, counted.
        vectors: ``text_hash``, ``vector`` of every text the scores need.
        embedded: rows of ``embeddings`` that are not in the table yet; None where there are none.
    """

    documents: DataFrame
    annotated: DataFrame = field(init=False)
    compared: Compared = field(init=False)
    regrouped: Regrouped = field(init=False)
    storied: Storied = field(init=False)
    retold: DataFrame | None = field(init=False)
    retold_watched: list[str] = field(default_factory=list)
    matches: DataFrame = field(init=False)
    members: DataFrame = field(init=False)
    contexts: DataFrame = field(init=False)
    sampled: DataFrame = field(init=False)
    counted: DataFrame = field(init=False)
    vectors: DataFrame = field(init=False)
    embedded: DataFrame | None = field(init=False)


def _annotate(batch: Batch, frames: Frames) -> None:
    """Pass over the text, once."""
    total = _documents_left(batch)
    batch.chain.run.at("scores: finding quotes", "documents", total, in_hand=total or 0)
    frames.annotated = batch.materialise(annotate(frames.documents, batch.chain.rules))
    batch.stage.count(**count_annotations(frames.annotated))


def _documents_left(batch: Batch) -> int | None:
    """Documents this run read and has not scored yet; None where it takes up what another run read."""
    read = next((stage.counts.get("documents", 0) for stage in batch.chain.run.stages), 0)
    return max(read - batch.stage.counts.get("documents", 0), 0) or None


def _write_annotations(batch: Batch, frames: Frames) -> None:
    """Write what the documents say, and beside it compare the new variants."""
    batch.chain.run.at("scores: writing quotes and contexts")
    annotated = frames.annotated
    together(
        lambda: _compare(batch, frames),
        lambda: _find_stories(batch, frames),
        lambda: batch.append(quotes_of(annotated), "quotes"),
        lambda: batch.append_new(variants_of(annotated), "variants"),
        lambda: batch.append(contexts_of(annotated), "contexts"),
        *([partial(write_hits, batch, frames)] if batch.chain.rules.watch.texts else []),
    )


def _compare(batch: Batch, frames: Frames) -> None:
    """Find the pairs of new variants, and the groups that these make."""
    lake, rule_version = batch.lake, batch.chain.versions.rule_version
    used = contexts_of(frames.annotated).select("variant_id").dropDuplicates()
    variants = variants_of(frames.annotated).join(used, "variant_id", "left_semi")
    new = batch.materialise(new_variants(lake, variants, rule_version))
    if batch.chain.settings.reuse.compare:
        frames.compared = compare(lake, new, rule_version, batch.materialise)
    else:
        frames.compared = apart(lake, new)
    frames.regrouped = regroup(lake, frames.compared, rule_version)
    batch.stage.count(**frames.compared.counts, variants_moved=len(frames.regrouped.moved))


def _find_stories(batch: Batch, frames: Frames) -> None:
    """Find the copies of the new texts, and the stories that these make."""
    version = batch.chain.versions.rule_version
    frames.storied = find_stories(batch.lake, texts_of(frames.annotated), version, batch.materialise)
    batch.stage.count(**frames.storied.counts)


def _write_pairs(batch: Batch, frames: Frames) -> None:
    """Write the pairs before the groups: a batch that is taken up again has the same new variants until these are."""
    compared, changes, chain = frames.compared, frames.regrouped.changes, batch.chain
    writes: list[Callable[[], None]] = []
    if compared.counts["variants_compared"]:
        writes.append(partial(batch.append, compared.postings, "variant_postings"))
    if compared.counts["pairs"]:
        writes.append(partial(batch.append, compared.edges, "variant_edges"))
    if changes:
        rows = lineage(batch.lake, changes, chain.versions.rule_version, chain.run.night)
        writes.append(partial(batch.lake.append, rows, "group_lineage", batch.txn))
    if frames.storied.counts["texts_placed"]:
        writes.append(partial(batch.append, frames.storied.edges, "story_edges"))
    together(*writes)


def write_hits(batch: Batch, frames: Frames) -> None:
    """Write the uses of watched texts; the search of the archive may have written them before."""
    hits = hits_of(frames.annotated)
    batch.stage.count(watch_hits=hits.count())
    batch.lake.append_new(hits, "watch_hits")


def _find_uses(batch: Batch, frames: Frames) -> None:
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
        _sample(batch, frames, frames.contexts, frames.members, frames.storied)
        return
    frames.retold_watched = watched_in_changed(batch.lake, frames.storied, rule_version)
    uses, groups = _watched(batch, frames)
    quoted = frames.contexts.select(*uses.columns)
    both = quoted.unionByName(uses), frames.members.unionByName(groups)
    _sample(batch, frames, *both, frames.storied)


def _watched(batch: Batch, frames: Frames) -> tuple[DataFrame, DataFrame]:
    """Uses and groups of the watched texts that the documents have; a watched text is a group by itself."""
    groups = watched_groups(hits_of(frames.annotated))
    if frames.retold_watched:
        again = frame_of_ids(batch.lake, "variant_id", frames.retold_watched)
        groups = groups.unionByName(again.withColumn("group_id", F.col("variant_id"))).dropDuplicates()
    of_these_rules = F.col("rule_version") == batch.chain.versions.rule_version
    hits = batch.lake.rows_of("watch_hits", groups.select(F.col("variant_id").alias("text_digest")))
    return uses_of_hits(hits.where(of_these_rules)), groups


def _sample(
    batch: Batch, frames: Frames, contexts: DataFrame, groups: DataFrame, storied: Storied | None = None
) -> None:
    """Choose the uses that are compared, and count all; stories are those of the lake and of new texts."""
    settings, materialise = batch.chain.settings.topics, batch.materialise
    placed = stories_of(batch.lake, storied, contexts.select("text_id"), batch.chain.versions.rule_version)
    uses = materialise(eligible_uses(with_story(contexts, placed), groups, settings))
    frames.counted = materialise(count_uses(uses))
    frames.sampled = materialise(sample_uses(uses, frames.counted, settings.sample))


def _find_vectors(batch: Batch, frames: Frames) -> None:
    """Look up the vectors of the texts that the scores need, and embed the texts that have none."""
    lake, fingerprint = batch.lake, batch.chain.versions.fingerprint
    own = texts_to_embed(frames.matches, batch.chain.rules.languages.compared)
    masked = frames.sampled.select(F.col("masked_hash").alias("text_hash"))
    needed = batch.materialise(own.select("text_hash").union(masked).dropDuplicates())
    archive = lake.rows_of("embeddings", needed).where(F.col("fingerprint") == fingerprint)
    known = batch.materialise(archive.select("text_hash", "vector"))
    missing = needed.join(known, "text_hash", "left_anti")
    cut = frames.sampled.join(missing.withColumnRenamed("text_hash", "masked_hash"), "masked_hash", "left_semi")
    bodies = lake.rows_of("documents", cut.select("doc_id"))
    texts = own.join(missing, "text_hash", "left_semi").union(masked_texts(cut, bodies))
    frames.embedded = made = _embed(batch, batch.materialise(texts.dropDuplicates(["text_hash"])))
    frames.vectors = known if made is None else known.union(made.select("text_hash", "vector"))


def _embed(batch: Batch, texts: DataFrame) -> DataFrame | None:
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


def _write_scores(batch: Batch, frames: Frames) -> None:
    """Write the scores, and beside them the vectors: whichever write comes first has Spark compute these."""
    writes: list[Callable[[], None]] = [
        lambda: _append_outcomes(batch, frames),
        lambda: _replace_topic_variation(batch, frames),
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


def _replace_topic_variation(batch: Batch, frames: Frames) -> None:
    """Write the scores of the groups.

    What is left of a group that lost variants was scored; one that is no more, or tells too few stories now, was not.
    """
    retold = {*_groups_of(frames.retold, frames.members), *frames.retold_watched}
    changed = sorted({*frames.regrouped.changed_groups, *retold})
    batch.lake.delete("topic_variation", "group_id", changed, batch.chain.versions.rule_version)
    _merge_topic_variation(batch, frames)


def _merge_topic_variation(batch: Batch, frames: Frames) -> None:
    versions = batch.chain.versions
    scored = score_variation(
        weigh_contexts(frames.sampled),
        frames.vectors,
        frames.counted,
        rule_version=versions.rule_version,
        fingerprint=versions.fingerprint,
    )
    scored = batch.materialise(scored)
    groups = scored.where("period = 'all'").count()
    batch.stage.count(groups_scored=groups)
    if groups:
        batch.lake.merge(scored, "topic_variation")


def _merge_comparisons(batch: Batch, frames: Frames) -> None:
    """Compare the uses by several outlets, of the groups that the documents touch."""
    lake, rule_version = batch.lake, batch.chain.versions.rule_version
    uses = batch.materialise(uses_of_several(frames.contexts, frames.members))
    articles = uses.select("doc_id").dropDuplicates()
    documents = lake.rows_of("documents", articles, DOCUMENT_COLUMNS)
    quotes = lake.rows_of("quotes", articles, QUOTE_COLUMNS).where(F.col("rule_version") == rule_version)
    compared = batch.materialise(comparisons(uses_by_outlets(uses, documents, quotes), rule_version))
    lake.delete("quote_comparisons", "group_id", frames.regrouped.changed_groups, rule_version)
    lake.merge(compared, "quote_comparisons")


def _groups_of(variants: DataFrame | None, members: DataFrame) -> list[str]:
    """Ids of the groups of variants."""
    if variants is None:
        return []
    return [row[0] for row in members.join(variants, "variant_id", "left_semi").select("group_id").distinct().collect()]


def _write_groups(batch: Batch, frames: Frames) -> None:
    texts = texts_of(frames.annotated)
    together(
        lambda: keep_groups(batch.lake, frames.regrouped),
        lambda: keep_stories(batch.lake, frames.storied, texts, batch.txn, again=batch.chain.rereads),
    )


def score_watched(batch: Batch, frames: Frames) -> None:
    """Compute the topic variation of watched texts with hits in documents of the archive.

    Args:
        batch: without a transaction: every write is of rows by their keys.
        frames: with what :func:`quotelake.annotate.search` found in the documents.
    """
    frames.matches = matches_of(frames.annotated)
    _sample(batch, frames, *_watched(batch, frames))
    _find_vectors(batch, frames)
    if frames.embedded is not None:
        batch.lake.append_new(frames.embedded, "embeddings")
    _merge_topic_variation(batch, frames)


#: A batch, step by step: each works with what those before it found and wrote.
STEPS: Final[tuple[Step[Callable[[Batch, Frames], None]], ...]] = (
    Step("annotations", _annotate),
    Step(
        "quotes, variants, contexts",
        _write_annotations,
        reads=(
            *("variant_groups", "variant_postings", "variants", "variant_edges"),
            *("story_texts", "story_edges", "stories"),
        ),
        writes=("quotes", "variants", "contexts", "watch_hits"),
    ),
    Step("pairs", _write_pairs, writes=("variant_edges", "variant_postings", "group_lineage", "story_edges")),
    Step("uses", _find_uses, reads=("contexts", "variant_groups", "watch_hits", "stories", "story_texts", "variants")),
    Step("vectors", _find_vectors, reads=("embeddings", "documents")),
    Step(
        "outcomes, topic variation, comparisons",
        _write_scores,
        reads=("documents", "quotes"),
        writes=("contextomy", "topic_variation", "quote_comparisons", "embeddings"),
    ),
    Step("groups, stories", _write_groups, writes=("variant_groups", "stories", "story_texts")),
)
